import { countsFiltered, reversesExactly, type SdkVersion } from './dialect.ts';
import { isAbort } from './errors.ts';
import type { ProposalFilter, ProposalsRequest, WireProposalRow } from './node.ts';
import type { NodeVersion } from './optionalReads.ts';
import { emptyPage, type Page } from './pages.ts';
import { ProposalPages, ProposalScan } from './poisonedPages.ts';
import { hasStatus, idOfRow, readProposalPage } from './proposalRows.ts';
import { isPoisoned, isReversePanic } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';
import { statusNames } from './statusNames.ts';
import { idKey, idOfKey, readWhole, slicePage, toWhole, type WholeList } from './wholeLists.ts';

/** Rows of a page while a list is read whole. */
const wholePage = 200;
/** Lists that are kept after they were read whole, so that their next pages cost nothing. */
const keptLists = 12;

/** The lists of proposals of one node: complete and in the order asked for, whatever the node's paging does. */
export class Proposals {
  readonly #speaker: Speaker;
  readonly #version: NodeVersion;
  readonly #pages: ProposalPages;
  readonly #scan: ProposalScan;
  readonly #reverse: ReverseOrder;
  readonly #kept = new Map<string, WholeList<WireProposalRow>>();

  constructor(speaker: Speaker, version: NodeVersion) {
    this.#speaker = speaker;
    this.#version = version;
    this.#pages = new ProposalPages(speaker);
    this.#scan = new ProposalScan(speaker);
    this.#reverse = new ReverseOrder(speaker);
  }

  /** One page. The unspecified status filters nothing. Rejects as `Speaker.get` does. */
  async read(asked: ProposalFilter, page: ProposalsRequest, signal?: AbortSignal): Promise<Page<WireProposalRow>> {
    const filter = asked.status === statusNames[0] ? { ...asked, status: undefined } : asked;
    await this.#speaker.contact('proposals', signal);
    const version = await this.#version.get(signal);
    const countTotal = page.countTotal && (!isFiltered(filter) || this.#countsFiltered(version));
    return this.#readOne(filter, { ...page, countTotal }, version, signal);
  }

  async #readOne(
    filter: ProposalFilter,
    page: ProposalsRequest,
    version: SdkVersion | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow>> {
    if (page.reverse && this.#reverse.trusted(version) === false) return this.#readWhole(filter, page, signal);
    try {
      const answer = await this.#pages.read(filter, page, signal);
      if (!answer) return this.#readIsolated(filter, page, signal);
      if (!page.reverse) return answer;
      const checked = await this.#reverse.check(answer, page, isFiltered(filter), signal);
      if (checked) return checked;
    } catch (error) {
      if (!page.reverse || !isReversePanic(error)) throw error;
    }
    this.#reverse.distrust();
    return this.#readWhole(filter, page, signal);
  }

  /** Old nodes lose rows while they count what a filter lets through, so a node that does not say its version is not asked to. */
  #countsFiltered(version: SdkVersion | undefined): boolean {
    return version ? countsFiltered(version) : this.#speaker.learned.segment === 'chain';
  }

  /** Reads the list forward to its end once, and gives pages of that in the order asked for. */
  async #readWhole(
    filter: ProposalFilter,
    page: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow>> {
    const kept = this.#keptFor(filter, page);
    if (kept) return slicePage(kept, page);
    let spoiled = false;
    const load = async (request: ProposalsRequest, abort: AbortSignal) => {
      const answer = await this.#pages.read(filter, request, abort);
      spoiled ||= answer === undefined;
      return answer ?? emptyPage;
    };
    const limit = Math.max(page.limit ?? 0, wholePage);
    const list = await readWhole(keyOfRow, limit, page.height, load, signal ?? new AbortController().signal);
    if (spoiled) return this.#readIsolated(filter, page, signal);
    this.#keep(filter, list);
    return slicePage(list, page);
  }

  /** Pages of a reading of all proposals. How many there are is not known: an unreadable one may have any status. */
  async #readIsolated(
    filter: ProposalFilter,
    page: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow>> {
    const uncounted = { ...page, countTotal: false };
    const kept = this.#keptFor(filter, page);
    if (kept) return slicePage(kept, uncounted);
    const all = await this.#scan.read(page, signal);
    const { status } = filter;
    const rows = status ? all.rows.filter((row) => hasStatus(row, status)) : all.rows;
    const mine = filter.voter || filter.depositor ? await this.#ofAddress(rows, filter, signal) : rows;
    const list = toWhole(new Map(mine.map((row) => [keyOfRow(row), row])), all.info);
    this.#keep(filter, list);
    return slicePage(list, uncounted);
  }

  /**
   * The rows that a voter or depositor has to do with. Only live proposals have votes and deposits (contract-facts
   * section 3); each is asked for by its key, one row a time, so that none that cannot be said is in the way.
   */
  async #ofAddress(rows: readonly WireProposalRow[], filter: ProposalFilter, signal: AbortSignal | undefined) {
    const mine: WireProposalRow[] = [];
    for (const row of rows) {
      if (row.form === 'unreadable') mine.push(row);
      else if (isLive(row)) {
        const page = { key: keyOfRow(row), limit: 1 };
        try {
          const [first] = (await readProposalPage(this.#speaker, 'v1beta1', filter, page, signal)).rows;
          if (first && idOfRow(first) === idOfRow(row)) mine.push(row);
        } catch (error) {
          if (!isPoisoned(error)) throw error;
        }
      }
    }
    return mine;
  }

  #keptFor(filter: ProposalFilter, page: ProposalsRequest): WholeList<WireProposalRow> | undefined {
    return page.key === undefined ? undefined : this.#kept.get(JSON.stringify(filter));
  }

  #keep(filter: ProposalFilter, list: WholeList<WireProposalRow>): void {
    const name = JSON.stringify(filter);
    this.#kept.delete(name);
    this.#kept.set(name, list);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptLists && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function keyOfRow(row: WireProposalRow): string {
  return idKey(idOfRow(row));
}

function isFiltered(filter: ProposalFilter): boolean {
  return Boolean(filter.status || filter.voter || filter.depositor);
}

function isLive(row: WireProposalRow): boolean {
  return hasStatus(row, 'PROPOSAL_STATUS_VOTING_PERIOD') || hasStatus(row, 'PROPOSAL_STATUS_DEPOSIT_PERIOD');
}

/** Judges whether a node's `reverse` gives every proposal, in order (contract-facts section 1, "Reverse"). */
export class ReverseOrder {
  readonly #speaker: Speaker;

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /** False where it must not be used; undefined where that shows only when it is tried. */
  trusted(version: SdkVersion | undefined): boolean | undefined {
    const { learned } = this.#speaker;
    if (learned.reverse === undefined && version) learned.learn({ reverse: reversesExactly(version) });
    return learned.reverse;
  }

  distrust(): void {
    this.#speaker.learned.learn({ reverse: false });
  }

  /**
   * The page if it is what `reverse` promises: descending, from the key down. A row above the key (SDK up to 0.47, the
   * key's own proposal was deleted) is dropped. Undefined where the node does something else, or loses the row at the key.
   */
  async check(
    answer: Page<WireProposalRow>,
    page: ProposalsRequest,
    filtered: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow> | undefined> {
    const from = page.key === undefined ? undefined : idOfKey(page.key);
    const rows = answer.rows.filter((row) => from === undefined || idOfRow(row) <= from);
    const ids = rows.map(idOfRow);
    const next = answer.nextKey === undefined ? undefined : idOfKey(answer.nextKey);
    const steps = next === undefined ? ids : [...ids, next];
    if (steps.some((id, at) => at > 0 && id >= (steps[at - 1] ?? id))) return undefined;
    const settled = this.#speaker.learned.reverse === true || from === undefined;
    if (!settled && ids[0] !== from && !(await this.#keepsRowAt(from, page, filtered, signal))) return undefined;
    if (from !== undefined) this.#speaker.learned.learn({ reverse: true });
    return { ...answer, rows };
  }

  /** Whether a page in reverse begins with the row of its key: 0.50.0 to 0.50.8 lose it. A filter may leave it out, too. */
  async #keepsRowAt(
    id: bigint,
    page: ProposalsRequest,
    filtered: boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (!filtered) return false;
    try {
      const probe = { key: page.key, limit: 1, reverse: true };
      const [row] = (await readProposalPage(this.#speaker, 'v1beta1', {}, probe, signal)).rows;
      return row !== undefined && idOfRow(row) === id;
    } catch (error) {
      if (isAbort(error)) throw error;
      return false;
    }
  }
}
