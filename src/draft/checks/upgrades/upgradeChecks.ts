import type { Node } from 'jsonc-parser';
import { isFields } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import { type Draft, type DraftAction, isUpgrade, member, textOf } from '../../draftText.ts';
import { error, type Finding, hint, type Repair, repair, warning } from '../../finding.ts';
import { triedTime } from '../failTime.ts';
import { isExpeditedDraft } from '../file/depositChecks.ts';
import { readWhole } from '../params/paramRules.ts';
import type { InfoFault } from './upgradeFindings.ts';

const [hour, day] = [3_600_000, 86_400_000];
/** Upgrades are planned weeks ahead. A time beyond two years likely has a digit too many. */
const farAway = 730 * day;

/** Checks the plan of an upgrade: x/upgrade/types/plan.go, and keeper.ScheduleUpgrade, which runs after the vote. */
export function checkUpgrades(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    if (!isUpgrade(action)) return [];
    const plan = member(action.node, 'plan');
    const at = plan?.value ?? member(action.node, '@type')?.value ?? action.node;
    const name = member(plan?.value, 'name')?.value;
    const time = member(plan?.value, 'time')?.value;
    const state = member(plan?.value, 'upgraded_client_state')?.value;
    const isTimed = typeof time?.value === 'string' && !/^(0001-01-01T00:00:00Z)?$/.test(time.value);
    return [
      ...(typeof name?.value === 'string' && name.value.trim() !== ''
        ? []
        : [error('upgrade-plan', name ?? at, { field: 'name' })]),
      ...(time && isTimed ? [error('upgrade-plan', time, { field: 'time' })] : []),
      ...(state && state.type !== 'null' ? [error('upgrade-plan', state, { field: 'upgraded_client_state' })] : []),
      ...checkHeight(draft, facts, action),
      ...checkApplied(facts, name),
      ...checkInfo(member(plan?.value, 'info')?.value),
    ];
  });
}

function checkHeight(draft: Draft, facts: ChainFacts, action: DraftAction): readonly Finding[] {
  const plan = member(action.node, 'plan')?.value;
  const value = member(plan, 'height')?.value;
  const asked = /^\d{1,19}$/.test(String(value?.value)) ? BigInt(String(value?.value)) : 0n;
  const repairs = [safeHeightRepair(draft, facts, action)].filter((one) => one !== undefined);
  if (!value || asked === 0n) {
    const at = value ?? plan ?? member(action.node, '@type')?.value ?? action.node;
    return [error('upgrade-plan', at, { field: 'height' }, repairs)];
  }
  const { height, time, blockSeconds } = facts;
  if (height === undefined) return [];
  if (asked <= height) {
    const fails = triedTime(action.isLegacy);
    return [error('upgrade-height-past', value, { asked, height, fails }, repairs)];
  }
  const end = voteEnd(draft, facts);
  const earliest = end && heightAt(facts, end);
  if (blockSeconds === undefined || earliest === undefined) return [];
  const when = time && new Date(time.getTime() + Number(asked - height) * blockSeconds * 1000);
  if (when && (Number.isNaN(when.getTime()) || when.getTime() - time.getTime() > farAway))
    return [warning('upgrade-height-far', value, { asked, when }, repairs)];
  const isSoon = end !== undefined && asked < (heightAt(facts, new Date(end.getTime() + soon(end, facts))) ?? 0n);
  if (asked >= earliest && isSoon && when)
    return [
      warning('upgrade-height-soon', value, { asked, seconds: (when.getTime() - end.getTime()) / 1000 }, repairs),
    ];
  if (asked >= earliest) return [];
  return [warning('upgrade-height-early', value, { asked, earliest, blockSeconds }, repairs)];
}

/**
 * The time that validators should have between a vote and its upgrade: a day. Votes of less than an hour are those of a
 * network for tests, where as long as the vote itself is enough.
 */
function soon(end: Date, { time }: ChainFacts): number {
  const voting = end.getTime() - (time?.getTime() ?? 0);
  return voting < hour ? voting : day;
}

/** The end of a vote that would begin at the last block. Undefined if the voting period is not known. */
export function voteEnd(draft: Draft, { time, govParams }: ChainFacts): Date | undefined {
  const seconds = isExpeditedDraft(draft) ? govParams?.expeditedVotingPeriod : govParams?.votingPeriod;
  return time && seconds !== undefined ? new Date(time.getTime() + seconds * 1000) : undefined;
}

/** The block that is expected at a future time, by the measured time between blocks. Undefined if that is not known. */
export function heightAt({ height, time, blockSeconds }: ChainFacts, when: Date): bigint | undefined {
  if (height === undefined || time === undefined || !blockSeconds) return undefined;
  const blocks = Math.ceil((when.getTime() - time.getTime()) / 1000 / blockSeconds);
  return blocks > 0 ? height + BigInt(blocks) : undefined;
}

/** Sets the height of an upgrade to the block that is expected at a time. Undefined if that block is not known. */
export function heightRepair(draft: Draft, facts: ChainFacts, action: DraftAction, time: Date): Repair | undefined {
  const height = heightAt(facts, time);
  const value = member(member(action.node, 'plan')?.value, 'height')?.value;
  if (height === undefined || !value) return undefined;
  return repair('height-at-time', { height, time }, replaceValue(draft, value, String(height)));
}

/** Sets the height to the block a day after the end of a vote that begins now. */
function safeHeightRepair(draft: Draft, facts: ChainFacts, action: DraftAction): Repair | undefined {
  const end = voteEnd(draft, facts);
  return end && heightRepair(draft, facts, action, new Date(end.getTime() + day));
}

/** Without an answer, a plan that passed was most likely applied: a chain stops at its height otherwise. */
function checkApplied(facts: ChainFacts, name: Node | undefined): readonly Finding[] {
  const { appliedPlans, passedPlans, height: now = 0n } = facts;
  const text: unknown = name?.value;
  if (!name || typeof text !== 'string') return [];
  const applied = appliedPlans.get(text);
  if (applied !== undefined)
    return applied > 0n ? [error('upgrade-applied', name, { name: text, height: applied })] : [];
  const planned = passedPlans?.find((plan) => plan.name === text && plan.height !== undefined && plan.height <= now);
  if (planned?.height === undefined) return [];
  return [warning('upgrade-applied', name, { name: text, height: planned.height, proposal: planned.id })];
}

/** Checks `info` as cosmovisor reads it: JSON with addresses of binaries, or one address. Each needs a checksum. */
function checkInfo(value: Node | undefined): readonly Finding[] {
  const text: unknown = value?.value;
  if (!value || typeof text !== 'string') return [];
  const trimmed = text.trim();
  if (/^https?:\/\/\S+$/.test(trimmed))
    return [checksumFault(trimmed)].flatMap((fault) => (fault ? [warning('upgrade-info', value, fault)] : []));
  if (!trimmed.startsWith('{')) return [];
  const info = parseJson(trimmed);
  if (!isFields(info)) return [warning('upgrade-info', value, { fault: 'json' })];
  const binaries = Object.entries(isFields(info.binaries) ? info.binaries : {});
  const [fault] = binaries.flatMap(([, url]) => checksumFault(String(url)) ?? []);
  const platforms = binaries.map(([platform]) => platform);
  // Cosmovisor takes the binary of its own platform, else "any".
  const isElsewhere = platforms.length > 0 && !platforms.includes('any') && !platforms.includes('linux/amd64');
  return [
    ...(fault ? [warning('upgrade-info', value, fault)] : []),
    ...(isElsewhere ? [warning('upgrade-info', value, { fault: 'platform', platforms })] : []),
  ];
}

const checksumDigits: Readonly<Record<string, number>> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 };

/**
 * Whether an address has a checksum. Accepts `checksum=sha256:…` with all digits, without the kind, or read from a file
 * (github.com/hashicorp/go-getter).
 */
function checksumFault(url: string): InfoFault | undefined {
  const [, kind, digits = ''] = /[?&]checksum=(?:([a-z0-9]+):)?([^&]+)/.exec(url) ?? [];
  if (kind === 'file') return undefined;
  const isKnown = kind === undefined || Object.hasOwn(checksumDigits, kind);
  if (kind !== undefined && !isKnown) return { fault: 'digest', digest: kind, isKnown };
  const lengths = kind === undefined ? Object.values(checksumDigits) : [checksumDigits[kind]];
  if (!/^[0-9a-f]+$/i.test(digits) || !lengths.includes(digits.length)) return { fault: 'checksum' };
  return digits.length < 64 ? { fault: 'digest', digest: digits.length === 32 ? 'md5' : 'sha1', isKnown } : undefined;
}

/**
 * Checks for plans of other proposals. The plan that is scheduled last counts (x/upgrade/keeper/keeper.go, ScheduleUpgrade).
 * A warning if one has the same name or height, or a later height. Otherwise a hint.
 */
export function checkOpenPlans(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action) => openPlanFindings(action, facts));
}

function openPlanFindings(action: DraftAction, { openPlans = [], height = 0n }: ChainFacts): readonly Finding[] {
  const at = isUpgrade(action) ? (member(action.node, 'plan')?.value ?? action.node) : undefined;
  const place = member(at, 'name')?.value ?? at;
  const ahead = openPlans.filter((plan) => plan.height === undefined || plan.height > height);
  if (!place || ahead.length === 0) return [];
  const name = textOf(at, 'name');
  const own = readWhole(member(at, 'height')?.value.value) ?? 0n;
  const isClash = ahead.some(
    (plan) => plan.name === name || (own > 0n && plan.height !== undefined && plan.height >= own),
  );
  const report = isClash ? warning : hint;
  return [report('upgrade-open', place, { plans: ahead })];
}
