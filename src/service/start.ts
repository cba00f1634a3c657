import { stat } from 'node:fs/promises';
import { type ServerOptions, startServer } from './http.ts';
import { type StateReading, startReading } from './reader.ts';

export interface ServiceOptions {
  /** Path of a genesis or exported state, `.json` or `.json.gz`. */
  readonly file: string;
  /** Folder for the index of what was read, so that an unchanged file opens at once; none = no cache. */
  readonly cacheDir?: string | undefined;
  /** The state's own time (`genesis_time`) becomes this moment, and all times of its proposals move with it; time then goes on (decision 8). */
  readonly rebase?: Date | undefined;
  readonly port?: number | undefined;
  /** Bytes of the file read so far, and its size. */
  readonly onProgress?: ((bytes: number, size: number) => void) | undefined;
  /** Something a person should know of the state; one sentence. Also collected in `notices`. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** The file on disk is no longer the one that was read. Called once. */
  readonly onChanged?: (() => void) | undefined;
  readonly onRequest?: ServerOptions['onRequest'];
  /** Cancels the reading; `ready` then rejects with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
}

export interface StateService {
  /** `http://127.0.0.1:PORT`, without a segment. */
  readonly baseUrl: string;
  readonly port: number;
  /** "" until known, and where the file does not say. */
  readonly chainId: string;
  readonly notices: readonly string[];
  /** Resolves when the whole file has been read; rejects with one sentence. What was read before is served all the same. */
  readonly ready: Promise<void>;
  /** Ends reading, server and watching, and frees everything. */
  dispose(): Promise<void>;
}

const pollEvery = 2000;

/**
 * Serves a state file on 127.0.0.1. Resolves as soon as the server listens: each operation answers when its module has been
 * read whole, until then requests wait. The file is read by a thread of its own, and is never written to.
 */
export async function startService(options: ServiceOptions): Promise<StateService> {
  options.signal?.throwIfAborted();
  const notices: string[] = [];
  const notice = (text: string) => {
    notices.push(text);
    options.onNotice?.(text);
  };
  const reading = startReading({ ...options, onNotice: notice });
  // A thread starts when the file has been looked at, and the server while the thread does.
  await reading.look;
  try {
    const server = await startServer({
      state: reading.parts,
      port: options.port,
      clock: options.rebase ? 'now' : 'state',
      onRequest: options.onRequest,
    });
    const watch = watchFile(options.file, reading, options.onChanged);
    return {
      baseUrl: server.baseUrl,
      port: server.port,
      get chainId() {
        return reading.parts.peek('head')?.chainId ?? '';
      },
      notices,
      ready: reading.done,
      dispose: async () => {
        clearInterval(watch);
        await Promise.all([server.dispose(), reading.dispose()]);
      },
    };
  } catch (error) {
    await reading.dispose();
    throw error;
  }
}

/** Looks at size and modification time only: an event watcher may miss changes on network drives and in containers. */
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
  }, pollEvery);
  return timer.unref();
}
