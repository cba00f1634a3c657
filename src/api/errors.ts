/**
 * The client is a bundle of its own, so these errors cross bundles: distinguish them by `kind` and `code`, with `isApiError`,
 * never by `instanceof`.
 */
export type ApiErrorKind =
  /** The base URL, a parameter or a setting is unusable; nothing was sent. */
  | 'input'
  /** No answer: refused, reset, name not found, certificate, time-out. */
  | 'unreachable'
  /** An answer with a status other than 2xx. */
  | 'http'
  /** A 2xx answer that is not what the contract says. */
  | 'reply'
  /** A list that cannot be read to its end, though its pages are answered (pages.ts). */
  | 'paging'
  /** The chain does not have the module that the request is for. */
  | 'module';

/** The beginning of a text of others and an ellipsis, never half a character; keeps an error one sentence, advice included. */
export function shorten(text: string, limit = 200): string {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}

/** Base of the family. `message` is one sentence for a person: method, URL, what failed, what to do; no secrets. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** The same without method and URL, for places with little space. */
  readonly reason: string;

  /** `url`: what was asked, where a request was sent. */
  constructor(kind: ApiErrorKind, reason: string, options?: ErrorOptions & { readonly url?: string }) {
    super(options?.url === undefined ? reason : `GET ${options.url}: ${reason}`, options);
    this.name = new.target.name;
    this.kind = kind;
    this.reason = reason;
  }
}

/** The input was refused before anything was sent. */
export class InputError extends ApiError {
  constructor(message: string, options?: ErrorOptions) {
    super('input', message, options);
  }
}

/**
 * The service gave no whole answer. `code` is the system's or TLS's word for it (ECONNREFUSED, CERT_HAS_EXPIRED, …) or one
 * of ours (CLOSED, TIMEOUT_CONNECT, …; see transport/failures.ts).
 */
export class UnreachableError extends ApiError {
  readonly url: string;
  readonly code: string;

  constructor(url: string, code: string, reason: string, options?: ErrorOptions) {
    super('unreachable', reason, { ...options, url });
    this.url = url;
    this.code = code;
  }
}

/**
 * The service answered with a status other than 2xx. `grpcCode` and `nodeMessage` come from a gateway body, where there is
 * one; `hint` is what a proxy's page says, or what to do; `retryAfter` the milliseconds that the service asks to wait.
 */
export class HttpError extends ApiError {
  readonly url: string;
  readonly status: number;
  readonly grpcCode: number | undefined;
  readonly nodeMessage: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    url: string,
    status: number,
    grpcCode?: number,
    nodeMessage?: string,
    hint?: string,
    retryAfter?: number,
  ) {
    const said = nodeMessage ? `: ${nodeMessage}` : '';
    super('http', `HTTP ${status}${said}${hint ? `. ${hint}` : ''}`, { url });
    this.url = url;
    this.status = status;
    this.grpcCode = grpcCode;
    this.nodeMessage = nodeMessage;
    this.retryAfter = retryAfter;
  }
}

/**
 * `tooLarge` and `encoding` come from the transport; `page`: a web page; `json`: not JSON either; `shape`: not what the contract says; `height`: of
 * another height than the one that was asked for.
 */
export type ReplyCode = 'tooLarge' | 'encoding' | 'page' | 'json' | 'shape' | 'height';

/** The service answered 2xx with something that cannot be used. */
export class ReplyError extends ApiError {
  readonly url: string;
  readonly code: ReplyCode;

  constructor(url: string, code: ReplyCode, reason: string, options?: ErrorOptions) {
    super('reply', reason, { ...options, url });
    this.url = url;
    this.code = code;
  }
}

const absences = {
  gov: 'This chain has no governance module',
  validators: 'This source does not list validators',
  votes: 'This source does not list votes',
} as const;

/** The chain, or this source of it, does not have the part that the request is for. */
export class ModuleError extends ApiError {
  readonly module: keyof typeof absences;

  constructor(module: keyof typeof absences) {
    super('module', absences[module]);
    this.module = module;
  }
}

/** What went wrong with whatever was thrown, in one sentence, without the address that was asked. */
export function reasonOf(error: unknown): string {
  if (isApiError(error)) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

/** Whether `error` is of this family, whichever bundle made it. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && 'kind' in error && typeof error.kind === 'string';
}

/** Whether `error` is an `HttpError`, whichever bundle made it. */
export function isHttpError(error: unknown): error is HttpError {
  return isApiError(error) && error.kind === 'http';
}

/** Whether `error` is an `UnreachableError`, whichever bundle made it. */
export function isUnreachable(error: unknown): error is UnreachableError {
  return isApiError(error) && error.kind === 'unreachable';
}

/** Whether `error` is a `ReplyError`, whichever bundle made it. */
export function isReplyError(error: unknown): error is ReplyError {
  return isApiError(error) && error.kind === 'reply';
}

/** Whether the caller itself cancelled (an `AbortSignal` fired); such an error is never shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** A member of a value from outside, whatever that is; undefined where it has none. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
