import { backslashByte, closeBraceByte, closeBracketByte, commaByte, openBraceByte, quoteByte } from './jsonBytes.ts';
import { codes, plainAccountTypes } from './simdLayout.ts';

/** Takes the fields of an account on one level. Returns false to have the account visited instead. */
export type AccountListener = (account: Readonly<Record<string, unknown>>) => boolean;

/** Finds the ends of values by their brackets and quotes. Every implementation finds the same ends. */
export interface Skipper {
  /** Gives two buffers of `length` bytes or less, for chunks that `place` need not copy. */
  buffers(length: number): readonly [Buffer, Buffer];
  /**
   * Places as much of the beginning of `chunk` as can be read at once, and returns it. It is valid until the next call.
   */
  place(chunk: Buffer): Buffer;
  /** Begins to skip: before a value, inside a string (after its first quote), or inside a list one level deep. */
  begin(inside: 'value' | 'text' | 'list'): void;
  /**
   * Skips the list, object or string that was begun, from `from` on, in a placed chunk. Returns the index after it, or
   * one beyond the chunk's length if it goes on in the next chunk. It does not pass a bracket that closes the other
   * kind, a backslash outside of strings, or a bracket that opens more than `limit` levels, and returns -1 minus their
   * index.
   */
  skip(chunk: Buffer, from: number, limit: number): number;
  /**
   * Skips accounts of the auth module that hold nothing of interest, by their type, from the one at `from` on, as long
   * as they end in this chunk. It may hand others that are written plainly to `use`. Returns the index after the last
   * one, or -1.
   */
  skipAccounts(chunk: Buffer, from: number, use: AccountListener | undefined): number;
  /** The number of accounts that `skipAccounts` has skipped. */
  readonly count: number;
}

/** The deepest account that is skipped, in levels. */
export const deepestAccount = 100;
/** Matches the type at the beginning of an account that is written plainly. */
const leadingType = /^\{[ \t\n\r]*"@type"[ \t\n\r]*:[ \t\n\r]*"([ !#-[\]-\x7f]*)"/;

/** Skips in JavaScript, for small files and where WebAssembly has no SIMD. */
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
    this.#closing[0] = closeBracketByte;
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
      const type = leadingType.exec(head)?.[1];
      if (!plainAccountTypes.some((plain) => type?.endsWith(plain))) return end;
      this.begin('value');
      const next = this.skip(chunk, at, deepestAccount);
      if (next < 0 || next > chunk.length) return end;
      this.count++;
      end = next;
      at = spaceEnd(chunk, end);
      if (chunk[at] !== commaByte) return end;
    }
  }

  /** Finds the index after the quote that closes the string, or one beyond the chunk if the string goes on. */
  #textEnd(chunk: Buffer, from: number): number {
    const first = this.#escaped ? from + 1 : from;
    const end = stringEnd(chunk, first);
    this.#inString = end < 0;
    this.#escaped = end < 0 && trailingBackslashes(chunk, first, chunk.length) % 2 === 1;
    return end < 0 ? chunk.length + 1 : end;
  }

  /**
   * Finds the index after the next quote, which is then inside a string, or gives the result of `skip`. This is the hot
   * loop.
   */
  #nextText(chunk: Buffer, from: number, limit: number): number {
    const { length } = chunk;
    const closing = this.#closing;
    let depth = this.#depth;
    for (let at = from; at < length; ) {
      const byte = chunk[at++] ?? 0;
      if (byte === quoteByte) {
        this.#inString = true;
        this.#depth = depth;
        return at;
      }
      const bracket = byte | 0x20;
      if (bracket === openBraceByte) {
        if (depth === limit) {
          this.#depth = depth;
          return -at;
        }
        closing[depth++] = byte + 2;
      } else if (bracket === closeBraceByte) {
        depth--;
        if (closing[depth] !== byte) return -at;
        if (depth === 0) return at;
      } else if (byte === backslashByte) return -at;
    }
    this.#depth = depth;
    return length + 1;
  }
}

/**
 * Finds the index after the quote that closes the string whose text begins at `from`, or -1. Most strings are short,
 * and a loop over their bytes is cheaper than a native call.
 */
function stringEnd(chunk: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const near = Math.min(at + 24, chunk.length);
    while (at < near && chunk[at] !== quoteByte) at++;
    const found = at < near ? at : chunk.indexOf(quoteByte, at);
    if (found < 0) return -1;
    if (trailingBackslashes(chunk, from, found) % 2 === 0) return found + 1;
    at = found + 1;
  }
}

function trailingBackslashes(chunk: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === backslashByte) at--;
  return end - at;
}

function spaceEnd(chunk: Buffer, from: number): number {
  let at = from;
  while (chunk[at] === 0x20 || chunk[at] === 0x0a || chunk[at] === 0x0d || chunk[at] === 0x09) at++;
  return at;
}
