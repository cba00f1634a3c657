import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { program } from '../cli/runHere.ts';
import { temporaryFolder } from './serveText.ts';
import { smallState, textProposal } from './smallState.ts';

function start(
  ...args: readonly string[]
): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  return spawn(process.execPath, [program, 'serve', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs to the end. */
async function run(...args: readonly string[]) {
  const child = start(...args);
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, error, code };
}

describe('the command line of the service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  before(async () => {
    folder = await temporaryFolder();
    file = folder.path('state.json');
    await writeFile(file, JSON.stringify(smallState()));
  });
  after(() => folder.remove());

  it('says what it serves and where, answers there, and stops on SIGINT and SIGTERM', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const child = start(file, '--port', '0');
      const exited = once(child, 'exit');
      const errors = text(child.stderr);
      const [line] = await once(child.stdout, 'data');
      const url = /^Serving small-1 at (http:\/\/127\.0\.0\.1:\d+\/chain)\n/.exec(String(line))?.[1];
      assert.ok(url, String(line));
      const addresses = String(line).match(/http:\S+/g) ?? [];
      assert.deepEqual(
        addresses.map((address) => address.replace(/^http:\/\/[^/]+/, '')),
        ['/chain', '/chain/bank/v1beta1/supply', '/cosmos/gov/v1/proposals'],
      );
      for (const address of addresses) assert.equal((await fetch(address)).status, 200, address);
      const { paths } = Object(await (await fetch(url)).json());
      assert.ok(paths.includes('/chain/gov/v1beta1/proposals/{proposalId}/votes/{voter}'), paths.join());
      assert.deepEqual(
        paths.filter((path: string) => !/^\/(?:chain|ibc)(?:\/(?:[\w-]+|\{[a-zA-Z]+\}))+$/.test(path)),
        [],
      );
      const response = await fetch(`${url}/bank/v1beta1/supply/uatom`);
      assert.equal(response.status, 200);
      child.kill(signal);
      assert.deepEqual(await exited, [0, null]);
      assert.equal(await errors, '');
    }
  });

  it('prints notices, and no notices where there are none', async () => {
    const poor = folder.path('poor.json');
    await writeFile(
      poor,
      JSON.stringify({ chain_id: 'poor-1', app_state: { gov: { proposals: [textProposal(1, 'PASSED')] } } }),
    );
    const child = start(poor);
    const exited = once(child, 'exit');
    const errors = text(child.stderr);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await exited;
    assert.equal(await errors, 'Notice: This state has no bank module.\n');
  });

  it('serves the rest of a state with a module that cannot be read, and prints why once', async () => {
    const faulty = folder.path('faulty.json');
    const { app_state, ...header } = smallState();
    const deposits = [{ ...app_state.gov.deposits[0], proposal_id: '1.0' }];
    await writeFile(
      faulty,
      JSON.stringify({ ...header, app_state: { ...app_state, gov: { ...app_state.gov, deposits, votes: 5 } } }),
    );
    const child = start(faulty);
    const exited = once(child, 'exit');
    const errors = text(child.stderr);
    const [line] = await once(child.stdout, 'data');
    const url = /^Serving small-1 at (\S+)\n/.exec(String(line))?.[1];
    assert.equal((await fetch(`${url}/bank/v1beta1/supply`)).status, 200);
    assert.equal((await fetch(`${url}/gov/v1beta1/proposals`)).status, 500);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    const [module = '', row = '', ...others] = (await errors).trimEnd().split('\n');
    assert.match(
      module,
      /^Notice: Cannot read the gov module of .*faulty\.json: Expected a list \(byte \d+ at app_state\.gov\.votes\)$/,
    );
    assert.match(
      row,
      /^Notice: Expected a string of digits, found "1\.0" \(byte \d+ at app_state\.gov\.deposits\[0\]\.proposal_id\)$/,
    );
    assert.deepEqual(others, []);
  });

  it('helps', async () => {
    const { out, error, code } = await run('--help');
    assert.deepEqual({ error, code }, { error: '', code: 0 });
    assert.match(out, /^Usage: chain-inspector serve FILE \[OPTION\]…\n[\s\S]*--port N/);
  });

  it('refuses bad files in one sentence with exit code 1, and bad arguments with the usage and 64', async () => {
    const cut = folder.path('cut.json');
    await writeFile(cut, JSON.stringify(smallState()).slice(0, 1000));
    const usage = /\nUsage: chain-inspector serve FILE .*\nFor help, run "chain-inspector serve --help"\.\n$/;
    const cases: readonly (readonly [readonly string[], RegExp, number])[] = [
      [[], /^Expected one FILE\.$/, 64],
      [[file, file], /^Expected one FILE\.$/, 64],
      [[file, '--port', 'x'], /^--port x: expected a number from 0 to 65535\.$/, 64],
      [[file, '--port', '65536'], /^--port 65536: expected a number from 0 to 65535\.$/, 64],
      [[file, '--nothing'], /^Unknown option '--nothing'.*$/, 64],
      [[file, '--to', 'x'], /^Unknown option '--to'\.$/, 64],
      [[folder.path('missing.json')], /^Cannot open .*missing\.json: the file does not exist\n$/, 1],
      [[folder.path('.')], /^Cannot open .*: it is not a file\. .*\n$/, 1],
      [[cut], /^Cannot read .*cut\.json: The JSON is cut off \(byte 1000 at app_state\.bank.*\)\n$/, 1],
    ];
    const results = await Promise.all(cases.map(([args]) => run(...args)));
    for (const [index, { out, error, code }] of results.entries()) {
      const [, sentence = /never/, expected] = cases[index] ?? [];
      assert.deepEqual({ out, code }, { out: '', code: expected }, error);
      if (expected === 64) assert.match(error, usage);
      assert.match(error.replace(usage, ''), sentence);
    }
  });

  it('says that a port is taken', async () => {
    const child = start(file);
    const [line] = await once(child.stdout, 'data');
    const port = /:(\d+)\//.exec(String(line))?.[1] ?? '';
    const { error, code } = await run(file, '--port', port);
    assert.equal(code, 1);
    assert.match(error, new RegExp(`^Port ${port} is in use. Choose another one, or leave out the port\\n$`));
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});
