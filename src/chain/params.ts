import type { GovParamsReply } from '../api/node.ts';
import { type Fields, isFields } from '../api/wireValues.ts';
import { type Coin, readCoins } from './coin.ts';
import { exactJson } from './json.ts';
import { type Ratio, toRatio } from './ratio.ts';

/** The gov parameters of a chain, each undefined where the source does not state it. Periods in seconds. */
export type GovParams = Readonly<ReturnType<typeof toGovParams>>;

/** Gov parameters in any form (docs/nodes.md#gov-params). A group of v1beta1 that is all zeros is unknown. */
export function toGovParams(reply: GovParamsReply | undefined) {
  const v1: Fields = { ...reply?.v1, ...reply?.quorums };
  const tally = asked(reply?.tally, ['quorum', 'threshold', 'veto_threshold', 'veto']);
  const deposit = asked(reply?.deposit, ['min_deposit', 'max_deposit_period']);
  const voting = asked(reply?.voting, ['voting_period']);
  return {
    /** Smallest turnout; a turnout equal to it is enough. */
    quorum: toRatio(v1.quorum) ?? toRatio(tally.quorum),
    /** Yes must be more than this share of all votes but abstain. */
    threshold: toRatio(v1.threshold) ?? toRatio(tally.threshold),
    /** No with veto must not be more than this share of all votes. */
    vetoThreshold: toRatio(v1.veto_threshold) ?? toRatio(tally.veto_threshold) ?? toRatio(tally.veto),
    /** Of expedited votes, instead of `threshold` (SDK 0.50 and later, Sei, Osmosis). */
    expeditedThreshold: toRatio(v1.expedited_threshold) ?? toRatio(tally.expedited_threshold),
    /** Of expedited votes, instead of `quorum` (Sei). */
    expeditedQuorum: toRatio(tally.expedited_quorum),
    /** Of laws and of amendments of the constitution (AtomOne). */
    lawQuorum: toRatio(v1.law_quorum),
    lawThreshold: toRatio(v1.law_threshold),
    amendmentQuorum: toRatio(v1.constitution_amendment_quorum),
    amendmentThreshold: toRatio(v1.constitution_amendment_threshold),
    minDeposit: readMinimum(v1.min_deposit) ?? readMinimum(deposit.min_deposit),
    expeditedMinDeposit: readMinimum(v1.expedited_min_deposit) ?? readMinimum(deposit.min_expedited_deposit),
    /** The share of the minimum that each single deposit must reach (SDK 0.50 and later; 0 is no limit). */
    minDepositRatio: toRatio(v1.min_deposit_ratio),
    /** The share of the minimum that a proposal has to bring when it is submitted (SDK 0.47 and later; 0 is none). */
    minInitialDepositRatio: toRatio(v1.min_initial_deposit_ratio),
    maxDepositPeriod: readPeriod(v1.max_deposit_period) ?? readPeriod(deposit.max_deposit_period),
    votingPeriod: readPeriod(v1.voting_period) ?? readPeriod(voting.voting_period),
    expeditedVotingPeriod: readPeriod(v1.expedited_voting_period) ?? readPeriod(voting.expedited_voting_period),
    /** The end of voting moves where quorum is reached later than this after its start (AtomOne). */
    quorumTimeout: readPeriod(v1.quorum_timeout),
    /** Whether deposits are burnt when quorum is missed, when the vote is vetoed, when the minimum is missed (SDK 0.47 and later). */
    burnVoteQuorum: readFlag(v1.burn_vote_quorum),
    burnVoteVeto: readFlag(v1.burn_vote_veto),
    burnDepositPrevote: readFlag(v1.burn_proposal_deposit_prevote),
    /** A larger share of No among all votes but abstain burns the deposits (AtomOne). */
    burnNoThreshold: toRatio(v1.burn_deposit_no_threshold),
    /** The share of each deposit that a cancelled proposal loses (SDK 0.50 and later). */
    cancelRatio: toRatio(v1.proposal_cancel_ratio),
    /** The address that gets it; "" burns it. */
    cancelDestination: typeof v1.proposal_cancel_dest === 'string' ? v1.proposal_cancel_dest : undefined,
    /** `address::module::function` of the Move calls that take `threshold` in emergencies, too (Initia). */
    lowThresholdFunctions: readTexts(v1.low_threshold_functions),
  };
}

function asked(group: Fields | undefined, names: readonly string[]): Fields {
  return group && names.some((name) => !isZero(group[name])) ? group : {};
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value !== 'string' || value === '' || /^[0.]+s?$/.test(value);
}

/** Coins of a parameter; an empty list is as good as none (a proposal always costs something). */
function readMinimum(value: unknown): readonly Coin[] | undefined {
  const coins = readCoins(value);
  return coins?.length ? coins : undefined;
}

/** Zero is not a period. */
function readPeriod(value: unknown): number | undefined {
  return toSeconds(value) || undefined;
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

/** `172800s`, or nanoseconds (`172800000000000`, as text or number), which the params module and amino use. In seconds. */
function toSeconds(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,15}(\.\d{1,9})?s$/.test(text)) return Number(text.slice(0, -1));
  return /^\d{1,20}$/.test(text) ? Number(text) / 1e9 : undefined;
}

/** The value of a parameter in a unit that people read. Durations in seconds. */
export type ParamValue =
  | { readonly kind: 'duration'; readonly seconds: number }
  | { readonly kind: 'ratio'; readonly ratio: Ratio }
  | { readonly kind: 'coins'; readonly coins: readonly Coin[] };

/** Parameters whose JSON does not show the unit (docs/nodes.md#module-params), in lower case without underscores. */
const units: Readonly<Record<string, Readonly<Partial<Record<ParamValue['kind'], string>>>>> = {
  gov: {
    duration:
      'votingperiod maxdepositperiod expeditedvotingperiod quorumtimeout maxvotingperiodextension emergencytallyinterval',
    ratio:
      'quorum threshold veto vetothreshold expeditedquorum expeditedthreshold mininitialdepositratio mindepositratio ' +
      'proposalcancelratio lawquorum lawthreshold constitutionamendmentquorum constitutionamendmentthreshold burndepositnothreshold',
    coins: 'mindeposit expeditedmindeposit minexpediteddeposit emergencymindeposit',
  },
  staking: { duration: 'unbondingtime', ratio: 'mincommissionrate' },
  slashing: {
    duration: 'downtimejailduration',
    ratio: 'minsignedperwindow slashfractiondoublesign slashfractiondowntime',
  },
  mint: { ratio: 'inflationratechange inflationmax inflationmin goalbonded' },
  distribution: { ratio: 'communitytax baseproposerreward bonusproposerreward' },
  crisis: { coins: 'constantfee' },
  evidence: { duration: 'maxevidenceage' },
  baseapp: { duration: 'maxageduration' },
  consensus: { duration: 'maxageduration' },
  connection: { duration: 'maxexpectedtimeperblock' },
};

/** `module` is a subspace (`staking`) or a package (`cosmos.staking.v1beta1`), `name` a parameter or a field in it. */
function paramValue(module: string, name: string, value: unknown): ParamValue | undefined {
  const kinds = units[module.split('.').findLast((part) => !/^v\d/.test(part)) ?? module] ?? {};
  const plain = name.toLowerCase().replaceAll('_', '');
  const has = (kind: ParamValue['kind']) => kinds[kind]?.split(' ').includes(plain);
  const seconds = has('duration') ? toSeconds(value) : undefined;
  if (seconds !== undefined) return { kind: 'duration', seconds };
  const ratio = has('ratio') ? toRatio(value) : undefined;
  if (ratio !== undefined) return { kind: 'ratio', ratio };
  const coins = has('coins') ? readCoins(Array.isArray(value) ? value : [value]) : undefined;
  return coins && { kind: 'coins', coins };
}

/** One value in a parameter: the parameter itself, or a field of it by its path (`block.max_gas`). */
export interface ParamEntry {
  readonly path: string;
  /** As JSON states it, a string without its quotes. */
  readonly raw: string;
  readonly value: ParamValue | undefined;
}

/** The values in a parameter, whose JSON text is `json`; one entry with the text where it is not exactly a JavaScript value. */
export function paramEntries(module: string, name: string, json: string): readonly ParamEntry[] {
  const value = exactJson(json);
  return value === undefined ? [{ path: name, raw: json, value: undefined }] : entriesOf(module, name, '', value);
}

function entriesOf(module: string, name: string, path: string, value: unknown): readonly ParamEntry[] {
  if (isFields(value) && Object.keys(value).length > 0 && !readCoins([value])) {
    return Object.entries(value).flatMap(([field, inner]) =>
      entriesOf(module, field, path === '' ? field : `${path}.${field}`, inner),
    );
  }
  const raw = typeof value === 'string' ? value : JSON.stringify(value);
  return [{ path: path === '' ? name : path, raw, value: paramValue(module, name, value) }];
}
