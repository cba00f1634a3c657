import type { Node } from 'jsonc-parser';
import { ownValue } from '../../../chain/fields.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import { allActions, type Draft, type DraftAction, itemsOf, member, nodeAt } from '../../draftText.ts';
import { error, errorIf, type Finding, repair } from '../../finding.ts';
import { type FailTime, failTime } from '../failTime.ts';
import { oldAccess } from '../fields/enumNames.ts';
import { voteEnd } from '../upgrades/upgradeChecks.ts';
import { isLongAgo } from './timeUnits.ts';

/** Checks values of messages that depend on each other, or on the time at which the message is executed. */
export function checkValues(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return [
    ...draft.actions.flatMap((action) => accessFindings(draft, facts, action)),
    ...allActions(draft).flatMap((action) => timeFindings(draft, facts, action)),
  ];
}

const accessPaths = ['instantiate_permission', 'new_instantiate_permission', 'params.code_upload_access'];

/** An access of CosmWasm. The default of the parameters has no addresses. */
interface Access {
  readonly permission: Node | undefined;
  readonly addresses?: Node | undefined;
  readonly isDefault?: boolean;
}

function accessesIn({ node }: DraftAction): readonly Access[] {
  const updates = itemsOf(member(node, 'access_config_updates')?.value);
  const accesses = [
    ...accessPaths.map((path) => nodeAt(node, path)),
    ...updates.map((update) => member(update, 'instantiate_permission')?.value),
  ];
  return [
    { permission: nodeAt(node, 'params.instantiate_default_permission'), isDefault: true },
    ...accesses.map((access) => {
      return { permission: member(access, 'permission')?.value, addresses: member(access, 'addresses')?.value };
    }),
  ];
}

/**
 * Finds an access for some addresses without any, and one that wasmd no longer has (AccessConfig.ValidateBasic,
 * x/wasm/types/params.go of wasmd).
 */
function accessFindings(draft: Draft, facts: ChainFacts, action: DraftAction): readonly Finding[] {
  if (action.package !== 'cosmwasm.wasm.v1') return [];
  const fails = failTime(facts, action);
  return accessesIn(action).flatMap(({ permission, addresses, isDefault }) => {
    if (!permission) return [];
    const isListed = itemsOf(addresses).length > 0;
    if (permission.value === oldAccess) return oldFindings(draft, facts, permission, isListed, fails);
    const lacks = permission.value === 'AnyOfAddresses' && !isListed && !isDefault;
    return lacks ? [error('field-empty', addresses ?? permission, { field: 'addresses', fails })] : [];
  });
}

/** The access for one address: wasmd 0.31 (SDK 0.45) has it, 0.41 (SDK 0.47) does not. */
function oldFindings(
  draft: Draft,
  facts: ChainFacts,
  permission: Node,
  isListed: boolean,
  fails: FailTime,
): readonly Finding[] {
  const isGone = isSince(facts, 'titles');
  if (isGone === false) return [];
  const meant = 'AnyOfAddresses';
  const repairs = isListed
    ? [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, permission, meant))]
    : [];
  const details = { fault: 'oldAccess', isGone: isGone === true, fails } as const;
  return [errorIf(isGone === true)('message-value', permission, details, repairs)];
}

/** The times that messages and allowances name, by their full type. */
const times: Readonly<Record<string, string>> = {
  '/cosmos.authz.v1beta1.MsgGrant': 'grant.expiration',
  '/cosmos.feegrant.v1beta1.BasicAllowance': 'expiration',
  '/cosmos.feegrant.v1beta1.PeriodicAllowance': 'basic.expiration',
  '/cosmos.protocolpool.v1.MsgCreateContinuousFund': 'expiry',
  '/cosmos.vesting.v1beta1.MsgCreateVestingAccount': 'end_time',
};

/** Finds times that pass before the message is executed. A grant, a fund or an allowance is refused then. */
function timeFindings(draft: Draft, facts: ChainFacts, { node, typeUrl }: DraftAction): readonly Finding[] {
  const path = ownValue(times, typeUrl);
  const value = path === undefined ? undefined : nodeAt(node, path);
  const [time, end] = [value && momentIn(value), voteEnd(draft, facts)];
  if (!value || !time || !end || !facts.time || time > end || isLongAgo(String(value.value))) return [];
  const field = path?.split('.').at(-1) ?? '';
  const isCertain = time <= facts.time && field !== 'end_time';
  return [errorIf(isCertain)('time-early', value, { field, time, end })];
}

/** Reads an RFC 3339 time, or seconds since 1970. Undefined for other values, and for 0. */
function momentIn({ value }: Node): Date | undefined {
  const text = String(value);
  const isSeconds = /^[1-9]\d{0,11}$/.test(text);
  if (!isSeconds && !/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  const time = isSeconds ? new Date(Number(text) * 1000) : new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
