import type { Node } from 'jsonc-parser';
import { ownValue } from '../../../chain/fields.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { allActions, type Draft, type DraftAction, itemsOf, member, nodeAt } from '../../draftText.ts';
import { error, errorIf, type Finding } from '../../finding.ts';
import { failTime } from '../failTime.ts';
import { voteEnd } from '../upgrades/upgradeChecks.ts';
import { isLongAgo } from './timeUnits.ts';

/** Checks values of messages that depend on each other, or on the time at which the message is executed. */
export function checkValues(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return [
    ...draft.actions.flatMap((action) => accessFindings(facts, action)),
    ...allActions(draft).flatMap((action) => timeFindings(draft, facts, action)),
  ];
}

const accessPaths = ['instantiate_permission', 'new_instantiate_permission', 'params.code_upload_access'];

/** Finds an access for some addresses without any (AccessConfig.ValidateBasic, x/wasm/types/params.go of wasmd). */
function accessFindings(facts: ChainFacts, action: DraftAction): readonly Finding[] {
  if (action.package !== 'cosmwasm.wasm.v1') return [];
  return accessPaths.flatMap((path) => {
    const access = nodeAt(action.node, path);
    const permission = member(access, 'permission')?.value;
    const addresses = member(access, 'addresses')?.value;
    if (permission?.value !== 'AnyOfAddresses' || itemsOf(addresses).length > 0) return [];
    return [error('field-empty', addresses ?? permission, { field: 'addresses', fails: failTime(facts, action) })];
  });
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
