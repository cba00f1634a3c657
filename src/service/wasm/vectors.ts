// 64 bytes at a time, one bit for each of them.

export const quote: i8 = 0x22;
export const backslash: i8 = 0x5c;

/** Which bytes of four vectors are set. */
export function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = ((<u64>i8x16.bitmask(b)) << 16) | <u64>i8x16.bitmask(a);
  const high = ((<u64>i8x16.bitmask(d)) << 16) | <u64>i8x16.bitmask(c);
  return (high << 32) | low;
}

/** Which of the 64 bytes at `at` are `byte`. */
export function equal(at: usize, byte: i8): u64 {
  const all = i8x16.splat(byte);
  return bits(
    i8x16.eq(v128.load(at), all),
    i8x16.eq(v128.load(at, 16), all),
    i8x16.eq(v128.load(at, 32), all),
    i8x16.eq(v128.load(at, 48), all),
  );
}

/** Which of the 64 bytes at `at` are brackets, square or curly: the kinds differ in one bit, as do lower and upper case. */
export function bracketsAt(at: usize): u64 {
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
export function prefixXor(mask: u64): u64 {
  let all = mask ^ (mask << 1);
  all ^= all << 2;
  all ^= all << 4;
  all ^= all << 8;
  all ^= all << 16;
  return all ^ (all << 32);
}

const odd: u64 = 0xaaaaaaaaaaaaaaaa;

/** Which bytes are escaped by the backslashes `back`; `first`: 1 where the first byte is. (Langdale and Lemire's simdjson.) */
export function escapedBy(back: u64, first: u64): u64 {
  const escapes = back & ~first;
  const codes = (((escapes << 1) | odd) - escapes) ^ odd;
  return codes ^ (back | first);
}
