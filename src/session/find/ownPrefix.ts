import { readBech32 } from '../../chain/bech32.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { accountPrefix } from './addressFault.ts';

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
