import { strict as assert } from 'node:assert';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder as cwd } from '../support/folders.ts';
import { runProcess, startProcess } from '../support/processes.ts';
import { listen, serve, takePorts } from '../support/servers.ts';

const hrefOf = (file: string) => JSON.stringify(pathToFileURL(join(cwd, 'test/support', file)).href);
const levels = hrefOf('testLevels.ts');

/** Another process that takes ports, and prints five of them. */
const otherPorts = `import(${hrefOf('servers.ts')}).then(async ({ serve, takePorts }) => {
  await takePorts();
  const { createServer } = require('node:net');
  const servers = await Promise.all([1, 2, 3, 4, 5].map(() => serve(createServer())));
  console.log(JSON.stringify(servers.map(({ port }) => port)));
  process.exit();
})`;

describe('a level of tests', () => {
  /** Everything that a run of one file of test/fixtures/failing prints. */
  async function run(file: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    // Without the build before it.
    const script = `import(${levels}).then(async ({ runLevels }) =>
      process.exit(await runLevels(['unit'], {}, [process.argv[1]], new AbortController().signal)))`;
    const args = ['--eval', script, `test/fixtures/failing/${file}.test.ts`];
    const path = [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const running = startProcess(process.execPath, args, { cwd, env: { ...process.env, PATH: path, ...env } });
    const code = await running.exited;
    await running.closed;
    assert.equal(code, 1, running.output());
    return running.output();
  }

  it('names a test that hangs, and ends', async () => {
    const printed = await run('hangs', { TEST_PATIENCE: '600' });
    assert.match(printed, /^Not ended after 600 s: a test that hangs never lets go \(.*hangs\.test\.ts\)$/m);
    assert.match(printed, /^FAILED: unit tests\.$/m);
  });

  it('prints one difference of a failure', async () => {
    const printed = await run('differs');
    assert.equal(printed.match(/^ *\+ +'is'\n *- +'should be'$/gm)?.length, 1, printed);
    assert.doesNotMatch(printed, /^ *\+ +'should be'/m);
    // Once more at the end, in one line, which is what remains of a long output.
    assert.match(
      printed,
      /^FAILED: a test that fails has one difference: Expected .*'should be'.*\n+FAILED: unit tests\.$/m,
    );
  });
});

describe('servers of tests', () => {
  it('have a port that none had before, and one that is closed can be opened again', async () => {
    await takePorts();
    const ports = new Set<number>();
    for (let count = 1; count <= 400; count++) {
      const server = await serve(createServer());
      await server.dispose();
      ports.add(server.port);
      assert.equal(ports.size, count);
    }
    const again = createServer();
    const [port] = ports;
    assert.equal(await listen(again, port), port);
    again.close();
    const elsewhere = await runProcess(process.execPath, ['--eval', otherPorts]);
    assert.ok(!JSON.parse(elsewhere).some((other: number) => ports.has(other)), elsewhere);
  });
});

describe('a program that is run to its end', () => {
  it('has all of its output, also when this process is busy', async () => {
    const busy = setInterval(() => {
      const end = performance.now() + 30;
      while (performance.now() < end);
    }, 1);
    const runTwelve = async () => {
      for (let run = 0; run < 12; run++)
        assert.equal(await runProcess(process.execPath, ['--print', '"all"']), 'all\n');
    };
    await Promise.all(Array.from({ length: 8 }, runTwelve)).finally(() => clearInterval(busy));
  });
});
