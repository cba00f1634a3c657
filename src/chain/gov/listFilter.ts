import { readMember } from '../fields.ts';
import { type StatusGroup, statusGroups } from './proposalGroups.ts';

/** A filter of proposals: by an address that voted or deposited, and by groups. */
export interface ListFilter {
  readonly voter?: string | undefined;
  readonly depositor?: string | undefined;
  /** The groups to show; absent for all. */
  readonly statuses?: readonly StatusGroup[] | undefined;
}

/** Reads a saved filter of any form. Parts that cannot be read do not filter. */
export function readSavedFilter(kept: unknown): ListFilter {
  const [voter, depositor, named] = ['voter', 'depositor', 'statuses'].map((name) => readMember(kept, name));
  return toFilter({
    voter: typeof voter === 'string' ? voter : undefined,
    depositor: typeof depositor === 'string' ? depositor : undefined,
    statuses: Array.isArray(named) ? statusGroups.filter((group) => named.includes(group)) : [],
  });
}

/**
 * Gives the shortest form of a filter. An absent part does not filter, and neither does naming none or all of the
 * groups.
 */
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
