// Bytes are looked at by 64 at a time, with one bit for each of them.

export const quote: i8 = 0x22;
const backslash: i8 = 0x5c;

/** The closing bracket of each level that is open, a byte each. */
const closing: usize = 0x10000;

let depth: i32 = 0;
/** All bits set inside a string. */
let inString: u64 = 0;
/** 1 where the next byte is escaped. */
let escaped: u64 = 0;

/** Sets where skipping stands: before a value, inside a string (without its quote) or inside a list. */
export function begin(isString: bool, isList: bool): void {
  inString = isString ? ~(<u64>0) : 0;
  escaped = 0;
  depth = isList ? 1 : 0;
  store<u8>(closing, 0x5d);
}

/**
 * Skips the list, object or string that was begun, from `from` on. Returns the position after it, or `end` + 1 where it goes
 * on behind `end`. A bracket that closes another kind, a backslash outside of strings and a bracket that opens more than
 * `limit` levels are not passed: minus their position.
 */
export function skip(from: usize, end: usize, limit: i32): isize {
  const isText = depth === 0 && inString !== 0;
  for (let at = from; at < end; at += 64) {
    const back = equal(at, backslash);
    let quotes = equal(at, quote);
    if ((back | escaped) !== 0) {
      const known = escapedBy(back, escaped);
      quotes &= ~known;
      const left = end - at;
      // The byte after the last one of the block is escaped by a backslash that is not escaped itself.
      escaped = left < 64 ? (known >> left) & 1 : (back & ~known) >> 63;
    }
    if (isText) {
      if (quotes !== 0) return at + <usize>ctz(quotes) + 1;
      continue;
    }
    const text = prefixXor(quotes) ^ inString;
    inString = <u64>(<i64>text >> 63);
    let left = (bracketsAt(at) | back) & ~text;
    while (left !== 0) {
      const position = at + <usize>ctz(left);
      left &= left - 1;
      const byte = load<u8>(position);
      if ((byte & 4) !== 0) {
        if (byte !== <u8>backslash) depth--;
        if (load<u8>(closing + depth) !== byte) return stop(position);
        if (depth === 0) return position + 1;
      } else {
        if (depth === limit) return stop(position);
        store<u8>(closing + depth, byte + 2);
        depth++;
      }
    }
  }
  return end + 1;
}

function stop(position: usize): isize {
  inString = 0;
  escaped = 0;
  return -(<isize>position);
}

/** Which bytes of four vectors are set. */
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = ((<u64>i8x16.bitmask(b)) << 16) | <u64>i8x16.bitmask(a);
  const high = ((<u64>i8x16.bitmask(d)) << 16) | <u64>i8x16.bitmask(c);
  return (high << 32) | low;
}

/** Which of the 64 bytes at `at` are `byte`. */
function equal(at: usize, byte: i8): u64 {
  const all = i8x16.splat(byte);
  return bits(
    i8x16.eq(v128.load(at), all),
    i8x16.eq(v128.load(at, 16), all),
    i8x16.eq(v128.load(at, 32), all),
    i8x16.eq(v128.load(at, 48), all),
  );
}

/** Which of the 64 bytes at `at` are brackets, square or curly: the kinds differ in one bit, as do lower and upper case. */
function bracketsAt(at: usize): u64 {
  return bits(
    isBracket(v128.load(at)),
    isBracket(v128.load(at, 16)),
    isBracket(v128.load(at, 32)),
    isBracket(v128.load(at, 48)),
  );
}

function isBracket(bytes: v128): v128 {
  const curly = v128.or(bytes, i8x16.splat(0x20));
  return v128.or(i8x16.eq(curly, i8x16.splat(0x7b)), i8x16.eq(curly, i8x16.splat(0x7d)));
}

/** Each bit says whether up to it, inclusive, an odd number of bits is set. */
function prefixXor(mask: u64): u64 {
  let all = mask ^ (mask << 1);
  all ^= all << 2;
  all ^= all << 4;
  all ^= all << 8;
  all ^= all << 16;
  return all ^ (all << 32);
}

const odd: u64 = 0xaaaaaaaaaaaaaaaa;

/** Which bytes are escaped by the backslashes `back`; `first`: 1 where the first byte is. (Langdale and Lemire's simdjson.) */
function escapedBy(back: u64, first: u64): u64 {
  const escapes = back & ~first;
  const codes = (((escapes << 1) | odd) - escapes) ^ odd;
  return codes ^ (back | first);
}
