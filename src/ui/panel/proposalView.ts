import { displayAmount, groupDigits } from '../../chain/coin.ts';
import { formatJson } from '../../chain/json.ts';
import { toGovParams } from '../../chain/params.ts';
import {
  type DepositStanding,
  depositStanding,
  type Metadata,
  type Proposal,
  type ProposalStatus,
  type UnreadableProposal,
} from '../../chain/proposal.ts';
import { type DepositRule, depositRules, variantOf } from '../../chain/rules.ts';
import { showControls, tidyDescription } from '../../chain/text.ts';
import { toVerdict, type Verdict } from '../../chain/verdict.ts';
import { amountText, percentText, periodText, ratioText, statusName, type Translate } from '../values.ts';
import { amountCell, contentsSection, shortened, typeName } from './contentBlocks.ts';
import type { ProposalFacts } from './proposalModel.ts';
import {
  type BarBlock,
  type Block,
  buttons,
  type Cell,
  type ProposalView,
  type Section,
  type TimelineStep,
  type TimeText,
  type Tone,
} from './protocol.ts';
import { powerText, type VoteContext, verdictWords } from './verdictWords.ts';
import { readTime, tallyBar, votesSection } from './voteBlocks.ts';
import { voterFolds } from './voterBlocks.ts';

/** What is known of a proposal → what the page shows, worded. Pure: the same facts give the same view. */
export function toProposalView(facts: ProposalFacts, t: Translate): ProposalView {
  const row = facts.row;
  return shownView(row.kind === 'proposal' ? proposalView(row, facts, t) : unreadableView(row, facts, t));
}

function proposalView(proposal: Proposal, facts: ProposalFacts, t: Translate): ProposalView {
  const known = facts.inputs ?? { liveTally: undefined, bonded: undefined, params: toGovParams(undefined) };
  const verdict = toVerdict(proposal, known);
  const vote = { proposal, known, verdict, facts, now: facts.now, power: powerText(facts, t), t };
  const sections = [
    contentsSection(proposal.contents, facts, t),
    descriptionSection(proposal, t),
    metadataSection(proposal.metadata, t),
    votesSection(vote, voterFolds(vote)),
    timelineSection(proposal, verdict, facts, t),
    depositSection(proposal, verdict, facts, t),
    jsonSection(proposal, t),
  ];
  return {
    ...common(facts, t),
    notices: notices(facts, proposal.faults, t),
    status: { label: statusName(proposal.status, proposal.wireStatus, t), tone: statusTone(proposal.status) },
    badges: badges(proposal, facts, t),
    id: `#${proposal.id}`,
    title: titleOf(proposal, t),
    glance: glance(vote),
    sections: sections.filter((section) => section !== undefined),
  };
}

/** What a panel shows before its proposal is read, or where that failed. */
export function toWaitingView(id: bigint, failure: string | undefined, t: Translate): ProposalView {
  const clock = { now: new Date(0).toISOString(), runs: false };
  const empty = { id: `#${id}`, badges: [], sections: [], about: [], read: undefined, clock };
  if (failure === undefined) {
    return { ...empty, title: '', status: { label: t('Loading…'), tone: 'plain' }, notices: [], glance: {} };
  }
  return shownView({
    ...empty,
    title: t('Could not read this proposal'),
    status: { label: t('Not read'), tone: 'bad' },
    notices: [{ tone: 'bad', text: failure }],
    glance: { bar: buttons(['retry', t('Retry')]) },
  });
}

function unreadableView(row: UnreadableProposal, facts: ProposalFacts, t: Translate): ProposalView {
  return {
    ...common(facts, t),
    notices: notices(facts, [], t),
    status: { label: t('Unreadable'), tone: 'warning' },
    badges: [{ text: facts.sourceName }],
    id: row.id < 0n ? t('Unknown id') : `#${row.id}`,
    title: t('This proposal cannot be read'),
    glance: {},
    sections: [{ id: 'reason', title: t('Reason'), blocks: [{ kind: 'code', label: t('Reason'), text: row.reason }] }],
  };
}

function common(facts: ProposalFacts, t: Translate) {
  const places = [facts.sourceName, facts.chainId, facts.height && t('height {0}', groupDigits(facts.height))];
  return {
    about: places.filter((place) => place !== undefined && place !== 0n),
    read: readTime(facts.readAt, t('read {0}')),
    clock: { now: facts.now.toISOString(), runs: facts.clockRuns },
  };
}

/** The answer at first glance. Nothing is said of the vote before its rules are read, as it could be wrong then. */
function glance(vote: VoteContext): ProposalView['glance'] {
  const { proposal, verdict, facts, t } = vote;
  const time = endTime(proposal, t);
  if (proposal.status === 'deposit') return { time, ...depositGlance(proposal, facts, t) };
  const { myVotes = [], isPast } = facts;
  const isMine = proposal.status === 'voting' && !isPast && myVotes.length > 0;
  const mine = isMine ? t('Your votes: {0}', myVotes.join(' · ')) : undefined;
  const shown = { time, bar: tallyBar(verdict, t), mine };
  if (facts.inputs === undefined) {
    return { ...shown, verdict: { tone: 'plain', lead: '', text: t('Reading the rules of the vote…') } };
  }
  return { ...shown, verdict: verdictWords(vote) };
}

function endTime({ status, depositEndTime, votingEndTime }: Proposal, t: Translate): TimeText | undefined {
  if (status === 'deposit') return timeText(depositEndTime, t('Deposit ends {0}'), t('Deposit ended {0}'));
  const hasVotes = status !== 'unspecified' && status !== 'unknown';
  return hasVotes ? timeText(votingEndTime, t('Ends {0}'), t('Ended {0}')) : undefined;
}

function timeText(at: Date | undefined, future = '{0}', past = '{0}'): TimeText | undefined {
  return at && { at: at.toISOString(), future, past, clock: 'chain' };
}

/** What is missing for the vote to begin. */
function depositGlance(proposal: Proposal, facts: ProposalFacts, t: Translate) {
  const standing = standingOf(proposal, facts);
  const [missing] = standing.filter((one) => one.missing > 0n);
  const lead = t('Voting has not started:');
  const tone: Tone = 'plain';
  if (!missing) {
    const text = standing.length === 0 ? t('it starts when the deposit is complete.') : t('the deposit is complete.');
    return { verdict: { tone, lead, text } };
  }
  const needed = amountOf(missing.denom, missing.needed, facts);
  const text = t('{0} of {1} are missing from the deposit.', numberOf(missing.denom, missing.missing, facts), needed);
  return { verdict: { tone, lead, text }, bar: depositMeter(missing, facts, t) };
}

/** What is wrong with the page or the proposal; what looks like a lure is marked, and nothing is hidden. */
function notices({ failure, phishing }: ProposalFacts, faults: Proposal['faults'], t: Translate) {
  const lure = t(
    'This reads like airdrop phishing: it lures to {0}. No chain needs your keys or your signature to pay you out.',
    phishing?.hosts.join(', ') ?? '',
  );
  const texts = [
    ...(failure === undefined ? [] : [t('The last refresh failed: {0}', failure)]),
    ...faults.map(({ reason }) => t('Unreadable: {0}', reason)),
    ...(phishing ? [lure] : []),
  ];
  return texts.map((text) => ({ tone: 'warning', text }) as const);
}

function statusTone(status: ProposalStatus): Tone {
  if (status === 'passed') return 'good';
  if (status === 'deposit' || status === 'voting') return 'plain';
  return status === 'unspecified' || status === 'unknown' ? 'warning' : 'bad';
}

/** A proposal without a title is called by what it does. */
function titleOf(proposal: Proposal, t: Translate): string {
  const [first] = proposal.contents;
  return proposal.title?.trim() || (first && typeName(first, t)) || t('Untitled proposal');
}

/** Kind, expedited, chain, proposer. */
function badges(proposal: Proposal, facts: ProposalFacts, t: Translate): ProposalView['badges'] {
  const { contents, proposer } = proposal;
  const [first] = contents;
  const kind = contents.length > 1 ? t('{0} messages', contents.length) : first ? typeName(first, t) : t('No content');
  return [
    { text: kind },
    ...(proposal.expedited ? [{ text: t('Expedited') }] : []),
    ...(proposal.emergency ? [{ text: t('Emergency') }] : []),
    { text: placeOf(facts) },
    ...(proposer === undefined ? [] : [{ text: t('by {0}', shortAddress(proposer)), hint: proposer }]),
  ];
}

/** The chain by its id; of the past the source, whose name says the height. */
export function placeOf({ isPast, chainId, sourceName }: ProposalFacts): string {
  return isPast ? sourceName : (chainId ?? sourceName);
}

function shortAddress(address: string): string {
  return address.length <= 24 ? address : `${address.slice(0, 12)}…${address.slice(-4)}`;
}

function descriptionSection({ description }: Proposal, t: Translate): Section {
  const block: Block = description
    ? { kind: 'markdown', source: tidyDescription(description) }
    : { kind: 'paragraph', text: t('No description.') };
  return { id: 'description', title: t('Description'), blocks: [block] };
}

/** What the metadata adds to title and summary. */
function metadataSection(metadata: Metadata | undefined, t: Translate): Section | undefined {
  if (!metadata) return undefined;
  const section = { id: 'metadata', title: t('Metadata') };
  switch (metadata.kind) {
    case 'json':
      return { ...section, blocks: metadataBlocks(metadata, t) };
    case 'link':
      // A link of its own: it is opened on purpose, and only after its address was shown.
      return { ...section, blocks: [{ kind: 'markdown', source: metadata.text }] };
    case 'placeholder':
      return { ...section, blocks: [{ kind: 'paragraph', text: t('{0}, a placeholder', metadata.text) }] };
    case 'text':
      return { ...section, blocks: [{ kind: 'code', label: section.title, text: metadata.text }] };
    default:
      return metadata satisfies never;
  }
}

function metadataBlocks(metadata: Extract<Metadata, { kind: 'json' }>, t: Translate): readonly Block[] {
  const { authors, details, forumUrl, voteContext, text } = metadata;
  const rows = [
    ...(authors.length > 0 ? [{ label: t('Authors'), value: authors.join(', ') }] : []),
    ...(voteContext === undefined ? [] : [{ label: t('Vote options'), value: voteContext }]),
  ];
  const json: Block = { kind: 'code', label: t('Metadata as JSON'), text: formatJson(text) ?? text };
  return [
    ...(rows.length > 0 ? [{ kind: 'facts' as const, rows }] : []),
    ...(forumUrl === undefined ? [] : [{ kind: 'markdown' as const, source: forumUrl }]),
    ...(details === undefined ? [] : [{ kind: 'markdown' as const, source: tidyDescription(details) }]),
    { kind: 'fold', id: 'metadata', summary: json.label, blocks: [json] },
  ];
}

const longString = 4_000;

/** The JSON as it came, indented; long strings are cut, so that byte code does not fill the page. */
function jsonSection({ raw }: Proposal, t: Translate): Section {
  const label = t('JSON');
  const cut = (_: string, value: unknown) => (typeof value === 'string' ? shortened(value, longString, t) : value);
  const code: Block = { kind: 'code', label, text: JSON.stringify(raw, cut, 2) };
  return { id: 'json', title: label, blocks: [{ kind: 'fold', id: 'json', summary: t('As it came'), blocks: [code] }] };
}

/** What happened and what is to come, in the order of time. */
function timelineSection(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Section {
  const { submitTime, depositEndTime, votingStartTime, votingEndTime } = proposal;
  const isWaiting = proposal.status === 'deposit';
  const step = (label: string, at: Date | undefined, note = at ? undefined : t('time not stated')): TimelineStep => {
    const state = at === undefined ? 'none' : at <= facts.now ? 'done' : 'todo';
    return { label, state, time: timeText(at), note };
  };
  const isEarly = votingStartTime !== undefined && depositEndTime !== undefined && votingStartTime < depositEndTime;
  const moves = { later: t('later, if quorum is reached late'), sooner: t('sooner, once quorum is reached') };
  const isOver = votingEndTime !== undefined && votingEndTime <= facts.now;
  const period = facts.inputs?.params.votingPeriod;
  const after = period === undefined ? t('after the voting period') : t('{0} later', periodText(period, t));
  const steps = isWaiting
    ? [
        step(t('Submitted'), submitTime),
        step(t('Deposit period ends'), depositEndTime),
        step(t('Voting begins'), undefined, t('when the deposit is complete')),
        step(t('Voting ends'), undefined, after),
      ]
    : [
        step(t('Submitted'), submitTime),
        isEarly
          ? step(t('Deposit complete'), votingStartTime, t('the deposit period ended early'))
          : step(t('Deposit period ended'), depositEndTime),
        step(t('Voting began'), votingStartTime),
        step(
          isOver ? t('Voting ended') : t('Voting ends'),
          votingEndTime,
          verdict.endMayMove && moves[verdict.endMayMove],
        ),
      ];
  return { id: 'timeline', title: t('Timeline'), blocks: [{ kind: 'timeline', steps }] };
}

/** What was deposited, against the minimum while that matters, and what becomes of it. */
function depositSection(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Section {
  const standing = standingOf(proposal, facts);
  const asked = new Set(standing.map(({ denom }) => denom));
  const others = proposal.totalDeposit.filter(({ denom }) => !asked.has(denom));
  const deposited = [
    ...standing.map((one) => standingCell(one, facts, t)),
    ...others.map((coin) => amountCell(coin, facts.unitOf(coin.denom))),
  ];
  if (deposited.length === 0) deposited.push(t('nothing'));
  const rows = deposited.map((value) => ({ label: t('Deposited'), value }));
  if (proposal.status === 'deposit' && facts.inputs !== undefined && standing.length === 0) {
    rows.push({ label: t('Minimum'), value: t('not known, this source does not offer its gov parameters') });
  }
  const outcome = depositOutcome(proposal, verdict, facts, t);
  if (outcome) rows.push(outcome);
  return { id: 'deposit', title: t('Deposit'), blocks: [{ kind: 'facts', rows }] };
}

/** What becomes of the deposits, and by which rule; docs/governance.md#deposits. */
function depositOutcome(proposal: Proposal, verdict: Verdict, { inputs }: ProposalFacts, t: Translate) {
  if (!inputs) return undefined;
  const isWaiting = proposal.status === 'deposit';
  const rules = isWaiting ? depositRules(inputs.params, variantOf(inputs.params, 'staking'), proposal.form) : [];
  const outcome = isWaiting ? rules.find((rule) => rule.case === 'minimum') : verdict.deposits;
  if (!outcome) return undefined;
  const label = isWaiting
    ? t('If the minimum is missed')
    : proposal.status === 'voting'
      ? t('By this count')
      : t('Outcome');
  if (outcome.fate === 'kept') return { label, value: t('kept for the regular vote') };
  const text = {
    returned: t('returned to the depositors'),
    burnt: t('burnt'),
    partly: t('{0} lost, the rest returned', ratioText(outcome.ratio ?? 0n)),
  }[outcome.fate];
  return { label, value: { text, note: ruleText(outcome, t) } };
}

function ruleText({ case: of, parameter }: DepositRule, t: Translate): string {
  if (parameter !== undefined) return t('by the parameter {0}', parameter);
  return of === 'otherwise' ? t('no rule burns them') : t('by the rules of its SDK version');
}

/** Where the deposit stands against the minimum; empty where that is not known, or does not matter any more. */
function standingOf(proposal: Proposal, { inputs }: ProposalFacts): readonly DepositStanding[] {
  if (proposal.status !== 'deposit' || !inputs) return [];
  const minimum = proposal.expedited ? inputs.params.expeditedMinDeposit : inputs.params.minDeposit;
  return minimum ? depositStanding(proposal.totalDeposit, minimum) : [];
}

/** `8,500 of 10,000 ATOM; 1,500 missing`. */
function standingCell(standing: DepositStanding, facts: ProposalFacts, t: Translate): Cell {
  const { denom, deposited, needed, missing } = standing;
  const number = (amount: bigint) => numberOf(denom, amount, facts);
  const whole = amountOf(denom, needed, facts);
  const note = `${deposited} / ${needed} ${denom}`;
  const text =
    missing > 0n
      ? t('{0} of {1}; {2} missing', number(deposited), whole, number(missing))
      : t('{0} of {1}; complete', number(deposited), whole);
  return { text, note };
}

function depositMeter({ denom, deposited, needed }: DepositStanding, facts: ProposalFacts, t: Translate): BarBlock {
  const filled = Number((deposited * 10_000n) / needed);
  const symbol = facts.unitOf(denom)?.symbol ?? denom;
  const label = t('{0} of the minimum deposit in {1}', percentText(filled), symbol);
  return { kind: 'bar', label, parts: [{ look: 'filled', share: filled }], marks: [] };
}

/** Without the denom. */
function numberOf(denom: string, amount: bigint, facts: ProposalFacts): string {
  const unit = facts.unitOf(denom);
  return unit ? displayAmount(amount, unit.exponent) : groupDigits(amount);
}

function amountOf(denom: string, amount: bigint, facts: ProposalFacts): string {
  return amountText({ denom, amount }, facts.unitOf(denom));
}

/**
 * A view whose every text shows what cannot be seen and what turns the direction of text (`⟦U+202E⟧`). The page gives
 * each text a direction of its own, so the marks that would isolate it are left out: they would stand in its markdown.
 */
export function shownView(view: ProposalView): ProposalView {
  return JSON.parse(JSON.stringify(view), (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    const shown = showControls(value);
    return shown !== value && shown.startsWith('\u2068') ? shown.slice(1, -1) : shown;
  });
}
