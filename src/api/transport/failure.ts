/**
 * Why a try gave no whole reply. Thrown inside the transport only; callers see `UnreachableError` or `ReplyError`.
 *
 * `code` is the system's word or one of ours: CLOSED (the connection ended before the reply was complete),
 * TIMEOUT_CONNECT, TIMEOUT_HEADERS, TIMEOUT_BODY, TIMEOUT_REQUEST, PROXY_<status>, NOT_HTTP, TOO_LARGE, …
 */
export class Failure extends Error {
  readonly code: string;

  constructor(code: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Failure';
    this.code = code;
  }
}

/** The failure of a time limit of `ms` milliseconds. */
export function timeout(limit: 'CONNECT' | 'ANSWER' | 'HEADERS' | 'BODY' | 'REQUEST', ms: number): Failure {
  const time = Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
  switch (limit) {
    case 'CONNECT':
      return new Failure('TIMEOUT_CONNECT', `no connection within ${time}: nothing answers at this address`);
    case 'ANSWER':
      return new Failure('TIMEOUT_HEADERS', `no answer within ${time}`);
    case 'HEADERS':
      return new Failure('TIMEOUT_HEADERS', `connected, but no answer within ${time}`);
    case 'BODY':
      return new Failure('TIMEOUT_BODY', `the reply stopped halfway: nothing more came for ${time}`);
    case 'REQUEST':
      return new Failure('TIMEOUT_REQUEST', `the reply was not complete within ${time} (the request timeout)`);
    default:
      return limit satisfies never;
  }
}

/** The failure of a reply over `limit` bytes. */
export function tooLarge(limit: number): Failure {
  return new Failure(
    'TOO_LARGE',
    `the reply is larger than ${Math.round(limit / 1024 / 102.4) / 10} MiB: ask for smaller pages`,
  );
}
