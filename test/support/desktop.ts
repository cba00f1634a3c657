import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, startFolder } from './folders.ts';
import { foreground } from './processes.ts';

/** Opens the installed VS Code with the extension, in a profile of its own, until its window is closed or `stop`. */
export async function startDesktop(stop: AbortSignal): Promise<number> {
  if (spawnSync('code', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).error) {
    console.error('No `code` was found on the PATH: install VS Code, or run `npm start` without --desktop.');
    return 1;
  }
  const folder = startFolder('desktop');
  const workspace = join(folder.path, 'workspace');
  mkdirSync(workspace);
  try {
    console.log('Chain Inspector is open in VS Code. Close its window or press Ctrl+C to end it.');
    const own = ['--user-data-dir', join(folder.path, 'user'), '--extensions-dir', join(folder.path, 'extensions')];
    const shown = ['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'];
    const code = await foreground(
      'code',
      [`--extensionDevelopmentPath=${projectFolder}`, ...own, ...shown, workspace],
      stop,
    );
    return stop.aborted ? 0 : code;
  } finally {
    endProcessesOf(folder.path);
    folder.dispose();
  }
}

/** The `code` command only asks the editor to start; the editor's own processes are known by the folder that is theirs. */
function endProcessesOf(folder: string): void {
  if (process.platform === 'win32') return;
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' });
  for (const line of stdout.split('\n').filter((text) => text.includes(folder))) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGTERM');
    } catch {
      // It has just ended.
    }
  }
}
