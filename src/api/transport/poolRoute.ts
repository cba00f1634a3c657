import Pool from 'undici/lib/dispatcher/pool.js';
import type { Limits, NetworkOptions } from '../transportTypes.ts';
import { createCertificates } from './certificates.ts';
import { collectReply } from './collectReply.ts';
import { createConnector } from './connector.ts';
import type { Peer } from './describeFailure.ts';
import { type ForwardProxy, proxyFor } from './proxyFor.ts';
import type { Route } from './route.ts';

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
      // Our own timers are exact, and know what was sent; undici's run in steps of half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 20_000,
      maxHeaderSize: 32 * 1024,
    });
    const url = new URL(name);
    const via = proxy && url.protocol === 'http:' ? `the proxy ${proxy.host}:${proxy.port}` : url.host;
    const origin = { pool, proxy, peer: { name: via, host: url.hostname } };
    const [, oldest] = [...origins];
    if (origins.size >= maxPools && oldest) {
      origins.delete(oldest[0]);
      void oldest[1].pool.close();
    }
    origins.set(name, origin);
    return origin;
  }

  /** undici frees a connection one turn after the reply's end; asked before that, it would open another one. */
  let freeing: Promise<void> | undefined;
  const onEnd = () => {
    const mine = new Promise<void>((resolve) => {
      // Queued by a microtask, so that it comes after undici's own.
      queueMicrotask(() => setImmediate(resolve));
    }).then(() => {
      if (freeing === mine) freeing = undefined;
    });
    freeing = mine;
  };

  return {
    async send(request) {
      const { pool, proxy, peer } = originOf(request.origin);
      if (freeing) await freeing;
      request.signal.throwIfAborted();
      // To a proxy, a plain request names its whole address (RFC 9112 section 3.2.2).
      const plain = request.origin.startsWith('http:') ? proxy : undefined;
      const headers = plain?.authorization
        ? { ...request.headers, 'proxy-authorization': plain.authorization }
        : request.headers;
      const path = plain ? request.origin + request.path : request.path;
      let started = false;
      const onStart = () => {
        if (!started) unconnected--;
        started = true;
      };
      unconnected++;
      try {
        const line = { pool, peer, limits, onStart, onEnd };
        return await collectReply(line, { path, method: 'GET', headers }, request);
      } finally {
        if (!started) {
          onStart();
          if (unconnected === 0) connector.drop();
        }
      }
    },
    async dispose() {
      const ends = [...origins.values()].map((origin) => origin.pool.destroy());
      origins.clear();
      connector.drop();
      await Promise.all(ends);
    },
  };
}
