import type { Client } from './client.ts';
import { reversesExactly } from './dialect.ts';
import { isFailedRow, isReversePanic, isTooLarge } from './errors.ts';
import { inOrder, readAroundFailedRows } from './failedRows.ts';
import { type Gov, hasStatus } from './gov.ts';
import type { ChainNode, ProposalFilter, ProposalsRequest } from './node.ts';
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

/** The lists of proposals of one node. */
export interface ProposalLists {
  /** As `ChainNode.proposals`. */
  readonly read: ChainNode['proposals'];
  /** As `ChainNode.countsFiltered`. */
  countsFiltered(): boolean;
}

/** The lists of proposals of one node: complete and in the order asked for, whatever the node's paging does. */
export function createProposalLists(
  client: Client,
  gov: Gov,
  askVersion: (signal?: AbortSignal) => Promise<unknown>,
): ProposalLists {
  const { memory } = client;
  const wholeLists = new Map<string, Rows>();
  const reading = new SharedWork<Rows>();
  let lastAll: { readonly rows: Rows; readonly until: number } | undefined;

  async function read(asked: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Rows> {
    const filter = asked.status === statusNames[0] ? { ...asked, status: undefined } : asked;
    const name = JSON.stringify(filter);
    const kept = request.key === undefined ? undefined : wholeLists.get(name);
    if (kept) return slicePage(kept, request);
    await client.contact(signal);
    await askVersion(signal);
    const countTotal = request.countTotal && (!isFiltered(filter) || countsFiltered());
    const page = await readPage(filter, { ...request, countTotal }, signal);
    if (page) return page;
    const whole = await readWhole(filter, request, signal);
    if (wholeLists.size >= maxKept) wholeLists.clear();
    wholeLists.set(name, whole);
    return slicePage(whole, { ...request, countTotal });
  }

  /** The node's page; undefined where the list must be read whole, which is remembered. */
  async function readPage(
    filter: ProposalFilter,
    request: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Rows | undefined> {
    if (isFailing(filter) || (request.reverse && !mayReverse())) return undefined;
    try {
      const page = await gov.page(filter, request, signal);
      const checked = request.reverse ? await checkReverse(page, filter, request.key, signal) : page;
      if (!checked) memory.remember({ reverse: false });
      return checked;
    } catch (error) {
      if (isFailedRow(error) || (isTooLarge(error) && (request.limit ?? defaultLimit) <= 1)) {
        memory.rememberFailing(filter.status);
      } else if (request.reverse && isReversePanic(error)) memory.remember({ reverse: false });
      else throw error;
      return undefined;
    }
  }

  function isFailing({ status }: ProposalFilter): boolean {
    return memory.facts.failing.includes(status ?? '');
  }

  /** Nodes before 0.46 lose rows while they count what a filter lets through (docs/nodes.md#filtered-lists). */
  function countsFiltered(): boolean {
    const { version, facts } = memory;
    return version ? version.minor >= 46 : facts.segment === 'chain';
  }

  /** Whether `reverse` may be tried: it is trusted, or whether it can be shows only then. */
  function mayReverse(): boolean {
    const { version } = memory;
    if (memory.facts.reverse === undefined && version) memory.remember({ reverse: reversesExactly(version) });
    return memory.facts.reverse !== false;
  }

  /**
   * The page if it is what `reverse` promises (docs/nodes.md#reverse): descending, from the key down. A row above the key is
   * dropped. Undefined where the node does something else, or loses the row at the key.
   */
  async function checkReverse(
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
      let isKept = memory.facts.reverse === true || ids[0] === from;
      // The filter may leave the row out.
      if (!isKept && isFiltered(filter)) {
        const [first] = (await gov.pageOfAll({ key, limit: 1, reverse: true }, signal)).rows;
        isKept = first?.id === from;
      }
      if (!isKept) return undefined;
      memory.remember({ reverse: true });
    }
    return { ...page, rows };
  }

  /** The whole list, ascending; its number of rows is not known where unreadable ones may have any status. */
  async function readWhole(
    filter: ProposalFilter,
    { limit = 0, height }: ProposalsRequest,
    signal?: AbortSignal,
  ): Promise<Rows> {
    try {
      if (!isFailing(filter)) return await readForward(filter, Math.max(limit, wholePage), height, signal);
    } catch (error) {
      if (!isFailedRow(error) && !isTooLarge(error)) throw error;
      memory.rememberFailing(filter.status);
    }
    const all = await readAll(height, signal);
    const { status } = filter;
    const rows = status ? all.rows.filter((row) => hasStatus(row, status)) : all.rows;
    const matching = filter.voter || filter.depositor ? await ofAddress(rows, filter, signal) : rows;
    return { ...all, rows: inOrder(matching), total: undefined };
  }

  async function readForward(
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
      gov.page(filter, part, abort);
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
  async function readAll(height: bigint | undefined, signal: AbortSignal | undefined): Promise<Rows> {
    if (lastAll && performance.now() < lastAll.until) return lastAll.rows;
    const rows = await reading.join('', signal, (own) => readAroundFailedRows(client, gov, height, own));
    lastAll = { rows, until: performance.now() + sharedFor };
    return rows;
  }

  /**
   * The rows that a voter or depositor has to do with; only open proposals have votes and deposits
   * (docs/nodes.md#address-filters). Each is asked for by its key, so that failing rows are not part of the page.
   */
  async function ofAddress(
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
        const page = await gov.page(filter, { key: idKey(id), limit: 1 }, signal).catch((error: unknown) => {
          if (!isFailedRow(error)) throw error;
          return emptyPage;
        });
        if (page.rows.some((found) => found.id === id)) matching.push(row);
      }
    }
    return matching;
  }

  return { read, countsFiltered };
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
