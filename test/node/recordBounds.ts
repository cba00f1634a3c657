// `node test/node/recordBounds.ts`, then `npm run format`: has the modules of two SDKs judge values of their parameters, and writes what
// they say.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BoundCase, boundsFile, paramsWith, readBounds } from '../fixtures/paramBounds.ts';
import { buildBounds } from './build.ts';

const versions = ['0.50.15', '0.53.8'] as const;
const { base, cases } = readBounds();
const questions = cases
  .map((one) => `${JSON.stringify({ module: one.module, params: paramsWith(base, one) })}\n`)
  .join('');
const faults = new Map<string, readonly string[]>();
for (const version of versions) {
  const program = await buildBounds(version, new AbortController().signal);
  const { status, stdout, stderr } = spawnSync(program, { input: questions, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(stderr);
  faults.set(
    version,
    stdout
      .trim()
      .split('\n')
      .map((line) => String(JSON.parse(line).fault)),
  );
}
const recorded = cases.map(({ module, field, value }, index): BoundCase => {
  const said = versions.map((version) => [version, faults.get(version)?.[index] ?? ''] as const);
  return { module, field, value, faults: Object.fromEntries(said) };
});
const lines = recorded.map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(
  join(import.meta.dirname, '../fixtures', boundsFile),
  `{"base": ${JSON.stringify(base)},\n"cases": [\n${lines}\n]}\n`,
);
console.log(`${recorded.length} values, judged by ${versions.join(' and ')}`);
