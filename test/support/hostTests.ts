// The entry of the tests in the extension host (bundled by testLevels.ts). The editor calls `run`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type Mocha from 'mocha';
import { mochaHooks, noteFailure } from './mochaHooks.ts';
import { takePorts } from './servers.ts';

/** Drops the message, since the reporter prints it again as the beginning of the stack. */
function tellOnce(this: Mocha.Context): void {
  if (this.currentTest?.err?.stack) this.currentTest.err.message = '';
}

/** Rejects if a test failed, or if there was none. The exit code of the editor is 1 then. */
export async function run(): Promise<void> {
  await takePorts();
  // mocha is an ES module, and this file is bundled as CommonJS.
  const { default: Mocha } = await import('mocha');
  // The reporter `tap` prints a failure at once, so that none is lost if the level is ended.
  const mocha = new Mocha({
    ui: 'bdd',
    // Each wait ends by itself, and says what it waited for (`longestWait`).
    timeout: 300_000,
    color: false,
    reporter: 'tap',
    rootHooks: { ...mochaHooks, afterEach: [mochaHooks.afterEach, tellOnce] },
  });
  const folder = join(__dirname, '../host');
  for (const file of readdirSync(folder).sort()) mocha.addFile(join(folder, file));
  const { stats } = await new Promise<Mocha.Runner>((resolve) => {
    const runner = mocha.run(() => resolve(runner));
    runner.on('fail', (failed: Mocha.Runnable & { type?: string }) => failed.type === 'hook' && noteFailure(failed));
  });
  if (!stats || stats.passes === 0 || stats.failures > 0) throw new Error(`${stats?.failures} tests failed.`);
}
