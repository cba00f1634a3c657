import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { codeOf, messageOf } from '../api/errors.ts';
import type { GovForm } from '../api/operations.ts';
import { abortable } from '../api/sharing.ts';
import type { ExportJob, ExportMessage, ExportOptions } from './exportTables.ts';
import { findLargestHolders, type HoldersTask } from './largestHolders.ts';
import { answer } from './queries.ts';
import { GatewayError, shorten } from './serviceErrors.ts';
import type { Holder } from './split.ts';
import { type State, StateSnapshot } from './state.ts';
import {
  defaultHeap,
  isSame,
  isSmall,
  type ReaderMessage,
  type ReaderTask,
  runReader,
  type ScanOptions,
  stampOf,
} from './stateFile.ts';
import type { Manifest } from './tableFolder.ts';

export interface ServiceOptions extends Pick<ScanOptions, 'rebase' | 'signal' | 'onProgress'> {
  /** Path of a genesis or exported state, `.json` or `.json.gz`. */
  readonly file: string;
  /** Folder for the index of what was read, so that an unchanged file opens at once; none = no index. */
  readonly cacheDir?: string | undefined;
  /** Memory of the thread that reads a large file, in MiB, without its tables, which may have half of that; 512 where absent. */
  readonly maxHeap?: number | undefined;
  /** The file on disk is no longer the one that was read. Called once. */
  readonly onChanged?: (() => void) | undefined;
}

/** A GET request. `path` is escaped as in a URL and begins with `/chain/` or `/cosmos/`; `query` has no question mark. */
export interface ServiceRequest {
  readonly path: string;
  readonly query?: string | undefined;
  /** Names in lower case. Only `x-cosmos-block-height` is looked at. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A JSON answer; header names are in lower case. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A state file that answers requests of the contract, in this process. */
export interface StateService {
  /** Answers once the module asked for is read whole; rejects with an `AbortError` on the signal or disposal only. */
  answer(request: ServiceRequest): Promise<ServiceAnswer>;
  /** "" until known, and where the file does not name it. */
  readonly chainId: string;
  /** The form in which the state holds its proposals: `v1` where any of them is. Rejects as `answer` does. */
  proposalForm(): Promise<GovForm>;
  /** Things to know about the state, as far as it has been read; one sentence each. */
  readonly notices: readonly string[];
  /** Resolves when the whole file has been read; rejects with one sentence. What was read before that is served all the same. */
  readonly ready: Promise<void>;
  /** Ends reading, requests and watching, and frees everything. */
  dispose(): Promise<void>;
}

const pollInterval = 2000;
/** Without a thread all other work goes on between chunks, and requests are answered: the supply before the proposals are read. */
const smallChunk = 4 * 1024;
const sampleChunk = 32 * 1024;

/** Starts to read a state file, a large one in a thread of its own; the file is never written to. */
export function startService(options: ServiceOptions): StateService {
  const { file, cacheDir, rebase, maxHeap, onChanged } = options;
  const notices: string[] = [];
  const snapshot = new StateSnapshot();
  const closing = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  ready.catch(() => undefined);
  const fail = (error: Error): void => {
    snapshot.fail(error);
    reject(error);
  };
  const onMessage = (message: ReaderMessage): void => {
    switch (message.type) {
      case 'progress':
        options.onProgress?.(message.bytes, message.size);
        return;
      case 'modules':
        snapshot.add(message.modules);
        return;
      case 'notice':
        notices.push(message.text);
        if (message.module) snapshot.fail(new Error(message.text), message.module);
        if (message.module === 'bank') snapshot.fail(new Error(message.text), 'split');
        return;
      case 'done':
        resolve();
        return;
      case 'failed':
        if (message.isChanged) snapshot.withdraw(new GatewayError(14, message.text));
        fail(new Error(message.text));
        return;
      default:
        message satisfies never;
    }
  };
  signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  const task: ReaderTask = { path: file, cacheDir: rebase ? undefined : cacheDir, rebase, maxHeap };
  const stamp = stampOf(file);
  const ended = stamp.then((found) => readState(task, found?.size ?? 0, onMessage, signal)).catch(fail);
  snapshot.largestHolders = async ({ list }, denom, body): Promise<readonly Holder[]> => {
    const found = await stamp;
    return found && list
      ? largestHolders({ path: file, stamp: found, list, denom, body, maxHeap }, closing.signal)
      : [];
  };
  const stopWatching = onChanged && watchFile(file, stamp, onChanged);
  return {
    answer: answerFrom(snapshot, closing.signal, rebase !== undefined),
    proposalForm: async () => (await snapshot.get('gov')).form,
    get chainId(): string {
      return snapshot.known.header?.chainId ?? '';
    },
    notices,
    ready,
    dispose: async (): Promise<void> => {
      stopWatching?.();
      closing.abort();
      await ended;
    },
  };
}

/** Calls `onChanged` once, when the file is no longer the one with that stamp. Returns what ends the watching. */
function watchFile(file: string, stamp: ReturnType<typeof stampOf>, onChanged: () => void): () => void {
  const check = async (): Promise<void> => {
    const [before, now] = await Promise.all([stamp, stampOf(file)]);
    if (!now || (before && isSame(before, now))) return;
    clearInterval(poll);
    onChanged();
  };
  const poll = setInterval(() => void check(), pollInterval).unref();
  return () => clearInterval(poll);
}

type OnMessage = (message: ReaderMessage) => void;

/** Reads a file of so many bytes: a small one here, and the sample chain, whose times move; any other in a thread of its own. */
async function readState(task: ReaderTask, size: number, onMessage: OnMessage, signal: AbortSignal): Promise<void> {
  const { path, rebase } = task;
  if (!rebase && !isSmall(path, size)) return readInThread(task, onMessage, signal);
  return runReader({ ...task, chunkSize: rebase ? sampleChunk : smallChunk }, onMessage, signal);
}

/** Reads in a thread of its own. Resolves when the thread has ended; one that dies is reported as `failed`. */
async function readInThread(
  task: ReaderTask,
  onMessage: (message: ReaderMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  const fail = (reason: string): void =>
    onMessage({ type: 'failed', text: `Cannot read ${task.path}: ${reason}`, isChanged: false });
  try {
    const last = await runThread<ReaderMessage>(task, onMessage, signal, (worker) => void worker.terminate());
    if (last?.type !== 'done' && last?.type !== 'failed' && !signal.aborted)
      fail('the reader was stopped. Open the file again');
  } catch (error) {
    fail(messageOf(error));
  }
}

/** In a thread where the file is large. Rejects with `GatewayError` where it cannot be read any more. */
async function largestHolders(task: HoldersTask, signal: AbortSignal): Promise<readonly Holder[]> {
  try {
    if (isSmall(task.path, task.stamp.size)) return await findLargestHolders(task);
    const found = await runThread<readonly Holder[]>(
      task,
      () => undefined,
      signal,
      (worker) => void worker.terminate(),
    );
    if (found) return found;
    throw new Error('the reader was stopped');
  } catch (error) {
    throw new GatewayError(14, messageOf(error));
  }
}

/** Writes tables in a thread. Rejects, with one sentence or the signal's reason, after what was written is removed. */
export async function exportStateTables({
  signal,
  onProgress,
  ...job
}: ExportJob & Required<ExportOptions>): Promise<Manifest> {
  const { missingFolders, removeUnfinished } = await import('./tableFolder.ts');
  const missing = await missingFolders(job.folder).catch(() => []);
  const onMessage = (message: ExportMessage): void => {
    if (message.type === 'progress') onProgress(message.bytes, message.size);
  };
  let last: ExportMessage | undefined;
  try {
    last = await runThread<ExportMessage>(job, onMessage, signal, (worker) => worker.postMessage('stop'));
  } catch (error) {
    await removeUnfinished(job, missing);
    signal.throwIfAborted();
    const isFull = error instanceof Error && codeOf(error.cause) === 'ERR_WORKER_OUT_OF_MEMORY';
    const most = `${job.maxHeap ?? defaultHeap} MiB of memory`;
    const reason = isFull
      ? `it takes more than ${most}, which an export may have. Choose fewer tables`
      : messageOf(error);
    throw new Error(`Cannot export ${shorten(job.file, 80)}: ${reason}`, { cause: error });
  }
  signal.throwIfAborted();
  if (last?.type === 'exported') return last.manifest;
  throw new Error(last?.type === 'failed' ? last.text : 'The export was stopped');
}

/** Resolves with the last message of the thread, when it has ended; rejects where it dies. `stop` is called when the signal fires. */
async function runThread<Message>(
  workerData: ReaderTask | ExportJob | HoldersTask,
  onMessage: (message: Message) => void,
  signal: AbortSignal,
  stop: (worker: Worker) => void,
): Promise<Message | undefined> {
  const { Worker } = await import('node:worker_threads');
  // `readerWorker.cjs` beside this bundle, which has no `import.meta.url`, or the file beside this source.
  const code = import.meta.url ? new URL('./readerWorker.ts', import.meta.url) : `${__dirname}/readerWorker.cjs`;
  const resourceLimits = { maxOldGenerationSizeMb: workerData.maxHeap ?? defaultHeap };
  const worker = new Worker(code, { workerData, resourceLimits });
  let last: Message | undefined;
  worker.on('message', (message: Message) => {
    last = message;
    onMessage(message);
  });
  const onAbort = (): void => stop(worker);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await once(worker, 'exit');
    return last;
  } catch (error) {
    throw new Error(`the reader failed (${messageOf(error)})`, { cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Of the answers that are kept, in bytes. */
const maxKept = 16 * 1024 * 1024;

/** Answers are kept by their URL: a state does not change. `clockRuns`: `Date` is the time of day, not of the state. */
export function answerFrom(state: StateSnapshot, closing: AbortSignal, clockRuns = false): StateService['answer'] {
  const kept = new Map<string, Buffer>();
  let bytes = 0;
  const keep = (url: string, body: Buffer): void => {
    if (kept.has(url) || body.length > maxKept / 8) return;
    bytes += 2 * url.length + body.length + 200;
    if (bytes > maxKept) {
      kept.clear();
      bytes = 0;
    }
    kept.set(url, body);
  };
  return async ({ path, query = '', headers, signal }) => {
    const throwIfAborted = (): void => {
      signal?.throwIfAborted();
      closing.throwIfAborted();
    };
    throwIfAborted();
    const height = String(headers?.['x-cosmos-block-height'] ?? '');
    const url = `${height} ${path}?${query}`;
    try {
      const ask = async (): Promise<Buffer> => unpooled(await answer(state, path, new URLSearchParams(query), height));
      const body = kept.get(url) ?? (await abortable(ask(), signal));
      keep(url, body);
      return { status: 200, headers: headersOf(state.known, clockRuns), body };
    } catch (error) {
      throwIfAborted();
      const { status, body } = error instanceof GatewayError ? error : new GatewayError(13, messageOf(error));
      return { status, headers: headersOf(state.known, clockRuns), body: Buffer.from(body) };
    }
  };
}

/** In an allocation of its own: a slice of the pool would keep all of that alive. */
function unpooled(text: string | Buffer): Buffer {
  if (typeof text !== 'string') return text;
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return body;
}

function headersOf({ header, clock }: Partial<State>, clockRuns: boolean): Readonly<Record<string, string>> {
  const time = clockRuns ? Date.now() : clock?.time;
  return {
    'content-type': 'application/json',
    ...(header?.height === undefined ? {} : { 'grpc-metadata-x-cosmos-block-height': header.height }),
    ...(time === undefined
      ? {}
      : { date: new Date(time).toUTCString(), 'chain-inspector-time': new Date(time).toISOString() }),
    ...(clock?.from === undefined ? {} : { 'chain-inspector-time-from': clock.from }),
  };
}
