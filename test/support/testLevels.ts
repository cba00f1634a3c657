// The three levels of tests: unit (plain Node), host (in the extension host), ui (a real editor in a real browser).
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
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
import { Random } from './random.ts';

const titles = {
  check: 'types, format and lint',
  build: 'build',
  unit: 'unit tests',
  host: `host tests, VS Code ${editors.oldest.vscode} and ${editors.newest.vscode}`,
  ui: 'UI tests',
  bench: 'measurements in their smallest forms',
};
type Level = keyof typeof titles;

/**
 * Runs the levels in this order, for `files` or all test files. Prints the time of each, and all failures at the end. A
 * log may keep only the end. Resolves with the exit code.
 */
export async function runLevels(
  levels: readonly Level[],
  commands: Readonly<Partial<Record<Level, Command>>>,
  files: readonly string[],
  stop: AbortSignal,
): Promise<number> {
  const run: Readonly<Partial<Record<Level, Command>>> = { unit, host, ui, ...commands };
  // The install waits for the network, so the first levels run meanwhile.
  const installing = levels.some((level) => level === 'host' || level === 'ui') ? installAll() : undefined;
  const failed: string[] = [];
  process.env.FAILED_TESTS = join(startFolder('failed').path, 'tests');
  for (const level of levels) {
    if (stop.aborted) return 130;
    const started = Date.now();
    console.log(`── ${titles[level]}`);
    if (level === 'host' || level === 'ui') await installing;
    const code = await run[level]?.(files, stop).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      failed.push(`${error}`.slice(0, 300));
      return 1;
    });
    if (code !== 0) failed.push(titles[level]);
    console.log(
      `── ${titles[level]}: ${code === 0 ? 'passed' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
    );
  }
  if (stop.aborted) return 130;
  if (existsSync(process.env.FAILED_TESTS)) console.log(readFileSync(process.env.FAILED_TESTS, 'utf8'));
  console.log(failed.length === 0 ? 'All passed.' : `FAILED: ${failed.join('; ')}.`);
  return failed.length === 0 ? 0 : 1;
}

/** Installs editors. A failure shows when a level needs one. */
async function installAll(): Promise<void> {
  await Promise.allSettled([installEditor('oldest'), installEditor('newest')]);
  findBrowser();
}

/** Larger files tend to take longer. */
function largestFirst(files: readonly string[]): string[] {
  const size = (file: string) => statSync(join(cwd, file)).size;
  return files.toSorted((a, b) => size(b) - size(a));
}

function unit(files: readonly string[], stop: AbortSignal): Promise<number> {
  const all = () => largestFirst(globSync('test/unit/**/*.test.ts', { cwd }));
  const options = ['--reporter', files.length > 0 ? 'spec' : 'dot', '--timeout', '300000'];
  return mocha(files.length > 0 ? files : all(), options, stop);
}

/** The first UI tests: those of views that nobody has used yet, whose window others then get, and the longest. */
const firstOfUi = ['views', 'walkthrough', 'panel'].map((name) => `test/ui/${name}.test.ts`);
/**
 * The last UI tests: those whose window no other test gets, or that need one of their own. Each start costs ten
 * seconds.
 */
const lastOfUi = ['watch', 'hostile', 'endpointsUntrusted'].map((name) => `test/ui/${name}.test.ts`);

/**
 * Runs the other files in a random order, since none depends on another. `ORDER` repeats a printed order. Screenshots
 * are saved if files are named, in `test:full`, and with `SCREENSHOTS=1`.
 */
function ui(files: readonly string[], stop: AbortSignal): Promise<number> {
  // Each wait ends by itself, and says what it waited for. mocha's limit is for other code.
  const options = ['--require', 'test/support/editor.ts', '--timeout', '300000'];
  if (files.length > 0) return mocha(files, options, stop);
  process.env.SCREENSHOTS ??= process.env.TEST_FULL ?? '0';
  const order = Number(process.env.ORDER ?? Date.now() % 1_000_000);
  console.log(`The files run in the order ORDER=${order}`);
  const random = new Random(order);
  const others = globSync('test/ui/*.test.ts', { cwd, exclude: [...firstOfUi, ...lastOfUi] }).sort();
  const places = new Map(others.map((file) => [file, random.below(2 ** 31)]));
  others.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  return mocha([...firstOfUi, ...others, ...lastOfUi], options, stop);
}

/**
 * The time after which a hanging test is named and its level ended: twice the longest time of any test. In seconds. A
 * level as a whole has no limit, since a busy machine may need long.
 */
function patience(): number {
  // A function, since `npm run test:full` sets its variable after this file was loaded.
  return Number(process.env.TEST_PATIENCE ?? (process.env.TEST_FULL ? 2_400 : 600));
}

/** Runs tests that note their names in a folder, and ends them when one hangs. */
async function untilOneHangs(
  run: (folder: string, stop: AbortSignal) => Promise<number>,
  stop: AbortSignal,
): Promise<number> {
  const folder = startFolder('running');
  const hung = new AbortController();
  const isOld = (path: string) => {
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return Date.now() - mtimeMs > patience() * 1000;
  };
  const timer = setInterval(() => {
    const notes = readdirSync(folder.path).map((name) => join(folder.path, name));
    const names = notes.filter(isOld).map((path) => readFileSync(path, 'utf8'));
    if (notes.length === 0 && isOld(folder.path)) names.push('the start of the tests');
    if (names.length === 0 || hung.signal.aborted) return;
    console.error(`Not ended after ${patience()} s: ${names.join('; ')}`);
    hung.abort();
  }, 1_000);
  try {
    const code = await run(folder.path, AbortSignal.any([stop, hung.signal]));
    return hung.signal.aborted ? 1 : code;
  } finally {
    clearInterval(timer);
    folder.dispose();
  }
}

/**
 * Runs mocha in plain Node. Has one process more than there are processors, since tests wait for other programs, time
 * limits and editors.
 */
function mocha(files: readonly string[], options: readonly string[], stop: AbortSignal): Promise<number> {
  // `--exit` since the editor's server and the browser are kept for all files of a process. `--no-diff` since mocha's
  // own diff has the signs the other way round from that of the assertion.
  const common = ['--exit', '--no-color', '--no-diff', '--require', 'test/support/mochaHooks.ts'];
  const full = process.env.TEST_FULL ? ['--timeout', '1200000'] : [];
  const parallel = files.length > 1 ? ['--parallel', '--jobs', `${Math.min(2, availableParallelism()) + 1}`] : [];
  const args = [...common, ...parallel, ...options, ...full, ...files];
  return untilOneHangs((notes, end) => {
    // Compiled code is cached for processes and threads that load the same files.
    const env = { ...process.env, RUNNING_TESTS: notes, NODE_COMPILE_CACHE: join(cwd, '.cache/compiled') };
    return foreground('mocha', args, end, { cwd, env });
  }, stop);
}

/**
 * Host tests whose results depend on the version of the editor: commands, trees, tools, webviews, language features.
 */
const versioned = ['activation', 'agentTools', 'draftRepairs', 'panel', 'trees'];

/**
 * Runs test/host in the extension host of both editors at once, or in the desktop editor of `VSCODE_VERSION`. `npm
 * test` runs files outside `versioned` in only one editor each. `npm run test:full` runs all in both.
 */
async function host(some: readonly string[], stop: AbortSignal): Promise<number> {
  const all = globSync('test/host/*.test.ts', { cwd }).sort();
  const desktop = process.env.VSCODE_VERSION;
  if (desktop) return hostOnDesktop(desktop, some.length > 0 ? some : all);
  const isVersioned = (file: string) => versioned.includes(basename(file, '.test.ts'));
  const others = largestFirst(all.filter((file) => !isVersioned(file)));
  const filesOf = (turn: number) => {
    if (some.length > 0) return some;
    // Takes the first and fourth of four files, or the two between. Both halves take about as long.
    const isOfTurn = (file: string) => [0, 1, 1, 0][others.indexOf(file) % 4] === turn;
    return all.filter((file) => process.env.TEST_FULL || isVersioned(file) || isOfTurn(file));
  };
  return Math.max(...(await Promise.all([hostOn('newest', filesOf(0), stop), hostOn('oldest', filesOf(1), stop)])));
}

/**
 * Runs the tests in our own editor, in a browser without a window. Prints their output at once, marked with the
 * editor's version.
 */
function hostOn(version: EditorVersion, files: readonly string[], stop: AbortSignal): Promise<number> {
  const print = (text: string) => console.log(text.replaceAll(/^/gm, `${editors[version].vscode} │ `));
  return untilOneHangs(async (notes, end) => {
    const editor = await startEditor({
      version,
      alone: true,
      testsPath: await bundleHostTests(files, join(cwd, '.cache/host-tests', version)),
      env: { RUNNING_TESTS: notes, ...(process.env.TEST_FULL ? {} : { HOST_TURN: version === 'newest' ? '0' : '1' }) },
      onLog: (line) => isNoise(line) || print(line),
    });
    const aborted = new Promise<number>((resolve) => end.addEventListener('abort', () => resolve(1)));
    return Promise.race([editor.exited, aborted]).finally(() => editor.dispose());
  }, stop);
}

/** `desktop` is a version to download, or the path of an editor's executable. */
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
 * Whether the editor logs about itself: missing native modules (see editorServer.ts), connections, the missing
 * extension gallery, and its own listeners.
 */
function isNoise(line: string): boolean {
  const words =
    /bindings file|watchdog|connection token|Creating a socket|open-vsx|\[Service Worker\]|ChatSession|MCP migration|workbench contribution|authentication provider|workbench\.js:|listener LEAK/i;
  return words.test(line) || line.trim() === '' || /^(\[\w+[:\]-]|Updating additional|Loading development)/.test(line);
}

/**
 * Bundles host tests and their runner, since the extension host loads CommonJS. Resolves with the path of the runner.
 */
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
    mainFields: ['module', 'main'],
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    logLevel: 'warning',
    external: ['vscode', 'mocha'],
    plugins: [sourceLocations],
  });
  return join(outdir, 'support/hostTests.cjs');
}

/** Writes the location of each source into its code, since `import.meta` is empty in a CommonJS bundle. */
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
