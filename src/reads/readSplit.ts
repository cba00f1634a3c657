// Finds out who holds the coins of a denom, for any source. Loaded at the first use.

import { heightFault } from '../api/errors.ts';
import { escrowAddressBytes } from '../api/hashes.ts';
import type { ChainNode } from '../api/node.ts';
import type { Page } from '../api/pages.ts';
import { OptionalPages, readPages } from '../api/readPages.ts';
import { concurrently, SharedWork } from '../api/sharing.ts';
import { accountBeside } from '../chain/address.ts';
import { type Coin, descending } from '../chain/coin.ts';
import { whole } from '../chain/ratio.ts';
import { type Channel, type SplitGap, type SplitRow, type SupplySplit, shownName } from '../chain/supplySplit.ts';
import type { Answered, SplitOptions, SplitReading } from '../session/kept.ts';
import type { Session } from '../session/session.ts';

/** The limits for the requests to a node. */
const max = { module: 60, escrow: 200, channels: 20_000, coins: 500 } as const;
const atOnce = 6;

/**
 * Reads the holders of a denom's supply: from a state directly, from a node by a limited number of requests. All
 * requests are at one height and are shared by all denoms for as long as `maxAge` allows. If a node keeps to no height,
 * each denom is asked for by itself. Rejects like the methods of `ChainNode`; 404 if a state has none of the denom.
 */
export async function readSplit(
  chain: Pick<Session, 'node' | 'kept'>,
  denom: string,
  options: SplitOptions,
): Promise<SupplySplit> {
  const { signal } = options;
  const { kept } = chain;
  const node = await chain.node();
  const own = await node.supplySplit(denom, signal);
  if (own) return own;
  const startPinned = (signal: AbortSignal): Promise<Answered<SplitReading>> => startInquiry(node, signal);
  const read = async (maxAge: number, start = startPinned): Promise<SplitReading> =>
    (await kept.split.read('', { maxAge, signal }, start)).value;
  const standing = kept.split.get()?.value;
  let reading = await read(options.maxAge);
  try {
    if (reading === standing) return await reading.split(denom, options);
  } catch (error) {
    // The node no longer has the height that was read for another denom.
    if (heightFault(error) === undefined) throw error;
    reading = await read(0);
  }
  try {
    return await reading.split(denom, options);
  } catch (error) {
    const reason = heightFault(error);
    if (reason === undefined) throw error;
    const unpinned = await read(0, async () => ({ value: new Inquiry(node, undefined, reason) }));
    return unpinned.split(denom, options);
  }
}

async function startInquiry(node: ChainNode, signal: AbortSignal): Promise<Answered<SplitReading>> {
  const { height } = (await node.supply({ limit: 1 }, signal)).info;
  if (height !== undefined) return { value: new Inquiry(node.at(height), height), height };
  return { value: new Inquiry(node, undefined, 'the node does not report the height of its responses') };
}

/** An account with a row of its own. */
interface Account extends Omit<SplitRow, 'amount' | 'class'> {
  readonly class: 'module' | 'escrow';
  readonly address: string;
}

interface Accounts {
  readonly accounts: readonly Account[];
  readonly gaps: readonly SplitGap[];
}

/**
 * The balances of a node's accounts. At a height, each account is asked for once. Otherwise each is asked for anew for
 * each denom, like its supply.
 */
class Inquiry implements SplitReading {
  readonly #node: ChainNode;
  readonly #height: bigint | undefined;
  readonly #unpinnedReason: string | undefined;
  readonly #lists = new SharedWork<Accounts>();
  readonly #pages = new SharedWork<Page<Coin> | undefined>();
  readonly #held = new Map<string, Page<Coin>>();
  #accounts: Accounts | undefined;

  constructor(node: ChainNode, height: bigint | undefined, unpinnedReason?: string) {
    this.#node = node;
    this.#height = height;
    this.#unpinnedReason = unpinnedReason;
  }

  /** Reads the split. Rejects like `readSplit`, and if the node does not answer at the height. */
  async split(denom: string, { signal, stop, onProgress }: SplitOptions): Promise<SupplySplit> {
    const supply = (await this.#node.supplyOf(denom, signal)).amount;
    this.#accounts ??= await this.#lists.join('', signal, async (own) => {
      const modules = await readModules(this.#node, own);
      const escrows = await readEscrows(this.#node, modules.accounts, own);
      const accounts = distinct([...modules.accounts, ...escrows.accounts]);
      return { accounts, gaps: [...modules.gaps, ...escrows.gaps] };
    });
    const { accounts, gaps } = this.#accounts;
    const held = new Map<Account, bigint | undefined>();
    onProgress?.(0, accounts.length);
    await concurrently(accounts, atOnce, async (account) => {
      if (stop?.aborted) return;
      held.set(account, await this.#balance(account.address, denom, signal));
      onProgress?.(held.size, accounts.length);
    });
    const pools = gaps.some((gap) => gap.class === 'module') ? await this.#pools(denom, signal) : [];
    const pool = (await this.#node.communityPool(signal))?.find((coin) => coin.denom === denom);
    const rows = accounts.map((account) => ({ ...toRow(account), amount: held.get(account) ?? 0n }));
    return {
      denom,
      supply,
      origin: 'node',
      rows: withRest([...pools, ...rows], supply),
      distribution: pool && { communityPool: pool.amount * whole },
      gaps: gapsOf(accounts, held, gaps),
      height: this.#height,
      unpinnedReason: this.#unpinnedReason,
    };
  }

  /** Reads the balance. Undefined if the node does not offer it. */
  async #balance(address: string, denom: string, signal: AbortSignal | undefined): Promise<bigint | undefined> {
    const page =
      this.#held.get(address) ??
      (await this.#pages.join(address, signal, async (own) => {
        const read = await this.#node.balances(address, { limit: max.coins }, own);
        if (read && this.#height !== undefined) this.#held.set(address, read);
        return read;
      }));
    if (!page) return undefined;
    const listed = page.rows.find((coin) => coin.denom === denom);
    const isWhole = page.nextKey === undefined && page.info.faults === undefined;
    if (listed || isWhole) return listed?.amount ?? 0n;
    return (await this.#node.balance(address, denom, signal))?.amount;
  }

  /**
   * Reads the two accounts of the staking module, by the amounts that the module states. For nodes without the list of
   * module accounts.
   */
  async #pools(denom: string, signal: AbortSignal | undefined): Promise<readonly SplitRow[]> {
    const isBond = (await this.#node.bondDenom(signal)) === denom;
    const pool = isBond ? await this.#node.stakingPool(signal) : undefined;
    if (!pool) return [];
    const row = (name: string, amount: bigint): SplitRow => ({ class: 'module', name, amount });
    return [row('bonded_tokens_pool', pool.bonded), row('not_bonded_tokens_pool', pool.notBonded)];
  }
}

function toRow({ address: _, ...row }: Account): Omit<SplitRow, 'amount'> {
  return row;
}

function distinct(accounts: readonly Account[]): readonly Account[] {
  return [...new Map(accounts.toReversed().map((account) => [account.address, account])).values()].reverse();
}

async function readModules(node: ChainNode, signal: AbortSignal): Promise<Accounts> {
  const named = await node.moduleAccounts(signal);
  if (!named) return { accounts: [], gaps: [{ class: 'module', reason: 'unsupported' }] };
  const all = [...named].map(([name, address]): Account => ({ class: 'module', name: shownName(name), address }));
  return firstOf(distinct(all), 'module', false);
}

/** Gives the accounts of the open channels of the transfer module, in the order of the node's list. */
async function readEscrows(node: ChainNode, modules: readonly Account[], signal: AbortSignal): Promise<Accounts> {
  const unsupported: Accounts = { accounts: [], gaps: [{ class: 'escrow', reason: 'unsupported' }] };
  const found: Channel[] = [];
  let hasMore = false;
  const pages = new OptionalPages<Channel>((request, own) => node.channels(request, own));
  const options = { idOf: ({ name }: Channel): string => name, limit: 1000, enough: max.channels, signal };
  for await (const { rows, nextKey } of readPages(pages.load, options)) {
    for (const channel of rows) if (channel.isOpenTransfer) found.push(channel);
    hasMore = nextKey !== undefined;
    if (found.length > max.escrow) break;
  }
  if (!pages.isOffered) return unsupported;
  const [first] = found;
  if (!first) return firstOf([], 'escrow', hasMore);
  const stated = await node.escrowAddress(first.name.replace(/^transfer\//, ''), signal);
  const beside = stated ?? modules[0]?.address ?? '';
  const accounts = found.flatMap(({ name, counterparty }): Account[] => {
    const address = accountBeside(beside, escrowAddressBytes(name));
    const other = counterparty === undefined ? undefined : shownName(counterparty);
    return address === undefined ? [] : [{ class: 'escrow', name: shownName(name), counterparty: other, address }];
  });
  // If a chain makes these addresses in another way, no account is asked for, because the answers would mean nothing.
  const isKnown = accounts.length > 0 && (stated === undefined || stated === accounts[0]?.address);
  return isKnown ? firstOf(accounts, 'escrow', hasMore) : unsupported;
}

function firstOf(all: readonly Account[], name: Account['class'], hasMore: boolean): Accounts {
  const accounts = all.slice(0, max[name]);
  const isCut = hasMore || accounts.length < all.length;
  return { accounts, gaps: isCut ? [{ class: name, reason: 'limit', last: accounts.at(-1)?.name }] : [] };
}

/** Gives for each class the first reason why not all of its accounts were asked for. */
function gapsOf(
  accounts: readonly Account[],
  held: ReadonlyMap<Account, bigint | undefined>,
  known: readonly SplitGap[],
): readonly SplitGap[] {
  return (['module', 'escrow'] as const).flatMap((name): SplitGap[] => {
    const own = accounts.filter((account) => account.class === name);
    const asked = own.filter((account) => held.has(account));
    if (asked.some((account) => held.get(account) === undefined)) return [{ class: name, reason: 'unsupported' }];
    if (asked.length < own.length) return [{ class: name, reason: 'stopped', last: asked.at(-1)?.name }];
    return known.filter((gap) => gap.class === name);
  });
}

/** Gives the rows that are not zero, by class and then from the largest, with the rest of the supply. */
function withRest(rows: readonly SplitRow[], supply: bigint): readonly SplitRow[] {
  const kept = rows.filter(({ amount }) => amount !== 0n);
  const order = ({ class: name }: SplitRow): number => (name === 'module' ? 0 : 1);
  kept.sort((a, b) => order(a) - order(b) || descending(a.amount, b.amount));
  const rest = kept.reduce((left, { amount }) => left - amount, supply);
  // If the amounts are of several heights, the rest can be negative.
  return rest === 0n ? kept : [...kept, { class: rest < 0n ? 'residue' : 'other', name: '', amount: rest }];
}
