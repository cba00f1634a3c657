import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** The lists that stay as they are. An export of any size has few rows of them. */
const kept = ['gov', 'supply', 'validators'];
const deepest = 6;

/** Writes `text`, an exported state, to a file of about `megabytes` MB: its large lists are repeated, indented as they were. */
export async function writeRepeatedExport(file: string, text: string, megabytes: number): Promise<void> {
  const indent = / *(?=")/.exec(text.slice(text.indexOf('\n') + 1))?.[0].length ?? 0;
  const spaces = text.startsWith('{"') ? 0 : indent;
  const state: unknown = JSON.parse(text);
  const large: ReadonlySet<unknown> = new Set(largeLists(state, text.length / 100));
  const listed = [...large].reduce<number>((sum, list) => sum + JSON.stringify(list, undefined, spaces).length, 0);
  const times = Math.max(1, Math.round((megabytes * 1e6 - text.length) / listed));
  const out = createWriteStream(file, { highWaterMark: 1 << 22 });
  for (const piece of pieces(state, large, times, spaces)) if (!out.write(piece)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
}

/** The lists of more than `size` characters, none of them inside another one. */
function* largeLists(value: unknown, size: number, depth = 0): Generator<readonly unknown[]> {
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  if (!Array.isArray(value)) {
    for (const [name, inner] of Object.entries(value))
      if (!kept.includes(name)) yield* largeLists(inner, size, depth + 1);
  } else if (JSON.stringify(value).length > size) yield value;
}

function* pieces(value: unknown, large: ReadonlySet<unknown>, times: number, spaces: number): Generator<string> {
  if (Array.isArray(value) && large.has(value)) {
    const elements = JSON.stringify(value, undefined, spaces).slice(1, -1);
    yield '[';
    for (let time = 0; time < times; time++) yield time === 0 ? elements : `,${elements}`;
    yield ']';
  } else if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield JSON.stringify(value, undefined, spaces);
  } else {
    yield '{';
    for (const [at, [name, inner]] of Object.entries(value).entries()) {
      yield `${at === 0 ? '' : ','}${spaces > 0 ? `\n${' '.repeat(spaces)}` : ''}${JSON.stringify(name)}:`;
      yield* pieces(inner, large, times, spaces);
    }
    yield '}';
  }
}
