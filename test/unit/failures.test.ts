import { strict as assert } from 'node:assert';
import { delimiter, join } from 'node:path';
import { projectFolder as cwd } from '../support/folders.ts';
import { startProcess } from '../support/processes.ts';

describe('a level of tests', () => {
  /** Everything that a run of one file of test/fixtures/failing prints. */
  async function run(file: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const args = [join(cwd, 'test/support/commands.ts'), 'test:unit', `test/fixtures/failing/${file}.test.ts`];
    const path = [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const running = startProcess(process.execPath, args, { cwd, env: { ...process.env, PATH: path, ...env } });
    assert.equal(await running.exited, 1, running.output());
    return running.output();
  }

  it('names a test that hangs, and ends', async () => {
    const printed = await run('hangs', { TEST_PATIENCE: '2' });
    assert.match(printed, /^Not ended after 2 s: a test that hangs never lets go \(.*hangs\.test\.ts\)$/m);
    assert.match(printed, /^FAILED: unit tests\.$/m);
  });

  it('prints one difference of a failure', async () => {
    const printed = await run('differs');
    assert.equal(printed.match(/should be/g)?.length, 1, printed);
    assert.match(printed, /^ *\+ +'is'\n *- +'should be'$/m);
  });
});
