import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { ExportJob, ExportMessage, ExportOptions } from './exportTables.ts';
import { answer, type Question } from './queries.ts';
import { GatewayError, messageOf } from './serviceErrors.ts';
import { StateSnapshot, stateClock } from './state.ts';
import { isSame, type ReaderMessage, type ReaderTask, runReader, stampOf } from './stateFile.ts';

export interface ServiceOptions {
  /** Path of a genesis or exported state, `.json` or `.json.gz`. */
  readonly file: string;
  /** Folder for the index of what was read, so that an unchanged file opens at once; none = no cache. */
  readonly cacheDir?: string | undefined;
  /** The state's own time (`genesis_time`) becomes this moment, and all times of its proposals move with it; time then goes on. */
  readonly rebase?: Date | undefined;
  /** Bytes of the file read so far, and its size. */
  readonly onProgress?: ((bytes: number, size: number) => void) | undefined;
  /** The file on disk is no longer the one that was read. Called once. */
  readonly onChanged?: (() => void) | undefined;
  /** Cancels the reading; `ready` then rejects with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
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
  /**
   * Answers as soon as the module that is asked for has been read whole. Rejects with an `AbortError` when the signal fires
   * or the service is disposed before that; everything else is an answer with a status.
   */
  answer(request: ServiceRequest): Promise<ServiceAnswer>;
  /** "" until known, and where the file does not name it. */
  readonly chainId: string;
  /** The form in which the state holds its proposals: `v1` where any of them is. Rejects as `answer` does. */
  proposalForm(): Promise<'v1' | 'v1beta1'>;
  /** Things to know about the state, as far as it has been read; one sentence each. */
  readonly notices: readonly string[];
  /** Resolves when the whole file has been read; rejects with one sentence. What was read before that is served all the same. */
  readonly ready: Promise<void>;
  /** Ends reading, requests and watching, and frees everything. */
  dispose(): Promise<void>;
}

const pollInterval = 2000;
/** Below this a thread takes longer to start than the file takes to read, and no chunk blocks for long. */
const smallFile = 1024 * 1024;
/** Without a thread requests are answered between chunks: the supply before the proposals are read. */
const smallChunk = 32 * 1024;

/** Starts to read a state file, a large one in a thread of its own; the file is never written to. */
export function startService(options: ServiceOptions): StateService {
  const { file, cacheDir, rebase, onChanged } = options;
  const notices: string[] = [];
  const snapshot = new StateSnapshot();
  const closing = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  ready.catch(() => undefined);
  const fail = (error: Error) => {
    snapshot.fail(error);
    reject(error);
  };
  const onMessage = (message: ReaderMessage) => {
    switch (message.type) {
      case 'progress':
        options.onProgress?.(message.bytes, message.size);
        return;
      case 'modules':
        snapshot.add(message.modules);
        return;
      case 'fault':
        snapshot.fail(new Error(message.message), message.module);
        notices.push(message.message);
        return;
      case 'notice':
        notices.push(message.text);
        return;
      case 'done':
        resolve();
        return;
      case 'failed':
        if (message.isChanged) snapshot.withdraw(new GatewayError(14, message.message));
        fail(new Error(message.message));
        return;
      default:
        message satisfies never;
    }
  };
  signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  const task: ReaderTask = { path: file, cacheDir: rebase ? undefined : cacheDir, rebase };
  const stamp = stampOf(file);
  const ended = stamp
    .then((found) =>
      (found?.size ?? 0) < smallFile && !file.endsWith('.gz')
        ? runReader({ ...task, chunkSize: smallChunk }, onMessage, signal)
        : runReaderThread(task, onMessage, signal),
    )
    .catch(fail);
  const poll = onChanged && setInterval(() => void checkChanged(), pollInterval).unref();
  const checkChanged = async () => {
    const [before, now] = await Promise.all([stamp, stampOf(file)]);
    if (!now || !onChanged || (before && isSame(before, now))) return;
    clearInterval(poll);
    onChanged();
  };
  const responder = new Responder(snapshot, closing.signal, rebase !== undefined);
  return {
    answer: (request) => responder.answer(request),
    proposalForm: () => responder.proposalForm(),
    get chainId() {
      return snapshot.peek('header')?.chainId ?? '';
    },
    notices,
    ready,
    dispose: async () => {
      clearInterval(poll);
      closing.abort();
      await ended;
    },
  };
}

/**
 * The thread's code: `readerWorker.cjs` beside this bundle, or the file beside this source. A CommonJS bundle has
 * `__filename` and no `import.meta.url`, a source file the other way round.
 */
function workerFile(): URL | string {
  return import.meta.url ? new URL('./readerWorker.ts', import.meta.url) : `${__dirname}/readerWorker.cjs`;
}

/** Reads in a thread of its own. Resolves when the thread has ended; one that dies is reported as `failed`. */
async function runReaderThread(
  task: ReaderTask,
  onMessage: (message: ReaderMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerFile(), { workerData: task });
  let hasEnded = false;
  const report = (message: ReaderMessage) => {
    hasEnded ||= message.type === 'done' || message.type === 'failed';
    onMessage(message);
  };
  const fail = (reason: string) =>
    report({ type: 'failed', message: `Cannot read ${task.path}: ${reason}`, isChanged: false });
  await untilEnded(worker, report, signal, () => void worker.terminate()).catch((error) => fail(error.message));
  if (!hasEnded && !signal.aborted) fail('the reader was stopped. Open the file again');
}

/**
 * Writes the tables of a state file in a thread of its own. Rejects with one sentence, and with the reason of the signal, when
 * what was written has been removed.
 */
export async function exportTables({ signal, onProgress, ...job }: ExportJob & Required<ExportOptions>) {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerFile(), { workerData: job });
  let tables: readonly { readonly rows: number; readonly faults: number }[] = [];
  let failure: string | undefined = 'The export was stopped';
  const onMessage = (message: ExportMessage) => {
    if (message.type === 'progress') onProgress(message.bytes, message.size);
    failure = message.type === 'failed' ? message.message : undefined;
    if (message.type === 'exported') tables = message.tables;
  };
  await untilEnded<ExportMessage>(worker, onMessage, signal, () => worker.postMessage('stop'));
  signal.throwIfAborted();
  if (failure !== undefined) throw new Error(failure);
  return tables;
}

/** Rejects where the thread dies. */
async function untilEnded<Message>(
  worker: Worker,
  onMessage: (message: Message) => void,
  signal: AbortSignal,
  stop: () => void,
): Promise<void> {
  worker.on('message', onMessage);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await once(worker, 'exit');
  } catch (error) {
    throw new Error(`the reader failed (${messageOf(error)})`, { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Turns requests into answers over what has been read so far. */
export class Responder {
  readonly #state: StateSnapshot;
  readonly #closing: AbortSignal;
  readonly #clockRuns: boolean;
  readonly #cache = new AnswerCache();

  /** `clockRuns`: the `Date` header is the time of day instead of the state's own time. */
  constructor(state: StateSnapshot, closing: AbortSignal, clockRuns = false) {
    this.#state = state;
    this.#closing = closing;
    this.#clockRuns = clockRuns;
  }

  async answer({ path, query = '', headers, signal }: ServiceRequest): Promise<ServiceAnswer> {
    const signals = signal ? [signal, this.#closing] : [this.#closing];
    for (const one of signals) one.throwIfAborted();
    const height = String(headers?.['x-cosmos-block-height'] ?? '');
    const url = `${height} ${path}?${query}`;
    try {
      const body =
        this.#cache.get(url) ?? (await this.#body({ path, query: new URLSearchParams(query), height }, signals));
      this.#cache.add(url, body);
      return { status: 200, headers: this.#headers(), body };
    } catch (error) {
      for (const one of signals) one.throwIfAborted();
      const known = error instanceof GatewayError ? error : new GatewayError(13, messageOf(error));
      return { status: known.status, headers: this.#headers(), body: Buffer.from(known.body) };
    }
  }

  async #body(question: Question, signals: readonly AbortSignal[]): Promise<Buffer> {
    for (;;) {
      const found = answer(this.#state, question);
      if (found !== undefined) return Buffer.from(found);
      await unlessAborted(this.#state.changed(), signals);
    }
  }

  async proposalForm(): Promise<'v1' | 'v1beta1'> {
    for (let gov = this.#state.get('gov'); ; gov = this.#state.get('gov')) {
      if (gov) return gov.forms.includes(1) ? 'v1' : 'v1beta1';
      await unlessAborted(this.#state.changed(), [this.#closing]);
    }
  }

  /** Height and clock of the state, as nodes send them. */
  #headers(): Readonly<Record<string, string>> {
    const height = this.#state.peek('header')?.height;
    const date = this.#clockRuns ? new Date() : stateClock(this.#state.peek('header'), this.#state.peek('gov'));
    return {
      'content-type': 'application/json',
      ...(height === undefined ? {} : { 'grpc-metadata-x-cosmos-block-height': height }),
      ...(date ? { date: date.toUTCString() } : {}),
    };
  }
}

/** Rejects with the reason of the signal that fires first. */
async function unlessAborted<T>(promise: Promise<T>, signals: readonly AbortSignal[]): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signals.find((signal) => signal.aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}

const mostBytes = 16 * 1024 * 1024;

/** Bodies that were answered before, by URL; a state does not change, so they stay right. When it is full, it begins anew. */
class AnswerCache {
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;

  get(url: string): Buffer | undefined {
    return this.#bodies.get(url);
  }

  add(url: string, body: Buffer): void {
    if (this.#bodies.has(url) || body.length > mostBytes / 8) return;
    // A small body may be a slice of a larger allocation, which it keeps alive.
    this.#bytes += 2 * url.length + body.buffer.byteLength + 200;
    if (this.#bytes > mostBytes) {
      this.#bodies.clear();
      this.#bytes = 0;
    }
    this.#bodies.set(url, body);
  }
}
