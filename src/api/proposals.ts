import type { Client } from './client.ts';
import { type DialectMemory, reversesExactly } from './dialect.ts';
import { isFailedRow, isReversePanic, isTooLarge } from './errors.ts';
import { inOrder, readAroundFailedRows } from './failedRows.ts';
import { type Gov, hasStatus } from './gov.ts';
import type { ProposalFilter, ProposalsRequest } from './node.ts';
import { Cursor, defaultLimit, emptyPage, idKey, idOfKey, type Page, type RowFault, readPages } from './pages.ts';
import type { WireProposalRow } from './readReply.ts';
import { SharedWork } from './sharing.ts';
import { statusNames } from './wireValues.ts';

type Rows = Page<WireProposalRow>;

const wholePage = 200;
const maxRows = 50_000;
/** Lists that are kept after they were read whole, so that their next pages cost nothing. */
const maxKept = 12;
/** Milliseconds for which one reading round failing rows serves all lists: the groups of a tree are asked for together. */
const sharedFor = 2000;

/** The lists of proposals of one node: complete and in the order asked for, whatever the node's paging does. */
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

  /** Another chain answers: no list of it was read. */
  forget(): void {
    this.#wholeLists.clear();
    this.#lastAll = undefined;
  }

  /**
   * As `ChainNode.countsFiltered`: nodes before 0.46 lose rows while they count what a filter lets through
   * (docs/nodes.md#filtered-lists).
   */
  get countsFiltered(): boolean {
    const { version, facts } = this.#memory;
    return version ? version.minor >= 46 : facts.segment === 'chain';
  }

  /** As `ChainNode.proposals`. */
  async read(asked: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Rows> {
    const filter = asked.status === statusNames[0] ? { ...asked, status: undefined } : asked;
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

  /** The node's page; undefined where the list must be read whole, which is remembered. */
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
    return this.#memory.facts.failing.includes(status ?? '');
  }

  /** Whether `reverse` may be tried: it is trusted, or whether it can be shows only then. */
  #mayReverse(): boolean {
    const { version } = this.#memory;
    if (this.#memory.facts.reverse === undefined && version)
      this.#memory.remember({ reverse: reversesExactly(version) });
    return this.#memory.facts.reverse !== false;
  }

  /**
   * The page if it is what `reverse` promises (docs/nodes.md#reverse): descending, from the key down. A row above the key is
   * dropped. Undefined where the node does something else, or loses the row at the key.
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
      let isKept = this.#memory.facts.reverse === true || ids[0] === from;
      // The filter may leave the row out.
      if (!isKept && isFiltered(filter)) {
        const [first] = (await this.#gov.pageOfAll({ key, limit: 1, reverse: true }, signal)).rows;
        isKept = first?.id === from;
      }
      if (!isKept) return undefined;
      this.#memory.remember({ reverse: true });
    }
    return { ...page, rows };
  }

  /** The whole list, ascending; its number of rows is not known where unreadable ones may have any status. */
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

  /** Shared by all that ask at the same time or soon after, and ended when the last of them leaves. */
  async #readAll(height: bigint | undefined, signal: AbortSignal | undefined): Promise<Rows> {
    if (this.#lastAll && performance.now() < this.#lastAll.until) return this.#lastAll.rows;
    const rows = await this.#reading.join('', signal, (own) =>
      readAroundFailedRows(this.#client, this.#gov, height, own),
    );
    this.#lastAll = { rows, until: performance.now() + sharedFor };
    return rows;
  }

  /**
   * The rows that a voter or depositor has to do with; only open proposals have votes and deposits
   * (docs/nodes.md#address-filters). Each is asked for by its key, so that failing rows are not part of the page.
   */
  async #ofAddress(
    rows: readonly WireProposalRow[],
    filter: ProposalFilter,
    signal: AbortSignal | undefined,
  ): Promise<readonly WireProposalRow[]> {
    const matching: WireProposalRow[] = [];
    const isOpen = (row: WireProposalRow): boolean => hasStatus(row, statusNames[1]) || hasStatus(row, statusNames[2]);
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

/** The page of an ascending list that a node would give. */
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
