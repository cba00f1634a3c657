import type { Node } from 'jsonc-parser';
import { addressFault } from '../chain/address.ts';
import { type Coin, readCoins } from '../chain/coin.ts';
import { type Field, fieldsOf, nestedFields } from '../chain/content/messageFields.ts';
import { exactJson } from '../chain/json.ts';
import { type Draft, type DraftAction, isPoolSpend, messagesOf } from './actions.ts';
import { itemsOf, member, membersOf, rawOf, textOf, toCamel } from './draftText.ts';
import { removeChild, replaceValue, setMember } from './edits.ts';
import { error, errorIf, type Finding, hint, type Repair, repair, warning } from './finding.ts';
import { type GovAge, isSince, type KnownFacts } from './knownFacts.ts';
import { fieldRepair, opening } from './textChecks.ts';

/** Whether each message names its type, and one that is a message. */
export function checkTypes(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return messagesOf(draft).flatMap((message): readonly Finding[] => {
    const type = member(message, '@type')?.value;
    if (typeof type?.value !== 'string') return [error('type-missing', type ?? opening(message), {})];
    const typeUrl: string = type.value;
    if (!typeUrl.startsWith('/'))
      return [
        error('type-form', type, { type: typeUrl }, [
          repair('slash-add', {}, replaceValue(draft, type, `/${typeUrl}`)),
        ]),
      ];
    // Contents are named so, and no message is; messages that are named otherwise stay unknown.
    if (!/^\/(cosmos|ibc)\..*\.\w+Proposal$/.test(typeUrl) || /\.Msg\w+$/.test(typeUrl)) return [];
    const { govAccount } = facts;
    const content: unknown = exactJson(rawOf(draft, message));
    const wrapped = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority: govAccount };
    const canWrap = govAccount !== undefined && content !== undefined;
    const repairs = canWrap ? [repair('wrap-legacy', {}, replaceValue(draft, message, wrapped))] : [];
    return [error('legacy-in-messages', type, { type: typeUrl }, repairs)];
  });
}

/** The field that names the signer of a message, where the type shows it. */
function signerField({ name, typeUrl, node }: DraftAction): string | undefined {
  if (member(node, 'authority')) return 'authority';
  if (typeUrl.startsWith('/ibc.') && member(node, 'signer')) return 'signer';
  if (typeUrl.startsWith('/cosmwasm.wasm.v1.') && member(node, 'sender')) return 'sender';
  return name === 'MsgSend' ? 'from_address' : undefined;
}

/** A message has one signer, and that is the gov account (x/gov/keeper/proposal.go). */
export function checkAuthority(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    const field = action.isLegacy ? undefined : signerField(action);
    const value = field && member(action.node, field)?.value;
    if (!field || !value) return missingAuthority(draft, facts, action);
    const found = typeof value.value === 'string' ? value.value : '';
    const { govAccount: expected, prefix, isProofOfAuthority } = facts;
    if (expected !== undefined) {
      if (found === expected) return [];
      const repairs = [repair('authority-from-chain', { account: expected }, replaceValue(draft, value, expected))];
      return [errorIf(!isProofOfAuthority)('authority-wrong', value, { found, expected, field }, repairs)];
    }
    return addressFault(found, prefix) ? [error('address-invalid', value, { field, prefix })] : [];
  });
}

/** Types of the SDK whose signer is `authority`, and which therefore cannot do without it. */
function missingAuthority(draft: Draft, { govAccount: expected }: KnownFacts, action: DraftAction): readonly Finding[] {
  const { node, isLegacy, name, typeUrl } = action;
  const hasAuthority =
    name === 'MsgUpdateParams' || fieldsOf(typeUrl.slice(1))?.some(({ name: field }) => field === 'authority');
  const type = member(node, '@type')?.value;
  if (isLegacy || !hasAuthority || !type || !typeUrl.startsWith('/cosmos.') || expected === undefined) return [];
  const repairs = [
    repair('authority-from-chain', { account: expected }, setMember(draft, node, 'authority', expected)),
  ];
  return [error('authority-wrong', type, { found: '', expected, field: 'authority' }, repairs)];
}

/** Who is paid: an account of this chain, and none of a module. */
export function checkRecipients(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    const field = isPoolSpend(action) ? 'recipient' : 'to_address';
    const value = isPoolSpend(action) || action.name === 'MsgSend' ? member(action.node, field)?.value : undefined;
    if (!value) return [];
    const text = typeof value.value === 'string' ? value.value : '';
    if (addressFault(text, facts.prefix)) return [error('address-invalid', value, { field, prefix: facts.prefix })];
    const module = facts.moduleAccounts?.get(text);
    return module === undefined ? [] : [warning('recipient-module', value, { module })];
  });
}

/** All spends of the draft together against what the pool holds. */
export function checkSpends(draft: Draft, { communityPool }: KnownFacts): readonly Finding[] {
  const asked = new Map<string, bigint>();
  return draft.actions.flatMap((action): readonly Finding[] => {
    const value = isPoolSpend(action) ? member(action.node, 'amount')?.value : undefined;
    const coins = value && coinsOf(value);
    if (!value || !coins || !communityPool) return [];
    for (const { denom, amount } of coins) asked.set(denom, (asked.get(denom) ?? 0n) + amount);
    const heldOf = (denom: string) => communityPool.find((coin) => coin.denom === denom)?.amount ?? 0n;
    const over = coins.find(({ denom }) => (asked.get(denom) ?? 0n) > heldOf(denom));
    if (!over) return [];
    const { denom } = over;
    const facts = { asked: { denom, amount: asked.get(denom) ?? over.amount }, held: heldOf(denom) };
    return [error('spend-over-pool', value, facts)];
  });
}

/** A payment from the account of gov, which holds the deposits of others, in place of the community pool. */
export function checkSends(draft: Draft, { govAccount }: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap(({ typeUrl, node }): readonly Finding[] => {
    if (typeUrl !== '/cosmos.bank.v1beta1.MsgSend') return [];
    const type = member(node, '@type')?.value;
    const [from, recipient] = [textOf(node, 'from_address'), textOf(node, 'to_address')];
    if (!type || from === undefined || (govAccount !== undefined && from !== govAccount)) return [];
    const amount: unknown = exactJson(rawOf(draft, member(node, 'amount')?.value ?? node));
    const spend = { '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend', authority: from, recipient, amount };
    return [warning('send-from-gov', type, {}, [repair('spend-from-pool', {}, replaceValue(draft, node, spend))])];
  });
}

function coinsOf(value: Node): readonly Coin[] | undefined {
  if (value.type === 'string') return readCoins(value.value);
  return readCoins(
    itemsOf(value).map((coin) => ({
      denom: textOf(coin, 'denom'),
      amount: String(member(coin, 'amount')?.value.value),
    })),
  );
}

/** Legacy contents that the SDK and ibc-go have no handler for any more, with the rules of gov since which that is so. */
const oldContents: ReadonlyMap<string, { readonly since: GovAge; readonly instead: string }> = new Map([
  ['/ibc.core.client.v1.ClientUpdateProposal', { since: 'expedited', instead: 'MsgRecoverClient' }],
  ['/ibc.core.client.v1.UpgradeProposal', { since: 'expedited', instead: 'MsgIBCSoftwareUpgrade' }],
  ['/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', { since: 'titles', instead: 'MsgCommunityPoolSpend' }],
]);

/** Legacy contents that have no handler since a version of the SDK; an app may have kept it. */
export function checkHandlers(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap(({ typeUrl, node, isLegacy }): readonly Finding[] => {
    const old = isLegacy ? oldContents.get(typeUrl) : undefined;
    const type = member(node, '@type')?.value ?? member(node, 'recipient')?.key;
    if (!old || !type || !isSince(facts, old.since)) return [];
    return [warning('legacy-handler', type, { type: typeUrl, instead: old.instead })];
  });
}

/** Fields of known types: names that the type does not have, texts and numbers in place of each other. */
export function checkFields(draft: Draft): readonly Finding[] {
  return draft.actions.flatMap((action) => {
    // Drafts of the command line have fields of their own.
    if (action.node === draft.root) return [];
    const known = fieldsOf(action.typeUrl.slice(1));
    return fieldFindings(draft, action.node, known ?? [], known && action.name);
  });
}

function fieldFindings(
  draft: Draft,
  node: Node,
  known: readonly Field[],
  type: string | undefined,
): readonly Finding[] {
  return membersOf(node).flatMap((found): readonly Finding[] => {
    const { name, key, value } = found;
    if (name === '@type') return [];
    const field = known.find((one) => one.name === name || toCamel(one.name) === name);
    if (type !== undefined && !field)
      return [warning('field-unknown', key, { field: name, of: type }, fieldRepair(found))];
    const inner = value.type === 'array' ? itemsOf(value) : [value];
    return inner.flatMap((one) => valueFindings(draft, one, name, field));
  });
}

function valueFindings(draft: Draft, value: Node, name: string, field: Field | undefined): readonly Finding[] {
  const coin = isCoin(value) ? 'Coin' : undefined;
  const nested = field?.type ?? coin;
  // Another action of its own, or what a contract reads.
  if (nested === 'any' || nested === 'json') return [];
  if (value.type === 'object') {
    const shape = nested === undefined ? undefined : nestedFields(nested);
    return fieldFindings(draft, value, shape ?? [], shape && nested);
  }
  if (value.type !== 'number') return [];
  if (field?.type === 'string' || field?.type === 'dec')
    return [error('field-type', value, { field: name, wanted: 'text' }, quoteRepair(draft, value))];
  return numberFinding(draft, value, name, field?.type === 'u64' || field?.type === 'i64');
}

function isCoin(value: Node): boolean {
  const names = membersOf(value).map(({ name }) => name);
  return names.length === 2 && names.includes('denom') && names.includes('amount');
}

/** A 64-bit number without quotes: nodes take it, other tools lose its digits above 2^53. */
export function numberFinding(draft: Draft, value: Node, field: string, is64Bit: boolean): readonly Finding[] {
  const isLarge = Math.abs(Number(value.value)) > Number.MAX_SAFE_INTEGER;
  if (!isLarge && !is64Bit) return [];
  const report = isLarge ? warning : hint;
  return [report('number-unquoted', value, { field, isLarge }, quoteRepair(draft, value))];
}

/** Puts a number into quotes, every digit kept. */
export function quoteRepair(draft: Draft, value: Node): readonly Repair[] {
  return [repair('quote', {}, replaceValue(draft, value, rawOf(draft, value)))];
}

/** Takes a message, or a change, out of its list where others stay. */
export function dropRepair(node: Node): readonly Repair[] {
  const others = (node.parent?.children?.length ?? 0) - 1;
  return others > 0 ? [repair('drop-unchanged', {}, removeChild(node))] : [];
}
