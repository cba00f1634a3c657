import { abortable, type Client } from './client.ts';
import { countsFiltered, reversesExactly, type SdkVersion } from './dialect.ts';
import { isAbort } from './errors.ts';
import { readAroundFailedRows } from './failedRows.ts';
import { type Gov, hasStatus } from './gov.ts';
import type { ProposalFilter, ProposalsRequest, WireProposalRow } from './node.ts';
import { Cursor, emptyPage, idKey, idOfKey, type Page, type PageRequest, PagingError, readPages } from './pages.ts';
import { isFailedRow, isReversePanic, isTooLarge } from './replyFaults.ts';
import { statusNames } from './statusNames.ts';
import { defaultLimit } from './supply.ts';

type Rows = Page<WireProposalRow>;

/** Rows of a page while a list is read whole. */
const wholePage = 200;
/** More rows than any list of proposals that must be read whole is expected to have. */
const mostRows = 50_000;
/** Lists that are kept after they were read whole, so that their next pages cost nothing. */
const keptLists = 12;
/** Milliseconds for which one reading round failing rows serves all lists: the groups of a tree are asked for together. */
const sharedFor = 2000;

/** The lists of proposals of one node: complete and in the order asked for, whatever the node's paging does. */
export class Proposals {
  readonly #client: Client;
  readonly #gov: Gov;
  readonly #version: (signal: AbortSignal | undefined) => Promise<SdkVersion | undefined>;
  readonly #kept = new Map<string, Rows>();
  #all: { readonly rows: Promise<Rows>; readonly abort: AbortController; readers: number; endsAt: number } | undefined;

  constructor(client: Client, gov: Gov, version: (signal: AbortSignal | undefined) => Promise<SdkVersion | undefined>) {
    this.#client = client;
    this.#gov = gov;
    this.#version = version;
  }

  /** One page. The unspecified status filters nothing. Rejects as `Client.get` does. */
  async read(asked: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Rows> {
    const filter = asked.status === statusNames[0] ? { ...asked, status: undefined } : asked;
    const kept = request.key === undefined ? undefined : this.#kept.get(JSON.stringify(filter));
    if (kept) return slicePage(kept, request);
    await this.#client.contact(signal);
    const version = await this.#version(signal);
    const countTotal = request.countTotal && (!isFiltered(filter) || this.#countsFiltered(version));
    return this.#readPage(filter, { ...request, countTotal }, version, signal);
  }

  async #readPage(
    filter: ProposalFilter,
    request: ProposalsRequest,
    version: SdkVersion | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Rows> {
    const { memory } = this.#client;
    if (memory.facts.failing.includes(filter.status ?? '')) return this.#readAround(filter, request, signal);
    if (request.reverse && !this.#mayReverse(version)) return this.#readWhole(filter, request, signal);
    try {
      const page = (await this.#gov.page(filter, request, signal)) ?? emptyPage;
      const checked = request.reverse ? await this.#checkReverse(page, filter, request, signal) : page;
      if (checked) return checked;
    } catch (error) {
      if (isFailedRow(error) || (isTooLarge(error) && (request.limit ?? defaultLimit) <= 1)) {
        memory.learnFailing(filter.status);
        return this.#readAround(filter, request, signal);
      }
      if (!request.reverse || !isReversePanic(error)) throw error;
    }
    memory.learn({ reverse: false });
    return this.#readWhole(filter, request, signal);
  }

  /** Old nodes lose rows while they count what a filter lets through; one that does not tell its version is not asked to. */
  #countsFiltered(version: SdkVersion | undefined): boolean {
    return version ? countsFiltered(version) : this.#client.memory.facts.segment === 'chain';
  }

  /** Whether `reverse` may be tried: it is trusted, or whether it can be shows only then. */
  #mayReverse(version: SdkVersion | undefined): boolean {
    const { memory } = this.#client;
    if (memory.facts.reverse === undefined && version) memory.learn({ reverse: reversesExactly(version) });
    return memory.facts.reverse !== false;
  }

  /**
   * The page if it is what `reverse` promises (docs/nodes.md#reverse): descending, from the key down. A row above the key is
   * dropped. Undefined where the node does something else, or loses the row at the key.
   */
  async #checkReverse(
    page: Rows,
    filter: ProposalFilter,
    request: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Rows | undefined> {
    const from = request.key === undefined ? undefined : idOfKey(request.key);
    const rows = page.rows.filter((row) => from === undefined || row.id <= from);
    const ids = rows.map(({ id }) => id).filter((id) => id >= 0n);
    const next = page.nextKey === undefined ? undefined : idOfKey(page.nextKey);
    const steps = next === undefined ? ids : [...ids, next];
    if (steps.some((id, at) => at > 0 && id >= (steps[at - 1] ?? id))) return undefined;
    const { memory } = this.#client;
    const isSettled = memory.facts.reverse === true || from === undefined || ids[0] === from;
    if (!isSettled && !(await this.#keepsRowAt(from, filter, request, signal))) return undefined;
    if (from !== undefined) memory.learn({ reverse: true });
    return { ...page, rows };
  }

  /** Whether a page in reverse begins with the row of its key. A filter may leave it out, too. */
  async #keepsRowAt(
    id: bigint,
    filter: ProposalFilter,
    { key }: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (!isFiltered(filter)) return false;
    try {
      const [row] = (await this.#gov.pageOfAll({ key, limit: 1, reverse: true }, signal)).rows;
      return row !== undefined && row.id === id;
    } catch (error) {
      if (isAbort(error)) throw error;
      return false;
    }
  }

  /** Reads the list forward to its end once, and gives pages of that in the order asked for. */
  async #readWhole(filter: ProposalFilter, request: ProposalsRequest, signal: AbortSignal | undefined): Promise<Rows> {
    const rows: WireProposalRow[] = [];
    const cursor = new Cursor();
    cursor.height = request.height;
    const load = async (part: PageRequest, abort: AbortSignal) =>
      (await this.#gov.page(filter, part, abort)) ?? emptyPage;
    const idOf = (row: WireProposalRow) => `${row.id}`;
    const limit = Math.max(request.limit ?? 0, wholePage);
    let last: Rows = emptyPage;
    try {
      for await (const page of readPages(load, { idOf, limit, cursor, pinned: true, signal: signal ?? never() })) {
        last = page;
        rows.push(...page.rows);
        if (rows.length > mostRows) {
          throw new PagingError('tooManyRows', `The list has more than ${mostRows} rows and cannot be read whole`);
        }
      }
    } catch (error) {
      if (!isFailedRow(error) && !isTooLarge(error)) throw error;
      this.#client.memory.learnFailing(filter.status);
      return this.#readAround(filter, request, signal);
    }
    const whole = { ...last, rows: inOrder(rows), total: BigInt(rows.length) };
    this.#keep(filter, whole);
    return slicePage(whole, request);
  }

  /** Pages of a reading round failing rows. How many there are is not known: an unreadable one may have any status. */
  async #readAround(filter: ProposalFilter, request: ProposalsRequest, signal: AbortSignal | undefined): Promise<Rows> {
    const all = await this.#readAll(request.height, signal);
    const { status } = filter;
    const rows = status ? all.rows.filter((row) => hasStatus(row, status)) : all.rows;
    const mine = filter.voter || filter.depositor ? await this.#ofAddress(rows, filter, signal) : rows;
    const whole = { ...all, rows: inOrder(mine), total: undefined };
    this.#keep(filter, whole);
    return slicePage(whole, request);
  }

  /** Shared by all that ask at the same time, and ended when the last of them leaves. */
  async #readAll(height: bigint | undefined, signal: AbortSignal | undefined): Promise<Rows> {
    if (!this.#all || this.#all.abort.signal.aborted || performance.now() > this.#all.endsAt) {
      const abort = new AbortController();
      const rows = readAroundFailedRows(this.#client, this.#gov, height, abort.signal);
      const all = { rows, abort, readers: 0, endsAt: Number.POSITIVE_INFINITY };
      this.#all = all;
      const end = (after: number) => () => {
        all.endsAt = performance.now() + after;
      };
      rows.then(end(sharedFor), end(-1));
    }
    const all = this.#all;
    all.readers += 1;
    try {
      return await abortable(all.rows, signal);
    } finally {
      all.readers -= 1;
      if (all.readers === 0 && all.endsAt === Number.POSITIVE_INFINITY) all.abort.abort();
    }
  }

  /**
   * The rows that a voter or depositor has to do with; only open proposals have votes and deposits
   * (docs/nodes.md#address-filters). Each is asked for by its key, so that no failing row is in the way.
   */
  async #ofAddress(rows: readonly WireProposalRow[], filter: ProposalFilter, signal: AbortSignal | undefined) {
    const mine: WireProposalRow[] = [];
    const isOpen = (row: WireProposalRow) => hasStatus(row, statusNames[1]) || hasStatus(row, statusNames[2]);
    for (const row of rows) {
      if (row.form === 'unreadable') mine.push(row);
      else if (isOpen(row)) {
        const id = row.id;
        const page = await this.#gov.page(filter, { key: idKey(id), limit: 1 }, signal).catch((error: unknown) => {
          if (!isFailedRow(error)) throw error;
          return emptyPage;
        });
        if (page?.rows.some((found) => found.id === id)) mine.push(row);
      }
    }
    return mine;
  }

  #keep(filter: ProposalFilter, whole: Rows): void {
    const name = JSON.stringify(filter);
    this.#kept.delete(name);
    this.#kept.set(name, whole);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptLists && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function isFiltered(filter: ProposalFilter): boolean {
  return Boolean(filter.status || filter.voter || filter.depositor);
}

function inOrder(rows: readonly WireProposalRow[]): readonly WireProposalRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The page of an ascending list that a node would give. */
function slicePage(whole: Rows, request: ProposalsRequest): Rows {
  const rows = request.reverse ? whole.rows.toReversed() : whole.rows;
  const from = request.key === undefined ? undefined : idOfKey(request.key);
  const isReached = (row: WireProposalRow) => from === undefined || (request.reverse ? row.id <= from : row.id >= from);
  const start = rows.findIndex(isReached);
  const end = start < 0 ? rows.length : start + (request.limit ?? defaultLimit);
  const next = rows[end];
  return {
    rows: start < 0 ? [] : rows.slice(start, end),
    nextKey: next && idKey(next.id),
    total: request.countTotal && request.key === undefined ? whole.total : undefined,
    info: whole.info,
  };
}

function never(): AbortSignal {
  return new AbortController().signal;
}
