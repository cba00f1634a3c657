import type { ChainNode, ProposalFilter, ProposalsRequest, Readable } from '../api/node.ts';
import { emptyPage, type Page, type PageRequest } from '../api/pages.ts';
import { Cursor, type LoadPage, readPages } from '../api/readPages.ts';
import { concurrently } from '../api/sharing.ts';
import { coinsText, descending } from '../chain/coin.ts';
import { Emitter } from '../chain/emitter.ts';
import { isFiltering, type ListFilter } from '../chain/gov/listFilter.ts';
import { mergeRows, type Proposal, type ProposalRow, periodEnd, recordedTally } from '../chain/gov/proposal.ts';
import {
  groupOf,
  isStatusGroup,
  type ProposalGroup,
  type StatusGroup,
  statusGroups,
} from '../chain/gov/proposalGroups.ts';
import type { Tally, VoteOption } from '../chain/gov/tally.ts';
import { List, type ListParts, type RowTable, readOn } from './listBase.ts';
import { type AnyPager, Pager } from './pager.ts';

/** The groups of rows that come with the pages of others. */
const besideGroups = ['other', 'unreadable'] as const;

/** Open proposals of a group that are read at most, so that all of them can be sorted by their end. */
export const maxOpen = 500;

/** Whether the proposals of a group are open: these are read whole, and sorted by the end of their period. */
export function isOpenGroup(group: ProposalGroup): group is 'voting' | 'deposit' {
  return group === 'voting' || group === 'deposit';
}

type ProposalCell = (proposal: Proposal, finalTally: Tally | undefined) => string;

/** The facts of a proposal; no description, which is long and has lines. */
const columns: readonly (readonly [name: string, cell: ProposalCell])[] = [
  ['proposal_id', ({ id }): string => `${id}`],
  ['status', ({ wireStatus }): string => wireStatus],
  ['title', ({ title }): string => title ?? ''],
  ['types', ({ contents }): string => contents.map(({ typeUrl }): string => typeUrl).join(' ')],
  ['submit_time', ({ submitTime }): string => isoTime(submitTime)],
  ['deposit_end_time', ({ depositEndTime }): string => isoTime(depositEndTime)],
  ['voting_start_time', ({ votingStartTime }): string => isoTime(votingStartTime)],
  ['voting_end_time', ({ votingEndTime }): string => isoTime(votingEndTime)],
  ['total_deposit', ({ totalDeposit }): string => coinsText(totalDeposit)],
  ['yes', (_, tally): string => votesText(tally, 'yes')],
  ['abstain', (_, tally): string => votesText(tally, 'abstain')],
  ['no', (_, tally): string => votesText(tally, 'no')],
  ['no_with_veto', (_, tally): string => votesText(tally, 'noWithVeto')],
  ['proposer', ({ proposer }): string => proposer ?? ''],
  ['expedited', ({ expedited }): string => `${expedited}`],
  ['failed_reason', ({ failedReason }): string => failedReason ?? ''],
];

/** Proposals; as JSON they are as they came. An unreadable proposal has its id and the node's reason. */
const proposalsTable: RowTable<ProposalRow> = {
  name: 'proposals',
  columns: columns.map(([name]) => name),
  cells: (row) => {
    if (row.kind === 'unreadable') return [`${row.id}`, 'unreadable', ...Array<string>(13).fill(''), row.reason];
    const tally = recordedTally(row);
    return columns.map(([, cell]) => cell(row, tally));
  },
  json: (row) => (row.kind === 'proposal' ? row.raw : { proposal_id: `${row.id}`, unreadable: row.reason }),
};

/** A count of the final tally, blank until the vote has ended: a chain states zeros until then. */
function votesText(tally: Tally | undefined, option: VoteOption): string {
  return tally === undefined ? '' : `${tally[option]}`;
}

function isoTime(time: Date | undefined): string {
  return time?.toISOString() ?? '';
}

/** The proposals of a source by group and by id. An id is never in two groups: the newest read decides. */
export class Proposals extends List<ProposalRow> {
  readonly name = 'proposals';
  readonly rowKind = 'proposal';
  readonly owners: readonly string[] = [...statusGroups, ...besideGroups];
  readonly isNewestFirst = true;
  readonly pagers: readonly AnyPager[];
  readonly table = proposalsTable;
  readonly #node: () => Promise<ChainNode>;
  readonly #pagers: Readonly<Record<StatusGroup, Pager<ProposalRow>>>;
  readonly #byId = new Map<bigint, ProposalRow>();
  /** The change: of one proposal, of one group, or (without both) of the groups as such. */
  readonly #changed = new Emitter<{ readonly group?: ProposalGroup; readonly id?: bigint }>();
  readonly #counts = new Map<StatusGroup, bigint>();
  #filter: ListFilter = {};
  #hasGov = true;
  #date: Date | undefined;
  /** Aborts the reads beside the lists. */
  #abort = new AbortController();
  #isSearching = false;
  #sizeWhenSearched: number | undefined;

  constructor({ node, pageSize }: Pick<ListParts, 'node' | 'pageSize'>) {
    super();
    this.#node = node;
    const pager = (group: StatusGroup): Pager<ProposalRow> => {
      const made = new Pager<ProposalRow>((request, signal) => this.#loadPage(group, request, signal), rowId, pageSize);
      made.onDidChange(() => this.#changed.fire({ group }));
      return made;
    };
    this.#pagers = {
      voting: pager('voting'),
      deposit: pager('deposit'),
      passed: pager('passed'),
      rejected: pager('rejected'),
      failed: pager('failed'),
    };
    this.pagers = Object.values(this.#pagers);
  }

  readonly onDidChange = this.#changed.on;

  get isChanged(): boolean {
    return this.isFiltered;
  }

  get isFiltered(): boolean {
    return isFiltering(this.#filter);
  }

  get shown(): readonly ProposalRow[] {
    return this.owners.flatMap((owner) => this.shownUnder(owner));
  }

  get loaded(): readonly ProposalRow[] {
    return [...this.#byId.values()].sort((a, b) => descending(a.id, b.id));
  }

  shownUnder(owner: string): readonly ProposalRow[] {
    const group = [...this.shownGroups, ...this.#besideShown].find((shown) => shown === owner);
    return group === undefined ? [] : this.rows(group);
  }

  /** The shown groups of rows that come with the pages of others: an unreadable proposal may have any status. */
  get #besideShown(): readonly ProposalGroup[] {
    return this.#filter.statuses ? ['unreadable'] : besideGroups;
  }

  pagerOf(owner: string): AnyPager | undefined {
    return isStatusGroup(owner) ? this.#pagers[owner] : undefined;
  }

  keyOf({ id }: ProposalRow): string {
    return `${id}`;
  }

  finder(): (key: string) => ProposalRow | undefined {
    return (key): ProposalRow | undefined => (/^[1-9]\d{0,19}$/.test(key) ? this.find(BigInt(key)) : undefined);
  }

  texts(row: ProposalRow): readonly string[] {
    return textsOf(row);
  }

  values({ id }: ProposalRow): Readonly<Record<string, string>> {
    return { id: `${id}` };
  }

  readableRow(key: string): Readable {
    return { proposal: BigInt(key) };
  }

  readableList(owner: string): Readable {
    const status = isStatusGroup(owner) ? owner : undefined;
    return { proposals: { ...this.#filter, status } };
  }

  readAll(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<ProposalRow>> {
    return this.readFiltered(node, {}, signal);
  }

  readMatching(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<ProposalRow>> {
    return this.readFiltered(node, this.#filter, signal);
  }

  /** The proposals of a filter from the last loaded row on, no id twice. Rejects as `readPages`. */
  async *readFiltered(node: ChainNode, filter: ListFilter, signal?: AbortSignal): AsyncGenerator<Page<ProposalRow>> {
    const { voter, depositor } = filter;
    const isOfView = voter === this.#filter.voter && depositor === this.#filter.depositor;
    const seen = new Set<bigint>();
    const unseen = (rows: readonly ProposalRow[]): ProposalRow[] =>
      rows.filter(({ id }): false | Set<bigint> => !seen.has(id) && seen.add(id));
    for (const group of filter.statuses ?? statusGroups) {
      const loaded = isOfView ? this.#pagers[group] : { rows: [], cursor: new Cursor() };
      const load: LoadPage<ProposalRow> = (request, abort) =>
        node.proposals(filterOf(group, filter), pageOf(request), abort);
      for await (const page of readOn<ProposalRow>(loaded, { load, idOf: rowId, limit: 100 }, signal))
        yield { ...page, rows: unseen(page.rows) };
    }
    // An unreadable proposal may have any status.
    const beside = unseen([...(filter.statuses ? [] : this.rows('other')), ...this.rows('unreadable')]);
    if (beside.length > 0) yield { ...emptyPage, rows: beside };
    if (filter.statuses || voter || depositor || this.isWhole) return;
    yield* readUnlisted(node, seen, signal);
  }

  async *readAnew(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<ProposalRow>> {
    yield* readPages(loadNewest(node), { idOf: rowId, limit: 100, signal });
  }

  get filter(): ListFilter {
    return this.#filter;
  }

  /** Drops all lists when an address changes, so that they load again. A change of the shown groups drops nothing. */
  setFilter(filter: ListFilter): void {
    const { voter, depositor } = this.#filter;
    this.#filter = filter;
    if (filter.voter === voter && filter.depositor === depositor) this.#changed.fire({});
    else this.forget();
  }

  /** Whether the chain has a gov module; true until a list was asked for. */
  get hasGov(): boolean {
    return this.#hasGov;
  }

  /** The source's own time at its last answer, if it states one. */
  get date(): Date | undefined {
    return this.#date;
  }

  count(group: StatusGroup): bigint | undefined {
    const { started, hasMore, rows, faults, total } = this.#pagers[group];
    if (!started) return this.#counts.get(group);
    return hasMore ? total : BigInt(rows.length + faults.length);
  }

  /** Counts the groups that were not read, if the node counts filtered lists right. A count that fails stays unknown. */
  async loadCounts(): Promise<void> {
    const { signal } = this.#abort;
    const groups = this.shownGroups.filter((group) => !this.#pagers[group].started && !this.#pagers[group].loading);
    const counts = await readCounts(await this.#node(), groups, this.#filter, signal);
    if (signal.aborted) return;
    for (const [group, count] of counts) this.#counts.set(group, count);
    if (counts.size > 0) this.#changed.fire({});
  }

  get shownGroups(): readonly StatusGroup[] {
    const { statuses } = this.#filter;
    return statuses ? statusGroups.filter((group) => statuses.includes(group)) : statusGroups;
  }

  /** Drops everything that was read, and aborts what is being read. */
  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#isSearching = false;
    this.#sizeWhenSearched = undefined;
    this.#counts.clear();
    this.#byId.clear();
    for (const group of statusGroups) this.#pagers[group].reset();
    this.#changed.fire({});
  }

  pager(group: StatusGroup): Pager<ProposalRow> {
    return this.#pagers[group];
  }

  /** The rows of a group, newest first; those that are open by the end of their period, the next one first. */
  rows(group: ProposalGroup): readonly ProposalRow[] {
    if (isOpenGroup(group)) return this.#pagers[group].rows.toSorted(soonestFirst);
    if (isStatusGroup(group)) return this.#pagers[group].rows;
    return this.loaded.filter((row) => groupOf(row) === group);
  }

  find(id: bigint): ProposalRow | undefined {
    return this.#byId.get(id);
  }

  /** Reads one proposal into the list. Rejects as `ChainNode.proposal` does. */
  async load(id: bigint, signal?: AbortSignal): Promise<ProposalRow> {
    const row = await (await this.#node()).proposal(id, signal);
    this.update([row]);
    return this.#byId.get(id) ?? row;
  }

  /** Adds rows that were read elsewhere, moving them between groups where their status changed. */
  update(rows: readonly ProposalRow[]): void {
    for (const read of rows) {
      const before = this.#byId.get(read.id);
      const row = this.#keep(read);
      const group = groupOf(row);
      if (isStatusGroup(group) && !this.#pagers[group].replace(row) && !isByAddress(this.#filter)) {
        const pager = this.#pagers[group];
        if (before || !pager.hasMore) pager.insert(row, (other) => other.id < row.id);
      }
      this.#changed.fire({ group, id: row.id });
    }
  }

  /** Ids that no list holds, between the first and the last; undefined until all lists were read whole, unfiltered. */
  gaps(): readonly IdRange[] | undefined {
    return this.#areListsWhole ? idGaps(this.#byId.keys()) : undefined;
  }

  /** Whether every proposal of the chain is known: all lists are whole, and the ids between their rows were searched. */
  get isWhole(): boolean {
    return this.#areListsWhole && !this.#isSearching && this.#sizeWhenSearched === this.#byId.size;
  }

  /**
   * Searches for proposals that no list has, once all lists are whole, and again after rows were added. Rejects as
   * `readUnlisted`.
   */
  async loadUnlisted(): Promise<void> {
    if (!this.#areListsWhole || this.#isSearching || this.isWhole) return;
    const { signal } = this.#abort;
    this.#isSearching = true;
    this.#sizeWhenSearched = this.#byId.size;
    try {
      for await (const { rows } of readUnlisted(await this.#node(), this.#byId, signal)) {
        signal.throwIfAborted();
        this.update(rows);
        this.#sizeWhenSearched = this.#byId.size;
      }
    } finally {
      if (!signal.aborted) this.#isSearching = false;
    }
  }

  dispose(): void {
    this.#abort.abort();
    for (const group of statusGroups) this.#pagers[group].dispose();
    this.#changed.dispose();
    this.#byId.clear();
  }

  async #loadPage(
    group: StatusGroup,
    request: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<ProposalRow>> {
    const node = await this.#node();
    signal?.throwIfAborted();
    const page = await node.proposals(filterOf(group, this.#filter), pageOf(request), signal);
    signal?.throwIfAborted();
    this.#hasGov = node.dialect.gov !== 'none';
    this.#date = page.info.date ?? this.#date;
    this.update(page.rows.filter((row) => groupOf(row) !== group));
    return { ...page, rows: page.rows.filter((row) => groupOf(row) === group).map((row) => this.#keep(row)) };
  }

  get #areListsWhole(): boolean {
    const isWhole = (group: StatusGroup): boolean =>
      !this.#pagers[group].hasMore || (!this.#pagers[group].started && this.#counts.get(group) === 0n);
    return !isByAddress(this.#filter) && statusGroups.every(isWhole);
  }

  /** Merges a row with what is known of it and takes it out of the group that it has left. */
  #keep(read: ProposalRow): ProposalRow {
    const before = this.#byId.get(read.id);
    const row = mergeRows(before, read);
    this.#byId.set(row.id, row);
    const left = before && groupOf(before);
    if (left && left !== groupOf(row) && isStatusGroup(left)) this.#pagers[left].remove(rowId(row));
    return row;
  }
}

/** The texts of a proposal that a search looks at: title, description and types; none if it cannot be read. */
export function textsOf(row: ProposalRow): readonly string[] {
  if (row.kind !== 'proposal') return [];
  return [row.title ?? '', row.description ?? '', ...row.contents.map(({ typeUrl }) => typeUrl)];
}

function isByAddress({ voter, depositor }: ListFilter): boolean {
  return Boolean(voter || depositor);
}

function rowId(row: ProposalRow): string {
  return row.id.toString();
}

/** The order of open votes: rows without an end last; equal ones stay as they are. */
function soonestFirst(a: ProposalRow, b: ProposalRow): number {
  const [endA, endB] = [a, b].map((row) => (row.kind === 'proposal' ? periodEnd(row)?.getTime() : undefined));
  return endA === endB ? 0 : (endA ?? Number.POSITIVE_INFINITY) - (endB ?? Number.POSITIVE_INFINITY);
}

/** Ids from `from` to `to`, both included. */
interface IdRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** The ranges of ids between the lowest and the highest that are not among these, ascending. */
function idGaps(ids: Iterable<bigint>): readonly IdRange[] {
  const sorted = [...ids].sort((a, b) => (a < b ? -1 : 1));
  const gaps: IdRange[] = [];
  for (const [at, id] of sorted.entries()) {
    const previous = sorted[at - 1];
    if (previous !== undefined && id > previous + 1n) gaps.push({ from: previous + 1n, to: id - 1n });
  }
  return gaps;
}

/** Asks for a group. A node that does not filter answers rows of other groups as well. */
function filterOf(group: StatusGroup, { voter, depositor }: ListFilter): ProposalFilter {
  return { voter, depositor, status: group };
}

/** Asks for the newest proposals first. Only the first page is counted. */
function pageOf(request: PageRequest): ProposalsRequest {
  return { ...request, reverse: true, countTotal: request.key === undefined };
}

/** Loads pages of all proposals, the newest first. */
function loadNewest(node: ChainNode): LoadPage<ProposalRow> {
  return (request, signal) => node.proposals({}, { ...request, reverse: true }, signal);
}

/** Reads proposals outside the lists by status (`listed`), if a count shows that there are any. Rejects as `proposals`. */
async function* readUnlisted(
  node: ChainNode,
  listed: { readonly size: number; has(id: bigint): boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<Page<ProposalRow>> {
  const known = listed.size;
  const { total } = await node.proposals({}, { limit: 1, countTotal: true }, signal);
  let missing = Number(total ?? 0) - known;
  if (missing <= 0) return;
  for await (const page of readPages(loadNewest(node), { idOf: rowId, limit: 100, enough: 2000, signal })) {
    const rows = page.rows.filter(({ id }) => !listed.has(id));
    missing -= rows.length;
    if (rows.length > 0) yield { ...page, rows };
    if (missing <= 0) return;
  }
}

/** Counts the proposals of groups. Empty if the node counts filtered lists wrong, or fails. */
async function readCounts(
  node: ChainNode,
  groups: readonly StatusGroup[],
  filter: ListFilter,
  signal: AbortSignal,
): Promise<ReadonlyMap<StatusGroup, bigint>> {
  const counts = new Map<StatusGroup, bigint>();
  if (!node.countsFiltered) return counts;
  await concurrently(groups, 2, async (group) => {
    const { total } = await node.proposals(filterOf(group, filter), { limit: 1, countTotal: true }, signal);
    if (total !== undefined) counts.set(group, total);
  }).catch(() => undefined);
  return counts;
}
