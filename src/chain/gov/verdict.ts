import { quotient, type Ratio, whole } from '../ratio.ts';
import { variantOf } from './forks.ts';
import type { GovParams } from './params.ts';
import { type Proposal, recordedTally } from './proposal.ts';
import {
  type DepositCase,
  type DepositRule,
  depositRules,
  highest,
  type RuleName,
  type Variant,
  type VoteInput,
  type VoteInputs,
  type VoteKind,
} from './rules.ts';
import { type Tally, totalVotes, type VoteOption, voteOptions } from './tally.ts';

/** The result if voting ended now, or the result of an ended vote. */
export type Outcome =
  | { readonly kind: 'wouldPass' }
  /** `rule` is the first rule, in the chain's order, that is known not to be met. */
  | { readonly kind: 'wouldFail'; readonly rule: RuleName }
  /** No rule is known to fail, but the tally is cut to whole units, and `rule` may be met or not. */
  | { readonly kind: 'tooClose'; readonly rule: RuleName }
  /** No rule is known to fail, but some rules are unknown. `Verdict.missing` names their inputs. */
  | { readonly kind: 'unknown' }
  /** The vote has not begun, or the chain has an unknown status. */
  | { readonly kind: 'notVoting' }
  | { readonly kind: 'passed' }
  /**
   * The vote was rejected. `candidates` are the rules that may have decided, in the chain's order. Rules after one that
   * is surely missed cannot have. `rule` is absent for several candidates or none. With `byElimination`, it is the only
   * rule that is not known to be met.
   */
  | {
      readonly kind: 'rejected';
      readonly rule: RuleName | undefined;
      readonly byElimination: boolean;
      readonly candidates: readonly RuleName[];
    }
  /** The vote was ended by a veto from outside (AtomOne's oversight DAO). */
  | { readonly kind: 'vetoed' }
  /** The proposal passed but could not be executed. `reason` is the chain's own (SDK 0.50 and later). */
  | { readonly kind: 'failed'; readonly reason: string | undefined };

/**
 * An assumption of a verdict about something that the source does not state (docs/governance.md#assumptions).
 * `variant`: the rules of `Verdict.variant`, which were not tested with a node. `stakingPool`: turnout is a share of
 * all bonded tokens, which SDK 0.53 lets a chain change. `otherCount`: there are more votes than voting power, so the
 * chain counts in another way, and the verdict is an estimate. `regular`: the vote is not expedited, which gov v1beta1
 * does not state.
 */
export type Assumption = 'variant' | 'stakingPool' | 'otherCount' | 'regular';

/** A verdict and its rules, as kinds and numbers. Amounts are in base units of the bond denom. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The rules in the chain's order. */
  readonly rules: readonly RuleResult[];
  /** The family of chains whose rules these are. */
  readonly variant: Variant;
  /** The assumptions; empty unless voting is open. */
  readonly assumptions: readonly Assumption[];
  /** The tally that was counted: the current one of an open vote, otherwise the final one. */
  readonly tally: Tally | undefined;
  /** Inputs that are not known. For an ended vote, they never include today's stake. */
  readonly missing: readonly VoteInput[];
  /** Rules that contradict the chain's own status, since parameters have changed. */
  readonly contradicting: readonly RuleName[];
  /** The share of all voting power that voted. It may exceed 100 %. */
  readonly turnout: Ratio | undefined;
  /** Bonded tokens that have not voted; undefined if not known, or if the chain counts in another way. */
  readonly unvoted: bigint | undefined;
  /** The smallest number of further Yes votes with which the proposal surely passes; undefined if unknown or never. */
  readonly moreYes: bigint | undefined;
  /** True if the vote is expedited, would fail, and would then go on as a regular vote. */
  readonly becomesRegular: boolean;
  /**
   * Tells how the end of voting may still change: `later` if quorum comes late (AtomOne), `sooner` in emergencies
   * (Initia).
   */
  readonly endMayMove: 'later' | 'sooner' | undefined;
  /**
   * The effect on the deposits. `kept`: for the regular vote that follows. During the deposit period, the effect of
   * missing the minimum. Undefined if the rules that may decide have different effects.
   */
  readonly deposits: DepositRule | { readonly effect: 'kept' } | undefined;
}

/** The known facts beside the proposal. Current voting power counts only for an open vote. */
export interface VerdictInputs extends VoteInputs {
  readonly liveTally: Tally | undefined;
}

/**
 * Judges a proposal. An unknown input is named, never guessed. The status of an ended proposal is a fact, and rules
 * only explain it.
 */
export function toVerdict(proposal: Proposal, known: VerdictInputs): Verdict {
  const { status } = proposal;
  const isOpen = status === 'voting';
  const tally = isOpen ? known.liveTally : recordedTally(proposal);
  const calculation = toCalculation(proposal, tally, { ...known, votingPower: isOpen ? known.votingPower : undefined });
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

/**
 * The rules of a vote with their known values, in the chain's order. `power` is the total that turnout is a share of.
 */
interface Calculation {
  readonly rules: readonly RuleResult[];
  readonly variant: Variant;
  readonly power: bigint | undefined;
  readonly counts: Counts | undefined;
}

function toCalculation(vote: VoteKind, tally: Tally | undefined, known: VoteInputs): Calculation {
  const power = tally?.power ?? known.votingPower;
  const variant = variantOf(known.params, tally?.power === undefined ? (known.powerSource ?? 'staking') : 'tally');
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
  const rules = variant.rules.map((name): RuleResult => {
    if (name === 'bonded') return bondedRule(power);
    return name === 'notAllAbstain' ? abstainRule(counts) : shareRule(name, counts, limits[name], power);
  });
  return { rules, variant, power, counts };
}

/** Judges an open vote. The first failing rule decides. Passing needs every rule to be known. */
function openOutcome(rules: readonly RuleResult[]): Outcome {
  const [missed] = namesOf(rules, 'missed');
  if (missed) return { kind: 'wouldFail', rule: missed };
  if (rules.some(({ result }) => result === 'unknown')) return { kind: 'unknown' };
  const [close] = namesOf(rules, 'close');
  return close ? { kind: 'tooClose', rule: close } : { kind: 'wouldPass' };
}

function endedOutcome({ status, failedReason }: Proposal, rules: readonly RuleResult[]): Outcome {
  if (status === 'passed' || status === 'vetoed') return { kind: status };
  if (status === 'failed') return { kind: 'failed', reason: failedReason };
  return status === 'rejected' ? rejection(rules) : { kind: 'notVoting' };
}

function rejection(rules: readonly RuleResult[]): Outcome {
  const deciding = mayDecide(rules);
  // Without a tally, any rule may have decided, so no candidate is named.
  const candidates = deciding.some(({ missing }) => missing.includes('tally')) ? [] : deciding.map(({ name }) => name);
  const [rule, ...others] = candidates;
  if (rule === undefined || others.length > 0)
    return { kind: 'rejected', rule: undefined, byElimination: false, candidates };
  return { kind: 'rejected', rule, byElimination: deciding[0]?.result !== 'missed', candidates };
}

/**
 * Gives the rules by which a vote may fail, up to the first that is surely missed. If votes were counted, something is
 * bonded.
 */
function mayDecide(rules: readonly RuleResult[]): readonly RuleResult[] {
  const missed = rules.findIndex(({ result }) => result === 'missed');
  const reached = missed < 0 ? rules : rules.slice(0, missed + 1);
  return reached.filter(({ name, result }) => result !== 'met' && (name !== 'bonded' || result === 'missed'));
}

function namesOf(rules: readonly RuleResult[], result: RuleResult['result']): RuleName[] {
  return rules.filter((rule) => rule.result === result).map(({ name }) => name);
}

function assumptionsOf(
  proposal: Proposal,
  known: VerdictInputs,
  variant: Variant,
  exceeds: boolean,
): readonly Assumption[] {
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

function endMayMove({ emergency }: Proposal, params: GovParams, quorum: RuleResult | undefined): Verdict['endMayMove'] {
  if (emergency) return 'sooner';
  return params.quorumTimeout !== undefined && quorum?.result !== 'met' ? 'later' : undefined;
}

/** Gives the effect on the deposits in all possible cases. */
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

/** Gives the cases of the rules that may decide; empty if not known. */
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

/**
 * Gives the further Yes votes that are needed. They help every rule and hurt none, so the rule that needs most of them
 * decides.
 */
function moreYes(rules: readonly RuleResult[]): bigint | undefined {
  let max = 0n;
  for (const rule of rules) {
    if (rule.moreYes === undefined) return undefined;
    if (rule.moreYes > max) max = rule.moreYes;
  }
  return max;
}

/** One rule with its known values. Amounts are in base units of the bond denom. */
export interface RuleResult {
  readonly name: RuleName;
  /** The numerator of `part / of`. */
  readonly part?: bigint | undefined;
  readonly of?: bigint | undefined;
  /** The quotient `part / of` as the chain rounds it; undefined if unknown or if `of` is zero. */
  readonly value?: Ratio | undefined;
  readonly limit?: Ratio | undefined;
  /** With `close`, the decimals decide. The chain counts them and does not state them. */
  readonly result: 'met' | 'missed' | 'close' | 'unknown';
  /** The base units between `part` and the limit while `of` stays the same; undefined if close. */
  readonly margin?: bigint | undefined;
  /** The smallest number of further Yes votes with which this rule is surely met; undefined if no number is enough. */
  readonly moreYes?: bigint | undefined;
  /** The smallest number of further NoWithVeto votes that surely veto; undefined for other rules, or if no number does. */
  readonly moreVeto?: bigint | undefined;
  readonly missing: readonly VoteInput[];
}

function bondedRule(power: bigint | undefined): RuleResult {
  const result = power === undefined ? 'unknown' : power > 0n ? 'met' : 'missed';
  const moreYes = result === 'met' ? 0n : undefined;
  return { name: 'bonded', part: power, result, moreYes, missing: power === undefined ? ['bonded'] : [] };
}

function abstainRule(counts: Counts | undefined): RuleResult {
  if (counts === undefined) return { name: 'notAllAbstain', result: 'unknown', missing: ['tally'] };
  const { tally } = counts;
  const { low, high } = range(counts, ['yes', 'no', 'noWithVeto']);
  const undecided = high === 0n ? 'missed' : 'close';
  const result = low > 0n ? 'met' : undecided;
  const moreYes = low > 0n ? 0n : 1n;
  return { name: 'notAllAbstain', part: tally.abstain, of: totalVotes(tally), result, moreYes, missing: [] };
}

/** Votes in one unit: the numerator, and the other votes that count. */
interface Votes {
  readonly part: bigint;
  readonly others: bigint;
}

type ShareRuleName = Exclude<RuleName, 'bonded' | 'notAllAbstain'>;

/** A rule that compares a share of votes with a limit. */
interface ShareRule {
  readonly part: readonly VoteOption[];
  readonly others: readonly VoteOption[];
  /** The denominator in the same unit; undefined if not known. */
  readonly total: (votes: Votes | undefined, power: bigint | undefined) => bigint | undefined;
  readonly inputs: readonly VoteInput[];
  readonly isMet: (value: Ratio, limit: Ratio) => boolean;
  /**
   * The votes with which the rule is hardest to meet after so many further Yes votes, and those with which it is
   * easiest.
   */
  readonly worst: (part: CountRange, others: CountRange, moreYes: bigint) => Votes;
  readonly best: (part: CountRange, others: CountRange) => Votes;
  /** The count of `part` at the limit: the smallest that reaches a minimum, the largest that keeps to a maximum. */
  readonly edge: (of: bigint, isMetAt: (count: bigint) => boolean) => bigint | undefined;
}

/** A limit to be reached. Further Yes votes add to `part`. */
const minimum: Pick<ShareRule, 'worst' | 'best' | 'edge'> = {
  worst: (part, others, moreYes) => ({ part: part.low + moreYes, others: others.high }),
  best: (part, others) => ({ part: part.high, others: others.low }),
  edge: smallest,
};

const ofVotes: Pick<ShareRule, 'total' | 'inputs'> = {
  total: (votes) => votes && votes.part + votes.others,
  inputs: ['tally'],
};

const shareRules: Readonly<Record<ShareRuleName, ShareRule>> = {
  quorum: {
    ...minimum,
    part: voteOptions,
    others: [],
    total: (_, power) => power,
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

/** The limit of a rule, and the name of its parameter. */
interface Limit {
  readonly input: VoteInput;
  readonly ratio: Ratio | undefined;
}

function shareRule(
  name: ShareRuleName,
  counts: Counts | undefined,
  { input, ratio }: Limit,
  power: bigint | undefined,
): RuleResult {
  const rule = shareRules[name];
  const part = counts && range(counts, rule.part);
  const others = counts && range(counts, rule.others);
  const of = rule.total(part && others && { part: part.stated, others: others.stated }, power);
  // Without votes there is no turnout, whatever is bonded.
  if (of === undefined && part?.high === 0n && ratio)
    return { name, part: 0n, value: 0n, limit: ratio, result: 'missed', missing: [] };
  const inputs = { tally: counts, bonded: power, [input]: ratio };
  const missing = [...rule.inputs, input].filter((needed) => inputs[needed] === undefined);
  const known = { name, part: part?.stated, of, limit: ratio, result: 'unknown', missing } as const;
  if (!part || !others || of === undefined || ratio === undefined) return known;
  /** The denominator for exact figures, in units of 10^-18 base units. */
  const totalOf = (votes: Votes): bigint => rule.total(votes, of * whole) ?? 0n;
  const isMetBy = (votes: Votes): boolean => rule.isMet(share(votes.part, totalOf(votes)), ratio);
  const unmet = isMetBy(rule.best(part, others)) ? 'close' : 'missed';
  const result = isMetBy(rule.worst(part, others, 0n)) ? 'met' : unmet;
  // Beyond this number of further votes, no ratio of 18 digits changes.
  const max = (of + 1n) * whole * 10n;
  const isMetWith = (extra: bigint): boolean => isMetBy(rule.worst(part, others, extra * whole));
  const moreYes = result === 'met' ? 0n : smallest(max, isMetWith);
  const isNothing = totalOf({ part: part.high, others: others.high }) === 0n;
  if (of === 0n) return { ...known, result: isNothing ? 'unknown' : result, moreYes };
  const best = rule.best(part, others);
  const isVetoedWith = (extra: bigint): boolean => !isMetBy({ ...best, part: best.part + extra * whole });
  const moreVeto = name === 'veto' && result !== 'missed' ? smallest(max, isVetoedWith) : undefined;
  const edge = rule.edge(of, (count) => rule.isMet(share(count, of), ratio));
  const margin = result === 'close' || edge === undefined ? undefined : distance(part.stated, edge);
  return { ...known, value: share(part.stated, of), result, margin, moreYes, moreVeto };
}

/** A tally, and the options whose decimals may have been cut. The other options are exactly zero. */
interface Counts {
  readonly tally: Tally;
  readonly cut: readonly VoteOption[];
}

/**
 * Counts a tally. A source that states which options have decimals makes all others exact. Otherwise a zero is exact if
 * single votes show it, without votes at all, or without such an option (docs/governance.md#whole-units).
 */
function countsOf(tally: Tally, { rules }: Variant): Counts {
  const offered = voteOptions.filter((option) => option !== 'noWithVeto' || rules.includes('veto'));
  const voted = tally.voted ?? (totalVotes(tally) > 0n ? offered : []);
  const cut = voteOptions.filter((option) => tally[option] > 0n || voted.includes(option));
  return { tally, cut: tally.fractions ?? cut };
}

interface CountRange {
  readonly stated: bigint;
  readonly low: bigint;
  readonly high: bigint;
}

/** Gives the range of a count in units of 10^-18: a count n means any value from n to below n + 1. */
function range({ tally, cut }: Counts, options: readonly VoteOption[]): CountRange {
  const stated = options.reduce((sum, option) => sum + tally[option], 0n);
  const low = stated * whole;
  return { stated, low, high: low + BigInt(options.filter((option) => cut.includes(option)).length) * (whole - 1n) };
}

/** Gives a share; a share of nothing is nothing. */
function share(part: bigint, of: bigint): Ratio {
  return quotient(part, of) ?? 0n;
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

/**
 * Finds the smallest number up to `max` for which `isSo` is true. It stays true for larger numbers. Undefined if it
 * never is.
 */
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
