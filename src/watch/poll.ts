import { isApiError, isHttpError } from '../api/errors.ts';
import type { ChainNode, ProposalFilter } from '../api/node.ts';
import { type LoadPage, mapRows, readPages } from '../api/pages.ts';
import { concurrently } from '../chain/concurrently.ts';
import { toProposalRow, toVote } from '../chain/fromWire.ts';
import { type Proposal, type ProposalRow, totalVotes, type Vote, wireStatus } from '../chain/proposal.ts';
import { quotient, whole } from '../chain/ratio.ts';
import { Judge, type JudgeRead } from '../session/judge.ts';
import type { Session } from '../session/session.ts';
import { nextCheck } from './clock.ts';
import type { PolledEndpoint } from './endpoint.ts';
import { foundEntry, isMuted, keyOf, type Voter, type WatchItem, type WatchRules } from './list.ts';
import {
  diffSnapshot,
  isUnvoted,
  nextProposal,
  nextSupply,
  type ProposalSnapshot,
  periodEnd,
  type SeenProposal,
  type Snapshot,
  toSeen,
  withVotes,
} from './snapshot.ts';
import type { WatchState } from './storedState.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Proposals in voting are read in every sixth poll. */
const votingEvery = 6;
/** An impossible status is read again after this time, until it is believed or was a lagging node's. */
const doubtDelay = 4 * minute;
/** An ended proposal is read once more after this time: nodes behind one address may disagree for a while. */
const settleTime = 10 * minute;
const tallyEvery = { far: hour, near: 10 * minute };
const mostVisibleTallies = 20;
const keepEnded = 7 * day;
/** From so many proposals on, one page is cheaper than a request for each. */
const pageWorth = 4;
const pageLimit = 100;
const mostListed = 500;
const atOnce = 4;
/** Without an answer to these, nothing is said of votes. */
const needed: readonly JudgeRead[] = ['tally', 'params', 'power'];

/** What is watched of one source. */
export interface WatchedSource {
  readonly sourceId: string;
  readonly entries: readonly WatchItem[];
  /** The item by which all proposals in voting are watched. */
  readonly everything: WatchItem | undefined;
  readonly voters: readonly Voter[];
  /** Whether its rows are on the screen, and with them the votes so far. */
  readonly isVisible: boolean;
}

/** One poll of a source: finds what is due, reads it, and applies it to the state. */
export class Poll {
  readonly #source: WatchedSource;
  readonly #endpoint: PolledEndpoint;
  readonly #known = new Map<bigint, ProposalSnapshot>();
  /** `deposits`: all that may change at any time. `all`: proposals in voting too. `due`: only what is due by itself. */
  readonly #scope: 'due' | 'deposits' | 'all';
  readonly #ids: readonly bigint[];
  readonly #denoms: readonly string[];
  readonly #tallies: readonly bigint[];
  readonly #accounts: readonly string[];
  readonly #isEverything: boolean;
  readonly isOverdue: boolean;
  /** What was read; a poll that failed half-way is not whole. */
  #progress: 'none' | 'some' | 'whole' = 'none';
  readonly #rows = new Map<bigint, ProposalRow>();
  readonly #missing = new Set<bigint>();
  readonly #live = new Map<bigint, SeenProposal['live']>();
  #judge: Judge | undefined;
  readonly #supplies = new Map<string, bigint>();
  /** By account: its votes on proposals in voting. */
  readonly #votes = new Map<string, ReadonlyMap<bigint, Vote>>();
  #voting: readonly ProposalRow[] | undefined;

  /** `interval`: milliseconds between polls, 0 for none but those that are due by themselves. */
  constructor(source: WatchedSource, endpoint: PolledEndpoint, state: WatchState, interval: number) {
    this.#source = source;
    this.#endpoint = endpoint;
    const now = endpoint.now();
    const machineNow = endpoint.clock.now();
    const { entries, sourceId } = source;
    const { polledAt, votingPolledAt } = state.sources.get(sourceId) ?? {};
    // A time in the future is of a clock that was set since.
    const isOlder = (time: number | undefined, age: number) =>
      time === undefined || machineNow - time >= age || machineNow < time;
    if (endpoint.isForced || polledAt === undefined) this.#scope = 'all';
    else if (interval <= 0 || !isOlder(polledAt, interval)) this.#scope = 'due';
    else this.#scope = source.everything || isOlder(votingPolledAt, votingEvery * interval) ? 'all' : 'deposits';

    const rules = new Map<bigint, WatchRules>();
    for (const entry of entries) {
      if (entry.target.kind !== 'proposal') continue;
      const snapshot = state.snapshots.get(entry.key);
      rules.set(entry.target.id, entry.rules);
      if (snapshot?.kind === 'proposal') this.#known.set(entry.target.id, snapshot);
    }
    const ids = [...rules.keys()];
    const endOf = (id: bigint) => periodEnd(this.#known.get(id)) ?? Number.POSITIVE_INFINITY;
    const byEnd = ids.filter((id) => endOf(id) < Number.POSITIVE_INFINITY).sort((a, b) => endOf(a) - endOf(b));
    this.isOverdue = byEnd.some((id) => now >= endOf(id));
    this.#denoms = entries.flatMap(({ key, target }) => {
      const isRead = target.kind === 'denom' && (this.#scope !== 'due' || !state.snapshots.has(key));
      return isRead && !endpoint.isPaused(`denom ${target.denom}`) ? [target.denom] : [];
    });
    const shown = source.isVisible ? byEnd.slice(0, mostVisibleTallies) : [];
    this.#tallies = byEnd.filter((id) => {
      const { quorum, verdict } = rules.get(id) ?? {};
      const isRead = quorum || verdict || shown.includes(id);
      return isRead && !endpoint.isPaused(`tally ${id}`) && isTallyDue(this.#known.get(id), now);
    });
    // A vote that is missing is looked for before it is reported.
    const isVoteDue = ([id, own]: readonly [bigint, WatchRules]) => {
      const snapshot = this.#known.get(id);
      return snapshot && isUnvoted(snapshot) && diffSnapshot(snapshot, snapshot, own, now).length > 0;
    };
    const isAsked = this.#scope !== 'due' || [...rules].some(isVoteDue);
    const accounts = source.voters.map(({ address }) => address);
    this.#accounts = accounts.filter((account) => isAsked && !endpoint.isPaused(`votes ${account}`));
    this.#isEverything = this.#scope !== 'due' && source.everything !== undefined;
    const due = ids.filter((id) => !endpoint.isPaused(`proposal ${id}`) && this.#isDue(this.#known.get(id), now));
    // Any reply tells the node's time, which deadlines need.
    const isTimeMissing = !this.#isEverything && !endpoint.isTimeKnown && due.length + this.#denoms.length === 0;
    this.#ids = isTimeMissing ? byEnd.slice(0, 1) : due;
  }

  get isDue(): boolean {
    const lists = [this.#ids, this.#denoms, this.#tallies, this.#accounts];
    return this.#isEverything || lists.some(({ length }) => length > 0);
  }

  #isDue(snapshot: ProposalSnapshot | undefined, now: number): boolean {
    if (!snapshot) return true;
    const { status, at, since, doubted } = snapshot;
    if (doubted) return now >= at + doubtDelay || this.#scope === 'all';
    const end = periodEnd(snapshot);
    if (end !== undefined && now >= nextCheck(end, at)) return true;
    if (status === 'deposit') return this.#scope !== 'due';
    // Of the missing: an id that the chain does not have yet.
    if (status === 'voting' || (status === 'missing' && snapshot.submitTime === undefined))
      return this.#scope === 'all';
    return at < since + settleTime && now >= since + settleTime;
  }

  /** Reads what is due and hands it to the stores of the source, also where the source fails half-way. Rejects as it does. */
  async read(session: Session, signal: AbortSignal): Promise<void> {
    this.#progress = 'some';
    try {
      const node = await session.node();
      signal.throwIfAborted();
      await this.#readAll(session, node, signal);
      this.#progress = 'whole';
      if (this.#scope === 'all') this.#endpoint.isForced = false;
    } finally {
      if (!signal.aborted) this.#share(session);
    }
  }

  async #readAll(session: Session, node: ChainNode, signal: AbortSignal): Promise<void> {
    const endpoint = this.#endpoint;
    for (const group of ['deposit', 'voting'] as const) {
      const isWhole = group === 'voting' && this.#isEverything;
      const inGroup = this.#unread.filter((id) => (this.#known.get(id)?.status ?? group) === group);
      // Proposals that are looked at in every poll are worth a page from two on.
      if (!isWhole && inGroup.length < (this.#scope === 'due' ? pageWorth : 2)) continue;
      const rows = await this.#list(node, { status: wireStatus[group] }, isWhole, signal);
      if (group === 'voting') this.#voting = rows;
    }
    // Those that left a status together. Where `reverse` cannot be trusted, the whole list would have to be read.
    if (this.#unread.length >= pageWorth && node.dialect.reverse !== false) await this.#list(node, {}, false, signal);
    await concurrently(this.#unread, atOnce, (id) =>
      endpoint.tolerate(`proposal ${id}`, () => this.#readOne(node, id, signal)),
    );
    await concurrently(this.#denoms, atOnce, (denom) =>
      endpoint.tolerate(`denom ${denom}`, async () => {
        const { amount } = await node.supplyOf(denom, signal);
        this.#supplies.set(denom, BigInt(amount));
      }),
    );
    for (const account of this.#accounts)
      await endpoint.tolerate(`votes ${account}`, () => this.#readVotes(node, account, signal));
    for (const id of this.#tallies)
      await endpoint.tolerate(`tally ${id}`, () => this.#readTally(session, node, id, signal));
  }

  get #unread(): readonly bigint[] {
    return this.#ids.filter((id) => !this.#rows.has(id) && !this.#missing.has(id));
  }

  /** Lists proposals newest first: all (up to five pages), or as far as one of those that are missing may follow. */
  async #list(node: ChainNode, filter: ProposalFilter, isWhole: boolean, signal: AbortSignal) {
    const all: ProposalRow[] = [];
    try {
      for await (const { rows } of this.#pages(node, filter, { reverse: true }, signal)) {
        for (const row of rows) all.push(row);
        this.#keep(rows);
        const last = rows.at(-1)?.id ?? 0n;
        if (!isWhole && this.#unread.every((id) => id > last)) break;
      }
    } catch (error) {
      // What came before is valid; what did not come is read one by one.
      if (!isApiError(error) || error.kind !== 'paging') throw error;
    }
    return all;
  }

  #pages(node: ChainNode, filter: ProposalFilter, order: { readonly reverse?: true }, signal: AbortSignal) {
    const load: LoadPage<ProposalRow> = async (request) => {
      const page = await node.proposals(filter, { ...request, ...order }, signal);
      this.#endpoint.learnTime(page.info.date);
      return mapRows(page, toProposalRow);
    };
    return readPages(load, { idOf: ({ id }) => `${id}`, signal, limit: pageLimit, enough: mostListed });
  }

  #keep(rows: readonly ProposalRow[]): void {
    for (const row of rows) {
      this.#rows.set(row.id, row);
      if (row.kind === 'unreadable') this.#endpoint.pause(`proposal ${row.id}`);
    }
  }

  async #readOne(node: ChainNode, id: bigint, signal: AbortSignal): Promise<void> {
    try {
      const reply = await node.proposal(id, signal);
      this.#endpoint.learnTime(reply.info?.date);
      this.#keep([toProposalRow(reply)]);
    } catch (error) {
      if (!isHttpError(error) || error.status !== 404) throw error;
      this.#missing.add(id);
    }
  }

  /** On what an account has voted, by one list, and how, by one more request for each vote that is new. */
  async #readVotes(node: ChainNode, account: string, signal: AbortSignal): Promise<void> {
    const votes = new Map<bigint, Vote>();
    const pages = this.#pages(node, { status: wireStatus.voting, voter: account }, {}, signal);
    for await (const { rows } of this.#voting?.length === 0 ? [] : pages)
      for (const { id } of rows) {
        // A vote may be changed: a refresh reads it again.
        const known = this.#endpoint.isForced ? undefined : this.#known.get(id)?.votes?.[account];
        const reply = known?.length ? undefined : await node.vote(id, account, signal);
        const vote = reply ? toVote(reply) : known;
        if (vote) votes.set(id, vote);
      }
    this.#votes.set(account, votes);
  }

  async #readTally(session: Session, node: ChainNode, id: bigint, signal: AbortSignal): Promise<void> {
    const proposal = await this.#inVoting(session, node, id, signal);
    if (!proposal) return;
    this.#judge ??= new Judge(node, signal);
    const { verdict, faults } = await this.#judge.judge(proposal, new Date(this.#endpoint.now()));
    const fault = faults.find(({ read }) => needed.includes(read));
    if (fault) throw fault.error;
    const { rules, outcome, tally } = verdict;
    const reached = rules.find(({ name }) => name === 'quorum')?.result;
    const part = tally && quotient(tally.yes, totalVotes(tally));
    const { kind } = outcome;
    this.#live.set(id, {
      yes: part === undefined ? undefined : Number((part * 100n) / whole),
      quorum: reached === 'met' || (reached === 'missed' ? false : undefined),
      verdict: kind === 'wouldPass' || kind === 'wouldFail' ? kind : undefined,
    });
  }

  /** A proposal in voting with its contents, on which its rules depend: read before, or read for it. */
  async #inVoting(session: Session, node: ChainNode, id: bigint, signal: AbortSignal): Promise<Proposal | undefined> {
    const snapshot = this.#known.get(id);
    const stored = session.proposals.known(id);
    const isSame = stored?.kind === 'proposal' && stored.expedited === (snapshot?.expedited ?? stored.expedited);
    const isKnown = isSame && stored.status === 'voting' && snapshot?.status === 'voting';
    if (!this.#rows.has(id) && !this.#missing.has(id) && !isKnown) await this.#readOne(node, id, signal);
    const row = this.#missing.has(id) ? undefined : (this.#rows.get(id) ?? stored);
    return row?.kind === 'proposal' && row.status === 'voting' ? row : undefined;
  }

  #share({ proposals, supply }: Session): void {
    // Every row that a store learns makes views redraw, so only changed ones are handed over.
    const changed = [...this.#rows.values()].filter((row) => {
      const known = proposals.known(row.id);
      if (known?.kind !== 'proposal' || row.kind !== 'proposal') return known === undefined;
      return JSON.stringify(known.raw) !== JSON.stringify(row.raw);
    });
    if (changed.length > 0) proposals.update(changed);
    for (const [denom, amount] of this.#supplies) supply.pager.replace({ denom, amount });
    // How denoms are shown: read once for a session; without an answer the base units are shown.
    if (this.#supplies.size > 0) void supply.loadUnits().catch(() => undefined);
  }

  /** The state, with its events, after a read or as time passes; the same one while the node's time is not known. */
  apply(state: WatchState): WatchState {
    if (!this.#endpoint.isTimeKnown) return state;
    const now = this.#endpoint.now();
    const machineNow = this.#endpoint.clock.now();
    const { sourceId, entries, everything } = this.#source;
    const snapshots = new Map(state.snapshots);
    const events = new Map(state.events.map((event) => [event.id, event]));
    const before = state.sources.get(sourceId);
    const addedIds = this.#newInVoting(before?.found ?? []);
    const added = everything ? addedIds.map((id) => foundEntry(everything, id)) : [];
    // What is in voting when everything begins to be watched is not reported; what enters voting later is.
    if (before?.found)
      for (const { key } of added) snapshots.set(key, nextProposal(undefined, { status: 'deposit' }, now));
    let isChanged = this.#progress !== 'none';
    for (const entry of [...entries, ...added]) {
      const { key } = entry;
      const last = snapshots.get(key);
      const after = this.#next(entry, last, now);
      if (!after) continue;
      const found = diffSnapshot(last, after, entry.rules, now);
      isChanged ||= found.length > 0;
      const isProposal = after.kind === 'proposal';
      snapshots.set(key, isProposal ? { ...after, clock: now } : after);
      for (const { id, facts } of isMuted(entry.muted, machineNow) ? [] : found) {
        const event = { id: `${key} ${id}`, key, title: isProposal ? after.title : undefined, facts, at: machineNow };
        if (!events.has(event.id)) events.set(event.id, event);
      }
    }
    if (!isChanged) return state;
    const sources = new Map(state.sources);
    if (this.#progress !== 'none') {
      const keepFor = everything?.own || everything?.shared ? keepEnded : -1;
      const isKept = (id: string) => {
        const snapshot = snapshots.get(keyOf({ kind: 'proposal', sourceId, id: BigInt(id) }));
        if (snapshot?.kind !== 'proposal') return true;
        const { status, since } = snapshot;
        return status === 'voting' || status === 'deposit' || now - since <= keepFor;
      };
      const ids = [...(before?.found ?? []).filter(isKept), ...addedIds.map(String)];
      // After a failure, what was to be read is still to be read.
      const scope = this.#progress === 'whole' ? this.#scope : 'due';
      sources.set(sourceId, {
        polledAt: scope === 'due' ? before?.polledAt : machineNow,
        votingPolledAt: scope === 'all' ? machineNow : before?.votingPolledAt,
        found: everything && (this.#voting || before?.found) ? ids : undefined,
      });
    }
    return { snapshots, sources, events: [...events.values()] };
  }

  #next({ rules, target }: WatchItem, before: Snapshot | undefined, now: number): Snapshot | undefined {
    if (this.#progress === 'none') return before;
    if (target.kind !== 'proposal') {
      const amount = target.kind === 'denom' ? this.#supplies.get(target.denom) : undefined;
      const last = before?.kind === 'denom' ? before : undefined;
      return amount === undefined ? last : nextSupply(last, amount, rules.supply, now);
    }
    const { id } = target;
    const last = before?.kind === 'proposal' ? before : undefined;
    const row = this.#rows.get(id);
    const live = this.#live.get(id);
    const known = row?.kind === 'proposal' ? toSeen(row) : live && last;
    const seen = this.#missing.has(id) ? ({ status: 'missing' } as const) : known && { ...known, live };
    const after = seen ? nextProposal(last, seen, now) : last;
    const votes = [...this.#votes].map(([account, ids]) => [account, ids.get(id) ?? []] as const);
    return after && withVotes(after, this.#source.voters, Object.fromEntries(votes));
  }

  #newInVoting(found: readonly string[]): readonly bigint[] {
    const { sourceId, entries } = this.#source;
    const watched = new Set(entries.map(({ key }) => key));
    const rows = (this.#voting ?? []).filter((row) => row.kind === 'proposal' && row.status === 'voting');
    const isNew = (id: bigint) => !watched.has(keyOf({ kind: 'proposal', sourceId, id }));
    return rows.map(({ id }) => id).filter((id) => isNew(id) && !found.includes(`${id}`));
  }
}

function isTallyDue({ status, votingEnd, tally }: Partial<ProposalSnapshot> = {}, now: number): boolean {
  if (status !== 'voting' || votingEnd === undefined || now >= votingEnd) return false;
  const last = tally?.at ?? 0;
  return now >= Math.min(Math.max(votingEnd - hour, last + tallyEvery.near), last + tallyEvery.far);
}
