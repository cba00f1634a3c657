import type { ProposalFilter } from '../api/node.ts';
import { type StatusGroup, statusGroups } from './proposalGroup.ts';

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
