import type { ListFilter } from '../../chain/listFilter.ts';
import { statusGroups } from '../../chain/proposalGroup.ts';

/** A filter as it was kept, whatever stands there; what cannot be read filters nothing. */
export function readSavedFilter(kept: unknown): ListFilter {
  if (typeof kept !== 'object' || kept === null) return {};
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(kept, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const named: unknown = Reflect.get(kept, 'statuses');
  const statuses = Array.isArray(named) ? statusGroups.filter((group) => named.includes(group)) : [];
  return toFilter({ voter: text('voter'), depositor: text('depositor'), statuses });
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
