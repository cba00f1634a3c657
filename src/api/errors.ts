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
  govOfState: 'Proposals are not in this state',
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

/** The sentence of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the system (`ENOSPC`) or of a library; `UNKNOWN` where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

/** What went wrong with whatever was thrown, in one sentence, without the address that was asked. */
export function reasonOf(error: unknown): string {
  return isApiError(error) ? error.reason : messageOf(error);
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

/** All sentences of nodes that the code depends on stand below, each with its source; docs/nodes.md#errors has the codes. */
function says(error: unknown, sentence: RegExp): boolean {
  return isHttpError(error) && sentence.test(error.nodeMessage ?? '');
}

/** The operation or its path does not exist here. A missing proposal (404, code 5) is an answer, not this. */
export function isUnsupported(error: unknown): boolean {
  if (!isHttpError(error)) return false;
  if (error.status === 501 || error.status === 405 || error.grpcCode === 12) return true;
  if (error.status === 404) return error.grpcCode !== 5;
  // Gateways that reach the application by ABCI: baseapp/abci.go ("unknown query path"), google.golang.org/grpc server.go.
  return error.status === 500 && says(error, /unknown query path|unknown service|not implemented/i);
}

/**
 * Whether the gateway of a node says this, and no proxy before it: the body has a code of gRPC, which end at 16
 * (docs/nodes.md#errors; google.golang.org/grpc/codes). Proxies that write such bodies repeat the status of HTTP in them.
 */
export function isStatedByNode(error: unknown): boolean {
  return isHttpError(error) && error.grpcCode !== undefined && error.grpcCode >= 0 && error.grpcCode <= 16;
}

/** There is no such proposal, denom trace or plan. */
export function isMissing(error: unknown): boolean {
  return isHttpError(error) && error.status === 404 && error.grpcCode === 5;
}

/** Not voted, voting over or no such proposal: one answer of all versions (docs/nodes.md#votes: x/gov/keeper/grpc_query.go). */
export function isVoteMissing(error: unknown): boolean {
  return isMissing(error) || says(error, /not found for proposal/);
}

/** The error of an application behind this path, in the form of a gateway; not of a proxy before it. */
export function isNodeAnswer(error: unknown): boolean {
  return isStatedByNode(error) && !isUnsupported(error);
}

/**
 * One row fails the whole page (docs/nodes.md#v1-to-v1beta1): x/gov/migrations/v3/convert.go; codec/types/interface_registry.go;
 * google.golang.org/protobuf and gogoproto decoding.
 */
export function isFailedRow(error: unknown): boolean {
  const sentence =
    /can't convert a gov\/v1 Proposal|no concrete type registered|unable to resolve type URL|proto: (illegal|cannot parse)|wrong wireType/i;
  return isHttpError(error) && error.status === 500 && says(error, sentence);
}

/** An error of the application on this very request: 500 with code 2 or 13, or a reply that is too large. */
export function isNodeFault(error: unknown): boolean {
  if (isTooLarge(error)) return true;
  if (heightRefusal(error) !== undefined) return false;
  return isHttpError(error) && error.status === 500 && (error.grpcCode === 2 || error.grpcCode === 13);
}

/** Too large for us, or for the node (docs/nodes.md#message-size: grpc rpc_util.go; gas limit: baseapp/grpcserver.go). */
export function isTooLarge(error: unknown): boolean {
  if (isReplyError(error)) return error.code === 'tooLarge';
  return says(error, /received message larger than max|query gas limit exceeded/i);
}

/**
 * The node does not have the state of the height that was asked for (docs/nodes.md#heights: baseapp/abci.go; store/rootmulti;
 * iavl; cometbft rpc/core/blocks.go). Its words, or undefined.
 */
export function heightRefusal(error: unknown): string | undefined {
  const sentence =
    /height in the future|failed to load state at height|invalid height|version (mismatch|does not exist)|height \d{1,20} (is not available|not found)|lowest height/i;
  return isHttpError(error) && says(error, sentence) ? error.nodeMessage : undefined;
}

/** Why an answer is not to be had at the height that was asked for; undefined where that is not why it failed. */
export function heightFault(error: unknown): string | undefined {
  const isIgnored = isReplyError(error) && error.code === 'height';
  return heightRefusal(error) ?? (isIgnored ? 'the node does not answer at the height that is asked for' : undefined);
}

/** The first block that the node keeps, where the error states it (docs/nodes.md#blocks: cometbft rpc/core/blocks.go). */
export function lowestHeight(error: unknown): bigint | undefined {
  const digits = isHttpError(error) ? /lowest height is (\d{1,20})/.exec(error.nodeMessage ?? '')?.[1] : undefined;
  return digits === undefined ? undefined : BigInt(digits);
}

/** The chain has no legacy parameters of this subspace (docs/nodes.md#module-params: x/params/keeper/grpc_query.go). */
export function isUnknownSubspace(error: unknown): boolean {
  return says(error, /unknown subspace/i);
}

/** Up to 0.47: a keyed page in reverse from the greatest key of all (docs/nodes.md#reverse: types/query/pagination.go). */
export function isReversePanic(error: unknown): boolean {
  return isHttpError(error) && error.status === 500 && says(error, /iterator|panic/i);
}

/** Whether another path may still answer: there is a server, but not with what was asked for. */
export function mayBeElsewhere(error: unknown): boolean {
  if (isHttpError(error)) return error.status !== 429 && error.status !== 401;
  return isApiError(error) && error.kind === 'reply';
}
