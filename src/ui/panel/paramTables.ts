import { diffArrays } from 'diff';
import type { ContentKind, ParameterChange } from '../../chain/content/content.ts';
import { formatJson } from '../../chain/json.ts';
import type { Translate } from '../values.ts';
import { cell } from './blocks.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Cell, Span } from './protocol.ts';

/** Changed parameters of the params module, the present value beside the proposed one where the source tells it. */
export function changesBlocks(
  changes: readonly ParameterChange[],
  facts: ProposalFacts,
  t: Translate,
): readonly Block[] {
  const known = changes.some(({ subspace, key }) => currentParam(facts, subspace, key) !== undefined);
  const rows = changes.map(({ subspace, key, value, json }) => {
    const current = currentParam(facts, subspace, key);
    const now = current === undefined ? undefined : (formatJson(current) ?? current);
    const note = json === undefined ? (value === '' ? t('empty') : t('not JSON')) : undefined;
    const names = [cell(subspace, { code: true }), cell(key, { code: true })];
    return [...names, ...valueCells(now, json ?? value, known, note, t)];
  });
  const columns = [{ label: t('Subspace') }, { label: t('Key') }, ...valueColumns(known, t)];
  return [{ kind: 'table', label: t('Changed parameters'), columns, rows }, ...unknownNotice(known, facts, t)];
}

/**
 * All parameters of a module. The message repeats those that stay, so where the source tells the present values they
 * are folded away.
 */
export function moduleBlocks(
  { module, params }: Extract<ContentKind, { kind: 'moduleParams' }>,
  facts: ProposalFacts,
  t: Translate,
): readonly Block[] {
  const entries = Object.entries(params).map(([name, value]: [string, unknown]) => {
    const current = currentParam(facts, module, name);
    return { name, proposed: valueText(value), now: current === undefined ? undefined : valueText(parse(current)) };
  });
  const known = entries.some(({ now }) => now !== undefined);
  const changed = entries.filter(({ now, proposed }) => now === undefined || !isSame(now, proposed));
  const same = entries.filter((entry) => !changed.includes(entry));
  const label = t('Parameters of {0}', module);
  const columns = [{ label: t('Parameter') }, ...valueColumns(known, t)];
  const rows = changed.map(({ name, now, proposed }) => [
    cell(name, { code: true }),
    ...valueCells(now, proposed, known, undefined, t),
  ]);
  return [
    ...(rows.length > 0 ? [{ kind: 'table', label, columns, rows } as const] : []),
    ...(rows.length > 0 ? [] : [{ kind: 'paragraph', text: t('Every parameter has this value already.') } as const]),
    ...(same.length > 0 ? [sameFold(module, same, t)] : []),
    ...unknownNotice(known, facts, t),
  ];
}

function sameFold(
  module: string,
  same: readonly { readonly name: string; readonly proposed: string }[],
  t: Translate,
): Block {
  const summary = same.length === 1 ? t('Same as now: 1 parameter') : t('Same as now: {0} parameters', same.length);
  const rows = same.map(({ name, proposed }) => [cell(name, { code: true }), cell(proposed, { code: true })]);
  const columns = [{ label: t('Parameter') }, { label: t('Now and proposed') }];
  return {
    kind: 'fold',
    id: `same ${module}`,
    summary,
    open: false,
    blocks: [{ kind: 'table', label: summary, columns, rows }],
  };
}

function valueColumns(known: boolean, t: Translate) {
  return [...(known ? [{ label: t('Now') }] : []), { label: t('Proposed') }];
}

/** The present and the proposed value with their difference marked; only the proposed one where none is known. */
function valueCells(
  now: string | undefined,
  proposed: string,
  known: boolean,
  note: string | undefined,
  t: Translate,
): readonly Cell[] {
  const noted = note === undefined ? {} : { note };
  if (now === undefined) {
    return [...(known ? [cell(t('not known'))] : []), cell(proposed, { code: true, ...noted })];
  }
  if (isSame(now, proposed)) return [cell(now, { code: true }), cell(proposed, { code: true, note: t('the same') })];
  const diff = diffLines(now, proposed);
  return [
    { spans: diff.before, code: true },
    { spans: diff.after, code: true, ...noted },
  ];
}

/** Said once the source was asked, not before. */
function unknownNotice(known: boolean, facts: ProposalFacts, t: Translate): readonly Block[] {
  if (known || facts.inputs === undefined) return [];
  return [{ kind: 'paragraph', text: t('What is set now is not known: this source does not tell these parameters.') }];
}

function currentParam(facts: ProposalFacts, module: string, name: string): string | undefined {
  return facts.inputs?.currentParams.get(`${module}/${name}`);
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** Whether two values are the same; `0.5` and `0.500000000000000000` are. */
function isSame(a: string, b: string): boolean {
  const plain = (text: string) => (/^\d+\.\d+$/.test(text) ? text.replace(/\.?(?<!0)0+$/, '') : text);
  return a === b || plain(a) === plain(b);
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
