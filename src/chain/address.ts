import { bech32 } from '@scure/base';
import type { ProposalRow } from './proposal.ts';

/** Why a text is not the address of an account; `at` counts characters from 0. */
export type AddressFault =
  | { readonly kind: 'empty' | 'hex' | 'length' | 'mixedCase' | 'separator' | 'checksum' | 'bytes' }
  | { readonly kind: 'character'; readonly at: number }
  /** Another chain's address, or (`role`) one of a validator or a key instead of an account. */
  | { readonly kind: 'prefix'; readonly found: string; readonly expected: string; readonly role: boolean };

const checksumLength = 6;
/** 255 bytes are the longest address of the SDK (types/address/store_key.go), 1023 characters the longest text of its library. */
const longest = 1023;

/** Checks a text by BIP 173 but for its limit of 90 characters, which the SDK lifts; `length` is in bytes. */
export function readBech32(text: string): { readonly prefix: string; readonly length: number } | AddressFault {
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
  return bytes?.length ? { prefix: decoded.prefix, length: bytes.length } : { kind: 'bytes' };
}

/** The account of 20 bytes with the prefix of another one, and undefined where that is no address. */
export function accountBeside(address: string, bytes: Uint8Array): string | undefined {
  const read = readBech32(address);
  return 'prefix' in read ? bech32.encode(read.prefix, bech32.toWords(bytes)) : undefined;
}

/** `cosmosvaloper` → `cosmos`: what stands before the role that the SDK appends (types/address.go). */
export function accountPrefix(prefix: string): string {
  return prefix.replace(/(?<=.)(?:valoperpub|valoper|valconspub|valcons|pub)$/, '');
}

/** Itself, or the account with the bytes of an operator address (`cosmosvaloper1…` → `cosmos1…`). Keys have none. */
export function toAccount(text: string): { readonly prefix: string; readonly address: string } | AddressFault {
  const read = readBech32(text);
  if ('kind' in read) return read;
  const prefix = accountPrefix(read.prefix);
  if (prefix !== read.prefix && read.prefix !== `${prefix}valoper`)
    return { kind: 'prefix', found: read.prefix, expected: prefix, role: true };
  const decoded = bech32.decodeUnsafe(text.toLowerCase(), longest);
  return decoded ? { prefix, address: bech32.encode(prefix, decoded.words, longest) } : { kind: 'checksum' };
}

/** Checks a voter or depositor filter, as nodes answer others with an inner failure (docs/nodes.md#address-filters). */
export function addressFault(text: string, prefix: string | undefined): AddressFault | undefined {
  if (text === '') return { kind: 'empty' };
  if (/^0x[0-9a-f]*$/i.test(text)) return { kind: 'hex' };
  const read = readBech32(text);
  if ('kind' in read) return read;
  const account = accountPrefix(read.prefix);
  const expected = prefix ?? account;
  return read.prefix === expected
    ? undefined
    : { kind: 'prefix', found: read.prefix, expected, role: account !== read.prefix };
}

/** The account prefix as the first 50 proposals show it. Free text is not looked at, since it may name any chain. */
export function ownPrefix(rows: Iterable<ProposalRow>): string | undefined {
  let seen = 0;
  for (const row of rows) {
    if (row.kind !== 'proposal') continue;
    if (seen++ >= 50) return undefined;
    for (const address of [row.proposer, ...row.contents.map(({ fields }) => fields.authority)]) {
      const read = typeof address === 'string' ? readBech32(address) : undefined;
      if (read && 'prefix' in read) return accountPrefix(read.prefix);
    }
  }
  return undefined;
}

/** The same bytes with another prefix; undefined where the text is no address. */
export function withPrefix(text: string, prefix: string): string | undefined {
  const decoded = bech32.decodeUnsafe(text.toLowerCase(), longest);
  return decoded ? bech32.encode(prefix, decoded.words, longest) : undefined;
}
