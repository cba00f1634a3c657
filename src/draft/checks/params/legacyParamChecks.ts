import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import { bareName, isFields, ownValue } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import { type ChainFacts, type GovAge, isSince, legacyName } from '../../chainFacts.ts';
import { replaceValue, type TextEdit } from '../../draftEdits.ts';
import {
  type Draft,
  type DraftAction,
  type LegacyChange,
  legacyChanges,
  member,
  nodeAt,
  rawOf,
} from '../../draftText.ts';
import { error, errorIf, type Finding, hint, type Repair, repair, warning } from '../../finding.ts';
import { dropRepair } from '../fields/fieldChecks.ts';
import { legacyLimits, readPeriod } from './paramRules.ts';
import { canonical, wantedNumber } from './paramsChecks.ts';

/** The JSON of a legacy value. A file holds the value itself, and a proposal the text of its JSON. */
export function legacyJson(draft: Draft, { node }: DraftAction, value: Node): string {
  return node === draft.root ? rawOf(draft, value) : String(value.value);
}

/**
 * Legacy parameters of the SDK (ParamSetPairs of its modules up to 0.46) with the JSON type of their values: `s` text,
 * `n` number, `b` boolean, `o` object, `l` list. Other modules and forks have more.
 */
const legacyTable: Readonly<Record<string, string>> = {
  auth: 'MaxMemoCharacters:s TxSigLimit:s TxSizeCostPerByte:s SigVerifyCostED25519:s SigVerifyCostSecp256k1:s',
  bank: 'SendEnabled:l DefaultSendEnabled:b',
  baseapp: 'BlockParams:o EvidenceParams:o ValidatorParams:o',
  crisis: 'ConstantFee:o',
  distribution: 'communitytax:s baseproposerreward:s bonusproposerreward:s withdrawaddrenabled:b',
  gov: 'depositparams:o votingparams:o tallyparams:o',
  mint: 'MintDenom:s InflationRateChange:s InflationMax:s InflationMin:s GoalBonded:s BlocksPerYear:s',
  slashing:
    'SignedBlocksWindow:s MinSignedPerWindow:s DowntimeJailDuration:s SlashFractionDoubleSign:s SlashFractionDowntime:s',
  staking: 'UnbondingTime:s MaxValidators:n MaxEntries:n BondDenom:s HistoricalEntries:n MinCommissionRate:s',
  transfer: 'SendEnabled:b ReceiveEnabled:b',
};

const jsonTypes: Readonly<Record<string, string>> = {
  s: 'text',
  n: 'number',
  b: 'true or false',
  o: 'object',
  l: 'list',
};

/** The keys of a subspace with the types of their values. Undefined for a subspace outside the SDK. */
function legacyKeys(subspace: string): ReadonlyMap<string, string> | undefined {
  const line = ownValue(legacyTable, subspace);
  const pairs = line?.split(' ').map((pair) => pair.split(':')) ?? [];
  return line === undefined ? undefined : new Map(pairs.map(([key = '', type = '']) => [key, jsonTypes[type] ?? '']));
}

/**
 * Checks changes of legacy parameters (x/params), one value each. A node executes them in a copy when they are
 * submitted.
 */
export function checkLegacyParams(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action) =>
    legacyChanges(action).flatMap((change) => {
      const isFile = action.node === draft.root;
      const place = checkPlace(draft, facts, change, isFile);
      return place.length > 0 ? place : checkValue(draft, facts, change, isFile);
    }),
  );
}

/** The gov age since which the modules of a subspace keep their own parameters: SDK 0.47, ibc-go 8. */
function movedSince(subspace: string): GovAge {
  return subspace === 'transfer' ? 'expedited' : 'titles';
}

function checkPlace(draft: Draft, facts: ChainFacts, change: LegacyChange, isFile: boolean): readonly Finding[] {
  const { node, subspace, key } = change;
  const today = facts.legacyParams.get(legacyName(change));
  const at = member(node, 'key')?.value ?? node;
  const keys = legacyKeys(subspace);
  const names = [...(keys?.keys() ?? [])];
  // A state finds a value by a key that differs in its case, and the chain does not.
  const differsInCase = names.some((known) => bareName(known) === bareName(key));
  if (keys && !keys.has(key) && (!today || differsInCase)) {
    const found = nearKey(draft, facts, change, isFile, names);
    if (found) return [found];
  }
  // A state has each parameter of its modules, so it has no other keys.
  const isForeign = today === undefined && facts.stateModules?.has(subspace) && keys?.has(key) === false;
  if (isForeign) return [warning('legacy-param-unknown', at, { subspace, key, meant: undefined })];
  if (today === null || (today === undefined && keys === undefined)) return subspaceFindings(draft, facts, change);
  // A state file has the parameters at their new place. The age of gov shows the version since which they are there.
  const hasMoved = facts.isState === true && keys !== undefined && isSince(facts, movedSince(subspace)) === true;
  if (hasMoved && today !== undefined) return [error('legacy-param-moved', at, { subspace, key })];
  if (today !== '') return [];
  const own = facts.moduleParams.get(`cosmos.${subspace}.v1beta1`) ?? {};
  const isMoved = Object.keys(own).some((name) => bareName(name) === bareName(key));
  return isMoved
    ? [error('legacy-param-moved', at, { subspace, key })]
    : [warning('legacy-param-unknown', at, { subspace, key, meant: undefined })];
}

/** The fields inside the values of legacy parameters of the SDK, by subspace and key. */
const legacyFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gov: {
    votingparams: 'voting_period',
    depositparams: 'min_deposit max_deposit_period',
    tallyparams: 'quorum threshold veto_threshold',
  },
  baseapp: {
    BlockParams: 'max_bytes max_gas',
    EvidenceParams: 'max_age_num_blocks max_age_duration',
    ValidatorParams: 'pub_key_types',
  },
};

/** Finds a key that is near to one of the subspace, or to a field inside the value of one. */
function nearKey(
  draft: Draft,
  facts: ChainFacts,
  change: LegacyChange,
  isFile: boolean,
  keys: readonly string[],
): Finding | undefined {
  const { node, subspace, key } = change;
  const at = member(node, 'key')?.value ?? node;
  const report = errorIf(facts.legacyParams.get(legacyName(change)) === '');
  const meant = closestName(key, keys);
  if (meant !== undefined) {
    const repairs = [repair('key-rename', { name: meant }, replaceValue(draft, at, meant))];
    return report('legacy-param-unknown', at, { subspace, key, meant }, repairs);
  }
  const groups = ownValue(legacyFields, subspace) ?? {};
  const inside = Object.entries(groups).flatMap(([group, line]) => line.split(' ').map((field) => ({ group, field })));
  const found = inside.find((one) => closestName(key, [one.field]) !== undefined);
  if (!found) return undefined;
  const { group, field } = found;
  const value = member(node, 'value')?.value;
  const given = value && parseJson(isFile ? rawOf(draft, value) : String(value.value));
  const whole = { [field]: given };
  const repairs =
    value && given !== undefined
      ? [
          repair(
            'key-rename',
            { name: group },
            replaceValue(draft, at, group),
            replaceValue(draft, value, isFile ? whole : JSON.stringify(whole)),
          ),
        ]
      : [];
  return report('legacy-param-unknown', at, { subspace, key, meant: group, inside: field }, repairs);
}

/** Subspaces of ibc-go and CosmWasm, beside those of the SDK. */
const otherSubspaces = ['ibc', 'icahost', 'icacontroller', 'wasm'];

/** Finds a subspace that the chain does not have (null), or that is near to a known one where the chain does not say. */
function subspaceFindings(draft: Draft, facts: ChainFacts, change: LegacyChange): readonly Finding[] {
  const { node, subspace, key } = change;
  const today = facts.legacyParams.get(legacyName(change));
  const place = member(node, 'subspace')?.value ?? node;
  const known = [...Object.keys(legacyTable), ...otherSubspaces];
  const meant = known.includes(subspace) ? undefined : closestName(subspace, known);
  // A state lists its modules, but an export may lack some of those that each chain has.
  const isAbsent = !known.includes(subspace) && facts.stateModules?.has(subspace) === false;
  if (today === undefined && meant === undefined && !isAbsent) return [];
  const repairs = meant === undefined ? [] : [repair('key-rename', { name: meant }, replaceValue(draft, place, meant))];
  return [errorIf(today === null)('legacy-param-unknown', place, { subspace, key, meant, isSubspace: true }, repairs)];
}

/** Checks the value of a change. Files of the command line hold the JSON itself, and proto JSON holds its text. */
function checkValue(draft: Draft, facts: ChainFacts, change: LegacyChange, isFile: boolean): readonly Finding[] {
  const { node, subspace, key } = change;
  const value = member(node, 'value')?.value;
  if (!value) return [];
  if (!isFile && value.type !== 'string')
    return [
      error('field-type', value, { field: 'value', wanted: 'text' }, [inQuotes(draft, value, rawOf(draft, value))]),
    ];
  const written = isFile ? rawOf(draft, value) : String(value.value);
  const today = facts.legacyParams.get(legacyName(change));
  const proposed = parseJson(written);
  const periods = periodFindings(draft, change, value, isFile);
  if (periods.length > 0) return periods;
  const found = jsonType(proposed);
  const keys = legacyKeys(subspace);
  const wanted = today ? wantedValue(proposed, parseJson(today), keys !== undefined) : keys?.get(key);
  const put = (text: string): TextEdit =>
    isFile ? replaceValue(draft, value, parseJson(text)) : replaceValue(draft, value, text);
  if (found === undefined || (wanted !== undefined && wanted !== found)) {
    const isBare = found === undefined || found === 'number';
    const repairs = wanted === 'text' && isBare ? [repair('quote', {}, put(JSON.stringify(written)))] : [];
    const bare = /^"(-?\d+)"$/.exec(written)?.[1];
    const numbers = wanted === 'number' && bare !== undefined ? [repair('quote', {}, put(bare))] : [];
    return [error('legacy-value-type', value, { today: wanted ?? 'JSON' }, [...repairs, ...numbers])];
  }
  const isSame = today && canonical(parseJson(today)) === canonical(parseJson(written));
  return isSame ? [hint('unchanged', value, { what: 'legacy', name: `${subspace}/${key}` }, dropRepair(node))] : [];
}

/** Finds durations of a legacy parameter that are not in nanoseconds. The repair is given if the duration is clear. */
function periodFindings(
  draft: Draft,
  { subspace, key }: LegacyChange,
  node: Node,
  isFile: boolean,
): readonly Finding[] {
  const proposed = parseJson(isFile ? rawOf(draft, node) : String(node.value));
  if (proposed === undefined || proposed === null) return [];
  const periods = legacyLimits(subspace, key).filter(([, { kind }]) => kind === 'nanoseconds');
  return periods.flatMap(([path]) => {
    const given = path === '' || !isFields(proposed) ? proposed : proposed[path];
    const isInside = path === '' || isFields(proposed);
    if (!isInside || given === undefined || (typeof given === 'string' && /^-?\d+$/.test(given))) return [];
    const nanoseconds = readPeriod(given);
    const field = path === '' ? key : `${key}.${path}`;
    const place = (isFile && path !== '' && nodeAt(node, path)) || node;
    if (nanoseconds === undefined) return [error('field-type', place, { field, wanted: 'nanoseconds' })];
    const digits = `${nanoseconds}`;
    const whole = path === '' || !isFields(proposed) ? digits : { ...proposed, [path]: digits };
    const edit = replaceValue(draft, place, isFile ? digits : JSON.stringify(whole));
    const repairs = [repair('convert', { value: JSON.stringify(digits) }, edit)];
    return [error('field-type', place, { field, wanted: 'nanoseconds' }, repairs)];
  });
}

/** The form that a value of a legacy parameter needs. The JSON type of the value itself if it can be read. */
function wantedValue(value: unknown, today: unknown, isKnown: boolean): string | undefined {
  const type = jsonType(value);
  if (type !== jsonType(today)) return jsonType(today);
  if (typeof today === 'number') return Number.isInteger(today) && !Number.isInteger(value) ? 'whole number' : type;
  if (typeof today === 'string') return wantedNumber(String(value), today, isKnown) ?? type;
  if (!isFields(today) || !isFields(value)) return type;
  const inner = Object.entries(today).flatMap(([name, own]) => {
    const [given, wanted] = [value[name], wantedValue(value[name], own, isKnown)];
    return given === undefined || wanted === jsonType(given) ? [] : [`${name}: ${wanted}`];
  });
  return inner[0] ?? type;
}

function inQuotes(draft: Draft, value: Node, raw: string): Repair {
  return repair('quote', {}, replaceValue(draft, value, raw));
}

function jsonType(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'object';
}
