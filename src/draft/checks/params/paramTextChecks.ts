import type { Node } from 'jsonc-parser';
import { ownValue, valueAt } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import { percent } from '../../../chain/ratio.ts';
import { type ChainFacts, legacyName } from '../../chainFacts.ts';
import {
  allMembers,
  type Draft,
  type DraftAction,
  exactValue,
  legacyChanges,
  member,
  nodeAt,
} from '../../draftText.ts';
import { isDuration } from '../../fieldForms.ts';
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
 * Compares title and summary with the parameters that a draft changes: shares in percent, and periods. Where a single one
 * of the kind changes, each sentence about it counts. Otherwise only a value that stands beside the name. A finding is
 * one value that is neither today's nor the new one.
 */
export function checkParamTexts(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const texts = draftTexts(draft);
  const named = (['share', 'period'] as const).filter((kind) =>
    texts.some(({ text }) => text.search(forms[kind]) >= 0),
  );
  const changed = named.length === 0 ? [] : draft.actions.flatMap((action) => changedParams(draft, facts, action));
  return named.flatMap((kind): readonly Finding[] => {
    const own = changed.filter((one) => one.kind === kind);
    const [only, ...others] = own;
    const found = only && others.length === 0 ? textFindings(texts, only) : [];
    return found.length > 0 || own.length > mostChanged ? found : besideFindings(draft, texts, own);
  });
}

/** A text about more parameters is not looked at. */
const mostChanged = 20;

function changedParams(draft: Draft, facts: ChainFacts, action: DraftAction): readonly ChangedParam[] {
  if (action.name !== 'MsgUpdateParams') return changedLegacy(draft, facts, action);
  const object = paramsNode(action);
  const today = facts.moduleParams.get(action.package);
  if (!object || !today) return [];
  return Object.entries(rulesOf(action.package).limits).flatMap(([path, limit]) => {
    const node = nodeAt(object, path);
    const name = path.split('.').at(-1) ?? path;
    // The check of fields names a period without a unit.
    const isReadable = node && (limit.kind !== 'period' || isDuration(String(node.value)));
    return isReadable ? toChanged(limit, name, node, exactValue(draft, node), valueAt(today, path)) : [];
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
  const { kind, name, asked } = changed;
  const named = texts.flatMap(({ field, text }) =>
    sentencesAbout(text, name).flatMap((sentence) => valuesIn(sentence, kind).map((one) => ({ field, ...one }))),
  );
  // Each of several values may be that of something else.
  return named.some(({ value }) => isNear(value, asked)) ? [] : otherFindings(named, changed);
}

/** Reports the value that a text has for a parameter, if it is one value, and not today's. */
function otherFindings(
  named: readonly (NamedValue & { readonly field: string })[],
  { kind, name, node, asked, today }: ChangedParam,
): readonly Finding[] {
  const others = named.filter(({ value }) => !isNear(value, today));
  const [one] = others;
  if (!one || others.some(({ value }) => value !== one.value)) return [];
  const does = kind === 'share' ? `${percent(asked).replace(/\.?0{1,2}$/, '')} %` : `${asked / 1_000_000_000n}s`;
  return [warning('text-differs', node, { what: 'param', field: one.field, said: one.said, does, param: name })];
}

/** Words of parameters that do not tell one from another. */
const generic = new Set(['max', 'min', 'per', 'rate', 'ratio', 'time', 'period', 'duration', 'fraction']);

/** The words of a parameter's name that tell it from others, or the beginnings of longer ones. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((word) => word.length > 2 && !generic.has(word))
    .map((word) => word.slice(0, 6));
}

/** The sentences that have a word of the parameter's name. */
function sentencesAbout(text: string, name: string): readonly string[] {
  const words = wordsOf(name);
  return text.split(sentenceEnd).filter((sentence) => words.some((word) => sentence.toLowerCase().includes(word)));
}

const sentenceEnd = /[.!?;]\s|\n/;

/** A part of a sentence with a single value. */
interface Clause extends NamedValue {
  readonly field: string;
  readonly text: string;
}

function clausesOf({ field, text }: ReadText, kind: ChangedParam['kind']): readonly Clause[] {
  const parts = text.split(sentenceEnd).flatMap((sentence) => sentence.split(/[,;:()]\s|\b(?:and|but|while|with)\b/));
  return parts.flatMap((part) => {
    const [one, ...others] = valuesIn(part, kind);
    return one && others.length === 0 ? [{ ...one, field, text: part.toLowerCase() }] : [];
  });
}

/** Finds values that stand beside the name of another parameter than those that have them. */
function besideFindings(
  draft: Draft,
  texts: readonly ReadText[],
  changed: readonly ChangedParam[],
): readonly Finding[] {
  const [first] = changed;
  const clauses = first ? texts.flatMap((one) => clausesOf(one, first.kind)) : [];
  if (clauses.length === 0) return [];
  const all = new Set([...changed.map(({ name }) => name), ...fieldNames(draft)]);
  const names = [...all].map((name) => ({ name, words: wordsOf(name) }));
  return changed.flatMap((own): readonly Finding[] => {
    // A parameter that is set twice has two values.
    if (changed.some((one) => one !== own && one.name === own.name)) return [];
    const words = wordsOf(own.name);
    const others = names.filter(({ name }) => name !== own.name).map((one) => one.words);
    const beside = clauses.filter((clause) => isBeside(clause, words, others));
    return beside.length > 0 && !namesNew(texts, own) ? otherFindings(beside, own) : [];
  });
}

/** The names of all parameters that the messages of a draft set. */
function fieldNames({ actions }: Draft): readonly string[] {
  return actions
    .filter(({ name }) => name === 'MsgUpdateParams')
    .flatMap((action) => allMembers(paramsNode(action)).map(({ name }) => name));
}

/** Whether a sentence about a parameter has its new value. */
function namesNew(texts: readonly ReadText[], { kind, name, asked }: ChangedParam): boolean {
  return texts.some(({ text }) =>
    sentencesAbout(text, name).some((one) => valuesIn(one, kind).some(({ value }) => isNear(value, asked))),
  );
}

/** The most characters between a name and its value: `quorum of 40 %`, `voting lasts seven days`. */
const farthest = 20;

/**
 * Whether a clause has all words of a name, the value is beside one of them, and no longer name has its words there, such
 * as that of the expedited period.
 */
function isBeside({ text, said }: Clause, words: readonly string[], others: readonly (readonly string[])[]): boolean {
  const isNamed = (name: readonly string[]): boolean => name.length > 0 && name.every((word) => text.includes(word));
  if (!isNamed(words) || others.some((name) => name.length >= words.length && isNamed(name))) return false;
  const [from, to] = [text.indexOf(said.toLowerCase()), text.indexOf(said.toLowerCase()) + said.length];
  return words.some((word) => {
    const at = text.indexOf(word);
    return at < from ? from - at - word.length <= farthest : at - to <= farthest;
  });
}

/** A value that a text names. */
interface NamedValue {
  readonly said: string;
  readonly value: bigint;
}

const shareForm = /(?<![\w.,-])(\d{1,3}(?:\.\d{1,6})?)[\u00a0 ]?(?:%|percent(?!age))(?![\u00a0 ]{0,2}points?\b)/gi;
/** Numbers as words, as texts have them for periods. */
const numberWords: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fourteen: 14,
  twenty: 20,
  'twenty-one': 21,
  'twenty-eight': 28,
  thirty: 30,
};
const periodForm = new RegExp(
  `(?<![\\w.,-])(\\d{1,6}(?:\\.\\d{1,3})?|${Object.keys(numberWords)
    .toSorted((a, b) => b.length - a.length)
    .join('|')})[\\u00a0 -]?(seconds?|minutes?|hours?|days?|weeks?)\\b`,
  'gi',
);
const forms = { share: shareForm, period: periodForm } as const;
const secondsOf: Readonly<Record<string, bigint>> = { s: 1n, m: 60n, h: 3600n, d: 86_400n, w: 604_800n };

function valuesIn(sentence: string, kind: ChangedParam['kind']): readonly NamedValue[] {
  return [...sentence.matchAll(forms[kind])].flatMap((match): readonly NamedValue[] => {
    const [said, digits = '', unit = ''] = match;
    const number = readDecimal(String(ownValue(numberWords, digits.toLowerCase()) ?? digits)) ?? 0n;
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
