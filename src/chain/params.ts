import { bareName, isFields } from '../api/wireValues.ts';
import { type Coin, type Ratio, readCoins, toRatio } from './coin.ts';
import { exactJson } from './text.ts';

/** The gov parameters of a chain, each undefined where the source does not state it. Periods in seconds. */
export interface GovParams {
  /** Smallest turnout; a turnout equal to it is enough. */
  readonly quorum: Ratio | undefined;
  /** Yes must be more than this share of all votes but abstain. */
  readonly threshold: Ratio | undefined;
  /** No with veto must not be more than this share of all votes. */
  readonly vetoThreshold: Ratio | undefined;
  /** Of expedited votes, instead of `threshold` (SDK 0.50 and later, Sei, Osmosis). */
  readonly expeditedThreshold: Ratio | undefined;
  /** Of expedited votes, instead of `quorum` (Sei). */
  readonly expeditedQuorum: Ratio | undefined;
  /** Of laws and of amendments of the constitution (AtomOne). */
  readonly lawQuorum: Ratio | undefined;
  readonly lawThreshold: Ratio | undefined;
  readonly amendmentQuorum: Ratio | undefined;
  readonly amendmentThreshold: Ratio | undefined;
  readonly minDeposit: readonly Coin[] | undefined;
  readonly expeditedMinDeposit: readonly Coin[] | undefined;
  /** The share of the minimum that each single deposit must reach (SDK 0.50 and later; 0 is no limit). */
  readonly minDepositRatio: Ratio | undefined;
  /** The share of the minimum that a proposal has to bring when it is submitted (SDK 0.47 and later; 0 is none). */
  readonly minInitialDepositRatio: Ratio | undefined;
  readonly maxDepositPeriod: number | undefined;
  readonly votingPeriod: number | undefined;
  readonly expeditedVotingPeriod: number | undefined;
  /** The end of voting moves where quorum is reached later than this after its start (AtomOne). */
  readonly quorumTimeout: number | undefined;
  /** Whether deposits are burnt when quorum is missed, when the vote is vetoed, when the minimum is missed (SDK 0.47 and later). */
  readonly burnVoteQuorum: boolean | undefined;
  readonly burnVoteVeto: boolean | undefined;
  readonly burnDepositPrevote: boolean | undefined;
  /** A larger share of No among all votes but abstain burns the deposits (AtomOne). */
  readonly burnNoThreshold: Ratio | undefined;
  /** The share of each deposit that a cancelled proposal loses (SDK 0.50 and later). */
  readonly cancelRatio: Ratio | undefined;
  /** The address that gets it; "" burns it. */
  readonly cancelDestination: string | undefined;
  /** `address::module::function` of the Move calls that take `threshold` in emergencies, too (Initia). */
  readonly lowThresholdFunctions: readonly string[] | undefined;
}

/** `172800s`, or nanoseconds (`172800000000000`, as text or number), which the params module and amino use. In seconds. */
export function toSeconds(value: unknown): number | undefined {
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
  const bare = bareName(name);
  const has = (kind: ParamValue['kind']): boolean | undefined => kinds[kind]?.split(' ').includes(bare);
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
