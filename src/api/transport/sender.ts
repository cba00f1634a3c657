import { type ApiError, HttpError, InputError, UnreachableError } from '../errors.ts';
import type { Credential, Limits, TransportOptions, TransportReply } from '../transportTypes.ts';
import { acceptedEncodings, decodeBody, type RawReply, type Route } from './body.ts';
import { maskUrl } from './failures.ts';
import { toHttpError } from './toHttpError.ts';

export interface SenderOptions {
  /** Of the base URL; the credential goes nowhere else. */
  readonly origin: string;
  readonly route: Route;
  readonly limits: Limits;
  readonly credential: TransportOptions['credential'];
  readonly onRequest: TransportOptions['onRequest'];
}

/** One try. */
export interface Try {
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds for all of it. */
  readonly timeout: number;
  /** 1 for the first one. */
  readonly attempt: number;
}

/** One request of a try: the first, or one that a redirect leads to. `url` is `origin` + `path`. */
interface Hop {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

/** Sends one try, follows its redirects, logs a line for each request, and reads the reply as text. */
export function createSender(options: SenderOptions): (url: string, attempt: Try) => Promise<TransportReply> {
  const { origin, route, limits } = options;
  // Some shields before public nodes turn away requests without a user agent.
  const usual = { accept: 'application/json', 'accept-encoding': acceptedEncodings, 'user-agent': 'chain-inspector' };

  async function sendOnce(hop: Hop, secret: Credential | undefined, one: Try, ends: number): Promise<RawReply> {
    const given = one.headers ? { ...usual, ...one.headers } : usual;
    const headers = secret && hop.origin === origin ? { ...given, [secret.name.toLowerCase()]: secret.value } : given;
    const start = performance.now();
    const log = (reply: RawReply | undefined, error?: string) =>
      options.onRequest?.({
        url: maskUrl(hop.url),
        status: reply?.status,
        bytes: reply?.bytes ?? 0,
        ms: Math.round((performance.now() - start) * 10) / 10,
        attempt: one.attempt,
        error,
      });
    try {
      const timeout = Math.max(1, ends - performance.now());
      const reply = await route.send({ origin: hop.origin, path: hop.path, headers, signal: one.signal, timeout });
      log(reply);
      return reply;
    } catch (error) {
      log(undefined, one.signal.aborted ? 'cancelled' : error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  return async (url, one) => {
    const secret = options.credential ? checked(await readCredential(options.credential)) : undefined;
    one.signal.throwIfAborted();
    const ends = performance.now() + one.timeout;
    let hop: Hop = { url, origin, path: url.slice(origin.length) || '/' };
    let reply = await sendOnce(hop, secret, one, ends);
    if (reply.status >= 300) {
      const redirects = createRedirects();
      for (let next = redirects.next(url, reply); next; next = redirects.next(hop.url, reply)) {
        if ('refused' in next) throw await toHttpError(hop.url, reply, secret?.value, Date.now(), next.refused);
        hop = { url: next.url.href, origin: next.url.origin, path: next.url.pathname + next.url.search };
        reply = await sendOnce(hop, secret, one, ends);
      }
      if (reply.status >= 300) throw await toHttpError(hop.url, reply, secret?.value, Date.now());
    }
    const text = await decodeBody(reply, limits.maxReply);
    one.signal.throwIfAborted();
    return { status: reply.status, headers: reply.headers, text };
  };
}

async function readCredential(read: () => Promise<Credential | undefined>): Promise<Credential | undefined> {
  try {
    return await read();
  } catch (error) {
    throw new InputError('The stored header of this endpoint could not be read: set it again', { cause: error });
  }
}

/** Names that a stored header must not have: they belong to the connection. */
const reserved = /^(host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;

function checked(credential: Credential | undefined): Credential | undefined {
  if (!credential) return undefined;
  const { name, value } = credential;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || reserved.test(name)) {
    throw new InputError(`The header of this endpoint has an unusable name: set it again`);
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new InputError(`The value of the header ${name} holds characters that HTTP does not allow: set it again`);
  }
  return credential;
}

/** The first one included. */
export const maxTries = 3;

/** Refused or reset before or within a reply; a GET can be asked again. Proxies say the same with a status. */
const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'CLOSED',
  'PROXY_502',
  'PROXY_503',
  'PROXY_504',
]);

/** Whether asking again can help: never for another 4xx, a node's own 500, or a reply that would be the same again. */
export function isWorthRetrying(error: ApiError): boolean {
  if (error instanceof UnreachableError) return passing.has(error.code);
  if (!(error instanceof HttpError)) return false;
  // Not a rate limit: the page does not fit the gateway's own limit, and never will (contract-facts section 4).
  if (error.status === 429)
    return !(error.grpcCode === 8 && /received message larger than max/.test(error.nodeMessage ?? ''));
  return error.status === 502 || error.status === 503 || error.status === 504;
}

/** Milliseconds before try `next` (2, 3, …): what the server asks for, else a quarter of a second, doubled each time, with jitter. */
export function pauseBefore(next: number, error: ApiError): number {
  const asked = error instanceof HttpError ? (error.retryAfter ?? 0) : 0;
  return Math.max(asked, 250 * 2 ** (next - 2) * (0.5 + Math.random() / 2));
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort);
  });
}

const firstPause = 1000;
const longestPause = 30_000;

/**
 * Remembers that an endpoint is down, so that nothing is tried twice there for a while: 1 s after the first failure, then
 * doubled, at most 30 s.
 */
export interface Circuit {
  /** Whether the endpoint is taken for down at `now` (milliseconds of a clock that never jumps). */
  isOpen(now: number): boolean;
  succeeded(): void;
  /** Counts failures that speak of the endpoint: no connection, or a status that was worth retrying and stayed. */
  failed(error: ApiError, now: number): void;
}

export function createCircuit(): Circuit {
  let failures = 0;
  let until = 0;
  return {
    isOpen: (now) => now < until,
    succeeded() {
      failures = 0;
      until = 0;
    },
    failed(error, now) {
      if (!isDown(error)) return;
      const asked = error instanceof HttpError ? (error.retryAfter ?? 0) : 0;
      until = now + Math.min(longestPause, Math.max(asked, firstPause * 2 ** Math.min(failures, 5)));
      failures++;
    },
  };
}

/** A slow answer, a bad reply or a node's own error says nothing about the next request. */
function isDown(error: ApiError): boolean {
  if (error instanceof UnreachableError)
    return !/^(TIMEOUT_(HEADERS|BODY|REQUEST)|NOT_HTTP|HEADERS_TOO_LARGE)$/.test(error.code);
  return error instanceof HttpError && (error.status === 429 || (error.status > 501 && error.status < 505));
}

/** Lets at most so many in at once; the others wait in order. */
export interface Gate {
  /** Resolves to the function that gives the place back; rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createGate(width: number): Gate {
  let free = width;
  const waiting = new Set<() => void>();

  function leave() {
    const [next] = waiting;
    if (!next) free++;
    else {
      waiting.delete(next);
      next();
    }
  }

  /** Each place is given back once, however often it is asked. */
  function place() {
    let held = true;
    return () => {
      if (held) leave();
      held = false;
    };
  }

  return {
    enter(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (free > 0) {
          free--;
          resolve(place());
          return;
        }
        const onAbort = () => {
          waiting.delete(onTurn);
          reject(signal.reason);
        };
        const onTurn = () => {
          signal.removeEventListener('abort', onAbort);
          resolve(place());
        };
        waiting.add(onTurn);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}

const maxRedirects = 3;

/** Follows the redirects of one try: at most 3, never from https to http, never in a circle. */
export interface Redirects {
  /** The next address, undefined where `reply` is no redirect, or why it is not followed. */
  next(from: string, reply: RawReply): { readonly url: URL } | { readonly refused: string } | undefined;
}

export function createRedirects(): Redirects {
  const seen = new Set<string>();
  return {
    next(from, reply) {
      if (![301, 302, 303, 307, 308].includes(reply.status)) return undefined;
      const location = reply.headers.location;
      if (location === undefined) return { refused: 'It redirects without saying where to' };
      const url = URL.parse(location, from);
      if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
        return { refused: 'It redirects to something that is no web address' };
      url.hash = '';
      const shown = maskUrl(url.href);
      seen.add(from);
      if (seen.has(url.href)) return { refused: `It redirects in a circle (to ${shown})` };
      if (seen.size > maxRedirects) return { refused: `It redirects more than ${maxRedirects} times` };
      if (from.startsWith('https:') && url.protocol === 'http:') {
        return { refused: `It redirects to an address without encryption (${shown}), which is not followed` };
      }
      // A user or password in an address is not ours to send.
      url.username = '';
      url.password = '';
      return { url };
    },
  };
}

/** Work that several callers wait for is done once. */
export interface Flights<T> {
  /**
   * Joins the flight of this key, or starts one. A caller whose signal fires leaves with an `AbortError`; when the last
   * one has left, the signal that `start` was given fires.
   */
  join(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  has(key: string): boolean;
  /** Ends all; callers get an `AbortError`. */
  abort(): void;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly control: AbortController;
  passengers: number;
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>();

  function launch(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const control = new AbortController();
    const result = start(control.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    const flight: Flight<T> = { result, control, passengers: 0 };
    flights.set(key, flight);
    return flight;
  }

  function leave(key: string, flight: Flight<T>) {
    flight.passengers--;
    if (flight.passengers > 0) return;
    if (flights.get(key) === flight) flights.delete(key);
    flight.control.abort(cancelled());
  }

  return {
    has: (key) => flights.has(key),
    join(key, signal, start) {
      if (signal?.aborted) return Promise.reject(cancelled());
      const flight = flights.get(key) ?? launch(key, start);
      flight.passengers++;
      if (!signal) return flight.result;
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          leave(key, flight);
          reject(cancelled());
        };
        signal.addEventListener('abort', onAbort, { once: true });
        flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
      });
    },
    abort() {
      for (const flight of flights.values()) flight.control.abort(cancelled());
      flights.clear();
    },
  };
}

/** What every cancelled call rejects with, whatever reason the caller's signal carries. */
export function cancelled(): DOMException {
  return new DOMException('The request was cancelled', 'AbortError');
}
