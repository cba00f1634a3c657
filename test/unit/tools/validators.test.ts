import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../../../src/api/hashes.ts';
import { accountBeside } from '../../../src/chain/address.ts';
import { isFields } from '../../../src/chain/fields.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { tools } from '../../../src/tools/toolTable.ts';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { stateFileOf } from '../../node/recording.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { serve } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

interface OwnValidator {
  readonly operator_address: string;
  readonly status: string;
  readonly jailed: boolean;
  readonly tokens: string;
}

const own: readonly OwnValidator[] = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state.staking.validators;
const sum = (rows: readonly OwnValidator[]) => `${rows.reduce((all, { tokens }) => all + BigInt(tokens), 0n)}`;

describe('what list_validators answers', () => {
  const { ask, dispose } = startToolHost(['']);
  after(dispose);

  it('is what all of them have together, however few are listed', async () => {
    const { sums, validators } = await ask('list_validators', { limit: 2 });
    assert.ok(Array.isArray(validators) && validators.length === 2);
    assert.deepEqual(valueAt(sums, 'all.amount'), sum(own));
    const bonded = own.filter(({ status }) => status === 'BOND_STATUS_BONDED');
    assert.deepEqual(
      [valueAt(sums, 'bonded.validators'), valueAt(sums, 'bonded.amount')],
      [bonded.length, sum(bonded)],
    );
    assert.equal(valueAt(sums, 'jailed.validators'), own.filter(({ jailed }) => jailed).length);
    const rates = own.map((row) => Number(valueAt(row, 'commission.commission_rates.rate')));
    const range = ['lowest', 'highest'].map((name) => Number(valueAt(sums, `all.${name}_commission`)));
    assert.deepEqual(range, [Math.min(...rates), Math.max(...rates)]);
  });

  it('is those of a status, jailed or not, with enough power, in the order that is asked for', async () => {
    const found = async (input: object) =>
      valueAt(await ask('list_validators', { limit: 200, ...input }), 'validators');
    const jailed = await found({ jailed: true });
    assert.ok(Array.isArray(jailed));
    assert.deepEqual(
      new Set(jailed.map((row) => row.operator_address)),
      new Set(own.filter((row) => row.jailed).map((row) => row.operator_address)),
    );
    const [least] = own
      .filter(({ jailed }) => !jailed)
      .toSorted((a, b) => Number(b.tokens) - Number(a.tokens))
      .slice(4);
    const great = await found({ status: 'bonded', jailed: false, min_amount: least?.tokens, sort: 'moniker' });
    assert.ok(Array.isArray(great) && great.length >= 5);
    assert.ok(great.every((row) => isFields(row) && BigInt(String(row.amount)) >= BigInt(least?.tokens ?? 0)));
    const names = great.map((row) => String(row.untrusted_moniker));
    assert.deepEqual(
      names,
      names.toSorted((a, b) => a.localeCompare(b, 'en')),
    );
    await assert.rejects(ask('list_validators', { min_amount: '1,000' }), /"min_amount" must be a whole number/);
  });
});

describe('what list_sources answers', () => {
  it('is each source with kind, chain, height, time and age, and one that does not answer beside the others', async () => {
    const served = await serveFile({ file: stateFileOf('0.53.8') });
    await served.ready;
    const broken = await serve(createServer((request) => request.socket.destroy()));
    const state = pathToFileURL(stateFileOf('0.53.8')).href;
    const { ask, dispose } = startToolHost(['', state, `${served.baseUrl}/chain`, `http://127.0.0.1:${broken.port}`]);
    // The list waits three seconds for all sources together, and a busy machine may need longer to read them.
    for (const source of ['sample-1', state, `${served.baseUrl}/chain`])
      await ask('get_params', { source, module: 'gov' });
    const { sources } = await ask('list_sources');
    assert.ok(Array.isArray(sources));
    const [sample, file, node, last] = sources;
    assert.deepEqual(
      sources.map(({ kind }) => kind),
      ['sample chain', 'state file', 'node', 'node'],
    );
    for (const row of [sample, file]) {
      assert.match(row.time, /^\d{4}-.*Z$/);
      assert.match(row.height, /^\d+$/);
    }
    assert.deepEqual([file.chain_id, node.chain_id, last.chain_id], ['chain-inspector-1', 'chain-inspector-1', null]);
    assert.ok(sources.slice(0, 3).every((row) => Number.isInteger(row.read_seconds_ago) && row.read_seconds_ago < 60));
    assert.match(last.untrusted_problem, /^Could not read/);
    for (const { source } of sources.slice(0, 3)) await ask('get_params', { source, module: 'gov' });
    // A chain id names a source where it is that of one alone.
    assert.equal((await ask('get_params', { source: sample.chain_id, module: 'gov' })).source, 'Sample chain');
    await assert.rejects(
      ask('get_params', { source: file.chain_id }),
      /"chain-inspector-1" is the chain ID of 2 sources/,
    );
    await Promise.all([dispose(), served.dispose(), broken.dispose()]);
  });
});

describe('list_sources with a source that does not respond', () => {
  it('has the others within seconds, and says so', async function () {
    this.timeout(10_000);
    const silent = await serve(createServer(() => undefined));
    const { ask, dispose } = startToolHost(['', `http://127.0.0.1:${silent.port}`]);
    const begin = performance.now();
    const { sources } = await ask('list_sources');
    assert.ok(performance.now() - begin < 8_000);
    assert.deepEqual(valueAt(sources, '*.chain_id'), ['sample-1', null]);
    assert.match(String(valueAt(sources, '1.unknown.chain_id')), /no response within 3 s/);
    await Promise.all([dispose(), silent.dispose()]);
  });
});

describe('what list_validators says of a genesis without validators', () => {
  it('is which ones its transactions create', async () => {
    const folder = startFolder('genesis');
    const file = join(folder.path, 'state.json');
    const message = (moniker: string, amount: string) => ({
      '@type': '/cosmos.staking.v1beta1.MsgCreateValidator',
      description: { moniker },
      commission: { rate: '0.100000000000000000' },
      validator_address: 'cosmosvaloper1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnxz90a2',
      value: { denom: 'stake', amount },
    });
    const gen_txs = [{ body: { messages: [message('Atlas', '700')] } }, { value: { msg: [{ type: 'x/MsgSend' }] } }];
    const old = { type: 'cosmos-sdk/MsgCreateValidator', value: message('Older', '5') };
    const genutil = { gen_txs: [...gen_txs, { type: 'cosmos-sdk/StdTx', value: { msg: [old] } }] };
    const app_state = { bank: {}, genutil, staking: { params: {}, validators: [] } };
    writeFileSync(file, JSON.stringify({ chain_id: 'genesis-1', app_state }));
    const host = startToolHost([pathToFileURL(file).href]);
    const answer = await host.ask('list_validators');
    assert.deepEqual(valueAt(answer, 'genesis_validators.0'), {
      operator_address: 'cosmosvaloper1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnxz90a2',
      untrusted_moniker: 'Atlas',
      commission: '0.1',
      self_delegation: '700',
    });
    assert.deepEqual(valueAt(answer, 'genesis_validators.*.untrusted_moniker'), ['Atlas', 'Older']);
    await host.dispose();
    folder.dispose();
  });
});

describe('what list_validators sorts by commission', () => {
  it('has the lowest first, as the description says', async () => {
    const folder = startFolder('commissions');
    const file = join(folder.path, 'state.json');
    const validators = ['0.2', '0.05', '0.1'].map((rate) => ({
      operator_address: `cosmosvaloper1${rate}`,
      tokens: '1',
      commission: { commission_rates: { rate } },
    }));
    writeFileSync(file, JSON.stringify({ chain_id: 'rates-1', app_state: { bank: {}, staking: { validators } } }));
    const host = startToolHost([pathToFileURL(file).href]);
    const answer = await host.ask('list_validators', { sort: 'commission' });
    assert.deepEqual(valueAt(answer, 'validators.*.commission'), ['0.05', '0.1', '0.2']);
    const other = await host.ask('list_validators', { sort: 'commission', reverse: true });
    assert.deepEqual(valueAt(other, 'validators.*.commission'), ['0.2', '0.1', '0.05']);
    const said = tools.find(({ name }) => name === 'list_validators')?.inputSchema.properties.sort?.description;
    assert.match(String(said), /"commission": lowest first/);
    await host.dispose();
    folder.dispose();
  });
});

describe('what list_validators and compare_sources say of a genesis before its first block', () => {
  const folder = startFolder('genesis');
  after(() => folder.dispose());
  const message = { '@type': '/cosmos.staking.v1beta1.MsgCreateValidator' };
  const old = { type: 'auth/StdTx', value: { msg: [{ type: 'cosmos-sdk/MsgCreateValidator', value: {} }] } };
  const text = { body: { messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend' }] } };
  const said = 'create validators in the first block. Until then, no list includes them (gen_txs).';

  for (const [form, app] of [
    [
      'of SDK 0.40 and later',
      { genutil: { gen_txs: [{ body: { messages: [message] } }, text, { body: { messages: [message] } }] } },
    ],
    ['of SDK 0.36 to 0.39', { genutil: { gentxs: [old, old, null] } }],
    ['of SDK 0.35 and earlier', { gentxs: [old, old] }],
  ] as const)
    it(`is the number of transactions that create validators, in the form ${form}`, async () => {
      const file = join(folder.path, 'genesis.json');
      const app_state = { bank: {}, staking: { params: {}, validators: [] }, ...app };
      writeFileSync(file, JSON.stringify({ chain_id: 'genesis-1', app_state }));
      const host = startToolHost([pathToFileURL(file).href, '']);
      const { chain_id, untrusted_notices } = await host.ask('list_validators');
      assert.deepEqual(
        [chain_id, valueAt(untrusted_notices, '0')],
        ['genesis-1', `2 transactions in this genesis ${said}`],
      );
      const compared = await host.ask('compare_sources', {
        left: 'Genesis-1',
        right: 'Sample chain',
        what: 'validators',
      });
      assert.equal(valueAt(compared, 'left.untrusted_notices.0'), `2 transactions in this genesis ${said}`);
      await host.dispose();
    });
});

describe('the blocks that validators have missed', () => {
  const folder = startFolder('missed');
  after(() => folder.dispose());
  const names = ['a', 'b', 'c'];
  const [first, second, third] = names.map((name) => addressOf(name, 20, 'cosmosvaloper'));
  const validators = names.map((name, n) => ({
    operator_address: addressOf(name, 20, 'cosmosvaloper'),
    consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: sha256(name).toString('base64') },
    status: n === 2 ? 'BOND_STATUS_UNBONDING' : 'BOND_STATUS_BONDED',
    jailed: n === 2,
    unbonding_time: '2027-01-20T00:00:00Z',
    tokens: `${30 - n}`,
    delegator_shares: `${30 - n}.0`,
  }));
  const missed = ['5', '70', '6'];
  const signing_infos = names.map((name, n) => {
    const address = accountBeside(addressOf('x', 20, 'cosmosvalcons'), sha256(sha256(name)).subarray(0, 20));
    const jailed_until = n === 2 ? '2027-01-02T00:00:00Z' : '1970-01-01T00:00:00Z';
    return { address, validator_signing_info: { address, missed_blocks_counter: missed[n], jailed_until } };
  });
  const writeState = (slashing: object) => {
    const file = join(folder.path, `${Object.keys(slashing).length}.json`);
    const staking = { params: { bond_denom: 'stake' }, validators };
    writeFileSync(file, JSON.stringify({ app_state: { bank: { supply: [] }, staking, slashing } }));
    return file;
  };

  it('stand beside the validators of a state, and sort them, with the ends of jail and unbonding', async () => {
    const host = startToolHost([pathToFileURL(writeState({ signing_infos })).href]);
    const { validators: rows } = await host.ask('list_validators', { sort: 'missed' });
    await host.dispose();
    assert.deepEqual(valueAt(rows, '*.operator_address'), [second, third, first]);
    assert.deepEqual(valueAt(rows, '*.missed_blocks'), ['70', '6', '5']);
    assert.equal(valueAt(rows, '1.jailed_until'), '2027-01-02T00:00:00.000Z');
    assert.equal(valueAt(rows, '1.unbonding_time'), '2027-01-20T00:00:00.000Z');
    assert.deepEqual([valueAt(rows, '0.jailed_until'), valueAt(rows, '0.unbonding_time')], [undefined, undefined]);
  });

  it('are asked of a node only for an answer that is sorted by them', async () => {
    const served = await serveFile({ file: writeState({ signing_infos }) });
    const host = startToolHost([`${served.baseUrl}/chain`]);
    const plain = await host.ask('list_validators', {});
    const isAsked = () => host.asked.some((url) => url.includes('signing_infos'));
    assert.deepEqual([valueAt(plain, 'validators.0.missed_blocks'), isAsked()], [undefined, false]);
    const sorted = await host.ask('list_validators', { sort: 'missed', limit: 1 });
    assert.deepEqual([valueAt(sorted, 'validators.0.missed_blocks'), isAsked()], ['70', true]);
    await host.dispose();
    await served.dispose();
  });

  it('are counted where more validators have as many as the last row', async () => {
    const rate = (n: number) => ({ commission_rates: { rate: n < 2 ? '0.100000000000000000' : '0.2' } });
    const file = join(folder.path, 'ties.json');
    const tied = validators.map((one, n) => ({ ...one, commission: rate(n) }));
    writeFileSync(file, JSON.stringify({ app_state: { bank: { supply: [] }, staking: { validators: tied } } }));
    const host = startToolHost([pathToFileURL(file).href]);
    const input = { sort: 'commission', limit: 1 };
    const one = await host.ask('list_validators', input);
    const next = await host.ask('list_validators', { ...input, key: valueAt(one, 'metadata.next_key') });
    await host.dispose();
    assert.deepEqual([one.more_with_last_value, next.more_with_last_value], [1, undefined]);
    // The sums of all matches stand on the first page.
    assert.deepEqual([valueAt(one, 'sums.all.validators'), next.sums], [3, undefined]);
  });

  it('are said to be unknown where a state does not list them', async () => {
    const host = startToolHost([pathToFileURL(writeState({})).href]);
    const { notice, validators: rows } = await host.ask('list_validators', { sort: 'missed' });
    await host.dispose();
    assert.match(String(notice), /does not list the blocks/);
    assert.deepEqual(valueAt(rows, '*.operator_address'), [first, second, third]);
  });
});
