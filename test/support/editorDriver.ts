import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The companion extension that runs in the editor (see its own file). */
export const driverFolder = join(import.meta.dirname, 'editorDriver');

export interface EditorDriver {
  /** What the editor's process must have in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Changes user settings; null takes one back to its default. Resolves when the editor has taken them up. */
  settings(changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Calls a command by its id, in the extension host, and gives its result as JSON text. Rejects as the command does. */
  execute(command: string, ...args: readonly unknown[]): Promise<string | undefined>;
  dispose(): void;
}

/** Listens for the companion extension, which connects when the extension host has started. */
export async function startEditorDriver(): Promise<EditorDriver> {
  const waiting = new Map<number, { resolve(result: string | undefined): void; reject(error: Error): void }>();
  let connected = Promise.withResolvers<Socket>();
  let last = 0;
  const server = createServer((socket) => {
    // A page that is loaded again has a new extension host; the latest counts.
    connected.resolve(socket);
    const mine = Promise.withResolvers<Socket>();
    mine.resolve(socket);
    connected = mine;
    socket.on('error', () => {});
    socket.on('close', () => {
      if (connected === mine) connected = Promise.withResolvers<Socket>();
    });
    createInterface({ input: socket }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(error));
      waiting.delete(id);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const call = async (action: string, args: readonly unknown[]) => {
    const answer = Promise.withResolvers<string | undefined>();
    const id = ++last;
    const late = () => answer.reject(new Error(`No answer within 60 s to ${action} ${JSON.stringify(args)}.`));
    const timer = setTimeout(late, 60_000);
    waiting.set(id, answer);
    const sent = connected.promise.then((socket) => socket.write(`${JSON.stringify({ id, action, args })}\n`));
    sent.catch(answer.reject);
    return answer.promise.finally(() => clearTimeout(timer));
  };
  return {
    env: { EDITOR_DRIVER_PORT: String(port) },
    async settings(changes) {
      await call('settings', [changes]);
    },
    execute: (command, ...args) => call('execute', [command, ...args]),
    dispose() {
      connected.promise.then((socket) => socket.destroy());
      server.close();
    },
  };
}
