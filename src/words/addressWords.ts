import type { AddressFault } from '../chain/address.ts';
import type { Translate } from './language.ts';

/** Why an address cannot be taken, in one sentence. */
export function addressFaultText(fault: AddressFault, t: Translate): string {
  if (fault.kind === 'character') return t('Not an address: character {0} is not allowed', fault.at + 1);
  if (fault.kind === 'prefix')
    return fault.role
      ? t('This address ({0}1…) is not one of an account: {1}1… is needed', fault.found, fault.expected)
      : t('Of another chain ({0}1…): addresses of this chain begin with {1}1', fault.found, fault.expected);
  return {
    empty: t('Type or paste an account address'),
    hex: t('This is a hexadecimal address: the chain takes the one with letters, such as cosmos1…'),
    length: t('Not an address yet: too short, or too long'),
    mixedCase: t('Not an address: upper and lower case are mixed'),
    separator: t('Not an address: a prefix and 1 are missing'),
    checksum: t('The checksum is wrong: a character is mistyped or missing'),
    bytes: t('Not an address: its length is not a whole number of bytes'),
  }[fault.kind];
}
