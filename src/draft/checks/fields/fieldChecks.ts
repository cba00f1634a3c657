import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import type { Field } from '../../../chain/content/messageFields.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { removeChild, replaceValue } from '../../draftEdits.ts';
import { allActions, allMembers, type Draft, type DraftAction, itemsOf, member, rawOf } from '../../draftText.ts';
import { convertedValue, type WantedForm, wantedForm } from '../../fieldForms.ts';
import { error, type Finding, hint, type Repair, repair, warning } from '../../finding.ts';
import { type FailTime, failTime } from '../failTime.ts';
import { opening, unknownField } from '../file/formChecks.ts';
import { misnamedFinding, misnamedSigner, recipientOf } from '../messages/accountChecks.ts';
import { draftNames, enumFindings } from './enumNames.ts';
import { fieldsIn, fieldsInside, isFieldName } from './messageTable.ts';

/** Whether a table has the fields of an action. Forms of the command line and parameters are checked in other ways. */
export function hasFieldTable(draft: Draft, { node, name, typeUrl }: DraftAction): boolean {
  return node === draft.root || name === 'MsgUpdateParams' || fieldsIn(typeUrl.slice(1)) !== undefined;
}

/**
 * Checks the fields of known types: names that the type does not have, values of another form, and fields that must not
 * be empty.
 */
export function checkFields(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action) => {
    const known = fieldsIn(action.typeUrl.slice(1));
    const recipient = recipientOf(action)?.value;
    const empty = emptyFindings(action.node, known ?? [], failTime(facts, action));
    // The check of recipients names those that are there.
    const own = empty.filter(({ range }) => range.start !== recipient?.offset);
    // Drafts of the command line have other fields.
    if (action.node === draft.root) return own;
    const misnamed = misnamedSigner(action);
    const fields = fieldFindings(draft, action.node, known ?? [], known && action.name);
    if (!misnamed) return [...fields, ...own];
    const others = fields.filter(({ range }) => range.start !== misnamed.key.offset);
    return [...others, misnamedFinding(draft, action, misnamed), ...own];
  });
}

/** Finds needed fields that are absent or empty, also in nested types. A misspelt one is renamed by another check. */
function emptyFindings(node: Node, known: readonly Field[], fails: FailTime): readonly Finding[] {
  const isMisspelt = (wanted: string): boolean =>
    allMembers(node).some(
      ({ name }) => !known.some((one) => isFieldName(one, name)) && closestName(name, [wanted]) !== undefined,
    );
  return known.flatMap((field): readonly Finding[] => {
    const value = member(node, field.name)?.value;
    if (field.isNeeded && isEmpty(value, field)) {
      const at = value ?? member(node, '@type')?.value ?? opening(node);
      return isMisspelt(field.name)
        ? []
        : [error('field-empty', at, { field: field.name, isZero: isZeroNumber(value), fails })];
    }
    const objects = (value?.type === 'array' ? itemsOf(value) : value ? [value] : []).filter(isObject);
    const shape = objects.length > 0 ? shapeOf(field.type, field) : undefined;
    return shape ? objects.flatMap((one) => emptyFindings(one, shape, fails)) : [];
  });
}

function isObject({ type }: Node): boolean {
  return type === 'object';
}

/** Whether a value is written, and is the number 0. */
function isZeroNumber(value: Node | undefined): boolean {
  return value !== undefined && /^0+$/.test(String(value.value));
}

function isEmpty(value: Node | undefined, { type, repeated }: Field): boolean {
  if (!value || value.type === 'null') return true;
  // The check of coins names empty lists of them.
  if (repeated) return type !== 'Coin' && value.type === 'array' && itemsOf(value).length === 0;
  if (type === 'u64' || type === 'i64') return /^0+$/.test(String(value.value));
  const [empty] = draftNames(type) ?? [];
  if (empty !== undefined) return value.value === 0 || value.value === '' || value.value === empty;
  if (type === 'string') return typeof value.value === 'string' && value.value.trim() === '';
  return ['bytes', 'json'].includes(type) && value.value === '';
}

function fieldFindings(
  draft: Draft,
  node: Node,
  known: readonly Field[],
  type: string | undefined,
): readonly Finding[] {
  return allMembers(node).flatMap((found): readonly Finding[] => {
    const { name, value } = found;
    if (name === '@type') return [];
    const field = known.find((one) => isFieldName(one, name));
    if (type !== undefined && !field)
      return [
        unknownField(
          draft,
          found,
          type,
          known.map((one) => one.name),
        ),
      ];
    if (field && value.type !== 'null' && field.repeated !== (value.type === 'array')) {
      const wanted = field.repeated ? listForm(field) : wantedForm(value, field, '');
      return wanted === undefined ? [] : [typeError(draft, value, name, wanted)];
    }
    const inner = value.type === 'array' ? itemsOf(value) : [value];
    return inner.flatMap((one) => valueFindings(draft, one, name, field));
  });
}

function listForm({ type }: Field): WantedForm {
  return type === 'Coin' ? 'coins' : 'list';
}

function valueFindings(draft: Draft, value: Node, name: string, field: Field | undefined): readonly Finding[] {
  const raw = rawOf(draft, value);
  const wanted = field && wantedForm(value, field, raw);
  if (wanted !== undefined) return [typeError(draft, value, name, wanted)];
  const coin = isCoin(value) ? 'Coin' : undefined;
  const nested = field?.type ?? coin;
  if (field && draftNames(field.type) && !(field.isNeeded && isEmpty(value, field)))
    return enumFindings(draft, value, name, field.type);
  // An `any` is an action of its own. A `json` is read by a contract.
  if (nested === 'any' || nested === 'json') return [];
  if (value.type === 'object') {
    const shape = nested === undefined ? undefined : shapeOf(nested, field);
    return fieldFindings(draft, value, shape ?? [], shape && nested);
  }
  if (value.type !== 'number') return [];
  return numberFinding(draft, value, name, field?.type === 'u64' || field?.type === 'i64');
}

/** Reports a value that the chain cannot read. Offers the same value in the right form, if only one can be meant. */
export function typeError(draft: Draft, value: Node, field: string, wanted: WantedForm): Finding {
  const meant = convertedValue(wanted, value, rawOf(draft, value));
  const repairs =
    meant === undefined ? [] : [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, value, meant))];
  const isZero = wanted === 'positive amount' && /^0+$/.test(String(value.value));
  return error('field-type', value, { field, wanted, isZero }, repairs);
}

/**
 * The fields of a nested type. A coin needs both of its own, and its amount is whole, and positive in a list of coins
 * (types/coin.go, Validate).
 */
function shapeOf(type: string, field: Field | undefined): readonly Field[] | undefined {
  if (type !== 'Coin' || field === undefined) return fieldsInside(type);
  return field.repeated ? listedCoin : singleCoin;
}

const [listedCoin, singleCoin] = (['positive amount', 'amount'] as const).map((amount) =>
  fieldsInside('Coin')?.map((one) => ({ ...one, type: one.name === 'amount' ? amount : one.type, isNeeded: true })),
);

function isCoin(value: Node): boolean {
  const names = allMembers(value).map(({ name }) => name);
  return names.length === 2 && names.includes('denom') && names.includes('amount');
}

/** Reports a 64-bit number without quotes. Nodes accept it, but other tools round it above 2^53. */
export function numberFinding(draft: Draft, value: Node, field: string, is64Bit: boolean): readonly Finding[] {
  const isLarge = Math.abs(Number(value.value)) > Number.MAX_SAFE_INTEGER;
  if (!isLarge && !is64Bit) return [];
  const report = isLarge ? warning : hint;
  return [report('number-unquoted', value, { field, isLarge }, quoteRepair(draft, value))];
}

/** Puts a number into quotes, with every digit. */
export function quoteRepair(draft: Draft, value: Node): readonly Repair[] {
  return [repair('quote', {}, replaceValue(draft, value, rawOf(draft, value)))];
}

/** Removes a message, or a change, from its list if others stay. */
export function dropRepair(node: Node): readonly Repair[] {
  const others = (node.parent?.children?.length ?? 0) - 1;
  return others > 0 ? [repair('drop-unchanged', {}, removeChild(node))] : [];
}
