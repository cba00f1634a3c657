import type { Node } from 'jsonc-parser';
import { ownValue } from '../../../chain/fields.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { replaceValue, setMember } from '../../draftEdits.ts';
import { allActions, type Draft, member, nodeAt } from '../../draftText.ts';
import { error, errorIf, type Finding, type Repair, repair, warning } from '../../finding.ts';
import { type FailTime, failTime } from '../failTime.ts';
import { opening } from '../file/formChecks.ts';
import { keepsTo, type ParamLimit } from '../params/paramRules.ts';

/** The values that a message accepts for one of its fields. */
type FieldLimit =
  | (ParamLimit & { readonly isNeeded?: boolean })
  /** One value alone: the name of an enum with its number, or "". A field that is absent is "", or the first name. */
  | { readonly kind: 'only'; readonly value: string; readonly number?: number }
  /** Text of at most so many bytes, and with `isTrimmed` without white space around it. */
  | { readonly kind: 'bytes'; readonly most: number; readonly isTrimmed?: boolean };

const share: FieldLimit = { kind: 'share', isPositive: false };
const neededShare: FieldLimit = { kind: 'share', isPositive: true, isNeeded: true };
const none: FieldLimit = { kind: 'only', value: '' };
const shortText: FieldLimit = { kind: 'bytes', most: 128, isTrimmed: true };
const label: Readonly<Record<string, FieldLimit>> = { label: shortText };
const windows: Readonly<Record<string, FieldLimit>> = { 'windows.voting_period': { kind: 'period' } };
const metadata: FieldLimit = { kind: 'bytes', most: 255 };
const time: FieldLimit = { kind: 'whole', min: 1n, max: 2n ** 63n - 1n, isNeeded: true };

/**
 * Limits of single fields, by the full type and by the path of the field. Sources: x/protocolpool/types/types.go,
 * x/staking/keeper/msg_server.go, x/group/types.go and config.go, x/feegrant/periodic_fee.go,
 * x/auth/vesting/msg_server.go; modules/core/{03-connection,04-channel}/types/msgs.go and
 * modules/apps/transfer/types/msgs.go of cosmos/ibc-go; x/wasm/types/validation.go of CosmWasm/wasmd (ValidateLabel).
 */
const limits: Readonly<Record<string, Readonly<Record<string, FieldLimit>>>> = {
  '/cosmos.feegrant.v1beta1.PeriodicAllowance': { period: { kind: 'period', mayBeZero: true } },
  '/cosmos.group.v1.MsgCreateGroup': { metadata },
  '/cosmos.group.v1.MsgCreateGroupPolicy': { metadata },
  '/cosmos.group.v1.MsgCreateGroupWithPolicy': { group_metadata: metadata, group_policy_metadata: metadata },
  '/cosmos.group.v1.MsgUpdateGroupMetadata': { metadata },
  '/cosmos.group.v1.MsgUpdateGroupPolicyMetadata': { metadata },
  '/cosmos.group.v1.PercentageDecisionPolicy': { percentage: { kind: 'share', isPositive: true }, ...windows },
  '/cosmos.group.v1.ThresholdDecisionPolicy': { threshold: { kind: 'weight', isPositive: true }, ...windows },
  '/cosmos.protocolpool.v1.MsgCreateContinuousFund': { percentage: neededShare },
  '/cosmos.staking.v1beta1.MsgEditValidator': { commission_rate: share },
  '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount': { start_time: time },
  '/cosmos.vesting.v1beta1.MsgCreateVestingAccount': { end_time: time },
  '/cosmwasm.wasm.v1.InstantiateContract2Proposal': label,
  '/cosmwasm.wasm.v1.InstantiateContractProposal': label,
  '/cosmwasm.wasm.v1.MsgInstantiateContract': label,
  '/cosmwasm.wasm.v1.MsgInstantiateContract2': label,
  '/cosmwasm.wasm.v1.MsgStoreAndInstantiateContract': label,
  '/cosmwasm.wasm.v1.MsgUpdateContractLabel': { new_label: shortText },
  '/cosmwasm.wasm.v1.StoreAndInstantiateContractProposal': label,
  '/ibc.applications.transfer.v1.MsgTransfer': {
    receiver: { kind: 'bytes', most: 2048 },
    memo: { kind: 'bytes', most: 32_768 },
  },
  '/ibc.core.channel.v1.MsgChannelOpenInit': {
    'channel.state': { kind: 'only', value: 'STATE_INIT', number: 1 },
    'channel.counterparty.channel_id': none,
  },
  '/ibc.core.channel.v1.MsgChannelOpenTry': {
    previous_channel_id: none,
    'channel.state': { kind: 'only', value: 'STATE_TRYOPEN', number: 2 },
  },
  '/ibc.core.connection.v1.MsgConnectionOpenInit': { 'counterparty.connection_id': none },
  '/ibc.core.connection.v1.MsgConnectionOpenTry': { previous_connection_id: none },
};

/** A field of a message, with what is needed to judge it. */
interface Checked {
  readonly draft: Draft;
  readonly facts: ChainFacts;
  readonly path: string;
  readonly message: Node;
  readonly fails: FailTime;
}

/** Checks single fields of messages and contents, whatever the chain holds. */
export function checkFieldLimits(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action) => {
    const own = ownValue(limits, action.typeUrl) ?? {};
    const fails = failTime(facts, action);
    return Object.entries(own).flatMap(([path, limit]) =>
      fieldFindings({ draft, facts, path, message: action.node, fails }, limit),
    );
  });
}

function fieldFindings(checked: Checked, limit: FieldLimit): readonly Finding[] {
  const value = nodeAt(checked.message, checked.path);
  if (limit.kind === 'only') return onlyFindings(checked, value, limit);
  if (limit.kind === 'bytes') return value ? textFindings(checked, value, limit) : [];
  const { path: field, fails, facts } = checked;
  if (!value || value.type === 'null')
    return limit.isNeeded ? [error('message-value', placeOf(checked), { fault: 'limit', field, limit, fails })] : [];
  // The check of fields names values of another form.
  if (keepsTo(limit, value.value, facts.prefix) !== false) return [];
  return [error('message-value', value, { fault: 'limit', field, limit, fails })];
}

function onlyFindings(
  checked: Checked,
  found: Node | undefined,
  { value, number }: Extract<FieldLimit, { kind: 'only' }>,
): readonly Finding[] {
  const { draft, path, message, fails } = checked;
  const given: unknown = found?.value ?? '';
  // An object, or a list, is of another form.
  if (given === value || given === number || found?.children) return [];
  const field = path.split('.').at(-1) ?? path;
  const object = parentOf(message, path);
  // A message without the object is one without all that it needs.
  if (!object) return [];
  const repairs = [repair('convert', { value: JSON.stringify(value) }, setMember(draft, object, field, value))];
  return [error('message-value', found ?? placeOf(checked), { fault: 'only', field, wanted: value, fails }, repairs)];
}

function textFindings(
  checked: Checked,
  value: Node,
  { most, isTrimmed }: Extract<FieldLimit, { kind: 'bytes' }>,
): readonly Finding[] {
  const spaces = isTrimmed ? spaceFindings(checked, value) : [];
  const bytes = typeof value.value === 'string' ? new TextEncoder().encode(value.value).length : 0;
  return bytes > most
    ? [...spaces, warning('message-value', value, { fault: 'long', field: checked.path, bytes, most })]
    : spaces;
}

/** Old versions, up to wasmd 0.31 on SDK 0.45, took white space around a label. */
function spaceFindings({ draft, facts, path: field, fails }: Checked, value: Node): readonly Finding[] {
  const text: unknown = value.value;
  const isRefused = isSince(facts, 'titles');
  // The check of fields names blank ones.
  if (typeof text !== 'string' || text.trim() === '' || text === text.trim() || isRefused === false) return [];
  const meant = text.trim();
  const repairs: readonly Repair[] = [
    repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, value, meant)),
  ];
  return [errorIf(isRefused === true)('message-value', value, { fault: 'spaces', field, fails }, repairs)];
}

function parentOf(message: Node, path: string): Node | undefined {
  const steps = path.split('.').slice(0, -1);
  return steps.length === 0 ? message : nodeAt(message, steps.join('.'));
}

/** The place of a field that is absent: its object, or the type of the message. */
function placeOf({ message, path }: Checked): Node | ReturnType<typeof opening> {
  const parent = parentOf(message, path) ?? message;
  return member(parent, '@type')?.value ?? opening(parent);
}
