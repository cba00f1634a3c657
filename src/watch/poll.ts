import type { ProposalRow, Vote } from '../chain/proposal.ts';
import { type NodeClock, nextCheck } from './clock.ts';
import { foundEntry, isMuted, keyOf, type Voter, type WatchEntry, type WatchItem, type WatchRules } from './list.ts';
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

/** What is watched of one source. */
export interface WatchedSource {
  readonly sourceId: string;
  readonly entries: readonly WatchEntry[];
  /** The item by which all proposals in voting are watched. */
  readonly everything: WatchItem | undefined;
  /** The user's accounts on that chain. */
  readonly voters: readonly Voter[];
  /** Whether its rows are on the screen, and with them the votes so far. */
  readonly isVisible: boolean;
}

/** What one poll of a source reads: ids of proposals, denoms, accounts. */
export interface PollPlan {
  /**
   * `deposits`: all that may change at any time is read. `all`: proposals in voting too, which change at known times.
   * `due`: only what is due by itself.
   */
  readonly scope: 'due' | 'deposits' | 'all';
  readonly proposals: readonly bigint[];
  readonly denoms: readonly string[];
  /** Proposals whose votes so far are counted. */
  readonly tallies: readonly bigint[];
  /** Accounts whose votes are looked for. */
  readonly voters: readonly string[];
  /** Whether all proposals in voting are listed. */
  readonly everything: boolean;
  /** What is known of the watched proposals. */
  readonly known: ReadonlyMap<bigint, ProposalSnapshot>;
  /** Whether the result of an ended period is due. */
  readonly isOverdue: boolean;
}

export interface PlanInput {
  readonly source: WatchedSource;
  readonly state: WatchState;
  readonly endpoint: {
    readonly nodeClock: NodeClock;
    /** Whether everything is to be read now. */
    readonly isForced: boolean;
    /** Whether something is left alone for a while: `proposal 5`, `tally 5`, `denom uatom`, `votes cosmos1…`. */
    readonly isPaused: (what: string) => boolean;
  };
  /** Milliseconds between polls; 0 for none but those that are due by themselves. */
  readonly interval: number;
  /** This machine's time. */
  readonly now: number;
}

/** Proposals in voting are read in every sixth poll. */
const votingEvery = 6;
/** An impossible status is read again after this time, until it is believed or was a lagging node's. */
const doubtDelay = 4 * minute;
/** An ended proposal is read once more after this time: nodes behind one address may disagree for a while. */
const settleTime = 10 * minute;
/** Votes are read hourly, and every ten minutes in the last hour. */
const tallyEvery = { far: hour, near: 10 * minute };
/** At most so many rows that are only on the screen have their votes read. */
const mostVisibleTallies = 20;

/** What is to be read of a source now; undefined where nothing is. */
export function planPoll(input: PlanInput): PollPlan | undefined {
  const { source, state } = input;
  const { nodeClock, isPaused } = input.endpoint;
  const now = nodeClock.now();
  const scope = scopeOf(input);
  const rules = new Map<bigint, WatchRules>();
  const known = new Map<bigint, ProposalSnapshot>();
  for (const entry of source.entries) {
    if (entry.target.kind !== 'proposal') continue;
    const snapshot = state.snapshots.get(entry.key);
    rules.set(entry.target.id, entry.rules);
    if (snapshot?.kind === 'proposal') known.set(entry.target.id, snapshot);
  }
  const ids = [...rules.keys()];
  const endOf = (id: bigint) => periodEnd(known.get(id)) ?? Number.POSITIVE_INFINITY;
  const byEnd = ids.filter((id) => endOf(id) < Number.POSITIVE_INFINITY).sort((a, b) => endOf(a) - endOf(b));
  let proposals = ids.filter((id) => !isPaused(`proposal ${id}`) && isDue(known.get(id), scope, now));
  const denoms = source.entries.flatMap(({ key, target }) => {
    const isRead = target.kind === 'denom' && (scope !== 'due' || !state.snapshots.has(key));
    return isRead && !isPaused(`denom ${target.denom}`) ? [target.denom] : [];
  });
  const shown = source.isVisible ? byEnd.slice(0, mostVisibleTallies) : [];
  const tallies = byEnd.filter((id) => {
    const { quorum, verdict } = rules.get(id) ?? {};
    return (quorum || verdict || shown.includes(id)) && !isPaused(`tally ${id}`) && isTallyDue(known.get(id), now);
  });
  const everything = scope !== 'due' && source.everything !== undefined;
  // A vote that is missing is looked for before it is reported.
  const isVoteDue = ([id, own]: readonly [bigint, WatchRules]) => {
    const snapshot = known.get(id);
    return snapshot && isUnvoted(snapshot) && diffSnapshot(snapshot, snapshot, own, now).length > 0;
  };
  const isAsked = scope !== 'due' || [...rules].some(isVoteDue);
  const voters = source.voters.flatMap(({ address }) => (isAsked && !isPaused(`votes ${address}`) ? [address] : []));
  // Any reply tells the node's time, which deadlines need.
  if (!everything && !nodeClock.isKnown && proposals.length + denoms.length === 0) proposals = byEnd.slice(0, 1);
  if (!everything && proposals.length + denoms.length + tallies.length + voters.length === 0) return undefined;
  const isOverdue = byEnd.some((id) => now >= endOf(id));
  return { scope, proposals, denoms, tallies, voters, everything, known, isOverdue };
}

function scopeOf({ source, state, interval, endpoint, now }: PlanInput): PollPlan['scope'] {
  const { polledAt, votingPolledAt } = state.sources.get(source.sourceId) ?? {};
  // A time in the future is of a clock that was set since.
  const isOlder = (time: number | undefined, age: number) => time === undefined || now - time >= age || now < time;
  if (endpoint.isForced || polledAt === undefined) return 'all';
  if (interval <= 0 || !isOlder(polledAt, interval)) return 'due';
  return source.everything || isOlder(votingPolledAt, votingEvery * interval) ? 'all' : 'deposits';
}

function isDue(snapshot: ProposalSnapshot | undefined, scope: PollPlan['scope'], now: number): boolean {
  if (!snapshot) return true;
  const { status, at, since, doubted } = snapshot;
  if (doubted) return now >= at + doubtDelay || scope === 'all';
  const end = periodEnd(snapshot);
  if (end !== undefined && now >= nextCheck(end, at)) return true;
  if (status === 'deposit') return scope !== 'due';
  // Of the missing: an id that the chain does not have yet.
  if (status === 'voting' || (status === 'missing' && snapshot.submitTime === undefined)) return scope === 'all';
  return at < since + settleTime && now >= since + settleTime;
}

function isTallyDue({ status, votingEnd, tally }: Partial<ProposalSnapshot> = {}, now: number): boolean {
  if (status !== 'voting' || votingEnd === undefined || now >= votingEnd) return false;
  const last = tally?.at ?? 0;
  return now >= Math.min(Math.max(votingEnd - hour, last + tallyEvery.near), last + tallyEvery.far);
}

/** What a poll read, also where the source failed half-way. */
export interface PollResult {
  /** What was read whole. After a failure, what was to be read is still to be read. */
  scope: PollPlan['scope'];
  /** Every proposal that came, whether watched or not. */
  readonly rows: Map<bigint, ProposalRow>;
  /** Proposals that the chain does not have. */
  readonly missing: Set<bigint>;
  /** Of votes so far: percent that are yes, and what they mean. */
  readonly tallies: Map<bigint, SeenProposal['live']>;
  /** By denom, in base units. */
  readonly supplies: Map<string, bigint>;
  /** By account: its votes on proposals in voting. */
  readonly votes: Map<string, ReadonlyMap<bigint, Vote>>;
  /** The proposals in voting, where they were listed. */
  voting: readonly ProposalRow[] | undefined;
}

/** What "everything" found is kept so long after its end. */
const keepEnded = 7 * day;

/**
 * The state after a poll or, without a result, after time went on; with the events that this brings. The same state where nothing
 * changed. `now` is the time of the node and of this machine.
 */
export function applyPoll(
  state: WatchState,
  source: WatchedSource,
  result: PollResult | undefined,
  now: { readonly node: number; readonly machine: number },
): WatchState {
  const { sourceId, everything } = source;
  const snapshots = new Map(state.snapshots);
  const events = new Map(state.events.map((event) => [event.id, event]));
  const before = state.sources.get(sourceId);
  const added = newInVoting(source, before?.found ?? [], result);
  // What is in voting when everything begins to be watched is not reported; what enters voting later is.
  if (before?.found)
    for (const { key } of added) snapshots.set(key, nextProposal(undefined, { status: 'deposit' }, now.node));
  let isChanged = result !== undefined;
  for (const entry of [...source.entries, ...added]) {
    const { key } = entry;
    const last = snapshots.get(key);
    const after = result ? nextSnapshot(entry, last, source, result, now.node) : last;
    if (!after) continue;
    const found = diffSnapshot(last, after, entry.rules, now.node);
    isChanged ||= found.length > 0;
    const isProposal = after.kind === 'proposal';
    snapshots.set(key, isProposal ? { ...after, clock: now.node } : after);
    for (const { id, facts } of isMuted(entry.muted, now.machine) ? [] : found) {
      const event = { id: `${key} ${id}`, key, title: isProposal ? after.title : undefined, facts, at: now.machine };
      if (!events.has(event.id)) events.set(event.id, event);
    }
  }
  if (!isChanged) return state;
  const sources = new Map(state.sources);
  if (result) {
    const keepFor = everything?.own || everything?.shared ? keepEnded : -1;
    const isKept = (id: string) => {
      const snapshot = snapshots.get(keyOf({ kind: 'proposal', sourceId, id: BigInt(id) }));
      return snapshot?.kind !== 'proposal' || isOpen(snapshot) || now.node - snapshot.since <= keepFor;
    };
    const ids = [...(before?.found ?? []).filter(isKept), ...added.map(({ target }) => `${target.id}`)];
    sources.set(sourceId, {
      polledAt: result.scope === 'due' ? before?.polledAt : now.machine,
      votingPolledAt: result.scope === 'all' ? now.machine : before?.votingPolledAt,
      found: everything && (result.voting || before?.found) ? ids : undefined,
    });
  }
  return { snapshots, sources, events: [...events.values()] };
}

function isOpen({ status }: ProposalSnapshot): boolean {
  return status === 'voting' || status === 'deposit';
}

function nextSnapshot(
  { rules, target }: WatchEntry,
  before: Snapshot | undefined,
  { voters }: WatchedSource,
  result: PollResult,
  now: number,
): Snapshot | undefined {
  if (target.kind === 'denom') {
    const amount = result.supplies.get(target.denom);
    const last = before?.kind === 'denom' ? before : undefined;
    return amount === undefined ? last : nextSupply(last, amount, rules.supply, now);
  }
  const { id } = target;
  const last = before?.kind === 'proposal' ? before : undefined;
  const row = result.rows.get(id);
  const live = result.tallies.get(id);
  const known = row?.kind === 'proposal' ? toSeen(row) : live && last;
  const seen = result.missing.has(id) ? ({ status: 'missing' } as const) : known && { ...known, live };
  const after = seen ? nextProposal(last, seen, now) : last;
  const votes = [...result.votes].map(([account, ids]) => [account, ids.get(id) ?? []] as const);
  return after && withVotes(after, voters, Object.fromEntries(votes));
}

/** The entries of proposals in voting that "everything" has not found before. */
function newInVoting({ everything, entries }: WatchedSource, found: readonly string[], result: PollResult | undefined) {
  if (!everything) return [];
  const known = new Set(entries.map(({ key }) => key));
  const rows = (result?.voting ?? []).filter((row) => row.kind === 'proposal' && row.status === 'voting');
  const isNew = ({ key, target }: ReturnType<typeof foundEntry>) => !known.has(key) && !found.includes(`${target.id}`);
  return rows.map(({ id }) => foundEntry(everything, id)).filter(isNew);
}
