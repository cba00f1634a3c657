import { bech32 } from '@scure/base';

/** The reason why a text is not the address of an account. `at` counts characters from 0. */
export type AddressFault =
  | { readonly kind: 'empty' | 'hex' | 'length' | 'mixedCase' | 'separator' | 'checksum' | 'bytes' }
  | { readonly kind: 'character'; readonly at: number }
  /** The address is of another chain, or with `role` of a validator or a key instead of an account. */
  | { readonly kind: 'prefix'; readonly found: string; readonly expected: string; readonly role: boolean };

const checksumLength = 6;
/** The longest text of the SDK's bech32 library. An address has at most 255 bytes (types/address/store_key.go). */
const longest = 1023;

/** Checks a text by BIP 173. The SDK lifts its limit of 90 characters. `length` is in bytes. */
export function readBech32(text: string): { readonly prefix: string; readonly length: number } | AddressFault {
  const read = decode(text);
  return 'kind' in read ? read : { prefix: read.prefix, length: read.length };
}

/** An address: its prefix, its data in groups of 5 bits, and the number of its bytes. */
interface Decoded {
  readonly prefix: string;
  readonly words: number[];
  readonly length: number;
}

function decode(text: string): Decoded | AddressFault {
  if (text.length < 2 + checksumLength || text.length > longest) return { kind: 'length' };
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return { kind: 'mixedCase' };
  const outside = lower.search(/[^!-~]/);
  if (outside >= 0) return { kind: 'character', at: outside };
  const separator = lower.lastIndexOf('1');
  if (separator < 1) return { kind: 'separator' };
  const data = lower.slice(separator + 1);
  const wrong = data.search(/[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/);
  if (wrong >= 0) return { kind: 'character', at: separator + 1 + wrong };
  if (data.length < checksumLength) return { kind: 'length' };
  const decoded = bech32.decodeUnsafe(lower, longest);
  if (!decoded) return { kind: 'checksum' };
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes?.length ? { ...decoded, length: bytes.length } : { kind: 'bytes' };
}

/** Gives the account of 20 bytes with the prefix of another address; undefined if that is no address. */
export function accountBeside(address: string, bytes: Uint8Array): string | undefined {
  const read = readBech32(address);
  return 'prefix' in read ? bech32.encode(read.prefix, bech32.toWords(bytes)) : undefined;
}

/** Gives the part before the role that the SDK appends (types/address.go): `cosmosvaloper` → `cosmos`. */
export function basePrefix(prefix: string): string {
  return prefix.replace(/(?<=.)(?:valoperpub|valoper|valconspub|valcons|pub)$/, '');
}

/**
 * Gives the address of an account itself, or the account of an operator address (`cosmosvaloper1…` → `cosmos1…`). Keys
 * have none.
 */
export function toAccount(text: string): { readonly prefix: string; readonly address: string } | AddressFault {
  const read = decode(text);
  if ('kind' in read) return read;
  const prefix = basePrefix(read.prefix);
  if (prefix !== read.prefix && read.prefix !== `${prefix}valoper`)
    return { kind: 'prefix', found: read.prefix, expected: prefix, role: true };
  return { prefix, address: bech32.encode(prefix, read.words, longest) };
}

/**
 * Checks a voter or depositor filter, since nodes answer invalid ones with an internal failure
 * (docs/nodes.md#address-filters).
 */
export function addressFault(text: string, prefix: string | undefined): AddressFault | undefined {
  if (text === '') return { kind: 'empty' };
  if (/^0x[0-9a-f]*$/i.test(text)) return { kind: 'hex' };
  const read = readBech32(text);
  if ('kind' in read) return read;
  const account = basePrefix(read.prefix);
  const expected = prefix ?? account;
  return read.prefix === expected
    ? undefined
    : { kind: 'prefix', found: read.prefix, expected, role: account !== read.prefix };
}

/** Gives the same bytes with another prefix; undefined if the text is no address. */
export function withPrefix(text: string, prefix: string): string | undefined {
  const read = decode(text);
  return 'kind' in read ? undefined : bech32.encode(prefix, read.words, longest);
}
