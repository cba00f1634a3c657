import assert from 'node:assert/strict';
import { chainAccountOf } from '../../../src/code/chainAccounts.ts';
import { toBech32 } from '../../fixtures/addresses.ts';

describe('an account of a chain itself', () => {
  it('is named by the module that its address is made of', () => {
    const gov = chainAccountOf('cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn');
    assert.deepEqual(gov, { kind: 'module', name: 'gov' });
  });

  it('is named on every chain', () => {
    const bonded = chainAccountOf('osmo1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3aq6l09');
    assert.deepEqual(bonded, { kind: 'module', name: 'bonded_tokens_pool' });
  });

  it('is the escrow of a channel', () => {
    const escrow = chainAccountOf('cosmos1x54ltnyg88k0ejmk8ytwrhd3ltm84xehrnlslf');
    assert.deepEqual(escrow, { kind: 'escrow', channel: 'channel-141' });
  });

  it('is none of other bytes, and no text that is no address', () => {
    assert.equal(chainAccountOf(toBech32('cosmos', new Uint8Array(20).fill(7))), undefined);
    assert.equal(chainAccountOf('cosmos1no'), undefined);
  });
});
