import type { Node } from 'jsonc-parser';
import { addressFault, toAccount } from '../../../chain/address.ts';
import { ownValue } from '../../../chain/fields.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { replaceValue, setMember } from '../../draftEdits.ts';
import {
  allActions,
  allMembers,
  type Draft,
  type DraftAction,
  isPoolSpend,
  itemsOf,
  type Member,
  member,
} from '../../draftText.ts';
import { error, errorIf, type Finding, repair, warning } from '../../finding.ts';
import { fieldsIn, isFieldName, signerIn } from '../fields/messageTable.ts';

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
export function checkAuthority(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    const field = action.isLegacy ? undefined : signerField(action);
    if (field === undefined) return [];
    const signers = signersOf(action, field);
    if (signers.length === 0) return missingAuthority(draft, facts, action, field);
    return signers.flatMap((value) => signerFindings(draft, facts, value, field));
  });
}

function signerFindings(draft: Draft, facts: ChainFacts, value: Node, field: string): readonly Finding[] {
  const { govAccount: expected, prefix, isProofOfAuthority } = facts;
  const found = typeof value.value === 'string' ? value.value : '';
  if (found === expected) return [];
  const account = accountOf(found);
  const fault = addressFault(account ?? found, prefix);
  if (expected === undefined) return fault ? [error('address-invalid', value, { field, fault })] : [];
  if (account === expected) return [];
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
export function misnamedSigner({ node, typeUrl, isLegacy }: DraftAction): Member | undefined {
  const field = isLegacy ? undefined : signerIn(typeUrl.slice(1));
  if (field === undefined) return undefined;
  const known = fieldsIn(typeUrl.slice(1)) ?? [];
  const isKnown = (name: string): boolean => name === field || known.some((one) => isFieldName(one, name));
  return allMembers(node).find(({ name }) => ['authority', 'signer', 'sender'].includes(name) && !isKnown(name));
}

/** Reports a signer under another name. Offers the name that the message has for it, unless it has that, too. */
export function misnamedFinding(
  draft: Draft,
  { node, name: of, typeUrl }: DraftAction,
  { name, key }: Member,
): Finding {
  const field = signerIn(typeUrl.slice(1)) ?? '';
  const meant = member(node, field) ? undefined : field;
  const repairs = meant === undefined ? [] : [repair('key-rename', { name: meant }, replaceValue(draft, key, meant))];
  return warning('field-unknown', key, { field: name, of, meant }, repairs);
}

/** Reports a message without a signer. */
function missingAuthority(draft: Draft, facts: ChainFacts, action: DraftAction, field: string): readonly Finding[] {
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
const namedAccountFields: Readonly<Record<string, readonly string[]>> = {
  'cosmos.authz.v1beta1': ['grantee'],
  'cosmos.circuit.v1': ['grantee'],
  'cosmos.distribution.v1beta1': ['withdraw_address'],
  'cosmos.feegrant.v1beta1': ['grantee'],
  'cosmos.group.v1': ['new_admin'],
  'cosmos.protocolpool.v1': ['recipient'],
  'cosmos.vesting.v1beta1': ['to_address'],
  'cosmwasm.wasm.v1': ['contract', 'new_admin', 'admin'],
};

/** Checks the other accounts that a message names. The check of fields reports empty ones. */
export function checkAccounts(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action): readonly Finding[] => {
    const { node, package: module, isLegacy } = action;
    const fields = isLegacy ? [] : (ownValue(namedAccountFields, module) ?? []);
    return fields.flatMap((field): readonly Finding[] => {
      const value = member(node, field)?.value;
      if (typeof value?.value !== 'string' || value.value === '') return [];
      // The check of recipients names those of spends.
      if (value === recipientOf(action)?.value) return [];
      const fault = addressFault(value.value, facts.prefix);
      if (fault) return [error('address-invalid', value, { field, fault })];
      return paidFields.has(field) ? moduleFindings(value, facts) : [];
    });
  });
}

/**
 * Accounts that are paid. Chains refuse those of modules (x/distribution/keeper/keeper.go, x/auth/vesting/msg_server.go,
 * x/protocolpool/keeper/msg_server.go).
 */
const paidFields: ReadonlySet<string> = new Set(['recipient', 'withdraw_address', 'to_address']);

/** Checks recipients. Each is an account of this chain, and not one of a module. */
export function checkRecipients(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action): readonly Finding[] => {
    const recipient = recipientOf(action);
    if (!recipient) return [];
    const { name: field, value } = recipient;
    const text = typeof value.value === 'string' ? value.value : '';
    const fault = addressFault(text, facts.prefix);
    if (fault) return [error('address-invalid', value, { field, fault })];
    return moduleFindings(value, facts);
  });
}

/**
 * Finds an account of a module, which apps block. The gov account is paid since SDK 0.46, in the apps of the SDK, ibc-go and
 * wasmd (BlockedAddresses in simapp/app.go, testing/simapp/app.go, app/app.go).
 */
export function moduleFindings(value: Node, facts: ChainFacts): readonly Finding[] {
  const text = String(value.value);
  const module = facts.moduleAccounts?.get(text);
  const isPaid = text === facts.govAccount && isSince(facts, 'messages') !== false;
  return module === undefined || isPaid ? [] : [warning('recipient-module', value, { module })];
}

/** The field of an action with the account that it pays. */
export function recipientOf(action: DraftAction): Member | undefined {
  if (isPoolSpend(action)) return member(action.node, 'recipient');
  return action.name === 'MsgSend' ? member(action.node, 'to_address') : undefined;
}
