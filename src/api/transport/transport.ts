import { setTimeout as pause } from 'node:timers/promises';
import {
  type ApiError,
  HttpError,
  InputError,
  isAbort,
  isApiError,
  isTooLarge,
  messageOf,
  ReplyError,
  UnreachableError,
} from '../errors.ts';
import { createMask, type Mask, maskError, shownUrl } from '../masks.ts';
import { cancelled, createConcurrencyLimit, SharedWork } from '../sharing.ts';
import { Failure, timeout } from './failures.ts';
import { acceptedEncodings, decodeBody, maxUrl, nextAddress, toHttpError } from './reply.ts';
import {
  createFetchRoute,
  errorBodyLimit,
  type RawReply,
  type Route,
  type RouteRequest,
  UndiciRoute,
} from './routes.ts';
import type {
  Credential,
  GetOptions,
  Limits,
  RequestLine,
  Transport,
  TransportOptions,
  TransportReply,
} from './transportTypes.ts';

// A source asks this before its first request, and loads no other part for it.
export { isLocalHost } from './addresses.ts';

/** The limits: times in milliseconds, and 32 MiB. All tries of a request together may take three times `request`. */
const defaultLimits: Limits = {
  connect: 10_000,
  headers: 30_000,
  body: 30_000,
  request: 60_000,
  maxReply: 32 * 1024 * 1024,
};

// Some gateways of public nodes refuse requests without a user agent.
const usualHeaders = {
  accept: 'application/json',
  'accept-encoding': acceptedEncodings,
  'user-agent': 'chain-inspector',
};

/** A request: a GET, or with a `body` (JSON) a POST, which no redirect takes elsewhere. */
interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** One try. `stop` ends it. */
interface Try {
  readonly credential: Credential | undefined;
  readonly mask: Mask;
  readonly attempt: number;
  readonly stop: AbortController;
}

/** The HTTP connection to one endpoint, as `Transport` promises. */
export class HttpTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #limits: Limits;
  readonly #route: Route;
  readonly #limited = createConcurrencyLimit(4);
  readonly #shared = new SharedWork<TransportReply>();
  /** The circuit breaker. While the endpoint is down, each request is tried only once. */
  #failures = 0;
  #downUntil = 0;
  #lastMask = { value: '', mask: createMask('') };
  #isDisposed = false;
  #posts = 0;

  constructor(options: TransportOptions) {
    const { network = {} } = options;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#route = network.fetch
      ? createFetchRoute(this.#limits, network.fetch)
      : new UndiciRoute(this.#limits, network);
  }

  async get(path: string, { headers, signal }: GetOptions = {}): Promise<TransportReply> {
    if (this.#isDisposed) throw cancelled();
    const { href } = this.#options.baseUrl;
    const url = href + path;
    if (!path.startsWith('/')) throw new InputError(`${shownUrl(path)} is not a path under ${shownUrl(href)}`);
    if (url.length > maxUrl) throw new InputError(`${shownUrl(url)} is longer than ${maxUrl} characters`);
    const key = headers ? `${url} ${JSON.stringify(headers)}` : url;
    // The pauses between tries count, too, so that an endpoint with a rate limit gets fewer requests.
    return this.#shared.join(key, signal, (own) => this.#limited(() => this.#request({ url, headers }, own)));
  }

  async post(path: string, body: string, signal?: AbortSignal): Promise<TransportReply> {
    if (this.#isDisposed) throw cancelled();
    const sent = { url: this.#options.baseUrl.href + path, headers: undefined, body };
    // This runs under the signal that `dispose` fires. Its key is no address, so no other request shares it.
    return this.#shared.join(`POST ${++this.#posts}`, signal, (own) =>
      this.#limited(() => this.#tryOnce(sent, own, 1, this.#limits.request)),
    );
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#shared.abort();
    await this.#route.dispose();
  }

  async #request(sent: Sent, signal: AbortSignal): Promise<TransportReply> {
    const tries = performance.now() < this.#downUntil ? 1 : 3;
    const deadline = performance.now() + 3 * this.#limits.request;
    for (let attempt = 1; ; attempt++) {
      const time = Math.min(this.#limits.request, deadline - performance.now());
      try {
        const reply = await this.#tryOnce(sent, signal, attempt, time);
        this.#failures = 0;
        this.#downUntil = 0;
        return reply;
      } catch (error) {
        if (signal.aborted) throw cancelled();
        if (!isApiError(error)) throw error;
        const now = performance.now();
        const asked = error instanceof HttpError ? (error.retryAfter ?? 0) : 0;
        const wait = Math.max(asked, 250 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
        if (attempt >= tries || !isWorthRetrying(error) || now + wait >= deadline) {
          if (!isDown(error)) throw error;
          const rest = 1000 * 2 ** Math.min(this.#failures++, 5);
          this.#downUntil = now + Math.min(30_000, Math.max(asked, rest));
          throw error;
        }
        await pause(wait, undefined, { signal });
      }
    }
  }

  async #tryOnce(sent: Sent, signal: AbortSignal, attempt: number, ms: number): Promise<TransportReply> {
    const stop = new AbortController();
    const end = (): void => stop.abort(cancelled());
    const timer = setTimeout(() => stop.abort(timeout('REQUEST', ms)), ms);
    signal.addEventListener('abort', end);
    let mask: Mask = (text) => text;
    try {
      signal.throwIfAborted();
      const credential = await askCredential(this.#options.credential);
      mask = this.#maskOf(credential);
      return await this.#follow(sent, { credential, mask, attempt, stop });
    } catch (error) {
      throw maskError(toApiError(shownUrl(sent.url, mask), error), mask);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  #maskOf(credential: Credential | undefined): Mask {
    const value = credential?.value ?? '';
    if (this.#lastMask.value !== value) this.#lastMask = { value, mask: createMask(value) };
    return this.#lastMask.mask;
  }

  /** Sends one request, and the next one if it is redirected. */
  async #follow({ url, headers, body }: Sent, { credential, mask, attempt, stop }: Try): Promise<TransportReply> {
    const { origin } = this.#options.baseUrl;
    const visited = new Set<string>();
    let [current, to] = [url, origin];
    let forbidden: RouteRequest['forbidden'];
    for (;;) {
      const sent = {
        ...usualHeaders,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        // The credential goes to the origin of the base URL only.
        ...(credential && to === origin && { [credential.name.toLowerCase()]: credential.value }),
      };
      const path = current.slice(to.length) || '/';
      const request = { origin: to, path, headers: sent, body, stop, forbidden };
      const reply = await this.#send(request, mask, attempt);
      if (reply.status < 300) {
        const text = await decodeBody(reply, this.#limits.maxReply);
        stop.signal.throwIfAborted();
        return { status: reply.status, headers: reply.headers, text, mask };
      }
      const isPublic = this.#route.isPublic(to);
      const only = this.#options.oneOrigin ? origin : undefined;
      const next =
        body === undefined ? nextAddress(reply, current, { visited, isPublic, mask, only }) : unfollowed(reply.status);
      if (!(next instanceof URL)) {
        const text = await decodeBody(reply, errorBodyLimit * 4).catch(() => '');
        // Masked before anything is cut, because half a secret would not be found.
        throw toHttpError(shownUrl(current, mask), reply, mask(text), next);
      }
      forbidden = isPublic ? 'local' : 'linkLocal';
      [current, to] = [next.href, next.origin];
    }
  }

  async #send(request: RouteRequest, mask: Mask, attempt: number): Promise<RawReply> {
    const start = performance.now();
    const log = (reply?: RawReply, failure?: Partial<RequestLine>): void => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const { status, bytes = 0 } = reply ?? {};
      this.#options.onRequest?.({
        url: shownUrl(request.origin + request.path, mask),
        ...(request.body !== undefined && ({ method: 'POST' } as const)),
        status,
        bytes,
        ms,
        attempt,
        error: undefined,
        code: undefined,
        ...failure,
      });
    };
    try {
      const reply = await this.#route.send(request);
      log(reply);
      return reply;
    } catch (error) {
      if (isAbort(error)) log(undefined, { error: 'canceled', isCancelled: true });
      else log(undefined, { error: mask(messageOf(error)), code: error instanceof Failure ? error.code : undefined });
      throw error;
    }
  }
}

/** Tells why the redirect of a POST is not followed. Undefined if the status is no redirect. */
function unfollowed(status: number): string | undefined {
  return status < 400 ? 'It redirects. The draft is not sent to any other address' : undefined;
}

/**
 * Passes errors of the API and cancelled requests. A `Failure` becomes an error of the API. Anything else is a defect.
 */
function toApiError(url: string, error: unknown): Error {
  if (!(error instanceof Failure)) return error instanceof Error ? error : new Error(String(error));
  const { code, message } = error;
  return code === 'TOO_LARGE' || code === 'BAD_ENCODING' || code === 'NOT_UTF8'
    ? new ReplyError(url, code === 'TOO_LARGE' ? 'tooLarge' : 'encoding', message, { cause: error })
    : new UnreachableError(url, code, message, { cause: error });
}

async function askCredential(read: TransportOptions['credential']): Promise<Credential | undefined> {
  const credential = await read?.().catch((error: unknown) => {
    throw new InputError('The stored API key for this endpoint could not be read. Set it again', { cause: error });
  });
  if (!credential) return undefined;
  const { name, value } = credential;
  // The names of the second kind belong to the connection.
  const reserved =
    /^(host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || reserved.test(name)) {
    throw new InputError('The header name for this endpoint is not valid. Set the API key again');
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new InputError(`The value of the header ${name} contains characters that HTTP does not allow. Set it again`);
  }
  return credential;
}

/** Refused or reset before or within a reply. A GET can be sent again. Proxies answer the same with a status. */
const transient = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|CLOSED|PROXY_50[234])$/;

/** True if another try can help: not after another 4xx, a node's own 500, or a reply that would be the same again. */
function isWorthRetrying(error: ApiError): boolean {
  if (error instanceof UnreachableError) return transient.test(error.code);
  if (!(error instanceof HttpError)) return false;
  // Not a rate limit: the page is over the gateway's own limit, and stays so (docs/nodes.md#errors).
  if (error.status === 429) return !(error.grpcCode === 8 && isTooLarge(error));
  return error.status === 502 || error.status === 503 || error.status === 504;
}

/** Slow or bad replies, which do not predict the next one. */
const isolated = /^(TIMEOUT_(HEADERS|BODY|REQUEST)|NOT_HTTP|HEADERS_TOO_LARGE|PRIVATE_ADDRESS)$/;

/** True if there is no connection, or a status that was worth a retry stayed. */
function isDown(error: ApiError): boolean {
  return error instanceof UnreachableError ? !isolated.test(error.code) : isWorthRetrying(error);
}
