import { type Dispatcher, Pool } from 'undici';
import { InputError, isApiError } from '../errors.ts';
import type { Limits, NetworkOptions } from '../transportTypes.ts';
import { createCertificates } from './certificates.ts';
import { createConnector } from './connector.ts';
import { describeFailure, type Peer } from './describeFailure.ts';
import { Failure, timeout, tooLarge } from './failure.ts';
import { type ForwardProxy, proxyFor } from './proxyFor.ts';
import { errorBodyLimit, type RawReply, type Route, type RouteRequest } from './route.ts';

/** The base URL's origin and a few that it redirects to. */
const maxPools = 4;

interface Origin {
  readonly pool: Pool;
  readonly proxy: ForwardProxy | undefined;
  readonly peer: Peer;
}

/**
 * The ordinary way: an undici pool with keep-alive per origin, over our own connector. HTTP/1.1 only, one request per
 * connection; the transport bounds how many there are.
 */
export function createPoolRoute(limits: Limits, network: NetworkOptions, env: NodeJS.ProcessEnv): Route {
  const connector = createConnector(limits.connect, createCertificates(network));
  const origins = new Map<string, Origin>();
  let unconnected = 0;

  function originOf(name: string): Origin {
    const known = origins.get(name);
    if (known) return known;
    const proxy = proxyFor(name, network, env);
    const pool = new Pool(name, {
      connect: connector.through(proxy),
      allowH2: false,
      pipelining: 1,
      headersTimeout: limits.headers,
      bodyTimeout: limits.body,
      keepAliveTimeout: 20_000,
      maxHeaderSize: 32 * 1024,
    });
    const url = new URL(name);
    const via = proxy && url.protocol === 'http:' ? `the proxy ${proxy.host}:${proxy.port}` : url.host;
    const origin = { pool, proxy, peer: { name: via, host: url.hostname, limits } };
    const [, oldest] = [...origins];
    if (origins.size >= maxPools && oldest) {
      origins.delete(oldest[0]);
      void oldest[1].pool.close();
    }
    origins.set(name, origin);
    return origin;
  }

  return {
    send(request) {
      const { pool, proxy, peer } = originOf(request.origin);
      // To a proxy, a plain request names its whole address (RFC 9112 section 3.2.2).
      const plain = request.origin.startsWith('http:') ? proxy : undefined;
      const headers = plain?.authorization
        ? { ...request.headers, 'proxy-authorization': plain.authorization }
        : request.headers;
      unconnected++;
      let started = false;
      const onStart = () => {
        if (!started) unconnected--;
        started = true;
      };
      const options = { path: plain ? request.origin + request.path : request.path, method: 'GET', headers } as const;
      return collect(pool, options, request, peer, limits.maxReply, onStart).finally(() => {
        if (started) return;
        onStart();
        if (unconnected === 0) connector.drop();
      });
    },
    async dispose() {
      const ends = [...origins.values()].map((origin) => origin.pool.destroy());
      origins.clear();
      connector.drop();
      await Promise.all(ends);
    },
  };
}

function collect(
  pool: Pool,
  options: Dispatcher.DispatchOptions,
  request: RouteRequest,
  peer: Peer,
  maxReply: number,
  onStart: () => void,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Record<string, string> = {};
    let bytes = 0;
    let ended = false;

    const finish = (error?: unknown) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      // What came of an error's page is enough to name it.
      const told = error === undefined || (status >= 300 && !request.signal.aborted);
      if (told)
        resolve({ status, headers, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), bytes });
      else reject(error);
      if (error !== undefined) controller?.abort(error instanceof Error ? error : new Error('aborted'));
    };
    const onAbort = () => finish(request.signal.reason);
    const timer = setTimeout(() => finish(timeout('REQUEST', request.timeout)), request.timeout);
    request.signal.addEventListener('abort', onAbort);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        onStart();
        controller = started;
        if (ended) started.abort(new Error('aborted'));
      },
      onResponseStart(_controller, code, incoming) {
        if (code < 200) return;
        status = code;
        headers = flat(incoming);
        if (status < 300 && Number(headers['content-length']) > maxReply) finish(tooLarge(maxReply));
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (status < 300 && bytes > maxReply) finish(tooLarge(maxReply));
        else if (!ended) chunks.push(chunk);
        if (status >= 300 && bytes > errorBodyLimit) finish(new Failure('CUT', 'enough of it'));
      },
      onResponseEnd: () => finish(),
      // An unusable CA file is an `InputError` already.
      onResponseError: (_controller, error) =>
        finish(isApiError(error) ? error : describeFailure(error, { ...peer, answered: status > 0 })),
    };
    try {
      pool.dispatch(options, handler);
    } catch (error) {
      finish(new InputError(`The request cannot be sent: ${error instanceof Error ? error.message : 'bad request'}`));
    }
  });
}

function flat(incoming: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in incoming) {
    const value = incoming[name];
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}
