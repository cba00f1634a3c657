import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chainData } from '../../fixtures/chainData.ts';
import { serveFile } from './serveText.ts';

interface Coin {
  readonly denom: string;
  readonly amount: string;
}

const data = chainData();

/** The known content of each file, and the first digits of the SHA-256 of its listing. */
const known: Readonly<
  Record<string, { chain: string; coins: number; proposals: number; listing: string; notices?: string[] }>
> = {
  'akashnet-2-testnet-2.json.gz': {
    chain: 'akashnet-2-testnet-2',
    coins: 1,
    proposals: 1,
    listing: '94b0b49ddb6ce9a7',
  },
  'bitsong-testnet-6.json': { chain: 'bitsong-testnet-6', coins: 1, proposals: 1, listing: 'f286933e14da9ee5' },
  'crypto-org-chain-mainnet-1.json': {
    chain: 'crypto-org-chain-mainnet-1',
    coins: 1,
    proposals: 0,
    listing: '9fe2708e8b2bacda',
    notices: [
      'This state lists no supply: the supply shown is the sum of all balances.',
      '6 transactions in this genesis create validators in the first block. Until then, no list includes them (gen_txs).',
    ],
  },
  'emoney-3.slim.json': {
    chain: 'emoney-3',
    coins: 6,
    proposals: 0,
    listing: '8787c25549460a4c',
    notices: ['This state has no gov module.'],
  },
  'fetchhub-2.json.gz': { chain: 'fetchhub-2', coins: 2, proposals: 0, listing: '35e5ba665cc1853c' },
  'gaia-13003-amino.slim.json': {
    chain: 'gaia-13003',
    coins: 0,
    proposals: 5,
    listing: '6eef909fbb87e8ea',
    notices: [
      'This state is from an SDK version before 0.38. Only coins, validators, delegations, proposals, deposits and votes are read. Running tallies are not calculated.',
      'This state has no supply and no balances.',
    ],
  },
  'pandora-4.slim.json': { chain: 'pandora-4', coins: 10, proposals: 0, listing: 'dee449e6115ad69e' },
  'sdk-v1-demo.json': { chain: 'demo', coins: 1, proposals: 1, listing: 'da7b9bdf9b6ab53d' },
  'sifchain-devnet-1.json.gz': { chain: 'sifchain-devnet-1', coins: 56, proposals: 15, listing: 'f2b29d22dc4d1377' },
};

/** A digest of the denoms with their amounts, and of the proposals with title and end. */
function digestOf(supply: readonly Coin[], proposals: readonly Record<string, string>[]): string {
  const lines = [
    ...supply.map((coin) => `${coin.denom} ${coin.amount}`),
    ...proposals.map((one) => `#${one.id} ${one.status} ${one.title} ${one.voting_end_time}`),
  ];
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

describe('recorded states', () => {
  if (!data) return;

  it('are the ones that are known', () => {
    assert.deepEqual(data.list('states'), Object.keys(known));
  });

  for (const [name, expected] of Object.entries(known)) {
    it(`${name}: served as the file has it`, async () => {
      const served = await serveFile(data.path(`states/${name}`));
      try {
        await served.service.ready;
        const supplied = await served.ask('bank/v1beta1/supply?pagination.limit=1000');
        const lacksCoins = expected.notices?.includes('This state has no supply and no balances.') ?? false;
        assert.equal(supplied.status, lacksCoins ? 501 : 200);
        const { supply = [] }: { supply?: Coin[] } = Object(supplied.body);
        const listed = await served.ask('gov/v1/proposals?pagination.limit=1000');
        const lacksGov = expected.notices?.includes('This state has no gov module.') ?? false;
        assert.equal(listed.status, lacksGov ? 501 : 200);
        const { proposals = [] } = Object(listed.body);
        const { metadatas } = Object(await served.get('bank/v1beta1/denoms_metadata?pagination.limit=1000'));
        assert.equal(served.service.chainId, expected.chain);
        assert.deepEqual(served.service.notices, expected.notices ?? []);
        assert.deepEqual([supply.length, proposals.length], [expected.coins, expected.proposals]);

        const document = JSON.parse(data.text(`states/${name}`));
        const { bank, gov } = (document.result?.genesis ?? document).app_state;
        const stated: Coin[] = bank.supply?.length > 0 ? bank.supply : sumOf(bank.balances);
        if (bank.balances) assert.deepEqual(stated.toSorted(byDenom), sumOf(bank.balances));
        assert.deepEqual(supply, stated.map(({ denom, amount }) => ({ denom, amount })).toSorted(byDenom));
        assert.deepEqual(
          metadatas,
          (bank.denom_metadata ?? []).toSorted((a: { base: string }, b: { base: string }) =>
            a.base < b.base ? -1 : 1,
          ),
        );
        if (gov?.proposals?.[0]?.proposal_id) {
          const old = Object(await served.get('gov/v1beta1/proposals?pagination.limit=1000'));
          assert.deepEqual(old.proposals, gov.proposals);
        } else if (gov?.proposals?.[0]?.id) assert.deepEqual(proposals, gov.proposals);

        assert.equal(digestOf(supply, proposals), expected.listing);
      } finally {
        await served.stop();
      }
    });
  }

  it('answer deposits and votes: one deposit in the voting state', async () => {
    const served = await serveFile(data.path('states/akashnet-2-testnet-2.json.gz'));
    const by = async (address: string) =>
      Object(await served.get(`gov/v1beta1/proposals?depositor=${address}`)).proposals.length;
    assert.equal(await by('akash1qc6zcj5zsgkj0kak5gml4uqtremg6mn4xahda6'), 1);
    assert.equal(await by('cosmos1qgpqyqszqgpqyqszqgpqyqszqgpqyqszrh8mx2'), 0);
    await served.stop();
  });
});

function sumOf(balances: readonly { readonly coins: readonly Coin[] }[] = []): Coin[] {
  const sums = new Map<string, bigint>();
  for (const { denom, amount } of balances.flatMap((balance) => balance.coins))
    sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount));
  return [...sums].map(([denom, amount]) => ({ denom, amount: String(amount) })).toSorted(byDenom);
}

function byDenom(a: Coin, b: Coin): number {
  return Buffer.compare(Buffer.from(a.denom), Buffer.from(b.denom));
}
