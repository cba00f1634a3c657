import type { Node } from 'jsonc-parser';
import { isFields } from '../api/wireValues.ts';
import { addressFault } from '../chain/address.ts';
import { type Coin, readCoins } from '../chain/coin.ts';
import { type Field, fieldsOf, nestedFields } from '../chain/content/messageFields.ts';
import { exactJson, parseJson } from '../chain/text.ts';
import {
  type Draft,
  type DraftAction,
  isPoolSpend,
  isUpgrade,
  itemsOf,
  member,
  membersOf,
  messagesOf,
  rawOf,
  textOf,
  toCamel,
} from './draftText.ts';
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
} from './finding.ts';
import { isExpeditedDraft, opening, unknownField } from './formChecks.ts';
import { type GovAge, isSince, type KnownFacts } from './knownFacts.ts';

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
  const held = communityPool && new Map(communityPool.map(({ denom, amount }) => [denom, amount] as const));
  return draft.actions.flatMap((action): readonly Finding[] => {
    const value = isPoolSpend(action) ? member(action.node, 'amount')?.value : undefined;
    const coins = value && coinsOf(value);
    if (!value || !coins || !held) return [];
    for (const { denom, amount } of coins) asked.set(denom, (asked.get(denom) ?? 0n) + amount);
    const heldOf = (denom: string): bigint => held.get(denom) ?? 0n;
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

/** Whether the fields of an action are known to a table; forms of the command line and parameters are held to something else. */
export function hasFieldTable(draft: Draft, { node, name, typeUrl }: DraftAction): boolean {
  return node === draft.root || name === 'MsgUpdateParams' || fieldsOf(typeUrl.slice(1)) !== undefined;
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
    const { name, value } = found;
    if (name === '@type') return [];
    const field = known.find((one) => one.name === name || toCamel(one.name) === name);
    if (type !== undefined && !field)
      return [
        unknownField(
          draft,
          found,
          type,
          known.map((one) => one.name),
        ),
      ];
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

const day = 86_400_000;

/** The plan of an upgrade: x/upgrade/types/plan.go and keeper.ScheduleUpgrade, which look at it when the vote is over. */
export function checkUpgrades(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    if (!isUpgrade(action)) return [];
    const plan = member(action.node, 'plan');
    const at = plan?.value ?? member(action.node, '@type')?.value ?? action.node;
    const name = member(plan?.value, 'name')?.value;
    const time = member(plan?.value, 'time')?.value;
    const isTimed = typeof time?.value === 'string' && !/^(0001-01-01T00:00:00Z)?$/.test(time.value);
    return [
      ...(typeof name?.value === 'string' && name.value !== ''
        ? []
        : [error('upgrade-plan', name ?? at, { field: 'name' })]),
      ...(time && isTimed ? [error('upgrade-plan', time, { field: 'time' })] : []),
      ...checkHeight(draft, facts, action),
      ...checkApplied(facts, name),
      ...checkInfo(member(plan?.value, 'info')?.value),
    ];
  });
}

function checkHeight(draft: Draft, facts: KnownFacts, action: DraftAction): readonly Finding[] {
  const plan = member(action.node, 'plan')?.value;
  const value = member(plan, 'height')?.value;
  const asked = /^\d{1,19}$/.test(String(value?.value)) ? BigInt(String(value?.value)) : 0n;
  const repairs = [safeHeightRepair(draft, facts, action)].filter((one) => one !== undefined);
  if (!value || asked === 0n) {
    const at = value ?? plan ?? member(action.node, '@type')?.value ?? action.node;
    return [error('upgrade-plan', at, { field: 'height' }, repairs)];
  }
  const { height, blockSeconds } = facts;
  if (height === undefined) return [];
  if (asked <= height) return [error('upgrade-height-past', value, { asked, height }, repairs)];
  const end = voteEnd(draft, facts);
  const earliest = end && heightAt(facts, end);
  if (blockSeconds === undefined || earliest === undefined || asked >= earliest) return [];
  return [warning('upgrade-height-early', value, { asked, earliest, blockSeconds }, repairs)];
}

/** When a vote that begins at the last block would be over; undefined where its period is not known. */
export function voteEnd(draft: Draft, { time, govParams }: KnownFacts): Date | undefined {
  const seconds = isExpeditedDraft(draft) ? govParams?.expeditedVotingPeriod : govParams?.votingPeriod;
  return time && seconds !== undefined ? new Date(time.getTime() + seconds * 1000) : undefined;
}

/** The block that is expected at a time of the future, by the measured time of a block. */
export function heightAt({ height, time, blockSeconds }: KnownFacts, when: Date): bigint | undefined {
  if (height === undefined || time === undefined || !blockSeconds) return undefined;
  const blocks = Math.ceil((when.getTime() - time.getTime()) / 1000 / blockSeconds);
  return blocks > 0 ? height + BigInt(blocks) : undefined;
}

/** Sets the height of an upgrade to the block that is expected at a time; undefined where nothing tells which that is. */
export function heightRepair(draft: Draft, facts: KnownFacts, action: DraftAction, time: Date): Repair | undefined {
  const height = heightAt(facts, time);
  const value = member(member(action.node, 'plan')?.value, 'height')?.value;
  if (height === undefined || !value) return undefined;
  return repair('height-at-time', { height, time }, replaceValue(draft, value, String(height)));
}

/** A day after the end of a vote that begins now. */
function safeHeightRepair(draft: Draft, facts: KnownFacts, action: DraftAction): Repair | undefined {
  const end = voteEnd(draft, facts);
  return end && heightRepair(draft, facts, action, new Date(end.getTime() + day));
}

function checkApplied({ appliedPlans }: KnownFacts, name: Node | undefined): readonly Finding[] {
  const text: unknown = name?.value;
  const height = typeof text === 'string' ? (appliedPlans.get(text) ?? 0n) : 0n;
  return name && typeof text === 'string' && height > 0n
    ? [error('upgrade-applied', name, { name: text, height })]
    : [];
}

/** `info` as cosmovisor reads it: JSON with addresses of binaries, or one address; each with a checksum. */
function checkInfo(value: Node | undefined): readonly Finding[] {
  const text: unknown = value?.value;
  if (!value || typeof text !== 'string') return [];
  const trimmed = text.trim();
  if (/^https?:\/\/\S+$/.test(trimmed))
    return hasChecksum(trimmed) ? [] : [warning('upgrade-info', value, { fault: 'checksum' })];
  if (!trimmed.startsWith('{')) return [];
  const info = parseJson(trimmed);
  if (!isFields(info)) return [warning('upgrade-info', value, { fault: 'json' })];
  const urls = isFields(info.binaries) ? Object.values(info.binaries) : [];
  const isGood = urls.every((url) => typeof url === 'string' && hasChecksum(url));
  return isGood ? [] : [warning('upgrade-info', value, { fault: 'checksum' })];
}

const checksumDigits: Readonly<Record<string, number>> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 };

/** `checksum=sha256:…` with all its digits, without the kind, or read from a file (github.com/hashicorp/go-getter). */
function hasChecksum(url: string): boolean {
  const [, kind, digits = ''] = /[?&]checksum=(?:([a-z0-9]+):)?([^&]+)/.exec(url) ?? [];
  if (kind === 'file') return true;
  const lengths = kind === undefined ? Object.values(checksumDigits) : [checksumDigits[kind]];
  return /^[0-9a-f]+$/i.test(digits) && lengths.includes(digits.length);
}
