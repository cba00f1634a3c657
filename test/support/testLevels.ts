// The three levels of tests: unit (plain Node), host (in the extension host), ui (a real editor in a real browser).
import { existsSync, globSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle, type Plugin } from 'esbuild';
import { findBrowser } from './browser.ts';
import type { Command } from './commands.ts';
import { startEditor } from './editor.ts';
import { type EditorVersion, editors, installEditor } from './editorServer.ts';
import { projectFolder as cwd, startFolder } from './folders.ts';
import { foreground } from './processes.ts';

const titles = {
  check: 'types, format and lint',
  build: 'build',
  unit: 'unit tests',
  host: `host tests, VS Code ${editors.oldest.vscode} and ${editors.newest.vscode}`,
  ui: 'UI tests',
};
type Level = keyof typeof titles;

/** Runs the levels in this order (of `files`, or of all test files) and prints what each took. Gives the exit code. */
export async function runLevels(
  levels: readonly Level[],
  commands: Readonly<Partial<Record<Level, Command>>>,
  files: readonly string[],
  stop: AbortSignal,
): Promise<number> {
  const run: Readonly<Record<Level, Command>> = { check: none, build: none, unit, host, ui, ...commands };
  // Needs the network and little of the processor: the first levels run meanwhile.
  const installing = levels.some((level) => level === 'host' || level === 'ui') ? installAll() : undefined;
  const failed: string[] = [];
  for (const level of levels) {
    if (stop.aborted) return 130;
    const started = Date.now();
    console.log(`── ${titles[level]}`);
    if (level === 'host' || level === 'ui') await installing;
    const code = await run[level](files, stop).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return 1;
    });
    if (code !== 0) failed.push(titles[level]);
    console.log(`── ${titles[level]}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds(Date.now() - started)} s\n`);
  }
  if (stop.aborted) return 130;
  console.log(failed.length === 0 ? 'All passed.' : `FAILED: ${failed.join('; ')}.`);
  return failed.length === 0 ? 0 : 1;
}

async function none(): Promise<number> {
  return 0;
}

/** A failure shows when a level needs what is missing. */
async function installAll(): Promise<void> {
  await Promise.allSettled([installEditor('oldest'), installEditor('newest')]);
  findBrowser();
}

function unit(files: readonly string[], stop: AbortSignal): Promise<number> {
  return mocha(files, 'test/unit/**/*.test.ts', ['--require', 'test/support/mochaHooks.ts'], stop);
}

/** In CI a test of an editor gets a second try, since its machines stall; mochaHooks.ts prints each one that needed it. */
const retries = process.env.CI ? 1 : 0;

function ui(files: readonly string[], stop: AbortSignal): Promise<number> {
  const hooks = ['--require', 'test/support/mochaHooks.ts', '--require', 'test/support/editor.ts'];
  return mocha(files, 'test/ui/*.test.ts', [...hooks, '--retries', `${retries}`], stop);
}

/** mocha over test files in plain Node, in as many processes as there are processors; the large files begin. */
function mocha(some: readonly string[], all: string, options: readonly string[], stop: AbortSignal): Promise<number> {
  const size = (file: string) => statSync(join(cwd, file)).size;
  const files = some.length > 0 ? some : globSync(all, { cwd }).sort((a, b) => size(b) - size(a));
  const jobs = files.length > 1 ? ['--parallel', '--jobs', String(Math.min(2, availableParallelism()))] : [];
  const reporter = some.length > 0 ? 'spec' : 'dot';
  const [ofTest, ofLevel] = process.env.TEST_FULL ? [1_200_000, 3_600_000] : [60_000, 480_000];
  // The editor's server and the browser are kept for all files of a process: nothing else ends them.
  const common = ['--exit', '--timeout', `${ofTest}`, '--no-color', '--reporter', reporter];
  return foreground('mocha', [...common, ...jobs, ...options, ...files], stop, { cwd, timeout: ofLevel });
}

/** Host tests whose subject is the same whatever the editor's version is: nodes, networks, and forged arguments. */
const newestOnly = ['commandArguments', 'dialects', 'endpoints', 'faults'];

/** The tests of test/host in the extension host of both editors at once, or of the desktop editor of `VSCODE_VERSION`. */
async function host(some: readonly string[], stop: AbortSignal): Promise<number> {
  const all = globSync('test/host/*.test.ts', { cwd });
  const desktop = process.env.VSCODE_VERSION;
  if (desktop) return hostOnDesktop(desktop, some.length > 0 ? some : all);
  const files = some.length > 0 ? some : all;
  const onBoth = some.length > 0 ? some : all.filter((file) => !newestOnly.includes(basename(file, '.test.ts')));
  return Math.max(...(await Promise.all([hostOn('newest', files, stop), hostOn('oldest', onBoth, stop)])));
}

/** Milliseconds after which the host tests are ended, each editor's for itself. */
const hostTime = 240_000;

/** Our own editor, in a browser without a window. What the tests print is shown at once, marked with the editor's version. */
async function hostOn(version: EditorVersion, files: readonly string[], stop: AbortSignal): Promise<number> {
  const print = (text: string) => console.log(text.replaceAll(/^/gm, `${editors[version].vscode} │ `));
  const editor = await startEditor({
    version,
    alone: true,
    testsPath: await bundleHostTests(files, join(cwd, '.cache/host-tests', version)),
    env: { TEST_RETRIES: `${retries}` },
    onLog: (line) => isNoise(line) || print(line),
  });
  const late = AbortSignal.any([stop, AbortSignal.timeout(hostTime)]);
  const aborted = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)));
  try {
    const code = await Promise.race([editor.exited, aborted]);
    if (code === undefined && !stop.aborted) print(`Not ended after ${hostTime / 1000} s.`);
    return code ?? 1;
  } finally {
    await editor.dispose();
  }
}

/** `desktop` is a version, which is downloaded, or the path of an editor's executable. */
async function hostOnDesktop(desktop: string, files: readonly string[]): Promise<number> {
  const { runTests } = await import('@vscode/test-electron');
  const data = startFolder('desktop');
  const folders = ['--user-data-dir', join(data.path, 'user'), '--extensions-dir', join(data.path, 'extensions')];
  return runTests({
    ...(existsSync(desktop) ? { vscodeExecutablePath: desktop } : { version: desktop }),
    extensionDevelopmentPath: cwd,
    extensionTestsPath: await bundleHostTests(files, join(cwd, '.cache/host-tests/desktop')),
    launchArgs: [data.path, ...folders],
  }).finally(data.dispose);
}

/**
 * What the editor logs about itself: that its native modules are not built (see editorServer.ts), that it connects, that
 * there is no extension gallery, and listeners of its own.
 */
function isNoise(line: string): boolean {
  const words =
    /bindings file|watchdog|connection token|Creating a socket|open-vsx|\[Service Worker\]|ChatSession|MCP migration|workbench contribution|authentication provider|workbench\.js:|listener LEAK/i;
  return words.test(line) || line.trim() === '' || /^(\[\w+[:\]-]|Updating additional|Loading development)/.test(line);
}

/** Bundles host tests and their runner, as the extension host loads CommonJS. Gives the runner's path. */
async function bundleHostTests(files: readonly string[], outdir: string): Promise<string> {
  await rm(outdir, { recursive: true, force: true });
  await bundle({
    absWorkingDir: cwd,
    entryPoints: ['test/support/hostTests.ts', ...files],
    outbase: 'test',
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    logLevel: 'warning',
    external: ['vscode', 'mocha'],
    plugins: [sourceLocations],
  });
  return join(outdir, 'support/hostTests.cjs');
}

/** In a CommonJS bundle `import.meta` is empty: the location of each source is written in. */
const sourceLocations: Plugin = {
  name: 'source-locations',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.main', 'false')
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
