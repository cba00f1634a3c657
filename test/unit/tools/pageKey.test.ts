import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { stateFileOf } from '../../node/recording.ts';
import { notImplemented } from '../../support/chainReplies.ts';
import { startReplies } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

describe('the key of a list', () => {
  const state = pathToFileURL(stateFileOf('0.53.8')).href;
  const { ask, dispose } = startToolHost(['', state]);
  after(dispose);

  const keyOf = async (name: string, input: object) => {
    const key = valueAt(await ask(name, input), 'metadata.next_key');
    assert.ok(typeof key === 'string');
    return key;
  };
  const idsOf = async (input: object) => valueAt(await ask('list_proposals', input), 'proposals.*.id');

  it('goes on with other limits and fields, however the source is named', async () => {
    const key = await keyOf('list_proposals', { limit: 3 });
    const all = await idsOf({ limit: 9 });
    assert.ok(Array.isArray(all));
    assert.deepEqual(await idsOf({ key, limit: 6, fields: 'status', source: 'sample chain' }), all.slice(3));
  });

  it('is refused with another source, filter or tool, with a sentence that says so', async () => {
    const key = await keyOf('list_proposals', { limit: 3 });
    for (const [name, input] of [
      ['list_proposals', { source: state }],
      ['list_proposals', { status: 'passed' }],
      ['list_proposals', { sort: 'oldest' }],
      ['list_validators', {}],
      ['get_supply', {}],
      ['compare_sources', { left: 'Sample chain', right: state }],
    ] as const)
      await assert.rejects(ask(name, { ...input, key }), {
        kind: 'input',
        message: /"key" is from a different call\. Use it only with (\w+), with the same source and filters as in/,
      });
  });

  it('is refused where it was changed', async () => {
    const key = await keyOf('list_proposals', { status: 'voting', limit: 3 });
    const [seal] = key.split('.');
    const beyond = `${seal}.${Buffer.from('900.').toString('base64url')}`;
    await assert.rejects(ask('list_proposals', { status: 'voting', key: beyond }), /is from a different call/);
    await assert.rejects(ask('list_proposals', { status: 'voting', key: '3.' }), /must be the "next_key"/);
  });

  it('is refused beyond the end of what a list of a node has become', async () => {
    let count = 5;
    const node = await startReplies(({ pathname }) => {
      if (pathname === '/cosmos/bank/v1beta1/supply') return { body: '{"supply":[],"pagination":{}}' };
      if (!pathname.endsWith('/staking/v1beta1/validators')) return notImplemented;
      const validators = Array.from({ length: count }, (_, n) => ({
        operator_address: addressOf(`${n}`, 20, 'cosmosvaloper'),
        tokens: `${n}`,
        status: 'BOND_STATUS_BONDED',
        jailed: false,
        description: { moniker: `${n}` },
      }));
      return { body: JSON.stringify({ validators, pagination: { next_key: null, total: `${count}` } }) };
    });
    const host = startToolHost([node.url]);
    const key = valueAt(await host.ask('list_validators', { limit: 3 }), 'metadata.next_key');
    assert.deepEqual(valueAt(await host.ask('list_validators', { key }), 'validators.*.amount'), ['1', '0']);
    count = 2;
    await assert.rejects(host.ask('list_validators', { key }), /"key" is beyond the end of the list/);
    await host.dispose();
    await node.stop();
  });
});
