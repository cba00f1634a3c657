import { setTimeout as pause } from 'node:timers/promises';
import { parseBaseUrl } from './baseUrl.ts';
import {
  type ApiError,
  abortable,
  HttpError,
  InputError,
  isAbort,
  isApiError,
  ReplyError,
  UnreachableError,
} from './errors.ts';
import { createMask, type Mask, maskError, shownUrl } from './mask.ts';
import { isTooLarge } from './replyFaults.ts';
import { Failure, timeout } from './transport/failures.ts';
import { acceptedEncodings, createRedirects, decodeBody, maxUrl, toHttpError } from './transport/reply.ts';
import { createFetchRoute, createUndiciRoute, errorBodyLimit, type RawReply } from './transport/routes.ts';
import type { Credential, Limits, Transport, TransportOptions, TransportReply } from './transportTypes.ts';

/** Milliseconds, and 32 MiB. All tries of a request together may take three times `request`. */
export const defaultLimits: Limits = {
  connect: 10_000,
  headers: 30_000,
  body: 30_000,
  request: 60_000,
  maxReply: 32 * 1024 * 1024,
};

/** One try of a request. */
interface Try {
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly credential: Credential | undefined;
  /** Hides the credential in whatever is logged or shown. */
  readonly mask: Mask;
  readonly signal: AbortSignal;
  /** 1 for the first one. */
  readonly attempt: number;
}

/**
 * The way to one endpoint: pooled connections, limits, redirects, retries, proxies, certificates and the credential
 * header, as `Transport` promises.
 *
 * @throws InputError when the base URL is unusable.
 */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...defaultLimits, ...defined(options.limits) };
  const network = options.network ?? {};
  const { origin } = parseBaseUrl(options.baseUrl);
  const route = network.fetch
    ? createFetchRoute(limits, network.fetch)
    : createUndiciRoute(limits, network, process.env);
  // Some gateways of public nodes refuse requests without a user agent.
  const usual = { accept: 'application/json', 'accept-encoding': acceptedEncodings, 'user-agent': 'chain-inspector' };
  const limited = createConcurrencyLimit(4);
  const shared = createSharedRequests<TransportReply>();
  // The circuit breaker: while the endpoint is down, each request is tried once only.
  let failures = 0;
  let downUntil = 0;
  let lastMask: { readonly value: string; readonly mask: Mask } | undefined;
  let disposed = false;

  /** All tries of one request. */
  async function request(url: string, headers: Try['headers'], signal: AbortSignal): Promise<TransportReply> {
    const tries = performance.now() < downUntil ? 1 : 3;
    const deadline = performance.now() + 3 * limits.request;
    for (let attempt = 1; ; attempt++) {
      const time = Math.min(limits.request, deadline - performance.now());
      const outcome = await tryOnce(url, headers, signal, attempt, time);
      if (!isApiError(outcome)) {
        failures = 0;
        downUntil = 0;
        return outcome;
      }
      const now = performance.now();
      const asked = outcome instanceof HttpError ? (outcome.retryAfter ?? 0) : 0;
      const wait = Math.max(asked, 250 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
      if (attempt >= tries || !isWorthRetrying(outcome) || now + wait >= deadline) {
        if (isDown(outcome)) downUntil = now + Math.min(30_000, Math.max(asked, 1000 * 2 ** Math.min(failures++, 5)));
        throw outcome;
      }
      await pause(wait, undefined, { signal });
    }
  }

  /** A failure that may be worth another try is returned; a cancelled request and a defect throw. */
  async function tryOnce(url: string, headers: Try['headers'], signal: AbortSignal, attempt: number, ms: number) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(timeout('REQUEST', ms)), ms);
    const onAbort = () => stop.abort(cancelled());
    signal.addEventListener('abort', onAbort);
    let mask = maskOf('');
    try {
      signal.throwIfAborted();
      const credential = await readCredential(options.credential);
      mask = maskOf(credential?.value ?? '');
      return await follow(url, { headers, credential, mask, signal: stop.signal, attempt });
    } catch (error) {
      if (signal.aborted) throw cancelled();
      return maskError(toApiError(shownUrl(url, mask), error), mask);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  function maskOf(value: string): Mask {
    if (lastMask?.value !== value) lastMask = { value, mask: createMask(value) };
    return lastMask.mask;
  }

  /** One try with the redirects that it leads through. */
  async function follow(url: string, one: Try): Promise<TransportReply> {
    const redirects = createRedirects(one.mask);
    let current = url;
    let host = origin;
    let reply = await send(url, origin, false, one);
    while (reply.status >= 300) {
      const isPublic = route.isPublic(host);
      const next = redirects(current, reply, isPublic);
      if (!(next instanceof URL)) {
        const text = await decodeBody(reply, errorBodyLimit * 4).catch(() => '');
        // Masked before anything is cut: half a secret would not be found.
        throw toHttpError(shownUrl(current, one.mask), reply, one.mask(text), next);
      }
      current = next.href;
      host = next.origin;
      reply = await send(current, host, isPublic, one);
    }
    const text = await decodeBody(reply, limits.maxReply);
    one.signal.throwIfAborted();
    return { status: reply.status, headers: reply.headers, text, mask: one.mask };
  }

  /** One HTTP request and its log line. The credential goes to the origin of the base URL only. */
  async function send(url: string, to: string, publicOnly: boolean, one: Try): Promise<RawReply> {
    const { credential, signal, attempt, mask } = one;
    const own = credential && to === origin ? { [credential.name.toLowerCase()]: credential.value } : {};
    const headers = { ...usual, ...one.headers, ...own };
    const start = performance.now();
    const log = (reply: RawReply | undefined, error?: string) => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const line = { url: shownUrl(url, mask), status: reply?.status, bytes: reply?.bytes ?? 0, ms, attempt };
      options.onRequest?.({ ...line, error: error && mask(error) });
    };
    try {
      const reply = await route.send({ origin: to, path: url.slice(to.length) || '/', headers, signal, publicOnly });
      log(reply);
      return reply;
    } catch (error) {
      log(undefined, isAbort(error) ? 'cancelled' : error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  return {
    get(url, { headers, signal } = {}) {
      if (disposed) return Promise.reject(cancelled());
      if (url.length > maxUrl)
        return Promise.reject(new InputError(`${shownUrl(url)} is longer than ${maxUrl} characters`));
      if (!url.startsWith(`${origin}/`) && url !== origin) {
        return Promise.reject(new InputError(`${shownUrl(url)} is not an address below ${origin}`));
      }
      const key = headers ? `${url} ${JSON.stringify(headers)}` : url;
      // The pauses between tries count, too, so that an endpoint with a rate limit gets fewer requests.
      return shared.join(key, signal, (own) => limited(() => request(url, headers, own)));
    },
    async dispose() {
      disposed = true;
      shared.abort();
      await route.dispose();
    },
  };
}

/** A limit given as undefined is not given. */
function defined(limits: Partial<Limits> | undefined): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined));
}

/** What every cancelled call rejects with, whatever reason the caller's signal carries. */
function cancelled(): DOMException {
  return new DOMException('The request was cancelled', 'AbortError');
}

/** Errors of the API pass; a `Failure` becomes one. Anything else is a defect, and is thrown as it is. */
function toApiError(url: string, error: unknown): ApiError {
  if (isApiError(error)) return error;
  if (!(error instanceof Failure)) throw error;
  const { code, message } = error;
  return code === 'TOO_LARGE' || code === 'BAD_ENCODING' || code === 'NOT_UTF8'
    ? new ReplyError(url, code === 'TOO_LARGE' ? 'tooLarge' : 'encoding', message, { cause: error })
    : new UnreachableError(url, code, message, { cause: error });
}

async function readCredential(read: TransportOptions['credential']): Promise<Credential | undefined> {
  const credential = await read?.().catch((error: unknown) => {
    throw new InputError('The stored header of this endpoint could not be read: set it again', { cause: error });
  });
  if (!credential) return undefined;
  const { name, value } = credential;
  // The names of the second kind belong to the connection.
  const reserved =
    /^(host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || reserved.test(name)) {
    throw new InputError('The header of this endpoint has an unusable name: set it again');
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new InputError(`The value of the header ${name} holds characters that HTTP does not allow: set it again`);
  }
  return credential;
}

/** Refused or reset before or within a reply; a GET can be sent again. Proxies answer the same with a status. */
const passing = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|CLOSED|PROXY_50[234])$/;

/** Whether another try can help: not after another 4xx, a node's own 500, or a reply that would be the same again. */
function isWorthRetrying(error: ApiError): boolean {
  if (error instanceof UnreachableError) return passing.test(error.code);
  if (!(error instanceof HttpError)) return false;
  // Not a rate limit: the page is over the gateway's own limit, and stays so (docs/nodes.md#errors).
  if (error.status === 429) return !(error.grpcCode === 8 && isTooLarge(error));
  return error.status === 502 || error.status === 503 || error.status === 504;
}

/** No connection, or a status that was worth retrying and stayed. A slow or bad reply does not predict the next one. */
function isDown(error: ApiError): boolean {
  if (error instanceof UnreachableError) {
    return !/^(TIMEOUT_(HEADERS|BODY|REQUEST)|NOT_HTTP|HEADERS_TOO_LARGE|PRIVATE_ADDRESS)$/.test(error.code);
  }
  return error instanceof HttpError && (error.status === 429 || (error.status > 501 && error.status < 505));
}

/** Runs at most `width` tasks at once, in the order of the calls. */
function createConcurrencyLimit(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < width) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** In-flight de-duplication: callers with the same key wait for one request. */
function createSharedRequests<T>() {
  const requests = new Map<
    string,
    { readonly result: Promise<T>; readonly control: AbortController; callers: number }
  >();
  const forget = (key: string, control: AbortController) => {
    if (requests.get(key)?.control === control) requests.delete(key);
  };
  return {
    /**
     * Joins the request of this key, or starts one. A caller whose signal fires gets an `AbortError`; after the last one, the
     * signal that `start` was given fires.
     */
    async join(key: string, signal: AbortSignal | undefined, start: (own: AbortSignal) => Promise<T>): Promise<T> {
      if (signal?.aborted) throw cancelled();
      let request = requests.get(key);
      if (!request) {
        const control = new AbortController();
        request = { result: start(control.signal).finally(() => forget(key, control)), control, callers: 0 };
        requests.set(key, request);
      }
      const { result, control } = request;
      request.callers++;
      try {
        return await abortable(result, signal);
      } catch (error) {
        throw signal?.aborted ? cancelled() : error;
      } finally {
        if (--request.callers === 0) {
          forget(key, control);
          control.abort(cancelled());
        }
      }
    },
    /** Ends all; callers get an `AbortError`. */
    abort() {
      for (const { control } of requests.values()) control.abort(cancelled());
      requests.clear();
    },
  };
}
