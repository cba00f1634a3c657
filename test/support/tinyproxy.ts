import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

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
