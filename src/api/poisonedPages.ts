import { isAbort, isApiError, isHttpError, shorten } from './errors.ts';
import type { ProposalFilter, ProposalsRequest, WireProposalRow } from './node.ts';
import { type Page, type PageInfo, PagingError } from './pages.ts';
import { hidesTitle, idOfRow, readAsV1, readProposal, readProposalPage, unreadable } from './proposalRows.ts';
import { isMissing, isNodeFault, isNotOffered, isPoisoned, isTooLarge } from './replyFaults.ts';
import { abortable, type Speaker } from './speaker.ts';
import { FittingPages, idKey, idOfKey, toWhole, type WholeList, type WireRequest } from './wholeLists.ts';

/** Pages of proposals in the form that the node can say them in: gov v1beta1, or gov v1 where that fails or hides titles. */
export class ProposalPages {
  readonly #speaker: Speaker;
  readonly #fitting = new FittingPages();
  /** Lists on which gov v1 failed while v1beta1 answered: not asked only for titles again. */
  readonly #withoutV1 = new Set<string>();

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /**
   * One page. Undefined where neither form can say it, and single proposals must be isolated; that is remembered for
   * the status. Rejects as `Speaker.get` does.
   */
  async read(
    filter: ProposalFilter,
    page: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow> | undefined> {
    const { learned } = this.#speaker;
    const form = learned.listForm(filter.status);
    if (form === 'isolated') return undefined;
    if (form === 'v1') {
      const answer = await this.#readV1(filter, page, signal);
      if (answer) return answer;
      learned.learnListForm(filter.status, undefined);
    }
    try {
      const answer = await this.#read('v1beta1', filter, page, signal);
      return (await this.#withTitles(answer, filter, page, signal)) ?? answer;
    } catch (error) {
      if (!isNodeFault(error)) throw error;
      const answer = form === 'v1' ? undefined : await this.#readV1(filter, page, signal);
      if (answer) {
        learned.learnListForm(filter.status, 'v1');
        return answer;
      }
      if (!isPoisoned(error) && !isTooLarge(error)) throw error;
      learned.learnListForm(filter.status, 'isolated');
      return undefined;
    }
  }

  #read(form: 'v1beta1' | 'v1', filter: ProposalFilter, page: ProposalsRequest, signal: AbortSignal | undefined) {
    return this.#fitting.ask(page, (fitted) => readProposalPage(this.#speaker, form, filter, fitted, signal));
  }

  /** The same page as gov v1 says it; undefined where the node has no gov v1 (remembered), or fails in it, too. */
  async #readV1(
    filter: ProposalFilter,
    page: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow> | undefined> {
    const { learned } = this.#speaker;
    if (learned.govV1 === false) return undefined;
    try {
      const answer = await this.#read('v1', filter, page, signal);
      learned.learn({ govV1: true });
      return answer;
    } catch (error) {
      if (isAbort(error) || !isApiError(error) || error.kind === 'unreachable' || isRefusal(error)) throw error;
      if (isNotOffered(error)) learned.learn({ govV1: false });
      else this.#withoutV1.add(filter.status ?? '');
      return undefined;
    }
  }

  async #withTitles(
    answer: Page<WireProposalRow>,
    filter: ProposalFilter,
    page: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow> | undefined> {
    if (this.#withoutV1.has(filter.status ?? '') || !answer.rows.some(hidesTitle)) return undefined;
    const titled = await this.#readV1(filter, page, signal);
    if (titled) this.#speaker.learned.learnListForm(filter.status, 'v1');
    return titled;
  }
}

/** Too many requests, or none without a credential: asking in another form would only be one more. */
function isRefusal(error: unknown): boolean {
  return isHttpError(error) && !isTooLarge(error) && [401, 403, 429].includes(error.status);
}

/** Rows of one page, unless something in it cannot be said. */
const fullPage = 100;
/** Ids that are tried one by one before a gap counts as wide. */
const narrowGap = 8n;
/** Requests beyond the pages themselves that one reading may spend on finding what cannot be said. */
const mostSearches = 800;

/** One reading of all proposals, from the first to the last, round those that the node cannot say. */
export class ProposalReading {
  readonly #speaker: Speaker;
  readonly #page: ProposalsRequest;
  readonly #before: WholeList<WireProposalRow> | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #fitting = new FittingPages();
  readonly #rows = new Map<string, WireProposalRow>();
  #info: PageInfo = {};
  #cursor: bigint | undefined = 1n;
  /** One of the next so many rows cannot be said; undefined while nothing has failed. */
  #within: number | undefined;
  #fault: unknown;
  #searches = 0;
  /** Rows of the next page: twice as many as stood before the last one that could not be said. */
  #stride = fullPage;
  #sinceFault = 0;

  /** `before` is an earlier reading, which tells how many rows stand between ids that are known to fail. */
  constructor(
    speaker: Speaker,
    page: ProposalsRequest,
    before: WholeList<WireProposalRow> | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#speaker = speaker;
    this.#page = page;
    this.#before = before;
    this.#signal = signal;
  }

  /** Rejects as `Speaker.get` does, and with the node's fault when too many requests were spent on looking for its cause. */
  async run(): Promise<WholeList<WireProposalRow>> {
    while (this.#cursor !== undefined) {
      const known = this.#speaker.learned.unreadable(this.#cursor);
      if (known !== undefined) await this.#passKnown(this.#cursor, known);
      else await this.#readPage(this.#cursor);
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
      this.#sinceFault += page.rows.length;
      if (this.#within === undefined) this.#stride = Math.min(fullPage, this.#stride * 2);
      else this.#within = this.#within > sent ? this.#within - sent : undefined;
      this.#cursor = this.#follow(cursor, page.nextKey);
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
    if (bad === undefined) return this.#stride;
    const between = this.#before?.rows.filter((row) => idOfRow(row) >= cursor && idOfRow(row) < bad).length;
    return Math.max(1, Math.min(fullPage, between || Number(bad - cursor)));
  }

  #follow(cursor: bigint, nextKey: string | undefined): bigint | undefined {
    if (nextKey === undefined) return undefined;
    const next = idOfKey(nextKey);
    if (next !== undefined && next > cursor) return next;
    throw new PagingError('repeatedKey', `The node repeated the next key ${shorten(nextKey)}`);
  }

  /** The first proposal from `cursor` on cannot be said in a page: finds its id and what else says it. */
  async #isolate(cursor: bigint, error: unknown): Promise<void> {
    this.#within = undefined;
    this.#stride = Math.min(fullPage, Math.max(2, this.#sinceFault * 2));
    this.#sinceFault = 0;
    for (let id = cursor; id < cursor + narrowGap; id++) {
      if ((await this.#keepAlone(id, error)) === undefined) continue;
      this.#cursor = id + 1n;
      return;
    }
    await this.#isolateFar(cursor + narrowGap, error);
  }

  /** After a wide gap: the next proposal that can be said, by its place, or the end of the list is where to look back from. */
  async #isolateFar(from: bigint, error: unknown): Promise<void> {
    let unsayable = 0;
    let above: bigint | undefined;
    while (above === undefined) {
      unsayable += 1;
      const found = await this.#firstOf({ offset: BigInt(this.#rows.size + unsayable) }, error);
      if (found === 'none') above = await this.#endFrom(from, error);
      else if (found !== 'unsayable' && found > from) above = found;
    }
    for (let id = above - 1n; id >= from && unsayable > 0; id--) {
      const kept = await this.#keepAlone(id, error);
      if (kept !== undefined && kept.form !== 'v1beta1') unsayable -= 1;
    }
    this.#cursor = above;
  }

  /** The first id behind the last proposal, where nothing from `from` on can be said. */
  async #endFrom(from: bigint, error: unknown): Promise<bigint> {
    let low = from;
    let high = from + 1n;
    while ((await this.#firstOf({ key: idKey(high) }, error)) !== 'none') {
      low = high;
      high += high - from;
    }
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if ((await this.#firstOf({ key: idKey(middle) }, error)) === 'none') high = middle;
      else low = middle;
    }
    return high;
  }

  /** The id of the first proposal of a page. */
  async #firstOf(place: WireRequest, error: unknown): Promise<bigint | 'none' | 'unsayable'> {
    this.#search(error);
    try {
      const page = { ...place, limit: 1, height: this.#page.height };
      const [row] = (await readProposalPage(this.#speaker, 'v1beta1', {}, page, this.#signal)).rows;
      return row ? idOfRow(row) : 'none';
    } catch (fault) {
      if (isPoisoned(fault) || isTooLarge(fault)) return 'unsayable';
      throw fault;
    }
  }

  /** Reads one proposal by itself and remembers that no page can say it; undefined where there is none of this id. */
  async #keepAlone(id: bigint, error: unknown): Promise<WireProposalRow | undefined> {
    this.#search(error);
    const row = await this.#readAlone(id, error);
    if (!row) return undefined;
    this.#add(row);
    const spoiled = row.form === 'unreadable' ? row : unreadable(id, error);
    if (row.form !== 'v1beta1') this.#speaker.learned.learnUnreadable(id, spoiled.reason);
    return row;
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
  async read(page: ProposalsRequest, signal: AbortSignal | undefined): Promise<WholeList<WireProposalRow>> {
    const before = this.#turn;
    let done = () => {};
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#turn = before.then(() => mine);
    try {
      await abortable(before, signal);
      if (this.#last && performance.now() - this.#last.at < sharedFor) return this.#last.list;
      const list = await new ProposalReading(this.#speaker, page, this.#last?.list, signal).run();
      this.#last = { list, at: performance.now() };
      return list;
    } finally {
      done();
    }
  }
}
