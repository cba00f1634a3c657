import { stringEnd } from './valueSpan.ts';

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
