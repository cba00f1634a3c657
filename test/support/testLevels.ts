import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from './atOnce.ts';
import { type Counts, sumOf } from './counts.ts';
import { projectFolder, startFolder } from './folders.ts';
import { bundleHostTests } from './hostBundle.ts';
import { foreground } from './processes.ts';

/** A script of this folder that runs tests: it takes the name of a file for its counts, and then these. */
type Part = readonly [script: 'nodeTests.ts' | 'hostLevel.ts', ...args: readonly string[]];

/**
 * The tests of test/unit or test/ui (or only these files of them) in Node processes of their own: for the UI, one for
 * each file; of the others, one for each sixth. They begin with the last, as the longest stand there.
 */
export async function runNodeLevel(level: 'unit' | 'ui', files: readonly string[], stop: AbortSignal): Promise<Counts> {
  const all = files.length > 0 ? files : globSync(`test/${level}/**/*.test.ts`, { cwd: projectFolder }).sort();
  if (all.length === 0) throw new Error(`No test files were found (test/${level}/**/*.test.ts).`);
  const paths = all.map((file) => join(projectFolder, file)).reverse();
  const size = level === 'ui' ? 1 : Math.ceil(paths.length / 6);
  const starts = paths.flatMap((_path, at) => (at % size === 0 ? [at] : []));
  return runParts(
    starts.map((at) => ['nodeTests.ts', ...paths.slice(at, at + size)]),
    stop,
  );
}

/**
 * The tests of test/host inside the extension host of each of these editors: `oldest` or `newest` of ours, or one for
 * the desktop, by its version (downloaded) or by its executable's path.
 */
export async function runHostLevel(
  editors: readonly string[],
  files: readonly string[],
  stop: AbortSignal,
): Promise<Counts> {
  const { folder, runner } = await bundleHostTests(files);
  return runParts(
    editors.map((editor) => ['hostLevel.ts', folder, runner, editor]),
    stop,
  );
}

/** Two at a time. What one of several prints is shown when it has ended, so that it stands together. */
async function runParts(parts: readonly Part[], stop: AbortSignal): Promise<Counts> {
  const output = parts.length > 1 ? 'together' : 'inherit';
  const counts = await atOnce(
    parts.map(([script, ...args]) => async () => {
      if (stop.aborted) return { passed: 0, failed: 0, skipped: 0 };
      return withResults((results) => {
        const command = [join(import.meta.dirname, script), results, ...args];
        return foreground(process.execPath, command, stop, { cwd: projectFolder, timeout: 1_800_000, output });
      }).catch((error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
        return { passed: 0, failed: 1, skipped: 0 };
      });
    }),
  );
  return sumOf(counts);
}

/** Runs something that writes counts to a file. A bad end without a failed test, or without a word, is a failure too. */
async function withResults(run: (resultsFile: string) => Promise<number>): Promise<Counts> {
  const folder = startFolder('results');
  try {
    const file = join(folder.path, 'results.json');
    const code = await run(file).catch(() => 1);
    if (!existsSync(file)) throw new Error(`The tests ended before they were done (exit code ${code}).`);
    const counts: Counts = JSON.parse(readFileSync(file, 'utf8'));
    return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } finally {
    folder.dispose();
  }
}
