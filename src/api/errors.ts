/**
 * The kinds of errors of the client. The client is a separate bundle, so `instanceof` does not work: use `kind` and
 * `code`, or `isApiError`.
 */
export type ApiErrorKind =
  /** The base URL, a parameter or a setting is unusable; nothing was sent. */
  | 'input'
  /** No answer: refused, reset, name not found, certificate, time-out. */
  | 'unreachable'
  /** An answer with a status other than 2xx. */
  | 'http'
  /** A 2xx answer that does not follow the contract. */
  | 'reply'
  /** A list that cannot be read to its end, although its pages are answered (readPages.ts). */
  | 'paging'
  /** The chain does not have the module that the request is for. */
  | 'module';

/**
 * The base of these errors. `message` is one sentence for a person: method, URL, failure, remedy. It has no secrets.
 */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** The message without method and URL, for places with little space. */
  readonly reason: string;

  /** `url` is the address that was asked, if a request was sent. */
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
 * The service gave no whole answer. `code` is that of the system or of TLS (ECONNREFUSED, CERT_HAS_EXPIRED, …) or one
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
 * The service answered with a status other than 2xx. `grpcCode` and `nodeMessage` come from the body of a gateway, if
 * there is one. `hint` quotes the page of a proxy, or says what to do. `retryAfter` is the time to wait in
 * milliseconds, if the service states one.
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
 * Why a reply cannot be used. `tooLarge` and `encoding` come from the transport. `page`: it is a web page. `json`: it
 * is not JSON either. `shape`: it does not follow the contract. `height`: it is of another height than asked for.
 */
export type ReplyCode = 'tooLarge' | 'encoding' | 'page' | 'json' | 'shape' | 'height';

/** The service answered 2xx, but the reply cannot be used. */
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
  govOfState: 'This state does not include proposals',
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

/** Gives the sentence of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Gives the code of an error of the system (`ENOSPC`) or of a library; `UNKNOWN` if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

/** Gives the reason of anything that was thrown in one sentence, without the address that was asked. */
export function reasonOf(error: unknown): string {
  return isApiError(error) ? error.reason : messageOf(error);
}

/** True if `error` is of this family, from any bundle. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && 'kind' in error && typeof error.kind === 'string';
}

/** True if `error` is an `HttpError`, from any bundle. */
export function isHttpError(error: unknown): error is HttpError {
  return isApiError(error) && error.kind === 'http';
}

/** True if `error` is an `UnreachableError`, from any bundle. */
export function isUnreachable(error: unknown): error is UnreachableError {
  return isApiError(error) && error.kind === 'unreachable';
}

/** True if `error` is a `ReplyError`, from any bundle. */
export function isReplyError(error: unknown): error is ReplyError {
  return isApiError(error) && error.kind === 'reply';
}

/** True if the caller itself cancelled (an `AbortSignal` fired). Such an error is never shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * True if the node says this. All sentences of nodes that the code depends on stand below, each with its source.
 * docs/nodes.md#errors has the codes.
 */
function says(error: unknown, sentence: RegExp): boolean {
  return isHttpError(error) && sentence.test(error.nodeMessage ?? '');
}

/** True if the operation or its path does not exist here. A missing proposal (404, code 5) is an answer, so false. */
export function isUnsupported(error: unknown): boolean {
  if (!isHttpError(error)) return false;
  if (error.status === 501 || error.status === 405 || error.grpcCode === 12) return true;
  if (error.status === 404) return error.grpcCode !== 5;
  // Gateways that reach the application by ABCI say this: baseapp/abci.go ("unknown query path"),
  // google.golang.org/grpc server.go.
  return error.status === 500 && says(error, /unknown query path|unknown service|not implemented/i);
}

/**
 * True if the gateway of a node says this, and not a proxy before it. Its body has a code of gRPC, and these end at 16
 * (docs/nodes.md#errors; google.golang.org/grpc/codes). Proxies that write such bodies repeat the status of HTTP in
 * them.
 */
export function isStatedByNode(error: unknown): boolean {
  return isHttpError(error) && error.grpcCode !== undefined && error.grpcCode >= 0 && error.grpcCode <= 16;
}

/** True if there is no such proposal, denom trace or plan. */
export function isMissing(error: unknown): boolean {
  return isHttpError(error) && error.status === 404 && error.grpcCode === 5;
}

/**
 * True if there is no vote. All versions answer the same if the account has not voted, voting is over, or there is no
 * such proposal (docs/nodes.md#votes: x/gov/keeper/grpc_query.go).
 */
export function isVoteMissing(error: unknown): boolean {
  return isMissing(error) || says(error, /not found for proposal/);
}

/**
 * True for the error of an application behind this path, in the form of a gateway. False for that of a proxy before it.
 */
export function isNodeAnswer(error: unknown): boolean {
  return isStatedByNode(error) && !isUnsupported(error);
}

/**
 * True if one row fails the whole page (docs/nodes.md#v1-to-v1beta1): x/gov/migrations/v3/convert.go;
 * codec/types/interface_registry.go; google.golang.org/protobuf and gogoproto decoding.
 */
export function isFailedRow(error: unknown): boolean {
  const sentence =
    /can't convert a gov\/v1 Proposal|no concrete type registered|unable to resolve type URL|proto: (illegal|cannot parse)|wrong wireType/i;
  return isHttpError(error) && error.status === 500 && says(error, sentence);
}

/** True if the application fails on this very request: 500 with code 2 or 13, or a reply that is too large. */
export function isNodeFault(error: unknown): boolean {
  if (isTooLarge(error)) return true;
  if (heightRefusal(error) !== undefined) return false;
  return isHttpError(error) && error.status === 500 && (error.grpcCode === 2 || error.grpcCode === 13);
}

/**
 * True if the reply is too large for us or for the node (docs/nodes.md#message-size: grpc rpc_util.go; gas limit:
 * baseapp/grpcserver.go).
 */
export function isTooLarge(error: unknown): boolean {
  if (isReplyError(error)) return error.code === 'tooLarge';
  return says(error, /received message larger than max|query gas limit exceeded/i);
}

/**
 * Gives the node's words if it does not have the state of the height that was asked for, else undefined
 * (docs/nodes.md#heights: baseapp/abci.go; store/rootmulti; iavl; cometbft rpc/core/blocks.go).
 */
export function heightRefusal(error: unknown): string | undefined {
  const sentence =
    /height in the future|failed to load state at height|invalid height|version (mismatch|does not exist)|height \d{1,20} (is not available|not found)|lowest height/i;
  return isHttpError(error) && says(error, sentence) ? error.nodeMessage : undefined;
}

/** Tells why the height that was asked for cannot be answered. Undefined if the request failed for another reason. */
export function heightFault(error: unknown): string | undefined {
  const isIgnored = isReplyError(error) && error.code === 'height';
  return heightRefusal(error) ?? (isIgnored ? ignoredHeight : undefined);
}

/** The reason for which a reply at a height counts as none. */
export const ignoredHeight = 'the node does not confirm that it used the requested height';

/**
 * Gives the first block that the node keeps, if the error states it (docs/nodes.md#blocks: cometbft
 * rpc/core/blocks.go).
 */
export function lowestHeight(error: unknown): bigint | undefined {
  const digits = isHttpError(error) ? /lowest height is (\d{1,20})/.exec(error.nodeMessage ?? '')?.[1] : undefined;
  return digits === undefined ? undefined : BigInt(digits);
}

/**
 * True if the chain has no legacy parameters of this subspace (docs/nodes.md#module-params:
 * x/params/keeper/grpc_query.go).
 */
export function isUnknownSubspace(error: unknown): boolean {
  return says(error, /unknown subspace/i);
}

/**
 * True if the community pool is that of another module, and x/distribution has none (docs/nodes.md#supply:
 * x/distribution/keeper/grpc_query.go).
 */
export function isExternalPool(error: unknown): boolean {
  return says(error, /external community pool/i);
}

/**
 * True if the node fails at a keyed page in reverse from the greatest key of all, as 0.47 and earlier do
 * (docs/nodes.md#reverse: types/query/pagination.go).
 */
export function isReversePanic(error: unknown): boolean {
  return isHttpError(error) && error.status === 500 && says(error, /iterator|panic/i);
}

/** True if another path may still answer: there is a server, but not with this operation. */
export function mayBeElsewhere(error: unknown): boolean {
  if (isHttpError(error)) return error.status !== 429 && error.status !== 401;
  return isApiError(error) && error.kind === 'reply';
}

/**
 * Gives undefined if the node refuses or does not answer. Rejects with any error that is not an `ApiError`, such as an
 * `AbortError`.
 */
export function orUndefined<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (isApiError(error)) return undefined;
    throw error;
  });
}
