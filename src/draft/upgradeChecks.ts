import type { Node } from 'jsonc-parser';
import { isFields } from '../api/wireValues.ts';
import { parseJson } from '../chain/json.ts';
import { type Draft, type DraftAction, isUpgrade } from './actions.ts';
import { isExpeditedDraft } from './depositChecks.ts';
import { member, textOf } from './draftText.ts';
import { replaceValue } from './edits.ts';
import { error, type Finding, type Repair, repair, warning } from './finding.ts';
import type { KnownFacts } from './knownFacts.ts';

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

/** The names of the upgrades that a draft plans. */
export function plannedNames(draft: Draft): readonly string[] {
  const plans = draft.actions.filter(isUpgrade);
  return plans.flatMap(({ node }) => textOf(member(node, 'plan')?.value, 'name') ?? []);
}
