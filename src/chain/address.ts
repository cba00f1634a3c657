/** Why a text is no bech32 address; `at` counts characters from 0. */
export type Bech32Fault =
  | { readonly kind: 'length' | 'mixedCase' | 'separator' | 'checksum' | 'bytes' }
  | { readonly kind: 'character'; readonly at: number };

/** A text that is bech32: its prefix in lower case and how many bytes it holds. */
export interface Bech32 {
  readonly prefix: string;
  readonly length: number;
}

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Six letters of checksum. */
const checksum = 6;
/** 255 bytes are the longest address of the SDK (types/address/store_key.go), 1023 characters the longest text of its library. */
const longest = 1023;

/**
 * Checks a bech32 text as BIP 173 says, without its limit of 90 characters, which the SDK lifts: case, separator, letters,
 * checksum, and that the data is a whole number of bytes (at least one).
 */
export function readBech32(text: string): Bech32 | Bech32Fault {
  if (text.length < 2 + checksum || text.length > longest) return { kind: 'length' };
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return { kind: 'mixedCase' };
  const odd = [...lower].findIndex((letter) => letter < '!' || letter > '~');
  if (odd >= 0) return { kind: 'character', at: odd };
  const separator = lower.lastIndexOf('1');
  if (separator < 1) return { kind: 'separator' };
  const data = [...lower.slice(separator + 1)].map((letter) => letters.indexOf(letter));
  const wrong = data.indexOf(-1);
  if (wrong >= 0) return { kind: 'character', at: separator + 1 + wrong };
  if (data.length < checksum) return { kind: 'length' };
  const prefix = lower.slice(0, separator);
  if (polymod([...expand(prefix), ...data]) !== 1) return { kind: 'checksum' };
  const length = wholeBytes(data.slice(0, -checksum));
  return length === undefined || length === 0 ? { kind: 'bytes' } : { prefix, length };
}

/** The prefix goes into the checksum as its high bits, a zero, and its low bits. */
function expand(prefix: string): number[] {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

/** How many bytes groups of 5 bits hold; undefined where bits are left over that no encoder leaves. */
function wholeBytes(groups: readonly number[]): number | undefined {
  const spare = (groups.length * 5) % 8;
  const last = groups.at(-1) ?? 0;
  return spare >= 5 || last & ((1 << spare) - 1) ? undefined : (groups.length * 5 - spare) / 8;
}

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) {
      if ((top >>> bit) & 1) sum ^= generator;
    }
  }
  return sum >>> 0;
}
