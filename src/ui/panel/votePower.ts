import { displayAmount, groupDigits } from '../../chain/coin.ts';
import type { ProposalFacts } from './proposalFacts.ts';

/** Writes votes: in display units of the bond denom where they are known, else in base units. */
export function votePower(facts: ProposalFacts): (amount: bigint) => string {
  const denom = facts.bondDenom;
  if (denom === undefined) return groupDigits;
  const unit = facts.unitOf(denom);
  return (amount) =>
    unit ? `${displayAmount(amount, unit.exponent)} ${unit.symbol}` : `${groupDigits(amount)} ${denom}`;
}
