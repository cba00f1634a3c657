import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from './processes.ts';

/** The editors that tests run on: the npm package `code-server` carries the whole of VS Code. */
export const editors = {
  oldest: { codeServer: '4.105.1', vscode: '1.105', node: '22' },
  newest: { codeServer: '4.139.1', vscode: '1.139', node: '24' },
} as const;

export type EditorVersion = keyof typeof editors;

export interface InstalledEditor {
  /** The Node that this editor's server and extension host run on. */
  readonly node: string;
  /** The script that starts the server. */
  readonly server: string;
}

/** Where editors are kept between runs: `CHAIN_INSPECTOR_CACHE`, else the user's cache folder. */
export function cacheFolder(): string {
  const { CHAIN_INSPECTOR_CACHE, XDG_CACHE_HOME } = process.env;
  return CHAIN_INSPECTOR_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'chain-inspector');
}

/**
 * Gives an editor, from the cache when it is there. An install is made aside and renamed into place when it is whole,
 * so half of one never counts, and two at once do not disturb each other. Throws with npm's words when it fails.
 */
export async function installEditor(version: EditorVersion): Promise<InstalledEditor> {
  const { codeServer, node } = editors[version];
  const folder = join(cacheFolder(), `code-server-${codeServer}-node-${node}`);
  if (!existsSync(folder)) {
    console.error(`Installing VS Code ${editors[version].vscode} (once, into ${cacheFolder()})…`);
    await mkdir(cacheFolder(), { recursive: true });
    const aside = await mkdtemp(`${folder}.part-`);
    try {
      await install(version, aside);
      await rename(aside, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error; // else somebody else was faster
      });
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }
  const windows = process.platform === 'win32';
  const ownNode = join(folder, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
  return {
    node: process.versions.node.startsWith(`${node}.`) ? process.execPath : ownNode,
    server: join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

async function install(version: EditorVersion, folder: string): Promise<void> {
  const { codeServer, node } = editors[version];
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  // Install scripts are for native modules, which would need a compiler; the editor works without them.
  await npm(folder, ['install', `code-server@${codeServer}`, `node@${node}`, '--ignore-scripts']);
  await runProcess(process.execPath, ['installArchSpecificPackage'], {
    cwd: join(folder, 'node_modules', 'node'),
    env: npmEnv(),
  });
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await mendWatcher(vscode);
  await npm(vscode, ['install', '--omit=dev', '--ignore-scripts']);
}

/** code-server 4.105.1 wants `@parcel/watcher` from a git host; the registry has the same, but the shrinkwrap insists. */
async function mendWatcher(vscode: string): Promise<void> {
  const file = join(vscode, 'package.json');
  const text = await readFile(file, 'utf8');
  const mended = text.replace(/("@parcel\/watcher": ")[^"]*#[^"]*"/, '$1^2.5.1"');
  if (mended === text) return;
  await writeFile(file, mended);
  await rename(join(vscode, 'npm-shrinkwrap.json'), join(vscode, 'npm-shrinkwrap.json.aside'));
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  const [command, first] = cli && existsSync(cli) ? [process.execPath, [cli]] : ['npm', []];
  await runProcess(command, [...first, ...args, ...quiet], { cwd, env: npmEnv(), timeout: 600_000 });
}

/** Without what `npm run` says about this project, which a second npm would take for its own. */
function npmEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local_prefix)/.test(name)),
  );
}
