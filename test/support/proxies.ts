import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificateMaker.ts';

/** A forward proxy that reaches every name on 127.0.0.1, and keeps the heads of the requests that it was sent. */
export interface ForwardProxyServer {
  readonly port: number;
  readonly heads: readonly string[];
  /** Open connections, to clients and to servers. */
  sockets(): number;
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
    sockets: () => sockets.size,
    async dispose() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Tinyproxy {
  readonly port: number;
  dispose(): Promise<void>;
}

/** A real forward proxy, Debian's tinyproxy; undefined (and a word on why) where there is none and it cannot be installed. */
export async function startTinyproxy(auth?: {
  readonly user: string;
  readonly password: string;
}): Promise<Tinyproxy | undefined> {
  const program = find() ?? install();
  if (!program) {
    console.log('skipped: tinyproxy is not installed (apt-get install tinyproxy-bin)');
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tinyproxy-'));
  const port = await freePort();
  const config = join(folder, 'tinyproxy.conf');
  const lines = [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'Allow 127.0.0.1',
    'Timeout 30',
    'MaxClients 20',
    'LogLevel Error',
  ];
  if (auth) lines.push(`BasicAuth ${auth.user} ${auth.password}`);
  writeFileSync(config, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-d', '-c', config], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await answers(port);
  return {
    port,
    async dispose() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function find(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, 'tinyproxy')).find((path) => existsSync(path));
}

function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  try {
    execFileSync('/usr/bin/apt-get', ['install', '-y', 'tinyproxy-bin'], { stdio: 'ignore', timeout: 60_000 });
  } catch {
    return undefined;
  }
  return find();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** tinyproxy does not say when it is ready, so it is asked until it takes a connection, for 5 s. */
async function answers(port: number): Promise<void> {
  const end = Date.now() + 5000;
  while (Date.now() < end) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('tinyproxy does not start');
}
