import type { Client } from './client.ts';
import { reversesExactly } from './dialect.ts';
import { type Gov, hasStatus, unreadable } from './gov.ts';
import type { ChainNode, ProposalFilter, ProposalsRequest } from './node.ts';
import { Cursor, defaultLimit, emptyPage, idKey, idOfKey, type Page, PagingError, readPages } from './pages.ts';
import type { WireProposalRow } from './readReply.ts';
import { isFailedRow, isMissing, isNodeFault, isReversePanic, isTooLarge } from './replyFaults.ts';
import { SharedWork } from './sharing.ts';
import { statusNames } from './wireValues.ts';

type Rows = Page<WireProposalRow>;

const wholePage = 200;
const mostRows = 50_000;
/** Lists that are kept after they were read whole, so that their next pages cost nothing. */
const mostKept = 12;
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
    if (wholeLists.size >= mostKept) wholeLists.clear();
    wholeLists.set(name, whole);
    return slicePage(whole, { ...request, countTotal });
  }

  /** The node's page; undefined where the list must be read whole, which is remembered. */
  async function readPage(filter: ProposalFilter, request: ProposalsRequest, signal: AbortSignal | undefined) {
    if (isFailing(filter) || (request.reverse && !mayReverse())) return undefined;
    try {
      const page = await gov.page(filter, request, signal);
      const checked = request.reverse ? await checkReverse(page, filter, request.key, signal) : page;
      if (!checked) memory.learn({ reverse: false });
      return checked;
    } catch (error) {
      if (isFailedRow(error) || (isTooLarge(error) && (request.limit ?? defaultLimit) <= 1)) {
        memory.learnFailing(filter.status);
      } else if (request.reverse && isReversePanic(error)) memory.learn({ reverse: false });
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
    if (memory.facts.reverse === undefined && version) memory.learn({ reverse: reversesExactly(version) });
    return memory.facts.reverse !== false;
  }

  /**
   * The page if it is what `reverse` promises (docs/nodes.md#reverse): descending, from the key down. A row above the key is
   * dropped. Undefined where the node does something else, or loses the row at the key.
   */
  async function checkReverse(page: Rows, filter: ProposalFilter, key?: string, signal?: AbortSignal) {
    const from = key === undefined ? undefined : idOfKey(key);
    const rows = page.rows.filter((row) => from === undefined || row.id <= from);
    const ids = rows.map(({ id }) => id).filter((id) => id >= 0n);
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
      memory.learn({ reverse: true });
    }
    return { ...page, rows };
  }

  /** The whole list, ascending; its number of rows is not known where unreadable ones may have any status. */
  async function readWhole(filter: ProposalFilter, { limit = 0, height }: ProposalsRequest, signal?: AbortSignal) {
    try {
      if (!isFailing(filter)) return await readForward(filter, Math.max(limit, wholePage), height, signal);
    } catch (error) {
      if (!isFailedRow(error) && !isTooLarge(error)) throw error;
      memory.learnFailing(filter.status);
    }
    const all = await readAll(height, signal);
    const { status } = filter;
    const rows = status ? all.rows.filter((row) => hasStatus(row, status)) : all.rows;
    const mine = filter.voter || filter.depositor ? await ofAddress(rows, filter, signal) : rows;
    return { ...all, rows: inOrder(mine), total: undefined };
  }

  async function readForward(
    filter: ProposalFilter,
    limit: number,
    height: bigint | undefined,
    signal = new AbortController().signal,
  ): Promise<Rows> {
    const rows: WireProposalRow[] = [];
    const cursor = new Cursor();
    cursor.height = height;
    const load = (part: ProposalsRequest, abort: AbortSignal) => gov.page(filter, part, abort);
    let last: Rows = emptyPage;
    for await (const page of readPages(load, { idOf: ({ id }) => `${id}`, limit, cursor, pinned: true, signal })) {
      last = page;
      for (const row of page.rows) rows.push(row);
      if (rows.length > mostRows) {
        throw new PagingError('tooManyRows', `The list has more than ${mostRows} rows and cannot be read whole`);
      }
    }
    return { ...last, rows: inOrder(rows), total: BigInt(rows.length) };
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
  async function ofAddress(rows: readonly WireProposalRow[], filter: ProposalFilter, signal: AbortSignal | undefined) {
    const mine: WireProposalRow[] = [];
    const isOpen = (row: WireProposalRow) => hasStatus(row, statusNames[1]) || hasStatus(row, statusNames[2]);
    for (const row of rows) {
      if (row.form === 'unreadable') mine.push(row);
      else if (isOpen(row)) {
        const id = row.id;
        const page = await gov.page(filter, { key: idKey(id), limit: 1 }, signal).catch((error: unknown) => {
          if (!isFailedRow(error)) throw error;
          return emptyPage;
        });
        if (page.rows.some((found) => found.id === id)) mine.push(row);
      }
    }
    return mine;
  }

  return { read, countsFiltered };
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

const fullPage = 100;
const mostSearches = 800;

/**
 * All proposals of a node on which single rows fail their pages (docs/nodes.md#v1-to-v1beta1), ascending; `unreadable` rows
 * stand for those that the node cannot give at all. Pages are halved by the places of rows, which are exact in lists without a
 * filter, until a page of one row fails; the ids of such rows are remembered, so that the next reading goes round them.
 *
 * @throws as `Client.get`; the node's fault when too many requests were spent on looking for its cause.
 */
async function readAroundFailedRows(client: Client, gov: Gov, height: bigint | undefined, signal: AbortSignal) {
  const { memory } = client;
  const rows: WireProposalRow[] = [];
  /** Place of the next row, and id of the last one that was read. */
  let place = 0;
  let last = 0n;
  /** Rows between that one and `place` that failed, and why. */
  let failed = 0;
  let fault: unknown;
  /** One of so many next rows fails; undefined while none is known to. */
  let within: number | undefined;
  let searches = 0;

  const ask = async (from: { key: string } | { offset: number }, limit: number): Promise<Rows | undefined> => {
    try {
      return await gov.pageOfAll({ ...from, limit, height }, signal);
    } catch (error) {
      searches += 1;
      if ((!isFailedRow(error) && !isTooLarge(error)) || searches > mostSearches) throw error;
      fault = error;
      return undefined;
    }
  };

  /** One proposal by its id, remembered as one that fails its page; undefined where there is none. */
  const readAlone = async (id: bigint): Promise<WireProposalRow | undefined> => {
    searches += 1;
    if (searches > mostSearches) throw fault;
    const row = await gov.proposal(id, signal).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      if (isNodeFault(error)) return unreadable(id, fault);
      throw error;
    });
    if (row) memory.learnFailingId(id, row.form === 'unreadable' ? row.reason : undefined);
    return row;
  };

  const failsFrom = async (id: bigint) => (await ask({ key: idKey(id) }, 1)) === undefined;

  /** Adds the rows that failed between the last one and `next`; deleted proposals leave gaps of any width between them. */
  const addFailed = async (next: bigint | undefined) => {
    // A page of one row fails from `top` on, and does not from `end` on.
    let top = last + 1n;
    let end = next ?? top + 1n;
    if (next === undefined) while (await failsFrom(end)) [top, end] = [end, end + end - last];
    while (end - top > 1n) {
      const middle = (top + end) / 2n;
      if (await failsFrom(middle)) top = middle;
      else end = middle;
    }
    const found: WireProposalRow[] = [];
    const take = async (id: bigint) => {
      const row = found.length < failed ? await readAlone(id) : undefined;
      if (row) found.push(row);
    };
    await take(top);
    // The others are near one of the ends, if there are any.
    const near = top < last + 8n ? top : last + 8n;
    for (let id = last + 1n; id < near; id++) await take(id);
    for (let id = top - 1n; id >= near && found.length < failed; id--) await take(id);
    for (const row of inOrder(found)) rows.push(row);
    failed = 0;
  };

  for (;;) {
    const ahead = memory.facts.failingIds
      .map((known) => ({ id: BigInt(known.id), reason: known.reason }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .find(({ id }) => id > last);
    if (ahead?.id === last + 1n && failed === 0 && within === undefined) {
      const { id, reason } = ahead;
      const row = reason === undefined ? await readAlone(id) : ({ form: 'unreadable', id, reason } as const);
      if (row) {
        rows.push(row);
        place += 1;
      }
      last = id;
      continue;
    }
    let limit = ahead === undefined ? fullPage : Math.min(fullPage, Number(ahead.id - last - 1n));
    if (within !== undefined) limit = Math.max(1, Math.floor(within / 2));
    else if (failed > 0) limit = 1;
    const page = await ask({ offset: place }, limit);
    if (page === undefined) {
      within = limit > 1 ? limit : undefined;
      if (limit === 1) {
        failed += 1;
        place += 1;
      }
      continue;
    }
    if (failed > 0) await addFailed(page.rows[0]?.id);
    place += page.rows.length;
    for (const row of page.rows) {
      rows.push(row);
      if (row.id > last) last = row.id;
    }
    within = within !== undefined && within > limit ? within - limit : undefined;
    if (page.nextKey === undefined || page.rows.length === 0) return { ...page, rows, total: undefined };
  }
}
