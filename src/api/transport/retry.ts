import { type ApiError, HttpError, UnreachableError } from '../errors.ts';

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
