import { createHash } from 'node:crypto';
import { toBech32 } from './bech32.ts';

const prefix = 'sample';
const hash = (text: string) => createHash('sha256').update(text).digest();

/** A person's account on the sample chain, made from a name; nobody has its key. */
export const accountAddress = (name: string) => toBech32(prefix, hash(`account/${name}`).subarray(0, 20));

/** The operator address of the same person as a validator: the same bytes, another prefix (SDK types/address.go). */
export const validatorAddress = (name: string) => toBech32(`${prefix}valoper`, hash(`account/${name}`).subarray(0, 20));

/** The account of a module: the first 20 bytes of the SHA-256 of its name (SDK x/auth/types, NewModuleAddress). */
export const moduleAddress = (name: string) => toBech32(prefix, hash(name).subarray(0, 20));

/** A contract: 32 bytes. */
export const contractAddress = (name: string) => toBech32(prefix, hash(`contract/${name}`));

/** 64 hexadecimal digits, upper case, as in `ibc/…`. */
export const upperHash = (text: string) => hash(text).toString('hex').toUpperCase();

/** 40 hexadecimal digits, as in `0x…`. */
export const hexAddress = (text: string) => hash(text).subarray(0, 20).toString('hex');

/** 32 bytes as base64, for keys and code hashes. */
export const base64Hash = (text: string) => hash(text).toString('base64');
