import { displayAmount, groupDigits } from '../../chain/coin.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';

/** Writes votes: in display units of the bond denom where they are known, else in base units. */
export function votePower(facts: ProposalFacts, t: Translate): (amount: bigint) => string {
  const denom = facts.bondDenom;
  if (denom === undefined) return (amount) => t('{0} base units', groupDigits(amount));
  const unit = facts.unitOf(denom);
  return (amount) =>
    unit ? `${displayAmount(amount, unit.exponent)} ${unit.symbol}` : `${groupDigits(amount)} ${denom}`;
}
