import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startFolder } from './folders.ts';
import { runProcess, startProcess } from './processes.ts';

/** The editors of the tests. The npm package `code-server` contains the whole of VS Code. */
export const editors = {
  oldest: { codeServer: '4.105.1', vscode: '1.105', node: '22' },
  newest: { codeServer: '4.139.1', vscode: '1.139', node: '24' },
} as const;

export type EditorVersion = keyof typeof editors;

/** The folder of installed editors: `CHAIN_INSPECTOR_CACHE`, otherwise the user's cache folder. */
export function cacheFolder(): string {
  const { CHAIN_INSPECTOR_CACHE, XDG_CACHE_HOME } = process.env;
  return CHAIN_INSPECTOR_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'chain-inspector');
}

/**
 * Gives an editor, from the cache if possible. Installs it beside, and renames it when it is complete. So half an
 * install never counts, and two at once do not disturb each other. Resolves with its Node and the script of its server.
 */
export async function installEditor(version: EditorVersion) {
  const { codeServer, node } = editors[version];
  const folder = join(cacheFolder(), `code-server-${codeServer}-node-${node}`);
  if (!existsSync(folder)) {
    console.error(`Installing VS Code ${editors[version].vscode} (once, into ${cacheFolder()})…`);
    await mkdir(cacheFolder(), { recursive: true });
    const aside = await mkdtemp(`${folder}.part-`);
    try {
      await install(version, aside);
      await rename(aside, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error; // otherwise another process was faster
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
  // Install scripts would build native modules with a compiler. The editor works without them.
  await npm(folder, ['install', `code-server@${codeServer}`, `node@${node}`, '--ignore-scripts']);
  await runProcess(process.execPath, ['installArchSpecificPackage'], {
    cwd: join(folder, 'node_modules', 'node'),
    env: npmEnv(),
  });
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await mendWatcher(vscode);
  await npm(vscode, ['install', '--omit=dev', '--ignore-scripts']);
}

/**
 * Mends the dependencies of code-server 4.105.1. Its shrinkwrap takes `@parcel/watcher` from a git host, and the
 * registry has the same package.
 */
async function mendWatcher(vscode: string): Promise<void> {
  const file = join(vscode, 'package.json');
  const text = await readFile(file, 'utf8');
  const mended = text.replace(/("@parcel\/watcher": ")[^"]*#[^"]*"/, '$1^2.5.1"');
  if (mended === text) return;
  await writeFile(file, mended);
  await rename(join(vscode, 'npm-shrinkwrap.json'), join(vscode, 'npm-shrinkwrap.json.aside'));
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const cli = process.env.npm_execpath;
  const [command, first] = cli && existsSync(cli) ? [process.execPath, [cli]] : ['npm', []];
  await runProcess(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env: npmEnv(),
    timeout: 600_000,
  });
}

/** The environment without variables of `npm run`, which a second npm would misread. */
function npmEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local_prefix)/.test(name)),
  );
}

export type Settings = Readonly<Record<string, unknown>>;

export interface ServerOptions {
  readonly version?: EditorVersion;
  /** A packaged extension to install first. */
  readonly vsix?: string;
  /** The folder of an extension to copy into the folder of installed extensions. */
  readonly installed?: string | undefined;
  /** The folder of an extension to link there. The editor then has no driver, as for a person. */
  readonly linked?: string;
  /**
   * The time that the extension host outlives its page. Short for tests, where the next page is a new one. In seconds.
   */
  readonly graceSeconds?: number;
  /** Added to this process's environment. Extensions see it as `process.env`. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Profile {
  /** User settings, added to the quiet ones below. */
  readonly settings?: Settings | undefined;
  /** The folder to open. If absent, a new empty one that is removed at the end. */
  readonly workspace?: string | undefined;
}

export type EditorServer = Awaited<ReturnType<typeof startEditorServer>>;

/**
 * Settings without questions, greetings and network requests. A box stays open without focus, and no hover covers a
 * row. None of them is one that an editor replaces at its start, since it would write the file beside the tests.
 */
export const quietSettings: Settings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'workbench.quickOpen.closeOnFocusLost': false,
  'workbench.hover.delay': 1_000_000,
  'remote.autoForwardPorts': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
};

/**
 * Links the editor's own extensions that its page needs: JSON and themes. With all others, mostly languages, a window
 * takes twice as long to start.
 */
async function linkOwnExtensions(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    const manifest = await readFile(join(from, name, 'package.json'), 'utf8').catch(() => '{}');
    if ('browser' in JSON.parse(manifest) || /^(json|theme-(defaults|seti))$/.test(name))
      await symlink(join(from, name), join(to, name), 'junction');
  }
}

/** Starts the editor for a browser, on a free port of this machine. Rejects with its output if that fails. */
export async function startEditorServer(options: ServerOptions = {}) {
  const { node, server } = await installEditor(options.version ?? 'newest');
  const folder = startFolder('editor');
  const path = (name: string) => join(folder.path, name);
  const userData = path('user');
  // At its first start, the editor treats everything in this folder as installed.
  if (options.installed) await cp(options.installed, path('extensions/installed-0.0.1'), { recursive: true });
  if (options.linked) {
    await mkdir(path('extensions'));
    await symlink(options.linked, path('extensions/linked-0.0.1'));
  }
  let windows = 0;
  /**
   * Removes the data of users and extensions, and writes settings. No window may be open. Resolves with the workspace.
   */
  const reset = async ({ settings, workspace }: Profile = {}) => {
    for (const scope of ['User', 'Machine'])
      await rm(join(userData, scope), { recursive: true, force: true, maxRetries: 10 });
    await mkdir(join(userData, 'User'), { recursive: true });
    await writeFile(join(userData, 'User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
    if (workspace !== undefined) return workspace;
    windows++;
    await mkdir(path(`workspace${windows}`));
    return path(`workspace${windows}`);
  };
  await mkdir(path('extensions'), { recursive: true });
  await linkOwnExtensions(join(server, '../../extensions'), path('own'));

  const env = { ...process.env, ...options.env };
  const data = [
    ...['--extensions-dir', path('extensions'), '--user-data-dir', userData],
    ...['--server-data-dir', path('server')],
    ...(options.linked ? [] : ['--builtin-extensions-dir', path('own')]),
  ];
  if (options.vsix !== undefined) {
    const install = [server, '--accept-server-license-terms', '--install-extension', options.vsix, ...data];
    await runProcess(node, install, { env, timeout: 120_000 });
  }
  const running = startProcess(
    node,
    [
      ...[server, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
      // The payload of the address needs the driver. Without a short grace time, the extension host of a closed page
      // would live for hours.
      ...(options.linked ? [] : ['--enable-smoke-test-driver']),
      ...['--reconnection-grace-time', String(options.graceSeconds ?? 2)],
      ...['--telemetry-level', 'off', ...data],
    ],
    { env },
  );
  const dispose = async () => {
    await running.dispose();
    folder.dispose();
  };
  const [, port] = await running.printed(/Web UI available at \S+:(\d+)/, 60_000).catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
  const host = `127.0.0.1:${port}`;
  /**
   * The address that shows the workspace with an extension from its folder. With `testsPath`, it also runs a test
   * runner in the extension host. Any browser can open it.
   */
  const address = (shown: string, extensionPath?: string, testsPath?: string): string => {
    const payload = Object.entries({ extensionDevelopmentPath: extensionPath, extensionTestsPath: testsPath })
      .filter(([, path]) => path !== undefined)
      .map(([name, path]) => [name, `vscode-remote://${host}${path}`]);
    const query = new URLSearchParams({ folder: shown });
    if (payload.length > 0) query.set('payload', JSON.stringify(payload));
    return `http://${host}/?${query}`;
  };
  // `exited` settles if the server ends by itself.
  return { origin: `http://${host}`, userData, reset, address, exited: running.exited, dispose };
}
