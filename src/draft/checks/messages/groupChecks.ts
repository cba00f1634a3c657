import type { ChainFacts } from '../../chainFacts.ts';
import { allActions, type Draft, itemsOf, member } from '../../draftText.ts';
import { error, type Finding } from '../../finding.ts';
import { failTime } from '../failTime.ts';
import { keepsTo } from '../params/paramRules.ts';
import { twiceFindings } from './listChecks.ts';

/** The lists of members, by the full type of their message. A weight of 0 removes a member from a group that exists. */
const lists: ReadonlyMap<string, { readonly field: string; readonly mayBeZero: boolean }> = new Map([
  ['/cosmos.group.v1.MsgCreateGroup', { field: 'members', mayBeZero: false }],
  ['/cosmos.group.v1.MsgCreateGroupWithPolicy', { field: 'members', mayBeZero: false }],
  ['/cosmos.group.v1.MsgUpdateGroupMembers', { field: 'member_updates', mayBeZero: true }],
]);

/** Checks the members of groups: each once, with a weight (x/group/keeper/msg_server.go, validateMembers). */
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
    return [...twiceFindings(addresses, fails), ...weights];
  });
}
