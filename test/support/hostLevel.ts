import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { projectFolder, startFolder } from './folders.ts';

// The tests of test/host in one editor: `node hostLevel.ts RESULTS FOLDER RUNNER EDITOR`. FOLDER and RUNNER are those of
// hostBundle.ts; EDITOR is `oldest` or `newest` of ours, or one for the desktop, by its version (downloaded) or its path.

const [results = '', folder = '', runner = '', editor = ''] = process.argv.slice(2);
const data = startFolder('host');
// What is to be removed and ended is so when this process exits, not when a signal ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const own = editor === 'oldest' || editor === 'newest';
const which = own
  ? { vscodeExecutablePath: join(import.meta.dirname, 'hostEditor.ts') }
  : existsSync(editor)
    ? { vscodeExecutablePath: editor }
    : { version: editor };
const folders = ['--user-data-dir', join(data.path, 'user'), '--extensions-dir', join(data.path, 'extensions')];
try {
  process.exitCode = await runTests({
    ...which,
    extensionDevelopmentPath: projectFolder,
    extensionTestsPath: runner,
    launchArgs: [data.path, ...folders],
    extensionTestsEnv: { HOST_TESTS_FOLDER: folder, HOST_TESTS_RESULTS: results, HOST_TESTS_EDITOR: editor },
  });
} finally {
  data.dispose();
}
