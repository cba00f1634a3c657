import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { Failure, tooLarge } from './failure.ts';
import type { RawReply } from './route.ts';

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
