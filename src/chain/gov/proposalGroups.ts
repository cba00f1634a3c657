import type { ProposalRow } from './proposal.ts';

/**
 * A group of the tree. `other` has statuses by which no list can be asked for, `unreadable` proposals that the node
 * cannot give.
 */
export type ProposalGroup = 'voting' | 'deposit' | 'passed' | 'rejected' | 'failed' | 'other' | 'unreadable';

/** The groups that are asked for by status, in the order in which they are shown. */
export const statusGroups = ['voting', 'deposit', 'passed', 'rejected', 'failed'] as const;

export type StatusGroup = (typeof statusGroups)[number];

/** Gives the group of a row. */
export function groupOf(row: ProposalRow): ProposalGroup {
  if (row.kind === 'unreadable') return 'unreadable';
  return isStatusGroup(row.status) ? row.status : 'other';
}

/** True if a group is asked for by status. */
export function isStatusGroup(group: string): group is StatusGroup {
  return statusGroups.some((known) => known === group);
}
