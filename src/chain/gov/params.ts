import { type Coin, readCoins } from '../coin.ts';
import { bareName, isFields } from '../fields.ts';
import { exactJson } from '../json.ts';
import { type Ratio, toRatio } from '../ratio.ts';

/** The gov parameters of a chain. Each is undefined if the source does not state it. Periods are in seconds. */
export interface GovParams {
  /** The smallest turnout. A turnout equal to it is enough. */
  readonly quorum?: Ratio | undefined;
  /** The share of all votes without abstain that Yes must exceed. */
  readonly threshold?: Ratio | undefined;
  /** The share of all votes that No with veto must not exceed. */
  readonly vetoThreshold?: Ratio | undefined;
  /** The `threshold` of expedited votes (SDK 0.50 and later, Sei, Osmosis). */
  readonly expeditedThreshold?: Ratio | undefined;
  /** The `quorum` of expedited votes (Sei). */
  readonly expeditedQuorum?: Ratio | undefined;
  /** The quorum of laws and of amendments of the constitution (AtomOne). */
  readonly lawQuorum?: Ratio | undefined;
  readonly lawThreshold?: Ratio | undefined;
  readonly amendmentQuorum?: Ratio | undefined;
  readonly amendmentThreshold?: Ratio | undefined;
  readonly minDeposit?: readonly Coin[] | undefined;
  readonly expeditedMinDeposit?: readonly Coin[] | undefined;
  /** The share of the minimum that each single deposit must reach; 0 for no limit (SDK 0.50 and later). */
  readonly minDepositRatio?: Ratio | undefined;
  /** The share of the minimum that a submission must bring; 0 for none (SDK 0.47 and later). */
  readonly minInitialDepositRatio?: Ratio | undefined;
  readonly maxDepositPeriod?: number | undefined;
  readonly votingPeriod?: number | undefined;
  readonly expeditedVotingPeriod?: number | undefined;
  /** The time after the start of voting from which a late quorum moves the end of voting (AtomOne). */
  readonly quorumTimeout?: number | undefined;
  /** True if deposits are burned when the quorum is missed (SDK 0.47 and later). */
  readonly burnVoteQuorum?: boolean | undefined;
  /** True if deposits are burned when the vote is vetoed (SDK 0.47 and later). */
  readonly burnVoteVeto?: boolean | undefined;
  /** True if deposits are burned when the minimum is missed (SDK 0.47 and later). */
  readonly burnDepositPrevote?: boolean | undefined;
  /** The share of No among all votes without abstain above which deposits are burned (AtomOne). */
  readonly burnNoThreshold?: Ratio | undefined;
  /** The share of each deposit that a canceled proposal loses (SDK 0.50 and later). */
  readonly cancelRatio?: Ratio | undefined;
  /** The address that receives this share; "" burns it. */
  readonly cancelDestination?: string | undefined;
  /** The Move calls, as `address::module::function`, that use `threshold` in emergencies too (Initia). */
  readonly lowThresholdFunctions?: readonly string[] | undefined;
}

/**
 * Gives seconds of `172800s`, or of nanoseconds (`172800000000000`, as text or number), which the params module and
 * amino use.
 */
export function toSeconds(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,15}(\.\d{1,9})?s$/.test(text)) return Number(text.slice(0, -1));
  return /^\d{1,20}$/.test(text) ? Number(text) / 1e9 : undefined;
}

/** The value of a parameter in a unit that people read. Durations are in seconds. */
export type ParamValue =
  | { readonly kind: 'duration'; readonly seconds: number }
  | { readonly kind: 'ratio'; readonly ratio: Ratio }
  | { readonly kind: 'coins'; readonly coins: readonly Coin[] };

/**
 * Units of parameters whose JSON does not show them (docs/nodes.md#module-params), in lower case without underscores.
 */
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

/** The parameters of a module by their kind. `module` is a subspace (`staking`) or a package (`cosmos.staking.v1beta1`). */
function kindsIn(module: string): Readonly<Partial<Record<ParamValue['kind'], string>>> {
  return units[module.split('.').findLast((part) => !/^v\d/.test(part)) ?? module] ?? {};
}

/** Whether a module has parameters that are coins. `module` is its subspace or package. */
export function hasCoinParams(module: string): boolean {
  return kindsIn(module).coins !== undefined;
}

/** Reads a value. `module` is a subspace or a package, `name` a parameter or a field of it. */
function paramValue(module: string, name: string, value: unknown): ParamValue | undefined {
  const kinds = kindsIn(module);
  const bare = bareName(name);
  const has = (kind: ParamValue['kind']): boolean | undefined => kinds[kind]?.split(' ').includes(bare);
  const seconds = has('duration') ? toSeconds(value) : undefined;
  if (seconds !== undefined) return { kind: 'duration', seconds };
  const ratio = has('ratio') ? toRatio(value) : undefined;
  if (ratio !== undefined) return { kind: 'ratio', ratio };
  const coins = has('coins') ? readCoins(Array.isArray(value) ? value : [value]) : undefined;
  return coins && { kind: 'coins', coins };
}

/** One value of a parameter: the parameter itself, or a field of it by its path (`block.max_gas`). */
export interface ParamEntry {
  readonly path: string;
  /** The text of the value in JSON; a string without its quotes. */
  readonly raw: string;
  readonly value: ParamValue | undefined;
}

/**
 * Lists the values of a parameter with the JSON text `json`. JSON that a JavaScript value cannot hold exactly is one
 * entry with the text.
 */
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
