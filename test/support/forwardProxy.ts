import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificateMaker.ts';

/** A forward proxy that reaches every name on 127.0.0.1, and keeps the heads of the requests that it was sent. */
export interface ForwardProxyServer {
  readonly port: number;
  readonly heads: readonly string[];
  dispose(): Promise<void>;
}

export interface ForwardProxyWish {
  /** `user:password` that it asks for. */
  readonly auth?: string;
  /** Spoken to over TLS. */
  readonly certificate?: Certificate;
  /** Answers every request with this status instead. */
  readonly status?: number;
}

/** Tunnels for CONNECT, and passes on plain requests with a whole address (RFC 9112 section 3.2.2). */
export async function startForwardProxy(wish: ForwardProxyWish = {}): Promise<ForwardProxyServer> {
  const sockets = new Set<Socket>();
  const heads: string[] = [];

  function track(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }

  function serve(client: Socket) {
    track(client);
    client.once('data', (first) => {
      const text = first.toString('latin1');
      heads.push(text);
      const expected = wish.auth && `Basic ${Buffer.from(wish.auth).toString('base64')}`;
      const refused = wish.status ?? (expected && !text.includes(`: ${expected}\r\n`) ? 407 : undefined);
      if (refused) {
        client.end(`HTTP/1.1 ${refused} Refused\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      const [, tunnelPort] = /^CONNECT [^ ]*:(\d+) /.exec(text) ?? [];
      const [, plainPort] = /^GET http:\/\/[^/]*:(\d+)\//.exec(text) ?? [];
      const target = track(connect(Number(tunnelPort ?? plainPort), '127.0.0.1'));
      target.once('connect', () => {
        if (tunnelPort) client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        else target.write(text.replace(/^GET http:\/\/[^/]*/, 'GET ').replace(/\r\nproxy-[^\r]*/gi, ''));
        client.pipe(target).pipe(client);
      });
      target.once('close', () => client.destroy());
      client.once('close', () => target.destroy());
    });
  }

  const server = wish.certificate ? createTlsServer(wish.certificate, serve) : createServer(serve);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    heads,
    async dispose() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
