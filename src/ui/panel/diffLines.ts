import type { Span } from './block.ts';

const mostLines = 300;

export interface Difference {
  readonly before: readonly Span[];
  readonly after: readonly Span[];
}

/**
 * Two texts with their differing lines marked: `removed` in the first, `added` in the second; alike where they are equal.
 * A comma at the end of a line is no difference: it says that another line follows.
 */
export function diffLines(before: string, after: string): Difference {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (before === after) return { before: [{ text: before }], after: [{ text: after }] };
  const whole: Difference = {
    before: [{ text: before, change: 'removed' }],
    after: [{ text: after, change: 'added' }],
  };
  if (old.length > mostLines || now.length > mostLines) return whole;
  const kept = commonLines(old.map(withoutComma), now.map(withoutComma));
  const marked: Difference = {
    before: toSpans(old, new Set(kept.map(([at]) => at)), 'removed'),
    after: toSpans(now, new Set(kept.map(([, at]) => at)), 'added'),
  };
  return [...marked.before, ...marked.after].some((span) => span.change) ? marked : whole;
}

function withoutComma(line: string): string {
  return line.replace(/,$/, '');
}

/** The longest common subsequence of lines, as pairs of positions. */
function commonLines(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const same = old[row] === now[column];
      lengths[row * width + column] = same
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let row = 0;
  let column = 0;
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

/** Neighbouring runs of one kind become one; line breaks and indentation are no part of what changed. */
function toSpans(lines: readonly string[], kept: ReadonlySet<number>, change: 'removed' | 'added'): readonly Span[] {
  const spans: Span[] = [];
  const add = (text: string, isPlain: boolean) => {
    const last = spans.at(-1);
    if (text === '') return;
    if (last && (last.change === undefined) === isPlain) spans[spans.length - 1] = { ...last, text: last.text + text };
    else spans.push(isPlain ? { text } : { text, change });
  };
  for (const [at, line] of lines.entries()) {
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    add(at > 0 ? `\n${indent}` : indent, true);
    add(line.slice(indent.length), kept.has(at));
  }
  return spans;
}
