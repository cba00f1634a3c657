import { channel } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import type MochaTypes from 'mocha';
import type { Counts } from './counts.ts';
import { FailedTest } from './failedTest.ts';

/**
 * Runs test files with mocha, prints as it goes, and writes the counts to `resultsFile` as JSON. Throws when there is
 * no file or no test. `load` is mocha's way in: ES modules in plain Node, CommonJS in the extension host.
 */
export async function runMocha(files: readonly string[], resultsFile: string, load: 'import' | 'require') {
  if (files.length === 0) throw new Error('No test files were found.');
  // mocha is an ES module: a bundle that is CommonJS has to import it like this.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 120_000,
    color: false,
    rootHooks: {
      async afterEach(this: MochaTypes.Context) {
        if (this.currentTest?.state !== 'failed') return;
        // Whoever can show what went wrong does so before the next test changes it.
        const failed = new FailedTest(this.currentTest.fullTitle());
        channel('chain-inspector:test-failed').publish(failed);
        await Promise.allSettled(failed.pending);
      },
    },
  });
  for (const file of files) mocha.addFile(file);
  if (load === 'import') await mocha.loadFilesAsync();
  const { stats } = await new Promise<MochaTypes.Runner>((resolve) => {
    const runner = mocha.run(() => resolve(runner));
  });
  const counts: Counts = { passed: stats?.passes ?? 0, failed: stats?.failures ?? 0, skipped: stats?.pending ?? 0 };
  writeFileSync(resultsFile, JSON.stringify(counts));
  if (counts.passed + counts.failed + counts.skipped === 0) throw new Error('The test files hold no test.');
  return counts;
}
