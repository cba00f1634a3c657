import { stat } from 'node:fs/promises';
import { type FileStamp, readStateCache, writeStateCache } from './cache.ts';
import { type PartName, partNames, type State, StateParts } from './state.ts';
import { readState } from './stateFile.ts';

export interface ReadingOptions {
  readonly file: string;
  readonly cacheDir?: string | undefined;
  readonly rebase?: Date | undefined;
  readonly onProgress?: ((bytes: number, size: number) => void) | undefined;
  readonly onNotice: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Size and modification time of a file. */
export interface FileLook {
  readonly size: number;
  readonly mtimeMs: number;
}

/** A state file that is being read. */
export interface StateReading {
  readonly parts: StateParts;
  /** How the file looked just before it was read; undefined where there was none. */
  readonly look: Promise<FileLook | undefined>;
  /** Resolves when the file has been read, rejects with one sentence. */
  readonly done: Promise<void>;
  dispose(): Promise<void>;
}

/** Below this a thread takes longer to start than the file takes to read, and no chunk blocks for long. */
const smallFile = 1024 * 1024;
/** Without a thread requests have their turn between chunks: the supply is answered before the proposals are read. */
const smallChunk = 32 * 1024;

/** Starts to read `file`, a large one in a thread of its own. */
export function startReading(options: ReadingOptions): StateReading {
  const parts = new StateParts();
  const cancel = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, cancel.signal]) : cancel.signal;
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  done.catch(() => undefined);
  const fail = (error: Error) => {
    parts.fail(error);
    reject(error);
  };
  let fault: Error | undefined;
  const take = (message: ReaderMessage) => {
    switch (message.type) {
      case 'progress':
        options.onProgress?.(message.bytes, message.size);
        return;
      case 'parts':
        parts.put(message.parts);
        return;
      case 'fault':
        fault ??= new Error(message.message);
        parts.fail(new Error(message.message), message.part);
        options.onNotice(message.message);
        return;
      case 'notice':
        options.onNotice(message.text);
        return;
      case 'done':
        if (fault) fail(fault);
        else resolve();
        return;
      case 'failed':
        fail(new Error(message.message));
        return;
      default:
        message satisfies never;
    }
  };
  signal.addEventListener('abort', () => fail(abortError(signal)), { once: true });
  const task: ReaderTask = { path: options.file, cacheDir: options.cacheDir, rebase: options.rebase };
  const look = stat(options.file).catch(() => undefined);
  const ended = look
    .then((found) =>
      (found?.size ?? 0) < smallFile && !options.file.endsWith('.gz')
        ? runReader({ ...task, chunkSize: smallChunk }, take, signal)
        : startReaderThread(task, take, signal),
    )
    .catch(fail);
  return {
    parts,
    look,
    done,
    dispose: async () => {
      cancel.abort();
      await ended;
    },
  };
}

function abortError(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('The reading was cancelled', 'AbortError');
}

/**
 * Where the thread's code is: beside this bundle as `readerWorker.cjs`, or beside this source file. A CommonJS bundle knows
 * `__filename` and no `import.meta.url`, a source file the other way round.
 */
function workerFile(): URL | string {
  return import.meta.url ? new URL('./readerWorker.ts', import.meta.url) : `${__dirname}/readerWorker.cjs`;
}

/** Reads in a thread of its own. Resolves when the thread has ended; one that dies is reported as `failed`. */
export async function startReaderThread(
  task: ReaderTask,
  take: (message: ReaderMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerFile(), { workerData: task });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return new Promise((resolve) => {
    let last: ReaderMessage['type'] | undefined;
    worker.on('message', (message: ReaderMessage) => {
      last = message.type;
      take(message);
    });
    worker.on('error', (error) => {
      last = 'failed';
      take({ type: 'failed', message: `Cannot read ${task.path}: the reader failed (${error.message})` });
    });
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop);
      if (last !== 'done' && last !== 'failed' && !signal.aborted)
        take({ type: 'failed', message: `Cannot read ${task.path}: the reader was stopped. Open the file again` });
      resolve();
    });
  });
}

/** What the reader's thread is told. */
export interface ReaderTask {
  readonly path: string;
  readonly cacheDir?: string | undefined;
  readonly rebase?: Date | undefined;
  readonly chunkSize?: number | undefined;
}

/** What the reader's thread says. */
export type ReaderMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly size: number }
  | { readonly type: 'parts'; readonly parts: Partial<State> }
  | { readonly type: 'fault'; readonly part: PartName; readonly message: string }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string };

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
