import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { createLists, type Lists } from '../../../src/lists/lists.ts';
import type { KeptQuestion } from '../../../src/session/kept.ts';
import { Kept, maxAges } from '../../../src/session/kept.ts';
import { startReplies } from '../../support/servers.ts';

// SHA-256 of transfer/channel-0/uatom.
const ibc = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';

/** The statement of the node and of the registry: a number that the test changes. */
function bodyOf(pathname: string, now: number): object | undefined {
  if (pathname.endsWith('/supply/by_denom')) return { amount: { denom: 'ustake', amount: `${now}` } };
  if (pathname.endsWith('/supply'))
    return { supply: [{ denom: 'aaa', amount: '1' }], pagination: { next_key: 'Yg==' } };
  if (pathname.endsWith('/denoms_metadata')) {
    const denom_units = [
      { denom: 'ustake', exponent: 0 },
      { denom: 'STAKE', exponent: now },
    ];
    return { metadatas: [{ base: 'ustake', display: 'STAKE', symbol: 'STAKE', denom_units }] };
  }
  if (pathname.includes('/denoms/')) {
    const trace = [{ port_id: 'transfer', channel_id: 'channel-0' }];
    return { denom: { base: now === 18 ? 'uatom' : 'another', trace } };
  }
  if (pathname.endsWith('/staking/v1beta1/params')) return { params: { bond_denom: 'ustake' } };
  if (pathname.endsWith('/staking/v1beta1/pool')) return { pool: { bonded_tokens: `${now}`, not_bonded_tokens: '0' } };
  return undefined;
}

/** The lists of a node whose answers change with `state.now`; `clock` is that of what is kept. */
async function openLists() {
  const state = { now: 9, isDown: false };
  const clock = { now: 1_000_000 };
  const service = await startReplies(({ pathname }) => {
    const body = state.isDown ? undefined : bodyOf(pathname, state.now);
    return body ? { body: JSON.stringify(body) } : { status: 500, body: '{"code":2,"message":"down","details":[]}' };
  });
  const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
  const kept = new Kept(() => clock.now);
  const knownUnits = async () =>
    new Map([['known', { symbol: 'KNOWN', exponent: state.now, source: 'registry' } as const]]);
  const lists = createLists({ node: async () => node, pageSize: () => 1, knownUnits, kept });
  const dispose = async () => {
    for (const list of Object.values(lists)) list.dispose();
    await node.dispose();
    await service.stop();
  };
  return { state, clock, kept, lists, dispose };
}

const bondedRow = {
  operator: 'a',
  moniker: 'a',
  status: 'bonded',
  jailed: false,
  tokens: 9n,
  commission: undefined,
} as const;

/** How each kind is read, and what is shown of it: the number that the node stated. */
const kinds: Readonly<
  Record<
    string,
    readonly [read: (lists: Lists, question: KeptQuestion) => Promise<unknown>, shown: (lists: Lists) => unknown]
  >
> = {
  'units of the chain': [
    ({ supply }, question) => supply.loadUnits(question),
    ({ supply }) => supply.unit('ustake')?.exponent,
  ],
  'units of the registry': [
    ({ supply }, question) => supply.loadUnits(question),
    ({ supply }) => supply.unit('known')?.exponent,
  ],
  'the supply of the staking denom': [
    ({ supply }, question) => supply.loadUnits(question),
    ({ supply }) => Number(supply.staking?.amount),
  ],
  'the origin of a denom': [
    ({ supply }, question) => supply.loadOrigin(ibc, question),
    ({ supply }) => (supply.origin(ibc) ? 18 : 9),
  ],
  'the bonded total': [
    ({ validators }, question) => validators.loadBonded(question),
    ({ validators }) => Number((9n * 10n ** 18n) / (validators.share(bondedRow) ?? 1n)),
  ],
};

describe('what is kept of a source', () => {
  for (const [kind, [read, shown]] of Object.entries(kinds))
    it(`grows old: ${kind}`, async () => {
      const { state, clock, lists, dispose } = await openLists();
      try {
        await read(lists, { maxAge: maxAges.screen });
        assert.equal(shown(lists), 9);
        state.now = 18;
        clock.now += 599_999;
        await read(lists, { maxAge: maxAges.screen });
        assert.equal(shown(lists), 9);
        clock.now += 1;
        await read(lists, { maxAge: maxAges.screen });
        assert.equal(shown(lists), 18);
        state.isDown = true;
        await read(lists, { maxAge: 0 });
        assert.equal(shown(lists), 18);
      } finally {
        await dispose();
      }
    });

  it('is read anew with the list that shows it, also where more rows exist than are loaded', async () => {
    const { state, lists, dispose } = await openLists();
    try {
      for (const list of Object.values(lists)) await list.loadBeside({ maxAge: 0 });
      assert.deepEqual(
        Object.values(kinds).map(([, shown]) => shown(lists)),
        [9, 9, 9, 9, 9],
      );
      state.now = 18;
      for (const list of Object.values(lists)) await list.loadBeside({ maxAge: 0 });
      assert.deepEqual(
        Object.values(kinds).map(([, shown]) => shown(lists)),
        [18, 18, 18, 9, 18],
      );
    } finally {
      await dispose();
    }
  });

  it('is forgotten all at once, and the views learn it', async () => {
    const { kept, lists, dispose } = await openLists();
    try {
      for (const [read] of Object.values(kinds)) await read(lists, { maxAge: maxAges.screen });
      let changes = 0;
      lists.supply.onDidChange(() => changes++);
      kept.forget();
      assert.ok(changes > 0);
      const { supply, validators } = lists;
      const shown = [
        supply.unit('ustake'),
        supply.unit('known'),
        supply.staking,
        supply.origin(ibc),
        validators.share(bondedRow),
      ];
      assert.deepEqual(shown, Array(5).fill(undefined));
    } finally {
      await dispose();
    }
  });
});
