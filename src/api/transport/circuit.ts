import { type ApiError, HttpError, UnreachableError } from '../errors.ts';

const firstPause = 1000;
const longestPause = 30_000;

/** Remembers that an endpoint is down, so that it is left alone for a while: 1 s after the first failure, then doubled, at most 30 s. */
export interface Circuit {
  /** The last reason, while the endpoint is to be left alone at `now` (milliseconds of a clock that never jumps). */
  openAt(now: number): { readonly reason: string; readonly ms: number } | undefined;
  succeeded(): void;
  /** Counts failures that speak of the endpoint: no connection, or a status that was worth retrying and stayed. */
  failed(error: ApiError, now: number): void;
}

export function createCircuit(): Circuit {
  let failures = 0;
  let until = 0;
  let reason = '';
  return {
    openAt: (now) => (now < until ? { reason, ms: until - now } : undefined),
    succeeded() {
      failures = 0;
      until = 0;
    },
    failed(error, now) {
      if (!isDown(error)) return;
      const asked = error instanceof HttpError ? (error.retryAfter ?? 0) : 0;
      until = now + Math.min(longestPause, Math.max(asked, firstPause * 2 ** Math.min(failures, 5)));
      failures++;
      reason = error.message.replace(/^GET \S+: /, '');
    },
  };
}

/** A slow answer, a bad reply or a node's own error says nothing about the next request. */
function isDown(error: ApiError): boolean {
  if (error instanceof UnreachableError)
    return !/^(TIMEOUT_(HEADERS|BODY|REQUEST)|NOT_HTTP|HEADERS_TOO_LARGE)$/.test(error.code);
  return error instanceof HttpError && (error.status === 429 || (error.status > 501 && error.status < 505));
}
