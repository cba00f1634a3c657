import { diffArrays } from 'diff';
import { type ContentKind, type ParameterChange, plainType } from '../../chain/content/content.ts';
import { formatJson } from '../../chain/json.ts';
import { type ParamEntry, paramEntries } from '../../chain/params.ts';
import { amountText, exactRatioText, periodText, type Translate } from '../values.ts';
import { cell } from './blocks.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Cell, ChangeRow, Span } from './protocol.ts';

/** One value that a proposal sets; `now` is undefined where it is not offered. */
interface ParamChange {
  /** The name as the chain has it: `voting_period`, `gov/votingparams.voting_period`. */
  readonly name: string;
  readonly now: ParamEntry | undefined;
  readonly proposed: ParamEntry;
}

/** Changed parameters of the params module. */
export function paramChangeBlocks(changes: readonly ParameterChange[], facts: ProposalFacts, t: Translate): Block[] {
  const all = changes.flatMap(({ subspace, key, value }) =>
    paramChanges(subspace, key, value, `${subspace}/${key}`, facts),
  );
  return changesBlocks(all, facts, t);
}

/** All parameters of a module, which the message repeats whole. */
export function moduleParamBlocks(
  { module, params }: Extract<ContentKind, { kind: 'moduleParams' }>,
  facts: ProposalFacts,
  t: Translate,
): Block[] {
  const all = Object.entries(params).flatMap(([key, value]: [string, unknown]) =>
    paramChanges(module, key, JSON.stringify(value), key, facts),
  );
  return changesBlocks(all, facts, t);
}

/** The values of one parameter. A field that is absent stays as it is (x/params types/subspace.go, Update). */
function paramChanges(
  module: string,
  key: string,
  json: string,
  name: string,
  { inputs }: ProposalFacts,
): ParamChange[] {
  const current = inputs?.currentParams.get(`${module}/${key}`);
  const entries = current === undefined ? [] : paramEntries(module, key, current);
  return paramEntries(module, key, json).map((proposed) => ({
    name: proposed.path === key ? name : `${name}.${proposed.path}`,
    now: entries.find(({ path }) => path === proposed.path),
    proposed,
  }));
}

/** What changes; values that stay as they are are folded away. */
function changesBlocks(all: readonly ParamChange[], facts: ProposalFacts, t: Translate): Block[] {
  const isSame = ({ now, proposed }: ParamChange) =>
    now !== undefined && valueText(now, facts, t) === valueText(proposed, facts, t);
  const [same, changed] = [all.filter(isSame), all.filter((change) => !isSame(change))];
  // Only once the source was asked.
  const isAsked = facts.inputs !== undefined;
  const isPartly = isAsked && all.some(({ now }) => now !== undefined);
  const shown = changed.length > 0 ? changed : same;
  const blocks: Block[] = [{ kind: 'changes', rows: shown.map((change) => changeRow(change, isPartly, facts, t)) }];
  if (changed.length > 0 && same.length > 0) {
    const summary = same.length === 1 ? t('1 value stays as it is') : t('{0} values stay as they are', same.length);
    const rows = same.map(({ name, proposed }) => ({ label: name, value: valueCell(proposed, facts, t) }));
    blocks.push({ kind: 'fold', id: `same ${same[0]?.name}`, summary, blocks: [{ kind: 'facts', rows }] });
  }
  if (isAsked && !isPartly)
    blocks.push({ kind: 'paragraph', text: t('Current values are not offered by this source.') });
  return blocks;
}

function changeRow(
  { name, now, proposed }: ParamChange,
  isPartly: boolean,
  facts: ProposalFacts,
  t: Translate,
): ChangeRow {
  const words = plainType(name);
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const rawBefore = now === undefined || now.raw === proposed.raw ? '' : `${now.raw} → `;
  const raw = proposed.value ? ` ${rawBefore}${proposed.raw}` : '';
  if (now === undefined) {
    const missing = isPartly ? ` · ${t('current value not offered')}` : '';
    return { label, after: valueCell(proposed, facts, t), note: `${name}${raw}${missing}` };
  }
  const [before, after] = [valueCell(now, facts, t), valueCell(proposed, facts, t)];
  if (valueText(now, facts, t) === valueText(proposed, facts, t)) {
    return { label, after, note: `${name}${raw} · ${t('as it is now')}` };
  }
  if (!before.code || !after.code) return { label, before, after, note: `${name}${raw}` };
  const diff = diffLines(valueText(now, facts, t), valueText(proposed, facts, t));
  return {
    label,
    before: { spans: diff.before, code: true },
    after: { spans: diff.after, code: true },
    note: name,
  };
}

/** Words and numbers plain, anything else as code. */
function valueCell(entry: ParamEntry, facts: ProposalFacts, t: Translate): Cell {
  const text = valueText(entry, facts, t);
  return cell(text, entry.value || /^[\w.-]{1,40}$/.test(text) ? {} : { code: true });
}

/** A value in its unit where that is known, else its JSON laid out. */
function valueText({ raw, value }: ParamEntry, facts: ProposalFacts, t: Translate): string {
  switch (value?.kind) {
    case 'duration':
      return periodText(value.seconds, t);
    case 'ratio':
      return exactRatioText(value.ratio);
    case 'coins':
      return value.coins.map((coin) => amountText(coin, facts.unitOf(coin.denom))).join(', ') || t('nothing');
    case undefined:
      return raw === '' ? t('empty') : (formatJson(raw) ?? raw);
    default:
      return value satisfies never;
  }
}

/** Beyond this many differing lines the whole texts are marked: the time of a diff grows with the square of it. */
const maxEditLength = 400;

export interface Difference {
  readonly before: readonly Span[];
  readonly after: readonly Span[];
}

/**
 * Two texts with their differing lines marked: `removed` in the first, `added` in the second; alike where they are equal.
 * A comma at the end of a line is not a difference: it only means that another line follows.
 */
export function diffLines(before: string, after: string): Difference {
  if (before === after) return { before: [{ text: before }], after: [{ text: after }] };
  const [old, now] = [before.split('\n'), after.split('\n')];
  const comparator = (a: string, b: string) => a.replace(/,$/, '') === b.replace(/,$/, '');
  const parts = diffArrays(old, now, { maxEditLength, comparator }) ?? [];
  const kept = { old: new Set<number>(), now: new Set<number>() };
  let [oldAt, nowAt] = [0, 0];
  for (const { added, removed, count } of parts) {
    for (let left = added || removed ? 0 : count; left > 0; left--) {
      kept.old.add(oldAt + count - left);
      kept.now.add(nowAt + count - left);
    }
    if (!added) oldAt += count;
    if (!removed) nowAt += count;
  }
  const marked = { before: toSpans(old, kept.old, 'removed'), after: toSpans(now, kept.now, 'added') };
  if ([...marked.before, ...marked.after].some((span) => span.change)) return marked;
  return { before: [{ text: before, change: 'removed' }], after: [{ text: after, change: 'added' }] };
}

/** Line breaks and indentation are not part of a change; neighbouring runs of one kind become one. */
function toSpans(lines: readonly string[], kept: ReadonlySet<number>, change: 'removed' | 'added'): readonly Span[] {
  const spans: Span[] = [];
  const add = (text: string, isKept: boolean) => {
    const last = spans.at(-1);
    if (text === '') return;
    if (last && (last.change === undefined) === isKept) spans[spans.length - 1] = { ...last, text: last.text + text };
    else spans.push(isKept ? { text } : { text, change });
  };
  for (const [at, line] of lines.entries()) {
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    add(at > 0 ? `\n${indent}` : indent, true);
    add(line.slice(indent.length), kept.has(at));
  }
  return spans;
}
