import type { Client } from '../client.ts';
import type { WireProposalRow } from '../decode/readReply.ts';
import { isFailedRow, isMissing, isNodeFault, isTooLarge } from '../errors.ts';
import { faultsFrom, idKey, type Page, type RowFault } from '../pages.ts';
import { type Gov, unreadable } from './gov.ts';

type Rows = Page<WireProposalRow>;

/** Sorts proposals by their ids, ascending. */
export function inOrder(rows: readonly WireProposalRow[]): readonly WireProposalRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Reads all proposals, ascending, of a node on which single rows fail their pages (docs/nodes.md#v1-to-v1beta1). Rows
 * that the node cannot give at all become `unreadable` rows. Pages are halved by row positions, which are exact in
 * lists without a filter, until a page of one row fails. The ids of such rows are remembered, so that the next reading
 * avoids them.
 *
 * @throws the errors of `Client.get`, and the node's fault if the search takes too many requests.
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
/** The limit for requests that fail or ask for one row. The search then gives up. */
const maxSearches = 800;
/** The number of ids after the last row, and before the next one, at which rows are looked for. */
const nearby = 8n;

/** A remembered row that fails its page. It has a `reason` if no form of it can be read. */
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
  /** The position of the next row, and the id of the last one that was read. */
  #place = 0;
  #last = 0n;
  /** The number of rows between that one and `#place` that failed, and the reason. */
  #failed = 0;
  #fault: unknown;
  /** The number of next rows that hold one that fails; undefined if none is known. */
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

  /** Gives the first remembered row after the last one that was read. */
  #knownAhead(): KnownRow | undefined {
    return this.#memory.traits.failingIds
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

  /**
   * Narrows the search after a page of `limit` rows that failed: to a smaller page, or to the row after a single one.
   */
  #narrow(limit: number): void {
    this.#within = limit > 1 ? limit : undefined;
    if (limit > 1) return;
    this.#failed += 1;
    this.#place += 1;
  }

  /** Adds a page, and before it the rows that failed. True if it is the last page. */
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

  /**
   * Adds the rows that failed between the last one and `next`. Deleted proposals leave gaps of any width between them.
   */
  async #addFailed(next: bigint | undefined): Promise<void> {
    const last = this.#last;
    const top = await this.#lastFailing(next);
    const found: WireProposalRow[] = [];
    const take = async (id: bigint): Promise<void> => {
      const row = found.length < this.#failed ? await this.#readAlone(id) : undefined;
      if (row) found.push(row);
    };
    await take(top);
    // The other failing rows are near one of the ends, if there are any.
    const near = top < last + nearby ? top : last + nearby;
    for (let id = last + 1n; id < near; id++) await take(id);
    for (let id = top - 1n; id >= near && found.length < this.#failed; id--) await take(id);
    for (const row of inOrder(found)) this.#rows.push(row);
    this.#failed = 0;
  }

  /** Gives the greatest id before `next` from which a page of one row fails. */
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

  /** Asks for a page. Undefined if one of its rows fails it. */
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

  /** Reads one proposal by its id and remembers that it fails its page. Undefined if there is none. */
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
