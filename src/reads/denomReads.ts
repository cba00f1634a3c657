import type { ChainNode, PoolCoin } from '../api/node.ts';
import { Cursor, OptionalPages, readPages } from '../api/readPages.ts';
import { type Coin, descending } from '../chain/coin.ts';
import { whole } from '../chain/ratio.ts';
import type { SupplySplit } from '../chain/supplySplit.ts';

/** The limit for the holders that a node is asked for. If a denom has more, the largest ones are not known. */
const maxHoldersRead = 10_000;

/**
 * An account that holds some of a denom, in base units. Accounts of a node have no class, except for module accounts.
 */
export interface DenomHolder {
  readonly address: string;
  readonly amount: bigint;
  readonly class?: string | undefined;
  readonly name?: string | undefined;
  readonly vestingEnd?: Date | undefined;
}

/** The accounts that hold most, the largest first, and the number of others that hold as much as the last of them. */
interface TopHolders {
  readonly holders: readonly DenomHolder[];
  readonly tied: number;
}

/**
 * The accounts that hold most. `unsupported`: the source lists none. `tooMany`: there are more than
 * `maxHoldersRead`, and the largest ones are not known.
 */
export type LargestHolders = TopHolders | 'unsupported' | 'tooMany';

/** The holders to read: the `wanted` ones that hold most. */
interface HoldersQuestion {
  readonly denom: string;
  readonly wanted: number;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

/** Asks a node for all holders, up to a limit. Rejects like the reads of `ChainNode`. */
export async function readTopHolders(
  node: ChainNode,
  { denom, wanted, signal, onProgress }: HoldersQuestion,
): Promise<LargestHolders> {
  const ofState = await node.largestHolders(denom, wanted + lookahead, signal);
  if (ofState) {
    if (ofState.length === 0) return 'unsupported';
    const isTied = ofState.length === wanted + lookahead && ofState.at(-1)?.amount === ofState[wanted - 1]?.amount;
    return topOf((isTied && (await node.largestHolders(denom, mostHolders, signal))) || ofState, wanted);
  }
  const pages = new OptionalPages<DenomHolder>((request, own) => node.denomOwners(denom, request, own));
  const found: DenomHolder[] = [];
  const cursor = new Cursor();
  const idOf = ({ address }: DenomHolder): string => address;
  const options = { idOf, limit: 1000, largest: 5000, enough: maxHoldersRead + 1, cursor, signal };
  for await (const { rows } of readPages(pages.load, options)) {
    for (const row of rows) found.push(row);
    onProgress(found.length);
  }
  if (!pages.isOffered) return 'unsupported';
  if (cursor.hasMore || found.length > maxHoldersRead) return 'tooMany';
  const modules = new Map([...((await node.moduleAccounts(signal)) ?? [])].map(([name, address]) => [address, name]));
  const { holders, tied } = topOf(
    found.toSorted((a, b) => descending(a.amount, b.amount)),
    wanted,
  );
  const named = holders.map((holder) => {
    const name = modules.get(holder.address);
    return name === undefined ? holder : { ...holder, class: 'module', name };
  });
  return { holders: named, tied };
}

/** The holders that are read after the wanted ones, to count those that hold as much. A second search takes as long. */
const lookahead = 200;

/** The limit for the holders of a state that are told. */
const mostHolders = 100_000;

/** Takes the `wanted` holders of a list in descending order, and counts those after them with the last amount. */
function topOf(all: readonly DenomHolder[], wanted: number): TopHolders {
  const holders = all.slice(0, wanted);
  const last = holders.at(-1)?.amount;
  return { holders, tied: all.slice(wanted).filter(({ amount }) => amount === last).length };
}

/**
 * Reads the amount of a denom in the community pool, in 10^-18 base units. It is the amount that x/distribution keeps
 * for the pool, and the account of x/protocolpool if the chain has one. Undefined if the source does not state it.
 * Rejects like the reads of `ChainNode`.
 */
export async function readCommunityPool(
  node: ChainNode,
  denom: string,
  split: SupplySplit | undefined,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const coins = await node.communityPool(signal);
  if (!coins) return undefined;
  const listed = coins.find((coin) => coin.denom === denom);
  const kept = split?.origin === 'state' ? split.distribution?.communityPool : undefined;
  const ofPool = kept ?? listed?.exact ?? 0n;
  const isPool = ({ class: of, name }: SupplySplit['rows'][number]): boolean => of === 'module' && name === poolModule;
  if (split?.origin === 'state') return ofPool + (split.rows.find(isPool)?.amount ?? 0n) * whole;
  const address = (await node.moduleAccounts(signal))?.get(poolModule);
  const held = address === undefined ? 0n : await node.holding(address, denom, signal);
  return held === undefined ? undefined : ofPool + held * whole;
}

/**
 * Reads all denoms of the community pool, from the same places as `readCommunityPool`. Undefined if the source does not state
 * it. Rejects like the reads of `ChainNode`.
 */
export async function readWholePool(node: ChainNode, signal: AbortSignal): Promise<readonly PoolCoin[] | undefined> {
  const coins = await node.communityPool(signal);
  if (!coins) return undefined;
  const sums = new Map<string, bigint>();
  const add = (denom: string, exact: bigint): void => void sums.set(denom, (sums.get(denom) ?? 0n) + exact);
  for (const { denom, exact } of coins) add(denom, exact);
  const address = (await node.moduleAccounts(signal))?.get(poolModule);
  if (address !== undefined) {
    const pages = new OptionalPages<Coin>((request, own) => node.balances(address, request, own));
    const idOf = ({ denom }: Coin): string => denom;
    for await (const { rows } of readPages(pages.load, { idOf, limit: 1000, signal }))
      for (const { denom, amount } of rows) add(denom, amount * whole);
    if (!pages.isOffered) return undefined;
  }
  return [...sums].map(([denom, exact]) => ({ denom, amount: exact / whole, exact }));
}

/** The module that holds the community pool since SDK 0.53, if a chain has it. */
const poolModule = 'protocolpool';
