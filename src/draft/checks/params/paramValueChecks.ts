import type { Node } from 'jsonc-parser';
import { readCoins } from '../../../chain/coin.ts';
import { isFields, valueAt } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { type Draft, type DraftAction, exactValue, legacyChanges, member, nodeAt } from '../../draftText.ts';
import { error, type Finding, type Repair, warning } from '../../finding.ts';
import { failTime } from '../failTime.ts';
import { sortRepair } from '../payments/spendChecks.ts';
import { heightAt, voteEnd } from '../upgrades/upgradeChecks.ts';
import { legacyJson } from './legacyParamChecks.ts';
import { isInOrder, isReadable, keepsTo, legacyLimits, type ParamLimit, rulesOf } from './paramRules.ts';
import { isToday, paramsNode } from './paramsChecks.ts';

/**
 * Checks for values that a module refuses when the proposal is executed, each by itself and compared with the others.
 */
export function checkParamValues(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action) => {
    if (action.name !== 'MsgUpdateParams') return legacyValues(draft, facts, action);
    const object = paramsNode(action);
    if (object?.type !== 'object') return [];
    return [
      ...limitFindings(draft, facts, action, object),
      ...orderFindings(draft, facts, action, object),
      ...(action.package === 'cosmos.consensus.v1' ? voteExtensionFindings(draft, facts, object) : []),
    ];
  });
}

function limitFindings(draft: Draft, facts: ChainFacts, action: DraftAction, object: Node): readonly Finding[] {
  const { package: module } = action;
  const isTypeChecked = facts.moduleParams.has(module);
  return Object.entries(rulesOf(module).limits).flatMap(([field, limit]): readonly Finding[] => {
    const node = nodeAt(object, field);
    if (!node || node.type === 'null') return [];
    const isKept = keepsTo(limit, exactValue(draft, node), facts.prefix);
    const isOtherType = isKept === undefined && isTypeChecked && limit.kind !== 'coins' && limit.kind !== 'coin';
    if (isKept || isOtherType) return [];
    // A value that cannot be read ends the transaction.
    const isRead = isKept !== undefined && isReadable(limit, exactValue(draft, node));
    const fails = isRead ? failTime(facts, action) : 'submission';
    return [error('param-value', node, { field, limit, fails }, orderRepairs(draft, node, limit))];
  });
}

/** Sorts coins that would be taken in the order of their denoms. */
function orderRepairs(draft: Draft, node: Node, limit: ParamLimit): readonly Repair[] {
  const coins = limit.kind === 'coins' ? readCoins(exactValue(draft, node)) : undefined;
  const sorted = coins?.toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
  const isTaken =
    sorted &&
    keepsTo(
      limit,
      sorted.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
    );
  return isTaken ? sortRepair(draft, node) : [];
}

function orderFindings(draft: Draft, facts: ChainFacts, action: DraftAction, object: Node): readonly Finding[] {
  const { package: module } = action;
  const today = facts.moduleParams.get(module);
  const { limits, orders = [] } = rulesOf(module);
  return orders.flatMap((order): readonly Finding[] => {
    const [larger, smaller] = [nodeAt(object, order.larger), nodeAt(object, order.smaller)];
    const limit = limits[order.larger];
    if (!larger || !smaller || !limit) return [];
    const read = (node: Node): unknown => exactValue(draft, node);
    if (isInOrder(limit, order, read(larger), read(smaller)) !== false) return [];
    // Reports the parameter that was changed, not the one that is as today.
    const isLargerToday = today !== undefined && isToday(draft, larger, valueAt(today, order.larger));
    return [error('param-order', isLargerToday ? smaller : larger, { ...order, fails: failTime(facts, action) })];
  });
}

/** Checks the height of vote extensions, as ValidateUpdate of CometBFT 0.38 (types/params.go). */
function voteExtensionFindings(draft: Draft, facts: ChainFacts, object: Node): readonly Finding[] {
  const node = nodeAt(object, 'abci.vote_extensions_enable_height');
  const today = facts.moduleParams.get('cosmos.consensus.v1');
  const enabled = heightOf(isFields(today?.abci) ? today.abci.vote_extensions_enable_height : undefined) ?? 0n;
  const asked = heightOf(node?.value);
  const { height } = facts;
  if (!node || asked === undefined || asked === enabled) return [];
  if (asked < 0n) return [error('vote-extensions', node, { fault: 'negative' })];
  if (height === undefined) return [];
  if (enabled > 0n && enabled <= height) return [error('vote-extensions', node, { fault: 'enabled', enabled })];
  if (asked === 0n) return [];
  if (asked <= height) return [error('vote-extensions', node, { fault: 'past', height })];
  const end = voteEnd(draft, facts);
  const earliest = end && heightAt(facts, end);
  return earliest === undefined || asked > earliest
    ? []
    : [warning('vote-extensions', node, { fault: 'early', earliest })];
}

function heightOf(value: unknown): bigint | undefined {
  return /^-?\d{1,19}$/.test(String(value)) ? BigInt(String(value)) : undefined;
}

/** Checks the values of legacy parameters. A node validates them when the proposal is submitted. */
function legacyValues(draft: Draft, facts: ChainFacts, action: DraftAction): readonly Finding[] {
  return legacyChanges(action).flatMap((change): readonly Finding[] => {
    const node = member(change.node, 'value')?.value;
    if (!node || (action.node !== draft.root && node.type !== 'string')) return [];
    const value = parseJson(legacyJson(draft, action, node));
    return legacyLimits(change.subspace, change.key).flatMap(([path, limit]): readonly Finding[] => {
      const field = path === '' ? change.key : `${change.key}.${path}`;
      const fails = failTime(facts, action);
      return isLimitBroken(limit, path, value, facts) ? [error('param-value', node, { field, limit, fails })] : [];
    });
  });
}

/** Whether a value is beyond a limit. False for a value of another type, which the check of types reports. */
function isLimitBroken(limit: ParamLimit, path: string, value: unknown, { prefix }: ChainFacts): boolean {
  const inner = path === '' || !isFields(value) ? value : value[path];
  return keepsTo(limit, inner, prefix) === false;
}
