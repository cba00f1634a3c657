import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import sampleChain from '../../../media/sampleChain.json' with { type: 'json' };
import { sampleFile } from '../../support/folders.ts';
import { startSampleNode } from '../../support/nodes.ts';

describe('the parameters of IBC and CosmWasm in a state', () => {
  const { ibc, interchainaccounts, wasm } = sampleChain.app_state;
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());

  it('are answered at the paths of their packages', async () => {
    for (const [name, params] of [
      ['ibc.core.client.v1', ibc.client_genesis.params],
      ['ibc.applications.interchain_accounts.host.v1', interchainaccounts.host_genesis_state.params],
      ['cosmwasm.wasm.v1', wasm.params],
    ] as const)
      assert.deepEqual(await sample.node.moduleParams(name), params, name);
  });

  it('have accesses in the form in which nodes write them (AccessType.String, x/wasm/types/params.go of wasmd)', () => {
    const text = readFileSync(sampleFile, 'utf8');
    const found = [...text.matchAll(/"permission":"(\w+)"/g)].map(([, access]) => access);
    assert.deepEqual(new Set(found), new Set(['Everybody', 'AnyOfAddresses']));
  });
});
