import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, Server, type Socket } from 'node:net';
import { join } from 'node:path';

const certificates = join(import.meta.dirname, '../fixtures/certificates');

/** The authority that signed most certificates of the tests. */
export const caFile = join(certificates, 'ca.pem');

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate of test/fixtures/certificates with its key, both as PEM. */
export function certificate(name: string): Certificate {
  const read = (file: string) => readFileSync(join(certificates, file), 'utf8');
  return { key: read('node.key'), cert: read(`${name}.pem`) };
}

/** Listens on 127.0.0.1. Resolves with the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The port of the next server, after `takePorts`. */
let next = 0;

/**
 * From now on, each server of this process gets a port that none had before. The extension stores facts about an
 * endpoint by its address, so a port must not be reused. The ports are outside the range of the system, so that a
 * closed one stays free.
 */
export async function takePorts(): Promise<void> {
  if (next > 0) return;
  const own = Server.prototype.listen;
  // The server on the first port of a thousand owns all of them.
  for (let first = 20_000; first < 32_000 && next === 0; first += 1000)
    next = await listen(createTcpServer().unref(), first).then(
      (port) => port + 1,
      () => 0,
    );
  Object.assign(Server.prototype, {
    listen(this: Server, ...args: readonly unknown[]) {
      const isAny = args[0] === 0 && next % 1000 > 0;
      return Reflect.apply(own, this, isAny ? [next++, ...args.slice(1)] : args);
    },
  });
}

/** Listens on a free port of 127.0.0.1, or on the wanted one. `dispose` also ends its open connections. */
export async function serve(server: Server, wanted = 0) {
  const open = new Set<Socket>();
  /** Counts a connection as one of this server. The other side may end it at any time. */
  const track = (socket: Socket) => {
    open.add(socket);
    return socket.on('error', () => undefined).once('close', () => open.delete(socket));
  };
  server.on('connection', track);
  const port = await listen(server, wanted);
  const dispose = async () => {
    for (const socket of open) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  return { port, track, sockets: () => open.size, dispose };
}

/** An HTTP server that records its requests. `connections` counts connections since the start. */
export type EchoServer = Awaited<ReturnType<typeof startEchoServer>>;

/** Replies with `answer`, or with the address and headers of the request as JSON. */
export async function startEchoServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void = echo,
  tls?: Certificate,
  port = 0,
) {
  const seen: IncomingMessage[] = [];
  let connections = 0;
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request);
    answer(request, response);
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.on('connection', () => {
    connections++;
  });
  const running = await serve(server, port);
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${running.port}`;
  return { ...running, origin, seen, connections: () => connections };
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

/** Replies to each GET with `reply`. `requests` has each `path?query` in order. */
export async function startReplies(reply: (url: URL, headers: NodeJS.Dict<string | string[]>) => FixedReply) {
  const requests: string[] = [];
  const server = await startEchoServer((request, response) => {
    requests.push(request.url ?? '');
    const { status = 200, headers, body } = reply(new URL(request.url ?? '/', 'http://service'), request.headers);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  return { url: server.origin, requests, stop: server.dispose };
}
