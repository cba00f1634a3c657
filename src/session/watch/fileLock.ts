import { randomUUID } from 'node:crypto';
import { open, readFile, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Longer than anybody holds a lock: the work under it reads and writes two small files. */
const staleAge = 30_000;
const patience = 10_000;

/** Somebody else held a lock for longer than anybody should. */
export class LockError extends Error {
  constructor(path: string) {
    super(`${path} is held by another window and did not come free within ${patience / 1000} s`);
    this.name = 'LockError';
  }
}

/** What is asked before a write: whether the lock is still ours (a machine that slept may have lost it). */
export type StillHeld = () => Promise<boolean>;

/**
 * Runs `work` while no other process does so under the same lock file. A lock left behind by a process that died is
 * taken over. Rejects with `LockError`, or as `work` does.
 */
export async function withLock<T>(path: string, work: (stillHeld: StillHeld) => Promise<T>): Promise<T> {
  const token = `${process.pid} ${randomUUID()} ${hostname()}`;
  const giveUp = performance.now() + patience;
  while (!(await create(path, token))) {
    await breakStale(path);
    if (performance.now() > giveUp) throw new LockError(path);
    await pause(3 + Math.random() * 12);
  }
  const stillHeld = async () => (await readToken(path)) === token;
  try {
    return await work(stillHeld);
  } finally {
    if (await stillHeld()) await remove(path);
  }
}

/** Whether the process that wrote a token is known to be gone: it ran on this machine and does no more. */
export function isGone(token: string): boolean {
  const [pid, , host] = token.split(' ');
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Creates the file; false where it exists. The token is there as soon as the file is seen by a second look. */
async function create(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(token);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST') || isCode(error, 'EPERM')) return false;
    throw error;
  }
}

/** Removes a stale lock; under a guard of its own, so that nobody removes the lock of one who was quicker. */
async function breakStale(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  const guard = `${path}.break`;
  if (!(await create(guard, `${process.pid} - ${hostname()}`))) {
    if (await isStale(guard)) await remove(guard);
    return;
  }
  try {
    if (await isStale(path)) await remove(path);
  } finally {
    await remove(guard);
  }
}

async function isStale(path: string): Promise<boolean> {
  const token = await readToken(path);
  if (token === undefined) return false;
  if (isGone(token)) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > staleAge;
}

async function readToken(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error;
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
