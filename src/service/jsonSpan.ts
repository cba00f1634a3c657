import { StateFileError } from './stateErrors.ts';

const quote = 0x22;
const backslash = 0x5c;
const longestString = 0x1fffffe8;
const longestScalar = 4096;
const largestKept = 128 * 1024 * 1024;
const deepest = 1_000_000;

export type ValueKind = 'container' | 'string' | 'scalar';

/** Where a whole value stands; valid until the next chunk. */
export interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** One value, or one member name, on its way through the chunks that it spans: passed by brackets and quotes, kept where it is wanted. */
export class ValueSpan {
  readonly #fail: (reason: string, offset: number) => never;
  #kind: ValueKind = 'scalar';
  #keep = false;
  #offset = 0;
  #stringAt = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #pieces: Buffer[] = [];
  #brackets = new Uint8Array(1024);

  /** `fail` throws: `offset` is that of the byte at fault in the whole text. */
  constructor(fail: (reason: string, offset: number) => never) {
    this.#fail = fail;
  }

  /** Offset of the first byte. */
  get offset(): number {
    return this.#offset;
  }

  get isKept(): boolean {
    return this.#keep;
  }

  begin(kind: ValueKind, keep: boolean, offset: number): void {
    this.#kind = kind;
    this.#keep = keep;
    this.#offset = offset;
    this.#stringAt = offset;
    this.#inString = kind === 'string';
    this.#escaped = false;
    this.#depth = 0;
  }

  /** Begins what is left of a list whose next element is at `offset`; it ends after the list's bracket. */
  beginRest(offset: number): void {
    this.begin('container', false, offset);
    this.#brackets[0] = 0x5d;
    this.#depth = 1;
  }

  /** Index after the last byte, or -1 where the chunk, which begins at `base`, ends first. */
  end(chunk: Buffer, from: number, base: number): number {
    return this.#kind === 'scalar' ? scalarEnd(chunk, from) : this.#containerEnd(chunk, from, base);
  }

  /** The chunk ends inside the value: what is kept of it is copied. */
  suspend(chunk: Buffer, base: number): void {
    const end = base + chunk.length;
    if (this.#inString && end - this.#stringAt > longestString)
      this.#fail('A string is longer than 512 MB', this.#stringAt);
    if (!this.#keep) return;
    if (end - this.#offset > (this.#kind === 'scalar' ? longestScalar : largestKept))
      this.#fail('A value is too large to keep', this.#offset);
    this.#pieces.push(Buffer.from(chunk.subarray(Math.max(0, this.#offset - base))));
  }

  /** The whole value, which ends before `end` in this chunk. */
  take(chunk: Buffer, end: number, base: number): Span {
    if (this.#pieces.length === 0) return { bytes: chunk, start: this.#offset - base, end };
    const bytes = Buffer.concat([...this.#pieces, chunk.subarray(0, end)]);
    this.#pieces = [];
    return { bytes, start: 0, end: bytes.length };
  }

  /** For containers and strings. The hot loop: most of a large file passes here. */
  #containerEnd(chunk: Buffer, from: number, base: number): number {
    const { length } = chunk;
    let at = from;
    let depth = this.#depth;
    let brackets = this.#brackets;
    let inString = this.#inString;
    let stringAt = this.#stringAt;
    for (;;) {
      if (inString) {
        const first = this.#escaped ? at + 1 : at;
        this.#escaped = false;
        const end = stringEnd(chunk, first);
        if (end < 0) {
          this.#escaped = trailingBackslashes(chunk, first, length) % 2 === 1;
          break;
        }
        at = end;
        inString = false;
        if (depth === 0) {
          this.#inString = false;
          return at;
        }
      }
      while (at < length) {
        const byte = chunk[at++] ?? 0;
        if (byte === quote) {
          inString = true;
          stringAt = base + at - 1;
          break;
        }
        const bracket = byte | 0x20;
        if (bracket === 0x7b) {
          if (depth === brackets.length) brackets = this.#deepen(base + at - 1);
          brackets[depth++] = byte + 2;
        } else if (bracket === 0x7d) {
          depth--;
          if (brackets[depth] !== byte)
            this.#fail(
              `Not valid JSON: "${String.fromCharCode(byte)}" where the other kind of bracket belongs`,
              base + at - 1,
            );
          if (depth === 0) return at;
        }
      }
      if (!inString || at >= length) break;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#stringAt = stringAt;
    return -1;
  }

  #deepen(offset: number): Uint8Array<ArrayBuffer> {
    const size = this.#brackets.length;
    if (size >= deepest) this.#fail(`Nested deeper than ${deepest}`, offset);
    const larger = new Uint8Array(Math.min(size * 4, deepest));
    larger.set(this.#brackets);
    this.#brackets = larger;
    return larger;
  }
}

/** Index after the quote that closes the string whose text begins at `from`, or -1. Short strings, the usual ones, are cheaper byte by byte than by a native call. */
export function stringEnd(chunk: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const near = Math.min(at + 24, chunk.length);
    while (at < near && chunk[at] !== quote) at++;
    const found = at < near ? at : chunk.indexOf(quote, at);
    if (found < 0) return -1;
    if (trailingBackslashes(chunk, from, found) % 2 === 0) return found + 1;
    at = found + 1;
  }
}

/** How many backslashes stand directly before `end`, none of them before `from`. */
function trailingBackslashes(chunk: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === backslash) at--;
  return end - at;
}

/** Index of the byte that ends a number or a word, or -1. */
function scalarEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) return at;
  }
  return -1;
}

/** Where the text of a file begins whose first bytes these are: after the BOM, if there is one. Throws for UTF-16. */
export function textStart(bytes: Buffer): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3;
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new StateFileError('The text is UTF-16, not UTF-8', 0, '');
  return 0;
}

/** The name of a member from its bytes, quotes and all; undefined where they are no JSON. */
export function memberName({ bytes, start, end }: Span): string | undefined {
  const plain = bytes.toString('utf8', start + 1, end - 1);
  if (!plain.includes('\\')) return plain;
  try {
    return String(JSON.parse(`"${plain}"`));
  } catch {
    return undefined;
  }
}

/** A byte as an error names it. */
export function shownByte(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
}

/** What the bytes of a JSON text tell without parsing it. */
export interface JsonShape {
  /** How many members its objects have in all, repeated ones each time. */
  readonly members: number;
  readonly depth: number;
  /** Whether a double holds each of its numbers as it is written. */
  readonly isExact: boolean;
}

const exactDigits = 15;

/** The shape of `bytes[start, end)`, whose brackets and quotes are in order. */
export function jsonShape(bytes: Buffer, start: number, end: number): JsonShape {
  let members = 0;
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let isExact = true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x22) {
      const after = stringEnd(bytes, at + 1);
      // A word with a quote in it (`1"`) opens no string that ends; it is no JSON either.
      if (after < 0) break;
      at = after - 1;
    }
    if (byte === 0x3a) members++;
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth--;
    if (byte >= 0x30 && byte <= 0x39) digits++;
    else if (digits > 0) {
      if (digits > exactDigits || byte === 0x2e || byte === 0x65 || byte === 0x45) isExact = false;
      digits = 0;
    }
  }
  return { members, depth: deepest, isExact };
}

/** How many members the objects of a parsed value have in all. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly unknown[] = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + countMembers(item), Array.isArray(value) ? 0 : inner.length);
}
