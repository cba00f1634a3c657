import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listen } from './servers.ts';

/** The companion extension that runs in the editor (see its own file). */
export const driverFolder = join(import.meta.dirname, '../fixtures/editorDriver');

export type EditorDriver = Awaited<ReturnType<typeof startEditorDriver>>;

/** What hostile input did to the extension host: its longest time in ms without a pause, beside that of a fixed work; runs of `editorDriver.canary`. */
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
    /** What the editor's process must have in its environment. */
    env: { EDITOR_DRIVER_PORT: String(port) },
    isConnected: () => current !== undefined,
    /** Changes user settings; null resets one to its default. Resolves when the editor has applied them. */
    async settings(changes: Readonly<Record<string, unknown>>): Promise<void> {
      await call('settings', [changes]);
    },
    /** Calls a command by its id, in the extension host, and gives its result as JSON text. Rejects as the command does. */
    execute: (command: string, ...args: readonly unknown[]) => call('execute', [command, ...args]),
    /** What happened since the last call. */
    harm: async (): Promise<Harm> => JSON.parse((await call('harm', [])) ?? '{}'),
    /** Leaves the extension host of a window that was closed; calls wait for that of the next one. */
    disconnect,
    dispose(): void {
      disconnect();
      server.close();
    },
  };
}
