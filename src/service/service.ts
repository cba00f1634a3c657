import { stat } from 'node:fs/promises';
import { AnswerCache } from './cache.ts';
import { answer } from './queries.ts';
import { type StateReading, startReading } from './reader.ts';
import type { StateParts } from './state.ts';
import { GatewayError, notImplemented } from './stateErrors.ts';

export interface ServiceOptions {
  /** Path of a genesis or exported state, `.json` or `.json.gz`. */
  readonly file: string;
  /** Folder for the index of what was read, so that an unchanged file opens at once; none = no cache. */
  readonly cacheDir?: string | undefined;
  /** The state's own time (`genesis_time`) becomes this moment, and all times of its proposals move with it; time then goes on. */
  readonly rebase?: Date | undefined;
  /** Bytes of the file read so far, and its size. */
  readonly onProgress?: ((bytes: number, size: number) => void) | undefined;
  /** Something to know about the state; one sentence. Also collected in `notices`. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** The file on disk is no longer the one that was read. Called once. */
  readonly onChanged?: (() => void) | undefined;
  /** Cancels the reading; `ready` then rejects with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
}

/** A GET request. `path` is escaped as in a URL and begins with `/chain/` or `/cosmos/`; `query` has no question mark. */
export interface ServiceRequest {
  readonly path: string;
  readonly query?: string | undefined;
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
  readonly notices: readonly string[];
  /** Resolves when the whole file has been read; rejects with one sentence. What was read before that is served all the same. */
  readonly ready: Promise<void>;
  /** Ends reading, requests and watching, and frees everything. */
  dispose(): Promise<void>;
}

const pollInterval = 2000;

/** Starts to read a state file, in a thread of its own; the file is never written to. */
export function startService(options: ServiceOptions): StateService {
  const notices: string[] = [];
  const onNotice = (text: string) => {
    notices.push(text);
    options.onNotice?.(text);
  };
  const closing = new AbortController();
  const reading = startReading({ ...options, onNotice });
  const responder = new Responder(reading.parts, closing.signal, options.rebase !== undefined);
  const poll = watchFile(options.file, reading, options.onChanged);
  return {
    answer: (request) => responder.answer(request),
    get chainId() {
      return reading.parts.peek('head')?.chainId ?? '';
    },
    notices,
    ready: reading.done,
    dispose: () => {
      clearInterval(poll);
      closing.abort();
      return reading.dispose();
    },
  };
}

/** Polls size and modification time: event watchers miss changes on network drives and in containers. */
function watchFile(file: string, reading: StateReading, onChanged?: () => void): NodeJS.Timeout | undefined {
  if (!onChanged) return undefined;
  const timer = setInterval(() => {
    Promise.all([stat(file), reading.look]).then(
      ([now, before]) => {
        if (now.size === before?.size && now.mtimeMs === before.mtimeMs) return;
        clearInterval(timer);
        onChanged();
      },
      () => undefined,
    );
  }, pollInterval);
  return timer.unref();
}

/** Turns requests into answers over the parts that have been read so far. */
export class Responder {
  readonly #state: StateParts;
  readonly #closing: AbortSignal;
  readonly #clockRuns: boolean;
  readonly #cache = new AnswerCache();

  /** `clockRuns`: the `Date` header is the time of day instead of the state's own time. */
  constructor(state: StateParts, closing: AbortSignal, clockRuns = false) {
    this.#state = state;
    this.#closing = closing;
    this.#clockRuns = clockRuns;
  }

  async answer({ path, query = '', signal }: ServiceRequest): Promise<ServiceAnswer> {
    const signals = signal ? [signal, this.#closing] : [this.#closing];
    for (const one of signals) one.throwIfAborted();
    const url = `${path}?${query}`;
    try {
      const body = this.#cache.get(url) ?? (await this.#body(path, query, signals));
      this.#cache.add(url, body);
      return { status: 200, headers: this.#headers(), body };
    } catch (error) {
      for (const one of signals) one.throwIfAborted();
      const known = error instanceof GatewayError ? error : new GatewayError(13, messageOf(error));
      return { status: known.status, headers: this.#headers(), body: Buffer.from(known.body) };
    }
  }

  async #body(path: string, query: string, signals: readonly AbortSignal[]): Promise<Buffer> {
    const below = /^\/(?:chain|cosmos)\/(.*)$/.exec(path)?.[1];
    if (below === undefined) throw notImplemented();
    const parameters = new URLSearchParams(query);
    for (;;) {
      const found = answer(this.#state, below, parameters);
      if (found !== undefined) return Buffer.from(found);
      await unlessAborted(this.#state.changed(), signals);
    }
  }

  /** Height and clock of the state, as nodes send them. */
  #headers(): Readonly<Record<string, string>> {
    const height = this.#state.peek('head')?.height;
    const date = this.#clockRuns ? new Date() : stateClock(this.#state);
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * What "now" means in a state: its own time, or the latest time that its proposals name as past, since exports keep the
 * time of their genesis. Undefined where it has none, or has not been read that far.
 */
export function stateClock(parts: StateParts): Date | undefined {
  const times = [Date.parse(parts.peek('head')?.time ?? ''), parts.peek('gov')?.latest ?? 0].filter((time) => time > 0);
  return parts.peek('head') && times.length > 0 ? new Date(Math.max(...times)) : undefined;
}
