import { nextCheck } from './clock.ts';
import type { PolledEndpoint } from './endpoint.ts';
import { diffSnapshot, isUnvoted, type ProposalSnapshot, snapshotEnd } from './snapshot.ts';
import type { WatchState } from './storedState.ts';
import type { Voter } from './voters.ts';
import type { WatchItem, WatchRules } from './watchList.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Proposals in voting are read in every sixth poll. */
const votingEvery = 6;
/**
 * The time after which an impossible status is read again, until it is believed or turns out to be a lagging node's.
 */
const confirmDelay = 4 * minute;
/**
 * The time after which an ended proposal is read once more, since nodes behind one address may disagree for a while.
 */
const settleTime = 10 * minute;
const tallyEvery = { far: hour, near: 10 * minute };
const maxVisibleTallies = 20;

/** The watched items of one source. */
export interface WatchedSource {
  readonly sourceId: string;
  readonly entries: readonly WatchItem[];
  /** The item by which all proposals in voting are watched. */
  readonly everything: WatchItem | undefined;
  readonly voters: readonly Voter[];
  /** True if its rows are on the screen, with the votes so far. */
  readonly isVisible: boolean;
}

/**
 * `due`: only the reads that are due. `deposits`: also everything that may change at any time. `all`: also proposals in
 * voting.
 */
export type PollScope = 'due' | 'deposits' | 'all';

/** The reads of one poll of a source. */
export interface PollPlan {
  readonly scope: PollScope;
  readonly ids: readonly bigint[];
  /** Proposals in voting whose votes so far are counted, in the order of their ends. */
  readonly tallies: readonly bigint[];
  readonly denoms: readonly string[];
  /** Accounts of the user whose votes are read. */
  readonly accounts: readonly string[];
  /** True if all proposals in voting are listed. */
  readonly listsVoting: boolean;
  /** The snapshots of the watched proposals. */
  readonly known: ReadonlyMap<bigint, ProposalSnapshot>;
  readonly voters: readonly Voter[];
  /** True if the result of an ended period is due. */
  readonly isOverdue: boolean;
  /** The refreshes that this poll answers if it reads everything (`PolledEndpoint.answerRefreshes`). */
  readonly refreshes: number;
  /** True if a person has asked for the poll. Then everything is read again. */
  readonly isForced: boolean;
}

/**
 * Plans the reads that are due of a source; undefined if there are none. `interval` is the number of milliseconds
 * between polls, or 0 for only those that are due by themselves.
 */
export function planPoll(
  source: WatchedSource,
  endpoint: PolledEndpoint,
  state: WatchState,
  interval: number,
): PollPlan | undefined {
  const now = endpoint.now();
  const scope = scopeOf(source, endpoint, state, interval);
  const known = new Map<bigint, ProposalSnapshot>();
  const rules = new Map<bigint, WatchRules>();
  for (const { key, target, rules: own } of source.entries) {
    if (target.kind !== 'proposal') continue;
    rules.set(target.id, own);
    const snapshot = state.snapshots.get(key);
    if (snapshot?.kind === 'proposal') known.set(target.id, snapshot);
  }
  const endOf = (id: bigint): number => snapshotEnd(known.get(id)) ?? Number.POSITIVE_INFINITY;
  const byEnd = [...known.keys()].filter((id) => endOf(id) < Number.POSITIVE_INFINITY);
  byEnd.sort((a, b) => endOf(a) - endOf(b));
  const shown = source.isVisible ? byEnd.slice(0, maxVisibleTallies) : [];
  const tallies = byEnd.filter((id) => {
    const { quorum, verdict } = rules.get(id) ?? {};
    const isRead = quorum || verdict || shown.includes(id);
    return isRead && !endpoint.isPaused(`tally ${id}`) && isTallyDue(known.get(id), now);
  });
  const denoms = dueDenoms(source, endpoint, state, scope);
  const accounts = dueAccounts(source, endpoint, scope, () =>
    [...known].some(([id, snapshot]) => isVoteReadDue(snapshot, rules.get(id), now)),
  );
  const listsVoting = scope !== 'due' && source.everything !== undefined;
  const due = [...rules.keys()].filter(
    (id) => !endpoint.isPaused(`proposal ${id}`) && isProposalDue(known.get(id), scope, now),
  );
  // Any reply tells the node's time, which deadlines need.
  const isTimeMissing = !listsVoting && !endpoint.isTimeKnown && due.length + denoms.length === 0;
  const ids = isTimeMissing ? byEnd.slice(0, 1) : due;
  if (!listsVoting && [ids, denoms, tallies, accounts].every(({ length }) => length === 0)) return undefined;
  const isOverdue = byEnd.some((id) => now >= endOf(id));
  const { refreshes, isForced } = endpoint;
  const { voters } = source;
  return { scope, ids, tallies, denoms, accounts, listsVoting, known, voters, isOverdue, refreshes, isForced };
}

function scopeOf(
  { sourceId, everything }: WatchedSource,
  { clock, isForced }: PolledEndpoint,
  state: WatchState,
  interval: number,
): PollScope {
  const { polledAt, votingPolledAt } = state.sources.get(sourceId) ?? {};
  const now = clock.now();
  // A time in the future comes from a clock that has been set since.
  const isOlder = (time: number | undefined, age: number): boolean =>
    time === undefined || now - time >= age || now < time;
  if (isForced || polledAt === undefined) return 'all';
  if (interval <= 0 || !isOlder(polledAt, interval)) return 'due';
  return everything || isOlder(votingPolledAt, votingEvery * interval) ? 'all' : 'deposits';
}

function isProposalDue(snapshot: ProposalSnapshot | undefined, scope: PollScope, now: number): boolean {
  if (!snapshot) return true;
  const { status, at, since, unconfirmed } = snapshot;
  if (unconfirmed) return now >= at + confirmDelay || scope === 'all';
  const end = snapshotEnd(snapshot);
  if (end !== undefined && now >= nextCheck(end, at)) return true;
  if (status === 'deposit') return scope !== 'due';
  // A missing id may be one that the chain does not have yet.
  if (status === 'voting' || (status === 'missing' && snapshot.submitTime === undefined)) return scope === 'all';
  return at < since + settleTime && now >= since + settleTime;
}

function dueDenoms(
  { entries }: WatchedSource,
  endpoint: PolledEndpoint,
  { snapshots }: WatchState,
  scope: PollScope,
): readonly string[] {
  return entries.flatMap(({ key, target }) => {
    const isRead = target.kind === 'denom' && (scope !== 'due' || !snapshots.has(key));
    return isRead && !endpoint.isPaused(`denom ${target.denom}`) ? [target.denom] : [];
  });
}

/** Lists the accounts to read. `isAnyVoteDue` is asked only if nothing else needs them. */
function dueAccounts(
  { voters }: WatchedSource,
  endpoint: PolledEndpoint,
  scope: PollScope,
  isAnyVoteDue: () => boolean,
): readonly string[] {
  if (voters.length === 0 || (scope === 'due' && !isAnyVoteDue())) return [];
  return voters.map(({ address }) => address).filter((account) => !endpoint.isPaused(`votes ${account}`));
}

/** A missing vote is looked for before it is reported. */
function isVoteReadDue(snapshot: ProposalSnapshot, rules: WatchRules | undefined, now: number): boolean {
  return rules !== undefined && isUnvoted(snapshot) && diffSnapshot(snapshot, snapshot, rules, now).length > 0;
}

function isTallyDue({ status, votingEnd, tally }: Partial<ProposalSnapshot> = {}, now: number): boolean {
  if (status !== 'voting' || votingEnd === undefined || now >= votingEnd) return false;
  const last = tally?.at ?? 0;
  return now >= Math.min(Math.max(votingEnd - hour, last + tallyEvery.near), last + tallyEvery.far);
}
