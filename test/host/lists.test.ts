import { strict as assert } from 'node:assert';
import { chainReplies, notImplemented } from '../support/chainReplies.ts';
import { activateExtension, type HostApi, showSource, treeText } from '../support/hostApi.ts';
import { type FixedReply, startReplies } from '../support/servers.ts';

const supplyOf = (coins: readonly unknown[], nextKey: string | null = null): FixedReply => ({
  body: JSON.stringify({ supply: coins, pagination: { next_key: nextKey, total: '0' } }),
});

describe('lists of nodes that do not follow the contract', () => {
  let api: HostApi;
  const ends: (() => Promise<void>)[] = [];
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    await showSource(api, undefined);
    for (const end of ends) await end();
  });

  async function show(reply: (url: URL) => FixedReply) {
    const service = await startReplies(reply);
    ends.push(() => service.stop());
    const session = await showSource(api, `${service.url}/cosmos`);
    return { service, session };
  }

  it('show a coin that cannot be read as such, and all the others', async () => {
    const { session } = await show(({ pathname }) =>
      pathname.endsWith('/supply')
        ? supplyOf([
            { denom: 'ua', amount: '12' },
            { denom: 'ub', amount: '12.5' },
            { denom: 'uc', amount: '13' },
          ])
        : notImplemented,
    );
    await session.lists.supply.pager.loadMore();
    assert.deepEqual((await treeText(api.trees.supply)).split('\n'), ['ua | 12', 'uc | 13', 'ub | Unreadable']);
    const nodes = await api.trees.supply.getChildren();
    const last = nodes.at(-1);
    const tooltip = last && (await api.trees.supply.getTreeItem(last)).tooltip;
    assert.match(JSON.stringify(tooltip), /amount: expected a string of 1 to 100 digits, got .{1,3}12\.5/);
  });

  it('pause after twenty pages without a new row, and continue when asked', async () => {
    let page = 0;
    const { service, session } = await show(({ pathname }) =>
      pathname.endsWith('/supply') ? supplyOf([{ denom: 'ua', amount: '1' }], `${page++}AAA`) : notImplemented,
    );
    // The first page is also what tells the segment of the node.
    const asked = () => service.requests.filter((path) => /\/supply\?.*pagination\.key=/.test(path)).length;
    const last = async () => (await treeText(api.trees.supply)).split('\n').at(-1);
    assert.equal(await last(), 'Continue | No new rows in the last 20 pages');
    assert.equal(asked(), 20);
    await session.lists.supply.pager.refresh();
    assert.equal(asked(), 20);
    await session.lists.supply.pager.loadMore();
    assert.equal(asked(), 40);
    assert.equal(await last(), 'Continue | No new rows in the last 20 pages');
  });

  it('say what an empty one has none of', async () => {
    const { session } = await show(({ pathname }) => (pathname.endsWith('/supply') ? supplyOf([]) : notImplemented));
    await session.lists.supply.pager.loadMore();
    assert.equal(await treeText(api.trees.supply), 'No denoms');
  });

  it('say that a chain has no governance module', async () => {
    const { service, session } = await show(({ pathname }) =>
      pathname.endsWith('/supply') ? supplyOf([{ denom: 'ua', amount: '1' }]) : notImplemented,
    );
    await session.lists.proposals.pager('voting').loadMore();
    assert.equal(await treeText(api.trees.proposals), 'This chain has no governance module');
    const asked = () => service.requests.filter((path) => path.includes('/gov/')).length;
    const before = asked();
    await session.lists.proposals.pager('passed').loadMore();
    assert.equal(asked(), before);
  });

  it('call a proposal without messages a text in its hover', async () => {
    const status = 'PROPOSAL_STATUS_PASSED';
    const proposals = [{ id: '7', title: 'Thank the miller', status, messages: [] }];
    const { session } = await show(chainReplies({ supply: [], proposals }));
    const { proposals: list } = session.lists;
    await list.pager('passed').loadMore();
    const tree = api.trees.proposals;
    await treeText(tree, (label) => label === 'Passed');
    const groups = await tree.getChildren();
    const rows = await Promise.all(groups.map((group) => tree.getChildren(group)));
    const items = await Promise.all(
      rows.flat().map(async (row) => tree.resolveTreeItem(await tree.getTreeItem(row), row)),
    );
    const hovers = items.map(({ tooltip }) => String(tooltip));
    assert.match(hovers.find((text) => text.includes('Thank the miller')) ?? '', /^Passed · Text$/m);
    assert.doesNotMatch(hovers.join('\n'), /no content/);
  });
});
