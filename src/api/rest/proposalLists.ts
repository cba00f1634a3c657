import type { Client } from '../client.ts';
import type { WireProposalRow } from '../decode/readReply.ts';
import { isFailedRow, isReversePanic, isTooLarge } from '../errors.ts';
import type { ProposalFilter, ProposalsRequest } from '../node.ts';
import { defaultLimit, emptyPage, idKey, idOfKey, type Page, type RowFault } from '../pages.ts';
import { Cursor, readPages } from '../readPages.ts';
import { SharedWork } from '../sharing.ts';
import { type DialectMemory, reversesExactly } from './dialect.ts';
import { inOrder, readAroundFailedRows } from './failedRows.ts';
import { type Gov, hasStatus } from './gov.ts';

type Rows = Page<WireProposalRow>;

const wholePage = 200;
const maxRows = 50_000;
/** The number of lists that are kept after they were read whole, so that their next pages cost nothing. */
const maxKept = 12;
/**
 * The time in milliseconds for which one reading around failing rows serves all lists. The groups of a tree are asked
 * for together.
 */
const sharedFor = 2000;

/**
 * The lists of proposals of one node. They are complete and in the order asked for, even if the node's paging is not.
 */
export class ProposalLists {
  readonly #client: Client;
  readonly #memory: DialectMemory;
  readonly #gov: Gov;
  readonly #askVersion: (signal?: AbortSignal) => Promise<unknown>;
  readonly #wholeLists = new Map<string, Rows>();
  readonly #reading = new SharedWork<Rows>();
  #lastAll: { readonly rows: Rows; readonly until: number } | undefined;

  constructor(client: Client, gov: Gov, askVersion: (signal?: AbortSignal) => Promise<unknown>) {
    this.#client = client;
    this.#memory = client.memory;
    this.#gov = gov;
    this.#askVersion = askVersion;
  }

  /** Forgets all lists, since another chain answers. */
  forget(): void {
    this.#wholeLists.clear();
    this.#lastAll = undefined;
  }

  /**
   * Implements `ChainNode.countsFiltered`. Nodes before 0.46 lose rows while they count the matches of a filter
   * (docs/nodes.md#filtered-lists).
   */
  get countsFiltered(): boolean {
    const { version, traits } = this.#memory;
    return version ? version.minor >= 46 : traits.segment === 'chain';
  }

  /** Implements `ChainNode.proposals`. */
  async read(filter: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Rows> {
    const name = JSON.stringify(filter);
    const kept = request.key === undefined ? undefined : this.#wholeLists.get(name);
    if (kept) return slicePage(kept, request);
    await this.#client.contact(signal);
    await this.#askVersion(signal);
    const countTotal = request.countTotal && (!isFiltered(filter) || this.countsFiltered);
    const page = await this.#readPage(filter, { ...request, countTotal }, signal);
    if (page) return page;
    const whole = await this.#readWhole(filter, request, signal);
    if (this.#wholeLists.size >= maxKept) this.#wholeLists.clear();
    this.#wholeLists.set(name, whole);
    return slicePage(whole, { ...request, countTotal });
  }

  /** Reads the node's page. Undefined if the list must be read whole, which is remembered. */
  async #readPage(
    filter: ProposalFilter,
    request: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Rows | undefined> {
    if (this.#isFailing(filter) || (request.reverse && !this.#mayReverse())) return undefined;
    try {
      const page = await this.#gov.page(filter, request, signal);
      const checked = request.reverse ? await this.#checkReverse(page, filter, request.key, signal) : page;
      if (!checked) this.#memory.remember({ reverse: false });
      return checked;
    } catch (error) {
      if (isFailedRow(error) || (isTooLarge(error) && (request.limit ?? defaultLimit) <= 1)) {
        this.#memory.rememberFailing(filter.status);
      } else if (request.reverse && isReversePanic(error)) this.#memory.remember({ reverse: false });
      else throw error;
      return undefined;
    }
  }

  #isFailing({ status }: ProposalFilter): boolean {
    return this.#memory.traits.failing.includes(status ?? '');
  }

  /** True if `reverse` may be tried: it is trusted, or only a try can show whether it may be. */
  #mayReverse(): boolean {
    const { version } = this.#memory;
    if (this.#memory.traits.reverse === undefined && version)
      this.#memory.remember({ reverse: reversesExactly(version) });
    return this.#memory.traits.reverse !== false;
  }

  /**
   * Gives the page if it keeps the promise of `reverse` (docs/nodes.md#reverse): descending, from the key down. Drops a
   * row above the key. Undefined if the node does something else, or loses the row at the key.
   */
  async #checkReverse(
    page: Rows,
    filter: ProposalFilter,
    key?: string,
    signal?: AbortSignal,
  ): Promise<Rows | undefined> {
    const from = key === undefined ? undefined : idOfKey(key);
    const rows = page.rows.filter((row) => from === undefined || row.id <= from);
    const ids = rows.map(({ id }) => id);
    const next = page.nextKey === undefined ? undefined : idOfKey(page.nextKey);
    const steps = next === undefined ? ids : [...ids, next];
    if (steps.some((id, at) => at > 0 && id >= (steps[at - 1] ?? id))) return undefined;
    if (from !== undefined) {
      let isKept = this.#memory.traits.reverse === true || ids[0] === from;
      // The filter may exclude the row.
      if (!isKept && isFiltered(filter)) {
        const [first] = (await this.#gov.pageOfAll({ key, limit: 1, reverse: true }, signal)).rows;
        isKept = first?.id === from;
      }
      if (!isKept) return undefined;
      this.#memory.remember({ reverse: true });
    }
    return { ...page, rows };
  }

  /**
   * Reads the whole list, ascending. Its number of rows is unknown if it has unreadable ones, which may have any
   * status.
   */
  async #readWhole(
    filter: ProposalFilter,
    { limit = 0, height }: ProposalsRequest,
    signal?: AbortSignal,
  ): Promise<Rows> {
    try {
      if (!this.#isFailing(filter)) return await this.#readForward(filter, Math.max(limit, wholePage), height, signal);
    } catch (error) {
      if (!isFailedRow(error) && !isTooLarge(error)) throw error;
      this.#memory.rememberFailing(filter.status);
    }
    const all = await this.#readAll(height, signal);
    const { status } = filter;
    const rows = status ? all.rows.filter((row) => hasStatus(row, status)) : all.rows;
    const matching = filter.voter || filter.depositor ? await this.#ofAddress(rows, filter, signal) : rows;
    return { ...all, rows: inOrder(matching), total: undefined };
  }

  async #readForward(
    filter: ProposalFilter,
    limit: number,
    height: bigint | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Rows> {
    const rows: WireProposalRow[] = [];
    const faults: RowFault[] = [];
    const cursor = new Cursor();
    cursor.height = height;
    const load = (part: ProposalsRequest, abort: AbortSignal | undefined): Promise<Page<WireProposalRow>> =>
      this.#gov.page(filter, part, abort);
    const options = {
      idOf: ({ id }: WireProposalRow): string => `${id}`,
      limit,
      cursor,
      pinned: true,
      signal,
      maxRows,
    };
    let last: Rows = emptyPage;
    for await (const page of readPages(load, options)) {
      last = page;
      for (const row of page.rows) rows.push(row);
      for (const fault of page.info.faults ?? []) faults.push(fault);
    }
    const total = BigInt(rows.length + faults.length);
    return { ...last, rows: inOrder(rows), total, info: { ...last.info, faults } };
  }

  /** Reads all rows. Callers at the same time or soon after share the work. It ends when the last of them leaves. */
  async #readAll(height: bigint | undefined, signal: AbortSignal | undefined): Promise<Rows> {
    if (this.#lastAll && performance.now() < this.#lastAll.until) return this.#lastAll.rows;
    const rows = await this.#reading.join('', signal, (own) =>
      readAroundFailedRows(this.#client, this.#gov, height, own),
    );
    this.#lastAll = { rows, until: performance.now() + sharedFor };
    return rows;
  }

  /**
   * Reads the rows with a vote or deposit of an address. Only open proposals have votes and deposits
   * (docs/nodes.md#address-filters). Each row is asked for by its key, so that failing rows are not part of the page.
   */
  async #ofAddress(
    rows: readonly WireProposalRow[],
    filter: ProposalFilter,
    signal: AbortSignal | undefined,
  ): Promise<readonly WireProposalRow[]> {
    const matching: WireProposalRow[] = [];
    const isOpen = (row: WireProposalRow): boolean => hasStatus(row, 'deposit') || hasStatus(row, 'voting');
    for (const row of rows) {
      if (row.form === 'unreadable') matching.push(row);
      else if (isOpen(row)) {
        const id = row.id;
        const page = await this.#gov.page(filter, { key: idKey(id), limit: 1 }, signal).catch((error: unknown) => {
          if (!isFailedRow(error)) throw error;
          return emptyPage;
        });
        if (page.rows.some((found) => found.id === id)) matching.push(row);
      }
    }
    return matching;
  }
}

function isFiltered(filter: ProposalFilter): boolean {
  return Boolean(filter.status || filter.voter || filter.depositor);
}

/** Cuts the page of an ascending list that a node would give. */
function slicePage(whole: Rows, request: ProposalsRequest): Rows {
  const rows = request.reverse ? whole.rows.toReversed() : whole.rows;
  const from = request.key === undefined ? undefined : idOfKey(request.key);
  const isReached = (row: WireProposalRow): boolean =>
    from === undefined || (request.reverse ? row.id <= from : row.id >= from);
  const start = rows.findIndex(isReached);
  const end = start < 0 ? rows.length : start + (request.limit ?? defaultLimit);
  const next = rows[end];
  return {
    rows: start < 0 ? [] : rows.slice(start, end),
    nextKey: next && idKey(next.id),
    total: request.countTotal && request.key === undefined ? whole.total : undefined,
    // Rows without an id have no place between the others.
    info: request.key === undefined ? whole.info : { ...whole.info, faults: [] },
  };
}
