import type { ChainNode } from '../api/node.ts';
import type { Page, PageRequest } from '../api/pages.ts';
import { Emitter } from '../chain/emitter.ts';
import {
  groupOf,
  isFiltering,
  isStatusGroup,
  type ListFilter,
  mergeRows,
  type ProposalGroup,
  type ProposalRow,
  type StatusGroup,
  statusGroups,
} from '../chain/proposal.ts';
import { type AnyPager, Pager } from './pager.ts';
import { nodeReads } from './viewStore.ts';

/** Open votes that are read at most, so that all of them can be sorted by their end. */
export const maxOpen = 500;

/** The proposals of a source by group and by id. An id is never in two groups: the newest read decides. */
export class ProposalStore {
  readonly #node: () => Promise<ChainNode>;
  readonly #pagers: Readonly<Record<StatusGroup, Pager<ProposalRow>>>;
  readonly #known = new Map<bigint, ProposalRow>();
  /** What changed: one proposal, one list, or (neither) the lists as such. */
  readonly #changed = new Emitter<{ readonly group?: ProposalGroup; readonly id?: bigint }>();
  readonly #counts = new Map<StatusGroup, bigint>();
  #filter: ListFilter = {};
  #hasGov = true;
  #date: Date | undefined;
  /** Ends what is read beside the lists. */
  #abort = new AbortController();
  #isSearching = false;
  #knownWhenSearched: number | undefined;

  constructor(node: () => Promise<ChainNode>, pageSize: () => number) {
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
  }

  readonly onDidChange = this.#changed.on;

  /** The paged lists of the store. */
  get pagers(): readonly AnyPager[] {
    return Object.values(this.#pagers);
  }

  /** Whether there is a filter that can be taken away. */
  get isChanged(): boolean {
    return isFiltering(this.#filter);
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

  /** The source's own time at its last answer, where it states one. */
  get date(): Date | undefined {
    return this.#date;
  }

  count(group: StatusGroup): bigint | undefined {
    const { started, hasMore, rows, faults, total } = this.#pagers[group];
    if (!started) return this.#counts.get(group);
    return hasMore ? total : BigInt(rows.length + faults.length);
  }

  /** Counts the groups that were not read, where the node counts filtered lists right; what fails stays unknown. */
  async loadCounts(): Promise<void> {
    const { signal } = this.#abort;
    const groups = this.shownGroups.filter((group) => !this.#pagers[group].started && !this.#pagers[group].loading);
    const { readCounts } = await nodeReads();
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
    this.#knownWhenSearched = undefined;
    this.#counts.clear();
    this.#known.clear();
    for (const group of statusGroups) this.#pagers[group].reset();
    this.#changed.fire({});
  }

  pager(group: StatusGroup): Pager<ProposalRow> {
    return this.#pagers[group];
  }

  /** The rows of a group, newest first; those in voting by their end, the next one first. */
  rows(group: ProposalGroup): readonly ProposalRow[] {
    if (group === 'voting') return this.#pagers.voting.rows.toSorted(soonestFirst);
    if (isStatusGroup(group)) return this.#pagers[group].rows;
    return [...this.#known.values()].filter((row) => groupOf(row) === group).sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  known(id: bigint): ProposalRow | undefined {
    return this.#known.get(id);
  }

  all(): Iterable<ProposalRow> {
    return this.#known.values();
  }

  /** Reads one proposal into the store. Rejects as `ChainNode.proposal` does. */
  async load(id: bigint, signal?: AbortSignal): Promise<ProposalRow> {
    const { readProposal } = await nodeReads();
    const row = await readProposal(await this.#node(), id, signal);
    this.update([row]);
    return this.#known.get(id) ?? row;
  }

  /** Adds rows that were read elsewhere, moving them between groups where their status changed. */
  update(rows: readonly ProposalRow[]): void {
    for (const read of rows) {
      const before = this.#known.get(read.id);
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
    return this.#areListsWhole ? idGaps(this.#known.keys()) : undefined;
  }

  /** Whether every proposal of the chain is known: all lists are whole, and what they do not hold was searched. */
  get isWhole(): boolean {
    return this.#areListsWhole && !this.#isSearching && this.#knownWhenSearched === this.#known.size;
  }

  /** Adds what `readUnlisted` finds, once all lists are whole and where any was added since. Rejects as it does. */
  async loadUnlisted(): Promise<void> {
    if (!this.#areListsWhole || this.#isSearching || this.isWhole) return;
    const { signal } = this.#abort;
    this.#isSearching = true;
    this.#knownWhenSearched = this.#known.size;
    try {
      const { readUnlisted } = await nodeReads();
      for await (const { rows } of readUnlisted(await this.#node(), this.#known, signal)) {
        signal.throwIfAborted();
        this.update(rows);
        this.#knownWhenSearched = this.#known.size;
      }
    } finally {
      if (!signal.aborted) this.#isSearching = false;
    }
  }

  dispose(): void {
    this.#abort.abort();
    for (const group of statusGroups) this.#pagers[group].dispose();
    this.#changed.dispose();
    this.#known.clear();
  }

  async #loadPage(
    group: StatusGroup,
    request: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<ProposalRow>> {
    const node = await this.#node();
    signal?.throwIfAborted();
    const { readGroup } = await nodeReads();
    const page = await readGroup(node, group, this.#filter, request, signal);
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
    const before = this.#known.get(read.id);
    const row = mergeRows(before, read);
    this.#known.set(row.id, row);
    const left = before && groupOf(before);
    if (left && left !== groupOf(row) && isStatusGroup(left)) this.#pagers[left].remove(rowId(row));
    return row;
  }
}

function isByAddress({ voter, depositor }: ListFilter): boolean {
  return Boolean(voter || depositor);
}

function rowId(row: ProposalRow): string {
  return row.id.toString();
}

/** The order of open votes: rows without an end last; equal ones stay as they are. */
export function soonestFirst(a: ProposalRow, b: ProposalRow): number {
  const [endA, endB] = [a, b].map((row) => (row.kind === 'proposal' ? row.votingEndTime?.getTime() : undefined));
  return endA === endB ? 0 : (endA ?? Number.POSITIVE_INFINITY) - (endB ?? Number.POSITIVE_INFINITY);
}

/** Both ends belong to it. */
export interface IdRange {
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
