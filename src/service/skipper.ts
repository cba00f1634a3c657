import { codes, plainAccountTypes } from './simdLayout.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/** Takes the fields of an account, on one level; false refuses it: it is visited. */
export type AccountListener = (account: Readonly<Record<string, unknown>>) => boolean;

/** Finds where values end, by their brackets and quotes. Every implementation finds the same. */
export interface Skipper {
  /** Buffers for chunks that need not be copied by `place`; of `length` bytes, or shorter. */
  buffers(length: number): readonly [Buffer, Buffer];
  /** As much of the beginning of `chunk` as can be read at once, where it can be read; valid until the next call. */
  place(chunk: Buffer): Buffer;
  /** Reading stands before a value, inside a string (behind its first quote) or inside a list, one level deep. */
  begin(inside: 'value' | 'text' | 'list'): void;
  /**
   * Skips the list, object or string that was begun, from `from` on, in a chunk that was placed. Returns the index after it,
   * or one beyond the chunk's length where it goes on in the next. A bracket that closes the other kind, a backslash outside
   * of strings and a bracket that opens more than `limit` levels are not passed: -1 - their index.
   */
  skip(chunk: Buffer, from: number, limit: number): number;
  /**
   * Skips accounts of the auth module that hold nothing to be known, by their type, from the one at `from` on, as far as they end
   * in this chunk. Others that are spelled plainly may be handed to `use`. Returns the index after the last one, or -1.
   */
  skipAccounts(chunk: Buffer, from: number, use: AccountListener | undefined): number;
  /** How many accounts `skipAccounts` has skipped. */
  readonly count: number;
}

/** In levels; an account with more is not skipped. */
export const deepestAccount = 100;
/** The type of an account that is written plainly, at its begin. */
const accountType = /^\{[ \t\n\r]*"@type"[ \t\n\r]*:[ \t\n\r]*"([ !#-[\]-\x7f]*)"/;

/** In JavaScript, for small files and where WebAssembly has no SIMD. */
export class ScriptSkipper implements Skipper {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The closing bracket of each level. */
  readonly #closing: number[] = [];
  count = 0;

  buffers(length: number): readonly [Buffer, Buffer] {
    return [Buffer.allocUnsafeSlow(length), Buffer.allocUnsafeSlow(length)];
  }

  place(chunk: Buffer): Buffer {
    return chunk;
  }

  begin(inside: 'value' | 'text' | 'list'): void {
    this.#inString = inside === 'text';
    this.#escaped = false;
    this.#depth = inside === 'list' ? 1 : 0;
    this.#closing[0] = closeBracket;
  }

  skip(chunk: Buffer, from: number, limit: number): number {
    for (let at = from; ; ) {
      if (this.#inString) {
        at = this.#textEnd(chunk, at);
        if (this.#inString || this.#depth === 0) return at;
      }
      at = this.#nextText(chunk, at, limit);
      if (!this.#inString) return at;
    }
  }

  skipAccounts(chunk: Buffer, from: number): number {
    this.count = 0;
    let end = -1;
    for (let at = from; ; at = spaceEnd(chunk, at + 1)) {
      const head = chunk.toString('latin1', at, at + codes.largestAccountHead);
      const type = accountType.exec(head)?.[1];
      if (!plainAccountTypes.some((plain) => type?.endsWith(plain))) return end;
      this.begin('value');
      const next = this.skip(chunk, at, deepestAccount);
      if (next < 0 || next > chunk.length) return end;
      this.count++;
      end = next;
      at = spaceEnd(chunk, end);
      if (chunk[at] !== comma) return end;
    }
  }

  /** Index after the quote that closes the string; beyond the chunk where it goes on. */
  #textEnd(chunk: Buffer, from: number): number {
    const first = this.#escaped ? from + 1 : from;
    const end = stringEnd(chunk, first);
    this.#inString = end < 0;
    this.#escaped = end < 0 && trailingBackslashes(chunk, first, chunk.length) % 2 === 1;
    return end < 0 ? chunk.length + 1 : end;
  }

  /** Index after the next quote, then inside a string, or what `skip` returns. The hot loop. */
  #nextText(chunk: Buffer, from: number, limit: number): number {
    const { length } = chunk;
    const closing = this.#closing;
    let depth = this.#depth;
    for (let at = from; at < length; ) {
      const byte = chunk[at++] ?? 0;
      if (byte === quote) {
        this.#inString = true;
        this.#depth = depth;
        return at;
      }
      const bracket = byte | 0x20;
      if (bracket === openBrace) {
        if (depth === limit) {
          this.#depth = depth;
          return -at;
        }
        closing[depth++] = byte + 2;
      } else if (bracket === closeBrace) {
        depth--;
        if (closing[depth] !== byte) return -at;
        if (depth === 0) return at;
      } else if (byte === backslash) return -at;
    }
    this.#depth = depth;
    return length + 1;
  }
}

/** Index after the quote that closes the string whose text begins at `from`, or -1. Short strings, the usual ones, are cheaper byte by byte than by a native call. */
function stringEnd(chunk: Buffer, from: number): number {
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

function trailingBackslashes(chunk: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === backslash) at--;
  return end - at;
}

function spaceEnd(chunk: Buffer, from: number): number {
  let at = from;
  while (chunk[at] === 0x20 || chunk[at] === 0x0a || chunk[at] === 0x0d || chunk[at] === 0x09) at++;
  return at;
}
