import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificateMaker.ts';

/** An HTTP server on 127.0.0.1 that counts what it sees. */
export interface EchoServer {
  readonly port: number;
  /** `http://127.0.0.1:port`, or https. */
  readonly origin: string;
  readonly seen: readonly IncomingMessage[];
  /** Open connections. */
  sockets(): number;
  /** Connections opened since the start. */
  connections(): number;
  dispose(): Promise<void>;
}

/** Answers with `answer`, or with the request's own address and headers as JSON. */
export async function startEchoServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void = echo,
  certificate?: Certificate,
): Promise<EchoServer> {
  const seen: IncomingMessage[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    seen.push(request);
    answer(request, response);
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  server.on('connection', (socket) => {
    connections++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    seen,
    sockets: () => open.size,
    connections: () => connections,
    async dispose() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ url: request.url, headers: request.headers }));
}

export interface FixedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A service of this machine that answers each GET as `reply` says; `requests` are `path?query` in order. */
export async function startReplies(reply: (url: URL, headers: NodeJS.Dict<string | string[]>) => FixedReply) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const { status = 200, headers, body } = reply(new URL(request.url ?? '/', 'http://service'), request.headers);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, requests, stop };
}
