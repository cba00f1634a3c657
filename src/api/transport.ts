import { parseBaseUrl } from './baseUrl.ts';
import { type ApiError, InputError, isApiError, ReplyError, UnreachableError } from './errors.ts';
import { Failure, maskUrl } from './transport/failures.ts';
import { createFetchRoute } from './transport/fetchRoute.ts';
import { createPoolRoute } from './transport/poolRoute.ts';
import {
  cancelled,
  createCircuit,
  createFlights,
  createGate,
  createSender,
  isWorthRetrying,
  maxTries,
  pause,
  pauseBefore,
} from './transport/sender.ts';
import type { GetOptions, Limits, Transport, TransportOptions, TransportReply } from './transportTypes.ts';

/** Milliseconds, and 32 MiB. All tries of a request together may take three times `request`. */
export const defaultLimits: Limits = {
  connect: 10_000,
  headers: 30_000,
  body: 30_000,
  request: 60_000,
  maxReply: 32 * 1024 * 1024,
};

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
  const route = network.fetch ? createFetchRoute(limits, network.fetch) : createPoolRoute(limits, network, process.env);
  const send = createSender({ origin, route, limits, credential: options.credential, onRequest: options.onRequest });
  const gate = createGate(4);
  const flights = createFlights<TransportReply>();
  const circuit = createCircuit();
  let disposed = false;

  async function fly(url: string, headers: GetOptions['headers'], signal: AbortSignal): Promise<TransportReply> {
    // One place for all tries: whoever is asked to wait holds the others back, too.
    const leave = await gate.enter(signal);
    const tries = circuit.isOpen(performance.now()) ? 1 : maxTries;
    const deadline = performance.now() + 3 * limits.request;
    try {
      for (let attempt = 1; ; attempt++) {
        const outcome = await attemptOnce(url, headers, signal, deadline, attempt);
        if (!isApiError(outcome)) return outcome;
        const wait = pauseBefore(attempt + 1, outcome);
        if (attempt >= tries || !isWorthRetrying(outcome) || performance.now() + wait >= deadline) {
          circuit.failed(outcome, performance.now());
          throw outcome;
        }
        await pause(wait, signal);
      }
    } finally {
      leave();
    }
  }

  /** A failure that may be worth another try is returned; only a cancelled request throws. */
  async function attemptOnce(
    url: string,
    headers: GetOptions['headers'],
    signal: AbortSignal,
    deadline: number,
    attempt: number,
  ): Promise<TransportReply | ApiError> {
    try {
      const timeout = Math.min(limits.request, deadline - performance.now());
      const reply = await send(url, { headers, signal, timeout, attempt });
      circuit.succeeded();
      return reply;
    } catch (error) {
      if (signal.aborted) throw cancelled();
      return toApiError(url, error);
    }
  }

  return {
    get(url, { headers, signal } = {}) {
      if (disposed) return Promise.reject(cancelled());
      if (!url.startsWith(`${origin}/`) && url !== origin) {
        return Promise.reject(new InputError(`${maskUrl(url)} is not an address below ${origin}`));
      }
      const key = headers ? `${url} ${JSON.stringify(headers)}` : url;
      return flights.join(key, signal, (flight) => fly(url, headers, flight));
    },
    async dispose() {
      disposed = true;
      flights.abort();
      await route.dispose();
    },
  };
}

/** Errors of the family pass; a failure of the transport's own becomes one. Anything else is a defect, and rises as it is. */
function toApiError(url: string, error: unknown): ApiError {
  if (isApiError(error)) return error;
  if (!(error instanceof Failure)) throw error;
  const { code, message } = error;
  return code === 'TOO_LARGE' || code === 'BAD_ENCODING' || code === 'NOT_UTF8'
    ? new ReplyError(maskUrl(url), message, undefined, { cause: error })
    : new UnreachableError(maskUrl(url), code, message, { cause: error });
}

/** A limit given as undefined is not given. */
function defined(limits: Partial<Limits> | undefined): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined));
}
