import type { ReaderMessage, ReaderTask } from './readerMessages.ts';

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
