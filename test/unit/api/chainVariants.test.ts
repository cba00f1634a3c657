import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { idKey } from '../../../src/api/pages.ts';
import { notImplemented, refusal } from '../../support/chainReplies.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';
import { formOf, idsOf } from './allRows.ts';

const missing: FixedReply = { status: 404, body: '{"code":5,"message":"not found","details":[]}' };
const supply = { supply: [{ denom: 'ua', amount: '1' }], pagination: { next_key: null, total: '0' } };
const v1 = { id: '7', messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD', title: 'T', summary: 'S' };
const v1beta1 = { proposal_id: '7', content: null, status: 'PROPOSAL_STATUS_VOTING_PERIOD' };
const sdkPool = { pool: { bonded_tokens: '900', not_bonded_tokens: '1' } };

/** Chains as docs/governance.md describes them, made up here; no node was held against them. */
describe('chains with modules of their own', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A node that answers these paths, and 501 to all others. */
  async function open(replies: Readonly<Record<string, object | FixedReply>>, segment?: string) {
    const service = await startReplies(({ pathname }) => {
      const reply = replies[pathname];
      if (reply === undefined) return notImplemented;
      return 'status' in reply || 'body' in reply ? reply : { body: JSON.stringify(reply) };
    });
    const node: ChainNode = openNode({ baseUrl: parseBaseUrl(service.url), segment });
    ends.push(
      () => service.stop(),
      () => node.dispose(),
    );
    return { node, requests: service.requests };
  }

  it('SDK 0.53 with x/protocolpool: x/distribution has no community pool', async () => {
    const sentence = 'external community pool is enabled - use the CommunityPool query exposed by it: invalid request';
    const { node } = await open({
      '/cosmos/bank/v1beta1/supply': supply,
      '/cosmos/distribution/v1beta1/community_pool': refusal(500, 2, sentence),
    });
    assert.deepEqual(await node.communityPool(), []);
  });

  it('AtomOne up to v3: gov lies under /atomone, everything else under /cosmos', async () => {
    const params = { quorum: '0.25', burn_deposit_no_threshold: '0.8', quorum_range: { min: '0.1', max: '0.5' } };
    const { node, requests } = await open({
      '/cosmos/bank/v1beta1/supply': supply,
      '/cosmos/staking/v1beta1/pool': sdkPool,
      '/atomone/gov/v1/proposals': { proposals: [v1], pagination: { next_key: null } },
      '/atomone/gov/v1/proposals/7': { proposal: v1 },
      '/atomone/gov/v1/proposals/7/tally': { tally: { yes_count: '3', abstain_count: '0', no_count: '2' } },
      '/atomone/gov/v1/params/tallying': { params },
      '/atomone/gov/v1/quorums': { quorum: '0.3', law_quorum: '0.31', constitution_amendment_quorum: '0.32' },
    });
    assert.deepEqual(idsOf((await node.proposals({}, { limit: 5 })).rows), ['7']);
    assert.equal(formOf(await node.proposal(7n)), 'v1');
    assert.deepEqual(await node.tally(7n), { yes: 3n, abstain: 0n, no: 2n, noWithVeto: 0n });
    const reply = await node.govParams();
    assert.deepEqual(reply?.v1, params);
    assert.equal(reply?.quorums?.law_quorum, '0.31');
    assert.deepEqual([node.dialect.segment, node.dialect.govSegment, node.dialect.gov], ['cosmos', 'atomone', 'v1']);
    const before = requests.length;
    await node.proposals({}, { limit: 6 });
    assert.deepEqual(requests.slice(before), ['/atomone/gov/v1/proposals?pagination.limit=6']);
  });

  it('Initia: the tally with its own denominators, stake under /initia/mstaking, params with its own', async () => {
    const tally = { yes_count: '3', abstain_count: '0', no_count: '2', no_with_veto_count: '1' };
    const { node } = await open({
      '/cosmos/bank/v1beta1/supply': supply,
      '/cosmos/gov/v1/proposals': { proposals: [v1], pagination: { next_key: null } },
      '/cosmos/gov/v1/proposals/7/tally': { tally },
      '/cosmos/gov/v1/params/tallying': { params: { quorum: '0.33' } },
      '/initia/gov/v1/proposals/7/tally': {
        tally_result: {
          tally_height: '9',
          total_staking_power: '100',
          total_vesting_power: '5.500000000000000000',
          v1_tally_result: tally,
        },
      },
      '/initia/gov/v1/params': { params: { quorum: '0.33', emergency_min_deposit: [] } },
      '/initia/mstaking/v1/pool': {
        pool: {
          bonded_tokens: [
            { denom: 'ui', amount: '5' },
            { denom: 'lp', amount: '6' },
          ],
        },
      },
    });
    assert.deepEqual(await node.votingPower(), { module: 'mstaking', total: undefined });
    assert.deepEqual(await node.tally(7n), { yes: 3n, abstain: 0n, no: 2n, noWithVeto: 1n, power: 105n });
    assert.deepEqual((await node.govParams())?.v1, { quorum: '0.33', emergency_min_deposit: [] });
  });

  it('proof of authority: the power of all validators', async () => {
    const { node, requests } = await open({ '/cosmos/poa/v1/total_power': { total_power: '300' } }, 'cosmos');
    for (let turn = 0; turn < 2; turn++) {
      assert.deepEqual(await node.votingPower(), { module: 'poa', total: 300n });
    }
    assert.equal(requests.length, 4);
  });

  it('Sei: only v1beta1, with expedited proposals', async () => {
    const { node } = await open({
      '/cosmos/bank/v1beta1/supply': supply,
      '/cosmos/gov/v1beta1/proposals': { proposals: [{ ...v1beta1, is_expedited: true }], pagination: null },
    });
    const [row] = (await node.proposals({}, { limit: 5 })).rows;
    assert.ok(row?.kind === 'proposal' && row.expedited);
    assert.equal(node.dialect.gov, 'v1beta1');
  });

  it('without gov: empty lists and a code, not a failure; found out once', async () => {
    const { node, requests } = await open({ '/cosmos/bank/v1beta1/supply': supply });
    assert.deepEqual((await node.proposals({}, { limit: 5 })).rows, []);
    assert.equal(node.dialect.gov, 'none');
    await assert.rejects(node.proposal(7n), { kind: 'module', module: 'gov' });
    assert.deepEqual([await node.tally(7n), await node.govParams()], [undefined, undefined]);
    const before = requests.length;
    await node.proposals({}, { limit: 5 });
    assert.equal(requests.length, before);
  });

  it('a service that answers nothing at all is not taken for a chain without gov', async () => {
    const { node } = await open({}, 'cosmos');
    await assert.rejects(node.proposals({}, { limit: 5 }), { kind: 'http', status: 501 });
    assert.equal(node.dialect.gov, undefined);
  });

  it('a service under /chain that answers unknown paths with a page is asked in v1beta1', async () => {
    const service = await startReplies(({ pathname }) =>
      pathname.startsWith('/chain/gov/v1beta1/proposals') || pathname.endsWith('/supply')
        ? { body: JSON.stringify({ ...supply, proposals: [v1beta1] }) }
        : { body: '<!doctype html><title>Home</title>' },
    );
    const node = openNode({ baseUrl: parseBaseUrl(service.url) });
    ends.push(
      () => service.stop(),
      () => node.dispose(),
    );
    assert.deepEqual(idsOf((await node.proposals({}, { limit: 5 })).rows), ['7']);
    assert.equal(node.dialect.gov, 'v1beta1');
  });

  for (const [what, body] of [
    ['a web page', '<!doctype html><title>Starting</title>'],
    ['JSON that is not the contract', '{"status":"starting"}'],
  ] as const) {
    it(`${what} in place of v1beta1, on a node without gov v1, is an error that passes, not a chain without gov`, async () => {
      const replies: Record<string, object> = {
        '/cosmos/bank/v1beta1/supply': supply,
        '/cosmos/gov/v1beta1/proposals': { body },
      };
      const { node } = await open(replies);
      await assert.rejects(node.proposals({}, { limit: 5 }), { kind: 'reply' });
      await assert.rejects(node.tally(7n), { kind: 'reply' });
      assert.equal(node.dialect.gov, undefined);
      replies['/cosmos/gov/v1beta1/proposals'] = { proposals: [v1beta1], pagination: null };
      assert.deepEqual(idsOf((await node.proposals({}, { limit: 5 })).rows), ['7']);
      assert.equal(node.dialect.gov, 'v1beta1');
    });

    it(`${what} under a segment of another chain is no error, and is not remembered`, async () => {
      const replies: Record<string, object> = {
        '/cosmos/bank/v1beta1/supply': supply,
        '/atomone/gov/v1/proposals': { body },
      };
      const { node } = await open(replies);
      assert.deepEqual((await node.proposals({}, { limit: 5 })).rows, []);
      assert.equal(node.dialect.gov, undefined);
      replies['/atomone/gov/v1/proposals'] = { proposals: [v1], pagination: null };
      assert.deepEqual(idsOf((await node.proposals({}, { limit: 5 })).rows), ['7']);
    });
  }

  it('falls back from v1beta1 to gov v1 when the node loses the former, and back', async () => {
    const replies: Record<string, object> = {
      '/cosmos/bank/v1beta1/supply': supply,
      '/cosmos/gov/v1beta1/proposals': { proposals: [v1beta1], pagination: null },
    };
    const { node } = await open(replies);
    await node.proposals({}, { limit: 5 });
    assert.equal(node.dialect.gov, 'v1beta1');
    delete replies['/cosmos/gov/v1beta1/proposals'];
    replies['/cosmos/gov/v1/proposals'] = { proposals: [v1], pagination: null };
    assert.equal(formOf((await node.proposals({}, { limit: 5 })).rows[0]), 'v1');
    assert.equal(node.dialect.gov, 'v1');
  });

  it('a tally whose fields are not understood is not offered, never zero', async () => {
    const { node } = await open({
      '/cosmos/bank/v1beta1/supply': supply,
      '/cosmos/staking/v1beta1/pool': sdkPool,
      '/cosmos/gov/v1/proposals': { proposals: [v1], pagination: null },
      '/cosmos/gov/v1/proposals/7/tally': { tally: { option_one_count: '5' } },
    });
    assert.equal(await node.tally(7n), undefined);
  });

  it('current parameters come from the module itself, wherever it lies', async () => {
    const { node, requests } = await open(
      {
        '/cosmos/staking/v1beta1/params': { params: { bond_denom: 'ua', unbonding_time: '1814400s' } },
        '/ibc/apps/transfer/v1/params': { params: { send_enabled: true } },
        '/cosmwasm/wasm/v1/codes/params': { params: { instantiate_default_permission: 'Everybody' } },
        '/osmosis/pool-incentives/v1beta1/params': { params: { minted_denom: 'uosmo' } },
        '/cosmos/params/v1beta1/params': { param: { subspace: 's', key: 'k', value: '' } },
      },
      'cosmos',
    );
    assert.equal((await node.moduleParams('cosmos.staking.v1beta1'))?.bond_denom, 'ua');
    assert.equal((await node.moduleParams('ibc.applications.transfer.v1'))?.send_enabled, true);
    assert.equal((await node.moduleParams('cosmwasm.wasm.v1'))?.instantiate_default_permission, 'Everybody');
    assert.equal((await node.moduleParams('osmosis.poolincentives.v1beta1'))?.minted_denom, 'uosmo');
    assert.equal(await node.param('staking', 'BondDenom'), '"ua"');
    assert.equal(await node.param('crisis', 'ConstantFee'), undefined);
    for (let turn = 0; turn < 2; turn++) assert.equal(await node.moduleParams('other.module.v1'), undefined);
    assert.equal(requests.filter((path) => path.startsWith('/other/')).length, 1);
    for (const bad of ['..', 'a', 'a/../b.c', 'cosmos..x']) assert.equal(await node.moduleParams(bad), undefined);
  });

  it('IBC denoms are resolved in the new and in the old form', async () => {
    // SHA-256 of transfer/channel-0/transfer/channel-141/uatom, and of transfer/channel-0/uatom.
    const hash = '2272FCA362305E12B9C92687D32FCBDDDC56BAC0A33FDB28B8705D9D838D59E8';
    const other = '27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';
    const path = 'transfer/channel-0/transfer/channel-141';
    const old = await open({
      [`/ibc/apps/transfer/v1/denom_traces/${hash}`]: { denom_trace: { path, base_denom: 'uatom' } },
    });
    assert.deepEqual(await old.node.ibcDenom(hash), { path, base: 'uatom' });
    const trace = ['channel-0', 'channel-141'].map((channel_id) => ({ port_id: 'transfer', channel_id }));
    const young = await open({
      [`/ibc/apps/transfer/v1/denoms/${hash}`]: { denom: { base: 'uatom', trace } },
      [`/ibc/apps/transfer/v1/denoms/${other}`]: { denom: { base: 'uatom', trace } },
      [`/ibc/apps/transfer/v1/denoms/${'B'.repeat(64)}`]: missing,
    });
    assert.deepEqual(await young.node.ibcDenom(hash), { path, base: 'uatom' });
    assert.equal(await young.node.ibcDenom(other), undefined, 'not what it is the hash of');
    assert.equal(await young.node.ibcDenom('B'.repeat(64)), undefined);
    assert.equal(await (await open({})).node.ibcDenom(hash), undefined);
  });

  it('blocks and plans are read as they come', async () => {
    const block = { block: { header: { chain_id: 'c-1', height: '12', time: '2026-01-02T03:04:05.123456789Z' } } };
    const { node } = await open(
      {
        '/cosmos/base/tendermint/v1beta1/blocks/latest': block,
        '/cosmos/upgrade/v1beta1/applied_plan/v2': { height: '80' },
      },
      'cosmos',
    );
    assert.equal((await node.block('latest'))?.height, 12n);
    assert.equal(await node.appliedHeight('v2'), 80n);
    assert.equal(await node.block(9n), undefined);
  });

  it('a malformed row of a list hides no other row', async () => {
    const rows = [v1, { ...v1, id: '8', final_tally_result: { yes_count: '12.5' } }, 'x', { ...v1, id: '9' }];
    const { node } = await open({
      '/cosmos/bank/v1beta1/supply': supply,
      '/cosmos/gov/v1/proposals': { proposals: rows, pagination: { next_key: idKey(10n) } },
    });
    const page = await node.proposals({}, { limit: 4 });
    assert.deepEqual(
      page.rows.map((row) => (row.kind === 'unreadable' ? row.reason : row.faults.map(({ field }) => field).join())),
      ['', 'final_tally_result', ''],
    );
    assert.deepEqual(page.info.faults, [{ row: 2, reason: 'expected an object, got "x"' }]);
    assert.equal(page.nextKey, idKey(10n));
  });
});
