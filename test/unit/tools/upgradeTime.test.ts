import assert from 'node:assert/strict';
import { valueAt } from '../../fixtures/questions.ts';
import { chainReplies } from '../../support/chainReplies.ts';
import { startReplies } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

describe('the expected time of an upgrade', () => {
  const plan = { name: 'v2', height: '60000', info: '' };
  const message = { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority: 'gov', plan };
  const proposal = { id: '1', status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', messages: [message], title: 'T', summary: '' };
  const block = (height: number, time: string) => ({
    block: { header: { chain_id: 'c-1', height: `${height}`, time } },
  });
  const blocks = '/cosmos/base/tendermint/v1beta1/blocks';
  const params = { '/cosmos/mint/v1beta1/params': { params: { blocks_per_year: '5259600' } } };

  const upgradeOf = async (paths: Readonly<Record<string, object>>, input: object = {}) => {
    const replies = chainReplies({ proposals: [proposal], paths: { ...params, ...paths } });
    const headers = { 'grpc-metadata-x-cosmos-block-height': '50000' };
    const node = await startReplies((url) => ({ ...replies(url), headers }));
    const { ask, dispose } = startToolHost([node.url]);
    const answer = await ask('get_proposal', { id: 1, fields: 'contents', ...input });
    await dispose();
    await node.stop();
    return Object(valueAt(answer, 'contents.0'));
  };

  it('is counted from the last block, with the pace that it rests on', async () => {
    const last = block(50_000, '2026-01-01T00:10:00Z');
    const found = await upgradeOf({
      [`${blocks}/latest`]: last,
      [`${blocks}/50000`]: last,
      [`${blocks}/40000`]: block(40_000, '2025-12-31T05:10:00Z'),
    });
    assert.equal(found.expected_time, '2026-01-01T19:10:00.000Z');
    assert.equal(found.expected_by, '6.84 s per block, measured over the last 10000 blocks');
  });

  it('says where it is counted from the clock of this machine, since the node shows no block', async () => {
    const before = Date.now();
    const found = await upgradeOf({});
    const seconds = (Date.parse(found.expected_time) - before) / 1000;
    assert.ok(seconds >= 60_000 && seconds < 60_060, `${seconds}`);
    assert.equal(
      found.expected_by,
      "6.00 s per block, from the mint parameters, based on this machine's clock because the node provides no blocks",
    );
  });

  it('is not known for a height of the past of which the node shows no block', async () => {
    const found = await upgradeOf({}, { height: 50_000 });
    assert.deepEqual([found.upgrade_height, found.expected_time], ['60000', undefined]);
  });
});
