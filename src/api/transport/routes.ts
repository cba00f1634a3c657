import { isIP, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
// By path: the package's entry sets a global dispatcher for every `fetch` of the process, which all extensions share.
import buildConnect from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { isAbort } from '../errors.ts';
import { cancelled } from '../sharing.ts';
import type { Limits, NetworkOptions } from '../transportTypes.ts';
import {
  certificateFailure,
  codeOf,
  describeFailure,
  Failure,
  isUnknownAuthority,
  type Peer,
  timeout,
  tooLarge,
  tunnelFailure,
} from './failures.ts';
import { type ForwardProxy, isLocalAddress, isLocalHost, lookupPublic, proxyFor, readTrust } from './network.ts';

/** One HTTP request: no redirects, no retries, nothing shared. */
export interface RouteRequest {
  /** `https://host:port`, without a path. */
  readonly origin: string;
  /** Path and query, already escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: string | undefined;
  /** Ends the request at once, which then rejects with the reason; the route uses it for time limits. */
  readonly stop: AbortController;
  /** Refuses a name that resolves to an address of a private network, where the name is resolved here. */
  readonly publicOnly: boolean;
}

/** A whole reply of any status. The body of a status other than 2xx is cut at `errorBodyLimit`. */
export interface RawReply {
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent, or already decompressed where `headers` has no `content-encoding`. */
  readonly body: Buffer;
  readonly bytes: number;
}

/** Sends requests through undici or through the editor's fetch. Rejects with the signal's reason, a `Failure` or an `InputError`. */
export interface Route {
  send(request: RouteRequest): Promise<RawReply>;
  /** Whether replies from `origin` come from the public internet, as far as this machine knows. */
  isPublic(origin: string): boolean;
  /** Ends every connection. Requests end by their signals. */
  dispose(): Promise<void>;
}

/** Bytes of an error's body that are read: gateway bodies are small, and pages of proxies are only quoted. */
export const errorBodyLimit = 64 * 1024;

/** The default route: undici's pools, HTTP/1.1 with keep-alive, directly or through undici's proxy agent. */
export function createUndiciRoute(limits: Limits, network: NetworkOptions): Route {
  const agents = new Map<string, Promise<Dispatcher>>();
  const localOrigins = new Set<string>();
  const sockets = new Set<Socket>();
  let withSystem = network.systemCertificates === false;
  let active = 0;

  /** Rejects with `InputError` when the CA file is unusable; the next request reads it again. */
  function agentFor(proxy: ForwardProxy | undefined, isSecure: boolean, publicOnly: boolean): Promise<Dispatcher> {
    const usesTls = isSecure || proxy?.origin.startsWith('https:');
    const key = `${proxy?.origin} ${usesTls} ${withSystem} ${publicOnly}`;
    const known = agents.get(key);
    if (known) return known;
    const trust = usesTls ? readTrust(network, withSystem) : Promise.resolve(undefined);
    const agent = trust.then((read) => (proxy ? createProxyAgent(proxy, read) : createAgent(read, publicOnly)));
    agents.set(key, agent);
    agent.catch(() => agents.delete(key));
    return agent;
  }

  const poolOptions = { pipelining: 1, keepAliveTimeout: 20_000, maxHeaderSize: 32 * 1024 };
  const tlsOptions = (trust: SecureContext | undefined): buildConnector.BuildOptions => ({
    timeout: limits.connect,
    allowH2: false,
    // A resumed session would skip the check of the host name.
    maxCachedSessions: 0,
    // Checked by `watched`, where the certificate can still be read for the message.
    rejectUnauthorized: false,
    ...(trust && { secureContext: trust }),
  });

  function createAgent(trust: SecureContext | undefined, publicOnly: boolean): Dispatcher {
    const connect = buildConnect({ ...tlsOptions(trust), ...(publicOnly && { lookup: lookupPublic }) });
    return new Agent({
      factory(origin) {
        const onOpen = (address: string): false | Set<string> =>
          isLocalAddress(address) && localOrigins.add(String(origin));
        return new Pool(origin, { ...poolOptions, connect: watched(connect, peerOf(origin), onOpen) });
      },
    });
  }

  function createProxyAgent(
    { origin: uri, peer, authorization }: ForwardProxy,
    trust: SecureContext | undefined,
  ): ProxyAgent {
    const tls = tlsOptions(trust);
    return new ProxyAgent({
      uri,
      ...(authorization && { token: authorization }),
      proxyTls: tls,
      requestTls: tls,
      /** Connections to the proxy that become tunnels. */
      clientFactory() {
        const connect = watched(buildConnect(tls), peer);
        const pool = new Pool(uri, { ...poolOptions, headersTimeout: limits.connect, connect });
        return Object.assign(pool, {
          connect: (options: Dispatcher.ConnectOptions) => openTunnel(pool, options, peer),
        });
      },
      /** Connections to the proxy itself for plain requests, through a tunnel for the others. */
      factory(origin, options) {
        const end = new URL(origin).origin === uri ? peer : peerOf(origin);
        return new Pool(origin, { ...poolOptions, connect: watched(options.connect, end) });
      },
    });
  }

  function openTunnel(pool: Pool, options: Dispatcher.ConnectOptions, peer: Peer): Promise<Dispatcher.ConnectData> {
    const { promise, resolve, reject } = Promise.withResolvers<Dispatcher.ConnectData>();
    const { path, headers } = options;
    pool.dispatch(
      { ...options, path, headers: headers ?? null, method: 'CONNECT' },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade(_controller, statusCode, received, socket): void {
          // ProxyAgent takes 200 only; any 2xx opens a tunnel (RFC 9110 section 9.3.6).
          if (statusCode >= 200 && statusCode < 300) {
            resolve({ statusCode: 200, headers: received, socket, opaque: null });
          } else {
            socket.destroy();
            reject(tunnelFailure(statusCode, peer.name, path));
          }
        },
        onResponseError: (_controller, error) => reject(describeFailure(error, peer, limits)),
      },
    );
    return promise;
  }

  function watched(
    connect: buildConnector.connector,
    peer: Peer,
    onOpen?: (address: string) => void,
  ): buildConnector.connector {
    return (options, callback) => {
      // TLS has no server name for an address.
      const servername = options.servername && !isIP(options.servername) ? options.servername : '';
      const opened: unknown = connect({ ...options, servername }, (error, socket) => {
        const failure = error ? describeFailure(error, peer, limits) : untrusted(socket, peer);
        if (failure) socket?.destroy();
        if (failure) callback(failure, null);
        else if (socket) {
          onOpen?.(socket.remoteAddress ?? '');
          callback(null, socket);
        }
      });
      if (opened instanceof Socket) sockets.add(opened.once('close', () => sockets.delete(opened)));
    };
  }

  function untrusted(socket: Socket | null, peer: Peer): Failure | undefined {
    if (!(socket instanceof TLSSocket) || socket.authorized || network.proxyStrictSSL === false) return undefined;
    return certificateFailure(String(socket.authorizationError), socket.getPeerCertificate(), peer);
  }

  async function send(request: RouteRequest): Promise<RawReply> {
    const { origin, publicOnly, stop } = request;
    const hadSystem = withSystem;
    const isSecure = origin.startsWith('https:');
    active++;
    try {
      const proxy = proxyFor(origin, network, process.env);
      const agent = await agentFor(proxy, isSecure, publicOnly);
      return await ask(agent, proxy && !isSecure ? proxy.peer : peerOf(origin), request);
    } catch (error) {
      if (hadSystem || !isUnknownAuthority(error)) throw error;
    } finally {
      active--;
      // undici goes on connecting for a request that was aborted.
      if (stop.signal.aborted && active === 0) void closeAll();
    }
    // Reading the system's authorities blocks for 60 ms and more, so that it waits until one is missing.
    withSystem = true;
    return send(request);
  }

  async function ask(agent: Dispatcher, peer: Peer, request: RouteRequest): Promise<RawReply> {
    const { origin, path, headers, body = null, stop } = request;
    const method = body === null ? 'GET' : 'POST';
    const times = { headersTimeout: limits.headers, bodyTimeout: limits.body };
    const answer = receive(stop.signal, limits);
    try {
      stop.signal.throwIfAborted();
      agent.dispatch({ origin, path, headers, method, body, ...times }, answer.handler);
      const whole = await answer.reply;
      // undici frees the connection one turn later; a request before that would open another one.
      await nextTurn();
      return whole;
    } catch (error) {
      stop.signal.throwIfAborted();
      // undici's word for the 407 of a proxy for plain requests.
      const is407 = peer.isProxy && codeOf(error) === 'UND_ERR_INVALID_ARG';
      if (is407) return { status: 407, headers: {}, body: Buffer.alloc(0), bytes: 0 };
      throw describeFailure(error, { ...peer, answered: answer.begun() }, limits);
    }
  }

  async function closeAll(): Promise<void> {
    const opened = [...agents.values()];
    agents.clear();
    for (const socket of sockets) socket.destroy();
    await Promise.allSettled(opened.map(async (agent) => (await agent).destroy()));
  }

  return { send, isPublic: (origin) => !isLocalHost(origin) && !localOrigins.has(origin), dispose: closeAll };
}

function peerOf(origin: string | URL): Peer {
  const { host, hostname } = new URL(origin);
  return { name: host, host: hostname.replace(/^\[|\]$/g, '') };
}

const unreadableRedirect = "it redirects, which cannot be followed through the editor's own fetch: use the new address";

/**
 * The route through a given fetch (the editor's own, which supports PAC files and Kerberos proxies), under the same limits.
 * Connecting counts as waiting for the headers here: fetch does not distinguish them.
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
    // Its connections are the editor's.
    dispose: async () => undefined,
  };
}

/** A reply that comes in, within the limits. Of an error's page the beginning is enough. */
class Incoming {
  readonly #status: number;
  readonly #headers: RawReply['headers'];
  readonly #maxReply: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  /** Throws `Failure` for a reply that says it is too large. */
  constructor(status: number, headers: RawReply['headers'], { maxReply }: Limits) {
    this.#status = status;
    this.#headers = headers;
    this.#maxReply = maxReply;
    if (!this.isError && Number(headers['content-length']) > maxReply) throw tooLarge(maxReply);
  }

  get isError(): boolean {
    return this.#status >= 300;
  }

  /** Whether that is enough. Throws `Failure` for a reply that is too large. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxReply && !this.isError) throw tooLarge(this.#maxReply);
    this.#chunks.push(chunk);
    return this.#bytes > errorBodyLimit && this.isError;
  }

  /** As far as it has come. */
  toReply(): RawReply {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks), bytes: this.#bytes };
  }
}

interface Answer {
  readonly handler: Dispatcher.DispatchHandler;
  /** Rejects with the signal's reason as soon as that fires, and with undici's own errors. */
  readonly reply: Promise<RawReply>;
  /** Whether its headers have come. */
  begun(): boolean;
}

/** Takes in the reply to one request of undici, which it ends on the signal. */
function receive(signal: AbortSignal, limits: Limits): Answer {
  const { promise: reply, resolve, reject } = Promise.withResolvers<RawReply>();
  let incoming: Incoming | undefined;
  let end = (): void => undefined;
  const onAbort = (): void => {
    reject(signal.reason);
    end();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const handler: Dispatcher.DispatchHandler = {
    // undici itself goes on connecting for a request that was ended.
    onRequestStart(controller): void {
      end = (): void => controller.abort(signal.reason);
      if (signal.aborted) end();
    },
    onResponseStart(_controller, status, headers): void {
      const received = Object.entries(headers).map(([name, value]) => [name, String(value)]);
      if (status >= 200) incoming = new Incoming(status, Object.fromEntries(received), limits);
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
