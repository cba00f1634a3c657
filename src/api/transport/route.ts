/** One request on its way: no redirects, no retries, nothing shared. */
export interface RouteRequest {
  /** `https://host:port`, without a path. */
  readonly origin: string;
  /** Path and query, already escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request at once; the reason is rejected with. */
  readonly signal: AbortSignal;
  /** Milliseconds that it may take as a whole. */
  readonly timeout: number;
}

/** What came back, whatever its status. A body of another status than 2xx is cut at `errorBodyLimit`. */
export interface RawReply {
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent, or already decompressed where `headers` has no `content-encoding`. */
  readonly body: Buffer;
  /** Received bytes of the body. */
  readonly bytes: number;
}

/** A way to the network: our own pool, or the editor's fetch. Rejects with the signal's reason or with any other error. */
export interface Route {
  send(request: RouteRequest): Promise<RawReply>;
  dispose(): Promise<void>;
}

/** As much of an error's body as is worth reading: gateway bodies are small, proxies' pages are only quoted. */
export const errorBodyLimit = 64 * 1024;
