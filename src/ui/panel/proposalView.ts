import { displayAmount, groupDigits } from '../../chain/coin.ts';
import { formatJson } from '../../chain/json.ts';
import { toGovParams } from '../../chain/params.ts';
import {
  type DepositStanding,
  depositStanding,
  type Proposal,
  type ProposalStatus,
  type UnreadableProposal,
} from '../../chain/proposal.ts';
import { showControls, tidyDescription } from '../../chain/text.ts';
import { toVerdict } from '../../chain/verdict.ts';
import { amountText, percentText, statusName, type Translate } from '../values.ts';
import { amountCell, cell, cutText, rawJson } from './blocks.ts';
import { toContentBlocks, typeName } from './contentBlocks.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Cell, ProposalView, Section, TimelineStep, Tone } from './protocol.ts';
import { firstRoundBlocks, toTallyBlocks, toVerdictBlock } from './tallyBlocks.ts';

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
    liveTally: facts.inputs?.liveTally,
    bonded: facts.inputs?.bonded,
    params: facts.inputs?.params ?? toGovParams(undefined),
  });
  // The inputs come a moment after the proposal: until then nothing is said that they would take back.
  const judged: Block =
    facts.inputs === undefined && proposal.status !== 'deposit'
      ? { kind: 'paragraph', text: t('Reading the rules of the vote…') }
      : toVerdictBlock(proposal, verdict, facts, t);
  const counts = [...toTallyBlocks(proposal, verdict, facts, t), ...firstRoundBlocks(proposal, facts, t)];
  return {
    ...common(facts, t),
    notices: [...staleNotice(facts, t), ...faultNotices(proposal, t), ...phishingNotice(facts, t)],
    status: { label: statusName(proposal.status, proposal.wireStatus, t), tone: statusTone(proposal.status) },
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
    id: row.id < 0n ? t('Unknown id') : `#${row.id}`,
    title: t('This proposal cannot be read'),
    sections: [{ id: 'reason', title: t('Reason'), blocks: [{ kind: 'code', label: t('Reason'), text: row.reason }] }],
  };
}

function common(facts: ProposalFacts, t: Translate) {
  return {
    notices: staleNotice(facts, t),
    about: [
      facts.sourceName,
      ...(facts.chainId === undefined ? [] : [facts.chainId]),
      ...(facts.height === undefined ? [] : [t('height {0}', groupDigits(facts.height))]),
    ],
    readAt: { label: t('read'), at: facts.readAt.toISOString() },
    clock: { now: facts.now.toISOString(), runs: facts.clockRuns },
  };
}

function faultNotices({ faults }: Proposal, t: Translate): ProposalView['notices'] {
  return faults.map(({ reason }) => ({ tone: 'warning', text: t('Unreadable: {0}', reason) }));
}

function staleNotice({ failure }: ProposalFacts, t: Translate): ProposalView['notices'] {
  return failure === undefined ? [] : [{ tone: 'warning', text: t('The last refresh failed: {0}', failure) }];
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

function statusTone(status: ProposalStatus): Tone {
  switch (status) {
    case 'passed':
      return 'good';
    case 'rejected':
    case 'failed':
    case 'vetoed':
      return 'bad';
    case 'deposit':
    case 'voting':
      return 'plain';
    case 'unspecified':
    case 'unknown':
      return 'warning';
    default:
      return status satisfies never;
  }
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
      : [{ label: t('Metadata'), value: cell(formatJson(metadata.text) ?? metadata.text, { code: true }) }]),
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

/** Submitted, deposit ends, voting starts and ends: done or to come at `now`, the source's own time. */
export function toTimeline(proposal: Proposal, now: Date, t: Translate): Block {
  const ended = proposal.status === 'passed' || proposal.status === 'rejected' || proposal.status === 'failed';
  const voting = proposal.status === 'voting';
  const step = (label: string, at: Date | undefined, done: boolean, missing: string): TimelineStep => {
    const state = done ? 'done' : at ? 'todo' : 'none';
    return {
      label,
      state,
      stateLabel: state === 'done' ? t('done') : state === 'todo' ? t('to come') : t('not known'),
      ...(at ? { at: at.toISOString() } : { note: missing }),
      ...(state === 'todo' ? { countdown: true } : {}),
    };
  };
  const early = (at: Date | undefined) =>
    at && proposal.votingStartTime && at > proposal.votingStartTime ? { note: t('complete before that') } : {};
  const past = (at: Date | undefined) => at !== undefined && at.getTime() <= now.getTime();
  const notSaid = t('time not stated');
  return {
    kind: 'timeline',
    steps: [
      step(t('Submitted'), proposal.submitTime, past(proposal.submitTime) || ended || voting, notSaid),
      {
        ...step(
          t('Deposit period ends'),
          proposal.depositEndTime,
          ended || voting || past(proposal.depositEndTime),
          notSaid,
        ),
        ...early(proposal.depositEndTime),
      },
      step(
        t('Voting starts'),
        proposal.votingStartTime,
        ended || voting || past(proposal.votingStartTime),
        proposal.status === 'deposit' ? t('when the deposit is complete') : notSaid,
      ),
      step(
        t('Voting ends'),
        proposal.votingEndTime,
        ended || past(proposal.votingEndTime),
        proposal.status === 'deposit' ? t('after the voting period') : notSaid,
      ),
    ],
  };
}

/** What was deposited, against the minimum where it is known and still matters. */
export function toDepositBlocks(proposal: Proposal, facts: ProposalFacts, t: Translate): readonly Block[] {
  const params = facts.inputs?.params;
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
      const label = t('{0} of the minimum deposit in {1}', percentText(filled), symbol);
      return { kind: 'meter', caption: label, label, filled } as const;
    });
}

/**
 * A view whose every text shows what cannot be seen and what turns the direction of text (`⟦U+202E⟧`). The page gives
 * each text a direction of its own, so the marks that would isolate it are left out: they would stand in its markdown.
 */
export function shownView(view: ProposalView): ProposalView {
  return mapTexts(view, (text) => {
    const shown = showControls(text);
    return shown !== text && shown.startsWith('\u2068') ? shown.slice(1, -1) : shown;
  });
}

function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}
