import { InputError } from '../errors.ts';
import type { Credential, Limits, TransportOptions, TransportReply } from '../transportTypes.ts';
import { acceptedEncodings, decodeBody } from './decodeBody.ts';
import { maskUrl } from './maskUrl.ts';
import { createRedirects } from './redirects.ts';
import type { RawReply, Route } from './route.ts';
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
