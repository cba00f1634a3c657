import { member } from '../api/errors.ts';
import { accountPrefix, readBech32 } from '../chain/address.ts';
import { type ListFilter, type ProposalRow, statusGroups } from '../chain/proposal.ts';

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

/** Proposals looked at; the first ones say it. */
const enough = 50;

/**
 * The prefix of a chain's account addresses as its own proposals show it: of those who proposed, and of the module that
 * messages name as their authority. Free text is not looked at, since it may name any chain. Undefined where none says it.
 */
export function ownPrefix(rows: Iterable<ProposalRow>): string | undefined {
  let seen = 0;
  for (const row of rows) {
    if (row.kind !== 'proposal') continue;
    if (seen++ >= enough) return undefined;
    for (const address of [row.proposer, ...row.contents.map(({ fields }) => fields.authority)]) {
      const read = typeof address === 'string' ? readBech32(address) : undefined;
      if (read && 'prefix' in read) return accountPrefix(read.prefix);
    }
  }
  return undefined;
}
