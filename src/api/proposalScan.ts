import { ReplyError } from './errors.ts';
import { FittingPages } from './fittingPages.ts';
import type { PageRequest, ReplyInfo, WireProposalRow } from './node.ts';
import { idKey, idOfKey } from './pageKeys.ts';
import { readAsV1, readProposal, unreadable } from './proposal.ts';
import { idOfRow, readProposalPage } from './proposalPage.ts';
import { isMissing, isNodeFault, isPoisoned, isTooLarge } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';
import { toWhole, type WholeList } from './wholeList.ts';

/** Rows of one page, unless something in it cannot be said. */
const fullPage = 100;
/** Requests beyond the pages themselves that one reading may spend on finding what cannot be said. */
const mostSearches = 500;
/** Milliseconds for which a reading serves other lists, too: the groups of a tree are often asked for together. */
const sharedFor = 2000;

/**
 * Reads all proposals of a node on which v1beta1 pages fail and gov v1 is no way out: pages are bisected by keys made
 * here (contract-facts section 3) until the ids that the node cannot say are known. Those are kept, so that the next
 * reading goes round them.
 */
export class ProposalScan {
  readonly #speaker: Speaker;
  #last: { readonly list: WholeList<WireProposalRow>; readonly at: number } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /** All proposals by id, with rows of the form `unreadable` for those that the node cannot say. Rejects as `Speaker.get` does. */
  async read(page: PageRequest, signal: AbortSignal | undefined): Promise<WholeList<WireProposalRow>> {
    const before = this.#turn;
    let done = () => {};
    this.#turn = new Promise<void>((resolve) => {
      done = resolve;
    });
    try {
      await before;
      signal?.throwIfAborted();
      if (this.#last && performance.now() - this.#last.at < sharedFor) return this.#last.list;
      const list = await new Reading(this.#speaker, page, this.#last?.list, signal).run();
      this.#last = { list, at: performance.now() };
      return list;
    } finally {
      done();
    }
  }
}

/** One reading from the first proposal to the last. */
class Reading {
  readonly #speaker: Speaker;
  readonly #page: PageRequest;
  readonly #before: WholeList<WireProposalRow> | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #fitting = new FittingPages();
  readonly #rows = new Map<string, WireProposalRow>();
  #info: ReplyInfo = {};
  #cursor: bigint | undefined = 1n;
  /** One of the next so many rows cannot be said; undefined while nothing has failed. */
  #within: number | undefined;
  #fault: unknown;
  #searches = 0;

  constructor(
    speaker: Speaker,
    page: PageRequest,
    before: WholeList<WireProposalRow> | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#speaker = speaker;
    this.#page = page;
    this.#before = before;
    this.#signal = signal;
  }

  async run(): Promise<WholeList<WireProposalRow>> {
    while (this.#cursor !== undefined) {
      const known = this.#speaker.learned.unreadable(this.#cursor);
      if (known !== undefined) await this.#passKnown(this.#cursor, known);
      else await this.#readPage(this.#cursor);
      this.#page.onProgress?.(this.#rows.size);
    }
    return toWhole(this.#rows, this.#info);
  }

  async #passKnown(id: bigint, reason: string): Promise<void> {
    this.#add((await readAsV1(this.#speaker, id, this.#signal)) ?? { form: 'unreadable', id, reason });
    this.#cursor = id + 1n;
    this.#within = undefined;
  }

  async #readPage(cursor: bigint): Promise<void> {
    if (this.#within === 1) return this.#isolate(cursor, this.#fault);
    let sent = this.#room(cursor);
    try {
      const page = await this.#fitting.ask({ key: idKey(cursor), limit: sent, height: this.#page.height }, (fitted) => {
        sent = fitted.limit ?? sent;
        return readProposalPage(this.#speaker, 'v1beta1', {}, fitted, this.#signal);
      });
      for (const row of page.rows) this.#add(row);
      this.#info = page.info;
      if (this.#within !== undefined) this.#within = this.#within > sent ? this.#within - sent : undefined;
      this.#cursor = this.#follow(cursor, page.page?.next_key);
    } catch (error) {
      if (!isPoisoned(error) && !isTooLarge(error)) throw error;
      this.#search(error);
      this.#within = sent;
      this.#fault = error;
    }
  }

  /** How many rows to ask for: up to the next id that is known to fail, or half of those among which one must. */
  #room(cursor: bigint): number {
    if (this.#within !== undefined) return Math.max(1, Math.floor(this.#within / 2));
    const bad = this.#speaker.learned.unreadableIds.find((id) => id > cursor);
    if (bad === undefined) return fullPage;
    const between = this.#before?.rows.filter((row) => idOfRow(row) >= cursor && idOfRow(row) < bad).length;
    return Math.max(1, Math.min(fullPage, between || Number(bad - cursor)));
  }

  #follow(cursor: bigint, nextKey: string | null | undefined): bigint | undefined {
    if (!nextKey) return undefined;
    const next = idOfKey(nextKey);
    if (next !== undefined && next > cursor) return next;
    throw new ReplyError(this.#speaker.urlOf('proposals', {}), `the node repeated the next key ${nextKey}`);
  }

  /** The first proposal from `cursor` on cannot be said in a page: finds its id and what else says it. */
  async #isolate(cursor: bigint, error: unknown): Promise<void> {
    for (let id = cursor; ; id++) {
      this.#search(error);
      const row = await this.#readAlone(id, error);
      if (!row) continue;
      this.#add(row);
      const spoiled = row.form === 'unreadable' ? row : unreadable(id, error);
      if (row.form !== 'v1beta1') this.#speaker.learned.learnUnreadable(id, spoiled.reason);
      this.#cursor = id + 1n;
      this.#within = undefined;
      return;
    }
  }

  /** Undefined where there is no proposal of this id: deleted ones leave gaps. */
  async #readAlone(id: bigint, error: unknown): Promise<WireProposalRow | undefined> {
    try {
      return await readProposal(this.#speaker, id, this.#signal);
    } catch (fault) {
      if (isMissing(fault)) return undefined;
      if (isNodeFault(fault)) return unreadable(id, error);
      throw fault;
    }
  }

  #search(error: unknown): void {
    this.#searches += 1;
    if (this.#searches > mostSearches) throw error;
  }

  #add(row: WireProposalRow): void {
    this.#rows.set(idKey(idOfRow(row)), row);
  }
}
