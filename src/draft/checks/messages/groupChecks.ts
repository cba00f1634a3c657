import type { Node } from 'jsonc-parser';
import { whole } from '../../../chain/ratio.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { allActions, type Draft, itemsOf, member } from '../../draftText.ts';
import { error, type Finding, warning } from '../../finding.ts';
import { failTime } from '../failTime.ts';
import { keepsTo, readDecimal } from '../params/paramRules.ts';
import { addressFindings, twiceFindings } from './listChecks.ts';

/** The lists of members, by the full type of their message. A weight of 0 removes a member from a group that exists. */
const lists: ReadonlyMap<string, { readonly field: string; readonly mayBeZero: boolean }> = new Map([
  ['/cosmos.group.v1.MsgCreateGroup', { field: 'members', mayBeZero: false }],
  ['/cosmos.group.v1.MsgCreateGroupWithPolicy', { field: 'members', mayBeZero: false }],
  ['/cosmos.group.v1.MsgUpdateGroupMembers', { field: 'member_updates', mayBeZero: true }],
]);

/**
 * Checks the members of groups: accounts of this chain, each once, with a weight (x/group/keeper/msg_server.go,
 * validateMembers).
 */
export function checkGroups(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action) => {
    const list = lists.get(action.typeUrl);
    const members = itemsOf(list && member(action.node, list.field)?.value);
    if (!list || members.length === 0) return [];
    const fails = failTime(facts, action);
    const limit = { kind: 'weight', isPositive: !list.mayBeZero } as const;
    const weights = members.flatMap((one): readonly Finding[] => {
      const weight = member(one, 'weight')?.value;
      // A missing weight is 0.
      if (keepsTo(limit, weight?.value || '0') !== false) return [];
      return [error('message-value', weight ?? one, { fault: 'limit', field: 'weight', limit, fails })];
    });
    const addresses = members.flatMap((one) => member(one, 'address')?.value ?? []);
    const invalid = addresses.flatMap((one) => addressFindings(one, facts));
    return [...invalid, ...twiceFindings(addresses, fails), ...weights, ...aloneFindings(action.node, members)];
  });
}

/** The fields of decision policies with what it takes to pass: a weight, or a share of all weights. */
const passing = ['threshold', 'percentage'] as const;

/** Finds a policy by which the vote of any one of several members passes a proposal (x/group/types.go, Allow). */
function aloneFindings(message: Node, members: readonly Node[]): readonly Finding[] {
  const weights = members.map((one) => readDecimal(member(one, 'weight')?.value.value));
  const known = weights.flatMap((weight) => (weight !== undefined && weight > 0n ? [weight] : []));
  if (members.length < 2 || known.length < members.length) return [];
  const policy = member(message, 'decision_policy')?.value;
  const total = known.reduce((sum, weight) => sum + weight, 0n);
  return passing.flatMap((field): readonly Finding[] => {
    const value = member(policy, field)?.value;
    const needed = readDecimal(value?.value);
    if (!value || needed === undefined || needed <= 0n) return [];
    const isEnough = (weight: bigint): boolean =>
      field === 'threshold' ? weight >= needed : weight * whole >= needed * total;
    return known.every(isEnough) ? [warning('message-value', value, { fault: 'alone', field })] : [];
  });
}
