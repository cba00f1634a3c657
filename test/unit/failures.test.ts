import { strict as assert } from 'node:assert';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder as cwd } from '../support/folders.ts';
import { startProcess } from '../support/processes.ts';

const levels = pathToFileURL(join(cwd, 'test/support/testLevels.ts')).href;

describe('a level of tests', () => {
  /** Everything that a run of one file of test/fixtures/failing prints. */
  async function run(file: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    // Without the build before it.
    const script = `import(${JSON.stringify(levels)}).then(async ({ runLevels }) =>
      process.exit(await runLevels(['unit'], {}, [process.argv[1]], new AbortController().signal)))`;
    const args = ['--eval', script, `test/fixtures/failing/${file}.test.ts`];
    const path = [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const running = startProcess(process.execPath, args, { cwd, env: { ...process.env, PATH: path, ...env } });
    assert.equal(await running.exited, 1, running.output());
    return running.output();
  }

  it('names a test that hangs, and ends', async () => {
    const printed = await run('hangs', { TEST_PATIENCE: '600' });
    assert.match(printed, /^Not ended after 600 s: a test that hangs never lets go \(.*hangs\.test\.ts\)$/m);
    assert.match(printed, /^FAILED: unit tests\.$/m);
  });

  it('prints one difference of a failure', async () => {
    const printed = await run('differs');
    assert.equal(printed.match(/should be/g)?.length, 1, printed);
    assert.match(printed, /^ *\+ +'is'\n *- +'should be'$/m);
    // Once more at the end, which is what remains of a long output.
    assert.match(printed, /^FAILED: a test that fails has one difference: Expected .*\n+FAILED: unit tests\.$/m);
  });
});
