import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { startFolder } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

describe('what the tools say of proposals that spend from the community pool', () => {
  const coins = (...amounts: readonly string[]) => amounts.map((amount, at) => ({ denom: `u${'ab'[at]}`, amount }));
  const spend = (amount: readonly object[]) => ({
    '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
    ...{ authority: 'gov', recipient: addressOf('r'), amount },
  });
  const proposal = (id: string, status: string, ...messages: readonly object[]) => {
    const common = { title: 'T', summary: 'S', total_deposit: [], submit_time: '2026-01-01T00:00:00Z' };
    return { id, status: `PROPOSAL_STATUS_${status}`, messages, ...common };
  };
  const proposals = [
    proposal('1', 'VOTING_PERIOD', spend(coins('60', '5'))),
    // Each spend could be paid alone.
    proposal('2', 'DEPOSIT_PERIOD', spend(coins('60')), spend(coins('50'))),
    proposal('3', 'VOTING_PERIOD', spend(coins('100'))),
    proposal('4', 'VOTING_PERIOD', spend([])),
    proposal('5', 'PASSED', spend(coins('900'))),
  ];
  const folder = startFolder('pool');
  const askOf = async (distribution: object | undefined, ids: readonly string[]) => {
    const file = join(folder.path, 'state.json');
    const gov = { proposals, params: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' } };
    writeFileSync(file, JSON.stringify({ chain_id: 'pool-1', app_state: { gov, distribution } }));
    const { ask, dispose } = startToolHost([pathToFileURL(file).href]);
    const { proposals: rows } = await ask('list_proposals', { fields: 'spends', sort: 'oldest' });
    const single = await Promise.all(ids.map((id) => ask('get_proposal', { id, fields: 'contents' })));
    await dispose();
    return { rows, single };
  };
  const pool = { fee_pool: { community_pool: [{ denom: 'ua', amount: '100.900000000000000000' }] } };
  after(() => folder.dispose());

  it('is what the pool lacks for all spends of an open one together', async () => {
    const { rows, single } = await askOf(pool, ['1', '2', '3', '4', '5']);
    const lacks = [
      [{ amount: '5', untrusted_denom: 'ub' }],
      [{ amount: '10', untrusted_denom: 'ua' }],
      ...[undefined, undefined, undefined],
    ];
    assert.deepEqual(valueAt(rows, '*.community_pool_lacks'), lacks);
    assert.deepEqual(valueAt(single, '*.community_pool_lacks'), lacks);
  });

  it('is that an empty list of amounts pays nothing', async () => {
    const { rows, single } = await askOf(pool, ['4', '3']);
    const note = 'the list of amounts is empty: nothing is paid';
    assert.deepEqual(valueAt(rows, '*.spends.0.note'), [undefined, undefined, undefined, note, undefined]);
    assert.deepEqual(valueAt(single, '*.contents.0.spends.0.note'), [note, undefined]);
  });

  it('is that it is not known where the source has no pool', async () => {
    const { rows, single } = await askOf(undefined, ['1', '5']);
    assert.deepEqual(valueAt(rows, '*.community_pool_lacks'), [null, null, null, undefined, undefined]);
    assert.deepEqual(valueAt(single, '*.community_pool_lacks'), [null, undefined]);
    assert.match(String(valueAt(single, '0.unknown.community_pool_lacks')), /does not report its community pool/);
  });
});
