import type { Node } from 'jsonc-parser';
import { isFields } from '../api/wireValues.ts';
import { exactJson, parseJson } from '../chain/text.ts';
import { type Draft, type DraftAction, legacyChanges, member, rawOf } from './draftText.ts';
import { error, type Finding, warning } from './finding.ts';
import type { KnownFacts } from './knownFacts.ts';
import { heightAt, voteEnd } from './messageChecks.ts';
import { isInOrder, keepsTo, legacyLimits, type ParamLimit, rulesOf } from './paramRules.ts';
import { unsetBesideAuthority } from './paramsChecks.ts';

/** Values that a module refuses when the proposal is executed, each by itself and beside the others. */
export function checkParamValues(draft: Draft, facts: KnownFacts): readonly Finding[] {
  return draft.actions.flatMap((action) => {
    if (action.name !== 'MsgUpdateParams') return legacyValues(draft, facts, action);
    const object = unsetBesideAuthority(action) ? action.node : member(action.node, 'params')?.value;
    if (object?.type !== 'object') return [];
    return [
      ...limitFindings(draft, facts, action.package, object),
      ...orderFindings(draft, action.package, object),
      ...(action.package === 'cosmos.consensus.v1' ? voteExtensionFindings(draft, facts, object) : []),
    ];
  });
}

function limitFindings(draft: Draft, facts: KnownFacts, module: string, object: Node): readonly Finding[] {
  const isTypeChecked = facts.moduleParams.has(module);
  return Object.entries(rulesOf(module).limits).flatMap(([field, limit]): readonly Finding[] => {
    const node = nodeAt(object, field);
    if (!node || node.type === 'null') return [];
    const isKept = keepsTo(limit, exactJson(rawOf(draft, node)), facts.prefix);
    const isOtherType = isKept === undefined && isTypeChecked && limit.kind !== 'coins' && limit.kind !== 'coin';
    return isKept || isOtherType ? [] : [error('param-value', node, { field, limit })];
  });
}

function orderFindings(draft: Draft, module: string, object: Node): readonly Finding[] {
  const { limits, orders = [] } = rulesOf(module);
  return orders.flatMap((order): readonly Finding[] => {
    const [larger, smaller] = [nodeAt(object, order.larger), nodeAt(object, order.smaller)];
    const limit = limits[order.larger];
    if (!larger || !smaller || !limit) return [];
    const read = (node: Node): unknown => exactJson(rawOf(draft, node));
    return isInOrder(limit, order, read(larger), read(smaller)) === false ? [error('param-order', larger, order)] : [];
  });
}

/** The height of vote extensions: ValidateUpdate of CometBFT 0.38 (types/params.go). */
function voteExtensionFindings(draft: Draft, facts: KnownFacts, object: Node): readonly Finding[] {
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

/** The values of legacy parameters, which a node checks when the proposal is submitted. */
function legacyValues(draft: Draft, facts: KnownFacts, action: DraftAction): readonly Finding[] {
  return legacyChanges(action).flatMap((change): readonly Finding[] => {
    const node = member(change.node, 'value')?.value;
    const isFile = action.node === draft.root;
    if (!node || (!isFile && node.type !== 'string')) return [];
    const value = parseJson(isFile ? rawOf(draft, node) : String(node.value));
    return legacyLimits(change.subspace, change.key).flatMap(([path, limit]): readonly Finding[] => {
      const field = path === '' ? change.key : `${change.key}.${path}`;
      return isLimitBroken(limit, path, value, facts) ? [error('param-value', node, { field, limit })] : [];
    });
  });
}

/** False also for a value of another type, which the check of types names. */
function isLimitBroken(limit: ParamLimit, path: string, value: unknown, { prefix }: KnownFacts): boolean {
  const inner = path === '' || !isFields(value) ? value : value[path];
  return keepsTo(limit, inner, prefix) === false;
}

function nodeAt(object: Node, path: string): Node | undefined {
  return path.split('.').reduce<Node | undefined>((node, name) => member(node, name)?.value, object);
}
