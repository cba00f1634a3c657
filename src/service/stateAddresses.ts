import { bech32 } from '@scure/base';
import type { Fields } from '../chain/fields.ts';
import { toText } from './scan/jsonValue.ts';
import { badParameter, ValueError } from './serviceErrors.ts';
import { fieldsAt, findKey, type KeyedTable, toByteText } from './table.ts';

/** The longest bech32 text of the SDK, whose addresses have up to 255 bytes (types/address/store_key.go). */
export const longestAddress = 1023;

/** Decodes a bech32 address. The SDK lifts the limit of 90 characters in BIP 173. Undefined for any other text. */
export function decodeAddress(address: string): { readonly prefix: string; readonly bytes: Uint8Array } | undefined {
  const decoded = bech32.decodeUnsafe(address, longestAddress);
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words);
  return bytes && bytes.length > 0 ? { prefix: decoded.prefix, bytes } : undefined;
}

/**
 * Reads the text of an address in any form. It is limited, since rows keep it for each proposal and each coin. Throws
 * `ValueError`.
 */
export function toAddressText(value: unknown, path: string): string {
  const text = toText(value, path);
  if (text.length > longestAddress) throw new ValueError(`Longer than ${longestAddress} characters`, path);
  return text;
}

export function encodeAddress(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), longestAddress);
}

/** Gives the key of the address in the parameter `name` of a request. Throws `GatewayError` for an invalid address. */
export function readAddressKey(name: string, address: string): Buffer {
  if (!decodeAddress(address)) throw badParameter(name, 'decoding bech32 failed');
  return Buffer.from(toAddressKey(address), 'latin1');
}

/**
 * Gives the key of a row by its address, in the order of nodes (docs/nodes.md#page-keys): one byte with the length,
 * then the bytes of the address, one character each. An account and its validator have the same key. A text that is no
 * address is its own key.
 */
export function toAddressKey(address: string): string {
  const bytes = decodeAddress(address)?.bytes;
  return bytes ? String.fromCharCode(bytes.length, ...bytes) : toByteText(address);
}

/** Gives the row of an address, which stands in the field `name`. Throws `GatewayError` for an invalid address. */
export function rowBy(table: KeyedTable, name: string, address: string): Fields | undefined {
  const position = findKey(table, readAddressKey(name, address));
  const row = position < 0 ? undefined : fieldsAt(table, position);
  // The same bytes may have addresses with other prefixes.
  return row?.[name] === address.toLowerCase() ? row : undefined;
}
