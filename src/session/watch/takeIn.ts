import type { Proposal, Tally } from '../../chain/proposal.ts';
import { endsDue } from './endsDue.ts';
import type { LiveVerdict, ProposalReading, WatchedStatus } from './reading.ts';
import type { Happening } from './watchEvent.ts';
import type { WatchRules } from './watchRules.ts';

/** What a read brought of a proposal. Times are milliseconds since 1970. */
export interface SeenProposal {
  readonly status: WatchedStatus;
  readonly title?: string | undefined;
  readonly submitTime?: number | undefined;
  readonly depositEnd?: number | undefined;
  readonly votingEnd?: number | undefined;
  readonly expedited?: boolean | undefined;
  /** The votes so far, where they were asked for. */
  readonly live?: SeenTally | undefined;
}

/** A live tally and what it means, as far as the source knows. */
export interface SeenTally {
  readonly tally: Tally;
  readonly quorum: boolean | undefined;
  readonly verdict: LiveVerdict | undefined;
}

/** An event without its place; `silent` ones are only remembered, so that they are never told later. */
export interface Found {
  readonly id: string;
  readonly what: Happening;
  readonly silent: boolean;
}

export interface Taken<R> {
  readonly reading: R;
  readonly found: readonly Found[];
}

/** What a row says that the watch list keeps. */
export function toSeen(row: Proposal): SeenProposal {
  return {
    status: row.status,
    title: row.title,
    submitTime: row.submitTime?.getTime(),
    depositEnd: row.depositEndTime?.getTime(),
    votingEnd: row.votingEndTime?.getTime(),
    expedited: row.expedited,
  };
}

/** How long, and how often, a node must say what cannot be before it is believed. */
const oddTime = 10 * 60_000;
const oddReads = 3;

/**
 * What a read of a proposal changes and what of it is worth a word by `rules`. The first reading of all, and that of
 * another proposal with the same id (a test network that began anew), is taken in silence. `now` is the node's time.
 */
export function takeInProposal(
  rules: WatchRules,
  before: ProposalReading | undefined,
  seen: SeenProposal,
  now: number,
): Taken<ProposalReading> {
  const same = before && isSameProposal(before, seen) ? before : undefined;
  if (same && isOdd(same, seen.status, now)) {
    const odd = toOdd(same, seen.status, now);
    if (odd.count < oddReads || now - odd.since < oddTime) {
      return { reading: { ...same, at: now, odd }, found: endsDue(rules, same, now) };
    }
  }
  const reading = toReading(same, seen, now);
  const found = [
    ...statusFound(rules, same, reading),
    ...(same ? endsDue(rules, reading, now) : endsDue(rules, reading, now).map((ends) => ({ ...ends, silent: true }))),
    ...(same ? tallyFound(rules, same, reading) : []),
  ];
  return { reading, found };
}

function isSameProposal(before: ProposalReading, seen: SeenProposal): boolean {
  return before.submitTime === undefined || seen.submitTime === undefined || before.submitTime === seen.submitTime;
}

/** What a status can follow on: the chain goes from deposit over voting to an end, and never back. */
function rankOf(status: WatchedStatus): number | undefined {
  switch (status) {
    case 'deposit':
      return 0;
    case 'voting':
      return 1;
    case 'passed':
    case 'rejected':
    case 'failed':
    case 'vetoed':
      return 2;
    case 'missing':
    case 'unspecified':
    case 'unknown':
      return undefined;
    default:
      return status satisfies never;
  }
}

/** A step back, or a proposal that is gone before its time: nodes behind one address do not all know the same. */
function isOdd(before: ProposalReading, status: WatchedStatus, now: number): boolean {
  if (status === before.status) return false;
  if (status === 'missing') {
    const over = before.status === 'deposit' && before.depositEnd !== undefined && now >= before.depositEnd;
    return !over;
  }
  const from = rankOf(before.status);
  const to = rankOf(status);
  return from !== undefined && to !== undefined && to < from;
}

function toOdd(before: ProposalReading, status: WatchedStatus, now: number) {
  return before.odd?.status === status
    ? { ...before.odd, count: before.odd.count + 1 }
    : { status, since: now, count: 1 };
}

function toReading(before: ProposalReading | undefined, seen: SeenProposal, now: number): ProposalReading {
  const live = seen.status === 'voting' ? seen.live : undefined;
  const kept = seen.status === 'voting' ? before : undefined;
  const verdict = live?.verdict ?? kept?.verdict;
  const flipped = verdict !== undefined && before?.verdict !== undefined && verdict !== before.verdict;
  return {
    kind: 'proposal',
    status: seen.status,
    title: seen.title ?? before?.title,
    submitTime: seen.submitTime ?? before?.submitTime,
    depositEnd: seen.depositEnd ?? before?.depositEnd,
    votingEnd: seen.votingEnd ?? before?.votingEnd,
    expedited: seen.expedited ?? before?.expedited,
    tally: live ? { ...toDigits(live.tally), at: now } : kept?.tally,
    // Nobody has voted when the vote begins, so that quorum found by the first count is news.
    quorum: live?.quorum ?? kept?.quorum ?? (kept?.status === 'deposit' ? false : undefined),
    verdict,
    flips: (before?.flips ?? 0) + (flipped ? 1 : 0),
    at: now,
    since: before?.status === seen.status ? before.since : now,
    ending: endingOf(before, seen.status),
  };
}

/** The same ending again is the one that was known: a node lagged, or the chain decided alike. */
function endingOf(before: ProposalReading | undefined, status: WatchedStatus): ProposalReading['ending'] {
  const known =
    before?.ending ?? (before && rankOf(before.status) === 2 ? { status: before.status, turn: 1 } : undefined);
  if (rankOf(status) !== 2 || known?.status === status) return known;
  return { status, turn: (known?.turn ?? 0) + 1 };
}

function toDigits(tally: Tally) {
  return {
    yes: tally.yes.toString(),
    abstain: tally.abstain.toString(),
    no: tally.no.toString(),
    noWithVeto: tally.noWithVeto.toString(),
  };
}

/** The time of submission tells one proposal from a later one with the same id, the turn one ending from another. */
function statusFound(rules: WatchRules, before: ProposalReading | undefined, after: ProposalReading): Found[] {
  const silent = !rules.status || before === undefined;
  if (before && before.status === after.status) return [];
  const turn = after.ending && after.ending.status === after.status ? after.ending.turn : 1;
  const id = `status ${after.status} ${after.submitTime ?? ''}${turn > 1 ? ` ${turn}` : ''}`;
  return [{ id, what: { kind: 'status', from: before?.status, to: after.status }, silent }];
}

function tallyFound(rules: WatchRules, before: ProposalReading, after: ProposalReading): Found[] {
  const found: Found[] = [];
  if (after.quorum === true && before.quorum !== true) {
    const silent = !rules.quorum || (before.quorum === undefined && before.status === 'voting');
    found.push({ id: `quorum ${after.submitTime ?? ''}`, what: { kind: 'quorum' }, silent });
  }
  if (after.verdict !== undefined && after.flips > before.flips) {
    const id = `verdict ${after.flips} ${after.submitTime ?? ''}`;
    found.push({ id, what: { kind: 'verdict', to: after.verdict }, silent: !rules.verdict });
  }
  return found;
}
