import { type Coin, type DenomMetadata, type DenomUnit, type Deposit, unitFault } from '../../chain/coin.ts';
import { type Channel, type Holder, type SupplySplit, shownName } from '../../chain/supplySplit.ts';
import type { WireChannel, WireCoin, WireDeposit, WireHolder, WireMetadata, WireSplit } from '../replySchemas.ts';

/** Reads a Coin. The schema has checked that `amount` is digits. */
export function toCoin(wire: WireCoin): Coin {
  return { denom: wire.denom, amount: BigInt(wire.amount) };
}

/** Reads a Deposit. */
export function toDeposit({ depositor, amount }: WireDeposit): Deposit {
  return { depositor, coins: amount.map(toCoin) };
}

/** Reads the SupplySplit of a state. */
export function toSupplySplit({
  denom,
  supply,
  holders,
  classes,
  not_vested,
  distribution: parts,
}: WireSplit): SupplySplit {
  return {
    denom,
    supply: BigInt(supply),
    origin: 'state',
    rows: classes.map(({ counterparty, ...row }) => ({
      ...row,
      name: shownName(row.name),
      ...(counterparty === undefined ? {} : { counterparty: shownName(counterparty) }),
      amount: BigInt(row.amount),
    })),
    holders: BigInt(holders),
    notVested: not_vested === null ? undefined : BigInt(not_vested ?? 0),
    distribution: parts && {
      communityPool: toUnits(parts.community_pool),
      rewards: toUnits(parts.outstanding_rewards),
      dust: parts.dust === undefined ? undefined : toUnits(parts.dust),
    },
    gaps: [],
  };
}

/** Reads a decimal of 18 digits in units of 10^-18. */
function toUnits(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

/** Reads a Holder. */
export function toHolder(wire: WireHolder): Holder {
  const { address, class: of, name, amount, vesting_end: end } = wire;
  const vestingEnd = end ? new Date(Number(end) * 1000) : undefined;
  return { address, class: of, name: shownName(name), amount: BigInt(amount), ...(vestingEnd ? { vestingEnd } : {}) };
}

/** Reads a Channel. */
export function toChannel({ state, port_id, channel_id, counterparty: other }: WireChannel): Channel {
  return {
    name: `${port_id}/${channel_id}`,
    counterparty: other?.channel_id ? `${other.port_id ?? ''}/${other.channel_id}` : undefined,
    isOpenTransfer: port_id === 'transfer' && state === 'STATE_OPEN',
  };
}

/** Reads DenomMetadata. */
export function toDenomMetadata(wire: WireMetadata): DenomMetadata {
  return {
    base: wire.base,
    name: wire.name ?? undefined,
    symbol: wire.symbol ?? undefined,
    display: wire.display ?? undefined,
    description: wire.description ?? undefined,
    units: wire.denom_units ?? [],
    unit: toDenomUnit(wire),
  };
}

/**
 * Gives the display unit that metadata states for its base denom. Undefined if it states none or contradicts itself.
 */
export function toDenomUnit(metadata: WireMetadata): DenomUnit | undefined {
  const { base, display = undefined, denom_units: units } = metadata;
  const fault = unitFault({ base, display: display ?? undefined, units: units ?? [] });
  const exponent = units?.find((unit) => unit.denom === display)?.exponent;
  if (fault || exponent === undefined) return undefined;
  return { symbol: metadata.symbol || metadata.display || metadata.base, exponent, source: 'chain' };
}
