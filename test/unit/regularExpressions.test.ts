import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, type Diagnostics } from 'recheck';
import { runs } from '../support/random.ts';
import { growth } from './growth.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync(['src/**/*.ts', 'media/**/*.ts'], { cwd: root });

/** A regular expression behind what can stand before one. Strings that look like one are checked, too, which does no harm. */
const literal =
  /(?<=[(,=:[!&|?{};\n]\s*|return\s|=>\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/g;

interface Found {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

const found: readonly Found[] = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(literal)].flatMap(([, source = '', flags = '']) =>
    isValid(source, flags) ? [{ file, source, flags }] : [],
  ),
);

function isValid(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    return false;
  }
}

/** The text that the checker attacks with, its repetitions `size` times as many. */
function attackText(found: Diagnostics, size: number): string {
  if (found.status !== 'vulnerable') return '';
  const { pumps, suffix } = found.attack;
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(size / pump.length))).join('') + suffix;
}

/** Whether an attack that is said to double with each repetition takes long with a few of them. */
function isExponential(found: Diagnostics, pattern: RegExp): boolean {
  if (found.status !== 'vulnerable' || found.complexity.type !== 'exponential') return false;
  const length = Math.max(...found.attack.pumps.map(({ pump }) => pump.length));
  return Array.from({ length: 40 }, (_, at) => (at + 1) * length).some((size) => {
    const start = process.threadCpuUsage();
    attackText(found, size).replace(pattern, '');
    const { user, system } = process.threadCpuUsage(start);
    return user + system > 100_000;
  });
}

describe('regular expressions', () => {
  it('are found in the sources', () => {
    const sources = new Set(found.map(({ source }) => source));
    assert.ok(sources.size > 150, `${sources.size}`);
    for (const named of ['(?<!\\/)\\/+$', '<title[^<>]*>([^<]*)<']) assert.ok(sources.has(named), named);
    // Expressions that are put together at run time consist of our own texts, or of escaped ones.
    const made = files.filter((file) => /\bRegExp\(/.test(readFileSync(join(root, file), 'utf8')));
    const known = [
      'src/chain/text.ts',
      'src/draft/checks/params/paramTextChecks.ts',
      'src/reads/search.ts',
      'src/service/queries.ts',
      'src/tools/answers/answer.ts',
    ];
    assert.deepEqual(made.toSorted(), known);
  });

  it('take linear time for any text', async () => {
    const repeating = found.filter(({ source }) => /[*+{]/.test(source));
    const unique = [...new Map(repeating.map((one) => [`/${one.source}/${one.flags}`, one])).values()];
    const wrong: string[] = [];
    for (const { file, source, flags } of unique) {
      // An expression that is too large for the proof by automaton, or looks behind, is attacked at random.
      const most = { timeout: 60_000, incubationTimeout: 100, attackTimeout: 300, maxIteration: runs(3, 10) };
      const limits = { maxNFASize: 10_000, ...most };
      const result = await check(source, flags, limits);
      if (result.status === 'safe') continue;
      assert.equal(result.status, 'vulnerable', `/${source}/ in ${file} cannot be checked`);
      // An attack is an estimate: it counts when it works.
      const pattern = new RegExp(source, flags);
      const factor = isExponential(result, pattern)
        ? Number.POSITIVE_INFINITY
        : growth((size) => attackText(result, size).replace(pattern, ''), 64 * 1024);
      if (factor >= 3) wrong.push(`/${source}/${flags} in ${file}: ${attackText(result, 9)}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('that end in a repetition take linear time for its characters', () => {
    for (const { file, source, flags } of found.filter((one) => /[+*]\)?\$$/.test(one.source))) {
      for (const character of ['0', '=', '/', '.', '-', ' ', 'a']) {
        const pattern = new RegExp(source, flags);
        const factor = growth((size) => `x${character.repeat(size)}x`.replace(pattern, ''), 64 * 1024);
        assert.ok(factor < 3, `/${source}/ in ${file}: ${factor} for ${character}`);
      }
    }
  });
});
