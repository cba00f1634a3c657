import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import type { SupplySplit } from '../../../src/chain/supplySplit.ts';
import { readSplit } from '../../../src/reads/readSplit.ts';
import { maxAges } from '../../../src/session/kept.ts';
import { addressOf, type Coins, escrowOf, openChannel, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { startFolder } from '../../support/folders.ts';
import { keptChain, startSampleNode } from '../../support/nodes.ts';
import { Random, runs, seed } from '../../support/random.ts';

const heldBy = (...accounts: readonly (readonly [address: string, ...coins: (readonly [string, bigint])[]])[]) =>
  new Map(accounts.map(([address, ...coins]) => [address, new Map(coins)]));

const [bonded, gov, distribution] = [addressOf('bonded_tokens_pool'), addressOf('gov'), addressOf('distribution')];

const hub: Coins = {
  balances: heldBy(
    [bonded, ['uatom', 580n]],
    [gov, ['uatom', 7n], ['uosmo', 3n]],
    [distribution, ['uatom', 41n]],
    [escrowOf('channel-0'), ['uatom', 30n], ['uosmo', 5n]],
    [escrowOf('channel-1'), ['uatom', 90n]],
    [escrowOf('channel-2'), ['uatom', 1_000n]],
    [addressOf('alice'), ['uatom', 200n], ['uosmo', 9n]],
  ),
  modules: [
    ['gov', gov],
    ['bonded_tokens_pool', bonded],
    ['distribution', distribution],
    ['mint', addressOf('mint')],
  ],
  channels: [
    openChannel('channel-0', 'channel-141'),
    openChannel('channel-1'),
    { ...openChannel('channel-2'), state: 'STATE_CLOSED' },
    { ...openChannel('channel-3'), port_id: 'icahost' },
  ],
  communityPool: '40.999000000000000000',
};

const young = { maxAge: maxAges.screen };

type SplitChain = ReturnType<typeof keptChain>;
type Heights = Parameters<typeof startCoinNode>[1];

async function withNode(
  coins: Parameters<typeof startCoinNode>[0],
  work: (chain: SplitChain, server: Awaited<ReturnType<typeof startCoinNode>>) => Promise<void>,
  heights?: Heights,
  now?: () => number,
): Promise<void> {
  const server = await startCoinNode(coins, heights);
  const node = openNode({ baseUrl: parseBaseUrl(server.url), segment: 'cosmos' });
  try {
    await work(keptChain(node, now), server);
  } finally {
    await node.dispose();
    await server.stop();
  }
}

/** `class name amount` of each row; the rows add up. */
function rowsOf({ rows, supply }: SupplySplit): string[] {
  const sum = rows.reduce((whole, { amount }) => whole + amount, 0n);
  assert.equal(sum, supply);
  return rows.map((row) => `${row.class} ${row.name} ${row.amount}`.replace('  ', ' '));
}

describe('the split of a node', () => {
  it('adds up, at one height, with channels that are open for transfers', () =>
    withNode(hub, async (chain, { seen }) => {
      const split = await readSplit(chain, 'uatom', young);
      assert.deepEqual(rowsOf(split), [
        'module bonded_tokens_pool 580',
        'module distribution 41',
        'module gov 7',
        'escrow transfer/channel-1 90',
        'escrow transfer/channel-0 30',
        'other 1200',
      ]);
      assert.equal(split.rows.find(({ name }) => name === 'transfer/channel-0')?.counterparty, 'transfer/channel-141');
      const { origin, holders, gaps, height, unpinnedReason, distribution } = split;
      assert.deepEqual(
        { origin, holders, gaps, unpinnedReason },
        {
          origin: 'node',
          holders: undefined,
          gaps: [],
          unpinnedReason: undefined,
        },
      );
      assert.deepEqual(distribution, { communityPool: 40n * 10n ** 18n });
      // The first request, and the look for a service, come before the height is known.
      assert.deepEqual([...new Set(seen.slice(1))], [String(height)]);
      assert.equal(await (await chain.node()).largestHolders('uatom', 10), undefined);
    }));

  it('asks each account once for all denoms', () =>
    withNode(hub, async (chain, { requests }) => {
      await readSplit(chain, 'uatom', young);
      const before = requests.length;
      assert.deepEqual(rowsOf(await readSplit(chain, 'uosmo', young)), [
        'module gov 3',
        'escrow transfer/channel-0 5',
        'other 9',
      ]);
      assert.deepEqual(
        requests.slice(before).map((path) => path.replace(/\?.*/, '')),
        ['/cosmos/bank/v1beta1/supply/by_denom', '/cosmos/distribution/v1beta1/community_pool'],
      );
      await readSplit(chain, 'uosmo', { maxAge: 0 });
      assert.equal(requests.filter((path) => path.includes(`${gov}?`)).length, 2);
    }));

  it('is read again for another denom once it is ten minutes old', () => {
    const clock = { now: 0 };
    // With each block gov holds one more.
    const coins = (height: number) => ({
      modules: [['gov', gov]] as const,
      balances: heldBy([gov, ['uatom', BigInt(height)]]),
    });
    return withNode(
      coins,
      async (chain) => {
        const { height } = await readSplit(chain, 'uosmo', young);
        clock.now += 599_999;
        assert.deepEqual(rowsOf(await readSplit(chain, 'uatom', young)), [`module gov ${height}`]);
        clock.now += 1;
        const later = await readSplit(chain, 'uatom', young);
        assert.ok((later.height ?? 0n) > (height ?? 0n));
        assert.deepEqual(rowsOf(later), [`module gov ${later.height}`]);
      },
      {},
      () => clock.now,
    );
  });

  it('has rows as new as its supply for each denom where the node keeps to no height', () => {
    const held = (amount: bigint) =>
      new Map([
        ['uatom', amount],
        ['uosmo', amount],
      ]);
    const balances = new Map([
      [gov, held(1_500n)],
      [addressOf('alice'), held(4_500n)],
    ]);
    const coins = { balances, modules: [['gov', gov]] as const };
    return withNode(
      coins,
      async (chain) => {
        await readSplit(chain, 'uosmo', young);
        balances.set(gov, held(5_500n));
        assert.deepEqual(rowsOf(await readSplit(chain, 'uatom', young)), ['module gov 5500', 'other 4500']);
      },
      { ignored: true },
    );
  });

  it('is bounded, and says where it ended', async () => {
    const modules = Array.from({ length: 70 }, (_, at) => [`m${at}`, addressOf(`m${at}`)] as const);
    const channels = Array.from({ length: 1_500 }, (_, at) => openChannel(`channel-${at}`));
    const accounts = [...modules.map(([, address]) => address), ...channels.map((one) => escrowOf(one.channel_id))];
    const balances = new Map(accounts.map((address) => [address, new Map([['uatom', 1n]])]));
    await withNode({ balances, modules, channels }, async (chain, { requests }) => {
      const split = await readSplit(chain, 'uatom', young);
      assert.equal(rowsOf(split).at(-1), 'other 1310');
      assert.equal(split.rows.length, 261);
      assert.deepEqual(split.gaps, [
        { class: 'module', reason: 'limit', last: 'm59' },
        { class: 'escrow', reason: 'limit', last: 'transfer/channel-199' },
      ]);
      assert.ok(requests.length <= 270, `${requests.length} requests`);
    });
  });

  it('cuts names at 200 characters, and asks for the accounts of the whole ones', () => {
    const [name, channel] = ['m'.repeat(3000), `channel-${'1'.repeat(3000)}`];
    const balances = heldBy([addressOf(name), ['uatom', 3n]], [escrowOf(channel), ['uatom', 2n]]);
    const channels = [openChannel('channel-0'), openChannel(channel, channel)];
    return withNode({ balances, modules: [[name, addressOf(name)]], channels }, async (chain) => {
      const { rows } = await readSplit(chain, 'uatom', young);
      assert.deepEqual(
        rows.map(({ amount }) => amount),
        [3n, 2n],
      );
      for (const shown of [rows[0]?.name, rows[1]?.name, rows[1]?.counterparty])
        assert.match(`${shown}`, /^[^…]{199}…$/);
    });
  });

  it('stands as far as it came when it is stopped', () => {
    const modules = Array.from({ length: 40 }, (_, at) => [`m${at}`, addressOf(`m${at}`)] as const);
    const balances = new Map(modules.map(([, address]) => [address, new Map([['uatom', 1n]])]));
    return withNode({ ...hub, balances, modules }, async (chain) => {
      const stop = new AbortController();
      const progress: string[] = [];
      const onProgress = (done: number, of: number): void => {
        progress.push(`${done}/${of}`);
        if (done === 10) stop.abort();
      };
      const split = await readSplit(chain, 'uatom', { ...young, stop: stop.signal, onProgress });
      assert.deepEqual(progress.slice(0, 2), ['0/42', '1/42']);
      const asked = split.rows.filter(({ class: name }) => name === 'module').length;
      // Requests that had begun by then were waited for.
      assert.ok(asked >= 10 && asked < 20, `${asked} accounts`);
      assert.equal(rowsOf(split).at(-1), `other ${40 - asked}`);
      assert.deepEqual(split.gaps, [
        { class: 'module', reason: 'stopped', last: `m${asked - 1}` },
        { class: 'escrow', reason: 'stopped', last: undefined },
      ]);
      const whole = await readSplit(chain, 'uatom', young);
      assert.deepEqual([whole.rows.length, whole.gaps], [40, []]);
    });
  });

  it('says what a node does not offer, and takes the pools of one without the list of modules', () =>
    withNode({ balances: hub.balances, pool: { bonded_tokens: '580', not_bonded_tokens: '0' } }, async (chain) => {
      const split = await readSplit(chain, 'uatom', young);
      assert.deepEqual(rowsOf(split), ['module bonded_tokens_pool 580', 'other 1368']);
      assert.deepEqual(split.gaps, [
        { class: 'module', reason: 'unsupported' },
        { class: 'escrow', reason: 'unsupported' },
      ]);
      assert.deepEqual(rowsOf(await readSplit(chain, 'uosmo', young)), ['other 17']);
    }));

  it('says that heights may differ where the node does not keep to one', () =>
    withNode(
      hub,
      async (chain) => {
        const { unpinnedReason, height, ...split } = await readSplit(chain, 'uatom', young);
        assert.equal(rowsOf(split).length, 6);
        assert.equal(height, undefined);
        assert.match(unpinnedReason ?? '', /does not report the height/);
      },
      { oldest: 0, ignored: true },
    ));

  it('starts again where the height is gone that another denom was read at', () => {
    const heights = { oldest: 0 };
    return withNode(
      hub,
      async (chain) => {
        const first = await readSplit(chain, 'uatom', young);
        heights.oldest = 1_050;
        const node = await chain.node();
        for (let at = 0; at < 50; at++) await node.supply({ limit: 1 });
        const second = await readSplit(chain, 'uosmo', young);
        assert.ok((second.height ?? 0n) > (first.height ?? 0n));
        rowsOf(second);
        // A node that keeps no height but the latest.
        heights.oldest = Number.POSITIVE_INFINITY;
        const third = await readSplit(chain, 'uatom', young);
        assert.match(third.unpinnedReason ?? '', /failed to load state at height/);
        assert.equal(rowsOf(third).length, 6);
      },
      heights,
    );
  });

  it('asks for one denom where an account holds more than a page', () => {
    const many = Array.from({ length: 501 }, (_, at) => [`d${at}`, 1n] as const);
    return withNode({ ...hub, balances: heldBy([gov, ...many, ['uatom', 4n]]) }, async (chain) => {
      assert.deepEqual(rowsOf(await readSplit(chain, 'uatom', young)), ['module gov 4']);
      assert.deepEqual(rowsOf(await readSplit(chain, 'd7', young)), ['module gov 1']);
    });
  });

  it('counts an account once, and none of a strange address twice', () =>
    withNode(
      {
        ...hub,
        modules: [
          ['gov', gov],
          ['again', gov],
          ['transfer', escrowOf('channel-0')],
          ['long', addressOf('long', 32)],
          ['no address', 'nonsense'],
        ],
      },
      async (chain) => {
        const rows = rowsOf(await readSplit(chain, 'uatom', young));
        assert.deepEqual(rows, ['module transfer 30', 'module gov 7', 'escrow transfer/channel-1 90', 'other 1821']);
      },
    ));

  it(`equals the balances of random chains (seed ${seed})`, async () => {
    for (let run = 0; run < runs(5, 100); run++) {
      const random = new Random(seed + run);
      const channels = Array.from({ length: random.below(12) }, (_, at) => openChannel(`channel-${at * 3}`));
      const modules = ['gov', 'mint', 'distribution'].map((name) => [name, addressOf(name)] as const);
      const known = new Map([
        ...modules.map(([name, address]) => [address, `module ${name}`] as const),
        ...channels.map((one) => [escrowOf(one.channel_id), `escrow transfer/${one.channel_id}`] as const),
      ]);
      const users = Array.from({ length: 5 }, (_, at) => addressOf(`user ${at}`));
      const balances = new Map(
        [...known.keys(), ...users].map((address) => [address, new Map([['uatom', BigInt(random.below(4))]])]),
      );
      const expected = new Map<string, bigint>();
      for (const [address, held] of balances) {
        const name = known.get(address) ?? 'other ';
        const amount = (expected.get(name) ?? 0n) + (held.get('uatom') ?? 0n);
        if (amount > 0n) expected.set(name, amount);
      }
      await withNode({ balances, modules, channels }, async (chain) => {
        const { rows } = await readSplit(chain, 'uatom', young);
        const found = rows.map((row) => [`${row.class} ${row.name}`, row.amount] as const);
        assert.deepEqual(new Map(found), expected);
      });
    }
  });
});

describe('the split of a state', () => {
  const [contract, vesting, user] = [addressOf('contract', 32), addressOf('vesting'), addressOf('user')];

  /** A state with an account of every class that holds some uatom. */
  function stateOfEveryClass(): object {
    const accounts = [bonded, escrowOf('channel-0'), contract, vesting, user];
    const base_vesting_account = {
      base_account: { address: vesting },
      original_vesting: [{ denom: 'uatom', amount: '3' }],
      delegated_free: [],
      delegated_vesting: [],
      end_time: '0',
    };
    const balances = accounts.map((address, at) => ({ address, coins: [{ denom: 'uatom', amount: `${10 - at}` }] }));
    return {
      auth: { accounts: [{ '@type': '/cosmos.vesting.v1beta1.PermanentLockedAccount', base_vesting_account }] },
      bank: { supply: [{ denom: 'uatom', amount: '41' }], balances },
      ibc: { channel_genesis: { channels: [openChannel('channel-0', 'channel-141')] } },
      wasm: { contracts: [{ contract_address: contract }] },
    };
  }

  it('has holders of every class', async () => {
    const folder = startFolder('split-state');
    const file = join(folder.path, 'state.json');
    const app_state = stateOfEveryClass();
    writeFileSync(file, JSON.stringify({ chain_id: 'a-1', genesis_time: '2026-01-01T00:00:00Z', app_state }));
    const { node, dispose } = await startSampleNode(file);
    const chain = keptChain(node);
    try {
      assert.deepEqual(rowsOf(await readSplit(chain, 'uatom', young)), [
        'module bonded_tokens_pool 10',
        'escrow transfer/channel-0 9',
        'contract 8',
        'vesting_locked 3',
        'vesting_free 4',
        'other 6',
        'residue 1',
      ]);
      const holders = await node.largestHolders('uatom', 10);
      assert.deepEqual(
        holders?.map((holder) => [holder.address, holder.class, holder.name, holder.amount]),
        [
          [bonded, 'module', 'bonded_tokens_pool', 10n],
          [escrowOf('channel-0'), 'escrow', 'transfer/channel-0', 9n],
          [contract, 'contract', '', 8n],
          [vesting, 'vesting', '', 7n],
          [user, 'other', '', 6n],
        ],
      );
    } finally {
      await dispose();
      folder.dispose();
    }
  });

  it('is read from our own service, with its largest holders', async () => {
    const { node, dispose } = await startSampleNode();
    const chain = keptChain(node);
    try {
      const split = await readSplit(chain, 'usample', young);
      rowsOf(split);
      assert.equal(split.origin, 'state');
      assert.equal(split.rows.at(-1)?.class, 'residue');
      const holders = await node.largestHolders('usample', 10);
      assert.ok(holders && holders.length > 0 && holders.length <= 10);
      await assert.rejects(readSplit(chain, 'nosuchdenom', young), { kind: 'http', status: 404 });
    } finally {
      await dispose();
    }
  });
});
