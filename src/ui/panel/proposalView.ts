import { groupDigits } from '../../chain/coin.ts';
import { formatJson } from '../../chain/content/jsonText.ts';
import { toGovParams } from '../../chain/govParams.ts';
import type { Proposal, UnreadableProposal } from '../../chain/proposal.ts';
import { tidyDescription } from '../../chain/text/tidyDescription.ts';
import { toVerdict } from '../../chain/verdict.ts';
import type { Block } from './block.ts';
import { cell } from './cell.ts';
import { toContentBlocks, typeName } from './contentBlocks.ts';
import { cutText } from './cutText.ts';
import { toDepositBlocks } from './depositBlocks.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';
import type { ProposalView, Section } from './protocol.ts';
import { rawJson } from './rawJson.ts';
import { shownView } from './shownView.ts';
import { statusWords } from './statusWords.ts';
import { firstRoundBlocks, toTallyBlocks } from './tallyBlocks.ts';
import { toTimeline } from './timeline.ts';
import { toVerdictBlock } from './verdictBlock.ts';

/** What is known of a proposal → what the panel shows, worded. Pure: the same facts give the same view. */
export function toProposalView(facts: ProposalFacts, t: Translate): ProposalView {
  const row = facts.row;
  switch (row.kind) {
    case 'proposal':
      return shownView(proposalView(row, facts, t));
    case 'unreadable':
      return shownView(unreadableView(row, facts, t));
    default:
      return row satisfies never;
  }
}

function proposalView(proposal: Proposal, facts: ProposalFacts, t: Translate): ProposalView {
  const verdict = toVerdict(proposal, {
    liveTally: facts.liveTally,
    bonded: facts.bonded,
    params: facts.params ?? toGovParams(undefined),
  });
  // The inputs come a moment after the proposal: until then nothing is said that they would take back.
  const judged: Block =
    facts.inputsReadAt === undefined && proposal.status !== 'deposit'
      ? { kind: 'paragraph', text: t('Reading the rules of the vote…') }
      : toVerdictBlock(proposal, verdict, facts, t);
  const counts = [...toTallyBlocks(proposal, verdict, facts, t), ...firstRoundBlocks(proposal, facts, t)];
  return {
    ...common(facts, t),
    notices: [...staleNotice(facts), ...phishingNotice(facts, t)],
    status: statusWords(proposal, t),
    badges: badges(proposal, facts, t),
    id: `#${proposal.id}`,
    title: titleOf(proposal, t),
    sections: [
      { id: 'stands', title: t('Where it stands'), blocks: [judged, ...counts] },
      { id: 'when', title: t('When'), blocks: [toTimeline(proposal, facts.now, t)] },
      { id: 'deposit', title: t('Deposit'), blocks: toDepositBlocks(proposal, facts, t) },
      { id: 'proposed', title: t('What is proposed'), blocks: toContentBlocks(proposal.contents, facts, t) },
      descriptionSection(proposal, t),
      ...detailsSection(proposal, t),
      rawSection(proposal, t),
    ],
  };
}

function unreadableView(row: UnreadableProposal, facts: ProposalFacts, t: Translate): ProposalView {
  return {
    ...common(facts, t),
    status: { label: t('Unreadable'), tone: 'warning' },
    badges: [facts.sourceName],
    id: `#${row.id}`,
    title: t('The node cannot say this proposal'),
    sections: [{ id: 'reason', title: t('Reason'), blocks: [{ kind: 'code', label: t('Reason'), text: row.reason }] }],
  };
}

function common(facts: ProposalFacts, t: Translate) {
  return {
    notices: staleNotice(facts),
    about: [
      facts.sourceName,
      ...(facts.chainId === undefined ? [] : [facts.chainId]),
      ...(facts.height === undefined ? [] : [t('height {0}', groupDigits(facts.height))]),
    ],
    readAt: { label: t('read'), at: facts.readAt.toISOString() },
    clock: { now: facts.now.toISOString(), runs: facts.clockRuns },
  };
}

function staleNotice(facts: ProposalFacts): ProposalView['notices'] {
  return facts.staleReason === undefined ? [] : [{ tone: 'warning', text: facts.staleReason }];
}

/** Marks what looks like a lure; nothing is hidden. */
function phishingNotice({ phishing }: ProposalFacts, t: Translate): ProposalView['notices'] {
  if (!phishing) return [];
  const text = t(
    'This reads like airdrop phishing: it lures to {0}. No chain needs your keys or your signature to pay you out.',
    phishing.hosts.join(', '),
  );
  return [{ tone: 'warning', text }];
}

/** A proposal without a title is called by what it does. */
function titleOf(proposal: Proposal, t: Translate): string {
  const [first] = proposal.contents;
  return proposal.title?.trim() || (first && typeName(first, t)) || t('Untitled proposal');
}

function badges(proposal: Proposal, facts: ProposalFacts, t: Translate): readonly string[] {
  const { contents } = proposal;
  const [first] = contents;
  const kind = contents.length > 1 ? t('{0} messages', contents.length) : first ? typeName(first, t) : t('No content');
  return [kind, ...(proposal.expedited ? [t('Expedited')] : []), facts.sourceName];
}

/** What gov v1 says beside it. */
function detailsSection(proposal: Proposal, t: Translate): readonly Section[] {
  const { proposer, metadata } = proposal;
  const rows = [
    ...(proposer === undefined ? [] : [{ label: t('Proposer'), value: cell(proposer, { code: true }) }]),
    ...(metadata === undefined
      ? []
      : [{ label: t('Metadata'), value: cell(formatJson(metadata) ?? metadata, { code: true }) }]),
  ];
  return rows.length === 0 ? [] : [{ id: 'details', title: t('Details'), blocks: [{ kind: 'facts', rows }] }];
}

function descriptionSection(proposal: Proposal, t: Translate): Section {
  const text = proposal.description;
  const block: Block = text
    ? { kind: 'markdown', source: tidyDescription(text) }
    : { kind: 'paragraph', text: t('No description.') };
  return { id: 'description', title: t('Description'), blocks: [block] };
}

function rawSection(proposal: Proposal, t: Translate): Section {
  const label = t('Raw JSON');
  const code: Block = { kind: 'code', label, text: rawJson(proposal.raw, cutText(t)) };
  return {
    id: 'raw',
    title: label,
    blocks: [{ kind: 'fold', id: 'raw', summary: t('Show the JSON as it came'), open: false, blocks: [code] }],
  };
}
