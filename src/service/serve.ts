import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseArgs } from 'node:util';
import { GatewayError, notImplemented } from './errors.ts';
import { type ServiceAnswer, type ServiceOptions, type StateService, startService } from './service.ts';

export interface ServerOptions {
  /** 0 or none = a free one. */
  readonly port?: number | undefined;
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

export type ServedState = StateService & RunningServer;

/** Opens a state file and serves it over HTTP; the server ends with the service. */
export async function serveFile(options: ServiceOptions & ServerOptions): Promise<ServedState> {
  options.signal?.throwIfAborted();
  const service = startService(options);
  try {
    const { baseUrl, port, dispose } = await startServer(service, options);
    return {
      answer: service.answer,
      proposalForm: service.proposalForm,
      get chainId() {
        return service.chainId;
      },
      notices: service.notices,
      ready: service.ready,
      baseUrl,
      port,
      dispose: async () => void (await Promise.all([dispose(), service.dispose()])),
    };
  } catch (error) {
    await service.dispose();
    throw error;
  }
}

/**
 * Serves answers on 127.0.0.1 under `/chain/…` and `/cosmos/…`, GET only. A foreign `Host` (DNS rebinding) and any
 * `Origin` but its own (a web page) are refused. Rejects where the port is taken.
 */
export async function startServer(
  service: Pick<StateService, 'answer'>,
  { port: wanted, patience = 20_000, onRequest }: ServerOptions = {},
): Promise<RunningServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ keepAliveTimeout: 60_000, headersTimeout: 10_000, requestTimeout: 15_000 });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', refuse);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Error(`Port ${wanted} is in use; choose another one, or none`, { cause: error }) : error);
    });
    server.listen(wanted ?? 0, '127.0.0.1', resolve);
  });
  const { port } = addressOf(server.address());
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  server.on('request', (request, response) => {
    respond(service, request, hosts, patience)
      .then(({ status, headers, body }) => {
        if (response.destroyed) return;
        response.sendDate = false;
        response.writeHead(status, { ...headers, 'content-length': body.length });
        response.end(body);
        onRequest?.({ method: request.method ?? '', url: request.url ?? '', status });
      })
      .catch(() => response.destroy());
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    dispose: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (typeof address === 'string' || address === null) throw new Error('The server has no port');
  return address;
}

const longestUrl = 8192;

async function respond(
  service: Pick<StateService, 'answer'>,
  request: IncomingMessage,
  hosts: readonly string[],
  patience: number,
): Promise<ServiceAnswer> {
  const { url = '' } = request;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  try {
    checkCaller(request, hosts);
    if (url.length > longestUrl) throw new GatewayError(3, `the URL is longer than ${longestUrl} characters`);
    const [path = '', query] = url.split(/\?(.*)/s, 2);
    return await service.answer({ path, query, headers: request.headers, signal: late.signal });
  } catch (error) {
    const refused = late.signal.aborted ? new GatewayError(14, 'the state file is still being read; ask again') : error;
    if (!(refused instanceof GatewayError)) throw error;
    return {
      status: refused.status,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(refused.body),
    };
  } finally {
    clearTimeout(timer);
  }
}

/** Another `Host` is a foreign name that leads here (DNS rebinding), another `Origin` a web page: neither may read. */
function checkCaller({ method, headers }: IncomingMessage, hosts: readonly string[]): void {
  const { host = '', origin } = headers;
  if (!hosts.includes(host.toLowerCase())) throw new GatewayError(7, 'this Host is not served here');
  if (origin !== undefined && origin !== `http://${host}`) throw new GatewayError(7, 'this Origin is not served here');
  if (method !== 'GET') throw notImplemented();
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

const help = `Usage: serve FILE [--port N]

Serves a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain as read-only REST on 127.0.0.1.
FILE is never written to, and nothing leaves this machine.

  --port N   the port to listen on; 0 or none = a free one
  --help     this text
`;

/** The command line. Resolves with the exit code; a running service ends on SIGINT or SIGTERM. */
async function main(): Promise<number> {
  const { file, port } = readArguments();
  if (file === undefined) {
    process.stdout.write(help);
    return 0;
  }
  const isTerminal = process.stderr.isTTY;
  const service = await serveFile({
    file,
    port,
    onNotice: (text) => process.stderr.write(`Notice: ${text}\n`),
    onProgress: (bytes, size) => {
      if (isTerminal && size > 0) process.stderr.write(`\rReading ${Math.floor((bytes / size) * 100)} % of ${file} `);
    },
  });
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  try {
    await Promise.race([service.ready, stopped]);
    if (isTerminal) process.stderr.write('\n');
    process.stdout.write(`Serving ${service.chainId || 'a state without a chain id'} at ${service.baseUrl}/chain\n`);
    await stopped;
    return 0;
  } finally {
    await service.dispose();
  }
}

function readArguments(): { file: string | undefined; port: number } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '0' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return { file: undefined, port: 0 };
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error('Expected one FILE. See --help');
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535)
    throw new Error(`--port ${values.port}: expected a number from 0 to 65535`);
  return { file, port: Number(values.port) };
}

if (import.meta.main) {
  main().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
