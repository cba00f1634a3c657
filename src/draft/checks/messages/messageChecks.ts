import type { Node } from 'jsonc-parser';
import { addressFault, toAccount } from '../../../chain/address.ts';
import { closestName } from '../../../chain/closestName.ts';
import { type Coin, readCoins } from '../../../chain/coin.ts';
import { enumNames, type Field } from '../../../chain/content/messageFields.ts';
import { quotient, whole } from '../../../chain/ratio.ts';
import {
  allActions,
  allMembers,
  type Draft,
  type DraftAction,
  isPoolSpend,
  itemsOf,
  type Member,
  member,
  rangeOf,
  rawOf,
  textOf,
  toCamel,
} from '../../draftText.ts';
import { convertedValue, type WantedForm, wantedForm } from '../../fieldForms.ts';
import {
  error,
  errorIf,
  type Finding,
  hint,
  type Repair,
  removeChild,
  repair,
  replaceValue,
  setMember,
  warning,
} from '../../finding.ts';
import { type GovAge, isSince, type KnownFacts } from '../../knownFacts.ts';
import { type FailTime, failTime, triedTime } from '../failTime.ts';
import { opening, unknownField } from '../file/formChecks.ts';
import { enumFindings } from './enumNames.ts';
import { fieldsIn, fieldsInside, signerIn } from './messageTable.ts';

/** The field with the signer of a message. The table names it. An unknown message has it in `authority`. */
function signerField({ typeUrl, node }: DraftAction): string | undefined {
  return signerIn(typeUrl.slice(1)) ?? (member(node, 'authority') ? 'authority' : undefined);
}

/** The signers of a message. The field is a text, or a list of texts (x/bank's inputs, the proposers of a group). */
function signersOf({ node }: DraftAction, field: string): readonly Node[] {
  const value = member(node, field)?.value;
  if (!value) return [];
  return value.type === 'array' ? itemsOf(value).map((one) => member(one, 'address')?.value ?? one) : [value];
}

/** Checks the signer. A message has exactly one, the gov account (x/gov/keeper/proposal.go). */
export function checkAuthority(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    const field = action.isLegacy ? undefined : signerField(action);
    if (field === undefined) return [];
    const signers = signersOf(action, field);
    if (signers.length === 0) return missingAuthority(draft, facts, action, field);
    return signers.flatMap((value) => signerFindings(draft, facts, value, field));
  });
}

function signerFindings(draft: Draft, facts: KnownFacts, value: Node, field: string): readonly Finding[] {
  const { govAccount: expected, prefix, isProofOfAuthority } = facts;
  const found = typeof value.value === 'string' ? value.value : '';
  const fault = addressFault(accountOf(found) ?? found, prefix);
  if (expected === undefined) return fault ? [error('address-invalid', value, { field, fault })] : [];
  if (found === expected || accountOf(found) === expected) return [];
  const repairs = [repair('authority-from-chain', { account: expected }, replaceValue(draft, value, expected))];
  return [errorIf(!isProofOfAuthority)('authority-wrong', value, { found, expected, field, fault }, repairs)];
}

/**
 * The account of an operator address. Some messages of x/staking name their signer by it. Undefined for other texts.
 */
function accountOf(text: string): string | undefined {
  const account = text.includes('valoper1') ? toAccount(text) : undefined;
  return account && 'address' in account ? account.address : undefined;
}

/** The signer of a message that stands under the name that other messages have for it, such as `authority`. */
function misnamedSigner({ node, typeUrl, isLegacy }: DraftAction): Member | undefined {
  const field = isLegacy ? undefined : signerIn(typeUrl.slice(1));
  if (field === undefined) return undefined;
  const known = fieldsIn(typeUrl.slice(1)) ?? [];
  const isKnown = (name: string): boolean => name === field || known.some((one) => isNamed(one, name));
  return allMembers(node).find(({ name }) => ['authority', 'signer', 'sender'].includes(name) && !isKnown(name));
}

/** Reports a signer under another name. Offers the name that the message has for it, unless it has that, too. */
function misnamedFinding(draft: Draft, { node, name: of, typeUrl }: DraftAction, { name, key }: Member): Finding {
  const field = signerIn(typeUrl.slice(1)) ?? '';
  const meant = member(node, field) ? undefined : field;
  const repairs = meant === undefined ? [] : [repair('key-rename', { name: meant }, replaceValue(draft, key, meant))];
  return warning('field-unknown', key, { field: name, of, meant }, repairs);
}

/** Reports a message without a signer. */
function missingAuthority(draft: Draft, facts: KnownFacts, action: DraftAction, field: string): readonly Finding[] {
  const { govAccount: expected, isProofOfAuthority } = facts;
  const { node } = action;
  const type = member(node, '@type')?.value;
  if (!type || expected === undefined) return [];
  const misnamed = misnamedSigner(action);
  const repairs = misnamed
    ? misnamedFinding(draft, action, misnamed).repairs
    : [repair('authority-from-chain', { account: expected }, setMember(draft, node, field, expected))];
  return [
    errorIf(!isProofOfAuthority)(
      'authority-wrong',
      misnamed?.key ?? type,
      { found: '', expected, field, fault: undefined },
      repairs,
    ),
  ];
}

/** Fields of messages that name an account of this chain, by package. A contract is an account. */
const accountFields: Readonly<Record<string, readonly string[]>> = {
  'cosmos.authz.v1beta1': ['grantee'],
  'cosmos.distribution.v1beta1': ['withdraw_address'],
  'cosmos.feegrant.v1beta1': ['grantee'],
  'cosmos.protocolpool.v1': ['recipient'],
  'cosmos.vesting.v1beta1': ['to_address'],
  'cosmwasm.wasm.v1': ['contract', 'new_admin', 'admin'],
};

/** Checks the other accounts that a message names. The check of fields reports empty ones. */
export function checkAccounts(draft: Draft, { prefix, moduleAccounts }: KnownFacts): readonly Finding[] {
  return allActions(draft).flatMap(({ node, package: module, isLegacy }): readonly Finding[] => {
    const fields = !isLegacy && Object.hasOwn(accountFields, module) ? (accountFields[module] ?? []) : [];
    return fields.flatMap((field): readonly Finding[] => {
      const value = member(node, field)?.value;
      if (typeof value?.value !== 'string' || value.value === '') return [];
      const fault = addressFault(value.value, prefix);
      if (fault) return [error('address-invalid', value, { field, fault })];
      const module = paidFields.has(field) ? moduleAccounts?.get(value.value) : undefined;
      return module === undefined ? [] : [warning('recipient-module', value, { module })];
    });
  });
}

/** Accounts that are paid. Chains refuse those of modules (x/distribution/keeper/keeper.go, x/auth/vesting/msg_server.go). */
const paidFields: ReadonlySet<string> = new Set(['withdraw_address', 'to_address']);

/** Checks recipients. Each is an account of this chain, and not one of a module. */
export function checkRecipients(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return allActions(draft).flatMap((action): readonly Finding[] => {
    const recipient = recipientOf(action);
    if (!recipient) return [];
    const { name: field, value } = recipient;
    const text = typeof value.value === 'string' ? value.value : '';
    const fault = addressFault(text, facts.prefix);
    if (fault) return [error('address-invalid', value, { field, fault })];
    const module = facts.moduleAccounts?.get(text);
    return module === undefined ? [] : [warning('recipient-module', value, { module })];
  });
}

function recipientOf(action: DraftAction): Member | undefined {
  if (isPoolSpend(action)) return member(action.node, 'recipient');
  return action.name === 'MsgSend' ? member(action.node, 'to_address') : undefined;
}

/** Checks the sum of all spends of a draft against the community pool. */
export function checkSpends(draft: Draft, { communityPool }: KnownFacts): readonly Finding[] {
  const asked = new Map<string, bigint>();
  const held = communityPool && new Map(communityPool.map(({ denom, amount }) => [denom, amount] as const));
  const last = new Map<string, Node>();
  const over = draft.actions.flatMap((action): readonly Finding[] => {
    const value = isPoolSpend(action) ? member(action.node, 'amount')?.value : undefined;
    if (!value || !held) return [];
    const coins = coinsOf(value);
    for (const { denom, amount } of coins) {
      asked.set(denom, (asked.get(denom) ?? 0n) + amount);
      last.set(denom, value);
    }
    const heldOf = (denom: string): bigint => held.get(denom) ?? 0n;
    const over = coins.find(({ denom }) => (asked.get(denom) ?? 0n) > heldOf(denom));
    if (!over) return [];
    const { denom } = over;
    // A content is tried by itself when it is submitted, so the sum of several shows later.
    const isTried = action.isLegacy && coins.some((coin) => coin.amount > heldOf(coin.denom));
    const sum = { denom, amount: asked.get(denom) ?? over.amount };
    const facts = { asked: sum, held: heldOf(denom), fails: triedTime(isTried) };
    return [error('spend-over-pool', value, { ...facts, holds: communityPool?.slice(0, 5) ?? [] })];
  });
  const most = [...last].flatMap(([denom, node]): readonly Finding[] => {
    const [amount, all] = [asked.get(denom) ?? 0n, held?.get(denom) ?? 0n];
    const share = amount > all ? undefined : quotient(amount, all);
    const isMost = share !== undefined && share >= mostOfPool;
    return isMost ? [warning('spend-most-of-pool', node, { asked: { denom, amount }, share })] : [];
  });
  return [...over, ...most];
}

/** From this share of the community pool on, a spend leaves next to nothing for others. */
const mostOfPool = (whole * 9n) / 10n;

const sendType = '/cosmos.bank.v1beta1.MsgSend';

/**
 * Checks lists of coins that are paid. None may be empty. Denoms stand once and in order (types/coin.go, Validate).
 * Also checks settings of denoms.
 */
export function checkCoins(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return allActions(draft).flatMap((action): readonly Finding[] => {
    const { node, typeUrl } = action;
    const isSetting = typeUrl === '/cosmos.bank.v1beta1.MsgSetSendEnabled';
    const isPaid = isPoolSpend(action) || typeUrl === sendType;
    const list = member(node, isSetting ? 'send_enabled' : isPaid ? 'amount' : (coinField(action) ?? ''))?.value;
    if (list?.type !== 'array') return [];
    const denoms = itemsOf(list).map((coin) => textOf(coin, 'denom') ?? '');
    // Legacy contents may pay nothing (CommunityPoolSpendProposal, ValidateBasic).
    if (denoms.length === 0 && (!isPaid || action.isLegacy)) return [];
    // SDK 0.47 accepts a spend of nothing.
    const isCertain = typeUrl === sendType || isSince(facts, 'expedited') === true;
    if (denoms.length === 0) return [errorIf(isCertain)('coins-form', list, { fault: 'empty' })];
    const twice = itemsOf(list).find((_, at) => denoms.indexOf(denoms[at] ?? '') < at);
    if (twice) return [error('coins-form', twice, { fault: 'twice' })];
    const isSorted = denoms.every((denom, at) => at === 0 || (denoms[at - 1] ?? '') < denom);
    return isSorted || isSetting ? [] : [error('coins-form', list, { fault: 'order' }, sortRepair(draft, list))];
  });
}

/** The field with a list of coins that a message of the tables has. */
function coinField({ isLegacy, typeUrl }: DraftAction): string | undefined {
  const fields = isLegacy ? undefined : fieldsIn(typeUrl.slice(1));
  return fields?.find(({ type, repeated }) => type === 'Coin' && repeated)?.name;
}

function sortRepair(draft: Draft, list: Node): readonly Repair[] {
  const items = itemsOf(list);
  const sorted = items.toSorted((a, b) => ((textOf(a, 'denom') ?? '') < (textOf(b, 'denom') ?? '') ? -1 : 1));
  const edits = items.map((item, at) => ({ range: rangeOf(item), newText: rawOf(draft, sorted[at] ?? item) }));
  return [repair('coins-sort', {}, ...edits)];
}

/** The coins of a value, as far as they can be read. Another check reports the rest. */
function coinsOf(value: Node): readonly Coin[] {
  if (value.type === 'string') return readCoins(value.value) ?? [];
  return itemsOf(value).flatMap((coin) => coinOf(coin));
}

/** The coin of an object. Empty if it cannot be read. */
export function coinOf(coin: Node): readonly Coin[] {
  return readCoins([{ denom: textOf(coin, 'denom'), amount: String(member(coin, 'amount')?.value.value) }]) ?? [];
}

/** Legacy contents that the SDK and ibc-go no longer handle, and the gov age since which this is so. */
const oldContents: ReadonlyMap<string, { readonly since: GovAge; readonly instead: string }> = new Map([
  ['/ibc.core.client.v1.ClientUpdateProposal', { since: 'expedited', instead: 'MsgRecoverClient' }],
  ['/ibc.core.client.v1.UpgradeProposal', { since: 'expedited', instead: 'MsgIBCSoftwareUpgrade' }],
  ['/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', { since: 'titles', instead: 'MsgCommunityPoolSpend' }],
]);

/** Checks for legacy contents that the SDK no longer handles. An app may still handle them. */
export function checkHandlers(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap(({ typeUrl, node, isLegacy }): readonly Finding[] => {
    const old = isLegacy ? oldContents.get(typeUrl) : undefined;
    const type = member(node, '@type')?.value ?? member(node, 'recipient')?.key;
    if (!old || !type || !isSince(facts, old.since)) return [];
    return [warning('legacy-handler', type, { type: typeUrl, instead: old.instead })];
  });
}

/** Whether a table has the fields of an action. Forms of the command line and parameters are checked in other ways. */
export function hasFieldTable(draft: Draft, { node, name, typeUrl }: DraftAction): boolean {
  return node === draft.root || name === 'MsgUpdateParams' || fieldsIn(typeUrl.slice(1)) !== undefined;
}

/**
 * Checks the fields of known types: names that the type does not have, values of another form, and fields that must not
 * be empty.
 */
export function checkFields(draft: Draft, facts: KnownFacts): readonly Finding[] {
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
  const others = allMembers(node).filter(({ name }) => !known.some((one) => isNamed(one, name)));
  return known.flatMap((field): readonly Finding[] => {
    const value = member(node, field.name)?.value;
    if (field.isNeeded && isEmpty(value, field)) {
      const isMisspelt = others.some(({ name }) => closestName(name, [field.name]) !== undefined);
      const at = value ?? member(node, '@type')?.value ?? opening(node);
      return isMisspelt ? [] : [error('field-empty', at, { field: field.name, fails })];
    }
    const shape = shapeOf(field.type, field) ?? [];
    const inner = value?.type === 'array' ? itemsOf(value) : value ? [value] : [];
    return inner.flatMap((one) => (one.type === 'object' ? emptyFindings(one, shape, fails) : []));
  });
}

function isEmpty(value: Node | undefined, { type, repeated }: Field): boolean {
  if (!value || value.type === 'null') return true;
  // The check of coins names empty lists of them.
  if (repeated) return type !== 'Coin' && value.type === 'array' && itemsOf(value).length === 0;
  if (type === 'u64' || type === 'i64') return /^0+$/.test(String(value.value));
  const [empty] = enumNames(type) ?? [];
  if (empty !== undefined) return value.value === 0 || value.value === '' || value.value === empty;
  if (type === 'string') return typeof value.value === 'string' && value.value.trim() === '';
  return ['bytes', 'json'].includes(type) && value.value === '';
}

function isNamed(field: Field, name: string): boolean {
  return field.name === name || toCamel(field.name) === name;
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
    const field = known.find((one) => isNamed(one, name));
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
  if (field && enumNames(field.type) && !(field.isNeeded && isEmpty(value, field)))
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
  const fields = fieldsInside(type);
  if (type !== 'Coin' || field === undefined) return fields;
  const amount = field.repeated ? 'positive amount' : 'amount';
  return fields?.map((one) => ({ ...one, type: one.name === 'amount' ? amount : one.type, isNeeded: true }));
}

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
