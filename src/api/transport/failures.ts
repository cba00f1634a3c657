import type { PeerCertificate } from 'node:tls';
import { shorten } from '../../chain/text.ts';
import { type ApiError, codeOf, InputError, isApiError } from '../errors.ts';
import type { Limits } from './transportTypes.ts';

/**
 * The reason for which a request got no whole reply. Only the transport throws it; callers see `UnreachableError` or
 * `ReplyError`. `code` is that of the system, of OpenSSL, or one of ours: CLOSED (the connection ended before the reply
 * was complete), TIMEOUT_CONNECT, TIMEOUT_HEADERS, TIMEOUT_BODY, TIMEOUT_REQUEST, PROXY_<status>, NOT_HTTP, TOO_LARGE,
 * …
 */
export class Failure extends Error {
  readonly code: string;

  constructor(code: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Failure';
    this.code = code;
  }
}

/** The other end of a connection. */
export interface Peer {
  /** `host:port`, or `the proxy host:port`. It has no user or password. */
  readonly name: string;
  readonly host: string;
  readonly isProxy?: boolean | undefined;
  readonly answered?: boolean | undefined;
}

/**
 * Makes the failure of a time limit of `ms` milliseconds. `ANSWER` is the limit for connection and headers together, of
 * a fetch that does not separate them. Callers see the code of `HEADERS`.
 */
export function timeout(limit: 'CONNECT' | 'ANSWER' | 'HEADERS' | 'BODY' | 'REQUEST', ms: number): Failure {
  const time = Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
  const reasons = {
    CONNECT: `no connection within ${time}: nothing is responding at this address`,
    ANSWER: `no response within ${time}`,
    HEADERS: `connected, but no response within ${time}`,
    BODY: `the reply stopped partway: no more data for ${time}`,
    REQUEST: `the reply was not complete within ${time} (the request timeout)`,
  };
  return new Failure(`TIMEOUT_${limit === 'ANSWER' ? 'HEADERS' : limit}`, reasons[limit]);
}

/** Makes the failure of a reply over `limit` bytes. */
export function tooLarge(limit: number): Failure {
  const size = Math.round(limit / 1024 / 102.4) / 10;
  return new Failure('TOO_LARGE', `the reply is larger than ${size} MiB: ask for smaller pages`);
}

/** The codes that callers see instead of those of undici or of the system. */
const ownCodes: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'TIMEOUT_CONNECT',
  UND_ERR_HEADERS_OVERFLOW: 'HEADERS_TOO_LARGE',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'CLOSED',
  UND_ERR_SOCKET: 'CLOSED',
};

/**
 * Describes any error of sockets, TLS, undici or fetch in one sentence that names the cause. A `Failure` and an error
 * of the API pass unchanged. An address or a header that undici refuses gives an `InputError`.
 */
export function describeFailure(error: unknown, peer: Peer, limits: Limits): Failure | ApiError {
  if (error instanceof Failure || isApiError(error)) return error;
  const root = rootOf(error);
  const code = codeOf(root);
  const failure = (reason: string, ownCode = code): Failure => new Failure(ownCode, reason, { cause: error });
  if (code === 'UND_ERR_INVALID_ARG') return new InputError(`The request cannot be sent: ${root.message}`);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return timeout('CONNECT', limits.connect);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return timeout('HEADERS', limits.headers);
  if (code === 'UND_ERR_BODY_TIMEOUT') return timeout('BODY', limits.body);
  const wrong = wrongProtocol(root, code, peer);
  if (wrong !== undefined) return failure(wrong, 'NOT_HTTP');
  const known = reasonsFor(peer, code)[code];
  if (known !== undefined) return failure(known, ownCodes[code]);
  if (/^(Z_|ZSTD_|ERR__?BROTLI)/.test(code)) return failure('the compressed reply is corrupted', 'BAD_ENCODING');
  if (/^(EPROTO|ERR_SSL.*(WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST|RECORD_TYPE|UNSUPPORTED_PROTOCOL))/.test(code)) {
    return failure(
      `${peer.name} does not use TLS as expected. Should the address start with http:// instead of https://? (${code})`,
    );
  }
  if (code.startsWith('ERR_SSL')) return failure(`the TLS handshake with ${peer.name} failed (${code})`);
  return failure(oneLine(root.message, 160) || code);
}

function reasonsFor({ name, host, answered }: Peer, code: string): Readonly<Record<string, string>> {
  const ended = (verb: string): string =>
    answered ? `the server ${verb} before the reply was complete` : `${name} ${verb} without a response`;
  const noRoute = `no network route to ${name}: check the network, VPN or proxy`;
  const forbidden = `this machine blocks connections to ${name} (${code}): check its firewall`;
  return {
    ECONNREFUSED: `${name} refuses connections: nothing is listening there`,
    ENOTFOUND: `the name ${host} does not resolve: check the spelling and the network`,
    EAI_AGAIN: `the name ${host} cannot be resolved right now: no DNS server is responding`,
    ECONNRESET: ended('reset the connection'),
    EPIPE: ended('reset the connection'),
    ECONNABORTED: ended('reset the connection'),
    UND_ERR_SOCKET: ended('closed the connection'),
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ended('closed the connection'),
    ETIMEDOUT: `no connection: ${name} is not responding`,
    EHOSTUNREACH: noRoute,
    ENETUNREACH: noRoute,
    ENETDOWN: noRoute,
    EACCES: forbidden,
    EPERM: forbidden,
    UND_ERR_HEADERS_OVERFLOW: 'the reply headers are too large',
  };
}

function wrongProtocol(root: Error, code: string, { name, isProxy, answered }: Peer): string | undefined {
  if (root.name === 'HTTPParserError') {
    // A TLS alert or handshake record instead of a status line.
    const isTls = 'data' in root && /^[\x15\x16]\x03/.test(String(root.data));
    if (isTls) return `${name} responds with TLS: use https:// in the base URL`;
    return isProxy ? `${name} does not respond like an HTTP proxy` : notHttp(root.message);
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !answered) return notHttp('its lengths do not match');
  // undici has one code for a connection that the server closes and for a reply that undici itself gives up.
  const isGivenUp = code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(root.message);
  return isGivenUp ? notHttp(root.message) : undefined;
}

function notHttp(detail: string): string {
  const words = oneLine(detail, 160).replace(/^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/, '$1');
  return `the response is not valid HTTP (${words})`;
}

/** Gives the error underneath. Fetch and undici wrap it in `cause`, several addresses in an `AggregateError`. */
function rootOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (codeOf(error) === 'UNKNOWN' && error.cause instanceof Error) return rootOf(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error;
}

/** Puts text of a library or a server on one line, without control characters, and cuts it after `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const line = text.replace(/[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, ' ').trim();
  return shorten(line, limit);
}

/** Tells why a proxy opens no tunnel to `authority` (`host:port`). */
export function tunnelFailure(status: number, proxy: string, authority: string): Failure {
  const reason =
    status === 407
      ? 'requires a user name and password (HTTP 407): add them to http.proxy'
      : `${status === 403 ? 'does not allow connections to' : 'could not reach'} ${authority} (HTTP ${status})`;
  return new Failure(`PROXY_${status}`, `${proxy} ${reason}`);
}

/** True if a certificate failed only because its authority is not in the list. */
export function isUnknownAuthority(error: unknown): boolean {
  const codes = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_)/;
  return error instanceof Failure && codes.test(error.code);
}

/**
 * Tells why a certificate was not accepted, and the remedy. `code` is OpenSSL's (X509_verify_cert_error_string) or
 * Node's.
 */
export function certificateFailure(code: string, cert: PeerCertificate, peer: Peer): Failure {
  const advice = 'set a CA file for this endpoint if you trust it';
  const issuer = oneLine(String(cert.issuer?.CN ?? cert.issuer?.O ?? 'unnamed'), 160);
  const names = oneLine(String(cert.subjectaltname ?? cert.subject?.CN).replace(/DNS:|IP Address:/g, ''), 160);
  const unknown = `its certificate is signed by an unknown authority (${issuer}): ${advice}`;
  const reasons: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: `its certificate expired on ${dayOf(cert.valid_to)}: the operator must renew it`,
    CERT_NOT_YET_VALID: `its certificate is not valid before ${dayOf(cert.valid_from)}: check this machine's clock`,
    DEPTH_ZERO_SELF_SIGNED_CERT: `self-signed certificate: ${advice}`,
    SELF_SIGNED_CERT_IN_CHAIN: unknown,
    UNABLE_TO_GET_ISSUER_CERT: unknown,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknown,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknown,
    ERR_TLS_CERT_ALTNAME_INVALID: `its certificate is not for ${peer.host}, but for ${names}`,
  };
  const reason = reasons[code] ?? `its certificate was rejected (${code})`;
  const ownCode = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'CERT_NAME_MISMATCH' : code;
  return new Failure(ownCode, peer.isProxy ? `${peer.name}: ${reason}` : reason);
}

function dayOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'an unreadable date' : date.toISOString().slice(0, 10);
}
