import type { WireProposal, WireProposalV1 } from '../api/contract.ts';
import type { WireProposalRow } from '../api/node.ts';
import { statusNames } from '../api/statusNames.ts';
import { toCoin } from './coin.ts';
import { readContent } from './content/content.ts';
import type { Proposal, ProposalRow, ProposalStatus } from './proposal.ts';

const statusByName = new Map<string, ProposalStatus>([
  [statusNames[0], 'unspecified'],
  [statusNames[1], 'deposit'],
  [statusNames[2], 'voting'],
  [statusNames[3], 'passed'],
  [statusNames[4], 'rejected'],
  [statusNames[5], 'failed'],
]);

/** A status by name or by number (contract-facts section 3). */
export function toStatus(wire: string | number): ProposalStatus {
  const index = typeof wire === 'number' ? wire : /^\d+$/.test(wire) ? Number(wire) : undefined;
  const name = index === undefined ? wire : statusNames[index];
  return (typeof name === 'string' && statusByName.get(name)) || 'unknown';
}

/** RFC 3339 → Date; null, absent, unreadable and the zero time `0001-01-01T00:00:00Z` are absent. */
export function toTime(wire: string | null | undefined): Date | undefined {
  if (!wire || wire.startsWith('0001-01-01')) return undefined;
  const time = new Date(wire);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** wire → ProposalRow, whatever the form. */
export function toProposalRow(row: WireProposalRow): ProposalRow {
  switch (row.form) {
    case 'v1beta1':
      return toProposal(row.proposal);
    case 'v1':
      return toProposalV1(row.proposal);
    case 'unreadable':
      return { kind: 'unreadable', id: row.id, reason: row.reason };
    default:
      return row satisfies never;
  }
}

function toProposal(wire: WireProposal): Proposal {
  const content = wire.content ? readContent(wire.content) : undefined;
  const tally = wire.final_tally_result;
  return {
    kind: 'proposal',
    id: BigInt(wire.proposal_id),
    ...common(wire),
    title: content?.title,
    description: content?.description,
    contents: content ? [content] : [],
    finalTally: tally
      ? {
          yes: BigInt(tally.yes),
          abstain: BigInt(tally.abstain),
          no: BigInt(tally.no),
          noWithVeto: BigInt(tally.no_with_veto),
        }
      : undefined,
    form: 'v1beta1',
    proposer: undefined,
    metadata: undefined,
    expedited: false,
    failedReason: undefined,
  };
}

function toProposalV1(wire: WireProposalV1): Proposal {
  const contents = (wire.messages ?? []).map(readContent);
  const tally = wire.final_tally_result;
  return {
    kind: 'proposal',
    id: BigInt(wire.id),
    ...common(wire),
    title: wire.title || contents[0]?.title,
    description: wire.summary || contents[0]?.description,
    contents,
    finalTally: tally
      ? {
          yes: BigInt(tally.yes_count ?? 0),
          abstain: BigInt(tally.abstain_count ?? 0),
          no: BigInt(tally.no_count ?? 0),
          noWithVeto: BigInt(tally.no_with_veto_count ?? 0),
        }
      : undefined,
    form: 'v1',
    proposer: wire.proposer || undefined,
    metadata: wire.metadata || undefined,
    expedited: wire.expedited ?? false,
    failedReason: wire.failed_reason || undefined,
  };
}

function common(wire: WireProposal | WireProposalV1) {
  return {
    status: toStatus(wire.status),
    wireStatus: String(wire.status),
    submitTime: toTime(wire.submit_time),
    depositEndTime: toTime(wire.deposit_end_time),
    votingStartTime: toTime(wire.voting_start_time),
    votingEndTime: toTime(wire.voting_end_time),
    totalDeposit: (wire.total_deposit ?? []).map(toCoin),
    raw: wire,
  };
}
