import type { IncomingMessage } from 'node:http';
import type { ServiceAnswer, ServiceOptions, StateService } from './service.ts';
import { GatewayError, notImplemented } from './serviceErrors.ts';

export interface ServerOptions {
  /** The port; 0 or absent for a free one. */
  readonly port?: number | undefined;
  /**
   * The milliseconds that a request waits for a module that is still being read. The default is below the 30 s that
   * clients wait.
   */
  readonly patience?: number | undefined;
}

export interface RunningServer {
  /** The base URL `http://127.0.0.1:PORT`, without a segment. */
  readonly baseUrl: string;
  readonly port: number;
  /** Closes all connections, then the server. */
  dispose(): Promise<void>;
}

export type ServedState = StateService & RunningServer;

/** Opens a state file and serves it over HTTP. The server ends with the service. */
export async function serveFile(options: ServiceOptions & ServerOptions): Promise<ServedState> {
  options.signal?.throwIfAborted();
  const { startService } = await import('./service.ts');
  const service = startService(options);
  const dispose = service.dispose.bind(service);
  try {
    const server = await startServer(service, options);
    const disposeBoth = async (): Promise<void> => void (await Promise.all([server.dispose(), dispose()]));
    return Object.assign(service, server, { dispose: disposeBoth });
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Serves answers on 127.0.0.1 under `/chain/…` and `/cosmos/…`, GET only. Rejects if the port is taken. */
export async function startServer(
  service: Pick<StateService, 'answer'>,
  { port: wanted = 0, patience = 20_000 }: ServerOptions = {},
): Promise<RunningServer> {
  // Loaded here, since an export does not serve.
  const { createServer } = await import('node:http');
  const server = createServer({ keepAliveTimeout: 60_000, headersTimeout: 10_000, requestTimeout: 15_000 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken
          ? new Error(`Port ${wanted} is in use. Choose another one, or leave out the port`, { cause: error })
          : error,
      );
    });
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : wanted;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  server.on('request', (request, response) => {
    respond(service, request, hosts, patience)
      .then(({ status, headers, body }) => {
        response.sendDate = false;
        response.writeHead(status, { ...headers, 'content-length': body.length });
        response.end(body);
      })
      .catch(() => response.destroy());
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  service: Pick<StateService, 'answer'>,
  request: IncomingMessage,
  hosts: readonly string[],
  patience: number,
): Promise<ServiceAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  try {
    checkCaller(request, hosts);
    const [path = '', query] = (request.url ?? '').split(/\?(.*)/s, 2);
    return await service.answer({ path, query, headers: request.headers, signal: late.signal });
  } catch (error) {
    const refused = late.signal.aborted
      ? new GatewayError('unavailable', 'the state file is still being read. Try again later')
      : error;
    if (!(refused instanceof GatewayError)) throw error;
    return { status: refused.status, headers: { 'content-type': 'application/json' }, body: Buffer.from(refused.body) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Refuses foreign callers. Another `Host` is a foreign name that leads here (DNS rebinding), another `Origin` is a web
 * page.
 */
function checkCaller({ method, headers }: IncomingMessage, hosts: readonly string[]): void {
  const { host = '', origin } = headers;
  if (!hosts.includes(host.toLowerCase()))
    throw new GatewayError('permissionDenied', 'requests for this Host are not allowed');
  if (origin !== undefined && origin !== `http://${host}`)
    throw new GatewayError('permissionDenied', 'requests from this Origin are not allowed');
  if (method !== 'GET') throw notImplemented();
}
