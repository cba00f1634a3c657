import { isFields } from '../../chain/fields.ts';
import { decimalOne, divide, toShares } from '../decimals.ts';
import type { Staking } from '../modules/staking.ts';
import { GatewayError, notImplemented } from '../serviceErrors.ts';
import { readAddressKey, rowBy } from '../stateAddresses.ts';
import type { FileSearches, State, StateSnapshot } from '../stateSnapshot.ts';
import { type Body, fieldsAt, findKey, type KeyedTable, rowAt, tablePage, toByteText, toTable } from '../table.ts';
import { bodyOf, CoinSum } from './balances.ts';
import type { AccountAmount, HeldCoin, ListRange, Split } from './split.ts';

/** The valid denoms of SDK 0.46 and later (types/coin.go). Denoms that the state holds are answered in any case. */
const denomForm = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** Gives the supply of a state that lists coins. A part of a state may have a bank module without them. */
export function heldSupply({ supply, hasCoins }: State['bank']): KeyedTable {
  if (!hasCoins) throw new GatewayError('unimplemented', 'supply is not in this state');
  return supply;
}

/** Answers the supply of one denom: amount "0" for an unknown denom, 400 for an invalid one. */
export function supplyOf(supply: KeyedTable, denom: string): string {
  const position = findKey(supply, Buffer.from(denom));
  if (position < 0 && !denomForm.test(denom))
    throw new GatewayError('invalidArgument', `invalid denom: ${denom.slice(0, 200)}`);
  return `{"amount":${position < 0 ? JSON.stringify({ denom, amount: '0' }) : rowAt(supply, position)}}`;
}

/** Answers the classes of accounts that hold `denom`, or a page of all denoms (docs/nodes.md#supply-split). */
export function supplySplit(denoms: KeyedTable, query: URLSearchParams): Body {
  const denom = query.get('denom');
  if (denom === null) return tablePage('splits', denoms, query);
  return `{"split":${rowAt(denoms, denomAt(denoms, denom))}}`;
}

function denomAt(denoms: KeyedTable, denom: string): number {
  const position = findKey(denoms, Buffer.from(denom));
  if (position < 0) throw new GatewayError('notFound', `the state has no coins of ${denom.slice(0, 200)}`);
  return position;
}

/** Holders of an answer at most. */
const mostHolders = 100_000;

/**
 * Answers the accounts that hold most of `denom` (`limit`, else ten), or the one of `address`, with their classes. The search
 * starts with the request.
 */
export async function largestHolders(split: Split, query: URLSearchParams, state: StateSnapshot): Promise<string> {
  const denom = query.get('denom') ?? '';
  const address = (query.get('address') ?? '').toLowerCase();
  denomAt(split.denoms, denom);
  const given = query.get('limit') || '10';
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new GatewayError('invalidArgument', 'limit must be a whole number above 0');
  const most = Math.min(Number(given), mostHolders);
  const { list, accounts } = split;
  const { searches } = state;
  const find = async (): Promise<readonly AccountAmount[]> => {
    if (!list || !searches) return [];
    return address === '' ? searches.largestHolders(list, denom, most) : coinsOf(searches, list, address, denom);
  };
  const named = (await find()).map(({ address: holder, amount }) => {
    const position = findKey(accounts, Buffer.from(bodyOf(holder)));
    const known = position < 0 ? { class: 'other', name: '' } : fieldsAt(accounts, position);
    return { address: holder, amount, ...known };
  });
  return JSON.stringify({ holders: named });
}

/** Finds coins of an account. The same bytes may have addresses with other prefixes, whose coins are left out. */
async function coinsOf(
  searches: FileSearches,
  list: ListRange,
  address: string,
  denom?: string,
): Promise<readonly HeldCoin[]> {
  const found = await searches.balances(list, bodyOf(address), denom);
  return found.filter((coin) => coin.address === address);
}

/** Answers the coins of an account. The search starts with the request. */
export async function balances(
  list: Split['list'],
  address: string,
  query: URLSearchParams,
  state: StateSnapshot,
): Promise<Body> {
  readAddressKey('address', address);
  if (!list || !state.searches) throw new GatewayError('unimplemented', 'the state does not list balances');
  const sums = new CoinSum();
  for (const { denom, amount } of await coinsOf(state.searches, list, address.toLowerCase()))
    sums.add(denom, BigInt(amount));
  const rows = [...sums.totals()].map(([denom, { amount }]) => ({
    key: toByteText(denom),
    row: JSON.stringify({ denom, amount: `${amount}` }),
  }));
  return tablePage('balances', toTable(rows), query);
}

/**
 * Answers the tokens that `address` has staked, and how its coins vest at the time `at` (RFC 3339), else that of the
 * state. Its voting power is what it has delegated to bonded validators. The tokens of a delegation are those of the validator by its share of
 * all shares (x/staking/types/validator.go, TokensFromShares), cut to whole units.
 */
export async function stakeOf(
  { validators: table }: Staking,
  query: URLSearchParams,
  state: StateSnapshot,
): Promise<string> {
  const address = query.get('address') ?? '';
  readAddressKey('address', address);
  const found = await state.searches?.stake(
    bodyOf(address.toLowerCase()),
    query.has('at') ? readTime(query) : undefined,
  );
  if (!found) throw notImplemented();
  let power = 0n;
  const delegations = found.delegations.map(([validator, shares]) => {
    const { tokens, delegator_shares: all, description, status } = rowBy(table, 'operator_address', validator) ?? {};
    const total = typeof all === 'string' ? toShares(all, '.delegator_shares') : 0n;
    const owned = typeof tokens === 'string' && total > 0n ? toShares(shares, '.shares') * BigInt(tokens) : undefined;
    const bonded = status === 'BOND_STATUS_BONDED';
    // Decimals of votes are rounded one by one, and cut in the sum.
    if (bonded && owned !== undefined) power += divide(owned * decimalOne, total);
    const amount = owned === undefined ? undefined : owned / total;
    const moniker = isFields(description) ? description.moniker : undefined;
    return { validator, moniker: typeof moniker === 'string' ? moniker : '', amount, bonded };
  });
  const isWhole = delegations.every(({ amount }) => amount !== undefined);
  const delegated = isWhole ? delegations.reduce((all, { amount = 0n }) => all + amount, 0n) : undefined;
  const largest = delegations.toSorted((one, other) => ((one.amount ?? 0n) < (other.amount ?? 0n) ? 1 : -1));
  const listed = largest.slice(0, mostDelegations).map((one) => ({ ...one, amount: one.amount?.toString() ?? null }));
  const sum = found.unbonding.reduce((all, [, amount]) => all + BigInt(amount), 0n);
  const entries = found.unbonding.map(([time, amount]) => ({ time, amount }));
  const unbonding = { unbonding: `${sum}`, unbonding_entries: entries.toSorted((a, b) => (a.time < b.time ? -1 : 1)) };
  const vesting = found.vesting ?? null;
  const votingPower = `${power / decimalOne}`;
  const sums = { delegated: delegated?.toString() ?? null, voting_power: votingPower, ...unbonding, vesting };
  return JSON.stringify({ stake: { ...sums, delegations: listed, delegation_count: delegations.length } });
}

/** The limit for the delegations of an account that are listed. */
const mostDelegations = 200;

/** Answers the amounts of `denom` that vest and unbond until the time `at` (RFC 3339). */
export async function scheduleOf(query: URLSearchParams, state: StateSnapshot): Promise<string> {
  const found = await state.searches?.schedule(query.get('denom') ?? '', readTime(query));
  if (!found) throw notImplemented();
  return JSON.stringify(found);
}

function readTime(query: URLSearchParams): number {
  const time = Date.parse(query.get('at') ?? '');
  if (Number.isNaN(time)) throw new GatewayError('invalidArgument', '"at" must be an RFC 3339 time');
  return time;
}
