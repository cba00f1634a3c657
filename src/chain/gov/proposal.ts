import type { Coin } from '../coin.ts';
import type { Content } from '../content/content.ts';
import { isFields } from '../fields.ts';
import { parseJson } from '../json.ts';
import { type Ratio, whole } from '../ratio.ts';
import { type Tally, totalVotes } from './tally.ts';

/** The statuses by their numbers in the SDK (docs/nodes.md#status). */
export const statuses = ['unspecified', 'deposit', 'voting', 'passed', 'rejected', 'failed'] as const;

/**
 * The status of a proposal (docs/nodes.md#status). `vetoed` is AtomOne's. `unknown` is any other, shown as
 * `wireStatus`.
 */
export type ProposalStatus = (typeof statuses)[number] | 'vetoed' | 'unknown';

/** The version of the gov module's queries that gave a proposal. */
export type GovForm = 'v1' | 'v1beta1';

/** A field of a row that differs from the contract, named as on the wire. The row leaves it out. */
export interface FieldFault {
  readonly field: string;
  readonly reason: string;
}

export interface Proposal {
  readonly kind: 'proposal';
  readonly id: bigint;
  readonly status: ProposalStatus;
  readonly wireStatus: string;
  /** The title; absent if neither the proposal, its metadata nor its content has one. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The contents: in v1beta1 one, or none if `content` is null; in v1 any number. */
  readonly contents: readonly Content[];
  /** The tally as the chain states it: zeros until the vote, or the first round of an expedited vote, has ended. */
  readonly finalTally: Tally | undefined;
  readonly submitTime: Date | undefined;
  readonly depositEndTime: Date | undefined;
  readonly votingStartTime: Date | undefined;
  readonly votingEndTime: Date | undefined;
  /** The same moment in nanoseconds since 1970, by which blocks are found. */
  readonly votingEndNanoseconds?: bigint | undefined;
  readonly totalDeposit: readonly Coin[];
  readonly form: GovForm;
  readonly proposer: string | undefined;
  readonly metadata: ProposalMetadata | undefined;
  readonly expedited: boolean;
  /**
   * False if the source does not say whether the vote is expedited: gov v1beta1, except for Sei and Osmosis of SDK
   * 0.45.
   */
  readonly statesExpedited: boolean;
  /** True if the proposal shows that the chain keeps it in the form of gov v1 (SDK 0.46 and later). */
  readonly isStoredAsV1: boolean;
  /** True if it is tallied every few minutes and ends once quorum is reached (Initia). */
  readonly emergency: boolean;
  /** True for a law that takes the general threshold (AtomOne). */
  readonly endorsed: boolean;
  readonly failedReason: string | undefined;
  readonly raw: Readonly<Record<string, unknown>>;
  /** Fields of the node that cannot be read. Each is absent above. */
  readonly faults: readonly FieldFault[];
  readonly height?: bigint | undefined;
  /** The source's own time when it answered, if it states one. */
  readonly date?: Date | undefined;
}

/**
 * The metadata as text. `json` is the SDK's template (docs/nodes.md#gov-v1), `placeholder` its `ipfs://CID`, `link` an
 * address.
 */
export type ProposalMetadata = { readonly text: string } & (
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

/** Reads the metadata of a proposal; undefined if it has none. */
export function readProposalMetadata(text: string): ProposalMetadata | undefined {
  if (text.trim() === '') return undefined;
  if (text === 'ipfs://CID') return { kind: 'placeholder', text };
  if (/^(?:ipfs|https?):\/\/\S+$/.test(text)) return { kind: 'link', text };
  const json = parseJson(text);
  if (!isFields(json)) return { kind: 'text', text };
  const stated = (name: string): string | undefined => {
    const value = json[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  // SDK 0.46 writes one text, later versions a list.
  const authors: unknown[] = Array.isArray(json.authors) ? json.authors : [json.authors];
  return {
    kind: 'json',
    text,
    title: stated('title'),
    summary: stated('summary'),
    details: stated('details'),
    authors: authors.filter((author) => typeof author === 'string').filter((author) => author !== ''),
    forumUrl: stated('proposal_forum_url'),
    voteContext: stated('vote_option_context'),
  };
}

/** A proposal that the node cannot give, or whose status cannot be read. */
export interface UnreadableProposal {
  readonly kind: 'unreadable';
  readonly id: bigint;
  readonly reason: string;
  readonly height?: bigint | undefined;
  readonly date?: Date | undefined;
}

export type ProposalRow = Proposal | UnreadableProposal;

/**
 * Merges a proposal that was read again with the row before. Fields that v1beta1 lacks stay. Status, tally, times and
 * deposit are the newest ones. Nothing stays if the submit times differ: the id is then that of another proposal, on a
 * chain that began anew.
 */
export function mergeRows(before: ProposalRow | undefined, after: ProposalRow): ProposalRow {
  if (before?.kind !== 'proposal' || after.kind !== 'proposal' || after.form === 'v1') return after;
  const [submitted, submittedNow] = [before.submitTime?.getTime(), after.submitTime?.getTime()];
  if (submitted !== undefined && submittedNow !== undefined && submitted !== submittedNow) return after;
  // The tally of a first round shows that an expedited vote failed and is now a regular one.
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

/** Gives the end of the current period of a live proposal. */
export function periodEnd({ status, votingEndTime, depositEndTime }: Proposal): Date | undefined {
  return status === 'voting' ? votingEndTime : status === 'deposit' ? depositEndTime : undefined;
}

/** True if a live proposal's period ends after `now`, and within this number of hours. */
export function isRunning(row: Proposal, now: Date, hours = Number.POSITIVE_INFINITY): boolean {
  const left = (periodEnd(row)?.getTime() ?? 0) - now.getTime();
  return left > 0 && left < hours * 3_600_000;
}

/** One denom of a minimum deposit. Amounts are in base units. */
export interface DepositStanding {
  readonly denom: string;
  readonly deposited: bigint;
  readonly needed: bigint;
  /** The amount below `needed`; 0 for none. */
  readonly missing: bigint;
}

/**
 * Tells how far a deposit is from its minimum. A chain opens the vote when no denom is missing (x/gov
 * keeper/deposit.go).
 */
export function depositStanding(total: readonly Coin[], minimum: readonly Coin[]): readonly DepositStanding[] {
  return minimum.map(({ denom, amount: needed }) => {
    const deposited = total.reduce((sum, coin) => (coin.denom === denom ? sum + coin.amount : sum), 0n);
    return { denom, deposited, needed, missing: deposited < needed ? needed - deposited : 0n };
  });
}

/**
 * Gives the smallest deposits that a chain takes, of which one is enough. Undefined if it has no limit for them (x/gov
 * keeper/deposit.go, AddDeposit of SDK 0.50 and later).
 */
export function smallestDeposits(minimum: readonly Coin[], ratio: Ratio | undefined): readonly Coin[] | undefined {
  if (!ratio) return undefined;
  return minimum.map(({ denom, amount }) => {
    // A deposit that rounds to 0 still has to name the coin.
    return { denom, amount: (amount * ratio) / whole || 1n };
  });
}

/** True for a proposal of gov v1 without messages: title and summary are all of it. */
export function isText({ form, contents, faults }: Proposal): boolean {
  return form === 'v1' && contents.length === 0 && faults.length === 0;
}

/** Gives a content's title and description if they differ from the proposal's. SDK 0.50 and later state both. */
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
 * Gives the final tally of a vote that was counted to its end; undefined if a proposal passed without any votes, which
 * means that they were not recorded.
 */
export function recordedTally({ status, finalTally }: Proposal): Tally | undefined {
  const hasPassed = status === 'passed' || status === 'failed';
  if (!hasPassed && status !== 'rejected') return undefined;
  return finalTally && hasPassed && totalVotes(finalTally) === 0n ? undefined : finalTally;
}
