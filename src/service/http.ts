import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AnswerCache } from './cache.ts';
import { answer } from './queries.ts';
import type { StateParts } from './state.ts';
import { GatewayError, notImplemented } from './stateErrors.ts';

export interface ServerOptions {
  readonly state: StateParts;
  /** 0 or none = a free one. */
  readonly port?: number | undefined;
  /** What the `Date` header says: the state's own time (a file), or the time of day (the sample chain). Default: `state`. */
  readonly clock?: 'state' | 'now' | undefined;
  /** Milliseconds that a request waits for a module that is still being read. Default: below the 30 s that clients wait. */
  readonly patience?: number | undefined;
  /** Called when a request has been answered. */
  readonly onRequest?:
    | ((request: { readonly method: string; readonly url: string; readonly status: number }) => void)
    | undefined;
}

export interface RunningServer {
  /** `http://127.0.0.1:PORT`, without a segment. */
  readonly baseUrl: string;
  readonly port: number;
  /** Closes all connections, then the server. */
  dispose(): Promise<void>;
}

/**
 * Serves a state on 127.0.0.1 under `/chain/…` and `/cosmos/…`, reads only. A foreign `Host` (DNS rebinding) and any
 * `Origin` but its own (a web page) are refused. Rejects where the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  const server = createServer({ keepAliveTimeout: 60_000, headersTimeout: 10_000, requestTimeout: 15_000 });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', refuse);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken ? new Error(`Port ${options.port} is in use; choose another one, or none`, { cause: error }) : error,
      );
    });
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const responder = new Responder(options.state, port, closing.signal, options.patience ?? 20_000);
  server.on('request', (request, response) => {
    responder
      .respond(request)
      .then((answer) => send(response, answer.status, answer.body))
      .catch(() => response.destroy());
  });
  const send = (response: ServerResponse, status: number, body: Buffer) => {
    if (response.destroyed) return;
    const { method = '', url = '' } = response.req;
    response.sendDate = false;
    response.writeHead(status, [
      ...stateHeaders(options),
      'content-type',
      'application/json',
      'content-length',
      body.length,
    ]);
    response.end(body);
    options.onRequest?.({ method, url, status });
  };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    dispose: () =>
      new Promise((resolve) => {
        closing.abort();
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** The height and the clock of the state, as nodes send them. */
function stateHeaders({ state, clock }: ServerOptions): string[] {
  const height = state.peek('head')?.height;
  const date = clock === 'now' ? new Date() : stateClock(state);
  return [
    ...(height === undefined ? [] : ['grpc-metadata-x-cosmos-block-height', height]),
    ...(date ? ['date', date.toUTCString()] : []),
  ];
}

/** What the HTTP parser refuses: one answer, and the connection is closed. */
function refuse(error: Error & { code?: string }, socket: Duplex): void {
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = new GatewayError(3, 'malformed request').body;
  if (!socket.writable) return;
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

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

/**
 * The moment that a state speaks of as now (decision 8): its own time, or the latest time that its proposals name as past,
 * since exports keep the time of their genesis. Undefined where it has none, or has not been read that far.
 */
export function stateClock(parts: StateParts): Date | undefined {
  const times = [Date.parse(parts.peek('head')?.time ?? ''), parts.peek('gov')?.latest ?? 0].filter((time) => time > 0);
  return parts.peek('head') && times.length > 0 ? new Date(Math.max(...times)) : undefined;
}
