import { stat } from 'node:fs/promises';
import type { ReaderMessage, ReaderTask } from './readerMessages.ts';
import { type PartName, partNames, type State } from './state.ts';
import { type FileStamp, readStateCache, writeStateCache } from './stateCache.ts';
import { readState } from './stateFile.ts';

type Post = (message: ReaderMessage) => void;

/**
 * Carries out one reading, from the cache where that knows this content of the file, and reports it as messages; the last
 * one is `done` or `failed`. Never rejects.
 */
export async function runReader(task: ReaderTask, post: Post, signal?: AbortSignal): Promise<void> {
  try {
    const stamp = task.cacheDir === undefined || task.rebase ? undefined : await stampOf(task.path);
    const cached = stamp && task.cacheDir !== undefined ? await readStateCache(task.cacheDir, stamp) : undefined;
    if (cached) {
      for (const text of cached.notices) post({ type: 'notice', text });
      post({ type: 'parts', parts: cached.state });
    } else await readWhole(task, stamp, post, signal);
    post({ type: 'done' });
  } catch (error) {
    post({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

async function readWhole(
  task: ReaderTask,
  stamp: FileStamp | undefined,
  post: Post,
  signal?: AbortSignal,
): Promise<void> {
  const state: Partial<State> = {};
  const notices: string[] = [];
  let reported = 0;
  await readState(task.path, {
    rebase: task.rebase,
    chunkSize: task.chunkSize,
    signal,
    onPart: (name, part) => {
      const parts: Partial<State> = {};
      parts[name] = part;
      post({ type: 'parts', parts });
      if (stamp) Object.assign(state, parts);
    },
    onFault: (part, error) => post({ type: 'fault', part, message: faultMessage(task.path, part, error) }),
    onNotice: (text) => {
      notices.push(text);
      post({ type: 'notice', text });
    },
    onProgress: (bytes, size) => {
      if (bytes < size && Date.now() - reported < 50) return;
      reported = Date.now();
      post({ type: 'progress', bytes, size });
    },
  });
  if (stamp && task.cacheDir !== undefined && isWhole(state) && (await isUnchanged(stamp)))
    await writeStateCache(task.cacheDir, stamp, state, notices).catch((error: unknown) => {
      post({
        type: 'notice',
        text: `The index of ${task.path} could not be kept for the next time: ${reasonOf(error)}`,
      });
    });
}

const writeFaults: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'files may not be that large here',
  EROFS: 'the disk is read-only',
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  return (typeof code === 'string' ? writeFaults[code] : undefined) ?? error.message;
}

/** A part that could not be read is missing. */
function isWhole(state: Partial<State>): state is State {
  return partNames.every((name) => state[name] !== undefined);
}

function faultMessage(path: string, part: PartName, error: Error): string {
  return `Cannot read ${part === 'head' ? 'the head' : `the ${part} module`} of ${path}: ${error.message}`;
}

async function stampOf(path: string): Promise<FileStamp | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { path, size: found.size, mtimeMs: found.mtimeMs };
}

async function isUnchanged(stamp: FileStamp): Promise<boolean> {
  const now = await stampOf(stamp.path);
  return now !== undefined && now.size === stamp.size && now.mtimeMs === stamp.mtimeMs;
}
