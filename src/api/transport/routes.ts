import { isIP, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
// By path: the package's entry sets a global dispatcher for every `fetch` of the process, which all extensions share.
import askForTunnel from 'undici/lib/api/api-connect.js';
import askForReply from 'undici/lib/api/api-request.js';
import buildConnect from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { isAbort } from '../errors.ts';
import { abortable } from '../sharing.ts';
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

  async function openTunnel(
    pool: Pool,
    options: Dispatcher.ConnectOptions,
    peer: Peer,
  ): Promise<Dispatcher.ConnectData> {
    const answer = await askForTunnel.call(pool, options).catch((error: unknown) => {
      throw describeFailure(error, peer, limits);
    });
    const { statusCode, socket } = answer;
    // ProxyAgent takes 200 only; any 2xx opens a tunnel (RFC 9110 section 9.3.6).
    if (statusCode >= 200 && statusCode < 300) return { ...answer, statusCode: 200 };
    socket.destroy();
    throw tunnelFailure(statusCode, peer.name, options.path);
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
    const { origin, path, headers, body, stop } = request;
    const method = body === undefined ? 'GET' : 'POST';
    const times = { headersTimeout: limits.headers, bodyTimeout: limits.body };
    let answered = false;
    try {
      stop.signal.throwIfAborted();
      const asked = askForReply.call(agent, {
        origin,
        path,
        headers,
        method,
        body: body ?? null,
        ...times,
        signal: stop.signal,
      });
      // undici itself looks at the signal only when it is connected.
      const reply = await abortable(asked, stop.signal);
      answered = true;
      const received = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
      const whole = await collect(reply.statusCode, Object.fromEntries(received), reply.body, limits);
      // undici frees the connection one turn later; a request before that would open another one.
      await nextTurn();
      return whole;
    } catch (error) {
      stop.signal.throwIfAborted();
      // undici's word for the 407 of a proxy for plain requests.
      const is407 = peer.isProxy && codeOf(error) === 'UND_ERR_INVALID_ARG';
      if (is407) return { status: 407, headers: {}, body: Buffer.alloc(0), bytes: 0 };
      throw describeFailure(error, { ...peer, answered }, limits);
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
        return await collect(reply.status, received, reply.body ?? [], limits, () => timer.refresh());
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

/** The reply in memory, within the limits. Of an error's page the beginning is enough. */
async function collect(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxReply }: Limits,
  onData: () => void = () => {},
): Promise<RawReply> {
  const isError = status >= 300;
  if (!isError && Number(headers['content-length']) > maxReply) throw tooLarge(maxReply);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      onData();
      bytes += chunk.length;
      if (bytes > maxReply && !isError) throw tooLarge(maxReply);
      chunks.push(chunk);
      if (bytes > errorBodyLimit && isError) break;
    }
  } catch (error) {
    if (!isError || isAbort(error)) throw error;
  }
  return { status, headers, body: Buffer.concat(chunks), bytes };
}
