import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { GatewayError } from './gatewayError.ts';
import { Responder } from './responder.ts';
import { stateClock } from './stateClock.ts';
import type { StateParts } from './stateParts.ts';

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
