import { bech32 } from '@scure/base';

/** Bytes as an address: `toBech32('cosmos', twentyBytes)` → `cosmos1…`. */
export function toBech32(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), 1023);
}

/** An account of the sample chain that votes and deposits. */
export const sampleVoter = 'sample1hu6dud0xzugrtt35zc4xv2vp3us0gjyk7yj84m';

/** The same bytes as the operator of a validator. */
export const sampleOperator = 'samplevaloper1hu6dud0xzugrtt35zc4xv2vp3us0gjykrsw47l';
