import type { Node } from 'jsonc-parser';
import { bareName, type Fields, isFields } from '../../../chain/fields.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { addMembers, replaceValue, setMember, type TextEdit } from '../../draftEdits.ts';
import { allMembers, type Draft, type DraftAction, exactValue, member, toCamel } from '../../draftText.ts';
import { isDuration, type WantedForm } from '../../fieldForms.ts';
import { error, errorIf, type Finding, hint, repair } from '../../finding.ts';
import { failTime } from '../failTime.ts';
import { dropRepair, numberFinding, typeError } from '../fields/fieldChecks.ts';
import { signerIn } from '../fields/messageTable.ts';
import { unknownField } from '../file/formChecks.ts';
import { misnamedSigner } from '../messages/accountChecks.ts';
import { paramText } from '../valueWords.ts';
import type { MissingParam } from './paramFindings.ts';
import { isDecimalText, refusesZero } from './paramRules.ts';

/** Modules with their parameters beside the authority, and today's parameters that the message does not set. */
const besideAuthority: ReadonlyMap<string, readonly string[]> = new Map([
  ['cosmos.consensus.v1', ['version', 'abci']],
  ['cosmos.crisis.v1beta1', []],
]);

/** All parameters that such a message can set. */
const fieldsBeside: ReadonlyMap<string, readonly string[]> = new Map([
  ['cosmos.consensus.v1', ['block', 'evidence', 'validator', 'abci']],
  ['cosmos.crisis.v1beta1', ['constant_fee']],
]);

/** Whether the form of a module's message is known: those of the SDK, ibc-go and CosmWasm. */
function isKnownModule(module: string): boolean {
  return /^(cosmos|ibc|cosmwasm)\./.test(module);
}

/**
 * Today's parameters that a `MsgUpdateParams` does not set, if its parameters stand beside the authority. Undefined if
 * they stand in `params`. The message of an unknown module shows by itself where they stand.
 */
export function unsetBesideAuthority({ node, package: module }: DraftAction): readonly string[] | undefined {
  const unset = besideAuthority.get(module);
  if (unset || isKnownModule(module) || member(node, 'params')) return unset;
  return allMembers(node).some(({ name }) => !['@type', 'authority', 'signer', 'sender'].includes(name))
    ? []
    : undefined;
}

/** The object that holds the parameters of a `MsgUpdateParams`: `params`, or the message itself. */
export function paramsNode(action: DraftAction): Node | undefined {
  return unsetBesideAuthority(action) ? action.node : member(action.node, 'params')?.value;
}

/**
 * Checks `MsgUpdateParams`, which sets all parameters of a module at once. Parameters that it leaves out become zero.
 */
export function checkParams(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action) => {
    if (action.name !== 'MsgUpdateParams') return [];
    const today = facts.moduleParams.get(action.package);
    const found = today ? againstToday(draft, facts, action, today) : withoutToday(action);
    return [...strayFields(draft, action, today ?? {}), ...found];
  });
}

/** Finds fields of the message itself that it does not have. Only those of the modules in the table are known. */
function strayFields(draft: Draft, action: DraftAction, today: Fields): readonly Finding[] {
  const { node, package: module, name: of, typeUrl } = action;
  const signer = signerIn(typeUrl.slice(1));
  if (signer === undefined) return [];
  const own = besideAuthority.has(module) ? [...(fieldsBeside.get(module) ?? []), ...Object.keys(today)] : ['params'];
  const known = [signer, '@type', misnamedSigner(action)?.name ?? signer, ...own];
  const isKnown = (name: string): boolean => known.some((one) => one === name || toCamel(one) === name);
  return allMembers(node)
    .filter(({ name }) => !isKnown(name))
    .map((one) => unknownField(draft, one, of, own));
}

/** Checks parameters if today's are not known. Only an empty set is certain to be a mistake. */
function withoutToday(action: DraftAction): readonly Finding[] {
  const { node, package: module } = action;
  const params = member(node, 'params');
  if (unsetBesideAuthority(action) || (params && allMembers(params.value).length > 0)) return [];
  return [error('params-empty', params?.key ?? member(node, '@type')?.value ?? node, { module })];
}

interface MissingField {
  readonly object: Node;
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

function againstToday(draft: Draft, facts: ChainFacts, action: DraftAction, today: Fields): readonly Finding[] {
  const unset = unsetBesideAuthority(action);
  const params = unset ? undefined : member(action.node, 'params');
  const object = unset ? action.node : params?.value;
  const expected = Object.entries(today).filter(([name]) => !unset?.includes(name));
  const at = params?.key ?? member(action.node, '@type')?.value ?? action.node;
  if (object?.type !== 'object') {
    const missing = expected
      .filter(([name, value]) => isMissed(action.package, name, value))
      .map(([name, value]) => missingParam(facts, action, name, value));
    const edit = setMember(draft, action.node, 'params', today);
    return [
      error('params-incomplete', at, { missing, fails: failTime(facts, action) }, [
        repair('params-from-chain', { count: missing.length }, edit),
      ]),
    ];
  }
  const missing = missingIn(object, expected, { module: action.package, path: '' });
  const extra = unset ? [] : allMembers(object).filter(({ name }) => !expected.some(([known]) => isName(known, name)));
  // `abci` may be left out of the message. `version` is not a field of it.
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
    const named = missing.map(({ path, value }) => missingParam(facts, action, path, value));
    const added = repair('params-from-chain', { count: missing.length }, ...fillIn(draft, missing));
    // The parameters of an unknown module may include some that its message does not set.
    const report = errorIf(!unset || isKnownModule(action.package));
    return [report('params-incomplete', at, { missing: named, fails: failTime(facts, action) }, [added]), ...findings];
  }
  const isSame =
    extra.length === 0 && given.every(([name, value]) => isToday(draft, member(object, name)?.value, value));
  if (isSame) findings.push(hint('unchanged', at, { what: 'params', name: action.package }, dropRepair(action.node)));
  return findings;
}

/** Whether a parameter with this value of today is missed if a message leaves it out. */
function isMissed(module: string, path: string, today: unknown): boolean {
  return !isZero(today) || (typeof today === 'string' && today !== '' && isDecimalText(module, path));
}

function missingIn(
  object: Node,
  today: readonly (readonly [string, unknown])[],
  { module, path }: { readonly module: string; readonly path: string },
): readonly MissingField[] {
  return today.flatMap(([name, value]): readonly MissingField[] => {
    if (!isMissed(module, path + name, value)) return [];
    const found = member(object, name)?.value;
    if (!found || found.type === 'null') return [{ object, name, path: path + name, value }];
    const isInner = isFields(value) && found.type === 'object';
    return isInner ? missingIn(found, Object.entries(value), { module, path: `${path}${name}.` }) : [];
  });
}

/** One edit for each object that lacks a field, and one for each null. */
function fillIn(draft: Draft, missing: readonly MissingField[]): readonly TextEdit[] {
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

/** Whether a value is the zero of its type, as proto JSON shows a field that is not set. */
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
    return [typeError(draft, node, name, wanted)];
  }
  if (node.type === 'number') return numberFinding(draft, node, name, typeof today === 'string');
  if (!isFields(today) || node.type !== 'object') return [];
  return Object.entries(today).flatMap(([inner, value]) => {
    const found = member(node, inner);
    return found ? valueFindings(draft, found.value, { module, name: `${name}.${inner}` }, value) : [];
  });
}

/** The form that a value needs if its type differs from today's. Undefined if the value can be read. */
function wantedType(node: Node, today: unknown, isKnown: boolean): WantedForm | undefined {
  if (today === null || node.type === 'null') return undefined;
  if (Array.isArray(today)) return node.type === 'array' ? undefined : 'list';
  if (isFields(today)) return node.type === 'object' ? undefined : 'object';
  if (typeof today === 'boolean') return node.type === 'boolean' ? undefined : 'true or false';
  const text = node.type === 'string' ? String(node.value) : undefined;
  const isWhole = node.type === 'number' && Number.isInteger(node.value);
  if (typeof today === 'number') return isWhole || /^-?\d+$/.test(text ?? '') ? undefined : 'whole number';
  if (typeof today !== 'string') return undefined;
  if (/^\d+(\.\d+)?s$/.test(today)) return isDuration(text ?? '') ? undefined : 'duration';
  if (text === undefined && node.type === 'number' && /^-?\d+\.\d{18}$/.test(today)) return 'decimal';
  if (text === undefined) return isWhole && /^-?\d+$/.test(today) ? undefined : 'text';
  return wantedNumber(text, today, isKnown);
}

/**
 * The form that a number in a text needs. Undefined if it is of the kind of today's number. Digits in an unknown module
 * can be of any kind: `0` may become `0.25`.
 */
export function wantedNumber(text: string, today: string, isKnown: boolean): WantedForm | undefined {
  if (/^-?\d+\.\d{18}$/.test(today)) return /^-?\d+(\.\d{1,18})?$/.test(text) ? undefined : 'decimal';
  return isKnown && /^-?\d+$/.test(today) && !/^-?\d+$/.test(text) ? 'number' : undefined;
}

/** Whether a value equals today's, in whatever notation. */
export function isToday(draft: Draft, node: Node | undefined, today: unknown): boolean {
  if (!node || node.type === 'null') return isZero(today);
  const value = exactValue(draft, node);
  return value !== undefined && canonical(value) === canonical(today);
}

/** Writes equal values as equal texts: `0.5` and `0.500000000000000000`, `7` and `"7"`, fields in any order. */
export function canonical(value: unknown): string {
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

function missingParam(
  { units }: ChainFacts,
  { package: module }: DraftAction,
  name: string,
  today: unknown,
): MissingParam {
  return { name, today: paramText(today, units), isRefused: refusesZero(module, name) };
}
