import type { ProposalRow, Vote } from '../chain/proposal.ts';
import { type NodeClock, nextCheck } from './clock.ts';
import {
  entryKey,
  foundRules,
  isMuted,
  needsTally,
  type WatchEntry,
  type WatchEverything,
  type WatchTarget,
} from './list.ts';
import {
  diffSnapshot,
  isLive,
  nextProposal,
  nextSupply,
  periodEnd,
  type SeenProposal,
  settleTime,
  toSeen,
  withVotes,
} from './snapshot.ts';
import type { ProposalSnapshot, Snapshot, SourceState, WatchEvent, WatchState } from './storedState.ts';
import type { Voter } from './voters.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type EntryOf<Kind extends WatchTarget['kind']> = WatchEntry & {
  readonly target: Extract<WatchTarget, { kind: Kind }>;
};
export type ProposalEntry = EntryOf<'proposal'>;

/** What is watched of one source. */
export interface WatchedSource {
  readonly sourceId: string;
  readonly entries: readonly WatchEntry[];
  /** Whether everything in voting is watched, and which proposals that skips. */
  readonly everything: WatchEverything | undefined;
  /** The user's accounts on that chain. */
  readonly voters: readonly Voter[];
}

/** What one poll of a source reads. */
export interface PollPlan {
  /**
   * `deposits`: all that may change at any time is read. `all`: proposals in voting too, which change at known times.
   * `due`: only what is due by itself.
   */
  readonly scope: 'due' | 'deposits' | 'all';
  readonly proposals: readonly ProposalEntry[];
  readonly denoms: readonly EntryOf<'denom'>[];
  /** Proposals whose votes so far are counted. */
  readonly tallies: readonly ProposalEntry[];
  /** Accounts whose votes are looked for. */
  readonly voters: readonly Voter[];
  /** Whether all proposals in voting are listed. */
  readonly everything: boolean;
  /** All watched proposals of the source, whose rows are kept wherever they come, and what is known of them by entry key. */
  readonly watched: readonly ProposalEntry[];
  readonly known: ReadonlyMap<string, ProposalSnapshot>;
  /** Whether the result of an ended period is due. */
  readonly isOverdue: boolean;
}

/** Until when entries and accounts are left alone, and when votes were last counted: by their keys, times of the node's clock. */
export interface Attempts {
  readonly notBefore: Map<string, number>;
  readonly tallies: Map<string, number>;
}

export interface PlanInput {
  readonly source: WatchedSource;
  readonly state: WatchState;
  readonly endpoint: { readonly attempts: Attempts; readonly isForced: boolean; readonly nodeClock: NodeClock };
  /** Milliseconds between polls; 0 for none but those that are due by themselves. */
  readonly interval: number;
  /** Whether the rows of the source are on the screen. */
  readonly isVisible: boolean;
  /** This machine's time. */
  readonly now: number;
}

/** Proposals in voting are read in every sixth poll. */
const votingEvery = 6;
/** An impossible status is read again after this time, until it is believed or was a lagging node's. */
const doubtDelay = 4 * minute;
/** Votes are read hourly, and every ten minutes in the last hour. */
const tallyEvery = { far: hour, near: 10 * minute };
/** At most so many rows that are only on the screen have their votes read. */
const mostVisibleTallies = 20;

/** What is to be read of a source now; undefined where nothing is. */
export function planPoll(input: PlanInput): PollPlan | undefined {
  const { source, state, endpoint } = input;
  const { attempts, nodeClock } = endpoint;
  const nodeNow = nodeClock.now();
  const scope = scopeOf(input);
  const watched = source.entries.filter((entry): entry is ProposalEntry => entry.target.kind === 'proposal');
  const known = new Map<string, ProposalSnapshot>();
  for (const { key } of watched) {
    const snapshot = state.snapshots.get(key);
    if (snapshot?.kind === 'proposal') known.set(key, snapshot);
  }
  const endOf = ({ key }: ProposalEntry) => periodEnd(known.get(key)) ?? Number.POSITIVE_INFINITY;
  const isReadable = ({ key }: WatchEntry) => (attempts.notBefore.get(key) ?? 0) <= nodeNow;
  let proposals = watched.filter((entry) => isReadable(entry) && isDue(known.get(entry.key), scope, nodeNow));
  const denoms = source.entries.filter(
    (entry): entry is EntryOf<'denom'> =>
      entry.target.kind === 'denom' && isReadable(entry) && (scope !== 'due' || !state.snapshots.has(entry.key)),
  );
  const byEnd = watched.filter((entry) => endOf(entry) < Number.POSITIVE_INFINITY).sort((a, b) => endOf(a) - endOf(b));
  const tallies = dueTallies(byEnd, known, input, nodeNow);
  const everything = scope !== 'due' && source.everything !== undefined;
  // A vote that is missing is looked for before it is reported.
  const isVoteDue = (entry: ProposalEntry) => {
    const snapshot = known.get(entry.key);
    const events = snapshot ? diffSnapshot(snapshot, snapshot, entry.rules, nodeNow) : [];
    return events.some(({ facts }) => 'unvoted' in facts && facts.unvoted);
  };
  const isAsked = ({ address }: Voter) => (attempts.notBefore.get(voterKey(address)) ?? 0) <= nodeNow;
  const voters = scope !== 'due' || watched.some(isVoteDue) ? source.voters.filter(isAsked) : [];
  // Any reply tells the node's time, which deadlines need.
  if (!everything && !nodeClock.isKnown && proposals.length + denoms.length === 0) proposals = byEnd.slice(0, 1);
  if (!everything && proposals.length + denoms.length + tallies.length + voters.length === 0) return undefined;
  const isOverdue = byEnd.some((entry) => nodeNow >= endOf(entry));
  return { scope, proposals, denoms, tallies, voters, everything, watched, known, isOverdue };
}

/** The key of an account among `attempts`. */
export function voterKey(address: string): string {
  return `votes of ${address}`;
}

function scopeOf({ source, state, interval, endpoint, now }: PlanInput): PollPlan['scope'] {
  const { polledAt, votingPolledAt } = state.sources.get(source.sourceId) ?? {};
  if (endpoint.isForced || polledAt === undefined) return 'all';
  if (interval <= 0 || !isOlder(polledAt, interval, now)) return 'due';
  return source.everything || isOlder(votingPolledAt, votingEvery * interval, now) ? 'all' : 'deposits';
}

/** A time in the future is of a clock that was set since. */
function isOlder(time: number | undefined, age: number, now: number): boolean {
  return time === undefined || now - time >= age || now < time;
}

function isDue(snapshot: ProposalSnapshot | undefined, scope: PollPlan['scope'], now: number): boolean {
  if (!snapshot) return true;
  if (snapshot.doubted) return now >= snapshot.at + doubtDelay || scope === 'all';
  const end = periodEnd(snapshot);
  if (end !== undefined && now >= nextCheck(end, snapshot.at)) return true;
  if (snapshot.status === 'deposit') return scope !== 'due';
  if (snapshot.status === 'voting') return scope === 'all';
  // An id that the chain does not have yet.
  if (snapshot.status === 'missing' && snapshot.submitTime === undefined) return scope === 'all';
  return !snapshot.settled && now >= snapshot.since + settleTime;
}

/** Proposals whose votes are due: wanted by a rule, or because they are on the screen. `byEnd`: the nearest ends first. */
function dueTallies(
  byEnd: readonly ProposalEntry[],
  known: ReadonlyMap<string, ProposalSnapshot>,
  { endpoint: { attempts }, isVisible }: PlanInput,
  nodeNow: number,
): readonly ProposalEntry[] {
  const shown = new Set(isVisible ? byEnd.slice(0, mostVisibleTallies) : []);
  return byEnd.filter((entry) => {
    const { status, votingEnd, tally } = known.get(entry.key) ?? {};
    if (status !== 'voting' || votingEnd === undefined || nodeNow >= votingEnd) return false;
    if (!needsTally(entry.rules) && !shown.has(entry)) return false;
    const last = Math.max(tally?.at ?? 0, attempts.tallies.get(entry.key) ?? 0);
    const near = Math.max(votingEnd - hour, last + tallyEvery.near);
    return nodeNow >= Math.min(near, last + tallyEvery.far);
  });
}

/** What a poll read, by entry key; also where the source failed half-way. */
export interface PollResult {
  readonly proposals: Map<string, SeenProposal>;
  readonly supplies: Map<string, bigint>;
  /** By account: its votes on proposals in voting, by id in digits. */
  readonly votes: Map<string, ReadonlyMap<string, Vote>>;
  /** Every row that came, whether watched or not. */
  readonly rows: ProposalRow[];
  /** All proposals in voting, where they were listed. */
  voting: readonly ProposalRow[] | undefined;
  failed: boolean;
}

/** What is applied to the state; without a poll only the time went on. Times of the node and of this machine. */
export interface Applied {
  readonly source: WatchedSource;
  readonly poll?: { readonly plan: PollPlan; readonly result: PollResult };
  readonly nodeNow: number;
  readonly now: number;
}

/** What "everything" found is kept so long after its end. */
const keepEnded = 7 * day;

/** The state after a poll, or after time went on, with the events that this brings. The same state where nothing changed. */
export function applyPoll(state: WatchState, { source, poll, nodeNow, now }: Applied): WatchState {
  const snapshots = new Map(state.snapshots);
  const known = new Set(state.events.map(({ id }) => id));
  const events: WatchEvent[] = [];
  const before = state.sources.get(source.sourceId);
  const added = newInVoting(source, before, poll?.result);
  for (const { entry, seen } of added) {
    poll?.result.proposals.set(entry.key, seen);
    // What is in voting when everything begins to be watched is not reported; what enters voting later is.
    if (before?.found) snapshots.set(entry.key, { ...nextProposal(undefined, seen, nodeNow), status: 'deposit' });
  }
  let changed = poll !== undefined;
  for (const entry of [...source.entries, ...added.map((one) => one.entry)]) {
    const { key } = entry;
    const last = snapshots.get(key);
    const after = poll ? nextSnapshot(entry, last, source, poll.result, nodeNow) : last;
    const found = after ? diffSnapshot(last, after, entry.rules, nodeNow) : [];
    if (!after || (after === last && found.length === 0)) continue;
    changed = true;
    snapshots.set(key, after.kind === 'proposal' ? { ...after, clock: nodeNow } : after);
    const title = after.kind === 'proposal' ? after.title : undefined;
    for (const { id, facts } of isMuted(entry.muted, now) ? [] : found) {
      const event = { id: `${key} ${id}`, key, title, facts, at: now, told: false };
      if (!known.has(event.id)) events.push(event);
    }
  }
  if (!changed) return state;
  const sources = new Map(state.sources);
  if (poll) {
    const { everything, sourceId } = source;
    const keepFor = everything?.onlyVotes ? -1 : keepEnded;
    const isKept = (id: string) => {
      const snapshot = snapshots.get(entryKey({ kind: 'proposal', sourceId, id: BigInt(id) }));
      return snapshot?.kind !== 'proposal' || isLive(snapshot) || nodeNow - snapshot.since <= keepFor;
    };
    const ids = [...(before?.found ?? []).filter(isKept), ...added.map(({ id }) => `${id}`)];
    // After a failure, what was to be read is still to be read.
    const scope = poll.result.failed ? 'due' : poll.plan.scope;
    sources.set(sourceId, {
      polledAt: scope === 'due' ? before?.polledAt : now,
      votingPolledAt: scope === 'all' ? now : before?.votingPolledAt,
      found: everything && (poll.result.voting || before?.found) ? ids : undefined,
    });
  }
  return { snapshots, sources, events: [...state.events, ...events] };
}

function nextSnapshot(
  { key, rules, target }: WatchEntry,
  before: Snapshot | undefined,
  { voters }: WatchedSource,
  { proposals, supplies, votes }: PollResult,
  now: number,
): Snapshot | undefined {
  const amount = supplies.get(key);
  if (amount !== undefined) return nextSupply(before?.kind === 'denom' ? before : undefined, amount, rules, now);
  const last = before?.kind === 'proposal' ? before : undefined;
  const seen = proposals.get(key);
  const after = seen ? nextProposal(last, seen, now) : last;
  if (!after || target.kind !== 'proposal') return before;
  const found = [...votes].map(([account, ids]) => [account, ids.get(`${target.id}`) ?? []] as const);
  const accounts = voters.map(({ address }) => address);
  return withVotes(after, accounts, Object.fromEntries(found));
}

/** The proposals in voting that "everything" has not found before. */
function newInVoting(
  { sourceId, everything, entries }: WatchedSource,
  before: SourceState | undefined,
  result: PollResult | undefined,
) {
  if (!everything) return [];
  const { muted, own, shared } = everything;
  const place = { rules: foundRules(everything), muted, own, shared, found: true };
  const known = new Set(entries.map(({ key }) => key));
  return (result?.voting ?? []).flatMap((row) => {
    const target = { kind: 'proposal', sourceId, id: row.id } as const;
    const key = entryKey(target);
    if (row.kind !== 'proposal' || row.status !== 'voting') return [];
    if (known.has(key) || before?.found?.includes(`${row.id}`)) return [];
    const entry: WatchEntry = { kind: 'entry', key, target, ...place };
    return [{ id: row.id, entry, seen: toSeen(row) }];
  });
}
