import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import { allActions, allMembers, type Draft, type DraftAction, member, textOf } from '../../draftText.ts';
import { error, errorIf, type Finding, repair, warning } from '../../finding.ts';
import { triedTime } from '../failTime.ts';
import { unitOf } from '../messages/timeUnits.ts';
import { voteEnd } from '../upgrades/upgradeChecks.ts';

/**
 * Checks the timeouts of IBC transfers. A packet needs one, in the future of the other chain (modules/core/04-channel:
 * types/packet.go, keeper/packet.go). Heights of the other chain are not known.
 */
export function checkTransfers(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action): readonly Finding[] => {
    const { node, typeUrl } = action;
    if (typeUrl === '/ibc.applications.interchain_accounts.controller.v1.MsgSendTx')
      return relativeFindings(draft, member(node, 'relative_timeout')?.value);
    if (typeUrl !== '/ibc.applications.transfer.v1.MsgTransfer') return [];
    const stamp = member(node, 'timeout_timestamp')?.value;
    const height = member(node, 'timeout_height')?.value;
    if (isUnset(stamp)) {
      // Another check renames a misspelt timeout.
      const isMisspelt = allMembers(node).some(({ name }) => closestName(name, timeouts) !== undefined && !stamp);
      if (isHeightSet(height) || isMisspelt) return [];
      const at = stamp ?? member(node, '@type')?.value ?? node;
      return [error('transfer-timeout', at, { fault: 'none', fails: triedTime(false) })];
    }
    const digits = String(stamp?.value);
    return stamp && /^\d{1,20}$/.test(digits) ? stampFindings(draft, facts, action, stamp, BigInt(digits)) : [];
  });
}

const timeouts = ['timeout_timestamp'];

function isUnset(node: Node | undefined): boolean {
  return !node || node.type === 'null' || /^0*$/.test(String(node.value));
}

function isHeightSet(node: Node | undefined): boolean {
  return ['revision_number', 'revision_height'].some((name) => !isUnset(member(node, name)?.value));
}

function stampFindings(
  draft: Draft,
  facts: ChainFacts,
  action: DraftAction,
  node: Node,
  stamp: bigint,
): readonly Finding[] {
  const { unit, nanoseconds } = unitOf(stamp) ?? {};
  if (unit !== undefined && unit !== 'nanoseconds') {
    const value = String(nanoseconds);
    const repairs = [repair('convert', { value: JSON.stringify(value) }, replaceValue(draft, node, value))];
    // A transfer by a client, without a channel, is of IBC v2.
    const isClassic = textOf(action.node, 'source_channel')?.startsWith('channel-') === true;
    return [errorIf(isClassic)('transfer-timeout', node, { fault: 'unit', unit }, repairs)];
  }
  const time = new Date(Number(stamp / 1_000_000n));
  const end = voteEnd(draft, facts);
  if (Number.isNaN(time.getTime()) || !facts.time) return [];
  if (time <= facts.time) return [error('transfer-timeout', node, { fault: 'past', time, now: facts.time })];
  return end && time <= end ? [warning('transfer-timeout', node, { fault: 'early', time, end })] : [];
}

/**
 * Finds a time to run that ends before any block of the other chain (modules/apps/27-interchain-accounts of
 * cosmos/ibc-go, controller/keeper/msg_server.go). The check of fields names 0.
 */
function relativeFindings(draft: Draft, node: Node | undefined): readonly Finding[] {
  const digits = String(node?.value);
  const timeout = /^\d{1,20}$/.test(digits) ? BigInt(digits) : 0n;
  if (!node || timeout === 0n || timeout >= perSecond) return [];
  // A larger number may be milliseconds.
  const value = timeout < 100_000n ? String(timeout * perSecond) : undefined;
  const repairs =
    value === undefined ? [] : [repair('convert', { value: JSON.stringify(value) }, replaceValue(draft, node, value))];
  return [error('transfer-timeout', node, { fault: 'relative' }, repairs)];
}

const perSecond = 1_000_000_000n;
