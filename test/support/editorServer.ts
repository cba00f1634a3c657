import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EditorVersion, installEditor } from './editorInstall.ts';
import { startFolder } from './folders.ts';
import { runProcess, startProcess } from './processes.ts';

export type Settings = Readonly<Record<string, unknown>>;

export interface ServerOptions {
  readonly version?: EditorVersion;
  /** User settings, on top of the quiet ones below; a value of undefined leaves a quiet one out. */
  readonly settings?: Settings;
  /** A packaged extension to install first. */
  readonly vsix?: string;
  /** The folder of an extension that is simply there, as if it were installed. */
  readonly installed?: string | undefined;
  /** Where settings and state live; a fresh folder, removed at the end, when it is not said. */
  readonly userDataDir?: string;
  /** The folder that is opened; a fresh and empty one, removed at the end, when it is not said. */
  readonly workspace?: string;
  /** How long the extension host outlives the loss of its page; short for tests, where the next page is a new one. */
  readonly graceSeconds?: number;
  /** On top of this process's environment; extensions see it as `process.env`. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface EditorServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly workspace: string;
  /**
   * The address that shows the workspace with an extension loaded from its folder, and with `testsPath` runs a test
   * runner in the extension host. Any browser can open it.
   */
  address(extensionPath?: string, testsPath?: string): string;
  /** Settles when the server has ended by itself. */
  readonly exited: Promise<number>;
  dispose(): Promise<void>;
}

/** No questions, no greetings and nothing asked of the network. */
const quietSettings: Settings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'remote.autoForwardPorts': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
};

/** Starts the editor that a browser shows, on a free port of this machine. Throws with its output when it fails. */
export async function startEditorServer(options: ServerOptions = {}): Promise<EditorServer> {
  const { node, server } = await installEditor(options.version ?? 'newest');
  const folder = startFolder('editor');
  const userData = options.userDataDir ?? join(folder.path, 'user');
  const workspace = options.workspace ?? join(folder.path, 'workspace');
  const extensions = join(folder.path, 'extensions');
  for (const path of [join(userData, 'User'), workspace, extensions]) mkdirSync(path, { recursive: true });
  writeFileSync(
    join(userData, 'User', 'settings.json'),
    JSON.stringify({ ...quietSettings, ...options.settings }, undefined, 2),
  );

  // The editor takes what it finds in this folder for installed when it starts on it for the first time.
  if (options.installed) cpSync(options.installed, join(extensions, 'installed-0.0.1'), { recursive: true });

  const env = { ...process.env, ...options.env };
  const folders = ['--extensions-dir', extensions, '--user-data-dir', userData];
  const data = [...folders, '--server-data-dir', join(folder.path, 'server')];
  if (options.vsix !== undefined) {
    const install = [server, '--accept-server-license-terms', '--install-extension', options.vsix, ...data];
    await runProcess(node, install, { env, timeout: 120_000 });
  }
  const running = startProcess(
    node,
    [
      ...[server, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
      // Without the driver the payload of the address is ignored; without the short grace time the extension host of
      // a closed page lives on for hours.
      ...['--enable-smoke-test-driver', '--reconnection-grace-time', String(options.graceSeconds ?? 2)],
      ...['--telemetry-level', 'off', ...data],
    ],
    { env },
  );
  const dispose = async () => {
    await running.dispose();
    folder.dispose();
  };
  try {
    const port = await portOf(running.child.stdout, running.exited, running.output);
    const host = `127.0.0.1:${port}`;
    return {
      origin: `http://${host}`,
      workspace,
      address(extensionPath, testsPath) {
        const payload = Object.entries({ extensionDevelopmentPath: extensionPath, extensionTestsPath: testsPath })
          .filter(([, path]) => path !== undefined)
          .map(([name, path]) => [name, `vscode-remote://${host}${path}`]);
        const query = new URLSearchParams({ folder: workspace });
        if (payload.length > 0) query.set('payload', JSON.stringify(payload));
        return `http://${host}/?${query}`;
      },
      exited: running.exited,
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The server says on which port it listens once it is ready. */
async function portOf(
  stdout: NodeJS.ReadableStream | null,
  exited: Promise<number>,
  output: () => string,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const failed = (reason: string) => reject(new Error(`The editor did not start (${reason}):\n${output()}`));
  const timer = setTimeout(() => failed('no word within 60 s'), 60_000);
  const look = () => {
    const port = /Web UI available at \S+:(\d+)/.exec(output())?.[1];
    if (port !== undefined) resolve(port);
  };
  stdout?.on('data', look);
  exited.then(
    (code) => failed(`exit code ${code}`),
    (error: unknown) => failed(String(error)),
  );
  return promise.finally(() => {
    clearTimeout(timer);
    stdout?.off('data', look);
  });
}
