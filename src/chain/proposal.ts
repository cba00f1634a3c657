import { member } from '../api/errors.ts';
import type { GovForm } from '../api/operations.ts';
import type { FieldFault } from '../api/readReply.ts';
import { statusNames } from '../api/wireValues.ts';
import { type Coin, sharesOf } from './coin.ts';
import type { Content } from './content/content.ts';

/** By their number on the wire, in the order of `statusNames`. */
export const statuses = ['unspecified', 'deposit', 'voting', 'passed', 'rejected', 'failed'] as const;
/** docs/nodes.md#status; `vetoed` is AtomOne's, `unknown` is any other, shown as `wireStatus`. */
export type ProposalStatus = (typeof statuses)[number] | 'vetoed' | 'unknown';

/** Votes in base units of the bond denom, cut to whole units. A chain without No with veto has none. */
export interface Tally {
  readonly yes: bigint;
  readonly abstain: bigint;
  readonly no: bigint;
  readonly noWithVeto: bigint;
  /** The voting power that turnout is a share of, where the chain states it with the tally (Initia). */
  readonly power?: bigint | undefined;
  /** The options that single votes name, where all of those are known: every other one is exactly zero. */
  readonly voted?: readonly VoteOption[] | undefined;
}

export interface Proposal {
  readonly kind: 'proposal';
  readonly id: bigint;
  readonly status: ProposalStatus;
  readonly wireStatus: string;
  /** Absent where neither the proposal, its metadata nor its content has one. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** One entry in v1beta1 (none where `content` is null), any number in v1. */
  readonly contents: readonly Content[];
  /** As the chain states it: zeros until the vote has ended, or the first round of an expedited vote. */
  readonly finalTally: Tally | undefined;
  readonly submitTime: Date | undefined;
  readonly depositEndTime: Date | undefined;
  readonly votingStartTime: Date | undefined;
  readonly votingEndTime: Date | undefined;
  /** The same moment to the nanosecond, counted since 1970: blocks are looked for by it. */
  readonly votingEndNanoseconds?: bigint | undefined;
  readonly totalDeposit: readonly Coin[];
  readonly form: GovForm;
  readonly proposer: string | undefined;
  readonly metadata: Metadata | undefined;
  readonly expedited: boolean;
  /** False where the source does not say whether it is: gov v1beta1, but for Sei and Osmosis of SDK 0.45. */
  readonly statesExpedited: boolean;
  /** Whether it has the shape of SDK 0.46, the only gov v1 without titles. */
  readonly isOf046: boolean;
  /** Tallied every few minutes and ended as soon as quorum is reached (Initia). */
  readonly emergency: boolean;
  /** A law that takes the general threshold (AtomOne). */
  readonly endorsed: boolean;
  readonly failedReason: string | undefined;
  readonly raw: Readonly<Record<string, unknown>>;
  /** Fields that the node sent and that cannot be read; each is absent above. */
  readonly faults: readonly FieldFault[];
  readonly height?: bigint | undefined;
}

/** Any text: `json` is the SDK's template (docs/nodes.md#gov-v1), `placeholder` its `ipfs://CID`, `link` an address. */
export type Metadata = { readonly text: string } & (
  | {
      readonly kind: 'json';
      readonly title: string | undefined;
      readonly summary: string | undefined;
      readonly details: string | undefined;
      readonly authors: readonly string[];
      readonly forumUrl: string | undefined;
      readonly voteContext: string | undefined;
    }
  | { readonly kind: 'link' | 'placeholder' | 'text' }
);

/** A proposal that the node cannot give, or whose status cannot be read. */
export interface UnreadableProposal {
  readonly kind: 'unreadable';
  readonly id: bigint;
  readonly reason: string;
  readonly height?: bigint | undefined;
}

export type ProposalRow = Proposal | UnreadableProposal;

/**
 * A proposal read again; what v1beta1 has no field for stays. Status, tally, times and deposit are the newest ones. Nothing stays
 * where the submit times differ: the id is that of another proposal, of a chain that began anew.
 */
export function mergeRows(before: ProposalRow | undefined, after: ProposalRow): ProposalRow {
  if (before?.kind !== 'proposal' || after.kind !== 'proposal' || after.form === 'v1') return after;
  const [submitted, submittedNow] = [before.submitTime?.getTime(), after.submitTime?.getTime()];
  if (submitted !== undefined && submittedNow !== undefined && submitted !== submittedNow) return after;
  // The tally of a first round shows that an expedited vote failed and is a regular one now.
  const retried = after.status === 'voting' && after.finalTally !== undefined && totalVotes(after.finalTally) > 0n;
  return {
    ...after,
    title: before.title ?? after.title,
    description: before.description ?? after.description,
    contents: after.contents.length > 0 ? after.contents : before.contents,
    metadata: before.metadata,
    proposer: before.proposer,
    expedited: after.statesExpedited ? after.expedited : before.expedited && !retried,
    statesExpedited: before.statesExpedited,
    emergency: before.emergency,
    endorsed: before.endorsed,
    failedReason: before.status === after.status ? before.failedReason : undefined,
  };
}

/** A list of the tree. `other` holds statuses that no list can be asked for, `unreadable` proposals that the node cannot give. */
export type ProposalGroup = 'voting' | 'deposit' | 'passed' | 'rejected' | 'failed' | 'other' | 'unreadable';

/** The groups that are asked for by status, in the order shown. */
export const statusGroups = ['voting', 'deposit', 'passed', 'rejected', 'failed'] as const;
export type StatusGroup = (typeof statusGroups)[number];

/** The status by which a group is asked for. */
export const wireStatus: Readonly<Record<StatusGroup, string>> = {
  deposit: statusNames[1],
  voting: statusNames[2],
  passed: statusNames[3],
  rejected: statusNames[4],
  failed: statusNames[5],
};

/** The group that a row is listed in. */
export function groupOf(row: ProposalRow): ProposalGroup {
  if (row.kind === 'unreadable') return 'unreadable';
  return isStatusGroup(row.status) ? row.status : 'other';
}

/** Whether a group is asked for by status. */
export function isStatusGroup(group: string): group is StatusGroup {
  return statusGroups.some((known) => known === group);
}

/** When the period ends that a live proposal is in. */
export function periodEnd({ status, votingEndTime, depositEndTime }: Proposal): Date | undefined {
  return status === 'voting' ? votingEndTime : status === 'deposit' ? depositEndTime : undefined;
}

/** Whether a live proposal's period ends later than `now`, and within so many hours. */
export function isRunning(row: Proposal, now: Date, hours = Number.POSITIVE_INFINITY): boolean {
  const left = (periodEnd(row)?.getTime() ?? 0) - now.getTime();
  return left > 0 && left < hours * 3_600_000;
}

/** One denom of a minimum deposit; amounts in base units. */
export interface DepositStanding {
  readonly denom: string;
  readonly deposited: bigint;
  readonly needed: bigint;
  /** What is missing of `needed`; 0 where nothing is. */
  readonly missing: bigint;
}

/** How far a deposit is from its minimum. A chain opens the vote when no denom misses anything (x/gov keeper/deposit.go). */
export function depositStanding(total: readonly Coin[], minimum: readonly Coin[]): readonly DepositStanding[] {
  return minimum.map(({ denom, amount: needed }) => {
    const deposited = total.reduce((sum, coin) => (coin.denom === denom ? sum + coin.amount : sum), 0n);
    return { denom, deposited, needed, missing: deposited < needed ? needed - deposited : 0n };
  });
}

/** The proposals that are listed: those that an address voted or deposited on, and the groups of some statuses. */
export interface ListFilter {
  readonly voter?: string | undefined;
  readonly depositor?: string | undefined;
  /** The groups that are shown; all where absent. */
  readonly statuses?: readonly StatusGroup[] | undefined;
}

/** A filter as it was kept, whatever stands there; what cannot be read filters nothing. */
export function readSavedFilter(kept: unknown): ListFilter {
  const [voter, depositor, named] = ['voter', 'depositor', 'statuses'].map((name) => member(kept, name));
  return toFilter({
    voter: typeof voter === 'string' ? voter : undefined,
    depositor: typeof depositor === 'string' ? depositor : undefined,
    statuses: Array.isArray(named) ? statusGroups.filter((group) => named.includes(group)) : [],
  });
}

/** The shortest way to say a filter: absent parts filter nothing, and so does naming none or all of the groups. */
export function toFilter({ voter, depositor, statuses = [] }: ListFilter): ListFilter {
  const some = statuses.length > 0 && statuses.length < statusGroups.length;
  return {
    ...(voter ? { voter } : {}),
    ...(depositor ? { depositor } : {}),
    ...(some ? { statuses: statusGroups.filter((group) => statuses.includes(group)) } : {}),
  };
}

export function isFiltering(filter: ListFilter): boolean {
  return Object.keys(toFilter(filter)).length > 0;
}

/** The options in the order in which they are shown. */
export const voteOptions = ['yes', 'abstain', 'no', 'noWithVeto'] as const;
export type VoteOption = (typeof voteOptions)[number];

/** The options of a single vote; `unknown`: one that this version does not know. */
export const castOptions = [...voteOptions, 'unknown'] as const;
export type CastOption = (typeof castOptions)[number];

/** All votes, abstain and veto included, in base units. */
export function totalVotes(tally: Tally): bigint {
  return tally.yes + tally.abstain + tally.no + tally.noWithVeto;
}

/** The share of each option in all votes, in hundredths of a percent, which add up (`sharesOf`). */
export function optionShares(tally: Tally): Readonly<Record<VoteOption, number>> {
  const [yes = 0, abstain = 0, no = 0, noWithVeto = 0] = sharesOf([
    tally.yes,
    tally.abstain,
    tally.no,
    tally.noWithVeto,
  ]);
  return { yes, abstain, no, noWithVeto };
}

/** A proposal of gov v1 that has no messages: nothing was left out of it, it is its title and its summary. */
export function isText({ form, contents, faults }: Proposal): boolean {
  return form === 'v1' && contents.length === 0 && faults.length === 0;
}

/** A content's title and description where they are not the proposal's: since SDK 0.50 both are stated, and may differ. */
export function ownWords(
  proposal: Pick<Proposal, 'title' | 'description'>,
  content: Content,
): { readonly title: string | undefined; readonly description: string | undefined } {
  const own = (name: 'title' | 'description'): string | undefined => {
    const text = content[name];
    return text?.trim() && text.trim() !== proposal[name]?.trim() ? text : undefined;
  };
  return { title: own('title'), description: own('description') };
}

/**
 * The final tally of a vote that was counted to its end; undefined where a proposal passed and states no votes at all, which
 * means that they were not recorded.
 */
export function recordedTally({ status, finalTally }: Proposal): Tally | undefined {
  const hasPassed = status === 'passed' || status === 'failed';
  if (!hasPassed && status !== 'rejected') return undefined;
  return finalTally && hasPassed && totalVotes(finalTally) === 0n ? undefined : finalTally;
}

/** Options in the order of the chain; `weight` is a share of the voter's power as it was written (`1`, `0.50`). */
export type Vote = readonly { readonly option: CastOption; readonly weight: string }[];
