/** How a request leaves the machine: types only, so that other modules do not load undici. */

import type { BaseUrl } from './baseUrl.ts';

/** Time limits in milliseconds and size limits in bytes; see `defaultLimits` in transport.ts. */
export interface Limits {
  /** TCP and TLS handshake of one try. */
  readonly connect: number;
  /** From the request sent to its headers. */
  readonly headers: number;
  /** Between two pieces of the body. */
  readonly body: number;
  /** One whole try, headers and body. */
  readonly request: number;
  /** Largest reply, after decompression. */
  readonly maxReply: number;
}

/** The editor's proxy and certificate settings, and an endpoint's own. */
export interface NetworkOptions {
  /** `http.proxy`; "" or absent: the environment's (HTTPS_PROXY, HTTP_PROXY), if there is one. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`; empty or absent: the environment's NO_PROXY. */
  readonly noProxy?: readonly string[] | undefined;
  /** `http.proxyStrictSSL`: false accepts any certificate, as it does everywhere in the editor. */
  readonly proxyStrictSSL?: boolean | undefined;
  /** `http.proxySupport`: `off` means no proxy at all; the others are alike here. */
  readonly proxySupport?: 'off' | 'on' | 'fallback' | 'override' | undefined;
  /** Trust the operating system's certificate authorities too; true when absent. */
  readonly systemCertificates?: boolean | undefined;
  /** PEM file with more certificate authorities, for this endpoint only. */
  readonly caFile?: string | undefined;
  /** Route through this function (the editor's own fetch) instead of our own pool. */
  readonly fetch?: typeof fetch | undefined;
}

/** A credential header, bound to the origin of the base URL; read for each request so that a change takes effect. */
export interface Credential {
  readonly name: string;
  readonly value: string;
}

/** One line of the request log; secrets are masked in `url`; no `status` where no answer came. */
export interface RequestLine {
  readonly url: string;
  readonly status: number | undefined;
  readonly bytes: number;
  readonly ms: number;
  readonly attempt: number;
  /** GET where absent. */
  readonly method?: 'POST' | undefined;
  readonly error?: string | undefined;
  /** The code of `UnreachableError`, where no answer came. */
  readonly code?: string | undefined;
  /** Whoever asked did not wait for the answer: this says nothing about the node. */
  readonly isCancelled?: boolean | undefined;
}

export interface TransportOptions {
  readonly baseUrl: BaseUrl;
  readonly limits?: Partial<Limits> | undefined;
  readonly network?: NetworkOptions | undefined;
  readonly credential?: (() => Promise<Credential | undefined>) | undefined;
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  /** Whether no origin but that of the base URL is asked: a redirect to another one is an error that names it. */
  readonly oneOrigin?: boolean | undefined;
}

/** A whole answer with a 2xx status: header names in lower case, and the decoded text. */
export interface TransportReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Hides the credential in an error text that is made of this reply; absent where no credential is sent. */
  readonly mask?: ((text: string) => string) | undefined;
}

export interface GetOptions {
  /** Further ones, part of what makes two requests the same. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends requests below one base URL, all of them GET but the one that `post` sends. Rejects with `InputError` (a path that is
 * none, unusable settings), `UnreachableError`, `HttpError` (after the tries that are worth it), `ReplyError` (too large, not UTF-8, broken
 * compression), or an `AbortError`. The same path and headers asked twice at once is one flight: a caller that aborts
 * leaves it, and the last one to leave ends it. At most 4 requests are under way at once; while the endpoint is down, each is
 * tried once only.
 */
export interface Transport {
  /** `path`: what follows the base URL, from its slash on, with the query. */
  get(path: string, options?: GetOptions): Promise<TransportReply>;
  /**
   * Sends JSON to a path, once: it is not tried again, and no redirect is followed, with the text or without it. Rejects as
   * `get` does.
   */
  post(path: string, body: string, signal?: AbortSignal): Promise<TransportReply>;
  /** Ends every request (with an `AbortError`), timer and socket. */
  dispose(): Promise<void>;
}
