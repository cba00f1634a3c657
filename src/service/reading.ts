import { stat } from 'node:fs/promises';
import type { ReaderMessage, ReaderTask } from './readerMessages.ts';
import { runReader } from './readerTask.ts';
import { startReaderThread } from './readerThread.ts';
import { StateParts } from './stateParts.ts';

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
