import type { Node } from 'jsonc-parser';
import { onceFor } from '../../../api/sharing.ts';
import { closestName } from '../../../chain/closestName.ts';
import { isFields } from '../../../chain/fields.ts';
import { exactJson } from '../../../chain/json.ts';
import { type ChainFacts, type GovAge, isSince } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import {
  allActions,
  type Draft,
  type DraftAction,
  exactValue,
  type InnerAction,
  type InnerKind,
  itemsOf,
  member,
  messagesOf,
  nodeAt,
  textOf,
} from '../../draftText.ts';
import { error, errorIf, type Finding, hint, repair, warning } from '../../finding.ts';
import { opening } from '../file/formChecks.ts';
import { closestType, isKnownType, isWholePackage, namesOfKind, packageOf, stemOf } from './messageTable.ts';

/**
 * Checks that each message names a type, and that the type is a message. The values inside of messages have types, too: a
 * node cannot read them otherwise (codec/types/interface_registry.go, Resolve).
 */
export function checkTypes(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return [...messagesOf(draft), ...draft.inner.map(({ node }) => node)].flatMap((message): readonly Finding[] => {
    const type = member(message, '@type')?.value;
    if (typeof type?.value !== 'string') return [untypedFinding(draft, message)];
    const typeUrl: string = type.value;
    if (!typeUrl.startsWith('/')) return [slashFinding(draft, type, true)];
    // Contents have such names, and messages do not. A message with any other name stays unknown.
    if (!/^\/(cosmos|ibc|cosmwasm)\..*\.\w+Proposal$/.test(typeUrl) || /\.Msg\w+$/.test(typeUrl)) return [];
    const { govAccount } = facts;
    const content: unknown = exactValue(draft, message);
    const wrapped = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority: govAccount };
    const canWrap = govAccount !== undefined && content !== undefined;
    const repairs = canWrap ? [repair('wrap-legacy', {}, replaceValue(draft, message, wrapped))] : [];
    return [error('legacy-in-messages', type, { type: typeUrl }, repairs)];
  });
}

/** Reports a message without a type. Offers the JSON of a text, and that of Amino stays: its types have other names. */
function untypedFinding(draft: Draft, message: Node): Finding {
  if (message.type === 'object') {
    const isAmino = textOf(message, 'type') !== undefined && member(message, 'value')?.value.type === 'object';
    const at = member(message, '@type')?.value ?? opening(message);
    return error('type-missing', at, { form: isAmino ? 'amino' : 'object' });
  }
  const meant = typeof message.value === 'string' ? exactJson(message.value) : undefined;
  if (!isFields(meant)) return error('type-missing', message, { form: 'value' });
  const repairs = [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, message, meant))];
  return error('type-missing', message, { form: 'text' }, repairs);
}

function slashFinding(draft: Draft, at: Node, isCertain: boolean): Finding {
  const type = String(at.value);
  const repairs = [repair('slash-add', {}, replaceValue(draft, at, `/${type}`))];
  return errorIf(isCertain)('type-form', at, { type }, repairs);
}

/**
 * Checks for types that the chain may not have. An error if the chain lists its types without this one. A warning if
 * all types of the package are in our table. Otherwise a hint.
 */
export function checkTypeNames(draft: Draft, facts: ChainFacts): readonly Finding[] {
  // A draft may have one type many times.
  const closestTo = onceFor(closestType);
  return allActions(draft).flatMap((action): readonly Finding[] => {
    const { node, typeUrl, isLegacy, name } = action;
    const at = member(node, '@type')?.value;
    if (!at || !typeUrl.startsWith('/')) return [];
    if ('kind' in action && action.kind !== 'message') return grantedFindings(draft, action, action.kind, at);
    if (isLegacy && isMessage(typeUrl))
      return [error('type-unknown', at, { type: typeUrl, meant: undefined, isListed: false, use: 'content' })];
    const absent = absentModule(action, facts);
    if (absent !== undefined)
      return [
        error('type-unknown', at, { type: typeUrl, meant: undefined, isListed: true, use: 'absent', module: absent }),
      ];
    const listed = isLegacy ? undefined : facts.messageTypes;
    const isOwn = listed === undefined && name === 'MsgUpdateParams' && isOwnModule(action, facts, closestTo);
    return isOwn ? [] : typeFindings(draft, at, typeUrl, { listed, isNamed: false, closestTo });
  });
}

/**
 * The modules of packages whose state is always exported, also if it is empty (ExportGenesis in x/\*\/module.go,
 * modules/\*\/module.go of cosmos/ibc-go, x/wasm/module.go of CosmWasm/wasmd).
 */
const exporting: ReadonlyMap<string, string> = new Map([
  ['cosmos.authz.v1beta1', 'authz'],
  ['cosmos.circuit.v1', 'circuit'],
  ['cosmos.crisis.v1beta1', 'crisis'],
  ['cosmos.evidence.v1beta1', 'evidence'],
  ['cosmos.feegrant.v1beta1', 'feegrant'],
  ['cosmos.group.v1', 'group'],
  ['cosmos.mint.v1beta1', 'mint'],
  ['cosmos.nft.v1beta1', 'nft'],
  ['cosmos.protocolpool.v1', 'protocolpool'],
  ['cosmos.slashing.v1beta1', 'slashing'],
  ['cosmwasm.wasm.v1', 'wasm'],
  ['ibc.applications.fee.v1', 'feeibc'],
  ['ibc.applications.interchain_accounts.controller.v1', 'interchainaccounts'],
  ['ibc.applications.interchain_accounts.host.v1', 'interchainaccounts'],
  ['ibc.applications.transfer.v1', 'transfer'],
  ['ibc.core.channel.v1', 'ibc'],
  ['ibc.core.client.v1', 'ibc'],
  ['ibc.core.connection.v1', 'ibc'],
]);

/** The module of an action that the chain does not have. Undefined where that is not known. */
function absentModule({ package: own }: DraftAction, { heldModules }: ChainFacts): string | undefined {
  const module = exporting.get(own);
  return module === undefined || heldModules?.has(module) !== false ? undefined : module;
}

/** Whether a type is known, and is a message. A content is of another interface (x/gov/types/v1/msgs.go, UnpackInterfaces). */
function isMessage(typeUrl: string): boolean {
  return /\.Msg\w+$/.test(typeUrl) && isKnownType(typeUrl.slice(1));
}

type ClosestTo = typeof closestType;

/**
 * Whether a message of parameters may be that of a module of the app: a node has such parameters, or no package has a
 * similar name. A state has its modules without the versions of their packages.
 */
function isOwnModule(
  { typeUrl, package: module }: DraftAction,
  { moduleParams, isState }: ChainFacts,
  closestTo: ClosestTo,
): boolean {
  if (isKnownType(typeUrl.slice(1))) return true;
  const meant = closestTo(typeUrl.slice(1));
  const isOtherVersion = meant !== undefined && stemOf(packageOf(meant)) === stemOf(module);
  return meant === undefined || (moduleParams.has(module) && !(isState && isOtherVersion));
}

interface TypeSearch {
  /** The types that the chain lists. */
  readonly listed: ReadonlySet<string> | undefined;
  /** Whether the value names the type of other messages. */
  readonly isNamed: boolean;
  readonly closestTo: ClosestTo;
}

/** Reports a type of a message that is not known. */
function typeFindings(
  draft: Draft,
  at: Node,
  typeUrl: string,
  { listed, isNamed, closestTo }: TypeSearch,
): readonly Finding[] {
  const typeName = typeUrl.slice(1);
  if (listed ? listed.has(typeUrl) : isKnownType(typeName)) return [];
  const closest = closestTo(typeName);
  const meant = closest === undefined || (listed && !listed.has(`/${closest}`)) ? undefined : `/${closest}`;
  const repairs = meant === undefined ? [] : [repair('type-rename', { type: meant }, replaceValue(draft, at, meant))];
  const isLikely = meant !== undefined || isWholePackage(packageOf(typeName));
  // The fields of a type that is named alone are of no account.
  if (isNamed && !listed && !isLikely) return [];
  const report = listed ? error : isLikely ? warning : hint;
  const use = isNamed ? 'named' : 'message';
  return [report('type-unknown', at, { type: typeUrl, meant, isListed: listed !== undefined, use }, repairs)];
}

/** Checks the type of an authorization, fee allowance or evidence. Modules of an app may have their own. */
function grantedFindings(
  draft: Draft,
  { typeUrl }: InnerAction,
  kind: Exclude<InnerKind, 'message'>,
  at: Node,
): readonly Finding[] {
  const names = namesOfKind(kind);
  const typeName = typeUrl.slice(1);
  if (names.includes(typeName)) return [];
  const isMessage = isKnownType(typeName);
  const own = isMessage ? names[0] : closestName(typeName, names);
  const meant = own === undefined ? undefined : `/${own}`;
  const repairs =
    meant === undefined || isMessage ? [] : [repair('type-rename', { type: meant }, replaceValue(draft, at, meant))];
  const report = isMessage ? error : meant === undefined ? hint : warning;
  const use = isMessage ? 'misplaced' : 'message';
  return [report('type-unknown', at, { type: typeUrl, meant, isListed: false, use }, repairs)];
}

/** A field with the types of other messages. */
interface NamingField {
  readonly path: string;
  /** Whether some versions of the module add a slash that is missing. */
  readonly addsSlash?: boolean;
}

/**
 * Fields that name types of messages, by the full type. Sources: x/authz/keeper/msg_server.go, x/circuit/keeper/msg_server.go
 * and types/permission.go, x/feegrant/filtered_fee.go, modules/apps/27-interchain-accounts/host of cosmos/ibc-go.
 */
const naming: ReadonlyMap<string, NamingField> = new Map([
  ['/cosmos.authz.v1beta1.GenericAuthorization', { path: 'msg' }],
  ['/cosmos.authz.v1beta1.MsgRevoke', { path: 'msg_type_url' }],
  ['/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker', { path: 'permissions.limit_type_urls', addsSlash: true }],
  ['/cosmos.circuit.v1.MsgResetCircuitBreaker', { path: 'msg_type_urls' }],
  ['/cosmos.circuit.v1.MsgTripCircuitBreaker', { path: 'msg_type_urls' }],
  ['/cosmos.feegrant.v1beta1.AllowedMsgAllowance', { path: 'allowed_messages' }],
  ['/ibc.applications.interchain_accounts.host.v1.MsgUpdateParams', { path: 'params.allow_messages' }],
]);

/** Checks types that messages name. They are compared as they stand, so that a misspelt one grants or stops nothing. */
export function checkNamedTypes(draft: Draft, { messageTypes }: ChainFacts): readonly Finding[] {
  const closestTo = onceFor(closestType);
  return allActions(draft).flatMap(({ typeUrl, node }: DraftAction): readonly Finding[] => {
    const field = naming.get(typeUrl);
    const value = field && nodeAt(node, field.path);
    if (!value) return [];
    const types = value.type === 'array' ? itemsOf(value) : [value];
    return types.flatMap((type) => {
      const text: unknown = type.value;
      // The check of fields names blank ones. A star stands for all messages.
      if (typeof text !== 'string' || text.trim() === '' || text === '*') return [];
      if (!text.startsWith('/')) return [slashFinding(draft, type, field.addsSlash !== true)];
      return typeFindings(draft, type, text, { listed: messageTypes, isNamed: true, closestTo });
    });
  });
}

/** Legacy contents that the SDK and ibc-go no longer handle, and the gov age since which this is so. */
const oldContents: ReadonlyMap<string, { readonly since: GovAge; readonly instead: string }> = new Map([
  ['/ibc.core.client.v1.ClientUpdateProposal', { since: 'expedited', instead: 'MsgRecoverClient' }],
  ['/ibc.core.client.v1.UpgradeProposal', { since: 'expedited', instead: 'MsgIBCSoftwareUpgrade' }],
  ['/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', { since: 'titles', instead: 'MsgCommunityPoolSpend' }],
]);

/** Checks for legacy contents that the SDK no longer handles. An app may still handle them. */
export function checkHandlers(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap(({ typeUrl, node, isLegacy }): readonly Finding[] => {
    const old = isLegacy ? oldContents.get(typeUrl) : undefined;
    const type = member(node, '@type')?.value ?? member(node, 'recipient')?.key;
    if (!old || !type || !isSince(facts, old.since)) return [];
    return [warning('legacy-handler', type, { type: typeUrl, instead: old.instead })];
  });
}
