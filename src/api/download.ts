import { createHash } from 'node:crypto';
import { ApiError, messageOf } from './errors.ts';
import { type Forbidden, forbiddenHost } from './transport/addresses.ts';
import { nextAddress } from './transport/reply.ts';
import { type RawReply, UndiciRoute } from './transport/routes.ts';
import type { Limits, NetworkOptions } from './transport/transportTypes.ts';

/** The algorithms of a checksum, by their names in an address (github.com/hashicorp/go-getter). */
export type Digest = 'md5' | 'sha1' | 'sha256' | 'sha512';

/** A file to read once. */
export interface Download {
  readonly url: string;
  readonly digest: Digest;
  /** Keeps the text, too. The file must have at most 1 MiB. */
  readonly keepsText?: boolean | undefined;
  /** Receives the bytes so far, and the number of all bytes if the server states it. */
  readonly onProgress?: ((bytes: number, total: number | undefined) => void) | undefined;
}

/** The result of a download. The file itself is not kept, except for a text that was asked for. */
export interface Downloaded {
  /** The checksum in lower-case hexadecimal digits. */
  readonly digest: string;
  readonly bytes: number;
  /** The hosts that answered, in their order. Each redirected to the next. */
  readonly hosts: readonly string[];
  readonly text: string | undefined;
}

/** The limits: times in milliseconds, and bytes. A file of at most 1 GiB has ten minutes. */
const limits: Limits = { connect: 10_000, headers: 30_000, body: 60_000, request: 600_000, maxReply: 1024 ** 3 };
const maxText = 1024 * 1024;

/** Reads files that a chain names. */
export interface Downloader {
  /**
   * Reads a file over https to its end and gives its digest. Follows at most three redirects, and only to public hosts.
   * Rejects with an `ApiError` that says why the file was not read, or with the reason of the signal.
   */
  read(file: Download, signal: AbortSignal): Promise<Downloaded>;
  dispose(): Promise<void>;
}

/** Makes a downloader that reaches public addresses only. */
export function createDownloader(network: NetworkOptions): Downloader {
  return downloaderOf(network, 'local');
}

/**
 * Makes a downloader that refuses the named addresses. `createDownloader` refuses all local ones. Only tests refuse
 * fewer, since their servers are on this machine.
 */
export function downloaderOf(network: NetworkOptions, refused: Forbidden): Downloader {
  const route = new UndiciRoute(limits, network);
  return {
    read: (file, signal) => readFile(route, refused, file, signal),
    dispose: () => route.dispose(),
  };
}

async function readFile(
  route: UndiciRoute,
  refused: Forbidden,
  file: Download,
  signal: AbortSignal,
): Promise<Downloaded> {
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(failure(file.url, 'The download took longer than ten minutes')),
    limits.request,
  );
  const cancel = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await follow(route, refused, file, stop);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ApiError ? error : failure(file.url, messageOf(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function failure(url: string, reason: string): ApiError {
  return new ApiError('unreachable', reason, { url });
}

async function follow(
  route: UndiciRoute,
  refused: Forbidden,
  file: Download,
  stop: AbortController,
): Promise<Downloaded> {
  const visited = new Set<string>();
  const hosts: string[] = [];
  for (let url = new URL(file.url); ; ) {
    if (url.protocol !== 'https:') throw failure(file.url, 'Only https addresses are allowed');
    const words = forbiddenHost(url.origin, refused);
    if (words !== undefined) throw failure(file.url, `${url.host} is ${words}. Downloads from it are not allowed`);
    hosts.push(url.host);
    const sink = new Sink(file);
    const reply = await route.send({
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'chain-inspector' },
      stop,
      forbidden: refused,
      take: (chunk, headers) => sink.add(chunk, headers),
    });
    const next = nextAddress(reply, url.href, { visited, isPublic: refused === 'local', mask: (text) => text });
    if (typeof next === 'string') throw failure(file.url, next);
    if (next) {
      url = next;
      continue;
    }
    if (reply.status !== 200) throw failure(file.url, `${url.host} responded with HTTP ${reply.status}`);
    return { ...sink.end(reply), hosts };
  }
}

/** Receives a body, piece by piece. */
class Sink {
  readonly #file: Download;
  readonly #hash;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(file: Download) {
    this.#file = file;
    this.#hash = createHash(file.digest);
  }

  add(chunk: Uint8Array, headers: RawReply['headers']): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    const { keepsText, onProgress, url } = this.#file;
    if (keepsText && this.#bytes > maxText) throw failure(url, 'The file is larger than 1 MiB');
    if (keepsText) this.#chunks.push(chunk);
    const total = Number(headers['content-length']);
    onProgress?.(this.#bytes, Number.isSafeInteger(total) && total > 0 ? total : undefined);
  }

  end({ headers }: RawReply): Omit<Downloaded, 'hosts'> {
    const { 'content-encoding': encoding } = headers;
    // A getter undoes the encoding before it compares.
    if (encoding !== undefined && encoding !== 'identity')
      throw failure(this.#file.url, `The server encodes the file (${encoding}), so its checksum cannot be compared`);
    const text = this.#file.keepsText ? Buffer.concat(this.#chunks).toString('utf8') : undefined;
    return { digest: this.#hash.digest('hex'), bytes: this.#bytes, text };
  }
}
