import type { IncomingMessage } from 'node:http';
import { AnswerCache } from './answerCache.ts';
import { GatewayError, notImplemented } from './gatewayError.ts';
import { answer } from './queries.ts';
import type { StateParts } from './stateParts.ts';

export interface Response {
  readonly status: number;
  readonly body: Buffer;
}

const longestUrl = 8192;

/** Turns requests into answers: checks who asks, finds the operation, waits for its module. Never rejects. */
export class Responder {
  readonly #state: StateParts;
  readonly #hosts: readonly string[];
  readonly #closing: AbortSignal;
  readonly #patience: number;
  readonly #cache = new AnswerCache();

  constructor(state: StateParts, port: number, closing: AbortSignal, patience: number) {
    this.#state = state;
    this.#hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
    this.#closing = closing;
    this.#patience = patience;
  }

  async respond(request: IncomingMessage): Promise<Response> {
    try {
      this.#checkCaller(request);
      const url = request.url ?? '';
      return { status: 200, body: this.#cache.get(url) ?? (await this.#answer(url)) };
    } catch (error) {
      const known = error instanceof GatewayError ? error : new GatewayError(13, messageOf(error));
      return { status: known.status, body: Buffer.from(known.body) };
    }
  }

  /** Another `Host` is a foreign name that leads here (DNS rebinding), another `Origin` a web page: neither may read. */
  #checkCaller({ method, url = '', headers }: IncomingMessage): void {
    const { host = '', origin } = headers;
    if (!this.#hosts.includes(host.toLowerCase())) throw new GatewayError(7, 'this Host is not served here');
    if (origin !== undefined && origin !== `http://${host}`)
      throw new GatewayError(7, 'this Origin is not served here');
    if (method !== 'GET') throw notImplemented();
    if (url.length > longestUrl) throw new GatewayError(3, `the URL is longer than ${longestUrl} characters`);
  }

  async #answer(url: string): Promise<Buffer> {
    const [path = '', query = ''] = splitOnce(url, '?');
    const below = /^\/(?:chain|cosmos)\/(.*)$/.exec(path)?.[1];
    if (below === undefined) throw notImplemented();
    const parameters = new URLSearchParams(query);
    const deadline = Date.now() + this.#patience;
    for (;;) {
      const found = answer(this.#state, below, parameters);
      if (found !== undefined) {
        const body = Buffer.from(found);
        this.#cache.add(url, body);
        return body;
      }
      await this.#change(deadline - Date.now());
    }
  }

  /** Waits until more of the state is known. Throws 503 where that takes too long. */
  async #change(patience: number): Promise<void> {
    const timeout = AbortSignal.any([AbortSignal.timeout(Math.max(0, patience)), this.#closing]);
    const late = Promise.withResolvers<void>();
    const giveUp = () => late.reject(new GatewayError(14, 'the state file is still being read; ask again'));
    timeout.addEventListener('abort', giveUp, { once: true });
    if (timeout.aborted) giveUp();
    try {
      await Promise.race([this.#state.changed(), late.promise]);
    } finally {
      timeout.removeEventListener('abort', giveUp);
    }
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
