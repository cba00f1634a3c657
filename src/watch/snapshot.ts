import * as z from 'zod/mini';
import { type Proposal, statuses } from '../chain/gov/proposal.ts';
import { castOptions } from '../chain/gov/tally.ts';
import { shorten } from '../chain/text.ts';
import type { Voter } from './voters.ts';
import { readHours, type WatchRules } from './watchList.ts';

// The data that is kept of an entry after a poll, and the changes between two polls. The schemas are the types.

const hour = 3_600_000;
const day = 24 * hour;
const longestTitle = 200;

/** Milliseconds since 1970. */
const time = z.number();
const optionalTime = z.optional(time);

/** The chain's statuses. `missing` means withdrawn, or removed because the deposit was not reached. */
const statusSchema = z.enum([...statuses, 'vetoed', 'unknown', 'missing']);
export type WatchedStatus = z.infer<typeof statusSchema>;

const liveVerdictSchema = z.enum(['wouldPass', 'wouldFail']);

const castSchema = z.object({ option: z.enum(castOptions), weight: z.string() });
/**
 * The votes of the user's accounts by address: empty for an account that has not voted, absent if the node was not
 * asked.
 */
const votesSchema = z.record(z.string(), z.readonly(z.array(castSchema)));
type Votes = z.infer<typeof votesSchema>;

/** The last read of a proposal. Times are of the node's clock. */
const proposalSnapshotSchema = z.readonly(
  z.object({
    kind: z.literal('proposal'),
    status: statusSchema,
    title: z.optional(z.string()),
    submitTime: optionalTime,
    depositEnd: optionalTime,
    votingEnd: optionalTime,
    expedited: z.optional(z.boolean()),
    /** The percent of the votes so far that are yes, if there are any, and when they were counted. */
    tally: z.optional(z.object({ yes: z.optional(z.number()), at: time })),
    quorum: z.optional(z.boolean()),
    verdict: z.optional(liveVerdictSchema),
    flips: z.number(),
    votes: z.optional(votesSchema),
    at: time,
    /** The time up to which deadlines were reported. */
    clock: time,
    /** The time when this status was first read; 0 for the first status of all. */
    since: time,
    /**
     * The last ending. `count` is the number of different endings: a chain that was restarted from an earlier height
     * may decide anew.
     */
    ending: z.optional(z.object({ status: statusSchema, count: z.number() })),
    /** A status that cannot follow this one, as a lagging node reports it, and how often it was read. */
    unconfirmed: z.optional(z.object({ status: statusSchema, since: time, count: z.number() })),
  }),
);
export type ProposalSnapshot = z.infer<typeof proposalSnapshotSchema>;

/** An amount in base units. */
const digits = z.string().check(z.regex(/^\d{1,100}$/));
const amountAt = z.object({ amount: digits, at: time });

/** The last read of the supply of a denom. */
const denomSchema = z.readonly(
  z.object({
    kind: z.literal('denom'),
    amount: digits,
    at: time,
    /** The amount when a change was last reported. Changes are counted from it. */
    base: amountAt,
    /** The amount for "since …" in the view: a day old, or as old as there is. */
    earlier: amountAt,
    newer: amountAt,
  }),
);
export type DenomSnapshot = z.infer<typeof denomSchema>;

export const snapshotSchema = z.discriminatedUnion('kind', [proposalSnapshotSchema, denomSchema]);
export type Snapshot = z.infer<typeof snapshotSchema>;

const unvoted = z.optional(z.boolean());

export const factsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), to: statusSchema, unvoted }),
  z.object({ kind: z.literal('ends'), period: z.enum(['deposit', 'voting']), hours: z.number(), end: time, unvoted }),
  z.object({ kind: z.literal('quorum') }),
  z.object({ kind: z.literal('verdict'), to: liveVerdictSchema }),
  z.object({ kind: z.literal('supply'), from: digits, to: digits, since: time }),
]);
/** The facts of an event. */
export type EventFacts = z.infer<typeof factsSchema>;

/** The data that one poll reads of a proposal. */
export type SeenProposal = Pick<
  ProposalSnapshot,
  'status' | 'title' | 'submitTime' | 'depositEnd' | 'votingEnd' | 'expedited'
> & {
  /**
   * The votes so far if they were counted: the percent that are yes, and their meaning as far as the source knows it.
   */
  readonly live?: { readonly yes: number | undefined } & Pick<ProposalSnapshot, 'quorum' | 'verdict'>;
};

/** Gives the data that the watch list keeps of a proposal. */
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

/** Gives the end of the current period of a live proposal; undefined if it is not known. */
export function snapshotEnd(snapshot: Snapshot | undefined): number | undefined {
  if (snapshot?.kind !== 'proposal') return undefined;
  if (snapshot.status === 'voting') return snapshot.votingEnd;
  return snapshot.status === 'deposit' ? snapshot.depositEnd : undefined;
}

/** True if none of the user's accounts is known to have voted on a proposal in voting. */
export function isUnvoted({ status, votes = {} }: ProposalSnapshot): boolean {
  const known = Object.values(votes);
  return status === 'voting' && known.length > 0 && known.every(({ length }) => length === 0);
}

/** The time, and the number of reads, after which an impossible status is believed. */
const confirmTime = 600_000;
const confirmReads = 3;

/**
 * Gives the snapshot after a read at `now`, the node's time. A status that only a lagging node reports is not believed.
 */
export function nextProposal(known: ProposalSnapshot | undefined, seen: SeenProposal, now: number): ProposalSnapshot {
  const before = known && isSameProposal(known, seen) ? known : undefined;
  const { status } = seen;
  if (before && isImpossible(before, status, now)) {
    const { since, count } = before.unconfirmed?.status === status ? before.unconfirmed : { since: now, count: 0 };
    if (count + 1 < confirmReads || now - since < confirmTime)
      return { ...before, at: now, clock: now, unconfirmed: { status, since, count: count + 1 } };
  }
  const live = status === 'voting' ? seen.live : undefined;
  const kept = status === 'voting' ? before : undefined;
  const isFirstCount = kept !== undefined && (kept.status === 'deposit' || becameRegular(kept, seen));
  const verdict = live?.verdict ?? kept?.verdict;
  const flipped = verdict !== undefined && before?.verdict !== undefined && verdict !== before.verdict;
  return {
    kind: 'proposal',
    status,
    title: seen.title ?? before?.title,
    submitTime: seen.submitTime ?? before?.submitTime,
    depositEnd: seen.depositEnd ?? before?.depositEnd,
    votingEnd: seen.votingEnd ?? before?.votingEnd,
    expedited: seen.expedited ?? before?.expedited,
    tally: live ? { yes: live.yes, at: now } : isFirstCount ? undefined : kept?.tally,
    // A vote that has just begun has no votes. A quorum that the first count finds is therefore a change.
    quorum: live?.quorum ?? (isFirstCount ? false : kept?.quorum),
    verdict,
    flips: (before?.flips ?? 0) + (flipped ? 1 : 0),
    votes: kept?.votingEnd === seen.votingEnd ? kept?.votes : undefined,
    at: now,
    clock: now,
    since: before?.status === status ? before.since : before ? now : 0,
    ending: nextEnding(before, status),
  };
}

/** Adds the votes of the user's accounts that a poll found. A vote that was seen stays, since a node may lag. */
export function withVotes(snapshot: ProposalSnapshot, voters: readonly Voter[], found: Votes): ProposalSnapshot {
  const votes: Votes = {};
  for (const { address } of voters) {
    const vote = found[address]?.length ? found[address] : (snapshot.votes?.[address] ?? found[address]);
    if (vote) votes[address] = vote;
  }
  const isKept = snapshot.status === 'voting' && Object.keys(votes).length > 0;
  return { ...snapshot, votes: isKept ? votes : undefined };
}

/** False if the id is now the id of another proposal, because a test network began anew. */
export function isSameProposal(
  { submitTime: before }: Pick<ProposalSnapshot, 'submitTime'>,
  { submitTime: after = before }: Pick<SeenProposal, 'submitTime'>,
): boolean {
  return before === undefined || before === after;
}

/**
 * True if an expedited vote failed and goes on as a regular one, with another end and without votes
 * (docs/nodes.md#rules).
 */
function becameRegular(
  { expedited, votingEnd }: ProposalSnapshot,
  seen: Pick<SeenProposal, 'expedited' | 'votingEnd'>,
): boolean {
  // gov v1beta1 does not say which votes are expedited, so the end must change too.
  return expedited === true && seen.expedited === false && seen.votingEnd !== votingEnd;
}

/** The order of stages. A chain goes from deposit over voting to an end, and never back. */
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
  return before.status !== 'deposit' || now < (before.depositEnd ?? Number.POSITIVE_INFINITY);
}

/** Gives the ending. The same result after the chain was restarted from an earlier height is no new ending. */
function nextEnding(before: ProposalSnapshot | undefined, status: WatchedStatus): ProposalSnapshot['ending'] {
  const known = before?.ending;
  if (stages[status] !== 2 || known?.status === status) return known;
  return { status, count: (known?.count ?? 0) + 1 };
}

/**
 * Gives the snapshot after the supply was read at `now`. A reported change moves the amount from which changes are
 * counted.
 */
export function nextSupply(
  before: DenomSnapshot | undefined,
  amount: bigint,
  rule: WatchRules['supply'],
  now: number,
): DenomSnapshot {
  const read = { amount: amount.toString(), at: now };
  if (!before) return { kind: 'denom', ...read, base: read, earlier: read, newer: read };
  // Two samples are kept. The older one is between one and two days old once there is enough history.
  const rotate = now - before.newer.at >= day;
  const [earlier, newer] = rotate ? [before.newer, read] : [before.earlier, before.newer];
  const isReported = rule !== null && isBeyond(rule, BigInt(before.base.amount), amount);
  return { kind: 'denom', ...read, base: isReported ? read : before.base, earlier, newer };
}

/** Compares exactly: percents are compared in ten-thousandths. */
function isBeyond(rule: string, from: bigint, to: bigint): boolean {
  const change = to > from ? to - from : from - to;
  if (!rule.endsWith('%')) return change > BigInt(rule);
  const tenThousandths = BigInt(Math.round(Number.parseFloat(rule) * 10_000));
  return change * 1_000_000n > from * tenThousandths;
}

/**
 * Lists the events that `rules` report between two snapshots, or up to `now` (the node's time); none without a snapshot
 * before.
 */
export function diffSnapshot(
  before: Snapshot | undefined,
  after: Snapshot,
  rules: WatchRules,
  now: number,
): FoundEvent[] {
  if (after.kind === 'denom') return before?.kind === 'denom' ? supplyEvents(before, after) : [];
  if (before?.kind !== 'proposal' || !isSameProposal(before, after)) return [];
  return [
    ...(rules.status || isUnvoted(after) ? statusEvents(before, after) : []),
    ...endEvents(before, after, rules, now),
    ...tallyEvents(before, after, rules),
  ];
}

/** A change that is reported. Every window gives it the same `id`. */
interface FoundEvent {
  readonly id: string;
  readonly facts: EventFacts;
}

function supplyEvents({ base }: DenomSnapshot, after: DenomSnapshot): FoundEvent[] {
  if (base.at === after.base.at && base.amount === after.base.amount) return [];
  const facts = { kind: 'supply', from: base.amount, to: after.base.amount, since: base.at } as const;
  return [{ id: `supply ${base.amount} ${base.at}`, facts }];
}

function statusEvents(before: ProposalSnapshot, after: ProposalSnapshot): FoundEvent[] {
  const { status, ending, submitTime = '' } = after;
  if (status === before.status || isStepBack(before.status, status)) return [];
  const count = ending?.status === status ? ending.count : 0;
  if (count > 0 && count === before.ending?.count) return [];
  const facts = { kind: 'status', to: status, unvoted: isUnvoted(after) } as const;
  return [{ id: `status ${status} ${submitTime} ${count}`, facts }];
}

/** The hours before the end at which a missing vote is reported. */
export const voteHours = [24, 6, 1];

/**
 * Lists the times "ends within N hours" that were reached since the previous snapshot. Only the nearest one is
 * reported.
 */
function endEvents(before: ProposalSnapshot, after: ProposalSnapshot, rules: WatchRules, now: number): FoundEvent[] {
  const end = snapshotEnd(after);
  if (end === undefined || now >= end) return [];
  const marks = isUnvoted(after) ? readHours([...rules.hoursBefore, ...voteHours]) : rules.hoursBefore;
  const hours = marks.findLast((one) => before.clock < end - one * hour && end - one * hour <= now);
  if (hours === undefined) return [];
  const period = after.status === 'deposit' ? 'deposit' : 'voting';
  const facts = { kind: 'ends', period, hours, end, unvoted: isUnvoted(after) } as const;
  return [{ id: `ends ${period} ${hours} ${end}`, facts }];
}

function tallyEvents(before: ProposalSnapshot, after: ProposalSnapshot, rules: WatchRules): FoundEvent[] {
  const { submitTime = '', flips, verdict } = after;
  const events: FoundEvent[] = [];
  const hadNone = before.quorum === false || before.status === 'deposit' || becameRegular(before, after);
  // An expedited vote has another quorum than the regular vote that may follow.
  const vote = after.expedited ? `${submitTime} expedited` : `${submitTime}`;
  if (rules.quorum && after.quorum === true && hadNone)
    events.push({ id: `quorum ${vote}`, facts: { kind: 'quorum' } });
  if (rules.verdict && verdict !== undefined && flips > before.flips)
    events.push({ id: `verdict ${flips} ${submitTime}`, facts: { kind: 'verdict', to: verdict } });
  return events;
}

/** Gives the facts as they are reported now, without "not voted" once a vote was seen; undefined if no fact is left. */
export function currentFacts(
  facts: EventFacts,
  snapshot: Snapshot | undefined,
  rules: WatchRules,
): EventFacts | undefined {
  if (!('unvoted' in facts) || !facts.unvoted) return facts;
  if (snapshot?.kind === 'proposal' && isUnvoted(snapshot)) return facts;
  const isReported = facts.kind === 'status' ? rules.status : rules.hoursBefore.includes(facts.hours);
  return isReported ? { ...facts, unvoted: false } : undefined;
}
