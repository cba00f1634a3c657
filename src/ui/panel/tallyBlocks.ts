import { groupDigits } from '../../chain/coin.ts';
import type { Proposal, Tally } from '../../chain/proposal.ts';
import { whole } from '../../chain/ratio.ts';
import { shares, totalVotes, type VoteOption, voteOptions } from '../../chain/tally.ts';
import type { Verdict } from '../../chain/verdict.ts';
import type { Block, TallyMark } from './block.ts';
import { cell } from './cell.ts';
import { basisPoints, percentText, ratioText } from './percentText.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';

/** The count as bars and a table of exact numbers, or the plain sentence on why there is none. */
export function toTallyBlocks(
  proposal: Proposal,
  verdict: Verdict,
  facts: ProposalFacts,
  t: Translate,
): readonly Block[] {
  const { tally } = verdict;
  if (!tally) return facts.inputsReadAt === undefined ? [] : noTally(proposal, t);
  const parts = shares(tally);
  const turnout = toTurnout(verdict, t);
  if (!parts) return [{ kind: 'paragraph', text: t('No vote was counted.') }, ...turnout];
  const label = proposal.status === 'voting' ? t('Votes so far') : t('Final votes');
  return [toBar(parts, toMarks(tally, verdict, t), t), ...turnout, toTable(label, tally, parts, facts, t)];
}

/**
 * The count of the first round, where an expedited vote failed and goes on as a regular one: the only case in which a
 * proposal that is voted on states a final tally (contract-facts section 3).
 */
export function firstRoundBlocks(proposal: Proposal, facts: ProposalFacts, t: Translate): readonly Block[] {
  const tally = proposal.status === 'voting' ? proposal.finalTally : undefined;
  const parts = tally && shares(tally);
  if (!tally || !parts) return [];
  const text = t(
    'It was put to an expedited vote first and did not pass. It goes on as a regular proposal, and its votes are counted anew.',
  );
  const blocks = [
    { kind: 'paragraph', text } as const,
    toBar(parts, [], t),
    toTable(t('Votes of the first round'), tally, parts, facts, t),
  ];
  return [{ kind: 'fold', id: 'firstRound', summary: t('First round'), open: true, blocks }];
}

function toBar(parts: Readonly<Record<VoteOption, number>>, marks: readonly TallyMark[], t: Translate): Block {
  const words = optionWords(t);
  return {
    kind: 'tally',
    label: voteOptions.map((option) => `${words[option]} ${percentText(parts[option])}`).join(', '),
    parts: voteOptions.map((option) => ({ option, label: words[option], share: parts[option] })),
    marks,
  };
}

function noTally(proposal: Proposal, t: Translate): readonly Block[] {
  switch (proposal.status) {
    case 'deposit':
      return [];
    case 'voting':
      return [{ kind: 'paragraph', text: t('The final tally is not known until voting ends.') }];
    case 'passed':
    case 'rejected':
    case 'failed':
    case 'unspecified':
    case 'unknown':
      return [{ kind: 'paragraph', text: t('This source states no tally.') }];
    default:
      return proposal.status satisfies never;
  }
}

/** Where Yes must reach, from the left; what No with veto must not exceed, from the right. */
function toMarks(tally: Tally, verdict: Verdict, t: Translate): readonly TallyMark[] {
  const limitOf = (rule: 'threshold' | 'veto') => verdict.working.find((step) => step.rule === rule)?.limit;
  const threshold = limitOf('threshold');
  const veto = limitOf('veto');
  const total = totalVotes(tally);
  const counting = total - tally.abstain;
  const marks: TallyMark[] = [];
  if (threshold !== undefined && counting > 0n) {
    const at = basisPoints((threshold * counting) / total);
    marks.push({ at, side: 'above', label: t('threshold: {0} of all but Abstain', ratioText(threshold)) });
  }
  if (veto !== undefined) {
    const at = basisPoints(whole - veto);
    marks.push({ at, side: 'below', label: t('veto limit: {0} from this end', ratioText(veto)) });
  }
  return marks;
}

function toTurnout(verdict: Verdict, t: Translate): readonly Block[] {
  const quorum = verdict.working.find((step) => step.rule === 'quorum');
  if (verdict.turnout === undefined || quorum?.value === undefined) return [];
  const caption = t('Turnout: {0} of bonded tokens', ratioText(quorum.value, quorum.limit));
  const filled = basisPoints(quorum.value);
  if (quorum.limit === undefined) return [{ kind: 'meter', caption, label: caption, filled }];
  const label = t('quorum: {0}', ratioText(quorum.limit));
  return [
    { kind: 'meter', caption, label: caption, filled, mark: { at: basisPoints(quorum.limit), side: 'below', label } },
  ];
}

function toTable(
  label: string,
  tally: Tally,
  parts: Readonly<Record<VoteOption, number>>,
  facts: ProposalFacts,
  t: Translate,
): Block {
  const words = optionWords(t);
  const unit = facts.bondDenom === undefined ? undefined : facts.unitOf(facts.bondDenom);
  const row = (swatch: VoteOption | undefined, name: string, share: string, amount: bigint) => [
    cell(name, swatch ? { swatch } : {}),
    cell(share),
    ...(unit ? [cell(alignedAmount(amount, unit.exponent))] : []),
    cell(unit ? amount.toString() : groupDigits(amount)),
  ];
  return {
    kind: 'table',
    label,
    columns: [
      { label: t('Option') },
      { label: t('Share of votes'), numeric: true },
      ...(unit ? [{ label: unit.symbol, numeric: true }] : []),
      {
        label: facts.bondDenom === undefined ? t('Base units') : t('Base units ({0})', facts.bondDenom),
        numeric: true,
      },
    ],
    rows: [
      ...voteOptions.map((option) => row(option, words[option], percentText(parts[option]), tally[option])),
      row(undefined, t('All votes'), percentText(10_000), totalVotes(tally)),
    ],
  };
}

/** Every digit after the point, zeros too, so that a column lines up. */
function alignedAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const digits = amount.toString().padStart(exponent + 1, '0');
  return `${groupDigits(BigInt(digits.slice(0, -exponent)))}.${digits.slice(-exponent)}`;
}

/** The options as people call them. */
function optionWords(t: Translate): Readonly<Record<VoteOption, string>> {
  return { yes: t('Yes'), abstain: t('Abstain'), no: t('No'), noWithVeto: t('No with veto') };
}
