import { statusNames } from '../api/statusNames.ts';
import type { ProposalRow, ProposalStatus } from './proposal.ts';

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
