import { escrowAddressBytes, sha256 } from '../api/hashes.ts';
import { accountBeside } from '../chain/address.ts';

/** An account that no person holds: that of a module, or the escrow of an IBC channel. */
export type ChainAccount =
  | { readonly kind: 'module'; readonly name: string }
  | { readonly kind: 'escrow'; readonly channel: string };

/**
 * Names in `NewModuleAddress` of the SDK (x/auth/types/account.go) and of ibc-go. Such an address depends only on the
 * name.
 */
const modules = [
  'bonded_tokens_pool',
  'distribution',
  'fee_collector',
  'feeibc',
  'gov',
  'interchainaccounts',
  'mint',
  'nft',
  'not_bonded_tokens_pool',
  'protocolpool',
  'protocolpool_escrow',
  'transfer',
];

/** Escrow accounts are known for channels below this number. */
const channels = 1000;

/** The module or escrow behind an address, proved by hashing. Undefined for any other account. */
export function chainAccountOf(address: string): ChainAccount | undefined {
  const name = modules.find((one) => accountBeside(address, sha256(one).subarray(0, 20)) === address);
  if (name !== undefined) return { kind: 'module', name };
  for (let number = 0; number < channels; number += 1) {
    const channel = `channel-${number}`;
    if (accountBeside(address, escrowAddressBytes(`transfer/${channel}`)) === address)
      return { kind: 'escrow', channel };
  }
  return undefined;
}
