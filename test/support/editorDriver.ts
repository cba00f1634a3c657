import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The companion extension that runs in the editor (see its own file). */
export const driverFolder = join(import.meta.dirname, 'editorDriver');

export interface EditorDriver {
  /** What the editor's process must have in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Changes user settings; null resets one to its default. Resolves when the editor has applied them. */
  settings(changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Calls a command by its id, in the extension host, and gives its result as JSON text. Rejects as the command does. */
  execute(command: string, ...args: readonly unknown[]): Promise<string | undefined>;
  /** The longest time in ms that the extension host was busy without a pause, and how often `editorDriver.canary` ran, since the last call. */
  harm(): Promise<Harm>;
  /** Leaves the extension host of a window that was closed; calls wait for that of the next one. */
  disconnect(): void;
  dispose(): void;
}

/** What hostile input could do to the extension host. */
export interface Harm {
  readonly longestStall: number;
  readonly canaryRuns: number;
}

/** Listens for the companion extension, which connects when the extension host has started. */
export async function startEditorDriver(): Promise<EditorDriver> {
  const calls = new Map<number, { resolve(result: string | undefined): void; reject(error: Error): void }>();
  let connected = Promise.withResolvers<Socket>();
  let current: Socket | undefined;
  let last = 0;
  const disconnect = () => {
    if (current) connected = Promise.withResolvers();
    current?.destroy();
    current = undefined;
  };
  const server = createServer((socket) => {
    // A page that is loaded again has a new extension host; the latest counts.
    disconnect();
    current = socket;
    connected.resolve(socket);
    socket.on('error', () => {});
    socket.on('close', () => current === socket && disconnect());
    createInterface({ input: socket }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      if (error === undefined) calls.get(id)?.resolve(result);
      else calls.get(id)?.reject(new Error(error));
      calls.delete(id);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();

  const call = async (action: string, args: readonly unknown[]) => {
    const answer = Promise.withResolvers<string | undefined>();
    const id = ++last;
    const late = () => answer.reject(new Error(`No answer within 30 s to ${action} ${JSON.stringify(args)}.`));
    const timer = setTimeout(late, 30_000);
    calls.set(id, answer);
    connected.promise.then((socket) => socket.write(`${JSON.stringify({ id, action, args })}\n`), answer.reject);
    return answer.promise.finally(() => clearTimeout(timer));
  };
  return {
    env: { EDITOR_DRIVER_PORT: String(typeof address === 'object' ? address?.port : undefined) },
    async settings(changes) {
      await call('settings', [changes]);
    },
    execute: (command, ...args) => call('execute', [command, ...args]),
    harm: async () => JSON.parse((await call('harm', [])) ?? '{}'),
    disconnect,
    dispose() {
      disconnect();
      server.close();
    },
  };
}
