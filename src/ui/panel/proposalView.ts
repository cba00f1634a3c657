import { toGovParams } from '../../chain/govParams.ts';
import type { Proposal, UnreadableProposal } from '../../chain/proposal.ts';
import { toVerdict } from '../../chain/verdict.ts';
import { toDepositBlocks } from './depositBlocks.ts';
import { descriptionText } from './descriptionText.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';
import type { Block, ProposalView, Section, TreeNode } from './protocol.ts';
import { rawJson } from './rawJson.ts';
import { statusWords } from './statusWords.ts';
import { toTallyBlocks } from './tallyBlocks.ts';
import { toTimeline } from './timeline.ts';
import { toVerdictBlock } from './verdictBlock.ts';

/** What is known of a proposal → what the panel shows, worded. Pure: the same facts give the same view. */
export function toProposalView(facts: ProposalFacts, t: Translate): ProposalView {
  const row = facts.row;
  switch (row.kind) {
    case 'proposal':
      return proposalView(row, facts, t);
    case 'unreadable':
      return unreadableView(row, facts, t);
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
  const stands = [toVerdictBlock(proposal, verdict, facts, t), ...toTallyBlocks(proposal, verdict, facts, t)];
  return {
    ...common(facts, t),
    status: statusWords(proposal, t),
    badges: [...proposal.contents.map((content) => content.typeUrl), facts.sourceName].filter(Boolean),
    id: `#${proposal.id}`,
    title: proposal.title?.trim() || t('Untitled proposal'),
    sections: [
      { id: 'stands', title: t('Where it stands'), blocks: stands },
      { id: 'when', title: t('When'), blocks: [toTimeline(proposal, facts.now, t)] },
      { id: 'deposit', title: t('Deposit'), blocks: toDepositBlocks(proposal, facts, t) },
      ...contentSection(proposal, t),
      descriptionSection(proposal, t),
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
    notices: facts.staleReason === undefined ? [] : [{ tone: 'warning' as const, text: facts.staleReason }],
    about: [
      facts.sourceName,
      ...(facts.chainId === undefined ? [] : [facts.chainId]),
      ...(facts.height === undefined ? [] : [t('height {0}', facts.height.toLocaleString('en-US'))]),
    ],
    readAt: { label: t('read'), at: facts.readAt.toISOString() },
    clock: { now: facts.now.toISOString(), runs: facts.clockRuns },
  };
}

function contentSection(proposal: Proposal, t: Translate): readonly Section[] {
  const blocks = proposal.contents.flatMap((content): readonly Block[] => {
    const { title: _title, description: _description, ...fields } = content.fields;
    const nodes = toNodes(fields);
    const heading: Block = { kind: 'heading', text: content.typeUrl || t('Type not stated') };
    return nodes.length === 0 ? [heading] : [heading, { kind: 'tree', label: content.typeUrl, nodes }];
  });
  const none: Block = { kind: 'paragraph', text: t('The source states no content.') };
  return [{ id: 'proposed', title: t('What is proposed'), blocks: blocks.length > 0 ? blocks : [none] }];
}

function toNodes(value: object): readonly TreeNode[] {
  return Object.entries(value).map(([label, item]: [string, unknown]) =>
    typeof item === 'object' && item !== null
      ? { label, children: toNodes(item) }
      : { label, value: typeof item === 'string' ? item : JSON.stringify(item) },
  );
}

function descriptionSection(proposal: Proposal, t: Translate): Section {
  const text = proposal.description;
  const block: Block = text
    ? { kind: 'markdown', source: descriptionText(text) }
    : { kind: 'paragraph', text: t('No description.') };
  return { id: 'description', title: t('Description'), blocks: [block] };
}

function rawSection(proposal: Proposal, t: Translate): Section {
  const cut = (shown: string, length: number) => t('{0}… ({1} characters; Open JSON shows all)', shown, length);
  const label = t('Raw JSON');
  const code: Block = { kind: 'code', label, text: rawJson(proposal.raw, cut) };
  return {
    id: 'raw',
    title: label,
    blocks: [{ kind: 'fold', id: 'raw', summary: t('Show the JSON as it came'), open: false, blocks: [code] }],
  };
}
