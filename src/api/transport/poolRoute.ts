import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Limits, NetworkOptions } from '../transportTypes.ts';
import { collectReply, type Route } from './body.ts';
import { describeFailure, Failure, type Peer, timeout } from './failures.ts';
import {
  type Certificates,
  certificateFailure,
  createCertificates,
  type ForwardProxy,
  isUnknownAuthority,
  proxyFor,
  type Trust,
} from './network.ts';

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

/**
 * Opens connections for undici: directly, to a proxy (http), or through it (https). Our own, because one limit must cover
 * name, TCP, proxy and TLS, attempts that nobody waits for must end, and errors must say what was wrong with a certificate.
 */
export interface Connector {
  through(proxy: ForwardProxy | undefined): buildConnector.connector;
  /** Ends the attempts under way. */
  drop(): void;
}

export function createConnector(limit: number, certificates: Certificates): Connector {
  const attempts = new Set<AbortController>();
  return {
    through: (proxy) => (options, callback) => {
      const attempt = new AbortController();
      attempts.add(attempt);
      const timer = setTimeout(() => attempt.abort(timeout('CONNECT', limit)), limit);
      const done = () => {
        clearTimeout(timer);
        attempts.delete(attempt);
      };
      open(readTarget(options), proxy, certificates, attempt.signal).then(
        (socket) => {
          done();
          callback(null, socket);
        },
        (error: unknown) => {
          done();
          callback(error instanceof Error ? error : new Error(String(error)), null);
        },
      );
    },
    drop() {
      for (const attempt of attempts) attempt.abort(new Failure('DROPPED', 'nobody waits for this connection'));
    },
  };
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

function readTarget(options: buildConnector.Options): Target {
  const tls = options.protocol === 'https:';
  return { host: options.hostname, port: Number(options.port || (tls ? 443 : 80)), tls };
}

async function open(target: Target, proxy: ForwardProxy | undefined, certificates: Certificates, signal: AbortSignal) {
  const trust = target.tls || proxy?.tls ? await certificates.trust() : undefined;
  try {
    return await openWith(trust, target, proxy, certificates.strict, signal);
  } catch (error) {
    if (!trust || trust.whole || !isUnknownAuthority(error)) throw error;
    certificates.widen();
    return openWith(await certificates.trust(), target, proxy, certificates.strict, signal);
  }
}

async function openWith(
  trust: Trust | undefined,
  target: Target,
  proxy: ForwardProxy | undefined,
  strict: boolean,
  signal: AbortSignal,
): Promise<Socket> {
  const tcp = await openTcp(proxy ?? target, proxy !== undefined, signal);
  const near = proxy?.tls ? await openTls(tcp, proxy, 'the proxy ', trust?.context, strict, signal) : tcp;
  if (!target.tls) return near;
  if (proxy) await openTunnel(near, proxy, authorityOf(target), signal);
  return openTls(near, target, '', trust?.context, strict, signal);
}

function openTcp(to: Target | ForwardProxy, isProxy: boolean, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connectTcp({
    host: to.host,
    port: to.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  const peer = { name: `${isProxy ? 'the proxy ' : ''}${authorityOf(to)}`, host: to.host };
  return settle(socket, 'connect', signal, (error) => describeFailure(error, peer));
}

async function openTls(
  socket: Socket,
  to: Target | ForwardProxy,
  whose: string,
  context: SecureContext | undefined,
  strict: boolean,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const peer = { name: whose + authorityOf(to), host: to.host };
  const secure = connectTls({
    socket,
    host: to.host,
    ...(isIP(to.host) ? {} : { servername: to.host }),
    ...(context && { secureContext: context }),
    ALPNProtocols: ['http/1.1'],
    // Checked below, where the certificate can still be read and named in the message.
    rejectUnauthorized: false,
  });
  await settle(secure, 'secureConnect', signal, (error) => describeFailure(error, peer));
  if (strict && !secure.authorized) {
    const failure = certificateFailure(String(secure.authorizationError), secure.getPeerCertificate(), to.host);
    secure.destroy();
    throw whose ? new Failure(failure.code, `${peer.name}: ${failure.message}`) : failure;
  }
  return secure;
}

/** Waits for `event`; on an error, an early close or an abort the socket is destroyed and the promise rejected. */
function settle<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  describe: (error: unknown) => Failure,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const end = (error: unknown) => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      reject(describe(error));
    };
    const onAbort = () => end(signal.reason);
    const onClose = () => end(new Failure('CLOSED', 'the server closed the connection during the handshake'));
    signal.addEventListener('abort', onAbort);
    // Stays: between two owners an error must not go unheard.
    socket.on('error', end);
    socket.once('close', onClose);
    socket.once(event, () => {
      signal.removeEventListener('abort', onAbort);
      socket.off('close', onClose);
      resolve(socket);
    });
  });
}

function authorityOf(to: { readonly host: string; readonly port: number }): string {
  return `${isIP(to.host) === 6 ? `[${to.host}]` : to.host}:${to.port}`;
}

const headLimit = 16 * 1024;

/** Asks `proxy`, over the open `socket`, for a tunnel to `authority` (`host:port`) by CONNECT (RFC 9110 section 9.3.6). */
export function openTunnel(socket: Socket, proxy: ForwardProxy, authority: string, signal: AbortSignal): Promise<void> {
  const name = `the proxy ${proxy.host}:${proxy.port}`;
  return new Promise((resolve, reject) => {
    let head = '';
    const finish = (failure?: unknown) => {
      signal.removeEventListener('abort', onAbort);
      socket.off('readable', onReadable).off('close', onClose).off('error', finish);
      if (failure === undefined) resolve();
      else {
        socket.destroy();
        reject(failure);
      }
    };
    const onAbort = () => finish(signal.reason);
    const onClose = () => finish(new Failure('CLOSED', `${name} closed the connection without an answer`));
    const onReadable = () => {
      for (let chunk: unknown = socket.read(); chunk !== null; chunk = socket.read()) {
        head += Buffer.isBuffer(chunk) ? chunk.toString('latin1') : '';
        const end = head.indexOf('\r\n\r\n');
        if (end >= 0) {
          // In a tunnel the client speaks first, so nothing of value can follow the head.
          finish(judge(head.slice(0, end), name, authority));
          return;
        }
        if (head.length > headLimit) {
          finish(new Failure('NOT_HTTP', `${name} does not answer like an HTTP proxy`));
          return;
        }
      }
    };
    if (signal.aborted) {
      finish(signal.reason);
      return;
    }
    signal.addEventListener('abort', onAbort);
    socket.on('readable', onReadable).once('close', onClose).once('error', finish);
    const authorization = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : '';
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  });
}

function judge(head: string, name: string, authority: string): Failure | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1];
  if (status === undefined) return new Failure('NOT_HTTP', `${name} does not answer like an HTTP proxy`);
  if (status.startsWith('2')) return undefined;
  const code = `PROXY_${status}`;
  switch (status) {
    case '407':
      return new Failure(code, `${name} asks for a user and password (HTTP 407): put them into http.proxy`);
    case '403':
      return new Failure(code, `${name} does not allow connections to ${authority} (HTTP 403)`);
    default:
      return new Failure(code, `${name} could not reach ${authority} (HTTP ${status})`);
  }
}
