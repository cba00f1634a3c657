import { isIP, Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
// By path: the package's entry sets a global dispatcher for every `fetch` of the process, which all extensions share.
import askForTunnel from 'undici/lib/api/api-connect.js';
import buildConnect from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { isAbort } from '../errors.ts';
import type { Limits, NetworkOptions } from '../transportTypes.ts';
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
import { type ForwardProxy, isLocalAddress, isLocalHost, lookupPublic, proxyFor, readTrust } from './network.ts';

/** One HTTP request: no redirects, no retries, nothing shared. */
export interface RouteRequest {
  /** `https://host:port`, without a path. */
  readonly origin: string;
  /** Path and query, already escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request at once; the reason is rejected with. */
  readonly signal: AbortSignal;
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
  /** Received bytes of the body. */
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
export function createUndiciRoute(limits: Limits, network: NetworkOptions, env: NodeJS.ProcessEnv): Route {
  const agents = new Map<string, Dispatcher>();
  const lines = new Map<string, Promise<Line>>();
  /** Names that resolved to an address of a private network. */
  const localOrigins = new Set<string>();
  const sockets = new Set<Socket>();
  let withSystem = network.systemCertificates === false;
  let active = 0;

  /** How `origin` is reached. Rejects with `InputError` when the CA file is unusable; the next request reads it again. */
  function lineTo(origin: string, publicOnly: boolean): Promise<Line> {
    const key = `${origin} ${withSystem} ${publicOnly}`;
    const known = lines.get(key);
    if (known) return known;
    // Redirects lead to other origins, as many as a server likes.
    if (lines.size > 8) lines.clear();
    const line = openLine(origin, publicOnly);
    lines.set(key, line);
    line.catch(() => lines.delete(key));
    return line;
  }

  async function openLine(origin: string, publicOnly: boolean): Promise<Line> {
    const isSecure = origin.startsWith('https:');
    const proxy = proxyFor(origin, network, env);
    const usesTls = isSecure || proxy?.origin.startsWith('https:');
    const key = `${proxy?.origin} ${usesTls} ${withSystem} ${publicOnly}`;
    const trust = usesTls ? await readTrust(network, withSystem) : undefined;
    const agent = agents.get(key) ?? (proxy ? createProxyAgent(proxy, trust) : createAgent(trust, publicOnly));
    agents.set(key, agent);
    return { agent, peer: proxy && !isSecure ? proxy.peer : peerOf(origin) };
  }

  const poolOptions = { pipelining: 1, keepAliveTimeout: 20_000, maxHeaderSize: 32 * 1024 };
  const tlsOptions = (trust: SecureContext | undefined) => ({
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
        const onOpen = (address: string) => isLocalAddress(address) && localOrigins.add(String(origin));
        return new Pool(origin, { ...poolOptions, connect: watched(connect, peerOf(origin), onOpen) });
      },
    });
  }

  function createProxyAgent({ origin: uri, peer, authorization }: ForwardProxy, trust: SecureContext | undefined) {
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

  async function openTunnel(pool: Pool, options: Dispatcher.ConnectOptions, peer: Peer) {
    const answer = await askForTunnel.call(pool, options).catch((error: unknown) => {
      throw describeFailure(error, peer, limits);
    });
    const failure = tunnelFailure(answer.statusCode, peer.name, options.path);
    // ProxyAgent takes 200 only; any 2xx opens a tunnel (RFC 9110 section 9.3.6).
    if (!failure) return { ...answer, statusCode: 200 };
    answer.socket.destroy();
    throw failure;
  }

  /** `connect` with failures in words, certificates checked, and its sockets known until they are closed. */
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
    const hadSystem = withSystem;
    let isConnected = false;
    active++;
    try {
      const line = await lineTo(request.origin, request.publicOnly);
      request.signal.throwIfAborted();
      return await dispatch(line, request, limits, () => {
        isConnected = true;
      });
    } catch (error) {
      if (hadSystem || !isUnknownAuthority(error)) throw error;
    } finally {
      active--;
      // undici goes on connecting for a request that was aborted.
      if (!isConnected && request.signal.aborted && active === 0) void closeAll();
    }
    // Reading the system's authorities blocks for 60 ms and more, so that it waits until one is missing.
    withSystem = true;
    return send(request);
  }

  async function closeAll() {
    const ended = [...agents.values()].map((agent) => agent.destroy());
    agents.clear();
    lines.clear();
    for (const socket of sockets) socket.destroy();
    await Promise.all(ended);
  }

  return { send, isPublic: (origin) => !isLocalHost(origin) && !localOrigins.has(origin), dispose: closeAll };
}

function peerOf(origin: string | URL): Peer {
  const { host, hostname } = new URL(origin);
  return { name: host, host: hostname.replace(/^\[|\]$/g, '') };
}

interface Line {
  readonly agent: Dispatcher;
  readonly peer: Peer;
}

/** Sends `request` and collects the reply in memory, within the limits. `onConnected`: it leaves on a connection. */
function dispatch(line: Line, request: RouteRequest, limits: Limits, onConnected: () => void): Promise<RawReply> {
  const { origin, path, headers, signal } = request;
  const options = { origin, path, headers, method: 'GET', headersTimeout: limits.headers, bodyTimeout: limits.body };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let received: Record<string, string> = {};
    let bytes = 0;
    let ended = false;

    const finish = (error?: unknown) => {
      if (ended) return;
      ended = true;
      signal.removeEventListener('abort', onAbort);
      // The beginning of an error's page is enough.
      if (error === undefined || (status >= 300 && !isAbort(error))) {
        const [first] = chunks;
        const body = first && chunks.length === 1 ? first : Buffer.concat(chunks);
        resolve({ status, headers: received, body, bytes });
      } else reject(error);
      if (error !== undefined) controller?.abort(new Error('ended'));
    };
    const onAbort = () => finish(signal.reason);
    signal.addEventListener('abort', onAbort);

    line.agent.dispatch(options, {
      onRequestStart(started) {
        onConnected();
        controller = started;
        if (ended) started.abort(new Error('ended'));
      },
      onResponseStart(_controller, code, incoming) {
        if (code < 200 || ended) return;
        status = code;
        received = Object.fromEntries(Object.entries(incoming).map(([name, value]) => [name, String(value)]));
        if (status < 300 && Number(received['content-length']) > limits.maxReply) finish(tooLarge(limits.maxReply));
      },
      onResponseData(_controller, chunk) {
        if (ended) return;
        bytes += chunk.length;
        const limit = status < 300 ? limits.maxReply : errorBodyLimit;
        if (bytes <= limit || status >= 300) chunks.push(chunk);
        if (bytes > limit) finish(tooLarge(limit));
      },
      onResponseEnd() {
        // undici frees the connection one turn later; a request before that would open another one.
        queueMicrotask(() => setImmediate(finish));
      },
      onResponseError(_controller, error) {
        // undici hides the 407 of a proxy for plain requests in an error, whose code is that of a refused option.
        const is407 = controller !== undefined && 'code' in error && error.code === 'UND_ERR_INVALID_ARG';
        if (is407) status = 407;
        finish(is407 ? undefined : describeFailure(error, { ...line.peer, answered: status > 0 }, limits));
      },
    });
  });
}

const unreadableRedirect = "it redirects, which cannot be followed through the editor's own fetch: use the new address";

/**
 * The route through a given fetch (the editor's own, which supports PAC files and Kerberos proxies), under the same limits.
 * Connecting counts as waiting for the headers here: fetch does not distinguish them.
 */
export function createFetchRoute(limits: Limits, fetchFunction: typeof fetch): Route {
  return {
    async send({ origin, path, headers, signal }) {
      signal.throwIfAborted();
      const stop = new AbortController();
      const wait = limits.connect + limits.headers;
      let idle = setTimeout(() => stop.abort(timeout('ANSWER', wait)), wait);
      let reply: Response | undefined;
      try {
        // fetch decompresses, and chooses its own `accept-encoding`.
        const { 'accept-encoding': ignored, ...sent } = headers;
        const both = AbortSignal.any([signal, stop.signal]);
        reply = await fetchFunction(origin + path, { headers: sent, redirect: 'manual', signal: both });
        clearTimeout(idle);
        if (reply.type === 'opaqueredirect') throw new Failure('REDIRECT', unreadableRedirect);
        idle = setTimeout(() => stop.abort(timeout('BODY', limits.body)), limits.body);
        const body = await readBody(reply, limits, () => idle.refresh());
        const received = Object.fromEntries(reply.headers);
        delete received['content-encoding'];
        return { status: reply.status, headers: received, body, bytes: body.length };
      } catch (error) {
        signal.throwIfAborted();
        const peer = { ...peerOf(origin), answered: reply !== undefined };
        throw describeFailure(stop.signal.reason ?? error, peer, limits);
      } finally {
        clearTimeout(idle);
        stop.abort();
      }
    },
    isPublic: (origin) => !isLocalHost(origin),
    // Its connections are the editor's.
    dispose: async () => undefined,
  };
}

async function readBody(reply: Response, limits: Limits, onData: () => void): Promise<Buffer> {
  const limit = reply.ok ? limits.maxReply : errorBodyLimit;
  if (reply.ok && Number(reply.headers.get('content-length')) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of reply.body ?? []) {
      onData();
      bytes += chunk.length;
      if (bytes > limit && reply.ok) throw tooLarge(limit);
      chunks.push(chunk);
      if (bytes > limit) break;
    }
  } catch (error) {
    // The beginning of an error's page is enough.
    if (reply.ok) throw error;
  }
  return Buffer.concat(chunks);
}
