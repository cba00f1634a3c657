import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { type Certificates, certificateFailure, isUnknownAuthority, type Trust } from './certificates.ts';
import { describeFailure } from './describeFailure.ts';
import { Failure, timeout } from './failure.ts';
import { openTunnel } from './openTunnel.ts';
import type { ForwardProxy } from './proxyFor.ts';

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
