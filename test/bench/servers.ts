import { join } from 'node:path';
import { startProcess } from '../support/processes.ts';

/** A server in a process of its own; `url` has no segment. */
export interface Server {
  readonly url: string;
  dispose(): Promise<void>;
}

/** Starts a file of this folder that prints the address it listens at. Rejects with what it printed where it ends before that. */
export async function startServer(script: string, ...args: readonly string[]): Promise<Server> {
  const server = startProcess(process.execPath, [join(import.meta.dirname, script), ...args]);
  const url = await new Promise<string | undefined>((resolve, reject) => {
    const look = () => {
      const found = /at (http:\/\/127\.0\.0\.1:\d+)/.exec(server.output())?.[1];
      if (found) resolve(found);
    };
    server.child.stdout?.on('data', look);
    server.exited.then(() => resolve(undefined), reject);
  });
  if (url) return { url, dispose: () => server.dispose() };
  throw new Error(`${script} did not start:\n${server.output()}`);
}
