import type { ChainNode } from '../api/node.ts';
import { idKey, type LoadPage, type Page, readPages } from '../api/pages.ts';
import { groupOf, isStatusGroup, type ProposalGroup, type ProposalRow } from '../chain/proposal.ts';
import { maxOpen, type ProposalStore } from '../lists/proposalStore.ts';
import { type KeptValues, maxAges } from './kept.ts';
import { type AnyList, lists } from './lists.ts';
import { type ListName, listNames, type Session, type Stores } from './session.ts';

/** Every row of all lists of a chain, read once and searched locally; reading stops and goes on after any page. */
export class Crawl<Item> {
  /** How many rows of each list were read. */
  readonly counts = new Map<ListName, number>(listNames.map((name) => [name, 0]));
  /** Whether everything was read, as far as it can be. */
  isDone = false;
  readonly #entries: { readonly item: Item; readonly texts: readonly string[] }[] = [];
  readonly #ids = new Set<string>();
  readonly #lists: readonly AsyncGenerator<void>[];
  readonly #failures: unknown[] = [];
  readonly #parts: CrawlParts<Item>;
  /** When the newest proposals were asked for. */
  #asOf = new Date();
  /** Why those that are newer than the others could not be read. */
  #newerFailure: { readonly error: unknown } | undefined;

  constructor(parts: CrawlParts<Item>) {
    this.#parts = parts;
    const { stores } = parts.session;
    this.#lists = Object.values(lists).map((list) => this.#keep(list, list.readAll(stores, parts.node)));
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Why lists could not be read to their ends. */
  get failures(): readonly unknown[] {
    return [...this.#failures, ...(this.#newerFailure ? [this.#newerFailure.error] : [])];
  }

  /** Whether a list could not be read to its end before `time`. */
  hasFailedBefore(time: Date): boolean {
    return this.isDone && this.#failures.length > 0 && this.#asOf < time;
  }

  /**
   * Reads on to the end, or until `signal` fires; where the end was reached before `asOf`, reads the proposals that are newer.
   * Calls `onPage` after each page. Never rejects.
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

  /** The rows that hold a text, in the order in which they were read; of those behind the first `from`. */
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

  /** Page by page from the newest on, up to the first that has one that was read before. */
  async #readNewer(signal: AbortSignal, onPage: () => void): Promise<void> {
    const asked = new Date();
    const { readProposalPage } = await import('../chain/nodeReads.ts');
    const load: LoadPage<ProposalRow> = (request, abort) =>
      readProposalPage(this.#parts.node, {}, { ...request, reverse: true }, abort);
    const idOf = ({ id }: ProposalRow): string => `${id}`;
    try {
      for await (const { rows } of readPages(load, { idOf, limit: 100, signal })) {
        const newer = rows.filter((row) => !this.#ids.has(idOf(row)));
        this.#add(lists.proposals, newer);
        if (newer.length > 0) onPage();
        if (newer.length < rows.length) break;
      }
      this.#newerFailure = undefined;
      this.#asOf = asked;
    } catch (error) {
      if (!signal.aborted) this.#newerFailure = { error };
    }
  }

  #add(list: AnyList, rows: readonly unknown[]): void {
    const { session, toItem } = this.#parts;
    this.counts.set(list.name, (this.counts.get(list.name) ?? 0) + rows.length);
    for (const row of rows) {
      if (list.name === 'proposals') this.#ids.add(list.keyOf(row));
      this.#entries.push({ item: toItem(list, row), texts: list.texts(session.stores, row) });
    }
  }
}

interface CrawlParts<Item> {
  readonly session: Pick<Session, 'stores' | 'isStill'>;
  readonly node: ChainNode;
  /** What is kept of a row. */
  readonly toItem: (list: AnyList, row: unknown) => Item;
}

/** One crawl for each session, whatever is searched for: kept for ten minutes, unless a list is read again meanwhile. */
export class Searches<Item> {
  readonly #toItem: (session: Session, list: AnyList, row: unknown) => Item;
  readonly #crawls = new WeakMap<Session, KeptValues<Crawl<Item>>>();

  constructor(toItem: (session: Session, list: AnyList, row: unknown) => Item) {
    this.#toItem = toItem;
  }

  /** That for a search that began at `opened`; a new one where a list could not be read before. Rejects as `Session.node`. */
  async crawl(session: Session, opened: Date): Promise<Crawl<Item>> {
    const node = await session.node();
    const kept = this.#crawls.get(session) ?? session.kept.ofLists<Crawl<Item>>();
    this.#crawls.set(session, kept);
    // One that is old enough only since it began is read on.
    const age = session.isStill ? maxAges.still : maxAges.screen + Date.now() - opened.getTime();
    const maxAge = kept.get()?.value.hasFailedBefore(opened) ? 0 : age;
    const toItem = (list: AnyList, row: unknown): Item => this.#toItem(session, list, row);
    const { value } = await kept.read('', { maxAge }, async () => ({ value: new Crawl({ session, node, toItem }) }));
    return value;
  }
}

/** Tells whether a part holds a text as it is typed, upper and lower case being the same. No pattern has a meaning. */
export function toMatcher(text: string): (part: string) => boolean {
  // A pattern without copies: descriptions are long, and there are many.
  const pattern = new RegExp(text.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return (part) => pattern.test(part);
}

/** What a typed text may mean; several at once, since `42` and `uatom` are words, too. */
export interface Query {
  /** Of a proposal. */
  readonly id: bigint | undefined;
  readonly denom: string | undefined;
  /** What to look for; "" for an address. */
  readonly text: string;
  readonly isAddress: boolean;
}

/** Reads an id (`42`, `#42`, an address), a denom, and the text to look for, "" for an address. Never throws. */
export function readQuery(typed: string): Query {
  const text = typed.trim();
  if (/^https?:\/\//i.test(text)) return { id: idOfPage(text), denom: undefined, text: '', isAddress: true };
  return { id: readId(text), denom: readDenom(text), text, isAddress: false };
}

/** `42`, `#42` → 42n; undefined for anything else. Ids are uint64 from 1 on (SDK proto/cosmos/gov/v1/gov.proto). */
export function readId(text: string): bigint | undefined {
  const digits = /^\s*#?(\d{1,20})\s*$/.exec(text)?.[1];
  if (!digits) return undefined;
  const id = BigInt(digits);
  return id > 0n && id < 2n ** 64n ? id : undefined;
}

/** The chain decides what is valid (SDK types/coin.go); IBC hashes are upper case (ibc-go transfer/types/trace.go). */
function readDenom(text: string): string | undefined {
  const hash = /^ibc\/([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hash) return `ibc/${hash.toUpperCase()}`;
  return /^[a-z]\S{0,127}$/i.test(text) ? text : undefined;
}

const parameter = /^(proposal_?id|proposal|prop_?id|id)$/i;
const section = /^(proposals?|props?|gov|governance|votes?|voting)$/i;

/** An id as explorers write it (`…/proposals/42-title`, `…#/proposals/42`, `…?proposal_id=42`), or in a REST answer. */
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
    if (digits && section.test(parts[at - 1] ?? '')) return readId(digits);
  }
  return undefined;
}

/** `next` is further down in the lists, which is a lower id where they are newest first. */
export type Side = 'previous' | 'next';

/** The proposal before or after `id` in the order of the lists; the next id of the chain where they do not hold it. */
export async function findNeighbour(
  { stores, node }: { readonly stores: Pick<Stores, 'proposals'>; readonly node: () => Promise<ChainNode> },
  id: bigint,
  side: Side,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const { proposals } = stores;
  const groups: readonly ProposalGroup[] = [...proposals.shownGroups, 'other', 'unreadable'];
  const ordered = side === 'next' ? groups : groups.toReversed();
  const row = proposals.known(id);
  const own = row && groupOf(row);
  const listed = own && groups.includes(own) ? await rowsOf(proposals, own, signal) : [];
  if (!own || !listed.some((other) => other.id === id)) return findById(await node(), id, side, signal);
  if (side === 'next' && isStatusGroup(own) && proposals.rows(own).at(-1)?.id === id)
    await proposals.pager(own).loadMore();
  let isBehind = false;
  for (const group of ordered.slice(ordered.indexOf(own))) {
    const rows = await rowsOf(proposals, group, signal);
    for (const other of side === 'next' ? rows : rows.toReversed()) {
      if (isBehind) return other.id;
      isBehind = other.id === id;
    }
  }
  return undefined;
}

/** The rows of a list, whose first page is read where nothing was. Open votes are sorted by their end: all are read. */
async function rowsOf(
  proposals: ProposalStore,
  group: ProposalGroup,
  signal: AbortSignal,
): Promise<readonly ProposalRow[]> {
  if (group === 'voting') await proposals.pager(group).loadAll({ signal, limit: maxOpen });
  else if (isStatusGroup(group) && !proposals.pager(group).started) await proposals.pager(group).loadMore();
  return proposals.rows(group);
}

/** The next lower (`next`) or higher id: keys of proposals are ids of 8 bytes, inclusive (docs/nodes.md#page-keys). */
export async function findById(
  node: ChainNode,
  id: bigint,
  side: Side,
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
