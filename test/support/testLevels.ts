import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import type { EditorVersion } from './editorInstall.ts';
import { foreground } from './foreground.ts';
import { bundleHostTests } from './hostBundle.ts';
import type { Counts } from './mochaRun.ts';
import { projectFolder } from './projectFolder.ts';
import { startFolder } from './startFolder.ts';

/** The tests of test/unit or test/ui (or only these files of them) in a Node process of their own. */
export async function runNodeLevel(level: 'unit' | 'ui', files: readonly string[], stop: AbortSignal): Promise<Counts> {
  const all = files.length > 0 ? files : globSync(`test/${level}/**/*.test.ts`, { cwd: projectFolder }).sort();
  if (all.length === 0) throw new Error(`No test files were found (test/${level}/**/*.test.ts).`);
  return withResults(async (results) => {
    const runner = join(import.meta.dirname, 'nodeTests.ts');
    const paths = all.map((file) => join(projectFolder, file));
    return foreground(process.execPath, [runner, results, ...paths], stop, { cwd: projectFolder, timeout: 1_800_000 });
  });
}

/** Which editor: one of ours, or one for the desktop, by its version (downloaded) or by its executable's path. */
type HostEditor = { readonly version: EditorVersion } | { readonly desktop: string };

/** The tests of test/host inside the extension host of an editor. */
export async function runHostLevel(editor: HostEditor, files: readonly string[], stop: AbortSignal): Promise<Counts> {
  const { folder, runner } = await bundleHostTests(files);
  const data = startFolder('host');
  const common = {
    extensionDevelopmentPath: projectFolder,
    extensionTestsPath: runner,
    launchArgs: [
      data.path,
      '--user-data-dir',
      join(data.path, 'user'),
      '--extensions-dir',
      join(data.path, 'extensions'),
    ],
  };
  try {
    return await withResults(async (results) => {
      const env = { HOST_TESTS_FOLDER: folder, HOST_TESTS_RESULTS: results };
      if (stop.aborted) return 1;
      if ('version' in editor) {
        const vscodeExecutablePath = join(import.meta.dirname, 'hostEditor.ts');
        const extensionTestsEnv = { ...env, HOST_TESTS_EDITOR: editor.version };
        return runTests({ ...common, vscodeExecutablePath, extensionTestsEnv });
      }
      const which = existsSync(editor.desktop) ? { vscodeExecutablePath: editor.desktop } : { version: editor.desktop };
      return runTests({ ...common, ...which, extensionTestsEnv: env });
    });
  } finally {
    data.dispose();
  }
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
