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

/** A state file that is being read. */
export interface StateReading {
  readonly parts: StateParts;
  readonly size: number;
  readonly mtimeMs: number;
  /** Resolves when the file has been read, rejects with one sentence. */
  readonly done: Promise<void>;
  dispose(): Promise<void>;
}

/** Below this a thread takes longer to start than the file takes to read, and no chunk blocks for long. */
const smallFile = 1024 * 1024;

/** Starts to read `file`, a large one in a thread of its own. Rejects where there is no such file. */
export async function startReading(options: ReadingOptions): Promise<StateReading> {
  const { size, mtimeMs } = await stat(options.file).catch(() => ({ size: 0, mtimeMs: 0 }));
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
  const ended =
    size < smallFile && !options.file.endsWith('.gz')
      ? runReader(task, take, signal)
      : startReaderThread(task, take, signal);
  return {
    parts,
    size,
    mtimeMs,
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
