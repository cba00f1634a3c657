import { variantOf } from '../forks.ts';
import { quotient, type Ratio, whole } from './coin.ts';
import type { GovParams } from './params.ts';
import { type Proposal, recordedTally, type Tally, totalVotes, type VoteOption, voteOptions } from './proposal.ts';
import {
  type DepositCase,
  type DepositRule,
  depositRules,
  highest,
  type RuleName,
  type Variant,
  type VoteFacts,
  type VoteInput,
  type VoteKind,
} from './rules.ts';

/** The result if voting ended now, or the one that there is. */
export type Outcome =
  | { readonly kind: 'wouldPass' }
  /** The first rule, in the chain's order, that is known not to be met. */
  | { readonly kind: 'wouldFail'; readonly rule: RuleName }
  /** No rule is known to fail, but the tally is cut to whole units and this rule may be met or not. */
  | { readonly kind: 'tooClose'; readonly rule: RuleName }
  /** No rule is known to fail, but not all are known: `Verdict.missing` names what is not. */
  | { readonly kind: 'unknown' }
  /** The vote has not begun, or the chain has a status that is not known here. */
  | { readonly kind: 'notVoting' }
  | { readonly kind: 'passed' }
  /**
   * `candidates`: the rules that may have decided, in the chain's order; those behind one that is surely missed cannot have.
   * No `rule` where there are several, or none. `byElimination`: the only rule that is not known to be met.
   */
  | {
      readonly kind: 'rejected';
      readonly rule: RuleName | undefined;
      readonly byElimination: boolean;
      readonly candidates: readonly RuleName[];
    }
  /** Ended by a veto from outside the vote (AtomOne's oversight DAO). */
  | { readonly kind: 'vetoed' }
  /** Passed, and then could not be executed; the chain's reason where there is one (SDK 0.50 and later). */
  | { readonly kind: 'failed'; readonly reason: string | undefined };

/**
 * What a verdict takes for granted because the source does not state it; docs/governance.md#assumptions.
 * `variant`: the rules of `Verdict.variant`, which no node was run against. `stakingPool`: turnout is a share of all bonded
 * tokens, which SDK 0.53 lets a chain change. `otherCount`: more votes than voting power; the chain counts otherwise, and
 * the verdict is an estimate. `regular`: the vote is not expedited; gov v1beta1 does not state it.
 */
export type Assumption = 'variant' | 'stakingPool' | 'otherCount' | 'regular';

/** A verdict and the rules behind it; kinds and numbers only, amounts in base units of the bond denom. */
export interface Verdict {
  readonly outcome: Outcome;
  /** In the chain's order. */
  readonly rules: readonly Rule[];
  /** Whose rules these are. */
  readonly variant: Variant;
  /** Empty where voting is not open. */
  readonly assumptions: readonly Assumption[];
  /** The tally that was counted: the live one while voting, the final one afterwards. */
  readonly tally: Tally | undefined;
  /** Inputs that are not known. Those of an ended vote never include today's stake. */
  readonly missing: readonly VoteInput[];
  /** Rules that do not fit the chain's own status: parameters have changed since. */
  readonly contradicting: readonly RuleName[];
  /** All votes of all voting power; may be more than 100 %. */
  readonly turnout: Ratio | undefined;
  /** Bonded tokens that have not voted; undefined where not known, or where the chain counts otherwise. */
  readonly unvoted: bigint | undefined;
  /** The smallest number of further Yes votes with which the proposal surely passes; undefined where unknown or never. */
  readonly moreYes: bigint | undefined;
  /** The vote is expedited, would fail, and goes on as a regular one then. */
  readonly becomesRegular: boolean;
  /** Whether the end of voting may still change: `later` where quorum comes late (AtomOne), `sooner` in emergencies (Initia). */
  readonly endMayMove: 'later' | 'sooner' | undefined;
  /**
   * `kept`: for the regular vote that follows. In the deposit period, if the minimum is missed. Undefined where the rules that
   * may decide differ in it.
   */
  readonly deposits: DepositRule | { readonly effect: 'kept' } | undefined;
}

/** What is known beside the proposal; the voting power of now is used only for a vote that is open. */
export interface Known extends VoteFacts {
  readonly liveTally: Tally | undefined;
}

/** An unknown input is named, never guessed; the status of an ended proposal is the truth, rules only explain it. */
export function toVerdict(proposal: Proposal, known: Known): Verdict {
  const { status } = proposal;
  const isOpen = status === 'voting';
  const tally = isOpen ? known.liveTally : recordedTally(proposal);
  const calculation = toCalculation(proposal, tally, { ...known, bonded: isOpen ? known.bonded : undefined });
  const { rules, variant, power } = calculation;
  const outcome = isOpen ? openOutcome(rules) : endedOutcome(proposal, rules);
  const quorum = rules.find(({ name }) => name === 'quorum');
  const votes = tally && totalVotes(tally);
  const exceeds = power !== undefined && votes !== undefined && votes > power;
  const becomesRegular = proposal.expedited && variant.retries && outcome.kind === 'wouldFail';
  return {
    outcome,
    rules,
    variant,
    assumptions: isOpen ? assumptionsOf(proposal, known, variant, exceeds) : [],
    tally,
    missing: [...new Set(rules.flatMap(({ missing }) => missing))].filter((input) => isOpen || input !== 'bonded'),
    contradicting: status === 'passed' || status === 'failed' ? namesOf(rules, 'missed') : [],
    turnout: quorum?.value,
    unvoted: isOpen && votes !== undefined && power !== undefined && !exceeds ? power - votes : undefined,
    moreYes: isOpen ? moreYes(rules) : undefined,
    becomesRegular,
    endMayMove: isOpen ? endMayMove(proposal, known.params, quorum) : undefined,
    deposits: becomesRegular ? { effect: 'kept' } : toDepositRule(proposal, outcome, calculation, known.params),
  };
}

/** The rules of a vote with what is known of them, in the chain's order; `power` is what turnout is a share of. */
interface Calculation {
  readonly rules: readonly Rule[];
  readonly variant: Variant;
  readonly power: bigint | undefined;
  readonly counts: Counts | undefined;
}

function toCalculation(vote: VoteKind, tally: Tally | undefined, known: VoteFacts): Calculation {
  const power = tally?.power ?? known.bonded;
  const variant = variantOf(known.params, tally?.power === undefined ? (known.power ?? 'staking') : 'tally');
  const thresholds = variant.threshold(vote, known.params);
  const limits = {
    quorum: { input: 'quorum', ratio: highest(known.params, variant.quorum(vote)) },
    veto: { input: 'vetoThreshold', ratio: known.params.vetoThreshold },
    threshold: {
      input: thresholds.includes('expeditedThreshold') ? 'expeditedThreshold' : 'threshold',
      ratio: highest(known.params, thresholds),
    },
  } as const;
  const counts = tally && countsOf(tally, variant);
  const rules = variant.rules.map((name): Rule => {
    if (name === 'bonded') return bondedRule(power);
    return name === 'notAllAbstain' ? abstainRule(counts) : shareRule(name, counts, limits[name], power);
  });
  return { rules, variant, power, counts };
}

/** What an open vote comes to. The first rule that fails decides; passing needs every rule to be known. */
function openOutcome(rules: readonly Rule[]): Outcome {
  const [missed] = namesOf(rules, 'missed');
  if (missed) return { kind: 'wouldFail', rule: missed };
  if (rules.some(({ result }) => result === 'unknown')) return { kind: 'unknown' };
  const [close] = namesOf(rules, 'close');
  return close ? { kind: 'tooClose', rule: close } : { kind: 'wouldPass' };
}

function endedOutcome({ status, failedReason }: Proposal, rules: readonly Rule[]): Outcome {
  if (status === 'passed' || status === 'vetoed') return { kind: status };
  if (status === 'failed') return { kind: 'failed', reason: failedReason };
  return status === 'rejected' ? rejection(rules) : { kind: 'notVoting' };
}

function rejection(rules: readonly Rule[]): Outcome {
  const deciding = mayDecide(rules);
  // Without a tally any rule may have decided, which says nothing.
  const candidates = deciding.some(({ missing }) => missing.includes('tally')) ? [] : deciding.map(({ name }) => name);
  const [rule, ...others] = candidates;
  if (rule === undefined || others.length > 0)
    return { kind: 'rejected', rule: undefined, byElimination: false, candidates };
  return { kind: 'rejected', rule, byElimination: deciding[0]?.result !== 'missed', candidates };
}

/** The rules that may be why a vote fails, up to the first that is surely missed. Where votes were counted, something is bonded. */
function mayDecide(rules: readonly Rule[]): readonly Rule[] {
  const missed = rules.findIndex(({ result }) => result === 'missed');
  const reached = missed < 0 ? rules : rules.slice(0, missed + 1);
  return reached.filter(({ name, result }) => result !== 'met' && (name !== 'bonded' || result === 'missed'));
}

function namesOf(rules: readonly Rule[], result: Rule['result']): RuleName[] {
  return rules.filter((rule) => rule.result === result).map(({ name }) => name);
}

function assumptionsOf(proposal: Proposal, known: Known, variant: Variant, exceeds: boolean): readonly Assumption[] {
  const { params, sdkVersion } = known;
  const minor = /^v?0\.(\d{1,4})\./.exec(sdkVersion ?? '')?.[1];
  const mayCountOtherwise = minor === undefined ? params.minDepositRatio !== undefined : Number(minor) >= 53;
  const isStandard = variant.name === 'sdk';
  return [
    ...(isStandard ? [] : (['variant'] as const)),
    ...(exceeds ? (['otherCount'] as const) : isStandard && mayCountOtherwise ? (['stakingPool'] as const) : []),
    ...(params.expeditedThreshold === undefined || proposal.expedited || proposal.statesExpedited
      ? []
      : (['regular'] as const)),
  ];
}

function endMayMove({ emergency }: Proposal, params: GovParams, quorum: Rule | undefined): Verdict['endMayMove'] {
  if (emergency) return 'sooner';
  return params.quorumTimeout !== undefined && quorum?.result !== 'met' ? 'later' : undefined;
}

/** What becomes of the deposits in all cases that are possible. */
function toDepositRule(
  proposal: Proposal,
  outcome: Outcome,
  calculation: Calculation,
  params: GovParams,
): DepositRule | undefined {
  const cases = proposal.status === 'deposit' ? ['minimum' as const] : depositCases(outcome, calculation, params);
  const rules = depositRules(params, calculation.variant, proposal);
  const possible = [...new Set(cases)].map((name) => rules.find((rule) => rule.case === name));
  const [first] = possible;
  if (first === undefined || possible.length === 1) return first;
  return possible.every((rule) => rule?.effect === first.effect)
    ? { case: 'any', effect: first.effect, parameter: undefined }
    : undefined;
}

/** The cases of the rules that may decide; empty where that is not known. */
function depositCases(
  { kind }: Outcome,
  { rules, counts }: Calculation,
  { burnNoThreshold: limit }: GovParams,
): readonly DepositCase[] {
  if (kind === 'wouldPass' || kind === 'passed' || kind === 'failed') return ['otherwise'];
  if ((kind !== 'wouldFail' && kind !== 'rejected') || counts === undefined) return [];
  const [no, others] = [range(counts, ['no']), range(counts, ['yes', 'noWithVeto'])];
  const isMany = (votes: bigint, rest: bigint): boolean => limit !== undefined && share(votes, votes + rest) > limit;
  const manyNo = [isMany(no.low, others.high), isMany(no.high, others.low)].map((is) => (is ? 'manyNo' : 'otherwise'));
  return mayDecide(rules).flatMap(({ name }) => {
    if (name === 'quorum' || name === 'veto') return [name];
    return name === 'threshold' ? manyNo : ['otherwise'];
  });
}

/** Further Yes votes help every rule and hurt none, so the rule that needs most of them decides. */
function moreYes(rules: readonly Rule[]): bigint | undefined {
  let max = 0n;
  for (const rule of rules) {
    if (rule.moreYes === undefined) return undefined;
    if (rule.moreYes > max) max = rule.moreYes;
  }
  return max;
}

/** One rule, worked out as far as its inputs are known. Amounts in base units of the bond denom. */
export interface Rule {
  readonly name: RuleName;
  /** What is divided: `part / of`. */
  readonly part?: bigint | undefined;
  readonly of?: bigint | undefined;
  /** `part / of` as the chain rounds it; undefined where unknown or where `of` is zero. */
  readonly value?: Ratio | undefined;
  readonly limit?: Ratio | undefined;
  /** `close`: the decimals decide, in which the chain counts and which it does not state. */
  readonly result: 'met' | 'missed' | 'close' | 'unknown';
  /** Base units between `part` and the limit while `of` stays as it is; undefined where close. */
  readonly margin?: bigint | undefined;
  /** The smallest number of further Yes votes with which this rule is surely met; undefined where none is enough. */
  readonly moreYes?: bigint | undefined;
  readonly missing: readonly VoteInput[];
}

function bondedRule(power: bigint | undefined): Rule {
  const result = power === undefined ? 'unknown' : power > 0n ? 'met' : 'missed';
  const moreYes = result === 'met' ? 0n : undefined;
  return { name: 'bonded', part: power, result, moreYes, missing: power === undefined ? ['bonded'] : [] };
}

function abstainRule(counts: Counts | undefined): Rule {
  if (counts === undefined) return { name: 'notAllAbstain', result: 'unknown', missing: ['tally'] };
  const { tally } = counts;
  const { low, high } = range(counts, ['yes', 'no', 'noWithVeto']);
  const undecided = high === 0n ? 'missed' : 'close';
  const result = low > 0n ? 'met' : undecided;
  const moreYes = low > 0n ? 0n : 1n;
  return { name: 'notAllAbstain', part: tally.abstain, of: totalVotes(tally), result, moreYes, missing: [] };
}

/** Votes in one unit: what is divided, and the other votes that count. */
interface Votes {
  readonly part: bigint;
  readonly others: bigint;
}

type ShareRuleName = Exclude<RuleName, 'bonded' | 'notAllAbstain'>;

/** A rule that compares a share of votes with a limit. */
interface ShareRule {
  readonly part: readonly VoteOption[];
  readonly others: readonly VoteOption[];
  /** What it is a share of, in the unit of both; undefined where that is not known. */
  readonly whole: (votes: Votes | undefined, power: bigint | undefined) => bigint | undefined;
  readonly inputs: readonly VoteInput[];
  readonly isMet: (value: Ratio, limit: Ratio) => boolean;
  /** The votes with which it is hardest to meet, with so many further Yes; and those with which it is easiest. */
  readonly worst: (part: CountRange, others: CountRange, moreYes: bigint) => Votes;
  readonly best: (part: CountRange, others: CountRange) => Votes;
  /** The count of `part` at the limit: the smallest that reaches a minimum, the largest that keeps to a maximum. */
  readonly edge: (of: bigint, isMetAt: (count: bigint) => boolean) => bigint | undefined;
}

/** A limit to be reached; further Yes votes are of `part`. */
const minimum: Pick<ShareRule, 'worst' | 'best' | 'edge'> = {
  worst: (part, others, moreYes) => ({ part: part.low + moreYes, others: others.high }),
  best: (part, others) => ({ part: part.high, others: others.low }),
  edge: smallest,
};

const ofVotes: Pick<ShareRule, 'whole' | 'inputs'> = {
  whole: (votes) => votes && votes.part + votes.others,
  inputs: ['tally'],
};

const shareRules: Readonly<Record<ShareRuleName, ShareRule>> = {
  quorum: {
    ...minimum,
    part: voteOptions,
    others: [],
    whole: (_, power) => power,
    inputs: ['tally', 'bonded'],
    isMet: (value, limit) => value >= limit,
  },
  veto: {
    ...ofVotes,
    part: ['noWithVeto'],
    others: ['yes', 'abstain', 'no'],
    isMet: (value, limit) => value <= limit,
    worst: (part, others, moreYes) => ({ part: part.high, others: others.low + moreYes }),
    best: (part, others) => ({ part: part.low, others: others.high }),
    edge: (of, isMetAt) => (smallest(of, (count) => !isMetAt(count)) ?? of + 1n) - 1n,
  },
  threshold: {
    ...minimum,
    ...ofVotes,
    part: ['yes'],
    others: ['no', 'noWithVeto'],
    isMet: (value, limit) => value > limit,
  },
};

/** The limit of a rule, and which parameter it is. */
interface Limit {
  readonly input: VoteInput;
  readonly ratio: Ratio | undefined;
}

function shareRule(
  name: ShareRuleName,
  counts: Counts | undefined,
  { input, ratio }: Limit,
  power: bigint | undefined,
): Rule {
  const rule = shareRules[name];
  const part = counts && range(counts, rule.part);
  const others = counts && range(counts, rule.others);
  const of = rule.whole(part && others && { part: part.stated, others: others.stated }, power);
  // No votes are no turnout, whatever is bonded.
  if (of === undefined && part?.high === 0n && ratio)
    return { name, part: 0n, value: 0n, limit: ratio, result: 'missed', missing: [] };
  const inputs = { tally: counts, bonded: power, [input]: ratio };
  const missing = [...rule.inputs, input].filter((needed) => inputs[needed] === undefined);
  const known = { name, part: part?.stated, of, limit: ratio, result: 'unknown', missing } as const;
  if (!part || !others || of === undefined || ratio === undefined) return known;
  /** For exact figures, in units of 10^-18 base units. */
  const wholeOf = (votes: Votes): bigint => rule.whole(votes, of * whole) ?? 0n;
  const isMetBy = (votes: Votes): boolean => rule.isMet(share(votes.part, wholeOf(votes)), ratio);
  const unmet = isMetBy(rule.best(part, others)) ? 'close' : 'missed';
  const result = isMetBy(rule.worst(part, others, 0n)) ? 'met' : unmet;
  // Beyond this many further votes no ratio of 18 digits changes.
  const max = (of + 1n) * whole * 10n;
  const moreYes = smallest(max, (extra) => isMetBy(rule.worst(part, others, extra * whole)));
  const isNothing = wholeOf({ part: part.high, others: others.high }) === 0n;
  if (of === 0n) return { ...known, result: isNothing ? 'unknown' : result, moreYes };
  const edge = rule.edge(of, (count) => rule.isMet(share(count, of), ratio));
  const margin = result === 'close' || edge === undefined ? undefined : distance(part.stated, edge);
  return { ...known, value: share(part.stated, of), result, margin, moreYes };
}

/** A tally, and the options of which decimals may have been cut; the others are exactly zero. */
interface Counts {
  readonly tally: Tally;
  readonly cut: readonly VoteOption[];
}

/** A zero is exact where single votes show it, where there are no votes at all, or no such option (docs/governance.md#whole-units). */
function countsOf(tally: Tally, { rules }: Variant): Counts {
  const offered = voteOptions.filter((option) => option !== 'noWithVeto' || rules.includes('veto'));
  const voted = tally.voted ?? (totalVotes(tally) > 0n ? offered : []);
  return { tally, cut: voteOptions.filter((option) => tally[option] > 0n || voted.includes(option)) };
}

interface CountRange {
  readonly stated: bigint;
  readonly low: bigint;
  readonly high: bigint;
}

/** In units of 10^-18: a count n is anything from n to below n + 1. */
function range({ tally, cut }: Counts, options: readonly VoteOption[]): CountRange {
  const stated = options.reduce((sum, option) => sum + tally[option], 0n);
  const low = stated * whole;
  return { stated, low, high: low + BigInt(options.filter((option) => cut.includes(option)).length) * (whole - 1n) };
}

/** A share of nothing is nothing. */
function share(part: bigint, of: bigint): Ratio {
  return quotient(part, of) ?? 0n;
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

/** The smallest number up to `max` of which `isSo`, which stays true once it is; undefined where it never is. */
function smallest(max: bigint, isSo: (value: bigint) => boolean): bigint | undefined {
  if (!isSo(max)) return undefined;
  let low = 0n;
  let high = max;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (isSo(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}
