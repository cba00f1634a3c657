import { type ApiError, HttpError, UnreachableError } from '../errors.ts';

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
