import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEditorServer } from './editorServer.ts';
import { projectFolder, startFolder } from './folders.ts';
import { foreground } from './processes.ts';

/** The options of `npm start`. Throws for any other option. */
export function readStartOptions(args: readonly string[]) {
  const isFlag = { type: 'boolean', default: false } as const;
  return parseArgs({ args: [...args], options: { browser: isFlag, desktop: isFlag } }).values;
}

/**
 * `npm start`: the editor with the extension on the sample chain, until Ctrl+C. The installed VS Code if there is a
 * display and `code`, otherwise one in the browser. `--desktop` and `--browser` choose.
 */
export async function start(
  { browser, desktop }: ReturnType<typeof readStartOptions>,
  stop: AbortSignal,
): Promise<number> {
  if (!browser && (desktop || (hasDisplay() && hasCode()))) return startDesktop(stop);
  console.log('Starting VS Code for the browser…');
  const server = await startEditorServer({ graceSeconds: 600, linked: projectFolder });
  try {
    const address = server.address(await server.reset());
    console.log(`Chain Inspector is open at\n\n  ${address}\n\nPress Ctrl+C to end it.`);
    openAddress(address);
    if (!stop.aborted) await Promise.race([once(stop, 'abort'), server.exited]);
    return stop.aborted ? 0 : 1;
  } finally {
    await server.dispose();
  }
}

function hasDisplay(): boolean {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const isAlways = process.platform === 'darwin' || process.platform === 'win32';
  return !CI && (isAlways || Boolean(DISPLAY || WAYLAND_DISPLAY));
}

function hasCode(): boolean {
  return spawnSync('code', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0;
}

/** Opens the address if there is a desktop. The browser belongs to the user, and stays open. */
function openAddress(address: string): void {
  if (!hasDisplay()) return;
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };
  const child = spawn(openers[process.platform] ?? 'xdg-open', [address], { detached: true, stdio: 'ignore' });
  child.on('error', () => {}); // The address is printed as well.
  child.unref();
}

/**
 * Opens the installed VS Code with the extension, in a separate profile, until its window is closed or `stop` is
 * aborted.
 */
async function startDesktop(stop: AbortSignal): Promise<number> {
  if (!hasCode()) {
    console.error('No `code` was found on the PATH: install VS Code, or run `npm start -- --browser`.');
    return 1;
  }
  const folder = startFolder('desktop');
  const workspace = join(folder.path, 'workspace');
  mkdirSync(workspace);
  try {
    console.log('Chain Inspector is open in VS Code. Close its window or press Ctrl+C to end it.');
    const own = ['--user-data-dir', join(folder.path, 'user'), '--extensions-dir', join(folder.path, 'extensions')];
    const quiet = ['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'];
    const args = [`--extensionDevelopmentPath=${projectFolder}`, ...own, ...quiet, workspace];
    const code = await foreground('code', args, stop);
    return stop.aborted ? 0 : code;
  } finally {
    endProcessesOf(folder.path);
    folder.dispose();
  }
}

/**
 * Ends the editor's processes, found by the folder of their profile. The `code` command itself only asks the editor to
 * start.
 */
function endProcessesOf(folder: string): void {
  if (process.platform === 'win32') return;
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' });
  for (const line of stdout.split('\n').filter((text) => text.includes(folder))) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGTERM');
    } catch {
      // The process has just ended.
    }
  }
}
