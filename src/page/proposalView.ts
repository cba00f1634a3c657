import { displayAmount, groupDigits } from '../chain/coin.ts';
import {
  type DepositStanding,
  depositStanding,
  isText,
  ownWords,
  type Proposal,
  type ProposalStatus,
} from '../chain/gov/proposal.ts';
import { formatJson } from '../chain/json.ts';
import { verdictWith } from '../reads/judge.ts';
import { listText, type Translate } from '../words/language.ts';
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

/** Makes the page of a proposal. Pure: equal facts give equal views. */
export function toProposalView(facts: ProposalFacts, t: Translate): PageView<ProposalAction> {
  const { row, sourceName, chainId, failure, phishing } = facts;
  const { height } = row;
  const lure = t(
    'Possible airdrop phishing: the proposal points to {0}. No chain needs your keys or signature to pay you.',
    listText(phishing?.hosts ?? [], t),
  );
  const faults = row.kind === 'proposal' ? row.faults : [];
  const warnings = [
    ...(failure === undefined ? [] : [t('The last refresh failed: {0}', failure)]),
    ...faults.map(({ reason }) => t('Unreadable: {0}', reason)),
    ...(phishing ? [lure] : []),
    ...(row.kind === 'proposal' && hasOtherWords(row)
      ? [t('The content has a different title or description than the proposal. Both are shown.')]
      : []),
  ];
  const common = {
    notices: warnings.map((text) => ({ tone: 'warning', text }) as const),
    about: [
      sourceName,
      ...(chainId ? [chainId] : []),
      ...(height ? [t('height {0}', groupDigits(height))] : []),
      ...block.stateTimes(facts, t),
    ],
    read: block.readTime(facts.readAt, t('loaded {0}')),
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

/** The page of a proposal that is being read, or that could not be read. */
export function toWaitingView(id: bigint, failure: string | undefined, t: Translate): PageView<ProposalAction> {
  const isLoading = failure === undefined;
  return block.shownView(
    {
      id: `#${id}`,
      title: isLoading ? '' : t('Could not read this proposal'),
      status: isLoading ? { label: t('Loading…'), look: 'plain' } : { label: t('Not loaded'), look: 'bad' },
      badges: [],
      notices: isLoading ? [] : [{ tone: 'bad', text: failure }],
      overview: isLoading ? {} : { bar: block.buttons(['refreshProposal', t('Retry')]) },
      sections: [],
      about: [],
      read: undefined,
      clock: block.noClock,
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
    descriptionSection(view, proposed.technical),
    metadataSection(view),
    votesSection(view),
    timelineSection(view),
    depositSection(view),
    jsonSection(view),
  ];
  return {
    id: `#${proposal.id}`,
    // A proposal without a title is named by the type of its content.
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

/** The color of a status, as that of its icon. */
function statusLook(status: ProposalStatus): NonNullable<PageView['status']>['look'] {
  if (status === 'passed') return 'good';
  if (status === 'deposit' || status === 'voting') return status;
  return status === 'unspecified' || status === 'unknown' ? 'warning' : 'bad';
}

/** Has no verdict until the rules of the vote are read, since it could be wrong. */
function voteOverview(view: ViewContext): PageView['overview'] {
  const { proposal, myVotes = [], isPast, inputs, t } = view;
  const { status, votingEndTime } = proposal;
  const hasVotes = status !== 'unspecified' && status !== 'unknown';
  const hasMyVotes = status === 'voting' && !isPast && myVotes.length > 0;
  return {
    time: hasVotes ? block.chainTime(votingEndTime, t('Ends {0}'), t('Ended {0}')) : undefined,
    verdict: inputs ? verdictWords(view) : { tone: 'plain', lead: '', text: t('Loading the gov parameters…') },
    bar: tallyBar(view),
    myVotes: hasMyVotes ? ownVotes(myVotes) : undefined,
  };
}

function ownVotes(votes: readonly OwnVote[]): PageView['overview']['myVotes'] {
  const text = votes.map(({ words }) => words).join(' · ');
  return { text, tone: votes.some(({ isMissing }) => isMissing) ? 'warning' : 'plain' };
}

function depositOverview(view: ViewContext): PageView['overview'] {
  const { proposal, unitOf, t } = view;
  const standing = depositStandings(view);
  const missing = standing.find((one) => one.missing > 0n);
  const time = block.chainTime(proposal.depositEndTime, t('Deposit period ends {0}'), t('Deposit period ended {0}'));
  const lead = t('Voting has not started:');
  if (!missing) {
    const text = standing.length === 0 ? t('it starts when the deposit is complete.') : t('the deposit is complete.');
    return { time, verdict: { tone: 'plain', lead, text } };
  }
  const amounts = amountTexts(missing, view);
  const text = t('{0} of {1} is still needed.', amounts.missing, amounts.needed);
  const share = Number((missing.deposited * 10_000n) / missing.needed);
  const symbol = unitOf(missing.denom)?.symbol ?? missing.denom;
  const label = t('{0} of the minimum deposit in {1}', percentText(share, missing.deposited), symbol);
  const bar: BarBlock = { kind: 'bar', label, parts: [{ look: 'filled', share }], marks: [] };
  return { time, verdict: { tone: 'plain', lead, text }, bar };
}

function descriptionSection({ proposal: { description }, t }: ViewContext, technical: Block | undefined): Section {
  const text = description ? block.markdown(description) : block.paragraph(t('No description.'));
  return block.section('description', t('Description'), text, technical);
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
      authors.length > 0 && block.facts({ label: t('Authors'), value: listText(authors, t) }),
      voteContext !== undefined && block.facts({ label: t('Vote options'), value: voteContext }),
      forumUrl !== undefined && { kind: 'markdown', source: forumUrl },
      details !== undefined && block.markdown(details),
      block.fold('metadata', label, [block.code(label, formatJson(text) ?? text)]),
    );
  }
  const shown: Record<typeof metadata.kind, Block> = {
    // The text is a link of its own, and opens only after its address was shown.
    link: { kind: 'markdown', source: text },
    placeholder: block.paragraph(t('{0} (placeholder)', text)),
    text: block.code(title, text),
  };
  return block.section(id, title, shown[metadata.kind]);
}

const longString = 4_000;

/** The JSON of the chain, indented. Long strings are cut, so that byte code does not fill the page. */
function jsonSection({ proposal: { raw }, t }: ViewContext): Section {
  const cut = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? block.shortened(value, longString, t) : value;
  const json = block.code(t('JSON'), JSON.stringify(raw, cut, 2));
  return block.section('json', t('JSON'), block.fold('json', t('Raw JSON'), [json]));
}

function timelineSection({ proposal, verdict, inputs, now, t }: ViewContext): Section {
  const { submitTime, depositEndTime, votingStartTime, votingEndTime } = proposal;
  const hasPassed = (at: Date): boolean => at <= now;
  const step = (label: string, at: Date | undefined, note?: string): TimelineStep => {
    if (!at) return { label, state: 'none', note: note ?? t('time unknown') };
    return { label, state: hasPassed(at) ? 'done' : 'todo', time: block.chainTime(at), note };
  };
  const steps = [step(t('Submitted'), submitTime)];
  if (proposal.status === 'deposit') {
    const period = inputs?.params.votingPeriod;
    const later =
      period === undefined ? t('after the voting period') : t('{0} later', durationText(period * 1000, 'exact', t));
    steps.push(
      step(t('Deposit period ends'), depositEndTime),
      step(t('Voting starts'), undefined, t('when the deposit is complete')),
      step(t('Voting ends'), undefined, later),
    );
  } else {
    const isEarly = votingStartTime !== undefined && depositEndTime !== undefined && votingStartTime < depositEndTime;
    const moves = {
      later: t('may end later if quorum is reached late'),
      sooner: t('ends sooner if quorum is reached'),
    };
    const end = votingEndTime && hasPassed(votingEndTime) ? t('Voting ended') : t('Voting ends');
    steps.push(
      isEarly
        ? step(t('Deposit complete'), votingStartTime, t('the deposit period ended early'))
        : step(t('Deposit period ended'), depositEndTime),
      step(t('Voting started'), votingStartTime),
      step(end, votingEndTime, verdict.endMayMove && moves[verdict.endMayMove]),
    );
  }
  return block.section('timeline', t('Timeline'), { kind: 'timeline', steps });
}

function depositSection(view: ViewContext): Section {
  const { proposal, inputs, unitOf, t } = view;
  const standing = depositStandings(view);
  const others = proposal.totalDeposit.filter(({ denom }) => !standing.some((one) => one.denom === denom));
  const deposited = [
    ...standing.map((one): Cell => {
      const amounts = amountTexts(one, view);
      const hint = `${groupDigits(one.deposited)} / ${groupDigits(one.needed)} ${one.denom}`;
      const text =
        one.missing > 0n
          ? t('{0} of {1}, {2} still needed', amounts.deposited, amounts.needed, amounts.missing)
          : t('{0} of {1}, complete', amounts.deposited, amounts.needed);
      return { text, hint };
    }),
    ...others.map((coin) => block.amountCell(coin, unitOf(coin.denom))),
  ];
  if (deposited.length === 0) deposited.push(t('none'));
  const rows = deposited.map((value) => ({ label: t('Deposited'), value }));
  const isUnknown = proposal.status === 'deposit' && inputs !== undefined && standing.length === 0;
  const unknown = t('gov parameters are not available');
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
  const counted = t('Showing {0} of {1} depositors.', rows.length, groupDigits(total ?? 0n));
  const text = total === undefined ? t('Showing the first {0} depositors.', rows.length) : counted;
  return [
    cells.length > 0 && block.table(t('Depositors'), [t('Depositor'), t('Amount')], cells, [1]),
    Boolean(nextKey) && block.paragraph(text),
  ];
}

/** The outcome of a deposit (docs/governance.md#deposits). */
function depositOutcome({ proposal, verdict, inputs, t }: ViewContext): Fact | undefined {
  if (!inputs) return undefined;
  const isWaiting = proposal.status === 'deposit';
  const outcome = verdict.deposits;
  if (!outcome) return undefined;
  const later = proposal.status === 'voting' ? t('If voting ended now') : t('Outcome');
  const label = isWaiting ? t('If the minimum is not reached') : later;
  if (outcome.effect === 'kept') return { label, value: t('kept for the regular vote') };
  const text = {
    returned: t('returned to the depositors'),
    burned: t('burned'),
    partly: t('{0} burned, the rest returned', ratioText(outcome.ratio ?? 0n)),
  }[outcome.effect];
  const notes: Partial<Record<typeof outcome.case, string>> = {
    otherwise: t('no burn rule applies'),
    any: t('regardless of the result of the vote'),
  };
  const builtIn = notes[outcome.case] ?? t('determined by the SDK version');
  const note = outcome.parameter === undefined ? builtIn : t('determined by the parameter {0}', outcome.parameter);
  return { label, value: { text, note } };
}

/** The deposit beside the minimum. Empty if that is not known, or no longer matters. */
function depositStandings({ proposal, inputs }: ViewContext): readonly DepositStanding[] {
  if (proposal.status !== 'deposit' || !inputs) return [];
  const minimum = proposal.expedited ? inputs.params.expeditedMinDeposit : inputs.params.minDeposit;
  return minimum ? depositStanding(proposal.totalDeposit, minimum) : [];
}

/** Words the amounts of a deposit. Only `needed` names the denom. */
function amountTexts(
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
