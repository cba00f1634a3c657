import { displayAmount, groupDigits } from '../chain/coin.ts';
import {
  type DepositStanding,
  depositStanding,
  isText,
  ownWords,
  type Proposal,
  type ProposalStatus,
} from '../chain/proposal.ts';
import { formatJson } from '../chain/text.ts';
import { verdictWith } from '../session/judge.ts';
import type { Translate } from '../words/language.ts';
import { type OwnVote, statusName } from '../words/proposalWords.ts';
import { durationText } from '../words/time.ts';
import { amountText, percentText, ratioText, shortAddress } from '../words/values.ts';
import { powerText, verdictWords } from '../words/verdictWords.ts';
import * as block from './blocks.ts';
import { drawContents } from './contentBlocks.ts';
import type { ProposalAction } from './pageMessages.ts';
import type { BarBlock, Block, Cell, Fact, PageView, Section, TimelineStep } from './pageView.ts';
import type { ProposalFacts, ViewContext } from './proposalFacts.ts';
import { tallyBar, votesSection } from './voteBlocks.ts';

/** What is known of a proposal → what the page shows, worded. Pure: the same facts give the same view. */
export function toProposalView(facts: ProposalFacts, t: Translate): PageView<ProposalAction> {
  const { row, sourceName, chainId, failure, phishing } = facts;
  const { height } = row;
  const lure = t(
    'This reads like airdrop phishing: it lures to {0}. No chain needs your keys or your signature to pay you out.',
    phishing?.hosts.join(', ') ?? '',
  );
  const faults = row.kind === 'proposal' ? row.faults : [];
  const warnings = [
    ...(failure === undefined ? [] : [t('The last refresh failed: {0}', failure)]),
    ...faults.map(({ reason }) => t('Unreadable: {0}', reason)),
    ...(phishing ? [lure] : []),
    ...(row.kind === 'proposal' && hasOtherWords(row)
      ? [t('A content has a title or description of its own that differs from that of the proposal. Both are shown.')]
      : []),
  ];
  const common = {
    notices: warnings.map((text) => ({ tone: 'warning', text }) as const),
    about: [sourceName, ...(chainId ? [chainId] : []), ...(height ? [t('height {0}', groupDigits(height))] : [])],
    read: block.readTime(facts.readAt, t('read {0}')),
    clock: { now: facts.now.toISOString(), runs: facts.clockRuns },
  };
  if (row.kind === 'proposal') return block.shownView({ ...common, ...proposalParts(row, facts, t) }, t);
  return block.shownView(
    {
      ...common,
      id: `#${row.id}`,
      title: t('This proposal cannot be read'),
      status: { label: t('Unreadable'), look: 'warning' },
      badges: [{ text: sourceName }],
      overview: {},
      sections: [block.section('reason', t('Reason'), block.code(t('Reason'), row.reason))],
    },
    t,
  );
}

/** What a panel shows before its proposal is read, or where that failed. */
export function toWaitingView(id: bigint, failure: string | undefined, t: Translate): PageView<ProposalAction> {
  const isLoading = failure === undefined;
  return block.shownView(
    {
      id: `#${id}`,
      title: isLoading ? '' : t('Could not read this proposal'),
      status: isLoading ? { label: t('Loading…'), look: 'plain' } : { label: t('Not read'), look: 'bad' },
      badges: [],
      notices: isLoading ? [] : [{ tone: 'bad', text: failure }],
      overview: isLoading ? {} : { bar: block.buttons(['refreshProposal', t('Retry')]) },
      sections: [],
      about: [],
      read: undefined,
      clock: { now: new Date(0).toISOString(), runs: false },
    },
    t,
  );
}

function proposalParts(
  proposal: Proposal,
  facts: ProposalFacts,
  t: Translate,
): Pick<PageView<ProposalAction>, 'id' | 'title' | 'status' | 'badges' | 'overview' | 'sections'> {
  const verdict = verdictWith(proposal, facts.inputs);
  const denom = facts.inputs?.bondDenom ?? facts.registry?.stakingDenom;
  const power = powerText(denom, facts.unitOf, t);
  const view: ViewContext = { ...facts, proposal, verdict, bondDenom: denom, power, t };
  const { contents, proposer, status } = proposal;
  const [first] = contents;
  const name = first && block.typeName(first, t);
  const none = isText(proposal) ? t('Text') : t('No content');
  const kind = contents.length > 1 ? t('{0} messages', contents.length) : (name ?? none);
  const proposed = drawContents(view);
  const sections = [
    proposed.section,
    descriptionSection(view, proposed.wrappers),
    metadataSection(view),
    votesSection(view),
    timelineSection(view),
    depositSection(view),
    jsonSection(view),
  ];
  return {
    id: `#${proposal.id}`,
    // A proposal without a title is called by what it does.
    title: proposal.title?.trim() || name || t('Untitled proposal'),
    status: { label: statusName(status, proposal.wireStatus, t), look: statusLook(status) },
    badges: [
      { text: kind },
      ...(proposal.expedited ? [{ text: t('Expedited') }] : []),
      ...(proposal.emergency ? [{ text: t('Emergency') }] : []),
      { text: block.placeOf(facts) },
      ...(proposer === undefined ? [] : [{ text: t('by {0}', shortAddress(proposer)), hint: proposer }]),
    ],
    overview: status === 'deposit' ? depositOverview(view) : voteOverview(view),
    sections: sections.filter((section) => section !== undefined),
  };
}

function hasOtherWords(proposal: Proposal): boolean {
  return proposal.contents.some((content) => Object.values(ownWords(proposal, content)).some((text) => text));
}

/** As the icons of the statuses are coloured. */
function statusLook(status: ProposalStatus): NonNullable<PageView['status']>['look'] {
  if (status === 'passed') return 'good';
  if (status === 'deposit' || status === 'voting') return status;
  return status === 'unspecified' || status === 'unknown' ? 'warning' : 'bad';
}

/** Without a verdict before the rules of the vote are read, as it could be wrong then. */
function voteOverview(view: ViewContext): PageView['overview'] {
  const { proposal, myVotes = [], isPast, inputs, t } = view;
  const { status, votingEndTime } = proposal;
  const hasVotes = status !== 'unspecified' && status !== 'unknown';
  const hasMyVotes = status === 'voting' && !isPast && myVotes.length > 0;
  return {
    time: hasVotes ? block.chainTime(votingEndTime, t('Ends {0}'), t('Ended {0}')) : undefined,
    verdict: inputs ? verdictWords(view) : { tone: 'plain', lead: '', text: t('Reading the rules of the vote…') },
    bar: tallyBar(view),
    myVotes: hasMyVotes ? ownVotes(myVotes, t) : undefined,
  };
}

function ownVotes(votes: readonly OwnVote[], t: Translate): PageView['overview']['myVotes'] {
  const text = t('Your votes: {0}', votes.map(({ words }) => words).join(' · '));
  return { text, tone: votes.some(({ isMissing }) => isMissing) ? 'warning' : 'plain' };
}

function depositOverview(view: ViewContext): PageView['overview'] {
  const { proposal, unitOf, t } = view;
  const standing = standingOf(view);
  const missing = standing.find((one) => one.missing > 0n);
  const time = block.chainTime(proposal.depositEndTime, t('Deposit ends {0}'), t('Deposit ended {0}'));
  const lead = t('Voting has not started:');
  if (!missing) {
    const text = standing.length === 0 ? t('it starts when the deposit is complete.') : t('the deposit is complete.');
    return { time, verdict: { tone: 'plain', lead, text } };
  }
  const amounts = amountsOf(missing, view);
  const text = t('{0} of {1} are missing from the deposit.', amounts.missing, amounts.needed);
  const share = Number((missing.deposited * 10_000n) / missing.needed);
  const symbol = unitOf(missing.denom)?.symbol ?? missing.denom;
  const label = t('{0} of the minimum deposit in {1}', percentText(share), symbol);
  const bar: BarBlock = { kind: 'bar', label, parts: [{ look: 'filled', share }], marks: [] };
  return { time, verdict: { tone: 'plain', lead, text }, bar };
}

function descriptionSection(
  { proposal: { description }, t }: ViewContext,
  wrappers: readonly block.Maybe<Block>[],
): Section {
  const text = description ? block.markdown(description) : block.paragraph(t('No description.'));
  return block.section('description', t('Description'), text, ...wrappers);
}

function metadataSection({ proposal: { metadata }, t }: ViewContext): Section | undefined {
  if (!metadata) return undefined;
  const { text } = metadata;
  const [id, title] = ['metadata', t('Metadata')];
  if (metadata.kind === 'json') {
    const { authors, details, forumUrl, voteContext } = metadata;
    const label = t('Metadata as JSON');
    return block.section(
      id,
      title,
      authors.length > 0 && block.facts({ label: t('Authors'), value: authors.join(', ') }),
      voteContext !== undefined && block.facts({ label: t('Vote options'), value: voteContext }),
      forumUrl !== undefined && { kind: 'markdown', source: forumUrl },
      details !== undefined && block.markdown(details),
      block.fold('metadata', label, [block.code(label, formatJson(text) ?? text)]),
    );
  }
  const shown: Record<typeof metadata.kind, Block> = {
    // A link of its own: it is opened on purpose, and only after its address was shown.
    link: { kind: 'markdown', source: text },
    placeholder: block.paragraph(t('{0}, a placeholder', text)),
    text: block.code(title, text),
  };
  return block.section(id, title, shown[metadata.kind]);
}

const longString = 4_000;

/** The JSON as it came, indented; long strings are cut, so that byte code does not fill the page. */
function jsonSection({ proposal: { raw }, t }: ViewContext): Section {
  const cut = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? block.shortened(value, longString, t) : value;
  const json = block.code(t('JSON'), JSON.stringify(raw, cut, 2));
  return block.section('json', t('JSON'), block.fold('json', t('As it came'), [json]));
}

function timelineSection({ proposal, verdict, inputs, now, t }: ViewContext): Section {
  const { submitTime, depositEndTime, votingStartTime, votingEndTime } = proposal;
  const hasPassed = (at: Date): boolean => at <= now;
  const step = (label: string, at: Date | undefined, note?: string): TimelineStep => {
    if (!at) return { label, state: 'none', note: note ?? t('time not stated') };
    return { label, state: hasPassed(at) ? 'done' : 'todo', time: block.chainTime(at), note };
  };
  const steps = [step(t('Submitted'), submitTime)];
  if (proposal.status === 'deposit') {
    const period = inputs?.params.votingPeriod;
    const later =
      period === undefined ? t('after the voting period') : t('{0} later', durationText(period * 1000, 'exact', t));
    steps.push(
      step(t('Deposit period ends'), depositEndTime),
      step(t('Voting begins'), undefined, t('when the deposit is complete')),
      step(t('Voting ends'), undefined, later),
    );
  } else {
    const isEarly = votingStartTime !== undefined && depositEndTime !== undefined && votingStartTime < depositEndTime;
    const moves = { later: t('later, if quorum is reached late'), sooner: t('sooner, once quorum is reached') };
    const end = votingEndTime && hasPassed(votingEndTime) ? t('Voting ended') : t('Voting ends');
    steps.push(
      isEarly
        ? step(t('Deposit complete'), votingStartTime, t('the deposit period ended early'))
        : step(t('Deposit period ended'), depositEndTime),
      step(t('Voting began'), votingStartTime),
      step(end, votingEndTime, verdict.endMayMove && moves[verdict.endMayMove]),
    );
  }
  return block.section('timeline', t('Timeline'), { kind: 'timeline', steps });
}

function depositSection(view: ViewContext): Section {
  const { proposal, inputs, unitOf, t } = view;
  const standing = standingOf(view);
  const others = proposal.totalDeposit.filter(({ denom }) => !standing.some((one) => one.denom === denom));
  const deposited = [
    ...standing.map((one): Cell => {
      const amounts = amountsOf(one, view);
      const note = `${groupDigits(one.deposited)} / ${groupDigits(one.needed)} ${one.denom}`;
      const text =
        one.missing > 0n
          ? t('{0} of {1}; {2} missing', amounts.deposited, amounts.needed, amounts.missing)
          : t('{0} of {1}; complete', amounts.deposited, amounts.needed);
      return { text, note };
    }),
    ...others.map((coin) => block.amountCell(coin, unitOf(coin.denom))),
  ];
  if (deposited.length === 0) deposited.push(t('nothing'));
  const rows = deposited.map((value) => ({ label: t('Deposited'), value }));
  const isUnknown = proposal.status === 'deposit' && inputs !== undefined && standing.length === 0;
  const unknown = t('not known, this source does not offer its gov parameters');
  const minimum = isUnknown && { label: t('Minimum'), value: unknown };
  return block.section(
    'deposit',
    t('Deposit'),
    block.facts(...rows, minimum, depositOutcome(view)),
    ...depositorBlocks(view),
  );
}

function depositorBlocks({ inputs, unitOf, t }: ViewContext): readonly block.Maybe<Block>[] {
  const { rows = [], total, nextKey } = inputs?.deposits ?? {};
  const cells = rows.flatMap(({ depositor, coins }) =>
    coins.slice(0, 100).map((coin) => [block.codeCell(depositor), block.amountCell(coin, unitOf(coin.denom))]),
  );
  const counted = t('{0} of {1} depositors are shown.', rows.length, groupDigits(total ?? 0n));
  const text = total === undefined ? t('The first {0} depositors are shown.', rows.length) : counted;
  return [
    cells.length > 0 && block.table(t('Depositors'), [t('Depositor'), t('Amount')], cells, [1]),
    Boolean(nextKey) && block.paragraph(text),
  ];
}

/** By the rules of docs/governance.md#deposits. */
function depositOutcome({ proposal, verdict, inputs, t }: ViewContext): Fact | undefined {
  if (!inputs) return undefined;
  const isWaiting = proposal.status === 'deposit';
  const outcome = verdict.deposits;
  if (!outcome) return undefined;
  const later = proposal.status === 'voting' ? t('By this count') : t('Outcome');
  const label = isWaiting ? t('If the minimum is missed') : later;
  if (outcome.effect === 'kept') return { label, value: t('kept for the regular vote') };
  const text = {
    returned: t('returned to the depositors'),
    burnt: t('burnt'),
    partly: t('{0} lost, the rest returned', ratioText(outcome.ratio ?? 0n)),
  }[outcome.effect];
  const notes: Partial<Record<typeof outcome.case, string>> = {
    otherwise: t('no rule burns them'),
    any: t('whichever rule decided'),
  };
  const builtIn = notes[outcome.case] ?? t('by the rules of its SDK version');
  const note = outcome.parameter === undefined ? builtIn : t('by the parameter {0}', outcome.parameter);
  return { label, value: { text, note } };
}

/** Where the deposit stands against the minimum; empty where that is not known, or does not matter any more. */
function standingOf({ proposal, inputs }: ViewContext): readonly DepositStanding[] {
  if (proposal.status !== 'deposit' || !inputs) return [];
  const minimum = proposal.expedited ? inputs.params.expeditedMinDeposit : inputs.params.minDeposit;
  return minimum ? depositStanding(proposal.totalDeposit, minimum) : [];
}

/** The amounts of a deposit in words; only `needed` names the denom. */
function amountsOf(
  { denom, deposited, needed, missing }: DepositStanding,
  { unitOf }: ProposalFacts,
): Readonly<Record<'deposited' | 'missing' | 'needed', string>> {
  const unit = unitOf(denom);
  const number = (amount: bigint): string => (unit ? displayAmount(amount, unit.exponent) : groupDigits(amount));
  return {
    deposited: number(deposited),
    missing: number(missing),
    needed: amountText({ denom, amount: needed }, unit),
  };
}
