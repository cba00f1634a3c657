import {
  closingPlace,
  decimals,
  isFalse,
  isNull,
  isTrue,
  lengthFalse,
  lengthNull,
  maxDigits,
} from '../../../dist/simdLayout';

// Finds the ends of values, texts and white space, reads digits, and compares texts. Skipping looks at 64 bytes at a
// time, with one bit for each byte.

export const quote: i8 = 0x22;
export const comma: u8 = 0x2c;
export const openBrace: u8 = 0x7b;
export const closeBrace: u8 = 0x7d;
export const openBracket: u8 = 0x5b;
export const closeBracket: u8 = 0x5d;
const backslash: i8 = 0x5c;

let depth: i32 = 0;
/** All bits are set inside a string. */
let inString: u64 = 0;
/** 1 if the next byte is escaped. */
let escaped: u64 = 0;

/** Begins to skip: before a value, inside a string (without its quote) or inside a list. */
export function begin(isString: bool, isList: bool): void {
  inString = isString ? ~(<u64>0) : 0;
  escaped = 0;
  depth = isList ? 1 : 0;
  store<u8>(closingPlace, 0x5d);
}

/**
 * Skips the list, object or string that was begun, from `from` on. Returns the position after it, or `end` + 1 if it
 * goes on after `end`. It does not pass a bracket that closes another kind, a backslash outside of strings, or a
 * bracket that opens more than `limit` levels, and returns minus their position.
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
      // The byte after the block is escaped by a last backslash that is not escaped itself.
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
        if (load<u8>(closingPlace + depth) !== byte) return stop(position);
        if (depth === 0) return position + 1;
      } else {
        if (depth === limit) return stop(position);
        store<u8>(closingPlace + depth, byte + 2);
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

/** Gives a bit for each byte of four vectors that is set. */
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = ((<u64>i8x16.bitmask(b)) << 16) | <u64>i8x16.bitmask(a);
  const high = ((<u64>i8x16.bitmask(d)) << 16) | <u64>i8x16.bitmask(c);
  return (high << 32) | low;
}

/** Gives a bit for each of the 64 bytes at `at` that is `byte`. */
function equal(at: usize, byte: i8): u64 {
  const all = i8x16.splat(byte);
  return bits(
    i8x16.eq(v128.load(at), all),
    i8x16.eq(v128.load(at, 16), all),
    i8x16.eq(v128.load(at, 32), all),
    i8x16.eq(v128.load(at, 48), all),
  );
}

/**
 * Gives a bit for each of the 64 bytes at `at` that is a square or curly bracket. The kinds differ in one bit, as do
 * lower and upper case.
 */
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

/** Gives bits that say whether an odd number of bits is set up to them, inclusive. */
function prefixXor(mask: u64): u64 {
  let all = mask ^ (mask << 1);
  all ^= all << 2;
  all ^= all << 4;
  all ^= all << 8;
  all ^= all << 16;
  return all ^ (all << 32);
}

const odd: u64 = 0xaaaaaaaaaaaaaaaa;

/**
 * Gives the bytes that the backslashes `back` escape. `first` is 1 if the first byte is escaped. The algorithm is that
 * of simdjson (Langdale and Lemire).
 */
function escapedBy(back: u64, first: u64): u64 {
  const escapes = back & ~first;
  const codes = (((escapes << 1) | odd) - escapes) ^ odd;
  return codes ^ (back | first);
}

const twice: u32 = 0x8000_0000;

/** Notes a member by its bit. A member that stands twice makes the result differ from the sum of the members. */
export function once(seen: u32, member: u32): u32 {
  return (seen & member) === 0 ? seen | member : twice;
}

/** Finds the first position from `at` on that is no white space. */
export function space(at: usize): usize {
  if (load<u8>(at) > 0x20) return at;
  while (true) {
    const bytes = v128.load(at);
    const blank = v128.or(i8x16.eq(bytes, i8x16.splat(0x20)), i8x16.eq(bytes, i8x16.splat(0x0a)));
    const rare = v128.or(i8x16.eq(bytes, i8x16.splat(0x0d)), i8x16.eq(bytes, i8x16.splat(0x09)));
    const others = ~i8x16.bitmask(v128.or(blank, rare)) & 0xffff;
    if (others !== 0) return at + ctz(others);
    at += 16;
  }
}

/** Finds the position after the colon at or after `at` and the space after it, or 0. */
export function afterColon(at: usize): usize {
  const colon = space(at);
  return load<u8>(colon) === 0x3a ? space(colon + 1) : 0;
}

/** Finds the first byte of the string after the colon, or 0. */
export function textAt(at: usize): usize {
  const start = afterColon(at);
  return load<u8>(start) === quote ? start + 1 : 0;
}

/** Finds the end of the text at `start`, which must be ASCII without escapes, or 0. */
export function textEnd(start: usize): usize {
  for (let at = start; true; at += 16) {
    const bytes = v128.load(at);
    // As signed numbers, bytes beyond ASCII are below those of controls.
    const controls = i8x16.lt_s(bytes, i8x16.splat(0x20));
    const marks = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
    const found = i8x16.bitmask(v128.or(controls, marks));
    if (found === 0) continue;
    const end = at + ctz(found);
    return start !== 0 && load<u8>(end) === quote ? end : 0;
  }
}

/** Finds the first position from `start` on that is no digit. */
export function digitsAfter(start: usize): usize {
  let at = start;
  while (load<u8>(at) - 0x30 <= 9) at++;
  return at;
}

const deepestField: i32 = 8;

/** Finds the end of the JSON value at `at`, or 0. It accepts exact whole numbers and texts of ASCII without escapes. */
export function valueEnd(at: usize, level: i32): usize {
  const byte = load<u8>(at);
  if (byte === quote) {
    const end = textEnd(at + 1);
    return end === 0 ? 0 : end + 1;
  }
  if (byte === openBrace || byte === openBracket) return level < deepestField ? membersEnd(at, level + 1) : 0;
  if (isNull(at) || isTrue(at)) return at + lengthNull;
  if (isFalse(at)) return at + lengthFalse;
  const digits = byte === 0x2d ? at + 1 : at;
  const end = digitsAfter(digits);
  const isWhole = end > digits && end - digits <= 15 && (load<u8>(digits) !== 0x30 || end === digits + 1);
  const next = load<u8>(end);
  return isWhole && (next === comma || next === closeBrace || next === closeBracket || next <= 0x20) ? end : 0;
}

function membersEnd(start: usize, level: i32): usize {
  const isList = load<u8>(start) === openBracket;
  const close = isList ? closeBracket : closeBrace;
  let at = space(start + 1);
  if (load<u8>(at) === close) return at + 1;
  while (true) {
    if (!isList) {
      const nameEnd = load<u8>(at) === quote ? textEnd(at + 1) : 0;
      at = nameEnd === 0 ? 0 : afterColon(nameEnd + 1);
      if (at === 0) return 0;
    }
    at = valueEnd(at, level);
    if (at === 0) return 0;
    at = space(at);
    const byte = load<u8>(at);
    if (byte === close) return at + 1;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
}

/** Finds the end of the amount at `start`, or 0. A decimal amount has 18 decimals. */
export function amountEndOf(start: usize, isDecimal: bool): usize {
  if (!isDecimal) return digitsEnd(start, quote);
  const point = digitsEnd(start, 0x2e);
  const end = digitsEnd(point + 1, quote);
  return point !== 0 && end === point + 1 + decimals ? end : 0;
}

/** Finds the end of at least one digit at `start`, where `next` must follow; or 0. */
function digitsEnd(start: usize, next: u8): usize {
  for (let at = start; true; at += 16) {
    const digits = i8x16.le_u(i8x16.sub(v128.load(at), i8x16.splat(0x30)), i8x16.splat(9));
    const others = ~i8x16.bitmask(digits) & 0xffff;
    if (others === 0) continue;
    const end = at + ctz(others);
    const length = end - start;
    return start !== 0 && length > 0 && length <= maxDigits && load<u8>(end) === next ? end : 0;
  }
}

/** Reads at most 18 digits. */
export function numberAt(start: usize, end: usize): u64 {
  let number: u64 = 0;
  let at = start;
  for (; end - at >= 8; at += 8) number = number * 100_000_000 + eightDigits(load<u64>(at));
  for (; at < end; at++) number = number * 10 + (load<u8>(at) - 0x30);
  return number;
}

/** Reads eight digits: pairs, then both pairs of pairs at once (Lemire, "Quickly parsing eight digits"). */
function eightDigits(text: u64): u64 {
  const digits = text - 0x3030303030303030;
  const pairs = digits * 10 + (digits >> 8);
  const first = (pairs & 0x000000ff000000ff) * 0x000f424000000064;
  const second = ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001;
  return (first + second) >> 32;
}

/** A factor that spreads numbers: 2^64 divided by the golden ratio. */
const factor: u64 = 0x9e3779b97f4a7c15;

/** Gives the one of 2^22 bits that stands for a mark. */
export function bitOf(mark: u64): usize {
  return <usize>((mark * factor) >> 42);
}

/**
 * Compares two texts of one length, eight bytes at a time. The last bytes overlap. For a shorter text, the bytes after
 * it are cut off.
 */
export function isSame(one: usize, other: usize, length: usize): bool {
  if (length < 8) return (load<u64>(one) ^ load<u64>(other)) << (64 - (length << 3)) === 0 || length === 0;
  const last = length - 8;
  for (let at: usize = 0; at < last; at += 8) if (load<u64>(one + at) !== load<u64>(other + at)) return false;
  return load<u64>(one + last) === load<u64>(other + last);
}

/** Hashes a text. */
export function hashOf(start: usize, length: usize): u32 {
  let hash = <u64>length;
  let at = start;
  for (const last = start + length - 8; length >= 8 && at < last; at += 8)
    hash = rotl((hash ^ load<u64>(at)) * factor, 29);
  const rest = length >= 8 ? load<u64>(start + length - 8) : load<u64>(start) & (((<u64>1) << (length << 3)) - 1);
  hash = (hash ^ rest) * factor;
  return <u32>(hash >> 32);
}
