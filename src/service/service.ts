import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { codeOf, messageOf } from '../api/errors.ts';
import { abortable } from '../api/sharing.ts';
import type { GovForm } from '../chain/gov/proposal.ts';
import { findStake } from './accountStake.ts';
import { findSchedule } from './denomSchedule.ts';
import type { FileSearch } from './fileSearch.ts';
import { findBalances, findLargestHolders } from './holders/largestHolders.ts';
import { answer } from './queries.ts';
import type { SearchTask } from './searches.ts';
import { GatewayError, shortenMiddle } from './serviceErrors.ts';
import {
  defaultHeap,
  isSameStamp,
  isSmall,
  type ReaderMessage,
  type ReaderTask,
  runReader,
  type ScanOptions,
  stampOf,
} from './stateFile.ts';
import { type FileSearches, type State, StateSnapshot } from './stateSnapshot.ts';
import type { ExportMessage, ExportOptions, TablesExport } from './tables/exportTables.ts';
import type { Manifest } from './tables/tableFolder.ts';

export interface ServiceOptions extends Pick<ScanOptions, 'rebase' | 'signal' | 'onProgress'> {
  /** The path of a genesis or exported state, `.json` or `.json.gz`. */
  readonly file: string;
  /** The folder for the index, with which an unchanged file opens at once; absent for no index. */
  readonly cacheDir?: string | undefined;
  /**
   * The memory of the thread that reads a large file, in MiB; 512 if absent. Its tables may take half as much beside
   * it.
   */
  readonly maxHeap?: number | undefined;
  /** Called once if the file on disk is no longer the one that was read. */
  readonly onChanged?: (() => void) | undefined;
}

/**
 * A GET request. `path` is escaped as in a URL and begins with `/chain/` or `/cosmos/`. `query` has no question mark.
 */
export interface ServiceRequest {
  readonly path: string;
  readonly query?: string | undefined;
  /** Headers with names in lower case. Only `x-cosmos-block-height` is used. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A JSON answer. Names of headers are in lower case. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A state file that answers requests of the contract in this process. */
export interface StateService {
  /**
   * Answers once the requested module has been read. Rejects with an `AbortError` only, on the signal or on disposal.
   */
  answer(request: ServiceRequest): Promise<ServiceAnswer>;
  /** The chain id; "" until it is known, and if the file does not name it. */
  readonly chainId: string;
  /**
   * Gives the form in which the state holds its proposals: `v1` if at least one proposal has it. Rejects as `answer`
   * does.
   */
  proposalForm(): Promise<GovForm>;
  /** Notices about the state as far as it has been read, one sentence each. */
  readonly notices: readonly string[];
  /**
   * Resolves when the whole file has been read; rejects with one sentence. Modules that were read before are served in
   * any case.
   */
  readonly ready: Promise<void>;
  /** Ends reading, requests and watching, and frees everything. */
  dispose(): Promise<void>;
}

const pollInterval = 2000;
/**
 * The size of a chunk without a thread. Other work runs between chunks, so the supply is answered before the proposals
 * are read.
 */
const smallChunk = 4 * 1024;
const sampleChunk = 32 * 1024;

/** Starts to read a state file, a large one in a thread of its own. The file is never written to. */
export function startService(options: ServiceOptions): StateService {
  const { file, cacheDir, rebase, maxHeap, onChanged } = options;
  const notices: string[] = [];
  const closing = new AbortController();
  const stamp = stampOf(file);
  const snapshot = new StateSnapshot(searchesIn(options, stamp, closing.signal));
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
        if (message.isChanged) snapshot.withdraw(new GatewayError('unavailable', message.text));
        fail(new Error(message.text));
        return;
      default:
        message satisfies never;
    }
  };
  signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  const task: ReaderTask = { path: file, cacheDir: rebase ? undefined : cacheDir, rebase, maxHeap };
  const ended = stamp.then((found) => readState(task, found?.size ?? 0, onMessage, signal)).catch(fail);
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

/** Makes the searches in a file, a large one in a thread of its own. */
function searchesIn(
  { file, maxHeap }: ServiceOptions,
  stamp: ReturnType<typeof stampOf>,
  signal: AbortSignal,
): FileSearches {
  const inFile = async (): Promise<FileSearch> => {
    const found = await stamp;
    if (!found) throw new GatewayError('unavailable', `there is no file ${shortenMiddle(file, 80)}`);
    return { path: file, stamp: found, maxHeap };
  };
  return {
    largestHolders: async (list, denom, most) =>
      search({ ...(await inFile()), kind: 'holders', list, denom, most }, findLargestHolders, signal),
    balances: async (list, holder, denom) =>
      search({ ...(await inFile()), kind: 'balances', list, holder, denom }, findBalances, signal),
    stake: async (staker, at) => search({ ...(await inFile()), kind: 'stake', staker, at }, findStake, signal),
    schedule: async (denom, until) =>
      search({ ...(await inFile()), kind: 'schedule', denom, until }, findSchedule, signal),
  };
}

/** Calls `onChanged` once when the file no longer has that stamp. Returns a function that ends the watching. */
function watchFile(file: string, stamp: ReturnType<typeof stampOf>, onChanged: () => void): () => void {
  const check = async (): Promise<void> => {
    const [before, now] = await Promise.all([stamp, stampOf(file)]);
    if (!now || (before && isSameStamp(before, now))) return;
    clearInterval(poll);
    onChanged();
  };
  const poll = setInterval(() => void check(), pollInterval).unref();
  return () => clearInterval(poll);
}

type OnMessage = (message: ReaderMessage) => void;

/**
 * Reads a file of `size` bytes. Small files and the sample chain, whose times move, are read here; any other file has a
 * thread.
 */
async function readState(task: ReaderTask, size: number, onMessage: OnMessage, signal: AbortSignal): Promise<void> {
  const { path, rebase } = task;
  if (!rebase && !isSmall(path, size)) return readInThread(task, onMessage, signal);
  return runReader({ ...task, chunkSize: rebase ? sampleChunk : smallChunk }, onMessage, signal);
}

/** Reads in a thread. Resolves when the thread has ended. A thread that dies is reported as `failed`. */
async function readInThread(task: ReaderTask, onMessage: OnMessage, signal: AbortSignal): Promise<void> {
  const fail = (reason: string): void =>
    onMessage({ type: 'failed', text: `Cannot read ${task.path}: ${reason}`, isChanged: false });
  try {
    const last = await runThread<ReaderMessage>(task, onMessage, signal);
    if (last?.type !== 'done' && last?.type !== 'failed' && !signal.aborted)
      fail('the reader was stopped. Open the file again');
  } catch (error) {
    fail(messageOf(error));
  }
}

/**
 * Searches a file by `find`, or a large file in a thread. Rejects with `GatewayError` if the file cannot be read any
 * more.
 */
async function search<Task extends SearchTask, Found extends object>(
  task: Task,
  find: (task: Task) => Promise<Found>,
  signal: AbortSignal,
): Promise<Found> {
  try {
    if (isSmall(task.path, task.stamp.size)) return await find(task);
    const found = await runThread<Found>(task, () => undefined, signal);
    if (found) return found;
    throw new Error('the reader was stopped');
  } catch (error) {
    throw new GatewayError('unavailable', messageOf(error));
  }
}

/**
 * Writes tables in a thread. Rejects with one sentence or the signal's reason, after all written files have been
 * removed.
 */
export async function exportStateTables({
  signal,
  onProgress,
  ...job
}: TablesExport & Required<ExportOptions>): Promise<Manifest> {
  const { missingFolders, removeUnfinished } = await import('./tables/tableFolder.ts');
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
    const most = `the ${job.maxHeap ?? defaultHeap} MiB of memory that an export can use`;
    const advice = job.tables?.length === 1 ? '' : '. Choose fewer tables';
    const reason = isFull ? `it needs more than ${most}${advice}` : messageOf(error);
    throw new Error(`Cannot export ${shortenMiddle(job.file, 80)}: ${reason}`, { cause: error });
  }
  signal.throwIfAborted();
  if (last?.type === 'exported') return last.manifest;
  throw new Error(last?.type === 'failed' ? last.text : 'The export was stopped');
}

/**
 * Resolves with the last message of the thread when it has ended; rejects if it dies. `stop` is called when the signal
 * fires, and ends the thread at once if absent.
 */
async function runThread<Message>(
  workerData: ReaderTask | TablesExport | SearchTask,
  onMessage: (message: Message) => void,
  signal: AbortSignal,
  stop = (worker: Worker): void => void worker.terminate(),
): Promise<Message | undefined> {
  const { Worker } = await import('node:worker_threads');
  // The thread is `readerWorker.cjs` beside this bundle, which has no `import.meta.url`, or the file beside this
  // source.
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

/** The limit for all answers that are kept, in bytes. */
const maxKept = 16 * 1024 * 1024;

/**
 * Answers requests and keeps answers by URL, since a state does not change. With `clockRuns`, `Date` is the time of
 * day, not of the state.
 */
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
      const { status, body } = error instanceof GatewayError ? error : new GatewayError('internal', messageOf(error));
      return { status, headers: headersOf(state.known, clockRuns), body: Buffer.from(body) };
    }
  };
}

/** Copies into an allocation of its own. A slice of the pool would keep the whole pool alive. */
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
