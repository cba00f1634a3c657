import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServedState, type ServerOptions, serveFile as serve } from '../../../src/service/serve.ts';
import type { ServiceOptions } from '../../../src/service/service.ts';

/** A folder of its own for the files of one test. */
export async function temporaryFolder(): Promise<{ path(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'chain-inspector-'));
  return { path: (name) => join(folder, name), remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Served {
  readonly service: ServedState;
  /** GET below `/chain/`; the parsed body, whatever the status. */
  ask(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }>;
  /** Like `ask`, and insists on 200. */
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Serves `content` (text, bytes, or a value to be written as JSON) from a file that is removed at the end. */
export async function serveText(
  content: unknown,
  options: Partial<ServiceOptions & ServerOptions> = {},
): Promise<Served> {
  const folder = await temporaryFolder();
  const file = folder.path('state.json');
  await writeFile(
    file,
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  );
  const served = await serveFile(file, options);
  return {
    ...served,
    stop: async () => {
      await served.stop();
      await folder.remove();
    },
  };
}

/** Serves a file that is there already. */
export async function serveFile(file: string, options: Partial<ServiceOptions & ServerOptions> = {}): Promise<Served> {
  const service = await serve({ file, ...options });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.baseUrl}/chain/${path}`, { headers });
    const body: unknown = await response.json();
    return { status: response.status, body, headers: response.headers };
  };
  return {
    service,
    ask,
    get: async (path) => {
      const { status, body } = await ask(path);
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      return body;
    },
    stop: () => service.dispose(),
  };
}
