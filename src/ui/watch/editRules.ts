import * as vscode from 'vscode';
import type { WatchedEntry } from '../../session/watch/mergeEntries.ts';
import { readHours, readSupplyRule, supplyRuleText, type WatchRules } from '../../session/watch/watchRules.ts';
import { askText, pickMany } from '../ask.ts';

/** Asks, step by step, what to speak up about. Undefined when the user leaves. */
export async function askRules(entries: readonly WatchedEntry[]): Promise<WatchRules | undefined> {
  const [first] = entries;
  if (!first) return undefined;
  const asked = { proposals: false, denoms: false };
  for (const { target } of entries) asked[target.kind === 'proposal' ? 'proposals' : 'denoms'] = true;
  let rules: WatchRules | undefined = first.rules;
  if (asked.proposals) rules = await askProposalRules(rules);
  if (rules && asked.denoms) rules = await askSupplyRule(rules);
  return rules;
}

async function askProposalRules(rules: WatchRules): Promise<WatchRules | undefined> {
  const item = (rule: 'status' | 'ends' | 'quorum' | 'verdict', label: string, detail: string, picked: boolean) => ({
    rule,
    label,
    detail,
    picked,
  });
  const live = vscode.l10n.t('Needs the votes so far: more requests, and not every endpoint tells them');
  const items = [
    item(
      'status',
      vscode.l10n.t('Status changes'),
      vscode.l10n.t('Voting starts, passed, rejected, failed'),
      rules.status,
    ),
    item(
      'ends',
      vscode.l10n.t('A period is about to end'),
      vscode.l10n.t('Deposit or voting'),
      rules.hoursBefore.length > 0,
    ),
    item('quorum', vscode.l10n.t('Quorum is reached'), live, rules.quorum),
    item('verdict', vscode.l10n.t('The likely outcome flips'), live, rules.verdict),
  ];
  const title = vscode.l10n.t('Edit rules (1/2): speak up when…');
  const picked = await pickMany(items, { title });
  if (!picked) return undefined;
  const has = (rule: string) => picked.some((one) => one.rule === rule);
  const hoursBefore = has('ends') ? await askHours(rules.hoursBefore) : [];
  if (!hoursBefore) return undefined;
  return { ...rules, status: has('status'), quorum: has('quorum'), verdict: has('verdict'), hoursBefore };
}

async function askHours(hours: readonly number[]): Promise<readonly number[] | undefined> {
  const text = await askText({
    title: vscode.l10n.t('Edit rules (2/2): hours before the end'),
    prompt: vscode.l10n.t('Numbers of hours, such as 24, 1'),
    value: (hours.length > 0 ? hours : [24, 1]).join(', '),
    fault: (value) => (parseHours(value) ? undefined : vscode.l10n.t('Hours above 0, separated by commas')),
  });
  return text === undefined ? undefined : parseHours(text);
}

function parseHours(text: string): readonly number[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const hours = readHours(words.map(Number));
  return hours && hours.length > 0 && words.every((word) => hours.includes(Number(word))) ? hours : undefined;
}

async function askSupplyRule(rules: WatchRules): Promise<WatchRules | undefined> {
  const text = await askText({
    title: vscode.l10n.t('Edit rules: supply changes by more than…'),
    prompt: vscode.l10n.t('A share such as 2.5%, or a number of base units. Empty for no rule.'),
    value: rules.supply ? supplyRuleText(rules.supply) : '',
    fault: (value) =>
      value.trim() === '' || readSupplyRule(value)
        ? undefined
        : vscode.l10n.t('A share such as 2.5%, or a whole number of base units'),
  });
  return text === undefined ? undefined : { ...rules, supply: readSupplyRule(text) };
}
