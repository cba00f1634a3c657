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

/** Who was talked to, and how far it got. */
export interface Peer {
  /** `host:port`, or `the proxy host:port`; no user or password in it. */
  readonly name: string;
  readonly host: string;
  /** Whether the head of a reply had come. */
  readonly answered?: boolean | undefined;
}

/** Any error of sockets, TLS, undici or fetch as one sentence that names the cause. A `Failure` passes unchanged. */
export function describeFailure(error: unknown, peer: Peer): Failure {
  if (error instanceof Failure) return error;
  const root = rootOf(error);
  const code = codeOf(root);
  const failure = (reason: string, ownCode = code) => new Failure(ownCode, reason, { cause: error });
  switch (code) {
    case 'ECONNREFUSED':
      return failure(`${peer.name} refuses connections: nothing listens there`);
    case 'ENOTFOUND':
      return failure(`the name ${peer.host} does not resolve: check the spelling and the network`);
    case 'EAI_AGAIN':
      return failure(`the name ${peer.host} does not resolve just now: no name server answers`);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return failure(
        peer.answered
          ? 'the server reset the connection before the reply was complete'
          : `${peer.name} reset the connection without an answer`,
      );
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'CLOSED':
      if (isNonsense(root, code, peer)) return failure(notHttp(root.message), 'NOT_HTTP');
      return failure(
        peer.answered
          ? 'the server closed the connection before the reply was complete'
          : `${peer.name} closed the connection without an answer`,
        'CLOSED',
      );
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return failure(`no connection: ${peer.name} does not answer`, 'TIMEOUT_CONNECT');
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENETDOWN':
      return failure(`no network route to ${peer.name}: check the network, VPN or proxy`);
    case 'EACCES':
    case 'EPERM':
      return failure(`this machine forbids connections to ${peer.name} (${code}): check its firewall`);
    case 'UND_ERR_HEADERS_OVERFLOW':
      return failure('the headers of the reply are too large', 'HEADERS_TOO_LARGE');
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return failure('the compression of the reply is broken', 'BAD_ENCODING');
    default:
      return otherFailure(root, code, peer);
  }
}

/** undici's words for a connection that it gave up itself. */
function isNonsense(root: Error, code: string, peer: Peer): boolean {
  return /^bad /.test(root.message) || (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !peer.answered);
}

function notHttp(detail: string): string {
  const said = clean(detail).replace(/^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/, '$1');
  const words = said.startsWith('Response body length') ? 'its lengths contradict each other' : said;
  return `the answer is not valid HTTP (${words})`;
}

function otherFailure(root: Error, code: string, peer: Peer): Failure {
  const detail = clean(root.message);
  if (root.name === 'HTTPParserError') {
    const reason = looksLikeTls(root)
      ? `${peer.name} answers with TLS: use https:// in the base URL`
      : notHttp(root.message);
    return new Failure('NOT_HTTP', reason, { cause: root });
  }
  if (/^(ZSTD_|ERR__?BROTLI)/.test(code)) {
    return new Failure('BAD_ENCODING', 'the compression of the reply is broken', { cause: root });
  }
  if (/^(ERR_SSL|EPROTO)/.test(code)) {
    const reason = /wrong.version|packet.length|http.request|record.type|unsupported.protocol/i.test(code + detail)
      ? `${peer.name} does not speak TLS as expected: is it http:// and not https:// ? (${code})`
      : `the TLS handshake with ${peer.name} failed (${code})`;
    return new Failure(code, reason, { cause: root });
  }
  return new Failure(code, detail || code, { cause: root });
}

/** A TLS alert or handshake record where an HTTP status line belongs. */
function looksLikeTls(error: Error): boolean {
  const data = 'data' in error ? String(error.data) : '';
  return /^[\x15\x16]\x03/.test(data);
}

/** The error underneath: fetch wraps it in `cause`, several addresses in an `AggregateError`. */
function rootOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (codeOf(error) === 'UNKNOWN' && error.cause instanceof Error) return rootOf(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

function clean(text: string): string {
  const line = text
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
    .replace(/[0-9A-F]{8,}:error:[^:]*:/g, '')
    .trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

const secretName =
  /^(x[-_]?)?(api[-_]?key|app[-_]?key|key|access[-_]?key|token|[\w-]*[-_]token|secret|client[-_]?secret|auth|authorization|password|passwd|pwd|sig|signature)$/i;

/**
 * `url` as it may be shown or logged: without user and password, and with the values of query parameters that are named
 * like a secret replaced. `pagination.key` is not one. Never throws.
 */
export function maskUrl(url: string): string {
  const query = url.indexOf('?');
  const address = query < 0 ? url : url.slice(0, query);
  const shown = address.includes('@') ? address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1***@') : address;
  return query < 0
    ? shown
    : `${shown}?${url
        .slice(query + 1)
        .split('&')
        .map(maskPair)
        .join('&')}`;
}

function maskPair(pair: string): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return pair;
  const name = pair.slice(0, equals);
  return secretName.test(name.includes('%') ? decoded(name) : name) ? `${name}=***` : pair;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
