import type { ChainNode } from '../api/node.ts';
import { idKey, type Page } from '../api/pages.ts';
import type { ProposalRow } from '../chain/gov/proposal.ts';
import { groupOf, isStatusGroup, type ProposalGroup } from '../chain/gov/proposalGroups.ts';
import type { AnyList, ListName, Lists } from '../lists/lists.ts';
import { isOpenGroup, maxOpen, type Proposals } from '../lists/proposals.ts';
import { KeptKind, screenAge } from '../session/kept.ts';
import type { Session } from '../session/session.ts';

/** Every row of all lists of a chain, read once and searched locally. Reading can stop and go on after any page. */
export class Crawl<Item> {
  /** The number of rows that were read, by list. */
  readonly counts = new Map<ListName, number>();
  /** True if everything was read that can be read. */
  isDone = false;
  readonly #entries: { readonly item: Item; readonly texts: readonly string[] }[] = [];
  /** The keys of the rows that were read, by the names of their lists. */
  readonly #keys = new Map<ListName, Set<string>>();
  readonly #lists: readonly AsyncGenerator<void>[];
  readonly #failures: unknown[] = [];
  readonly #parts: CrawlParts<Item>;
  /** The time at which the newest rows were asked for. */
  #asOf = new Date();
  /** The error if the newer rows could not be read. */
  #newerFailure: { readonly error: unknown } | undefined;

  constructor(parts: CrawlParts<Item>) {
    this.#parts = parts;
    this.#lists = this.#all.map((list) => {
      this.counts.set(list.name, 0);
      this.#keys.set(list.name, new Set());
      return this.#keep(list, list.readAll(parts.node));
    });
  }

  get #all(): readonly AnyList[] {
    return Object.values(this.#parts.session.lists);
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The errors of lists that could not be read to their ends. */
  get failures(): readonly unknown[] {
    return [...this.#failures, ...(this.#newerFailure ? [this.#newerFailure.error] : [])];
  }

  /** True if a list could not be read to its end before `time`. */
  hasFailedBefore(time: Date): boolean {
    return this.isDone && this.#failures.length > 0 && this.#asOf < time;
  }

  /**
   * Reads on to the end, or until `signal` fires. If the end was reached before `asOf`, reads the newer rows. Calls
   * `onPage` after each page. Never rejects.
   */
  async read(signal: AbortSignal, onPage: () => void, asOf?: Date): Promise<void> {
    const isOld = asOf !== undefined && this.#asOf < asOf && !this.#parts.session.isStill;
    if (this.isDone && isOld) return this.#readNewer(signal, onPage);
    const toTheEnd = async (list: AsyncGenerator<void>): Promise<void> => {
      while (!signal.aborted && !(await list.next()).done) if (!signal.aborted) onPage();
    };
    await Promise.all(this.#lists.map(toTheEnd));
    this.isDone ||= !signal.aborted;
  }

  /** Gives the rows that hold a text, in the order in which they were read. Skips the first `from` rows. */
  find(text: string, from = 0): Item[] {
    const has = toMatcher(text);
    return this.#entries.slice(from).flatMap(({ item, texts }) => (texts.some(has) ? [item] : []));
  }

  async *#keep(list: AnyList, pages: AsyncGenerator<Page<unknown>>): AsyncGenerator<void> {
    try {
      for await (const { rows } of pages) {
        this.#add(list, rows);
        yield;
      }
    } catch (error) {
      this.#failures.push(error);
    }
  }

  /** Reads the rows of all lists that were not read before. */
  async #readNewer(signal: AbortSignal, onPage: () => void): Promise<void> {
    const asked = new Date();
    try {
      await Promise.all(this.#all.map((list) => this.#readUnread(list, signal, onPage)));
      this.#newerFailure = undefined;
      this.#asOf = asked;
    } catch (error) {
      if (!signal.aborted) this.#newerFailure = { error };
    }
  }

  /**
   * Reads pages from the start. A list with its newest rows first ends at the first page with a row that was read
   * before. Other lists end once as many rows are known as the node counts.
   */
  async #readUnread(list: AnyList, signal: AbortSignal, onPage: () => void): Promise<void> {
    const keys = this.#keys.get(list.name);
    let total: bigint | undefined;
    for await (const page of list.readAnew(this.#parts.node, signal)) {
      total ??= page.total;
      const unread = page.rows.filter((row) => !keys?.has(list.keyOf(row)));
      if (unread.length > 0) {
        // A new denom has its own metadata.
        await list.loadBeside({ maxAge: 0 });
        this.#add(list, unread);
        onPage();
      }
      const isWhole = total !== undefined && BigInt(keys?.size ?? 0) >= total;
      if (list.isNewestFirst ? unread.length < page.rows.length : isWhole) return;
    }
  }

  #add(list: AnyList, rows: readonly unknown[]): void {
    const { toItem } = this.#parts;
    this.counts.set(list.name, (this.counts.get(list.name) ?? 0) + rows.length);
    for (const row of rows) {
      this.#keys.get(list.name)?.add(list.keyOf(row));
      this.#entries.push({ item: toItem(list, row), texts: list.texts(row) });
    }
  }
}

interface CrawlParts<Item> {
  readonly session: Pick<Session, 'lists' | 'isStill'>;
  readonly node: ChainNode;
  /** Gives the part of a row that is kept. */
  readonly toItem: (list: AnyList, row: unknown) => Item;
}

/** One crawl for each session, for all searches. It is kept for ten minutes, unless a list is read again before. */
export class Searches<Item> {
  readonly #toItem: (session: Session, list: AnyList, row: unknown) => Item;
  readonly #crawls = new KeptKind<Crawl<Item>>({ isOfLists: true });

  constructor(toItem: (session: Session, list: AnyList, row: unknown) => Item) {
    this.#toItem = toItem;
  }

  /**
   * Gives the crawl for a search that began at `opened`. Makes a new one if a list could not be read before. Rejects
   * like `Session.node`.
   */
  async crawl(session: Session, opened: Date): Promise<Crawl<Item>> {
    const node = await session.node();
    const kept = this.#crawls.of(session.kept);
    const hasFailed = kept.get()?.value.hasFailedBefore(opened);
    const question = hasFailed ? { maxAge: 0 } : { maxAge: screenAge(session), since: opened.getTime() };
    const toItem = (list: AnyList, row: unknown): Item => this.#toItem(session, list, row);
    return (await kept.read('', question, async () => ({ value: new Crawl({ session, node, toItem }) }))).value;
  }
}

/**
 * Makes a function that tells if a part holds a text exactly as typed, ignoring case. Pattern characters have no
 * meaning.
 */
export function toMatcher(text: string): (part: string) => boolean {
  // A pattern needs no copies, which matters for many long descriptions.
  const pattern = new RegExp(text.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return (part) => pattern.test(part);
}

/** The meanings of a typed text. It can have several, since `42` and `uatom` are words, too. */
export interface SearchQuery {
  /** The id of a proposal. */
  readonly id: bigint | undefined;
  readonly denom: string | undefined;
  /** The text to look for; "" for an address. */
  readonly text: string;
  readonly isAddress: boolean;
}

/**
 * Reads an id (`42`, `#42`, an address), a denom, and the text to look for. The text is "" for an address. Never
 * throws.
 */
export function readQuery(typed: string): SearchQuery {
  const text = typed.trim();
  if (/^https?:\/\//i.test(text)) return { id: idOfPage(text), denom: undefined, text: '', isAddress: true };
  return { id: readId(text), denom: readDenom(text), text, isAddress: false };
}

/**
 * Reads `42` or `#42` as 42n. Undefined for anything else. Ids are uint64 from 1 on (SDK
 * proto/cosmos/gov/v1/gov.proto).
 */
export function readId(text: string): bigint | undefined {
  const digits = /^\s*#?(\d{1,20})\s*$/.exec(text)?.[1];
  if (!digits) return undefined;
  const id = BigInt(digits);
  return id > 0n && id < 2n ** 64n ? id : undefined;
}

/**
 * Reads a denom. The chain decides if it is valid (SDK types/coin.go). IBC hashes are upper case (ibc-go
 * transfer/types/trace.go).
 */
function readDenom(text: string): string | undefined {
  const hash = /^ibc\/([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hash) return `ibc/${hash.toUpperCase()}`;
  return /^[a-z]\S{0,127}$/i.test(text) ? text : undefined;
}

const parameter = /^(proposal_?id|proposal|prop_?id|id)$/i;
const sectionWord = /^(proposals?|props?|gov|governance|votes?|voting)$/i;

/**
 * Reads an id in the address of an explorer (`…/proposals/42-title`, `…#/proposals/42`, `…?proposal_id=42`) or of a
 * REST answer.
 */
function idOfPage(address: string): bigint | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const hash = url.hash.slice(1).split('?');
  for (const [name, value] of [...url.searchParams, ...new URLSearchParams(hash[1])]) {
    const id = parameter.test(name) ? readId(value) : undefined;
    if (id !== undefined) return id;
  }
  const parts = [...url.pathname.split('/'), ...(hash[0] ?? '').split('/')].filter((part) => part !== '');
  for (const [at, part] of parts.entries()) {
    const digits = /^(\d{1,20})(?:-.*)?$/.exec(part)?.[1];
    if (digits && sectionWord.test(parts[at - 1] ?? '')) return readId(digits);
  }
  return undefined;
}

/** A direction. `next` is further down in the lists, which is a lower id if the newest come first. */
export type Direction = 'previous' | 'next';

/**
 * Finds the proposal before or after `id` in the order of the lists. If they do not hold it, finds the next id of the
 * chain.
 */
export async function findNeighbour(
  { lists, node }: { readonly lists: Pick<Lists, 'proposals'>; readonly node: () => Promise<ChainNode> },
  id: bigint,
  side: Direction,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const { proposals } = lists;
  const groups: readonly ProposalGroup[] = [...proposals.shownGroups, 'other', 'unreadable'];
  const ordered = side === 'next' ? groups : groups.toReversed();
  const row = proposals.find(id);
  const own = row && groupOf(row);
  const listed = own && groups.includes(own) ? await goToRows(proposals, own, signal) : [];
  if (!own || !listed.some((other) => other.id === id)) return findById(await node(), id, side, signal);
  if (side === 'next' && isStatusGroup(own) && proposals.rows(own).at(-1)?.id === id)
    await proposals.pager(own).loadMore();
  let isBehind = false;
  for (const group of ordered.slice(ordered.indexOf(own))) {
    const rows = await goToRows(proposals, group, signal);
    for (const other of side === 'next' ? rows : rows.toReversed()) {
      if (isBehind) return other.id;
      isBehind = other.id === id;
    }
  }
  return undefined;
}

/**
 * Gives the rows of a list. Reads its first page if nothing was read. Open votes are sorted by their end, so all of
 * them are read.
 */
async function goToRows(
  proposals: Proposals,
  group: ProposalGroup,
  signal: AbortSignal,
): Promise<readonly ProposalRow[]> {
  if (isOpenGroup(group)) await proposals.pager(group).loadAll({ signal, limit: maxOpen });
  else if (isStatusGroup(group) && !proposals.pager(group).started) await proposals.pager(group).loadMore();
  return proposals.rows(group);
}

/**
 * Finds the next lower (`next`) or higher id. Keys of proposals are ids of 8 bytes, inclusive
 * (docs/nodes.md#page-keys).
 */
export async function findById(
  node: ChainNode,
  id: bigint,
  side: Direction,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const isLower = side === 'next';
  const from = isLower ? id - 1n : id + 1n;
  if (from < 1n || from >= 2n ** 64n) return undefined;
  const page = { key: idKey(from), limit: 1, reverse: isLower };
  const answer = await node.proposals({}, page, signal).catch(() => undefined);
  signal.throwIfAborted();
  const found = answer?.rows[0]?.id;
  return found !== undefined && (isLower ? found < id : found > id) ? found : undefined;
}
