import { bareName, type Fields, ownValue } from '../../chain/fields.ts';
import type { GovForm } from '../../chain/gov/proposal.ts';
import { isParsedObject, parseExactly, toFields } from '../scan/jsonValue.ts';
import { GatewayError, notImplemented } from '../serviceErrors.ts';
import type { GovState } from './govReader.ts';

/** The parameters of each module as JSON, by the name of the module. */
type ModuleParams = Readonly<Record<string, string>>;

/** The names of durations, by module. In other modules, a period may be a number of blocks. */
const durations: Readonly<Record<string, RegExp>> = {
  gov: /_period(?:_extension)?$|^quorum_timeout$/,
  staking: /^unbonding_time$/,
  stake: /^unbonding_time$/,
  slashing:
    /^(?:downtime_jail_duration|max_evidence_age|double_sign_(?:jail|unbond)_duration|downtime_unbond_duration)$/,
  evidence: /^max_evidence_age$/,
  consensus: /^max_age_duration$/,
  connection: /^max_expected_time_per_block$/,
};

/**
 * Gives the parameters of a module as nodes answer them, with durations in seconds (`172800s`). Undefined if the state
 * has none.
 */
export function readModuleParams(all: ModuleParams, module: string): Fields | undefined {
  if (!Object.hasOwn(all, module)) return undefined;
  return withSeconds(toFields(parseExactly(all[module] ?? '')), module);
}

/**
 * Gives gov parameters of any version in the v1 form. SDK 0.47 and later write one object; earlier versions write three
 * groups, in which `veto` has another name.
 */
export function readGovParams(json: string): Fields {
  const groups = toFields(parseExactly(json));
  const all = ['deposit_params', 'voting_params', 'tally_params', 'params'].map((name) => groups[name]);
  const { veto, ...params }: Fields = Object.assign({}, ...all.filter(isParsedObject));
  return withSeconds({ ...params, ...(veto === undefined ? {} : { veto_threshold: veto }) }, 'gov');
}

function withSeconds(params: Fields, module: string): Fields {
  const names = ownValue(durations, module);
  if (!names) return params;
  const entries = Object.entries(params).map(([name, value]) => {
    if (isParsedObject(value)) return [name, withSeconds(value, module)];
    return [name, names.test(name) ? durationSeconds(value) : value];
  });
  return Object.fromEntries(entries);
}

/**
 * Converts `172800s`, `1209600000000000ns`, `172800000000000` (nanoseconds, amino) and `48h0m0s` to `172800s`. A number
 * of blocks stays.
 */
function durationSeconds(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, nanos, unit] = /^(\d{1,100})(ns)?$/.exec(value) ?? [];
  if (nanos !== undefined) {
    // In SDK 0.24 and earlier, periods are numbers of blocks. No period in nanoseconds is below a millisecond.
    if (unit === undefined && BigInt(nanos) > 0n && BigInt(nanos) < 1_000_000n) return value;
    const padded = nanos.padStart(10, '0');
    const fraction = padded.slice(-9).replace(/(?<!0)0+$/, '');
    return `${BigInt(padded.slice(0, -9))}${fraction ? `.${fraction}` : ''}s`;
  }
  const clock = /^(?:(\d{1,20})h)?(?:(\d{1,20})m)?(?:(\d{1,20})s)$/.exec(value);
  if (!clock) return value;
  const [, hours = '0', minutes = '0', seconds = '0'] = clock;
  return `${BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)}s`;
}

const zeroRatio = '0.000000000000000000';

/**
 * The groups of v1beta1, with the values that nodes give for a group that was not asked for (docs/nodes.md#gov-params).
 */
const paramGroups = {
  voting_params: { kind: 'voting', none: { voting_period: '0s' } },
  deposit_params: { kind: 'deposit', none: { min_deposit: [], max_deposit_period: '0s' } },
  tally_params: {
    kind: 'tallying',
    none: { quorum: zeroRatio, threshold: zeroRatio, veto_threshold: zeroRatio },
  },
} as const;

/**
 * Answers `gov/{version}/params/{kind}`: the asked group as far as the state has it, the others empty. In v1, all
 * `params` are there too.
 */
export function govParams(gov: GovState, form: GovForm, kind: string): string {
  const params = readGovParams(gov.params);
  if (Object.keys(params).length === 0) throw new GatewayError('unimplemented', 'gov params are not in this state');
  const groups = Object.entries(paramGroups);
  // Nodes of gov v1 accept an empty kind since SDK 0.50.
  const isEmptyTaken = form === 'v1' && 'expedited_voting_period' in params;
  if (!(kind === '' && isEmptyTaken) && !groups.some(([, group]) => group.kind === kind))
    throw new GatewayError('invalidArgument', `${kind.slice(0, 80)} is not a valid parameter type`);
  const { isOthersNull, whole }: ParamsForm = paramsForms[form];
  const reply = groups.map(([name, { kind: own, none }]) => {
    const asked = Object.keys(none).flatMap((field) => (field in params ? [[field, params[field]]] : []));
    if (own === kind) return [name, Object.fromEntries(asked)];
    return [name, isOthersNull ? null : none];
  });
  return JSON.stringify({ ...Object.fromEntries(reply), ...(whole ? { params } : {}) });
}

/** The way in which a form writes groups that were not asked for, and whether it has all `params`. */
interface ParamsForm {
  readonly isOthersNull: boolean;
  readonly whole: boolean;
}

const paramsForms: Readonly<Record<GovForm, ParamsForm>> = {
  v1: { isOthersNull: true, whole: true },
  v1beta1: { isOthersNull: false, whole: false },
};

/** Answers the parameters of a module as its own query does (docs/nodes.md#module-params). Crisis has no such query. */
export function moduleParams(all: ModuleParams, path: string): string {
  // Those of CosmWasm are at `wasm/v1/codes/params`.
  const module = /(?:^|\/)([\w-]+)\/v\w+(?:\/codes)?$/.exec(path)?.[1];
  const params = module === undefined || module === 'crisis' ? undefined : readModuleParams(all, module);
  if (!params) throw notImplemented();
  return JSON.stringify({ params });
}

/**
 * Answers the parameters of every module by its name, and the names of all modules. The groups of an old gov module become
 * one object.
 */
export function stateParams(all: ModuleParams, names: readonly string[]): string {
  const modules = Object.keys(all)
    .toSorted()
    .map((name) => {
      const groups = name === 'gov' ? readGovParams(all[name] ?? '{}') : {};
      return { name, params: Object.keys(groups).length > 0 ? groups : readModuleParams(all, name) };
    });
  return JSON.stringify({ modules, names });
}

/**
 * Answers a parameter by its key. `InflationMax` and `inflation_max` are the same key, and so are `BlockParams` of
 * `baseapp` and `block` of the consensus.
 */
export function param(all: ModuleParams, query: URLSearchParams): string {
  const subspace = query.get('subspace') ?? '';
  const key = query.get('key') ?? '';
  const params = readModuleParams(all, subspace === 'baseapp' ? 'consensus' : subspace);
  if (!params) throw new GatewayError('notFound', `the state has no params in "${subspace.slice(0, 80)}"`);
  const found = Object.entries(params).find(([name]) =>
    [bareName(name), `${bareName(name)}params`].includes(bareName(key)),
  );
  if (!found) throw new GatewayError('notFound', `the state has no param "${key.slice(0, 80)}" in "${subspace}"`);
  return JSON.stringify({ param: { subspace, key, value: JSON.stringify(found[1], withNanoseconds) } });
}

/** Durations are whole nanoseconds in legacy parameters (amino JSON), and `1814400s` in an export. */
function withNanoseconds(_name: string, value: unknown): unknown {
  const [, seconds, decimals = ''] = (typeof value === 'string' && /^(\d{1,15})(?:\.(\d{1,9}))?s$/.exec(value)) || [];
  return seconds === undefined ? value : String(BigInt(seconds + decimals.padEnd(9, '0')));
}
