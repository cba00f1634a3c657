import type { DenomSchedule, Stake } from '../../api/node.ts';
import { toAccount } from '../../chain/address.ts';
import { type Coin, type DenomMetadata, type DenomUnit, decimalAmount, unitFault } from '../../chain/coin.ts';
import type { Fields } from '../../chain/fields.ts';
import { quotient, whole } from '../../chain/ratio.ts';
import type { SupplySplit } from '../../chain/supplySplit.ts';
import { shownText } from '../../chain/text.ts';
import type { DenomHolder, LargestHolders } from '../../reads/denomReads.ts';
import {
  type Asker,
  addressOf,
  baseAmount,
  identifier,
  Space,
  shareOf,
  stated,
  timeOf,
  untrusted,
  wordOf,
} from './answer.ts';
import { amountSchema, count, listOf, maybe, membersOf, rarely, record, text } from './answerSchema.ts';

/** The reason why the largest holders are not listed. */
export type NotListed = 'notAsked' | Extract<LargestHolders, string>;

/** The facts of a denom. All are of `height` if the node keeps to it. */
export interface ReadDenom {
  readonly coin: Coin;
  readonly height?: bigint | undefined;
  readonly unpinnedReason?: string | undefined;
  readonly split?: SupplySplit | undefined;
  /** The amount in the community pool, in 10^-18 base units; undefined if it is not known. */
  readonly pool: bigint | undefined;
  readonly holding: DenomHolder | undefined;
  /** The staked tokens of the holder; undefined if they are not known. */
  readonly stake: Stake | undefined;
  /** True if stake is in the denom. */
  readonly isStaked: boolean;
  readonly largest: LargestHolders | NotListed;
  readonly notVested: bigint | undefined;
  /** The reason why the unvested amount is not known. */
  readonly noVesting: string;
  /** The time that was asked for. */
  readonly at?: Date | undefined;
  /** The coins that vest and unbond until that time. */
  readonly schedule?: DenomSchedule | undefined;
}

/** The schema of what vests and unbonds until a time. */
export const scheduleSchema = membersOf({
  at: rarely(text),
  not_vested: rarely(maybe(amountSchema)),
  supply_less_not_vested: rarely(amountSchema),
  vesting_accounts: rarely(count),
  kinds: rarely(
    listOf(
      membersOf({
        kind: text,
        accounts: count,
        original: amountSchema,
        first_start: rarely(text),
        last_end: rarely(text),
      }),
    ),
  ),
  first_vesting_end: rarely(maybe(text)),
  last_vesting_end: rarely(maybe(text)),
  unbonding: rarely(amountSchema),
  unbonded_by_then: rarely(amountSchema),
  unbonding_entries: rarely(count),
  unbonding_days: rarely(listOf(membersOf({ day: text, amount: text, display_amount: rarely(text), entries: count }))),
  more_days: rarely(count),
  unknown: rarely(record),
});

/** Gives what vests and unbonds until a time, if one was asked for. */
export function scheduleAnswer({ at, schedule, isStaked, coin }: ReadDenom, unit: DenomUnit | undefined): Fields {
  if (!at) return {};
  if (!schedule) return { schedule: undefined };
  const { vesting, unbonding } = schedule;
  const amount = (tokens: bigint): Fields => baseAmount(tokens, unit);
  const unbondings = {
    unbonding: amount(unbonding.amount),
    unbonded_by_then: amount(unbonding.byThen),
    unbonding_entries: unbonding.entries,
    unbonding_days: unbonding.days.map((day) => ({ ...day, ...amount(day.amount) })),
    ...(unbonding.moreDays > 0 ? { more_days: unbonding.moreDays } : {}),
  };
  const members = {
    at: timeOf(at),
    not_vested: vesting && amount(vesting.notVested),
    ...(vesting
      ? { supply_less_not_vested: amount(coin.amount - vesting.notVested), vesting_accounts: vesting.accounts }
      : {}),
    ...(vesting && vesting.accounts > 0
      ? { first_vesting_end: dateOf(vesting.firstEnd), last_vesting_end: dateOf(vesting.lastEnd) }
      : {}),
    ...(vesting && vesting.kinds.length > 0 ? { kinds: vesting.kinds.map((one) => kindAnswer(one, unit)) } : {}),
    ...(isStaked ? unbondings : {}),
  };
  const never = 'the remaining vesting never ends';
  return {
    schedule: stated(members, {
      not_vested: 'the state lists no accounts, or an account vests on an unknown schedule',
      first_vesting_end: never,
      last_vesting_end: never,
    }),
  };
}

function kindAnswer(
  { kind, accounts, original, firstStart, lastEnd }: NonNullable<DenomSchedule['vesting']>['kinds'][number],
  unit: DenomUnit | undefined,
): Fields {
  const [start, end] = [dateOf(firstStart), dateOf(lastEnd)];
  return {
    ...{ kind, accounts, original: baseAmount(original, unit) },
    ...(start === undefined ? {} : { first_start: start }),
    ...(end === undefined ? {} : { last_end: end }),
  };
}

/** Gives a holder with its amount and its share of the supply. */
export function holderRow(holder: DenomHolder, { amount: all }: Coin, unit: DenomUnit | undefined): Fields {
  const { address, amount, class: of, name } = holder;
  const share = quotient(amount, all);
  const end = dateOf(holder.vestingEnd);
  return {
    ...addressOf(address),
    ...(of === undefined ? {} : { class: of }),
    ...(name ? { untrusted_name: shownText(name, 200) } : {}),
    ...baseAmount(amount, unit),
    ...(share === undefined ? {} : { share: shareOf(share) }),
    ...(end === undefined ? {} : { vesting_end: end }),
  };
}

/** The limit for the entries of an account that unbonds. */
const maxUnbondings = 20;

/** The reason why it is not known whether an account vests. */
export const noStake = 'only a state with a staking module is searched for vesting accounts';

/** Gives how the coins of a holder vest, and what of its balance is locked, at the time that was asked for, else that of the state. */
export function vestingAnswer({ stake, coin: { denom }, at }: ReadDenom, balance: bigint): Fields {
  if (!stake) return { vesting: undefined };
  const { kind, start, end, coins } = stake.vesting ?? {};
  const own = coins?.get(denom);
  if (!own) return {};
  const { original, delegated, notVested } = own;
  const locked = own.locked === undefined || own.locked < balance ? own.locked : balance;
  const members = {
    ...(at ? { at: timeOf(at) } : {}),
    kind,
    ...(kind === 'delayed' || kind === 'permanent_locked' ? {} : { start: dateOf(start) }),
    ...(kind === 'permanent_locked' ? {} : { end: dateOf(end) }),
    original: `${original}`,
    not_vested: notVested?.toString(),
    ...(at || notVested !== 0n ? { delegated_vesting: `${delegated}` } : {}),
    locked: locked?.toString(),
    ...(at || notVested !== 0n ? { spendable: locked === undefined ? undefined : `${balance - locked}` } : {}),
  };
  const noTime = 'the file does not specify a time';
  return { vesting: stated(members, { not_vested: noTime, locked: noTime, spendable: noTime }) };
}

/** Gives a time in UTC. Undefined for one beyond the range of dates. */
function dateOf(time: Date | undefined): string | undefined {
  return time && !Number.isNaN(time.getTime()) ? timeOf(time) : undefined;
}

/** Gives the staked tokens of a holder, for the denom that is staked. */
export function stakeAnswer({ stake, isStaked, holding }: ReadDenom, unit: DenomUnit | undefined): Fields {
  if (!isStaked) return {};
  const { delegated, unbonding, unbondingEntries: entries = [] } = stake ?? {};
  const amount = (tokens: bigint | undefined): Fields | undefined =>
    tokens === undefined ? undefined : baseAmount(tokens, unit);
  const reason = stake
    ? 'the validator for one of the delegations is not in the state'
    : 'delegations can be read only from a state with a staking module';
  const shown = entries.slice(0, maxUnbondings);
  const listed = shown.map(({ time, amount: tokens }) => ({ time: untrusted(time), ...baseAmount(tokens, unit) }));
  return stated(
    {
      delegated: amount(delegated),
      ...(stake ? delegationsAnswer(stake, holding?.address, unit) : {}),
      unbonding: amount(unbonding),
      ...(listed.length > 0 ? { unbonding_entries: listed } : {}),
      ...(entries.length > shown.length ? { more_unbonding_entries: entries.length - shown.length } : {}),
    },
    { delegated: reason, unbonding: reason },
  );
}

/** The limit for the delegations of an account. */
const maxDelegations = 10;

/** Gives the largest delegations of an account, and that to its own validator. */
function delegationsAnswer(
  { delegations, delegationCount }: Stake,
  account: string | undefined,
  unit: DenomUnit | undefined,
): Fields {
  const own = delegations.find(({ validator }) => {
    const read = toAccount(validator);
    return 'address' in read && read.address === account;
  });
  const shown = delegations.slice(0, maxDelegations).map(({ validator, moniker, amount }) => ({
    ...stated({
      operator_address: identifier(validator),
      ...(amount === undefined ? { amount } : baseAmount(amount, unit)),
    }),
    untrusted_moniker: shownText(moniker, 100),
  }));
  return {
    ...(own?.amount === undefined ? {} : { self_delegation: baseAmount(own.amount, unit) }),
    ...(shown.length > 0 ? { delegations: shown } : {}),
    ...(delegationCount > shown.length ? { more_delegations: delegationCount - shown.length } : {}),
  };
}

/** Gives the circulating supply and the amounts it is calculated from. It is null if one of them is not known. */
export function circulatingAnswer(
  { coin, pool, notVested, noVesting }: ReadDenom,
  unit: DenomUnit | undefined,
): Fields {
  const amount = pool === undefined || notVested === undefined ? undefined : coin.amount - pool / whole - notVested;
  const terms = {
    supply: `${coin.amount}`,
    less_community_pool: pool === undefined ? undefined : `${pool / whole}`,
    less_not_vested: notVested === undefined ? undefined : `${notVested}`,
  };
  const reasons = { less_community_pool: noPool, less_not_vested: noVesting };
  return {
    circulating_supply: amount === undefined ? undefined : baseAmount(amount, unit),
    circulating_terms: { ...stated(terms, reasons), delegated: 'included' },
  };
}

/** The reason for an unknown community pool. */
export const noPool = 'the source does not report its community pool';

/** Gives the split. Its rows add up to the supply. */
export function splitAnswer(split: SupplySplit, unit: DenomUnit | undefined, asker: Asker): Fields {
  const { rows, holders, gaps, height, unpinnedReason, distribution } = split;
  const rewards = distribution?.rewards;
  const { shown, left } = new Space(asker, 2).fit(rows.map((row) => splitRow(row, unit)));
  return {
    ...(height === undefined ? {} : { height: `${height}` }),
    ...(unpinnedReason ? { untrusted_height_notice: untrusted(unpinnedReason) } : {}),
    ...(holders === undefined ? {} : { holders: `${holders}` }),
    ...(rewards === undefined ? {} : { rewards_not_withdrawn: decimalAmount(rewards, 18) }),
    rows: shown,
    ...(left > 0 ? { more_rows: left } : {}),
    ...(gaps.length > 0
      ? { not_asked_to_the_end: gaps.map(({ class: of, reason }) => `${of}: ${wordOf(reason)}`) }
      : {}),
  };
}

function splitRow(
  { class: of, name, counterparty, amount }: SupplySplit['rows'][number],
  unit: DenomUnit | undefined,
): Fields {
  const isShared = of === 'module' && name === 'distribution';
  return {
    class: of,
    ...(name ? { untrusted_name: shownText(name, 200) } : {}),
    ...(counterparty ? { untrusted_counterparty: shownText(counterparty, 200) } : {}),
    ...baseAmount(amount, unit),
    ...(isShared ? { note: 'community pool and rewards' } : {}),
  };
}

const unitFaults = {
  none: 'the denom metadata has no units',
  display: 'the denom metadata contradicts itself: "display" does not exactly match any of its units',
  base: 'the denom metadata contradicts itself: the base denom has an exponent other than 0',
  exponent: 'the denom metadata has an exponent that is not valid for amounts',
} as const;

const maxUnits = 10;

/** Gives the units of metadata as they are, and why none of them is the display unit. */
export function unusedUnits(metadata: DenomMetadata): Fields {
  const fault = unitFault(metadata);
  const units = metadata.units.slice(0, maxUnits).map(({ denom, exponent }) => {
    return { denom: shownText(denom, 100), exponent };
  });
  return {
    ...(units.length > 0 ? { untrusted_display: shownText(metadata.display ?? '', 100), untrusted_units: units } : {}),
    ...(fault ? { unknown: { display_amount: unitFaults[fault] } } : {}),
  };
}
