import type { Node } from 'jsonc-parser';
import { bareName, type Fields, isFields } from '../api/wireValues.ts';
import { exactJson, parseJson } from '../chain/text.ts';
import {
  type Draft,
  type DraftAction,
  type LegacyChange,
  legacyChanges,
  member,
  membersOf,
  rawOf,
} from './draftText.ts';
import {
  addMembers,
  error,
  errorIf,
  type Finding,
  hint,
  type Repair,
  repair,
  replaceValue,
  setMember,
  type TextEdit,
  warning,
} from './finding.ts';
import { unknownField } from './formChecks.ts';
import { type KnownFacts, legacyName } from './knownFacts.ts';
import { dropRepair, numberFinding, quoteRepair } from './messageChecks.ts';

/** Modules that have their parameters beside the authority, and what of today's is not set by the message. */
const besideAuthority: ReadonlyMap<string, readonly string[]> = new Map([
  ['cosmos.consensus.v1', ['version', 'abci']],
  ['cosmos.crisis.v1beta1', []],
]);

/** Whose form is known: the SDK, ibc-go and CosmWasm. Other modules have forms of their own. */
function isKnownModule(module: string): boolean {
  return /^(cosmos|ibc|cosmwasm)\./.test(module);
}

/**
 * What of today's parameters a `MsgUpdateParams` does not set, where they stand beside the authority; undefined where they are in
 * `params`. The message of a module that is not known shows by itself where they stand.
 */
export function unsetBesideAuthority({ node, package: module }: DraftAction): readonly string[] | undefined {
  const unset = besideAuthority.get(module);
  if (unset || isKnownModule(module) || member(node, 'params')) return unset;
  return membersOf(node).some(({ name }) => !['@type', 'authority', 'signer', 'sender'].includes(name))
    ? []
    : undefined;
}

/** All parameters of a module at once: what a `MsgUpdateParams` leaves out becomes zero. */
export function checkParams(draft: Draft, { moduleParams }: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap((action) => {
    if (action.name !== 'MsgUpdateParams') return [];
    const today = moduleParams.get(action.package);
    return today ? againstToday(draft, action, today) : withoutToday(action);
  });
}

/** Where today's parameters are not known, it is certain that none at all is a mistake. */
function withoutToday(action: DraftAction): readonly Finding[] {
  const { node, package: module } = action;
  const params = member(node, 'params');
  if (unsetBesideAuthority(action) || (params && membersOf(params.value).length > 0)) return [];
  return [error('params-empty', params?.key ?? member(node, '@type')?.value ?? node, { module })];
}

interface Missing {
  readonly object: Node;
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

function againstToday(draft: Draft, action: DraftAction, today: Fields): readonly Finding[] {
  const unset = unsetBesideAuthority(action);
  const params = unset ? undefined : member(action.node, 'params');
  const object = unset ? action.node : params?.value;
  const expected = Object.entries(today).filter(([name]) => !unset?.includes(name));
  const at = params?.key ?? member(action.node, '@type')?.value ?? action.node;
  if (object?.type !== 'object') {
    const missing = expected
      .filter(([, value]) => !isZero(value))
      .map(([name, value]) => ({ name, today: brief(value) }));
    const edit = setMember(draft, action.node, 'params', today);
    return [
      error('params-incomplete', at, { missing }, [repair('params-from-chain', { count: missing.length }, edit)]),
    ];
  }
  const missing = missingIn(object, expected, '');
  const extra = unset ? [] : membersOf(object).filter(({ name }) => !expected.some(([known]) => isName(known, name)));
  // The message may leave abci as it is, or set it; version is none of its fields.
  const isGiven = (name: string): boolean => !unset?.includes(name) || (name === 'abci' && !!member(object, name));
  const given = Object.entries(today).filter(([name]) => isGiven(name));
  const findings: Finding[] = given.flatMap(([name, value]) => {
    const found = member(object, name);
    return found ? valueFindings(draft, found.value, { module: action.package, name }, value) : [];
  });
  for (const one of extra)
    findings.push(
      unknownField(
        draft,
        one,
        action.package,
        expected.map(([name]) => name),
      ),
    );
  if (missing.length > 0) {
    const facts = { missing: missing.map(({ path, value }) => ({ name: path, today: brief(value) })) };
    const added = repair('params-from-chain', { count: missing.length }, ...fillIn(draft, missing));
    // What an unknown module sets beside the authority need not be all that it answers.
    const report = errorIf(!unset || isKnownModule(action.package));
    return [report('params-incomplete', at, facts, [added]), ...findings];
  }
  const isSame =
    extra.length === 0 && given.every(([name, value]) => isToday(draft, member(object, name)?.value, value));
  if (isSame) findings.push(hint('unchanged', at, { what: 'params', name: action.package }, dropRepair(action.node)));
  return findings;
}

function missingIn(object: Node, today: readonly (readonly [string, unknown])[], path: string): readonly Missing[] {
  return today.flatMap(([name, value]): readonly Missing[] => {
    if (isZero(value)) return [];
    const found = member(object, name)?.value;
    if (!found || found.type === 'null') return [{ object, name, path: path + name, value }];
    const isInner = isFields(value) && found.type === 'object';
    return isInner ? missingIn(found, Object.entries(value), `${path}${name}.`) : [];
  });
}

/** One edit for each object that lacks something, and one for each null. */
function fillIn(draft: Draft, missing: readonly Missing[]): readonly TextEdit[] {
  const edits = missing.flatMap(({ object, name, value }) => {
    const found = member(object, name);
    return found ? [replaceValue(draft, found.value, value)] : [];
  });
  const absent = missing.filter(({ object, name }) => !member(object, name));
  for (const [object, own] of Map.groupBy(absent, (one) => one.object))
    edits.push(
      addMembers(
        draft,
        object,
        own.map(({ name, value }) => [name, value] as const),
      ),
    );
  return edits;
}

/** What proto JSON shows for a field that is not set. */
export function isZero(value: unknown): boolean {
  if (value === null || value === 0 || value === false) return true;
  if (typeof value === 'string') return /^(0(\.0+)?s?)?$/.test(value);
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.values(value).every(isZero);
}

/** A parameter, or a field in it: `block.max_bytes`. */
interface Param {
  readonly module: string;
  readonly name: string;
}

function valueFindings(draft: Draft, node: Node, { module, name }: Param, today: unknown): readonly Finding[] {
  const wanted = wantedType(node, today, isKnownModule(module));
  if (wanted !== undefined) {
    const repairs = wanted === 'text' && node.type === 'number' ? quoteRepair(draft, node) : [];
    return [error('field-type', node, { field: name, wanted }, repairs)];
  }
  if (node.type === 'number') return numberFinding(draft, node, name, typeof today === 'string');
  if (!isFields(today) || node.type !== 'object') return [];
  return Object.entries(today).flatMap(([inner, value]) => {
    const found = member(node, inner);
    return found ? valueFindings(draft, found.value, { module, name: `${name}.${inner}` }, value) : [];
  });
}

/** What a value has to be where it is something else than today's; undefined where it can be read. */
function wantedType(node: Node, today: unknown, isKnown: boolean): string | undefined {
  if (today === null || node.type === 'null') return undefined;
  if (Array.isArray(today)) return node.type === 'array' ? undefined : 'list';
  if (isFields(today)) return node.type === 'object' ? undefined : 'object';
  if (typeof today === 'boolean') return node.type === 'boolean' ? undefined : 'true or false';
  const text = node.type === 'string' ? String(node.value) : undefined;
  const isWhole = node.type === 'number' && Number.isInteger(node.value);
  if (typeof today === 'number') return isWhole || /^-?\d+$/.test(text ?? '') ? undefined : 'whole number';
  if (typeof today !== 'string') return undefined;
  if (text === undefined) return isWhole && /^-?\d+$/.test(today) ? undefined : 'text';
  if (/^\d+(\.\d+)?s$/.test(today)) return /^-?([\d.]+(ns|us|µs|ms|s|m|h))+$/.test(text) ? undefined : 'duration';
  return wantedNumber(text, today, isKnown);
}

/**
 * Decimals and whole numbers in a text: what it has to be where it is not of the kind of today's. A text of digits may be any text
 * in a module that is not known: `0` may become `0.25`.
 */
function wantedNumber(text: string, today: string, isKnown: boolean): string | undefined {
  if (/^-?\d+\.\d{18}$/.test(today)) return /^-?\d+(\.\d{1,18})?$/.test(text) ? undefined : 'decimal';
  return isKnown && /^-?\d+$/.test(today) && !/^-?\d+$/.test(text) ? 'number' : undefined;
}

function isToday(draft: Draft, node: Node | undefined, today: unknown): boolean {
  if (!node || node.type === 'null') return isZero(today);
  const value = exactJson(rawOf(draft, node));
  return value !== undefined && canonical(value) === canonical(today);
}

/** One text for equal values: `0.5` and `0.500000000000000000`, `7` and `"7"`, whatever the order of fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (isFields(value))
    return `{${Object.keys(value)
      .toSorted()
      .map((name) => `${name}:${canonical(value[name])}`)
      .join()}}`;
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : JSON.stringify(text);
}

function isName(known: string, name: string): boolean {
  return known === name || (!name.includes('_') && bareName(known) === bareName(name));
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * Legacy parameters of the SDK (ParamSetPairs of its modules up to 0.46) and the JSON type of their values: `s` text,
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

/** The keys of a subspace with the types of their values; undefined where the subspace is not the SDK's. */
function legacyKeys(subspace: string): ReadonlyMap<string, string> | undefined {
  const line = Object.hasOwn(legacyTable, subspace) ? legacyTable[subspace] : undefined;
  const pairs = line?.split(' ').map((pair) => pair.split(':')) ?? [];
  return line === undefined ? undefined : new Map(pairs.map(([key = '', type = '']) => [key, jsonTypes[type] ?? '']));
}

/** Changes of legacy parameters, one value each (x/params), which a node carries out in a copy when they are submitted. */
export function checkLegacyParams(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap((action) =>
    legacyChanges(action).flatMap((change) => {
      const place = checkPlace(draft, facts, change);
      return place.length > 0 ? place : checkValue(draft, facts, change, action.node === draft.root);
    }),
  );
}

function checkPlace(draft: Draft, facts: KnownFacts, change: LegacyChange): readonly Finding[] {
  const { node, subspace, key } = change;
  const today = facts.legacyParams.get(legacyName(change));
  const at = member(node, 'key')?.value ?? node;
  const keys = legacyKeys(subspace);
  const meant = keys && [...keys.keys()].find((known) => known !== key && bareName(known) === bareName(key));
  if (meant !== undefined && !keys?.has(key)) {
    const repairs = [repair('key-rename', { name: meant }, replaceValue(draft, at, meant))];
    return [errorIf(today === '')('legacy-param-unknown', at, { subspace, key, meant }, repairs)];
  }
  if (today === null) {
    const place = member(node, 'subspace')?.value ?? node;
    return [error('legacy-param-unknown', place, { subspace, key, meant: undefined })];
  }
  if (today !== '') return [];
  const own = facts.moduleParams.get(`cosmos.${subspace}.v1beta1`) ?? {};
  const isMoved = Object.keys(own).some((name) => bareName(name) === bareName(key));
  return isMoved
    ? [error('legacy-param-moved', at, { subspace, key })]
    : [warning('legacy-param-unknown', at, { subspace, key, meant: undefined })];
}

/** The command line has the JSON itself in the file, proto JSON a text that holds it. */
function checkValue(draft: Draft, facts: KnownFacts, change: LegacyChange, isFile: boolean): readonly Finding[] {
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

/** What a value of a legacy parameter has to be; the type that it has where it can be read in place of today's. */
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
