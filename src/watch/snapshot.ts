import { shorten } from '../api/errors.ts';
import type { Proposal } from '../chain/proposal.ts';
import { readHours, type SupplyRule, type WatchRules } from './list.ts';
import type {
  DenomSnapshot,
  EventFacts,
  ProposalSnapshot,
  Snapshot,
  WatchEvent,
  WatchedStatus,
} from './storedState.ts';
import { isUnvoted, type Votes } from './voters.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What one poll read of a proposal. */
export type SeenProposal = Pick<
  ProposalSnapshot,
  'status' | 'title' | 'submitTime' | 'depositEnd' | 'votingEnd' | 'expedited'
> & {
  /** The votes so far, where they were counted: percent that are yes, and what they mean as far as the source knows. */
  readonly live?: { readonly yes: number | undefined } & Pick<ProposalSnapshot, 'quorum' | 'verdict'>;
};

/** A change that is reported. `id` is the same in every window that finds it. */
export interface FoundEvent {
  readonly id: string;
  readonly facts: EventFacts;
}

/** Characters of a title that are kept. */
const longestTitle = 200;

/** What the watch list keeps of a proposal. */
export function toSeen(proposal: Proposal): SeenProposal {
  return {
    status: proposal.status,
    title: proposal.title === undefined ? undefined : shorten(proposal.title, longestTitle),
    submitTime: proposal.submitTime?.getTime(),
    depositEnd: proposal.depositEndTime?.getTime(),
    votingEnd: proposal.votingEndTime?.getTime(),
    expedited: proposal.expedited,
  };
}

/** Whether a proposal may still change. */
export function isLive(snapshot: Snapshot): boolean {
  return snapshot.kind === 'proposal' && (snapshot.status === 'voting' || snapshot.status === 'deposit');
}

/** When the period that a live proposal is in ends, if that is known. */
export function periodEnd(snapshot: Snapshot | undefined): number | undefined {
  if (snapshot?.kind !== 'proposal') return undefined;
  if (snapshot.status === 'voting') return snapshot.votingEnd;
  return snapshot.status === 'deposit' ? snapshot.depositEnd : undefined;
}

/** How long, and how often, a node must report an impossible status before it is believed. */
const doubtTime = 10 * minute;
const doubtReads = 3;
/** An ended proposal is read once more after this time: nodes behind one address may disagree for a while. */
export const settleTime = 10 * minute;

/**
 * The snapshot after a read at `now`, the node's time. A status that cannot follow on the one before is what a lagging node
 * reports: the snapshot keeps its status until several reads over ten minutes agree.
 */
export function nextProposal(before: ProposalSnapshot | undefined, seen: SeenProposal, now: number): ProposalSnapshot {
  const same = before && isSameProposal(before, seen) ? before : undefined;
  if (same && isImpossible(same, seen.status, now)) {
    const { status } = seen;
    const doubted = same.doubted?.status === status ? same.doubted : { status, since: now, count: 0 };
    const next = { ...doubted, count: doubted.count + 1 };
    if (next.count < doubtReads || now - next.since < doubtTime) return { ...same, at: now, clock: now, doubted: next };
  }
  return advance(same, seen, now);
}

function advance(before: ProposalSnapshot | undefined, seen: SeenProposal, now: number): ProposalSnapshot {
  const { status } = seen;
  const live = status === 'voting' ? seen.live : undefined;
  const kept = status === 'voting' ? before : undefined;
  const verdict = live?.verdict ?? kept?.verdict;
  const flipped = verdict !== undefined && before?.verdict !== undefined && verdict !== before.verdict;
  const since = before?.status === status ? before.since : now;
  return {
    kind: 'proposal',
    status,
    title: seen.title ?? before?.title,
    submitTime: seen.submitTime ?? before?.submitTime,
    depositEnd: seen.depositEnd ?? before?.depositEnd,
    votingEnd: seen.votingEnd ?? before?.votingEnd,
    expedited: seen.expedited ?? before?.expedited,
    tally: live ? { yes: live.yes, at: now } : kept?.tally,
    // A vote that has just begun has no votes, so that quorum found by the first count is a change.
    quorum: live?.quorum ?? kept?.quorum ?? (kept?.status === 'deposit' ? false : undefined),
    // An expedited vote that failed goes on with another end and without votes (docs/nodes.md#rules).
    votes: kept?.votingEnd === seen.votingEnd ? kept?.votes : undefined,
    verdict,
    flips: (before?.flips ?? 0) + (flipped ? 1 : 0),
    at: now,
    clock: now,
    since,
    settled: before === undefined || now - since >= settleTime,
    ending: nextEnding(before, status),
  };
}

/**
 * The snapshot with what a poll found of the votes of these accounts. A vote that was seen stays: a node that lags may not have
 * it yet.
 */
export function withVotes(snapshot: ProposalSnapshot, accounts: readonly string[], found: Votes): ProposalSnapshot {
  const { votes: before } = snapshot;
  const known = accounts.flatMap((account) => {
    const vote = found[account]?.length ? found[account] : (before?.[account] ?? found[account]);
    return vote ? [[account, vote] as const] : [];
  });
  const votes = snapshot.status === 'voting' && known.length > 0 ? Object.fromEntries(known) : undefined;
  return JSON.stringify(votes) === JSON.stringify(before) ? snapshot : { ...snapshot, votes };
}

type Submitted = Pick<SeenProposal, 'submitTime'>;

/** An id may stand for another proposal: a test network that began anew. */
function isSameProposal(before: Submitted, after: Submitted): boolean {
  return before.submitTime === undefined || after.submitTime === undefined || before.submitTime === after.submitTime;
}

/** A chain goes from deposit over voting to an end, and never back. */
const stages: Readonly<Partial<Record<WatchedStatus, number>>> = {
  deposit: 0,
  voting: 1,
  passed: 2,
  rejected: 2,
  failed: 2,
  vetoed: 2,
};

function isStepBack(from: WatchedStatus, to: WatchedStatus): boolean {
  return (stages[to] ?? Number.POSITIVE_INFINITY) < (stages[from] ?? 0);
}

function isImpossible(before: ProposalSnapshot, status: WatchedStatus, now: number): boolean {
  if (status !== 'missing' || before.status === 'missing') return isStepBack(before.status, status);
  // A proposal whose deposit was not reached is removed (x/gov/abci.go of the SDK).
  return !(before.status === 'deposit' && before.depositEnd !== undefined && now >= before.depositEnd);
}

/** The same result again, after the chain was restarted from an earlier height, is no new ending. */
function nextEnding(before: ProposalSnapshot | undefined, status: WatchedStatus): ProposalSnapshot['ending'] {
  const known = before?.ending;
  if (stages[status] !== 2 || known?.status === status) return known;
  return { status, turn: (known?.turn ?? 0) + 1 };
}

/** The snapshot after the supply was read at `now`; the amount that changes are counted from moves when one is reported. */
export function nextSupply(
  before: DenomSnapshot | undefined,
  amount: bigint,
  rules: WatchRules,
  now: number,
): DenomSnapshot {
  const read = { amount: amount.toString(), at: now };
  if (!before) return { kind: 'denom', ...read, base: read, earlier: read, newer: read };
  // Two samples, so that the older one is between one and two days old once there is that much history.
  const rotate = now - before.newer.at >= day;
  const [earlier, newer] = rotate ? [before.newer, read] : [before.earlier, before.newer];
  const isReported = rules.supply !== undefined && isBeyond(rules.supply, BigInt(before.base.amount), amount);
  return { kind: 'denom', ...read, base: isReported ? read : before.base, earlier, newer };
}

/** Exact: percents are compared in ten-thousandths. */
function isBeyond(rule: SupplyRule, from: bigint, to: bigint): boolean {
  const change = to > from ? to - from : from - to;
  if (rule.kind === 'amount') return change > rule.amount;
  const tenThousandths = BigInt(Math.round(rule.percent * 10_000));
  return change * 1_000_000n > from * tenThousandths;
}

/**
 * What changed from one snapshot of an entry to the next, or while the time went on to `now` (the node's), as far as `rules`
 * want it reported. The first snapshot of all, and that of another proposal with the same id (a test network that began anew),
 * bring nothing.
 */
export function diffSnapshot(
  before: Snapshot | undefined,
  after: Snapshot,
  rules: WatchRules,
  now: number,
): readonly FoundEvent[] {
  if (after.kind === 'denom') return before?.kind === 'denom' ? supplyEvents(before, after) : [];
  if (before?.kind !== 'proposal' || !isSameProposal(before, after)) return [];
  return [
    ...(rules.status || (after.status === 'voting' && isUnvoted(after.votes)) ? statusEvents(before, after) : []),
    ...endEvents(before, after, rules, now),
    ...tallyEvents(before, after, rules),
  ];
}

function supplyEvents(before: DenomSnapshot, after: DenomSnapshot): FoundEvent[] {
  const { base } = before;
  if (base.at === after.base.at && base.amount === after.base.amount) return [];
  const facts = { kind: 'supply', from: base.amount, to: after.base.amount, since: base.at } as const;
  return [{ id: `supply ${base.amount} ${base.at}`, facts }];
}

function statusEvents(before: ProposalSnapshot, after: ProposalSnapshot): FoundEvent[] {
  const { status, ending, submitTime = '' } = after;
  if (status === before.status || isStepBack(before.status, status)) return [];
  const turn = ending?.status === status ? ending.turn : 0;
  if (turn > 0 && turn === before.ending?.turn) return [];
  const facts = { kind: 'status', from: before.status, to: status, ...unvotedIn(after) } as const;
  return [{ id: `status ${status} ${submitTime} ${turn}`, facts }];
}

function unvotedIn({ status, votes }: ProposalSnapshot): { readonly unvoted?: true } {
  return status === 'voting' && isUnvoted(votes) ? { unvoted: true } : {};
}

/** Hours before the end at which a vote that is missing is reported. */
const voteHours = [24, 6, 1];

/** "Ends within N hours", where that became true since the snapshot before. Of several at once the nearest is reported. */
function endEvents(before: ProposalSnapshot, after: ProposalSnapshot, rules: WatchRules, now: number): FoundEvent[] {
  const end = periodEnd(after);
  if (end === undefined || now >= end) return [];
  const unvoted = unvotedIn(after);
  const marks = unvoted.unvoted ? readHours([...rules.hoursBefore, ...voteHours]) : rules.hoursBefore;
  const hours = marks.findLast((one) => before.clock < end - one * hour && end - one * hour <= now);
  if (hours === undefined) return [];
  const period = after.status === 'deposit' ? 'deposit' : 'voting';
  return [{ id: `ends ${period} ${hours} ${end}`, facts: { kind: 'ends', period, hours, end, ...unvoted } }];
}

/**
 * An event as it is to be told now: once a vote was seen, without "not voted"; undefined where there is nothing else to tell.
 */
export function tellable(event: WatchEvent, snapshot: Snapshot | undefined, rules: WatchRules): WatchEvent | undefined {
  const { facts } = event;
  if (!('unvoted' in facts) || !facts.unvoted) return event;
  if (snapshot?.kind === 'proposal' && unvotedIn(snapshot).unvoted) return event;
  const isWanted = facts.kind === 'status' ? rules.status : rules.hoursBefore.includes(facts.hours);
  return isWanted ? { ...event, facts: { ...facts, unvoted: undefined } } : undefined;
}

function tallyEvents(before: ProposalSnapshot, after: ProposalSnapshot, rules: WatchRules): FoundEvent[] {
  const { submitTime = '', flips, verdict } = after;
  const events: FoundEvent[] = [];
  const hadNone = before.quorum === false || before.status === 'deposit';
  if (rules.quorum && after.quorum === true && hadNone)
    events.push({ id: `quorum ${submitTime}`, facts: { kind: 'quorum' } });
  if (rules.verdict && verdict !== undefined && flips > before.flips)
    events.push({ id: `verdict ${flips} ${submitTime}`, facts: { kind: 'verdict', to: verdict } });
  return events;
}
