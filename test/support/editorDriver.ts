import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listen } from './servers.ts';

/** The companion extension, which runs in the editor. Its own file explains it. */
export const driverFolder = join(import.meta.dirname, '../fixtures/editorDriver');

export type EditorDriver = Awaited<ReturnType<typeof startEditorDriver>>;

/**
 * The harm of hostile input to the extension host: its longest time without a pause, in milliseconds, the time of a
 * fixed piece of work for comparison, and the runs of `editorDriver.canary`.
 */
export interface Harm {
  readonly longestStall: number;
  readonly unit: number;
  readonly canaryRuns: number;
}

/** Listens for the companion extension, which connects when the extension host has started. */
export async function startEditorDriver() {
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
    // A reloaded page has a new extension host. The latest one counts.
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
  const port = await listen(server);

  const call = async (action: string, args: readonly unknown[]) => {
    const answer = Promise.withResolvers<string | undefined>();
    const id = ++last;
    const late = () => answer.reject(new Error(`No answer within 120 s to ${action} ${JSON.stringify(args)}.`));
    const timer = setTimeout(late, 120_000);
    calls.set(id, answer);
    connected.promise.then((socket) => socket.write(`${JSON.stringify({ id, action, args })}\n`), answer.reject);
    return answer.promise.finally(() => clearTimeout(timer));
  };
  return {
    /** Environment variables for the editor's process. */
    env: { EDITOR_DRIVER_PORT: String(port) },
    isConnected: () => current !== undefined,
    /** Changes user settings. Null resets one. Resolves when the editor has applied them. */
    async settings(changes: Readonly<Record<string, unknown>>): Promise<void> {
      await call('settings', [changes]);
    },
    /**
     * Runs a command by its id in the extension host. Resolves with its result as JSON text, and rejects as the command
     * does.
     */
    execute: (command: string, ...args: readonly unknown[]) => call('execute', [command, ...args]),
    /** The harm since the last call. */
    harm: async (): Promise<Harm> => JSON.parse((await call('harm', [])) ?? '{}'),
    /** Leaves the extension host of a closed window. Calls wait for that of the next window. */
    disconnect,
    dispose(): void {
      disconnect();
      server.close();
    },
  };
}
