import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { type TablesExport, writeStateTables } from '../../../src/service/tables/exportTables.ts';
import { sampleFile } from '../../support/folders.ts';
import { program } from '../cli/runHere.ts';
import { temporaryFolder } from './serveText.ts';
import { smallState, voterAddress } from './smallState.ts';

const formats = ['parquet', 'ndjson'] as const;

describe('the folder of an export', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const to = () => folder.path('out');
  const exported = (job: Partial<TablesExport> = {}) =>
    writeStateTables({ file: sampleFile, folder: to(), format: 'ndjson', ...job });
  function writeState(state: unknown, name = 'state.json'): string {
    const file = folder.path(name);
    writeFileSync(file, JSON.stringify(state));
    return file;
  }
  async function run(...args: readonly string[]) {
    const child = spawn(process.execPath, [program, 'export', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { out, error, code };
  }
  const manyCoins = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ denom: `u${index}`, amount: '1' }));
  const withDeposit = (depositor: string, coins: number) => ({
    app_state: { gov: { deposits: [{ proposal_id: '1', depositor, amount: manyCoins(coins) }] } },
  });

  for (const format of formats) {
    it(`is removed where the tables would be 20 times as large as the state (${format})`, async () => {
      const file = writeState(withDeposit('x'.repeat(1023), 5000));
      const refused = /^Error: The tables of \S*state\.json would be more than 20 times as large as the state$/;
      await assert.rejects(exported({ file, format }), refused);
      assert.equal(existsSync(to()), false);
    });

    it(`holds up to 20 times the size of the state (${format})`, async () => {
      const file = writeState(withDeposit('x'.repeat(400), 5000));
      const { tables } = await exported({ file, format });
      assert.deepEqual([tables.deposits?.rows, tables.deposits?.faults], [5000, 0]);
    });

    it(`has no address that no chain can have, once for each coin of an account (${format})`, async () => {
      const address = 'x'.repeat(1 << 20);
      const good = { address: voterAddress, coins: manyCoins(2) };
      for (const balances of [
        [good, { address, coins: manyCoins(200) }],
        // From the 1,001st on they are read without being parsed.
        [...Array(1200).fill(good), { address, coins: manyCoins(200) }],
      ]) {
        const file = writeState({ app_state: { bank: { balances } } });
        const { tables } = await exported({ file, format, force: true });
        assert.equal(tables.balances?.rows, 2 * (balances.length - 1));
        assert.match(tables.balances?.first_fault ?? '', /^Longer than 1023 characters/);
      }
    });
  }

  it('is given up inside of a row', async () => {
    const file = writeState(withDeposit(voterAddress, 60_000));
    const partial = join(to(), '.chain-inspector.tmp', 'deposits.ndjson');
    const sizeOf = () => statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
    const stopping = new AbortController();
    const options = { signal: stopping.signal };
    const running = writeStateTables({ file, folder: to(), format: 'ndjson' }, options);
    running.catch(() => undefined);
    while (sizeOf() === 0) await setImmediate();
    const size = sizeOf();
    stopping.abort(new Error('enough'));
    await assert.rejects(running, /enough/);
    assert.equal(existsSync(to()), false);
    await exported({ file });
    const whole = statSync(join(to(), 'deposits.ndjson')).size;
    assert.ok(size < whole / 2, `${size} of ${whole} bytes were written before anything else could run`);
  });

  it('is removed on SIGTERM', async function () {
    if (process.platform === 'win32') this.skip();
    const file = writeState(withDeposit(voterAddress, 200_000));
    const child = spawn(process.execPath, [program, 'export', file, '--to', to()], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = Promise.all([text(child.stderr), once(child, 'exit')]);
    while (!existsSync(join(to(), '.chain-inspector.tmp'))) await setImmediate();
    child.kill('SIGTERM');
    assert.deepEqual(await ended, ['The export was stopped. Nothing was written\n', [143, null]]);
    assert.equal(existsSync(to()), false);
  });

  it('keeps foreign files with --force, those with names of the other format among them', async () => {
    mkdirSync(to());
    const foreign = ['note.txt', 'votes.parquet', 'votes.ndjson.tmp', 'manifest.json.tmp'];
    for (const name of foreign) writeFileSync(join(to(), name), 'mine');
    const tables = ['supply', 'votes'] as const;
    await exported({ force: true, tables });
    await exported({ force: true, tables: ['supply'] });
    assert.deepEqual(readdirSync(to()).sort(), [...foreign, 'manifest.json', 'supply.ndjson'].sort());
    for (const name of foreign) assert.equal(readFileSync(join(to(), name), 'utf8'), 'mine');
  });

  for (const name of ['votes.ndjson', 'manifest.json'])
    it(`is left as it is with --force where a foreign ${name} would be replaced`, async () => {
      mkdirSync(to());
      writeFileSync(join(to(), name), '{"name":"An app","layout":"x","tables":[]}');
      const refused = `${name} in ${to()} was not written by an export. Move it elsewhere, or choose another folder`;
      await assert.rejects(exported({ force: true }), { message: refused });
      assert.deepEqual(readdirSync(to()), [name]);
    });

  it('is left as it is where a folder has the name of a table', async () => {
    await exported({ format: 'parquet', tables: ['supply'] });
    mkdirSync(join(to(), 'votes.parquet'));
    const before = readdirSync(to());
    await assert.rejects(
      exported({ format: 'parquet', force: true }),
      /^Error: votes\.parquet in .* was not written by an export/,
    );
    assert.deepEqual(readdirSync(to()), before);
  });

  it('keeps the source, whatever its name', async () => {
    mkdirSync(to());
    const state = { ...smallState(), layout: 1, tables: { votes: { file: 'votes.ndjson' } } };
    for (const name of ['manifest.json', 'supply.ndjson']) {
      const file = join(to(), name);
      writeFileSync(file, JSON.stringify(state));
      await assert.rejects(exported({ file, force: true }), /was not written by an export/);
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), state);
    }
    const file = writeState(state);
    linkSync(file, join(to(), 'manifest.json.link'));
    await exported({ file: folder.path('state.json'), folder: folder.path('.'), force: true });
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), state);
  });

  it('is not left empty, nor are those above it that were made for it', async () => {
    const file = folder.path('cut.json');
    writeFileSync(file, '{"app_state":{"bank":');
    const before = readdirSync(folder.path('.'));
    await assert.rejects(exported({ file, folder: join(to(), 'a', 'b') }), /The JSON is cut off/);
    assert.deepEqual(readdirSync(folder.path('.')), before);
    mkdirSync(to());
    await assert.rejects(exported({ file: folder.path('missing.json') }), /the file does not exist/);
    assert.deepEqual(readdirSync(to()), []);
  });

  it('cannot be where the system has no place for one, which is said at once', async () => {
    const file = folder.path('file');
    writeFileSync(file, 'text');
    const cases: [string, RegExp][] = [
      [file, /^Cannot write \S*file: part of the path is a file, not a folder\n$/],
      [join(file, 'a'), /^Cannot write \S*a: part of the path is a file, not a folder\n$/],
    ];
    if (process.platform === 'linux')
      cases.push(['/proc/x', /^Cannot write \/proc\/x: a folder cannot be created there\n$/]);
    for (const [place, expected] of cases) {
      const { out, error, code } = await run(sampleFile, '--to', place, '--force');
      assert.deepEqual([out, code], ['', 1]);
      assert.match(error, expected);
    }
  });
});
