/** Types of the transport. It has types only, so that other modules do not load undici. */

import type { BaseUrl } from '../baseUrl.ts';

/** Time limits in milliseconds and size limits in bytes; see `defaultLimits` in transport.ts. */
export interface Limits {
  /** The TCP and TLS handshake of one try. */
  readonly connect: number;
  /** From the end of the request to the headers of the reply. */
  readonly headers: number;
  /** Between two pieces of the body. */
  readonly body: number;
  /** One whole try, headers and body. */
  readonly request: number;
  /** The largest reply, after decompression. */
  readonly maxReply: number;
}

/** The editor's proxy and certificate settings, and an endpoint's own. */
export interface NetworkOptions {
  /** `http.proxy`. If it is "" or absent, the environment's (HTTPS_PROXY, HTTP_PROXY), if there is one. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`. If it is empty or absent, the environment's NO_PROXY. */
  readonly noProxy?: readonly string[] | undefined;
  /** `http.proxyStrictSSL`. False accepts any certificate, like everywhere in the editor. */
  readonly proxyStrictSSL?: boolean | undefined;
  /** `http.proxySupport`. `off` means no proxy at all; the others are alike here. */
  readonly proxySupport?: 'off' | 'on' | 'fallback' | 'override' | undefined;
  /** True if the operating system's certificate authorities are trusted too. True if absent. */
  readonly systemCertificates?: boolean | undefined;
  /** A PEM file with more certificate authorities, for this endpoint only. */
  readonly caFile?: string | undefined;
  /** The function that requests go through (the editor's own fetch) instead of our own pool. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * A credential header, bound to the origin of the base URL. It is read for each request, so that a change takes effect.
 */
export interface Credential {
  readonly name: string;
  readonly value: string;
}

/** One line of the request log. Secrets are masked in `url`. `status` is absent if no answer came. */
export interface RequestLine {
  readonly url: string;
  readonly status: number | undefined;
  readonly bytes: number;
  readonly ms: number;
  readonly attempt: number;
  /** The method; GET if absent. */
  readonly method?: 'POST' | undefined;
  readonly error?: string | undefined;
  /** The code of `UnreachableError`, if no answer came. */
  readonly code?: string | undefined;
  /** True if the caller did not wait for the answer. This says nothing about the node. */
  readonly isCancelled?: boolean | undefined;
}

export interface TransportOptions {
  readonly baseUrl: BaseUrl;
  readonly limits?: Partial<Limits> | undefined;
  readonly network?: NetworkOptions | undefined;
  readonly credential?: (() => Promise<Credential | undefined>) | undefined;
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  /** True if no origin but that of the base URL is asked. A redirect to another one is then an error that names it. */
  readonly oneOrigin?: boolean | undefined;
}

/** A whole answer with a 2xx status: header names in lower case, and the decoded text. */
export interface TransportReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Hides the credential in an error text that is made of this reply. Absent if no credential is sent. */
  readonly mask?: ((text: string) => string) | undefined;
}

export interface GetOptions {
  /** Further headers. Two requests with different ones are not the same request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends requests below one base URL, all of them GET but the one that `post` sends. Rejects with `InputError` (an
 * invalid path, unusable settings), `UnreachableError`, `HttpError` (after the tries that are worth it), `ReplyError`
 * (too large, not UTF-8, broken compression), or an `AbortError`. Two callers with the same path and headers at once
 * share one request. A caller that aborts leaves it, and the last one to leave ends it. At most 4 requests are under
 * way at once. While the endpoint is down, each is tried only once.
 */
export interface Transport {
  /** Sends a GET. `path` is the part after the base URL, from its slash on, with the query. */
  get(path: string, options?: GetOptions): Promise<TransportReply>;
  /**
   * Sends JSON to a path, once. It is not tried again, and no redirect is followed, with or without the text. Rejects
   * like `get`.
   */
  post(path: string, body: string, signal?: AbortSignal): Promise<TransportReply>;
  /** Ends every request (with an `AbortError`), timer and socket. */
  dispose(): Promise<void>;
}
