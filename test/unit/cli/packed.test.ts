import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pack } from '../../../packaging/pack.ts';
import { projectFolder, sampleFile, startFolder } from '../../support/folders.ts';
import { runProcess } from '../../support/processes.ts';
import { runs } from '../../support/random.ts';
import { draft } from '../draft/exampleDrafts.ts';

/** The programs that install and run the packed file: our own Node, and the one that `OTHER_NODE` names. */
const nodes = [process.execPath, process.env.OTHER_NODE].filter((node) => node !== undefined);

describe('the packed command line', () => {
  if (process.platform === 'win32') return;

  const folder = startFolder('packed');
  const installed = join(folder.path, 'installed');
  const ownFolder = join(installed, 'node_modules/chain-inspector');
  const env = (node: string) => ({
    ...process.env,
    PATH: `${dirname(node)}:${process.env.PATH}`,
    npm_config_offline: 'true',
  });
  const run = (node: string, program: readonly [string, ...string[]], ...args: readonly string[]) => {
    const [command, ...first] = program;
    return runProcess(command, [...first, ...args], { cwd: installed, env: { ...env(node), HOME: folder.path } });
  };
  const npx = ['npx', 'chain-inspector'] as const;
  /** The file that npx runs. */
  const installedCommand = [join(installed, 'node_modules/.bin/chain-inspector')] as const;

  const checkout = join(folder.path, 'checkout');
  const epoch = '1700000000';
  before(async () => {
    mkdirSync(join(checkout, 'dist'), { recursive: true });
    mkdirSync(installed);
    // A folder of its own for the build of users, since other tests use `dist/`; npm packs no links.
    for (const name of ['src', 'packaging', 'node_modules', 'esbuild.mjs', 'package-lock.json'])
      symlinkSync(join(projectFolder, name), join(checkout, name));
    for (const name of [
      'package.json',
      '.npmignore',
      '.vscodeignore',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'docs',
      'media',
      'plugin.json',
      'mcp.json',
      'server.json',
      'skills',
      'l10n',
      'package.nls.json',
      'package.nls.zh-cn.json',
    ])
      cpSync(join(projectFolder, name), join(checkout, name), { recursive: true });
    await runProcess(process.execPath, ['esbuild.mjs', '--production'], { cwd: checkout });
    copyFileSync(join(projectFolder, 'dist/simd.wasm'), join(checkout, 'dist/simd.wasm'));
    await pack(checkout, folder.path, epoch);
    const [file = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'));
    writeFileSync(join(installed, 'package.json'), '{"private":true}');
    await runProcess('npm', ['install', join(folder.path, file)], { cwd: installed, env: env(process.execPath) });
    copyFileSync(sampleFile, join(installed, 'genesis.json'));
    writeFileSync(join(installed, 'draft.json'), draft({ deposit: '500000000usample' }));
  });
  after(() => folder.dispose());

  it('holds every part that one of its parts loads, and none of the editor', () => {
    assert.deepEqual(
      readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['chain-inspector'],
    );
    const parts = new Set(['dist/commandLine.cjs']);
    for (const part of parts) {
      const text = readFileSync(join(ownFolder, part), 'utf8');
      assert.doesNotMatch(text, /require\("vscode"\)/, part);
      for (const [, name = ''] of text.matchAll(/["'`/](\w+\.(?:cjs|wasm|json|bin))["'`]/g))
        if (existsSync(join(projectFolder, 'dist', name)) || name.endsWith('.cjs')) parts.add(`dist/${name}`);
    }
    for (const part of parts) assert.ok(existsSync(join(ownFolder, part)), part);
    const packed = readdirSync(join(ownFolder, 'dist')).map((name) => `dist/${name}`);
    assert.deepEqual(
      packed.filter((part) => !parts.has(part)),
      ['dist/THIRD-PARTY-NOTICES.txt'],
    );
    console.log(`      ${packed.length} parts, ${basename(ownFolder)}`);
  });

  it('is at most 1.0 MB, and the extension with its languages 1.1 MB', () => {
    const sizes = readdirSync(folder.path).map((name) => [name, statSync(join(folder.path, name)).size] as const);
    const sizeOf = (ending: string) => sizes.find(([name]) => name.endsWith(ending))?.[1] ?? Number.NaN;
    assert.ok(sizeOf('.tgz') <= 1_000_000, `${sizeOf('.tgz')} bytes`);
    assert.ok(sizeOf('.vsix') <= 1_100_000, `${sizeOf('.vsix')} bytes`);
  });

  it('loads at most 62 kB when the extension is activated', () => {
    // `activate` loads `app.cjs`.
    const parts = new Set(['extension.cjs', 'app.cjs']);
    let bytes = 0;
    for (const part of parts) {
      const text = readFileSync(join(checkout, 'dist', part), 'utf8');
      bytes += Buffer.byteLength(text);
      // A lazy part is required in a function of its own; any other one is loaded at once.
      for (const [, other = ''] of text.matchAll(/(?<!\.then\(\(\)=>[\w$]+\()require\("\.\/(\w+\.cjs)"\)/g))
        parts.add(other);
    }
    console.log(`      ${bytes} bytes`);
    assert.ok(bytes <= 62_000, `${bytes} bytes in ${[...parts].join(', ')}`);
  });

  it('is the same to the byte from another folder, with other times and modes of the files, as the extension is', async () => {
    const other = join(folder.path, 'another/checkout');
    cpSync(checkout, other, { recursive: true, verbatimSymlinks: true });
    for (const file of globSync('{*,dist/*,docs/*,media/*}', { cwd: other }).map((name) => join(other, name))) {
      if (!lstatSync(file).isFile()) continue;
      chmodSync(file, 0o600);
      utimesSync(file, 1_000_000_000, 1_000_000_000);
    }
    await pack(other, join(other, 'artifacts'), epoch);
    const sums = readFileSync(join(other, 'artifacts/SHA256SUMS'), 'utf8');
    assert.equal(readFileSync(join(folder.path, 'SHA256SUMS'), 'utf8'), sums);
    assert.deepEqual(
      [...sums.matchAll(/\d\.([a-z.]+)$/gm)].map(([, ending]) => ending),
      ['cdx.json', 'tgz', 'vsix'],
    );
  });

  it('keeps the compiled code of all that it loads', async () => {
    const home = join(folder.path, 'home');
    const main = join(ownFolder, 'dist/commandLine.cjs');
    const own = { ...env(process.execPath), HOME: home, NODE_COMPILE_CACHE: undefined };
    await runProcess(process.execPath, [main, '--version'], { env: own });
    assert.equal(globSync('.cache/chain-inspector/compiled/*/*', { cwd: home }).length, 1);
  });

  it('is a plugin for agents, with the file that it starts', () => {
    for (const file of ['plugin.json', 'mcp.json', 'skills/check-proposal/SKILL.md', 'dist/commandLine.cjs'])
      assert.ok(existsSync(join(ownFolder, file)), file);
  });

  for (const node of nodes) {
    it(`runs on ${node}`, async () => {
      console.log(`      ${(await runProcess(node, ['--version'])).trim()}`);
      assert.match(
        await run(node, npx, 'proposals', '--state', 'genesis.json'),
        /^1047 {2}voting .*\n[\s\S]*^20 of 72 proposals\./m,
      );
      assert.match(
        await run(node, installedCommand, 'check', 'draft.json', '--state', 'genesis.json'),
        /^draft\.json: checked against .*: 0 errors/m,
      );
      assert.match(
        await run(node, installedCommand, 'export', 'genesis.json', '--to', 'tables', '--force'),
        /^balances\.parquet: [1-9]\d* rows$/m,
      );
    });
  }

  it('answers an agent soon after it was started', async () => {
    const main = join(ownFolder, 'dist/commandLine.cjs');
    const requests = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'get_supply', arguments: {} } },
    ].map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
    const timeOf = async (...args: readonly string[]) => {
      const start = performance.now();
      const child = spawn(process.execPath, args, {
        env: { ...process.env, HOME: folder.path, NODE_COMPILE_CACHE: undefined },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      if (args[0] === '-e') await exited;
      else {
        child.stdin.write(requests.join(''));
        for await (const line of createInterface(child.stdout)) if (line.includes('"id":2')) break;
      }
      const ms = performance.now() - start;
      child.stdin.end();
      await exited;
      return ms;
    };
    // Compiled parts are kept for the next run.
    await timeOf(main, 'mcp', '--state', sampleFile);
    assert.ok(existsSync(join(folder.path, '.cache/chain-inspector/compiled')));
    const times: { readonly empty: number; readonly answer: number }[] = [];
    for (let run = 0; run < runs(2, 7); run++)
      times.push({ empty: await timeOf('-e', '0'), answer: await timeOf(main, 'mcp') });
    const least = (of: 'empty' | 'answer') => Math.min(...times.map((time) => time[of]));
    console.log(
      `      ${Math.round(least('answer') - least('empty'))} ms over ${Math.round(least('empty'))} ms of an empty script`,
    );
    assert.ok(least('answer') < 30 * least('empty'));
  });

  it('says on an older Node which one it needs', async () => {
    const main = join(ownFolder, 'dist/commandLine.cjs');
    const older = `Object.defineProperty(process.versions, 'node', { value: '22.18.0' }); require(${JSON.stringify(main)});`;
    await assert.rejects(
      runProcess(process.execPath, ['-e', older]),
      /failed \(1\):\nchain-inspector requires Node 22\.19 or later\. This is Node 22\.18\.0\.\n$/,
    );
  });
});
