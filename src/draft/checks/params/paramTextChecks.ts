import type { Node } from 'jsonc-parser';
import { valueAt } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import { percent } from '../../../chain/ratio.ts';
import { type ChainFacts, legacyName } from '../../chainFacts.ts';
import { type Draft, type DraftAction, exactValue, legacyChanges, member, nodeAt } from '../../draftText.ts';
import { type Finding, warning } from '../../finding.ts';
import { draftTexts, type ReadText } from '../file/textChecks.ts';
import { legacyJson } from './legacyParamChecks.ts';
import { legacyLimits, type ParamLimit, readDecimal, readPeriod, rulesOf } from './paramRules.ts';
import { paramsNode } from './paramsChecks.ts';

/** A share, or a period in nanoseconds, that a draft changes. */
interface ChangedParam {
  readonly kind: 'share' | 'period';
  readonly name: string;
  readonly node: Node;
  readonly asked: bigint;
  readonly today: bigint;
}

/**
 * Compares title and summary with the parameter that a draft changes: shares in percent, and periods. Only where a single
 * one of the kind changes, and where a sentence about it names one value, which is neither today's nor the new one.
 */
export function checkParamTexts(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const texts = draftTexts(draft);
  const named = (['share', 'period'] as const).filter((kind) =>
    texts.some(({ text }) => text.search(forms[kind]) >= 0),
  );
  const changed = named.length === 0 ? [] : draft.actions.flatMap((action) => changedParams(draft, facts, action));
  return named.flatMap((kind): readonly Finding[] => {
    const [own, ...others] = changed.filter((one) => one.kind === kind);
    return own && others.length === 0 ? textFindings(texts, own) : [];
  });
}

function changedParams(draft: Draft, facts: ChainFacts, action: DraftAction): readonly ChangedParam[] {
  if (action.name !== 'MsgUpdateParams') return changedLegacy(draft, facts, action);
  const object = paramsNode(action);
  const today = facts.moduleParams.get(action.package);
  if (!object || !today) return [];
  return Object.entries(rulesOf(action.package).limits).flatMap(([path, limit]) => {
    const node = nodeAt(object, path);
    const name = path.split('.').at(-1) ?? path;
    return node ? toChanged(limit, name, node, exactValue(draft, node), valueAt(today, path)) : [];
  });
}

function changedLegacy(draft: Draft, facts: ChainFacts, action: DraftAction): readonly ChangedParam[] {
  return legacyChanges(action).flatMap((change) => {
    const node = member(change.node, 'value')?.value;
    const stated = facts.legacyParams.get(legacyName(change));
    if (!node || !stated) return [];
    const [asked, today] = [parseJson(legacyJson(draft, action, node)), parseJson(stated)];
    return legacyLimits(change.subspace, change.key).flatMap(([path, limit]) => {
      const at = (value: unknown): unknown => (path === '' ? value : valueAt(value, path));
      return toChanged(limit, path === '' ? change.key : path, node, at(asked), at(today));
    });
  });
}

function toChanged(
  { kind }: ParamLimit,
  name: string,
  node: Node,
  asked: unknown,
  today: unknown,
): readonly ChangedParam[] {
  const isShare = kind === 'share';
  if (!isShare && kind !== 'period' && kind !== 'nanoseconds') return [];
  const [wanted, before] = [asked, today].map((value) => (isShare ? readDecimal(value) : readPeriod(value)));
  if (wanted === undefined || before === undefined || wanted === before) return [];
  return [{ kind: isShare ? 'share' : 'period', name, node, asked: wanted, today: before }];
}

function textFindings(texts: readonly ReadText[], changed: ChangedParam): readonly Finding[] {
  const { kind, name, node, asked, today } = changed;
  const named = texts.flatMap(({ field, text }) =>
    sentencesAbout(text, name).flatMap((sentence) => valuesIn(sentence, kind).map((one) => ({ field, ...one }))),
  );
  const others = named.filter(({ value }) => !isNear(value, today));
  const [one] = others;
  // Each of several values may be that of something else.
  if (!one || named.some(({ value }) => isNear(value, asked)) || others.some(({ value }) => value !== one.value))
    return [];
  const does = kind === 'share' ? `${percent(asked).replace(/\.?0{1,2}$/, '')} %` : `${asked / 1_000_000_000n}s`;
  return [warning('text-differs', node, { what: 'param', field: one.field, said: one.said, does, param: name })];
}

/** Words of parameters that do not tell one from another. */
const generic = new Set(['max', 'min', 'per', 'rate', 'ratio', 'time', 'period', 'duration', 'fraction']);

/** The sentences that have a word of the parameter's name, or the beginning of a longer one. */
function sentencesAbout(text: string, name: string): readonly string[] {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((word) => word.length > 2 && !generic.has(word))
    .map((word) => word.slice(0, 6));
  return text.split(/[.!?;]\s|\n/).filter((sentence) => words.some((word) => sentence.toLowerCase().includes(word)));
}

/** A value that a text names. */
interface NamedValue {
  readonly said: string;
  readonly value: bigint;
}

const shareForm = /(?<![\w.,-])(\d{1,3}(?:\.\d{1,6})?)[\u00a0 ]?(?:%|percent(?!age))(?![\u00a0 ]{0,2}points?\b)/gi;
const periodForm = /(?<![\w.,-])(\d{1,6}(?:\.\d{1,3})?)[\u00a0 -]?(seconds?|minutes?|hours?|days?|weeks?)\b/gi;
const forms = { share: shareForm, period: periodForm } as const;
const secondsOf: Readonly<Record<string, bigint>> = { s: 1n, m: 60n, h: 3600n, d: 86_400n, w: 604_800n };

function valuesIn(sentence: string, kind: ChangedParam['kind']): readonly NamedValue[] {
  return [...sentence.matchAll(forms[kind])].flatMap((match): readonly NamedValue[] => {
    const [said, digits = '', unit = ''] = match;
    const number = readDecimal(digits) ?? 0n;
    if (kind === 'period')
      return [{ said, value: (number * (secondsOf[unit.charAt(0).toLowerCase()] ?? 0n)) / 1_000_000_000n }];
    const before = sentence.slice(Math.max(0, match.index - 12), match.index);
    // A value by which something changes is none that it has.
    return relative.test(before) ? [] : [{ said, value: number / 100n }];
  });
}

const relative = /\bby[\u00a0 ](?:about[\u00a0 ]|up to[\u00a0 ])?$/i;

/** Whether two values are equal but for rounding, by 1 %. */
function isNear(one: bigint, other: bigint): boolean {
  const difference = one > other ? one - other : other - one;
  return difference * 100n <= other;
}
