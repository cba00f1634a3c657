// `node test/node/recordBounds.ts`, then `npm run format`: has the modules of three SDKs judge values of their parameters, and writes what
// they say.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundsFile, paramsWith, readBounds } from '../fixtures/paramBounds.ts';
import { buildBounds } from './build.ts';

type Version = Parameters<typeof buildBounds>[0];

/** The answer of the program of a version to each question. */
async function ask(version: Version, questions: readonly object[]): Promise<readonly string[]> {
  const program = await buildBounds(version, new AbortController().signal);
  const input = questions.map((one) => `${JSON.stringify(one)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => String(JSON.parse(line).fault));
}

const { base, cases, legacy } = readBounds();
const questions = cases.map((one) => ({ module: one.module, params: paramsWith(base, one) }));
const [older, newer] = [await ask('0.50.15', questions), await ask('0.53.8', questions)];
const old = await ask('0.46.16', legacy);
const recorded = cases.map(({ module, field, value }, at) => {
  return { module, field, value, faults: { '0.50.15': older[at], '0.53.8': newer[at] } };
});
const recordedLegacy = legacy.map(({ subspace, key, value }, at) => {
  return { subspace, key, value, faults: { '0.46.16': old[at] } };
});
writeFileSync(
  join(import.meta.dirname, '../fixtures', boundsFile),
  JSON.stringify({ base, cases: recorded, legacy: recordedLegacy }),
);
console.log(`${recorded.length} values and ${recordedLegacy.length} legacy changes were judged`);
