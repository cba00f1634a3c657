import { displayAmount, groupDigits } from '../../chain/coin.ts';
import type { Proposal, Tally } from '../../chain/proposal.ts';
import { cell } from './cell.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';
import type { Block, VoteOption } from './protocol.ts';
import { percentText, toShares, totalVotes, voteOptions } from './shares.ts';

/** The count as a bar, a table of exact numbers, or the plain sentence on why there is none. */
export function toTallyBlocks(proposal: Proposal, facts: ProposalFacts, t: Translate): readonly Block[] {
  const tally = shownTally(proposal, facts);
  if (typeof tally === 'string') return [{ kind: 'paragraph', text: noTallyText(tally, t) }];
  const words = optionWords(t);
  const shares = toShares(tally);
  if (!shares) return [{ kind: 'paragraph', text: t('No vote was counted.') }];
  const label = voteOptions.map((option) => `${words[option]} ${percentText(shares[option])}`).join(', ');
  const unit = facts.bondDenom === undefined ? undefined : facts.unitOf(facts.bondDenom);
  const baseUnits = facts.bondDenom === undefined ? t('Base units') : t('Base units ({0})', facts.bondDenom);
  const numeric = { numeric: true };
  const row = (swatch: VoteOption | undefined, name: string, share: string, amount: bigint) => [
    cell(name, swatch ? { swatch } : {}),
    cell(share),
    ...(unit ? [cell(displayAmount(amount, unit.exponent))] : []),
    cell(unit ? amount.toString() : groupDigits(amount)),
  ];
  return [
    {
      kind: 'tally',
      label,
      parts: voteOptions.map((option) => ({ option, label: words[option], share: shares[option] })),
      marks: [],
    },
    {
      kind: 'table',
      label: proposal.status === 'voting' ? t('Votes so far') : t('Final votes'),
      columns: [
        { label: t('Option') },
        { label: t('Share of votes'), ...numeric },
        ...(unit ? [{ label: unit.symbol, ...numeric }] : []),
        { label: baseUnits, ...numeric },
      ],
      rows: [
        ...voteOptions.map((option) => row(option, words[option], percentText(shares[option]), tally[option])),
        row(undefined, t('All votes'), percentText(10_000), totalVotes(tally)),
      ],
    },
  ];
}

type NoTally = 'deposit' | 'voting' | 'absent';

/** The tally to show: the running one while voting, the final one afterwards; else why there is none. */
function shownTally(proposal: Proposal, facts: ProposalFacts): Tally | NoTally {
  if (proposal.status === 'deposit') return 'deposit';
  if (proposal.status === 'voting') {
    if (facts.liveTally) return facts.liveTally;
    // SDK 0.50: an expedited proposal that was turned into a regular one keeps the count of its first round.
    return 'voting';
  }
  return proposal.finalTally ?? 'absent';
}

function noTallyText(reason: NoTally, t: Translate): string {
  switch (reason) {
    case 'deposit':
      return t('Voting has not started.');
    case 'voting':
      return t('The final tally is not known until voting ends; this source does not tell the votes so far.');
    case 'absent':
      return t('This source states no tally.');
    default:
      return reason satisfies never;
  }
}

/** The options as people call them. */
export function optionWords(t: Translate): Readonly<Record<VoteOption, string>> {
  return { yes: t('Yes'), abstain: t('Abstain'), no: t('No'), noWithVeto: t('No with veto') };
}
