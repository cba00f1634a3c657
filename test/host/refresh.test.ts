import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { chainReplies } from '../support/chainReplies.ts';
import { activateExtension, type HostApi, pollUntil, showSource, treeText } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

describe('Refresh of a list of which more exists than is loaded', () => {
  let api: HostApi;
  before(async () => {
    api = await activateExtension();
  });
  after(() => showSource(api, undefined));

  /** A node with `now.tokens` bonded tokens, which are all of its staking denom. Its lists never end, and name no staking denom. */
  async function startEndless() {
    const now = { tokens: '100' };
    let pages = 0;
    const validator = {
      operator_address: 'cosmosvaloper1x',
      description: { moniker: 'Mill' },
      status: 'BOND_STATUS_BONDED',
      tokens: '50',
    };
    const service = await startReplies((url) => {
      const pagination = { next_key: `${pages++}AAA` };
      return chainReplies({
        supply: [{ denom: 'stake', amount: now.tokens }],
        pool: { bonded_tokens: now.tokens, not_bonded_tokens: '0' },
        paths: {
          '/cosmos/bank/v1beta1/supply': { supply: [{ denom: 'aaa', amount: '1' }], pagination },
          '/cosmos/staking/v1beta1/params': { params: { bond_denom: 'stake' } },
          '/cosmos/staking/v1beta1/validators': { validators: [validator], pagination },
        },
      })(url);
    });
    return { now, service };
  }

  it('renews the row of the staking denom and the shares of validators', async () => {
    const { now, service } = await startEndless();
    try {
      const { lists } = await showSource(api, service.url);
      const supply = () => treeText(api.trees.supply);
      const validators = () => treeText(api.trees.validators);
      await pollUntil('the first supply', supply, (text) => text.startsWith('stake | 100\n'));
      await pollUntil('the first share', validators, (text) => /^Mill \| 50\.00 %/.test(text));
      assert.ok(lists.supply.pager.hasMore && lists.validators.pager.hasMore);
      now.tokens = '1000';
      for (const list of ['Supply', 'Validators'])
        await vscode.commands.executeCommand(`chainInspector.refresh${list}`);
      await pollUntil('the new supply', supply, (text) => text.startsWith('stake | 1,000\n'));
      await pollUntil('the new share', validators, (text) => /^Mill \| 5\.00 %/.test(text));
    } finally {
      await service.stop();
    }
  });
});
