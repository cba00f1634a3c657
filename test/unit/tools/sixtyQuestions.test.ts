import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { encode } from 'gpt-tokenizer';
import { chainData } from '../../fixtures/chainData.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { stateFileOf } from '../../node/recording.ts';
import { sampleFile } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

// Twelve kinds of questions to each state, each with one call and the one answer, which is worked out from the JSON of the state alone.

type Json = ReturnType<typeof JSON.parse>;

/** A kind of question: its words, the call, where its answer stands, and what it is by a state; undefined where it has none. */
interface Kind {
  readonly text: string;
  readonly tool: string;
  readonly input: (app: Json) => Record<string, unknown>;
  readonly path: string;
  readonly answer: (app: Json) => unknown;
}

const idOf = (row: Json): string => String(row.id ?? row.proposal_id);
const newestOf = ({ gov }: Json): Json =>
  gov.proposals.toSorted((a: Json, b: Json) => Number(idOf(b)) - Number(idOf(a)))[0];
const depositedOf = ({ gov }: Json): Json =>
  newestOf({ gov: { proposals: gov.proposals.filter((row: Json) => row.total_deposit.length > 0) } });
const sum = (values: readonly string[]): string => `${values.reduce((all, one) => all + BigInt(one), 0n)}`;
const bondDenom = ({ staking }: Json): string => staking.params.bond_denom;
const greatest = ({ staking }: Json): Json =>
  staking.validators
    .filter(({ status }: Json) => status === 'BOND_STATUS_BONDED')
    .toSorted((a: Json, b: Json) => (BigInt(a.tokens) < BigInt(b.tokens) ? 1 : -1))[0];
const heldOf = (app: Json, denom: string): readonly { address: string; amount: string }[] =>
  app.bank.balances.flatMap(({ address, coins }: Json) =>
    coins.filter((coin: Json) => coin.denom === denom).map(({ amount }: Json) => ({ address, amount })),
  );
const largestHeld = (app: Json): bigint =>
  heldOf(app, bondDenom(app)).reduce((most, { amount }) => (BigInt(amount) > most ? BigInt(amount) : most), 0n);

const kinds: readonly Kind[] = [
  {
    text: 'How many proposals are there?',
    tool: 'list_proposals',
    input: () => ({ limit: 1, fields: 'status' }),
    path: 'metadata.total',
    answer: ({ gov }) => gov.proposals.length,
  },
  {
    text: 'What is the newest proposal called?',
    tool: 'list_proposals',
    input: () => ({ limit: 1, fields: 'title' }),
    path: 'proposals.0.untrusted_title',
    // SDK 0.46 has a title in the legacy content alone.
    answer: (app) => {
      const { title, content, messages } = newestOf(app) ?? {};
      return title || (content ?? messages?.[0]?.content)?.title;
    },
  },
  {
    text: 'Which proposals were passed, the newest first?',
    tool: 'list_proposals',
    input: () => ({ status: 'passed', fields: 'status', limit: 200 }),
    path: 'proposals.*.id',
    answer: ({ gov }) =>
      gov.proposals
        .filter(({ status }: Json) => status === 'PROPOSAL_STATUS_PASSED')
        .map(idOf)
        .toSorted((a: string, b: string) => Number(b) - Number(a)),
  },
  {
    text: 'How much was deposited on the newest proposal with a deposit?',
    tool: 'get_proposal',
    input: (app) => ({ id: idOf(depositedOf(app) ?? {}) }),
    path: 'deposit.total.0.amount',
    answer: (app) => depositedOf(app)?.total_deposit[0]?.amount,
  },
  {
    text: 'What is the supply of the staking denom?',
    tool: 'get_supply',
    input: (app) => ({ denom: bondDenom(app) }),
    path: 'amount',
    answer: (app) => app.bank.supply.find(({ denom }: Json) => denom === bondDenom(app))?.amount,
  },
  {
    text: 'How many denoms are there?',
    tool: 'get_supply',
    input: () => ({ limit: 1 }),
    path: 'metadata.total',
    answer: ({ bank }) => bank.supply.length,
  },
  {
    text: 'How much is there of the denom with the largest amount?',
    tool: 'get_supply',
    input: () => ({ sort: 'amount', limit: 1 }),
    path: 'supply.0.amount',
    answer: ({ bank }) =>
      `${bank.supply.reduce((most: bigint, { amount }: Json) => (BigInt(amount) > most ? BigInt(amount) : most), 0n)}`,
  },
  {
    text: 'How much does the largest holder of the staking denom have?',
    tool: 'get_supply',
    input: (app) => ({ denom: bondDenom(app), holders: 1 }),
    path: 'largest_holders.0.amount',
    // A part of a recorded state has no balances.
    answer: (app) => (app.bank.balances ? `${largestHeld(app)}` : undefined),
  },
  {
    text: 'How many tokens has the greatest validator?',
    tool: 'list_validators',
    input: () => ({ limit: 1 }),
    path: 'validators.0.amount',
    answer: (app) => greatest(app)?.tokens,
  },
  {
    text: 'How many tokens have the jailed validators together?',
    tool: 'list_validators',
    input: () => ({ jailed: true, limit: 1 }),
    path: 'sums.all.amount',
    answer: ({ staking }) =>
      sum(staking.validators.filter(({ jailed }: Json) => jailed).map(({ tokens }: Json) => tokens)),
  },
  {
    text: 'How long does unbonding take, as the chain writes it?',
    tool: 'get_params',
    input: () => ({ module: 'staking' }),
    path: 'modules.0.untrusted_params.unbonding_time',
    answer: ({ staking }) => staking.params.unbonding_time,
  },
  {
    text: 'How many denoms has this state that the sample chain has not?',
    tool: 'compare_sources',
    input: () => ({ what: 'supply', limit: 1 }),
    path: 'counts.supply.added',
    answer: ({ bank }) => {
      const own = new Set(stateOf(sampleFile).bank.supply.map(({ denom }: Json) => denom));
      return bank.supply.filter(({ denom }: Json) => !own.has(denom)).length;
    },
  },
];

function stateOf(file: string): Json {
  const bytes = readFileSync(file);
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')).app_state;
}

const recorded = ['akashnet-2-testnet-2.json.gz', 'bitsong-testnet-6.json', 'sifchain-devnet-1.json.gz'];

describe('sixty questions of twelve kinds', () => {
  it('are answered with one call each, as the states themselves say', async () => {
    const data = chainData();
    const own = ['0.45.16', '0.46.16', '0.50.15', '0.53.8'].map(stateFileOf);
    const files = [sampleFile, ...own, ...(data ? recorded.map((name) => data.path(`states/${name}`)) : [])];
    const { ask, dispose } = startToolHost(files.map((file) => pathToFileURL(file).href));
    const tokens: number[] = [];
    for (const file of files) {
      const app = stateOf(file);
      for (const { text, tool, input, path, answer } of kinds) {
        const expected = answer(app);
        if (expected === undefined) continue;
        const source = basename(file);
        const where = tool === 'compare_sources' ? { left: basename(sampleFile), right: source } : { source };
        const found = await ask(tool, { ...where, ...input(app) });
        assert.deepEqual(valueAt(found, path), expected, `${source}: ${text}`);
        tokens.push(encode(JSON.stringify(found)).length);
        if (process.env.SHOW_ANSWERS)
          console.log(`${source} | ${text} | ${tool} | ${JSON.stringify(expected).slice(0, 80)} | ${tokens.at(-1)}`);
      }
    }
    await dispose();
    tokens.sort((a, b) => a - b);
    const median = tokens[Math.floor(tokens.length / 2)] ?? 0;
    console.log(`      ${tokens.length} questions, tokens of an answer: median ${median}, at most ${tokens.at(-1)}`);
    assert.ok(tokens.length >= 60, `${tokens.length} questions have an answer`);
    assert.ok(median <= 900);
  });
});
