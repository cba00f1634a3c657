import { bech32 } from '@scure/base';

/** Why a text is not a bech32 address; `at` counts characters from 0. */
export type Bech32Fault =
  | { readonly kind: 'length' | 'mixedCase' | 'separator' | 'checksum' | 'bytes' }
  | { readonly kind: 'character'; readonly at: number };

/** A text that is bech32: its prefix in lower case and how many bytes it holds. */
export interface Bech32 {
  readonly prefix: string;
  readonly length: number;
}

/** Characters of a checksum. */
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
  const outside = lower.search(/[^!-~]/);
  if (outside >= 0) return { kind: 'character', at: outside };
  const separator = lower.lastIndexOf('1');
  if (separator < 1) return { kind: 'separator' };
  const data = lower.slice(separator + 1);
  const wrong = data.search(/[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/);
  if (wrong >= 0) return { kind: 'character', at: separator + 1 + wrong };
  if (data.length < checksum) return { kind: 'length' };
  const decoded = bech32.decodeUnsafe(lower, longest);
  if (!decoded) return { kind: 'checksum' };
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes?.length ? { prefix: decoded.prefix, length: bytes.length } : { kind: 'bytes' };
}

/** The address of a key or a validator where one of an account is needed. */
export interface RoleFault {
  readonly kind: 'prefix';
  readonly found: string;
  readonly expected: string;
  readonly role: true;
}

const roles = ['valoper', 'valoperpub', 'valcons', 'valconspub', 'pub'];

/** `cosmosvaloper` → `cosmos`: what stands before the role that the SDK appends (types/address.go). */
export function accountPrefix(prefix: string): string {
  const role = roles.find((end) => prefix.endsWith(end) && prefix.length > end.length);
  return role ? prefix.slice(0, -role.length) : prefix;
}

/**
 * The account of an address: itself, or the one with the bytes of a validator's operator address (`cosmosvaloper1…` →
 * `cosmos1…`). Keys and consensus addresses have no account.
 */
export function toAccount(
  text: string,
): { readonly prefix: string; readonly address: string } | Bech32Fault | RoleFault {
  const read = readBech32(text);
  if ('kind' in read) return read;
  const prefix = accountPrefix(read.prefix);
  if (prefix !== read.prefix && read.prefix !== `${prefix}valoper`)
    return { kind: 'prefix', found: read.prefix, expected: prefix, role: true };
  const decoded = bech32.decodeUnsafe(text.toLowerCase(), longest);
  return decoded ? { prefix, address: bech32.encode(prefix, decoded.words, longest) } : { kind: 'checksum' };
}
