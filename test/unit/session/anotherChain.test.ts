import assert from 'node:assert/strict';
import { decimalAmount } from '../../../src/chain/coin.ts';
import { isFields } from '../../../src/chain/fields.ts';
import { readSplit } from '../../../src/reads/readSplit.ts';
import { maxAges } from '../../../src/session/kept.ts';
import { addressOf, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { startToolHost } from '../tools/toolHost.ts';

const [distribution, gov] = [addressOf('distribution'), addressOf('gov')];

interface Chain {
  readonly chainId: string;
  readonly held: bigint;
  readonly exponent: number;
  readonly genesis: number;
  readonly from: number;
}

function startChain({ chainId, held, exponent, genesis, from }: Chain, port?: number) {
  const coins = {
    modules: [
      ['distribution', distribution],
      ['gov', gov],
    ],
    balances: new Map([[distribution, new Map([['uatom', held]])]]),
    exponents: { uatom: exponent },
  } as const;
  return startCoinNode(coins, { blocks: { chainId, genesis }, from, ...(port === undefined ? {} : { port }) });
}

const now = Date.now();
const old: Chain = { chainId: 'test-1', held: 5102n, exponent: 24, genesis: now - 1_000_000, from: 1000 };
/** New geneses at the address: each is told from the old chain in another way. */
const news: Readonly<Record<string, Chain>> = {
  'of the same id, which begins at 1': { ...old, held: 7_777_986n, exponent: 9, genesis: now + 5_000, from: 1 },
  'of another id': { ...old, chainId: 'test-2', held: 7_777_986n, exponent: 9, from: 1010 },
  'of the same id, which is as high': { ...old, held: 7_777_986n, exponent: 9, genesis: now - 900_000, from: 1100 },
};

/** The old chain behind the tools and a session; `renew` starts a new one at its address. */
async function startOld() {
  let node = await startChain(old);
  const { host, ask, dispose } = startToolHost([node.url]);
  const renew = async (chain: Chain) => {
    await node.stop();
    node = await startChain(chain, node.port);
  };
  const [source] = host.sources;
  if (!source) throw new Error('There is no source');
  const end = async () => {
    await dispose();
    await node.stop();
  };
  return { ask, renew, end, use: host.sessions.use.bind(host.sessions, source) };
}

const young = { maxAge: maxAges.screen };

function rowsOf(split: unknown): unknown {
  return isFields(split) && Array.isArray(split.rows)
    ? split.rows.map(({ untrusted_name: name, amount }) => [name, amount])
    : split;
}

describe('another chain at the address of an endpoint', () => {
  for (const [what, chain] of Object.entries(news))
    it(`has nothing of the old one in an answer to agents: ${what}`, async () => {
      const { ask, renew, end } = await startOld();
      try {
        for (const { chainId, held, exponent } of [old, chain]) {
          if (chain.held === held) await renew(chain);
          const { chain_id, amount, split, display_amount } = await ask('get_supply', { denom: 'uatom', split: true });
          assert.deepEqual([chain_id, amount, rowsOf(split)], [chainId, `${held}`, [['distribution', `${held}`]]]);
          assert.equal(display_amount, decimalAmount(held, exponent));
        }
      } finally {
        await end();
      }
    });

  for (const [what, chain] of Object.entries(news))
    it(`has nothing of the old one on the screen after the first refresh: ${what}`, async () => {
      const { use, renew, end } = await startOld();
      try {
        await use(async (session) => {
          const { supply } = session.lists;
          const shown: unknown[] = [];
          for (const { chainId } of [old, chain]) {
            if (shown.length > 0) await renew(chain);
            await session.node();
            if (shown.length > 0) await session.checkChain();
            else await session.noteChain();
            assert.equal(supply.unit('uatom'), undefined);
            await Promise.all([supply.pager.loadMore(), supply.loadUnits(young)]);
            const split = await readSplit(session, 'uatom', { ...young, signal: new AbortController().signal });
            const rows = split.rows.map(({ name, amount }) => [name, amount]);
            shown.push([supply.pager.rows, rows, supply.unit('uatom')?.exponent, chainId]);
          }
          const of = ({ held, exponent, chainId }: Chain) => [
            [{ denom: 'uatom', amount: held }],
            [['distribution', held]],
            exponent,
            chainId,
          ];
          assert.deepEqual(shown, [of(old), of(chain)]);
        });
      } finally {
        await end();
      }
    });

  it('is noticed without a refresh, by a height that fell', async () => {
    const { use, renew, end } = await startOld();
    try {
      await use(async (session) => {
        const { supply } = session.lists;
        await supply.pager.loadMore();
        await supply.loadUnits(young);
        const forgotten = new Promise<void>((resolve) => session.onDidForget(resolve));
        await renew({ ...old, held: 7_777_986n, exponent: 9, genesis: Date.now() + 5_000, from: 1 });
        await supply.load('uatom');
        await forgotten;
        assert.deepEqual([supply.unit('uatom'), supply.pager.rows], [undefined, []]);
      });
    } finally {
      await end();
    }
  });

  it('is not a backend that lags behind, nor the same node that was started again', async () => {
    const { use, renew, end } = await startOld();
    try {
      await use(async (session) => {
        const { supply } = session.lists;
        await session.node();
        await session.checkChain();
        await supply.pager.loadMore();
        await renew({ ...old, from: 900 });
        await supply.load('uatom');
        await session.checkChain();
        await renew({ ...old, from: 2000 });
        await session.checkChain();
        assert.deepEqual([session.forgettings, supply.pager.rows.length], [0, 1]);
      });
    } finally {
      await end();
    }
  });
});
