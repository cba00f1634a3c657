import type { Coin, DenomUnit } from '../../chain/coin.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { hasText } from '../../chain/supplyView.ts';

/** Tells which rows hold a text. */
export interface Matcher {
  proposal(row: ProposalRow): boolean;
  coin(coin: Coin, unitOf: (denom: string) => DenomUnit | undefined): boolean;
}

/**
 * Looks for a text as it is typed, upper and lower case being the same: in the title, description and types of a proposal,
 * in the name and symbol of a denom. No pattern has a meaning.
 */
export function toMatcher(text: string): Matcher {
  const wanted = text.trim();
  // A pattern without copies: descriptions are long, and there are many.
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  const has = (part: string | undefined) => part !== undefined && pattern.test(part);
  return {
    proposal: (row) =>
      row.kind === 'proposal' &&
      (has(row.title) || row.contents.some(({ typeUrl }) => has(typeUrl)) || has(row.description)),
    coin: (coin, unitOf) => hasText(coin.denom, wanted, unitOf),
  };
}
