// The commands of `npm start`, `npm test` and `npm run …`, by name. run.mjs calls them after the dependencies are
// installed.
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeSimdLayout } from '../../src/service/scan/writeSimdLayout.ts';
import { projectFolder as cwd } from './folders.ts';
import { foreground, runProcess } from './processes.ts';
import { readStartOptions, start } from './startCommand.ts';
import { runLevels } from './testLevels.ts';

/**
 * Runs a command and resolves with its exit code. If `stop` is aborted, the command ends everything that it started.
 */
export type Command = (args: readonly string[], stop: AbortSignal) => Promise<number>;

/**
 * Checks types of the extension, of the page and of the WebAssembly module, then format and lint. Continues after a
 * failure.
 */
const check: Command = async (_args, stop) => {
  const codes: number[] = [];
  writeSimdLayout(join(cwd, 'dist'));
  for (const project of ['.', 'media', 'src/service/wasm'])
    codes.push(await foreground('tsc', ['-p', project], stop, { cwd }));
  codes.push(await foreground('biome', ['check', '--error-on-warnings'], stop, { cwd }));
  return Math.max(...codes);
};

/**
 * Builds `dist/`. `--production` is the small build that users install. `--simd` builds only the files that sources
 * need. Rejects with esbuild's output.
 */
const build: Command = async (args) => {
  // A build of the other kind would leave files that this one does not write.
  if (args.includes('--production')) await rm(join(cwd, 'dist'), { recursive: true, force: true });
  await runProcess(process.execPath, ['esbuild.mjs', ...args], { cwd });
  return 0;
};

const withBuild =
  (command: Command, ...buildArgs: readonly string[]): Command =>
  async (args, stop) => {
    await build(buildArgs, stop);
    return command(args, stop);
  };

/**
 * The command line: `npm run cli -- COMMAND …`, `npm run serve -- FILE`, `npm run export -- STATE --to DIR`. Prints
 * nothing else.
 */
const cli =
  (...first: readonly string[]): Command =>
  (args, stop) => {
    // Relative paths are relative to the user's folder. npm itself changes to that of the project.
    const typedIn = process.env.npm_lifecycle_event === undefined ? process.cwd() : process.env.INIT_CWD;
    const main = join(cwd, 'src/cli/chainInspector.ts');
    return foreground(process.execPath, [main, ...first, ...args], stop, { cwd: typedIn ?? cwd, input: 'inherit' });
  };

/** Runs all levels in both editors. Continues after a failure, so that one run reports everything. */
const test: Command = (_args, stop) =>
  runLevels(['check', 'build', 'unit', 'host', 'ui', 'bench'], { check, build, bench: smallestBench }, [], stop);

/** Runs each part of `npm run bench` once, to show that it works. Its figures mean nothing. */
const smallestBench: Command = (_args, stop) =>
  foreground(process.execPath, ['test/bench/run.ts', '--smallest'], stop, { cwd });

const level =
  (name: 'unit' | 'host' | 'ui'): Command =>
  (files, stop) =>
    runLevels([name], {}, files, stop);

const node =
  (...command: readonly string[]): Command =>
  (args, stop) =>
    foreground(process.execPath, [...command, ...args], stop, { cwd });

/**
 * Runs mutation tests of the files in `test/mutation/stryker.json`, or of `--mutate FILE`; see test/mutation/README.md.
 */
const mutation: Command = (args, stop) =>
  foreground('stryker', ['run', 'test/mutation/stryker.json', ...args], stop, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(join(cwd, 'test/mutation/mocha12.mjs'))}` },
  });

/**
 * Packs extension and command line into `artifacts/`, with bill of materials and checksums. `--release TAG` first
 * checks whether they may be published under that tag.
 */
const packAll: Command = async ([option, tag = '']) => {
  const { pack, readManifest, releaseFaults, sourceEpoch } = await import('../../packaging/pack.ts');
  if (option === '--release') {
    const faults = releaseFaults(readManifest(cwd), await readFile(join(cwd, 'CHANGELOG.md'), 'utf8'), tag);
    if (faults.length > 0) throw new Error(['This cannot be released:', ...faults].join('\n  '));
  }
  // The build writes this time into the bill of materials.
  const epoch = await sourceEpoch(cwd);
  process.env.SOURCE_DATE_EPOCH = epoch;
  await build(['--production'], new AbortController().signal);
  const to = join(cwd, 'artifacts');
  for (const file of await pack(cwd, to, epoch))
    console.log(`artifacts/${file}  ${(await stat(join(to, file))).size} B`);
  return 0;
};

/** Writes the English texts of the code for translators, and lists faults of the translations. */
const l10n: Command = async () => {
  const { textFaults, writeTexts } = await import('../../packaging/texts.ts');
  writeTexts(cwd);
  const faults = textFaults(cwd);
  for (const fault of faults) console.log(fault);
  return faults.length > 0 ? 1 : 0;
};

const commands: Readonly<Record<string, Command>> = {
  start: async (args, stop) => {
    const options = readStartOptions(args);
    console.log('Building the extension…');
    await build([], stop);
    return start(options, stop);
  },
  test,
  'test:full': (args, stop) => {
    process.env.TEST_FULL = '1';
    return test(args, stop);
  },
  'test:unit': withBuild(level('unit')),
  'test:host': withBuild(level('host')),
  'test:ui': withBuild(level('ui')),
  'test:mutation': mutation,
  'test:node': async (args, stop) => (await import('../node/run.ts')).testNode(args, stop),
  check,
  format: (args, stop) => foreground('biome', ['check', '--write', ...args], stop, { cwd }),
  l10n,
  build,
  watch: node('esbuild.mjs', '--watch'),
  package: packAll,
  pictures: withBuild(node('test/ui/pictures.ts')),
  bench: withBuild(node('test/bench/run.ts'), '--production'),
  serve: withBuild(cli('serve'), '--simd'),
  export: withBuild(cli('export'), '--simd'),
  cli: withBuild(cli(), '--simd'),
};

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  console.error(`Unknown command "${name}". Commands: ${Object.keys(commands).join(', ')}.`);
  process.exit(2);
}
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
try {
  process.exit(await command(args, stopping.signal));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
