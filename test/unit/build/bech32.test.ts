import assert from 'node:assert/strict';
import { toBech32 } from '../../../src/build/bech32.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

describe('toBech32', () => {
  it('agrees with the vector of BIP 173 that runs through the alphabet', () => {
    const expected = 'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw';
    assert.equal(toBech32('abcdef', bytes('00443214c74254b635cf84653a56d7c675be77df')), expected);
  });

  it('agrees with the well-known address of the gov module', () => {
    const expected = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn';
    assert.equal(toBech32('cosmos', bytes('7b5fe22b5446f7c62ea27b8bd71cef94e03f3df2')), expected);
  });

  it('fills up the last group of bits', () => {
    assert.match(toBech32('sample', bytes('ff'.repeat(32))), /^sample1l{51}[02-9ac-hj-np-z]{7}$/);
  });
});
