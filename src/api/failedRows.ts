import type { Client } from './client.ts';
import { isFailedRow, isMissing, isNodeFault, isTooLarge } from './errors.ts';
import { type Gov, unreadable } from './gov.ts';
import { faultsFrom, idKey, type Page, type RowFault } from './pages.ts';
import type { WireProposalRow } from './readReply.ts';

type Rows = Page<WireProposalRow>;

/** Proposals by their ids, ascending. */
export function inOrder(rows: readonly WireProposalRow[]): readonly WireProposalRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * All proposals of a node on which single rows fail their pages (docs/nodes.md#v1-to-v1beta1), ascending; `unreadable` rows
 * stand for those that the node cannot give at all. Pages are halved by the places of rows, which are exact in lists without a
 * filter, until a page of one row fails; the ids of such rows are remembered, so that the next reading goes round them.
 *
 * @throws as `Client.get`; the node's fault when too many requests were spent on looking for its cause.
 */
export function readAroundFailedRows(
  client: Client,
  gov: Gov,
  height: bigint | undefined,
  signal: AbortSignal,
): Promise<Rows> {
  return new Search(client.memory, gov, height, signal).read();
}

const fullPage = 100;
/** Requests that fail, or ask for one row, until the search is given up. */
const maxSearches = 800;
/** Ids behind the last row, and before the next one, at which rows are looked for. */
const nearby = 8n;

/** A row that is remembered as one that fails its page; `reason` where no form of it can be had. */
interface KnownRow {
  readonly id: bigint;
  readonly reason: string | undefined;
}

/** One reading of the whole list. */
class Search {
  readonly #memory: Client['memory'];
  readonly #gov: Gov;
  readonly #height: bigint | undefined;
  readonly #signal: AbortSignal;
  readonly #rows: WireProposalRow[] = [];
  readonly #faults: RowFault[] = [];
  /** Place of the next row, and id of the last one that was read. */
  #place = 0;
  #last = 0n;
  /** Rows between that one and `#place` that failed, and why. */
  #failed = 0;
  #fault: unknown;
  /** One of so many next rows fails; undefined while none is known to. */
  #within: number | undefined;
  #searches = 0;

  constructor(memory: Client['memory'], gov: Gov, height: bigint | undefined, signal: AbortSignal) {
    this.#memory = memory;
    this.#gov = gov;
    this.#height = height;
    this.#signal = signal;
  }

  async read(): Promise<Rows> {
    for (;;) {
      const ahead = this.#knownAhead();
      if (ahead?.id === this.#last + 1n && this.#failed === 0 && this.#within === undefined) {
        await this.#takeKnown(ahead);
        continue;
      }
      const limit = this.#nextLimit(ahead);
      const page = await this.#ask({ offset: this.#place }, limit);
      if (page === undefined) {
        this.#narrow(limit);
        continue;
      }
      const isLast = await this.#takePage(page, limit);
      if (isLast) return { ...page, rows: this.#rows, total: undefined, info: { ...page.info, faults: this.#faults } };
    }
  }

  /** The first remembered row behind the last one that was read. */
  #knownAhead(): KnownRow | undefined {
    return this.#memory.facts.failingIds
      .map((known) => ({ id: BigInt(known.id), reason: known.reason }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .find(({ id }) => id > this.#last);
  }

  async #takeKnown({ id, reason }: KnownRow): Promise<void> {
    const row = reason === undefined ? await this.#readAlone(id) : ({ form: 'unreadable', id, reason } as const);
    if (row) {
      this.#rows.push(row);
      this.#place += 1;
    }
    this.#last = id;
  }

  #nextLimit(ahead: KnownRow | undefined): number {
    if (this.#within !== undefined) return Math.max(1, Math.floor(this.#within / 2));
    if (this.#failed > 0) return 1;
    return ahead === undefined ? fullPage : Math.min(fullPage, Number(ahead.id - this.#last - 1n));
  }

  /** After a page of so many rows that failed: a smaller one is next, or the row behind the one that it was. */
  #narrow(limit: number): void {
    this.#within = limit > 1 ? limit : undefined;
    if (limit > 1) return;
    this.#failed += 1;
    this.#place += 1;
  }

  /** Adds a page, and before it the rows that failed. Whether it is the last one. */
  async #takePage(page: Rows, limit: number): Promise<boolean> {
    if (this.#failed > 0) await this.#addFailed(page.rows[0]?.id);
    const faults = faultsFrom(this.#place, page);
    for (const fault of faults) this.#faults.push(fault);
    for (const row of page.rows) {
      this.#rows.push(row);
      if (row.id > this.#last) this.#last = row.id;
    }
    const count = page.rows.length + faults.length;
    this.#place += count;
    this.#within = this.#within !== undefined && this.#within > limit ? this.#within - limit : undefined;
    return page.nextKey === undefined || count === 0;
  }

  /** Adds the rows that failed between the last one and `next`; deleted proposals leave gaps of any width between them. */
  async #addFailed(next: bigint | undefined): Promise<void> {
    const last = this.#last;
    const top = await this.#lastFailing(next);
    const found: WireProposalRow[] = [];
    const take = async (id: bigint): Promise<void> => {
      const row = found.length < this.#failed ? await this.#readAlone(id) : undefined;
      if (row) found.push(row);
    };
    await take(top);
    // The others are near one of the ends, if there are any.
    const near = top < last + nearby ? top : last + nearby;
    for (let id = last + 1n; id < near; id++) await take(id);
    for (let id = top - 1n; id >= near && found.length < this.#failed; id--) await take(id);
    for (const row of inOrder(found)) this.#rows.push(row);
    this.#failed = 0;
  }

  /** The greatest id before `next` from which on a page of one row fails. */
  async #lastFailing(next: bigint | undefined): Promise<bigint> {
    let top = this.#last + 1n;
    let end = next ?? top + 1n;
    if (next === undefined) while (await this.#failsFrom(end)) [top, end] = [end, end + end - this.#last];
    while (end - top > 1n) {
      const middle = (top + end) / 2n;
      if (await this.#failsFrom(middle)) top = middle;
      else end = middle;
    }
    return top;
  }

  async #failsFrom(id: bigint): Promise<boolean> {
    return (await this.#ask({ key: idKey(id) }, 1)) === undefined;
  }

  /** A page; undefined where one of its rows fails it. */
  async #ask(from: { key: string } | { offset: number }, limit: number): Promise<Rows | undefined> {
    try {
      return await this.#gov.pageOfAll({ ...from, limit, height: this.#height }, this.#signal);
    } catch (error) {
      this.#searches += 1;
      if ((!isFailedRow(error) && !isTooLarge(error)) || this.#searches > maxSearches) throw error;
      this.#fault = error;
      return undefined;
    }
  }

  /** One proposal by its id, remembered as one that fails its page; undefined where there is none. */
  async #readAlone(id: bigint): Promise<WireProposalRow | undefined> {
    this.#searches += 1;
    if (this.#searches > maxSearches) throw this.#fault;
    const row = await this.#gov.proposal(id, this.#signal).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      if (isNodeFault(error)) return unreadable(id, this.#fault);
      throw error;
    });
    if (row) this.#memory.rememberFailingId(id, row.form === 'unreadable' ? row.reason : undefined);
    return row;
  }
}
