import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher, Pool } from 'undici';
import { InputError, isApiError } from '../errors.ts';
import type { Limits } from '../transportTypes.ts';
import { describeFailure, Failure, type Peer, timeout, tooLarge } from './failures.ts';

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

/** What a request is sent over, and what happens on the way. */
export interface Line {
  readonly pool: Pool;
  readonly peer: Peer;
  readonly limits: Limits;
  /** A connection has been found or opened, and the request goes out. */
  readonly onStart: () => void;
  /** The whole reply has come, and the connection can be used again in the next turn of the event loop. */
  readonly onEnd: () => void;
}

/** Dispatches `options` and collects the reply in memory, within the limits; rejects with the signal's reason when it fires. */
export function collectReply(
  line: Line,
  options: Dispatcher.DispatchOptions,
  request: RouteRequest,
): Promise<RawReply> {
  const { limits } = line;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Record<string, string> = {};
    let bytes = 0;
    let ended = false;
    let silence: NodeJS.Timeout | undefined;

    const finish = (error?: unknown) => {
      if (ended) return;
      ended = true;
      clearTimeout(whole);
      clearTimeout(silence);
      request.signal.removeEventListener('abort', onAbort);
      // What came of an error's page is enough to name it.
      if (error === undefined || (status >= 300 && !request.signal.aborted)) {
        const [first] = chunks;
        resolve({ status, headers, body: first && chunks.length === 1 ? first : Buffer.concat(chunks), bytes });
      } else reject(error);
      if (error !== undefined) controller?.abort(error instanceof Error ? error : new Error('aborted'));
    };
    const onAbort = () => finish(request.signal.reason);
    const whole = setTimeout(() => finish(timeout('REQUEST', request.timeout)), request.timeout);
    request.signal.addEventListener('abort', onAbort);

    line.pool.dispatch(options, {
      onRequestStart(started) {
        line.onStart();
        controller = started;
        if (ended) started.abort(new Error('aborted'));
        else silence = setTimeout(() => finish(timeout('HEADERS', limits.headers)), limits.headers);
      },
      onResponseStart(_controller, code, incoming) {
        if (code < 200 || ended) return;
        status = code;
        headers = flat(incoming);
        clearTimeout(silence);
        silence = setTimeout(() => finish(timeout('BODY', limits.body)), limits.body);
        if (status < 300 && Number(headers['content-length']) > limits.maxReply) finish(tooLarge(limits.maxReply));
      },
      onResponseData(_controller, chunk) {
        if (ended) return;
        silence?.refresh();
        bytes += chunk.length;
        if (status < 300 && bytes > limits.maxReply) {
          finish(tooLarge(limits.maxReply));
          return;
        }
        chunks.push(chunk);
        if (status >= 300 && bytes > errorBodyLimit) finish(new Failure('CUT', 'this much of an error is enough'));
      },
      onResponseEnd() {
        line.onEnd();
        finish();
      },
      onResponseError: (_controller, error) => finish(refusal(error, { ...line.peer, answered: status > 0 })),
    });
  });
}

function refusal(error: Error, peer: Peer): Error {
  // An unusable CA file, for one, is an `InputError` already.
  if (isApiError(error)) return error;
  if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') {
    return new InputError(`The request cannot be sent: ${error.message}`);
  }
  return describeFailure(error, peer);
}

function flat(incoming: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in incoming) {
    const value = incoming[name];
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}

/** What `Accept-Encoding` says; anything else in `Content-Encoding` is refused. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * The text of a reply: decompressed, at most `limit` bytes of it, and strict UTF-8 without a byte order mark.
 * Rejects with a `Failure` with the code TOO_LARGE, BAD_ENCODING or NOT_UTF8.
 */
export async function decodeBody(reply: RawReply, limit: number): Promise<string> {
  const named = reply.headers['content-encoding'];
  const body = named === undefined ? reply.body : await decompress(reply.body, named, limit);
  if (!isUtf8(body)) throw new Failure('NOT_UTF8', 'the reply is not valid UTF-8 text');
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

async function decompress(body: Buffer, named: string, limit: number): Promise<Buffer> {
  const encodings = named
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (encodings.length > 2) throw new Failure('BAD_ENCODING', `the reply is compressed ${encodings.length} times over`);
  let bytes = body;
  // Applied in the order of the list, so undone from its end (RFC 9110 section 8.4). An empty body has nothing to undo.
  for (const encoding of encodings.reverse()) if (bytes.length > 0) bytes = await undo(bytes, encoding, limit);
  return bytes;
}

async function undo(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const decode = decoderOf(encoding, bytes);
  if (!decode)
    throw new Failure(
      'BAD_ENCODING',
      `the reply is compressed in a way that was not asked for (${encoding.slice(0, 20)})`,
    );
  try {
    // Stops at the limit, so that a small bomb cannot fill the memory.
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    const reason =
      code === 'Z_BUF_ERROR' || code === 'ERR_BROTLI_DECODER_ERROR_NEEDS_MORE_INPUT' ? 'ends too early' : 'is broken';
    throw new Failure('BAD_ENCODING', `the ${encoding} compression of the reply ${reason}`, { cause: error });
  }
}

function decoderOf(encoding: string, bytes: Buffer) {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return promisify(gunzip);
    case 'deflate':
      // Meant is the zlib format (RFC 9110 section 8.4.1.2), but some servers send bare deflate data.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? promisify(inflate) : promisify(inflateRaw);
    case 'br':
      return promisify(brotliDecompress);
    default:
      return undefined;
  }
}
