import { type DepositStanding, depositStanding, type Proposal } from '../chain/gov/proposal.ts';
import { type ChainFacts, currentValues } from '../draft/chainFacts.ts';
import type { DraftReport } from '../draft/checkDraft.ts';
import { findingText } from '../draft/draftWords.ts';
import type { ProposedDraft } from '../draft/proposed/draftProposal.ts';
import { verdictWith } from '../reads/judge.ts';
import { listText, type Translate } from '../words/language.ts';
import { durationText } from '../words/time.ts';
import { amountText, ratioText } from '../words/values.ts';
import { inputWords, powerText } from '../words/verdictWords.ts';
import * as block from './blocks.ts';
import type { ProposalAction } from './pageMessages.ts';
import type { Fact, PageView, Section } from './pageView.ts';
import type { ProposalFacts } from './proposalFacts.ts';
import { toProposalView } from './proposalView.ts';

/** The facts behind the preview of a draft. `facts` may be those of no chain. */
interface DraftPageInput extends ProposedDraft, Pick<ProposalFacts, 'sourceName' | 'unitOf' | 'clockRuns'> {
  readonly facts: ChainFacts;
  readonly report: DraftReport;
  /** The time of the chain. */
  readonly now: Date;
  readonly readAt: Date;
}

/** Sections of a proposal that the preview also has. */
const shared = ['proposed', 'description', 'metadata', 'deposit'];

/** Draws a draft as the page of a proposal: its changes, and what would happen to it if it was submitted now. */
export function toDraftView(draft: DraftPageInput, t: Translate): PageView<ProposalAction> {
  const { proposal, zeroed, facts, report, sourceName, now, clockRuns, unitOf, readAt } = draft;
  const { chainId, height } = facts;
  const inputs = toInputs(draft);
  const row = { ...proposal, height };
  const rest = { isPast: false, hasPast: false, whoVoted: undefined };
  const own = { row, sourceName, chainId, now, clockRuns, unitOf, readAt, inputs, zeroed, ...rest };
  const view = toProposalView(own, t);
  const sections = view.sections.filter(({ id }) => shared.includes(id));
  const notices = [...findingNotices(report, t), ...view.notices];
  const added = { overview: toOverview(draft, t), sections: [passSection(draft, t), ...sections], notices };
  return {
    ...view,
    ...block.shownView({ ...view, ...added }, t),
    id: '',
    status: { label: t('Draft'), look: 'draft' },
  };
}

const maxNotices = 5;

/** The findings in the words of the editor, errors first. */
function findingNotices({ findings }: DraftReport, t: Translate): PageView['notices'] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const all = [...errors, ...warnings];
  const rest = all.length - maxNotices;
  const shown = all.slice(0, rest === 1 ? all.length : maxNotices).map((finding) => {
    return { tone: finding.severity === 'error' ? 'bad' : 'warning', text: findingText(finding, t) } as const;
  });
  return rest > 1 ? [...shown, { tone: 'plain', text: t('{0} more problems in the draft', rest) }] : shown;
}

/** Undefined if no chain is known. */
function toInputs({ facts, readAt }: DraftPageInput): ProposalFacts['inputs'] {
  const { votes, height, time, blockSeconds, measuredBlocks } = facts;
  if (!votes) return undefined;
  const isPaced = height !== undefined && time !== undefined && blockSeconds !== undefined;
  return {
    ...votes,
    liveTally: undefined,
    readAt,
    bondDenom: bondDenomOf(facts),
    currentParams: currentValues(facts),
    now: undefined,
    deposits: undefined,
    communityPool: facts.communityPool,
    chainTime: isPaced ? { height, time, blockTime: blockSeconds, blocks: measuredBlocks } : undefined,
  };
}

function bondDenomOf({ moduleParams }: ChainFacts): string | undefined {
  const denom = moduleParams.get('cosmos.staking.v1beta1')?.bond_denom;
  return typeof denom === 'string' && denom !== '' ? denom : undefined;
}

function periodOf({ expedited }: Proposal, { govParams }: ChainFacts): number | undefined {
  return expedited ? govParams?.expeditedVotingPeriod : govParams?.votingPeriod;
}

function missingDeposit({ proposal, facts: { govParams } }: DraftPageInput): readonly DepositStanding[] | undefined {
  const minimum = proposal.expedited ? govParams?.expeditedMinDeposit : govParams?.minDeposit;
  return minimum && depositStanding(proposal.totalDeposit, minimum).filter(({ missing }) => missing > 0n);
}

/** Says when voting would end if the draft was submitted now. */
function toOverview(draft: DraftPageInput, t: Translate): PageView['overview'] {
  const { proposal, facts, report, now, unitOf } = draft;
  const missing = missingDeposit(draft);
  const period = periodOf(proposal, facts);
  const lead = t('If submitted now:');
  const verdict = (text: string): PageView['overview'] => ({ verdict: { tone: 'plain', lead, text } });
  if (!missing || period === undefined) return verdict(t('gov parameters are not available'));
  const length = durationText(period * 1000, 'exact', t);
  // The finding at the deposit in the text gives the reason.
  const isRefused = report.findings.some(({ code, severity }) => code.startsWith('deposit-') && severity === 'error');
  if (isRefused) return verdict(t('the chain does not accept the deposit. See the error in the draft.'));
  if (missing.length > 0) {
    const amounts = missing.map(({ denom, missing: amount }) => amountText({ denom, amount }, unitOf(denom)));
    return verdict(t('voting starts after a further deposit of {0} and lasts {1}.', listText(amounts, t), length));
  }
  const end = new Date(now.getTime() + period * 1000);
  const time = Number.isNaN(end.getTime()) ? undefined : block.chainTime(end, t('Voting would end {0}'));
  return { ...verdict(t('voting starts immediately and lasts {0}.', length)), time };
}

/** The votes that passing takes: today's limits in today's tokens. */
function passSection({ proposal, facts, unitOf }: DraftPageInput, t: Translate): Section {
  const title = t('To pass');
  if (!facts.votes) return block.section('pass', title, block.paragraph(inputWords('quorum', t)));
  const none = { yes: 0n, abstain: 0n, no: 0n, noWithVeto: 0n };
  const verdict = verdictWith({ ...proposal, status: 'voting' }, { ...facts.votes, liveTally: none });
  const power = powerText(bondDenomOf(facts), unitOf, t);
  const quorum = verdict.rules.find(({ name }) => name === 'quorum');
  // The chain compares shares, so a turnout that is rounded down would not be enough.
  const turnout =
    quorum?.limit !== undefined && quorum.of !== undefined ? ceilShare(quorum.of, quorum.limit) : undefined;
  const words = {
    quorum: [t('Turnout'), t('at least {0} of bonded tokens', '{0}')],
    threshold: [t('Yes'), t('more than {0} of votes excluding Abstain', '{0}')],
    veto: [t('No with veto'), t('at most {0} of all votes', '{0}')],
  } as const;
  const rows = (['quorum', 'threshold', 'veto'] as const).flatMap((name): readonly Fact[] => {
    const limit = verdict.rules.find((rule) => rule.name === name)?.limit;
    if (limit === undefined) return [];
    const [label, text] = words[name];
    const tokens = turnout === undefined ? undefined : power(name === 'quorum' ? turnout : ceilShare(turnout, limit));
    const note = name === 'quorum' || tokens === undefined ? tokens : t('{0} at that turnout', tokens);
    return [{ label, value: { text: text.replace('{0}', ratioText(limit)), note } }];
  });
  const missing = verdict.missing.filter((input) => input !== 'tally');
  const unknown = missing.map((input) => ({ label: t('Missing'), value: inputWords(input, t) }));
  return block.section('pass', title, block.facts(...rows, ...unknown));
}

function ceilShare(amount: bigint, share: bigint): bigint {
  const scale = 10n ** 18n;
  return (amount * share + scale - 1n) / scale;
}

/** The title of the tab: `Draft: Title · chain-1`. */
export function draftTabTitle({ proposal, facts, sourceName }: DraftPageInput, t: Translate): string {
  const title = proposal.title?.trim() ?? '';
  const place = facts.chainId ?? sourceName;
  return `${title === '' ? t('Draft') : t('Draft: {0}', title)} · ${place}`;
}
