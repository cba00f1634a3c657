import { isIP, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { isAbort } from '../errors.ts';
import { cancelled } from '../sharing.ts';
import { type Forbidden, isLocalAddress, isLocalHost, lookupUnless } from './addresses.ts';
import {
  certificateFailure,
  describeFailure,
  Failure,
  isUnknownAuthority,
  type Peer,
  timeout,
  tooLarge,
  tunnelFailure,
} from './failures.ts';
import { type ForwardProxy, proxyFor } from './proxy.ts';
import type { Limits, NetworkOptions } from './transportTypes.ts';
import { readTrust } from './trust.ts';
import { buildConnect, Pool } from './undiciParts.ts';

/** One HTTP request: no redirects, no retries, nothing shared. */
export interface RouteRequest {
  /** `https://host:port`, without a path. */
  readonly origin: string;
  /** Path and query, already escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A body makes it a POST. */
  readonly body?: string | undefined;
  /** Ends the request at once, which then rejects with the reason. The route uses it for time limits. */
  readonly stop: AbortController;
  /** Set for a redirect: refuses a name that resolves to such an address, if the name is resolved here. */
  readonly forbidden: Forbidden | undefined;
  /** Receives the body of a 2xx reply piece by piece. The body is then not kept. An error that it throws ends the request. */
  readonly take?: ((chunk: Uint8Array, headers: RawReply['headers']) => void) | undefined;
}

/** A whole reply of any status. The body of a status other than 2xx is cut at `errorBodyLimit`. */
export interface RawReply {
  readonly status: number;
  /** Headers with lower-case names. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent, or already decompressed if `headers` has no `content-encoding`. */
  readonly body: Buffer;
  readonly bytes: number;
}

/**
 * Sends requests through undici or through the editor's fetch. Rejects with the signal's reason, a `Failure` or an
 * `InputError`.
 */
export interface Route {
  send(request: RouteRequest): Promise<RawReply>;
  /** True if replies from `origin` come from the public internet, as far as this machine knows. */
  isPublic(origin: string): boolean;
  /** Ends every connection. Requests end by their signals. */
  dispose(): Promise<void>;
}

/** The limit for the body of an error, in bytes. Gateway bodies are small, and pages of proxies are only quoted. */
export const errorBodyLimit = 64 * 1024;

/** One end of connections: an origin, directly or through the tunnel of a proxy, or the proxy itself. */
interface End {
  readonly origin: string;
  readonly peer: Peer;
  readonly via?: ForwardProxy | undefined;
  /** The origin that a proxy is asked for. No connection is used for two origins, even if the proxy would allow it. */
  readonly target?: string | undefined;
  readonly forbidden?: Forbidden | undefined;
}

/** A proxy with its connections. */
interface Proxy extends ForwardProxy {
  readonly pool: Pool;
}

const poolOptions = { pipelining: 1, keepAliveTimeout: 20_000, maxHeaderSize: 32 * 1024 };

/** The default route: undici's pools, HTTP/1.1 with keep-alive, directly or through a proxy. */
export class UndiciRoute implements Route {
  readonly #limits: Limits;
  readonly #network: NetworkOptions;
  readonly #pools = new Map<string, Promise<Pool>>();
  readonly #localOrigins = new Set<string>();
  readonly #sockets = new Set<Socket>();
  /** True if the operating system's authorities are trusted too, or are not wanted. */
  #withSystem: boolean;
  #active = 0;

  constructor(limits: Limits, network: NetworkOptions) {
    this.#limits = limits;
    this.#network = network;
    this.#withSystem = network.systemCertificates === false;
  }

  async send(request: RouteRequest): Promise<RawReply> {
    const { origin, forbidden, stop } = request;
    const hadSystem = this.#withSystem;
    const isSecure = origin.startsWith('https:');
    this.#active++;
    try {
      const proxy = proxyFor(origin, this.#network, process.env);
      if (!proxy || isSecure) {
        const end = { origin, peer: peerOf(origin), via: proxy, forbidden: proxy ? undefined : forbidden };
        return await this.#ask(end, request);
      }
      const headers = { ...request.headers, host: new URL(origin).host, ...proxyHeaders(proxy.authorization) };
      return await this.#ask({ ...proxy, target: origin }, { ...request, path: origin + request.path, headers });
    } catch (error) {
      if (hadSystem || !isUnknownAuthority(error)) throw error;
    } finally {
      this.#active--;
      // undici continues to connect for a request that was aborted.
      if (stop.signal.aborted && this.#active === 0) void this.dispose();
    }
    // The system's authorities take 60 ms and more to read and block meanwhile, so this waits until one is missing.
    this.#withSystem = true;
    return this.send(request);
  }

  isPublic(origin: string): boolean {
    return !isLocalHost(origin) && !this.#localOrigins.has(origin);
  }

  async dispose(): Promise<void> {
    const opened = [...this.#pools.values()];
    this.#pools.clear();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.allSettled(opened.map(async (pool) => (await pool).destroy()));
  }

  /**
   * Gives the pool of an end. Rejects with `InputError` if the CA file is unusable. The next request reads it again.
   */
  #poolTo(end: End): Promise<Pool> {
    const key = `${end.origin} ${end.via?.origin} ${end.target} ${this.#withSystem} ${end.forbidden}`;
    const known = this.#pools.get(key);
    if (known) return known;
    const pool = this.#createPool(end, this.#withSystem);
    this.#pools.set(key, pool);
    pool.catch(() => this.#pools.delete(key));
    return pool;
  }

  async #createPool(end: End, trustsSystem: boolean): Promise<Pool> {
    const { origin, via } = end;
    // Made before the first tunnel is asked for, because a tunnel that is asked for during disposal opens nothing.
    const proxy = via && { ...via, pool: await this.#poolTo({ origin: via.origin, peer: via.peer }) };
    const trust = origin.startsWith('https:') ? await readTrust(this.#network, trustsSystem) : undefined;
    return new Pool(origin, { ...poolOptions, connect: this.#watched(this.#connectorTo(end, trust, proxy), end) });
  }

  #connectorTo(
    { forbidden }: End,
    trust: SecureContext | undefined,
    proxy: Proxy | undefined,
  ): buildConnector.connector {
    const connect = buildConnect({
      timeout: this.#limits.connect,
      allowH2: false,
      // A resumed session would skip the check of the host name.
      maxCachedSessions: 0,
      // `watched` checks the certificate, while it can still be read for the message.
      rejectUnauthorized: false,
      ...(trust && { secureContext: trust }),
      ...(forbidden && { lookup: lookupUnless(forbidden) }),
    });
    if (proxy === undefined) return connect;
    return (options, callback): void => {
      const authority = `${options.host}${options.port ? '' : ':443'}`;
      this.#openTunnel(proxy, authority).then(
        (httpSocket) => connect({ ...options, httpSocket }, callback),
        (error: Error) => callback(error, null),
      );
    };
  }

  /** Opens a connection to `authority` (`host:port`) through the proxy. Any 2xx opens it (RFC 9110 section 9.3.6). */
  #openTunnel({ pool, peer, authorization }: Proxy, authority: string): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const headers = { host: authority, 'proxy-connection': 'keep-alive', ...proxyHeaders(authorization) };
    const asked = { path: authority, headers, headersTimeout: this.#limits.connect, ...tlsName(peer) };
    pool.dispatch(
      { ...asked, method: 'CONNECT' },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade(_controller, statusCode, _headers, socket): void {
          const isOpen = statusCode >= 200 && statusCode < 300;
          if (isOpen && socket instanceof Socket) {
            resolve(socket);
          } else {
            socket.destroy();
            reject(tunnelFailure(statusCode, peer.name, authority));
          }
        },
        onResponseError: (_controller, error) => reject(describeFailure(error, peer, this.#limits)),
      },
    );
    return promise;
  }

  #watched(connect: buildConnector.connector, { origin, peer, via }: End): buildConnector.connector {
    return (options, callback): void => {
      const opened: unknown = connect({ ...options, ...tlsName(peer) }, (error, socket) => {
        const failure = error ? describeFailure(error, peer, this.#limits) : this.#untrusted(socket, peer);
        if (failure) socket?.destroy();
        if (failure) callback(failure, null);
        else if (socket) {
          if (!via && isLocalAddress(socket.remoteAddress ?? '')) this.#localOrigins.add(origin);
          callback(null, socket);
        }
      });
      if (opened instanceof Socket) this.#sockets.add(opened.once('close', () => this.#sockets.delete(opened)));
    };
  }

  #untrusted(socket: Socket | null, peer: Peer): Failure | undefined {
    if (!(socket instanceof TLSSocket) || socket.authorized || this.#network.proxyStrictSSL === false) return undefined;
    return certificateFailure(String(socket.authorizationError), socket.getPeerCertificate(), peer);
  }

  async #ask(end: End, { path, headers, body, stop, take }: RouteRequest): Promise<RawReply> {
    const pool = await this.#poolTo(end);
    const method = body === undefined ? 'GET' : 'POST';
    const times = { headersTimeout: this.#limits.headers, bodyTimeout: this.#limits.body };
    const answer = receive(stop.signal, this.#limits, take);
    try {
      stop.signal.throwIfAborted();
      pool.dispatch({ path, headers, method, body: body ?? null, ...times, ...tlsName(end.peer) }, answer.handler);
      const whole = await answer.reply;
      // undici frees the connection one turn later. A request before that would open another one.
      await nextTurn();
      return whole;
    } catch (error) {
      stop.signal.throwIfAborted();
      throw describeFailure(error, { ...end.peer, answered: answer.begun() }, this.#limits);
    }
  }
}

function proxyHeaders(authorization: string | undefined): Readonly<Record<string, string>> {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

/** Gives the name that TLS asks for. An address has none. */
function tlsName({ host }: Peer): { readonly servername: string } {
  return { servername: isIP(host) ? '' : host };
}

function peerOf(origin: string): Peer {
  const { host, hostname } = new URL(origin);
  return { name: host, host: hostname.replace(/^\[|\]$/g, '') };
}

const unreadableRedirect = "it redirects, but the editor's network stack cannot follow redirects: use the new address";

/**
 * The route through a given fetch (the editor's own, which supports PAC files and Kerberos proxies), under the same
 * limits. Time to connect counts as time to the headers here, because fetch does not separate them.
 */
export function createFetchRoute(limits: Limits, fetchFunction: typeof fetch): Route {
  return {
    async send({ origin, path, headers, body, stop }): Promise<RawReply> {
      const wait = limits.connect + limits.headers;
      let timer = setTimeout(() => stop.abort(timeout('ANSWER', wait)), wait);
      let answered = false;
      try {
        // fetch decompresses, and chooses its own `accept-encoding`.
        const { 'accept-encoding': ignored, ...sent } = headers;
        const posted = body === undefined ? {} : { method: 'POST', body };
        const options = { ...posted, headers: sent, redirect: 'manual', signal: stop.signal } as const;
        const reply = await fetchFunction(origin + path, options);
        clearTimeout(timer);
        if (reply.type === 'opaqueredirect') throw new Failure('REDIRECT', unreadableRedirect);
        answered = true;
        timer = setTimeout(() => stop.abort(timeout('BODY', limits.body)), limits.body);
        const { 'content-encoding': undone, ...received } = Object.fromEntries(reply.headers);
        const incoming = new Incoming(reply.status, received, limits);
        try {
          for await (const chunk of reply.body ?? []) {
            timer.refresh();
            if (incoming.add(chunk)) break;
          }
        } catch (error) {
          if (!incoming.isError || isAbort(error)) throw error;
        }
        return incoming.toReply();
      } catch (error) {
        stop.signal.throwIfAborted();
        throw describeFailure(error, { ...peerOf(origin), answered }, limits);
      } finally {
        clearTimeout(timer);
      }
    },
    isPublic: (origin) => !isLocalHost(origin),
    // The editor owns the connections.
    dispose: async () => undefined,
  };
}

/** A reply that comes in, within the limits. The beginning of an error page is enough. */
class Incoming {
  readonly #status: number;
  readonly #headers: RawReply['headers'];
  readonly #maxReply: number;
  readonly #take: RouteRequest['take'];
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  /** Throws `Failure` for a reply that says it is too large. */
  constructor(status: number, headers: RawReply['headers'], { maxReply }: Limits, take?: RouteRequest['take']) {
    this.#status = status;
    this.#headers = headers;
    this.#maxReply = maxReply;
    this.#take = take;
    if (!this.isError && Number(headers['content-length']) > maxReply) throw tooLarge(maxReply);
  }

  get isError(): boolean {
    return this.#status >= 300;
  }

  /** Adds a chunk. True if that is enough. Throws `Failure` for a reply that is too large. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxReply && !this.isError) throw tooLarge(this.#maxReply);
    if (this.#take && !this.isError) this.#take(chunk, this.#headers);
    else this.#chunks.push(chunk);
    return this.#bytes > errorBodyLimit && this.isError;
  }

  /** Gives the reply as far as it has come. */
  toReply(): RawReply {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks), bytes: this.#bytes };
  }
}

interface PendingReply {
  readonly handler: Dispatcher.DispatchHandler;
  /** The reply. Rejects with the signal's reason as soon as that fires, and with undici's own errors. */
  readonly reply: Promise<RawReply>;
  /** True if its headers have come. */
  begun(): boolean;
}

/** Receives the reply to one request of undici. The signal ends the request. */
function receive(signal: AbortSignal, limits: Limits, take: RouteRequest['take']): PendingReply {
  const { promise: reply, resolve, reject } = Promise.withResolvers<RawReply>();
  let incoming: Incoming | undefined;
  let end = (): void => undefined;
  const onAbort = (): void => {
    reject(signal.reason);
    end();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const handler: Dispatcher.DispatchHandler = {
    // undici itself continues to connect for a request that was ended.
    onRequestStart(controller): void {
      end = (): void => controller.abort(signal.reason);
      if (signal.aborted) end();
    },
    onResponseStart(_controller, status, headers): void {
      const received = Object.entries(headers).map(([name, value]) => [name, String(value)]);
      if (status >= 200) incoming = new Incoming(status, Object.fromEntries(received), limits, take);
    },
    onResponseData(controller, chunk): void {
      if (!incoming?.add(chunk)) return;
      resolve(incoming.toReply());
      controller.abort(cancelled());
    },
    onResponseEnd(): void {
      if (incoming) resolve(incoming.toReply());
    },
    onResponseError(_controller, error): void {
      if (incoming?.isError) resolve(incoming.toReply());
      else reject(error);
    },
  };
  return { handler, reply, begun: () => incoming !== undefined };
}
