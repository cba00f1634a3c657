// The entry of the tests inside the extension host (bundled by hostBundle.ts): the editor calls `run`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runMocha } from './mochaRun.ts';

/** Rejects, and so makes the editor's exit code 1, when a test failed or there was none. */
export async function run(): Promise<void> {
  const folder = process.env.HOST_TESTS_FOLDER ?? '';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.cjs'));
  const paths = files.sort().map((name) => join(folder, name));
  const { failed } = await runMocha(paths, process.env.HOST_TESTS_RESULTS ?? '', 'require');
  if (failed > 0) throw new Error(`${failed} tests failed.`);
}
