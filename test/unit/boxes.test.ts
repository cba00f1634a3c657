import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

interface Body {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** The functions, methods and cases of a file, each with its text up to the next one. */
function bodiesOf(file: string, text: string): Body[] {
  const start =
    /^(?:export )?(?:async )?function (\w+)|^ {2}(?:async )?(#?\w+)(?:<.*>)?\(.*(?:\{|,|\()$|^ {6}case '(\w+)'/gm;
  const starts = [...text.matchAll(start)];
  return starts.map((found, at) => ({
    file,
    name: found[1] ?? found[2] ?? found[3] ?? '',
    text: text.slice(found.index + found[0].length, starts[at + 1]?.index),
  }));
}

/** `names` and all functions that call one of them, directly or not. */
function withCallers(bodies: readonly Body[], names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { name, text } of bodies) if (callsOf(text).some((call) => found.has(call.name))) found.add(name);
  }
  return found;
}

function callsOf(text: string): readonly { readonly name: string; readonly at: number; readonly isAwaited: boolean }[] {
  return [...text.matchAll(/(await )?(?:\b[\w$.]+\.)?(#?\b\w+)(?:<[^()]*>)?\(/g)].map((found) => ({
    name: found[2] ?? '',
    at: found.index,
    isAwaited: found[1] !== undefined,
  }));
}

/** The functions of a file in which a box follows something that is waited for. */
function lateBoxes(bodies: readonly Body[]): string[] {
  const boxes = withCallers(bodies, ['pickOne', 'pickMany', 'pickTyped', 'askText', 'askLive', 'createQuickPick']);
  const asking = withCallers(bodies, ['withProgress', 'identify', 'node']);
  return bodies.flatMap(({ file, name, text }) => {
    const calls = callsOf(text);
    const waits = calls.find((call) => call.isAwaited && asking.has(call.name) && !boxes.has(call.name));
    const late = waits && calls.find((call) => call.at > waits.at && boxes.has(call.name));
    return late ? [`${file}: ${name} opens a box (${late.name}) after ${waits.name}`] : [];
  });
}

describe('boxes', () => {
  it('open before anything is asked of a source: one that opens late takes what is typed elsewhere', () => {
    const files = globSync('src/ui/**/*.ts', { cwd: root });
    const bodies = files.map((file) => bodiesOf(file, readFileSync(join(root, file), 'utf8')));
    assert.ok(bodies.flat().length > 300);
    assert.deepEqual(bodies.flatMap(lateBoxes), []);
  });

  it('have placeholders that fit, with at most 84 characters', () => {
    const files = globSync('src/ui/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
    const members = files.flatMap((text) => text.match(/\bplaceHolder(?::| =)(?:.|\n {8,})*/g) ?? []);
    const texts = members.flatMap((member) =>
      [...member.matchAll(/l10n\.t\(\s*'([^']+)'/g)].map(([, text = '']) => text),
    );
    assert.ok(texts.length > 5, `${texts.length}`);
    assert.deepEqual(
      texts.filter((text) => text.length > 84),
      [],
    );
  });

  it('that open late are found, through other functions of the file, too', () => {
    const text = `async function add(): Promise<void> {
  const found = await withProgress('', work);
  await next(found);
}

async function next(found: unknown) {
  return pickTyped({ title: '' });
}
`;
    assert.deepEqual(lateBoxes(bodiesOf('a.ts', text)), ['a.ts: add opens a box (next) after withProgress']);
  });
});
