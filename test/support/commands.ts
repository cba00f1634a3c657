// What `npm start`, `npm test` and `npm run …` do, by name; run.mjs comes here once the dependencies are in place.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeSimdLayout } from '../../src/service/writeSimdLayout.ts';
import { projectFolder as cwd } from './folders.ts';
import { foreground, runProcess } from './processes.ts';
import { readStartOptions, start } from './startCommand.ts';
import { runLevels } from './testLevels.ts';

/** Resolves with the exit code. `stop` is aborted when the user wants to end; what was started is ended then. */
export type Command = (args: readonly string[], stop: AbortSignal) => Promise<number>;

/** Types of the extension, of the panel's page and of the WebAssembly module, format and lint: all of them, also after one has failed. */
const check: Command = async (_args, stop) => {
  const codes: number[] = [];
  writeSimdLayout(join(cwd, 'dist'));
  for (const project of ['.', 'media', 'src/service/wasm'])
    codes.push(await foreground('tsc', ['-p', project], stop, { cwd }));
  codes.push(await foreground('biome', ['check', '--error-on-warnings'], stop, { cwd }));
  return Math.max(...codes);
};

/** Builds `dist/`; `--production`: the small build that users install, `--simd`: what runs from sources, too. Throws with esbuild's output. */
const build: Command = async (args) => {
  // A build of the other kind leaves files behind that this one does not write.
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

/** The command line: `npm run cli -- COMMAND …`, `npm run serve -- FILE`, `npm run export -- STATE --to DIR`; nothing else is printed. */
const cli =
  (...first: readonly string[]): Command =>
  (args, stop) => {
    // A relative path is relative to where the command was typed; npm itself changes to the project's folder.
    const typedIn = process.env.npm_lifecycle_event === undefined ? process.cwd() : process.env.INIT_CWD;
    const main = join(cwd, 'src/cli/chainInspector.ts');
    return foreground(process.execPath, [main, ...first, ...args], stop, { cwd: typedIn ?? cwd, input: 'inherit' });
  };

/** Everything, on both editors; goes on after a failure, so that one run reports all of them. */
const test: Command = (_args, stop) =>
  runLevels(['check', 'build', 'unit', 'host', 'ui', 'bench'], { check, build, bench: smallestBench }, [], stop);

/** Each part of `npm run bench` once: to know that it runs, not for its figures. */
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

/** Mutation testing of what `test/mutation/stryker.json` names, or of `--mutate FILE`; see test/mutation/README.md. */
const mutation: Command = (args, stop) =>
  foreground('stryker', ['run', 'test/mutation/stryker.json', ...args], stop, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(join(cwd, 'test/mutation/mocha12.mjs'))}` },
  });

const vsce: Command = (args, stop) =>
  foreground('vsce', ['package', '--no-dependencies', '--no-rewrite-relative-links', ...args], stop, { cwd });

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
  build,
  watch: node('esbuild.mjs', '--watch'),
  package: withBuild(vsce, '--production'),
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
