import { type Bech32Fault, readBech32 } from '../../chain/bech32.ts';

/** Why an address cannot be one of an account of this chain. */
export type AddressFault =
  | Bech32Fault
  | { readonly kind: 'empty' }
  | { readonly kind: 'hex' }
  /** Another chain's address, or (`role`) one of a validator or a key instead of an account. */
  | { readonly kind: 'prefix'; readonly found: string; readonly expected: string; readonly role: boolean };

const roles = ['valoper', 'valoperpub', 'valcons', 'valconspub', 'pub'];

/**
 * Checks what a voter or depositor filter takes: a bech32 account address, with `prefix` where the chain's is known.
 * A node parses addresses only when it looks at votes, and says then that it failed inside (contract-facts section 3).
 */
export function addressFault(text: string, prefix: string | undefined): AddressFault | undefined {
  if (text === '') return { kind: 'empty' };
  if (/^0x[0-9a-f]*$/i.test(text)) return { kind: 'hex' };
  const read = readBech32(text);
  if ('kind' in read) return read;
  const role = accountPrefix(read.prefix) !== read.prefix;
  const expected = prefix ?? accountPrefix(read.prefix);
  return read.prefix === expected ? undefined : { kind: 'prefix', found: read.prefix, expected, role };
}

/** `cosmosvaloper` → `cosmos`: what stands before the role that the SDK appends (types/address.go). */
export function accountPrefix(prefix: string): string {
  const role = roles.find((end) => prefix.endsWith(end) && prefix.length > end.length);
  return role ? prefix.slice(0, -role.length) : prefix;
}
