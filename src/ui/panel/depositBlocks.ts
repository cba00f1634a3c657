import { displayAmount, groupDigits } from '../../chain/coin.ts';
import { type DepositStanding, depositStanding } from '../../chain/deposit.ts';
import type { Proposal } from '../../chain/proposal.ts';
import type { Block, Cell } from './block.ts';
import { amountCell, amountText, cell } from './cell.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';

/** What was deposited, against the minimum where it is known and still matters. */
export function toDepositBlocks(proposal: Proposal, facts: ProposalFacts, t: Translate): readonly Block[] {
  const { params } = facts;
  const minimum = proposal.expedited ? params?.expeditedMinDeposit : params?.minDeposit;
  const standing = minimum ? depositStanding(proposal.totalDeposit, minimum) : [];
  const asked = new Set(standing.map(({ denom }) => denom));
  const others = proposal.totalDeposit.filter(({ denom }) => !asked.has(denom));
  const rows: { label: string; value: Cell }[] = [
    ...standing.map((one) => ({ label: t('Deposited'), value: standingCell(one, proposal, facts, t) })),
    ...others.map((coin) => ({ label: t('Deposited'), value: amountCell(coin, facts.unitOf(coin.denom)) })),
  ];
  if (rows.length === 0) rows.push({ label: t('Deposited'), value: cell(t('nothing')) });
  if (!minimum && proposal.status === 'deposit') {
    rows.push({ label: t('Minimum'), value: cell(t('not known: this source does not tell its gov parameters')) });
  }
  return [...(rows.length > 0 ? [{ kind: 'facts' as const, rows }] : []), ...meters(standing, proposal, facts, t)];
}

/** `8,500 of 10,000 ATOM; 1,500 missing`. */
function standingCell(one: DepositStanding, proposal: Proposal, facts: ProposalFacts, t: Translate): Cell {
  const unit = facts.unitOf(one.denom);
  const number = (amount: bigint) => (unit ? displayAmount(amount, unit.exponent) : groupDigits(amount));
  const needed = amountText({ denom: one.denom, amount: one.needed }, unit);
  const note = `${one.deposited} / ${one.needed} ${one.denom}`;
  // The minimum is that of today; for a deposit that was complete long ago it says nothing is missing.
  if (proposal.status !== 'deposit') return amountCell({ denom: one.denom, amount: one.deposited }, unit);
  return one.missing > 0n
    ? cell(t('{0} of {1}; {2} missing', number(one.deposited), needed, number(one.missing)), { note })
    : cell(t('{0} of {1}; complete', number(one.deposited), needed), { note });
}

function meters(
  standing: readonly DepositStanding[],
  proposal: Proposal,
  facts: ProposalFacts,
  t: Translate,
): readonly Block[] {
  if (proposal.status !== 'deposit') return [];
  return standing
    .filter(({ needed }) => needed > 0n)
    .map((one) => {
      const share = (one.deposited * 10_000n) / one.needed;
      const symbol = facts.unitOf(one.denom)?.symbol ?? one.denom;
      const filled = Number(share > 10_000n ? 10_000n : share);
      const percent = `${filled / 100} %`;
      const label = t('{0} of the minimum deposit in {1}', percent, symbol);
      return { kind: 'meter', caption: label, label, filled } as const;
    });
}
