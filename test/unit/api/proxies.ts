import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { startFolder } from '../../support/folders.ts';
import { type Certificate, listen, serve } from '../../support/servers.ts';

/** A forward proxy that reaches every name on 127.0.0.1, and keeps the heads of the requests that it was sent. */
export type ForwardProxyServer = Awaited<ReturnType<typeof startForwardProxy>>;

interface ForwardProxyOptions {
  /** `user:password` that it asks for. */
  readonly auth?: string;
  /** Spoken to over TLS. */
  readonly certificate?: Certificate;
  /** Answers every request with this status instead. */
  readonly status?: number;
}

/** Tunnels for CONNECT, and passes on plain requests with a whole address (RFC 9112 section 3.2.2). */
export async function startForwardProxy(options: ForwardProxyOptions = {}) {
  const heads: string[] = [];
  const onConnection = (client: Socket) =>
    client.once('data', (first) => {
      const text = first.toString('latin1');
      heads.push(text);
      const expected = options.auth && `Basic ${Buffer.from(options.auth).toString('base64')}`;
      const refused = options.status ?? (expected && !text.includes(`: ${expected}\r\n`) ? 407 : undefined);
      if (refused) {
        client.end(`HTTP/1.1 ${refused} Refused\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      const [, tunnelPort] = /^CONNECT [^ ]*:(\d+) /.exec(text) ?? [];
      const [, plainPort] = /^GET http:\/\/[^/]*:(\d+)\//.exec(text) ?? [];
      const target = running.track(connect(Number(tunnelPort ?? plainPort), '127.0.0.1'));
      target.once('connect', () => {
        if (tunnelPort) client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        else target.write(text.replace(/^GET http:\/\/[^/]*/, 'GET ').replace(/\r\nproxy-[^\r]*/gi, ''));
        client.pipe(target).pipe(client);
      });
      target.once('close', () => client.destroy());
      client.once('close', () => target.destroy());
    });
  const { certificate } = options;
  // The socket within TLS has errors of its own.
  const server = certificate
    ? createTlsServer(certificate, (client) => onConnection(client.on('error', () => undefined)))
    : createServer(onConnection);
  server.on('tlsClientError', () => undefined);
  const running = await serve(server);
  return { ...running, heads };
}

/** A real forward proxy, tinyproxy; undefined, and one line that says so, where it is not installed. */
export async function startTinyproxy(auth?: { readonly user: string; readonly password: string }) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const program = folders.map((folder) => join(folder, 'tinyproxy')).find((path) => existsSync(path));
  if (!program) {
    console.log('skipped: tinyproxy is not installed');
    return undefined;
  }
  const folder = startFolder('tinyproxy');
  const placeholder = createServer();
  const port = await listen(placeholder);
  placeholder.close();
  await once(placeholder, 'close');
  const limits = ['Timeout 30', 'MaxClients 20', 'LogLevel Error'];
  const lines = [`Port ${port}`, 'Listen 127.0.0.1', 'Allow 127.0.0.1', ...limits];
  if (auth) lines.push(`BasicAuth ${auth.user} ${auth.password}`);
  const config = join(folder.path, 'tinyproxy.conf');
  writeFileSync(config, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-d', '-c', config], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  // It does not say when it is ready.
  while (!(await accepts(port)) && child.exitCode === null) await new Promise(setImmediate);
  return {
    port,
    async dispose() {
      child.kill();
      await ended;
      folder.dispose();
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const open = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return open;
}
