import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffersOf, type State } from './state.ts';

/** Which content of a file an index belongs to. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

interface CachedState extends FileStamp {
  readonly version: number;
  readonly notices: readonly string[];
  readonly state: State;
}

/** To be raised with every change of `State` or of what is read into it. */
const version = 3;
const mostFiles = 20;
const largestIndex = 256 * 1024 * 1024;
const hashSize = 32;
const ending = '.state';
const unfinished = '.tmp';
/** Milliseconds after which nobody writes a file any more. */
const staleAge = 3_600_000;

// Cryptography and serializing are loaded when they are needed: the first rows of a file without an index wait for neither.

/**
 * Writes the index of a file that has been read, whole or not at all, and forgets the oldest ones. Rejects where the folder
 * cannot be written or is full; nothing is left behind then.
 */
export async function writeStateCache(
  folder: string,
  stamp: FileStamp,
  state: State,
  notices: readonly string[],
): Promise<void> {
  if (buffersOf(state).reduce((sum, { byteLength }) => sum + byteLength, 0) > largestIndex) return;
  const { serialize } = await import('node:v8');
  const cached: CachedState = { version, ...stamp, notices, state };
  const body = serialize(cached);
  const { randomUUID } = await import('node:crypto');
  const temporary = join(folder, `${randomUUID()}${unfinished}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(temporary, [await hashOf(body), body]);
    await rename(temporary, join(folder, nameOf(stamp.path)));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await forgetOldest(folder);
}

/** The index of exactly this content of the file; undefined where there is none, or where it is damaged. */
export async function readStateCache(
  folder: string,
  stamp: FileStamp,
): Promise<{ readonly state: State; readonly notices: readonly string[] } | undefined> {
  try {
    const bytes = await readFile(join(folder, nameOf(stamp.path)));
    const body = bytes.subarray(hashSize);
    if (!(await hashOf(body)).equals(bytes.subarray(0, hashSize))) return undefined;
    const { deserialize } = await import('node:v8');
    const cached: CachedState = deserialize(body);
    const { path, size, mtimeMs, state, notices } = cached;
    if (cached.version !== version || path !== stamp.path || size !== stamp.size || mtimeMs !== stamp.mtimeMs)
      return undefined;
    return { state, notices };
  } catch {
    return undefined;
  }
}

async function hashOf(bytes: Uint8Array): Promise<Buffer> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest();
}

/** Of two paths with the same long end the later one takes the place of the other; the index itself says whose it is. */
function nameOf(path: string): string {
  return encodeURIComponent(path.toWellFormed()).slice(-160) + ending;
}

/** Removes all but the newest indexes, and what a writer left behind that was stopped on the way. Others may do so as well. */
async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending) || name.endsWith(unfinished));
  const found = await Promise.all(
    // Another window may have taken it away since: then there is nothing to remove.
    names.map(async (name) => ({ name, time: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  found.sort((a, b) => b.time - a.time);
  const indexes = found.filter(({ name }) => name.endsWith(ending));
  const left = found.filter(({ name, time }) => name.endsWith(unfinished) && time < Date.now() - staleAge);
  await Promise.all([...indexes.slice(mostFiles), ...left].map(({ name }) => rm(join(folder, name), { force: true })));
}

const mostBytes = 16 * 1024 * 1024;

/** Bodies that were answered before, by URL; a state does not change, so they stay right. The oldest go first. */
export class AnswerCache {
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;

  get(url: string): Buffer | undefined {
    return this.#bodies.get(url);
  }

  add(url: string, body: Buffer): void {
    if (this.#bodies.has(url) || body.length > mostBytes / 8) return;
    this.#bodies.set(url, body);
    this.#bytes += body.length + url.length;
    for (const [oldest, old] of this.#bodies) {
      if (this.#bytes <= mostBytes) return;
      this.#bodies.delete(oldest);
      this.#bytes -= old.length + oldest.length;
    }
  }
}
