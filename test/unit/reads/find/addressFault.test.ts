import { strict as assert } from 'node:assert';
import { addressFault } from '../../../../src/chain/address.ts';
import type { Proposal } from '../../../../src/chain/gov/proposal.ts';
import { ownPrefix } from '../../../../src/session/registry.ts';
import { toBech32 } from '../../../fixtures/addresses.ts';
import { startSampleNode } from '../../../support/nodes.ts';

const bytes = new Uint8Array(20).fill(7);
const cosmos = toBech32('cosmos', bytes);

describe('the check of an address', () => {
  it('takes accounts of this chain, and of any where the prefix is not known', () => {
    assert.equal(addressFault(cosmos, 'cosmos'), undefined);
    assert.equal(addressFault(cosmos, undefined), undefined);
    assert.equal(addressFault(cosmos.toUpperCase(), 'cosmos'), undefined);
  });

  it('says why it refuses', () => {
    const faults: readonly (readonly [string, string | undefined, unknown])[] = [
      ['', undefined, { kind: 'empty' }],
      ['0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B', undefined, { kind: 'hex' }],
      [cosmos.slice(0, -1), 'cosmos', { kind: 'checksum' }],
      [cosmos, 'osmo', { kind: 'prefix', found: 'cosmos', expected: 'osmo', role: false }],
      [
        toBech32('cosmosvaloper', bytes),
        'cosmos',
        { kind: 'prefix', found: 'cosmosvaloper', expected: 'cosmos', role: true },
      ],
      [
        toBech32('cosmosvaloper', bytes),
        undefined,
        { kind: 'prefix', found: 'cosmosvaloper', expected: 'cosmos', role: true },
      ],
    ];
    for (const [text, prefix, fault] of faults) assert.deepEqual(addressFault(text, prefix), fault, text);
  });
});

describe('the prefix of a chain', () => {
  it('is that of who proposed or has authority, never one that a text names', async () => {
    const sample = await startSampleNode();
    try {
      const { rows } = await sample.node.proposals({}, { limit: 1 });
      const [row] = rows;
      assert.ok(row?.kind === 'proposal');
      const bare: Proposal = { ...row, contents: [], proposer: undefined, description: `Send it to ${cosmos}` };
      assert.equal(ownPrefix([bare]), undefined);
      assert.equal(ownPrefix([bare, { ...bare, proposer: toBech32('osmo', bytes) }]), 'osmo');
      assert.equal(ownPrefix([{ ...bare, proposer: toBech32('osmovaloper', bytes) }]), 'osmo');
      assert.equal(ownPrefix([{ ...bare, proposer: 'osmo1nonsense' }]), undefined);
    } finally {
      await sample.dispose();
    }
  });
});
