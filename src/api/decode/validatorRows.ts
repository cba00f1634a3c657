import { isFields } from '../../chain/fields.ts';
import { toRatio } from '../../chain/ratio.ts';
import type { BondStatus, Validator } from '../../chain/validator.ts';
import type { SigningInfo } from '../node.ts';
import type { WireSigningInfo, WireValidator } from '../replySchemas.ts';

const statusByName: ReadonlyMap<unknown, BondStatus> = new Map([
  ['BOND_STATUS_BONDED', 'bonded'],
  ['BOND_STATUS_UNBONDING', 'unbonding'],
  ['BOND_STATUS_UNBONDED', 'unbonded'],
]);

/** Reads a Validator. The schema has checked that `tokens` is digits. */
export function toValidator(wire: WireValidator): Validator {
  const key = ed25519Key(wire.consensus_pubkey);
  return {
    operator: wire.operator_address,
    moniker: wire.description?.moniker ?? '',
    tokens: BigInt(wire.tokens),
    status: statusByName.get(wire.status) ?? 'unknown',
    jailed: wire.jailed === true,
    commission: toRatio(wire.commission?.commission_rates?.rate),
    ...(wire.status === 'BOND_STATUS_UNBONDING' ? { unbondingTime: momentOf(wire.unbonding_time) } : {}),
    ...(key === undefined ? {} : { consensusKey: key }),
  };
}

/** Reads a key of Ed25519, as protobuf or amino writes it. */
function ed25519Key(key: unknown): string | undefined {
  if (!isFields(key)) return undefined;
  const stated = key['@type'] === '/cosmos.crypto.ed25519.PubKey' ? key.key : undefined;
  const old = key.type === 'tendermint/PubKeyEd25519' ? key.value : stated;
  return typeof old === 'string' && old.length < 100 ? old : undefined;
}

/** Reads a signing info. A time of 1970 means that the validator was never jailed for downtime. */
export function toSigningInfo({
  address,
  jailed_until: until,
  tombstoned,
  missed_blocks_counter: missed,
}: WireSigningInfo): SigningInfo {
  return {
    address,
    missed: missed === undefined || missed === null ? undefined : BigInt(missed),
    jailedUntil: momentOf(until),
    tombstoned: tombstoned === true,
  };
}

/** Reads a time. Undefined for 1970 and before, which stand for no time. */
function momentOf(text: unknown): Date | undefined {
  const time = new Date(typeof text === 'string' ? text : Number.NaN);
  return time.getTime() > 0 ? time : undefined;
}
