import type { ProposalFilter } from '../api/node.ts';
import { statusNames } from '../api/statusNames.ts';
import type { Coin } from './coin.ts';
import type { Content } from './content/content.ts';

/** service.md section 3; `unknown` is whatever else a node sends, shown as `wireStatus`. */
export type ProposalStatus = 'deposit' | 'voting' | 'passed' | 'rejected' | 'failed' | 'unspecified' | 'unknown';

/** Votes in base units of the bond denom. */
export interface Tally {
  readonly yes: bigint;
  readonly abstain: bigint;
  readonly no: bigint;
  readonly noWithVeto: bigint;
}

export interface Proposal {
  readonly kind: 'proposal';
  readonly id: bigint;
  readonly status: ProposalStatus;
  /** The status word as it came. */
  readonly wireStatus: string;
  /** Absent where neither the proposal nor its content has one (a Msg as content). */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** One entry in v1beta1 (none where `content` is null), any number in v1. */
  readonly contents: readonly Content[];
  /** As the chain reports it: zeros until the vote has ended. */
  readonly finalTally: Tally | undefined;
  readonly submitTime: Date | undefined;
  readonly depositEndTime: Date | undefined;
  readonly votingStartTime: Date | undefined;
  readonly votingEndTime: Date | undefined;
  readonly totalDeposit: readonly Coin[];
  readonly form: 'v1beta1' | 'v1';
  readonly proposer: string | undefined;
  readonly metadata: string | undefined;
  readonly expedited: boolean;
  readonly failedReason: string | undefined;
  /** The JSON as it came. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** An id that the node cannot say as a proposal; `reason` is the node's own. */
export interface UnreadableProposal {
  readonly kind: 'unreadable';
  readonly id: bigint;
  readonly reason: string;
}

export type ProposalRow = Proposal | UnreadableProposal;

/** A list of the tree. `other` holds statuses that the contract does not name, `unreadable` ids that the node cannot say. */
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

/** The group that a row stands in. */
export function groupOf(row: ProposalRow): ProposalGroup {
  if (row.kind === 'unreadable') return 'unreadable';
  return groupOfStatus(row.status);
}

function groupOfStatus(status: ProposalStatus): ProposalGroup {
  return status === 'unspecified' || status === 'unknown' ? 'other' : status;
}

/** Whether a group is asked for by status. */
export function isStatusGroup(group: string): group is StatusGroup {
  return statusGroups.some((known) => known === group);
}

/** One denom of a minimum deposit; amounts in base units. */
export interface DepositStanding {
  readonly denom: string;
  readonly deposited: bigint;
  readonly needed: bigint;
  readonly missing: bigint;
}

/** How far a deposit is from its minimum. A chain opens the vote when no denom misses anything (x/gov keeper/deposit.go). */
export function depositStanding(total: readonly Coin[], minimum: readonly Coin[]): readonly DepositStanding[] {
  return minimum.map(({ denom, amount: needed }) => {
    const deposited = total.reduce((sum, coin) => (coin.denom === denom ? sum + coin.amount : sum), 0n);
    return { denom, deposited, needed, missing: deposited < needed ? needed - deposited : 0n };
  });
}

/** Narrows the lists to what an address voted or deposited on (service.md 4.3), and to the groups of some statuses. */
export interface ListFilter extends Pick<ProposalFilter, 'voter' | 'depositor'> {
  /** The groups that are shown; all where absent. */
  readonly statuses?: readonly StatusGroup[] | undefined;
}

/** Whether a filter leaves only what an address has to do with. */
export function isByAddress({ voter, depositor }: ListFilter): boolean {
  return Boolean(voter || depositor);
}

/** The groups that a filter shows, in the order shown. */
export function shownGroups({ statuses }: ListFilter): readonly StatusGroup[] {
  return statuses ? statusGroups.filter((group) => statuses.includes(group)) : statusGroups;
}

/** The options in the order in which they are shown. */
export const voteOptions = ['yes', 'abstain', 'no', 'noWithVeto'] as const;

export type VoteOption = (typeof voteOptions)[number];

/** All votes, abstain and veto included, in base units. */
export function totalVotes(tally: Tally): bigint {
  return tally.yes + tally.abstain + tally.no + tally.noWithVeto;
}

/**
 * The share of each option in hundredths of a percent. They always add up to 10,000: what cutting leaves over goes to
 * the options that lost most by it. Undefined where there are no votes.
 */
export function shares(tally: Tally): Readonly<Record<VoteOption, number>> | undefined {
  const total = totalVotes(tally);
  if (total === 0n) return undefined;
  const cut = (option: VoteOption) => Number((tally[option] * 10_000n) / total);
  const lost = (option: VoteOption) => (tally[option] * 10_000n) % total;
  const result = { yes: cut('yes'), abstain: cut('abstain'), no: cut('no'), noWithVeto: cut('noWithVeto') };
  const left = 10_000 - voteOptions.reduce((sum, option) => sum + result[option], 0);
  const byLoss = voteOptions.toSorted((a, b) => (lost(a) === lost(b) ? 0 : lost(a) < lost(b) ? 1 : -1));
  for (const option of byLoss.slice(0, left)) result[option]++;
  return result;
}
