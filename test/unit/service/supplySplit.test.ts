import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bech32 } from '@scure/base';
import { startService } from '../../../src/service/service.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { startFolder } from '../../support/folders.ts';
import { Random, runs, seed } from '../../support/random.ts';

// The expected split is worked out here from JSON.parse of the whole file, with nothing of the reader.

interface Coin {
  readonly denom: string;
  readonly amount: string;
}

/** `class name` → amount, without rows of zero but the residue. */
type Expected = Map<string, Map<string, bigint>>;

const usualModules = [
  ...'bonded_tokens_pool not_bonded_tokens_pool distribution gov mint fee_collector transfer protocolpool'.split(' '),
  'protocolpool_escrow',
];

function sha(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 20);
}

function bytesOf(address: string): string {
  const decoded = bech32.decodeUnsafe(address, 1023);
  return decoded ? Buffer.from(bech32.fromWordsUnsafe(decoded.words) ?? []).toString('hex') : address;
}

/** Half to even, of a ratio of positive numbers. */
function round(dividend: bigint, divisor: bigint): bigint {
  const [whole, rest] = [dividend / divisor, dividend % divisor];
  if (rest * 2n === divisor) return whole + (whole % 2n);
  return rest * 2n > divisor ? whole + 1n : whole;
}

function amountOf(coins: readonly Coin[] | null | undefined, denom: string): bigint {
  return (coins ?? []).filter((coin) => coin.denom === denom).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

// biome-ignore lint/suspicious/noExplicitAny: an account of any kind, as JSON.parse gives it
function lockedIn(account: any, denom: string, time: bigint): bigint {
  const base = account.base_vesting_account;
  const original = amountOf(base.original_vesting, denom);
  const [start, end] = [BigInt(account.start_time ?? 0), BigInt(base.end_time)];
  const vested = () => {
    switch (account['@type']) {
      case '/cosmos.vesting.v1beta1.PermanentLockedAccount':
        return 0n;
      case '/cosmos.vesting.v1beta1.DelayedVestingAccount':
        return time >= end ? original : 0n;
      case '/cosmos.vesting.v1beta1.ContinuousVestingAccount': {
        if (time <= start) return 0n;
        if (time >= end) return original;
        const part = round(((time - start) * 10n ** 54n) / ((end - start) * 10n ** 18n), 10n ** 18n);
        return round(original * part, 10n ** 18n);
      }
      default: {
        if (time <= start) return 0n;
        if (time >= end) return original;
        let [sum, at] = [0n, start];
        for (const { length, amount } of account.vesting_periods) {
          if (time < at + BigInt(length)) break;
          at += BigInt(length);
          sum += amountOf(amount, denom);
        }
        return sum;
      }
    }
  };
  const locked = original - vested() - amountOf(base.delegated_vesting, denom);
  return locked > 0n ? locked : 0n;
}

// biome-ignore lint/suspicious/noExplicitAny: a state as JSON.parse gives it
function expectedSplit(file: any): { rows: Expected; holders: Map<string, number> } {
  const genesis = file.result?.genesis ?? file;
  const { auth, bank, ibc, wasm, gov } = genesis.app_state;
  const classOf = new Map<string, string>();
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const vesting = new Map<string, any>();
  const accounts = auth?.accounts ?? [];
  const known = /\.(Continuous|Delayed|Periodic)VestingAccount$|\.PermanentLockedAccount$/;
  for (const account of accounts)
    if (account.base_vesting_account) {
      const address = bytesOf(account.base_vesting_account.base_account.address);
      if (known.test(account['@type'])) vesting.set(address, account);
      else classOf.set(address, `other ${account['@type']}`);
    }
  for (const { contract_address } of wasm?.contracts ?? []) classOf.set(bytesOf(contract_address), 'contract ');
  const escrow = (name: string) => classOf.set(sha(`ics20-1\0${name}`).toString('hex'), `escrow ${name}`);
  for (const { client_id } of ibc?.client_genesis?.clients ?? []) escrow(`transfer/${client_id}`);
  for (const { port_id, channel_id } of ibc?.channel_genesis?.channels ?? []) escrow(`${port_id}/${channel_id}`);
  for (const account of accounts)
    if (account['@type'] === '/cosmos.auth.v1beta1.ModuleAccount')
      classOf.set(bytesOf(account.base_account.address), `module ${account.name}`);
  for (const name of usualModules) classOf.set(sha(name).toString('hex'), `module ${name}`);
  const times = (gov?.proposals ?? []).flatMap((one: { submit_time: string; voting_start_time: string }) => [
    Date.parse(one.submit_time),
    Date.parse(one.voting_start_time),
  ]);
  const now = Math.max(...[Date.parse(genesis.genesis_time), ...times].filter((time) => time > 0));
  const rows: Expected = new Map();
  const holders = new Map<string, number>();
  const add = (denom: string, row: string, amount: bigint) => {
    const own = rows.get(denom) ?? new Map<string, bigint>();
    rows.set(denom, own.set(row, (own.get(row) ?? 0n) + amount));
  };
  for (const { address, coins } of bank?.balances ?? [])
    for (const { denom, amount } of coins ?? []) {
      const balance = BigInt(amount);
      if (balance > 0n) holders.set(denom, (holders.get(denom) ?? 0) + 1);
      const account = classOf.has(bytesOf(address)) ? undefined : vesting.get(bytesOf(address));
      const most = account ? lockedIn(account, denom, BigInt(Math.floor(now / 1000))) : 0n;
      const locked = most < balance ? most : balance;
      if (!account) add(denom, classOf.get(bytesOf(address)) ?? 'other ', balance);
      else {
        add(denom, 'vesting_locked ', locked);
        add(denom, 'vesting_free ', balance - locked);
      }
    }
  const stated: Coin[] = bank?.supply ?? [];
  for (const denom of new Set([...stated.map((coin) => coin.denom), ...rows.keys()])) {
    const held = [...(rows.get(denom)?.values() ?? [])].reduce((sum, amount) => sum + amount, 0n);
    add(denom, 'residue ', (stated.length === 0 ? held : amountOf(stated, denom)) - held);
  }
  return { rows, holders };
}

/** Every denom as the service answers it. */
async function answered(file: string): Promise<{ rows: Expected; holders: Map<string, number> }> {
  const service = startService({ file });
  try {
    const rows: Expected = new Map();
    const holders = new Map<string, number>();
    let key = '';
    do {
      const query = `pagination.limit=1000&pagination.key=${encodeURIComponent(key)}`;
      const { status, body } = await service.answer({ path: '/chain/inspector/v1/supply_split', query });
      assert.equal(status, 200, String(body));
      const { splits, pagination } = JSON.parse(String(body));
      for (const split of splits) {
        const all = new Map<string, bigint>();
        for (const row of split.classes) all.set(`${row.class} ${row.name}`, BigInt(row.amount));
        rows.set(split.denom, all);
        if (split.holders !== '0') holders.set(split.denom, Number(split.holders));
        const sum = [...all.values()].reduce((whole, amount) => whole + amount, 0n);
        assert.equal(sum, BigInt(split.supply), split.denom);
      }
      key = pagination.next_key ?? '';
    } while (key !== '');
    await service.ready;
    return { rows, holders };
  } finally {
    await service.dispose();
  }
}

function inWords({ rows, holders }: { rows: Expected; holders: Map<string, number> }): string[] {
  return [...rows]
    .flatMap(([denom, all]) => [
      `${denom} held by ${holders.get(denom) ?? 0}`,
      ...[...all]
        .filter(([row, amount]) => amount !== 0n || row === 'residue ')
        .map(([row, amount]) => `${denom} ${row}${amount}`),
    ])
    .sort();
}

const address = (bytes: Buffer) => bech32.encode('cosmos', bech32.toWords(bytes), 1023);

/** A state with so many accounts, of every class, in modules of any order. */
function makeState(random: Random, size: number): Record<string, unknown> {
  const denoms = ['uatom', 'aevmos', `ibc/${'A'.repeat(64)}`, 'factory/é', 'x"y'];
  const amount = () =>
    String(BigInt(random.below(1 << 30)) * 10n ** BigInt(random.below(60)) + BigInt(random.below(9)));
  const coins = () => denoms.filter(() => random.chance(50)).map((denom) => ({ denom, amount: amount() }));
  const time = () => String(1_600_000_000 + random.below(100_000_000));
  const accounts: unknown[] = [];
  const balances: { address: string; coins: readonly Coin[] }[] = [];
  const hold = (bytes: Buffer) => void balances.push({ address: address(bytes), coins: coins() });
  for (let index = 0; index < size; index++) {
    const bytes = sha(`account ${index}`);
    hold(bytes);
    const base_account = { address: address(bytes), pub_key: null, account_number: `${index}`, sequence: '0' };
    const base_vesting_account = {
      base_account,
      original_vesting: coins(),
      delegated_free: coins(),
      delegated_vesting: random.chance(50) ? coins() : [],
      end_time: time(),
    };
    const start_time = random.chance(80) ? time() : base_vesting_account.end_time;
    const vesting_periods = Array.from({ length: random.below(size / 5) }, () => ({
      length: `${random.below(1e7)}`,
      amount: coins(),
    }));
    const type = random.pick(['Continuous', 'Delayed', 'Periodic', 'Clawback', '', '', '']);
    if (type === '') accounts.push({ '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base_account });
    else
      accounts.push({
        '@type': `/cosmos.vesting.v1beta1.${type}VestingAccount`,
        base_vesting_account,
        start_time,
        vesting_periods,
      });
  }
  for (const name of ['gov', 'distribution', 'transfer/channel-0', 'sub-account']) {
    const bytes = name === 'sub-account' ? createHash('sha256').update(name).digest() : sha(name);
    accounts.push({
      '@type': '/cosmos.auth.v1beta1.ModuleAccount',
      base_account: { address: address(bytes) },
      name,
      permissions: [],
    });
    hold(bytes);
  }
  const locked = sha('locked');
  accounts.push({
    '@type': '/cosmos.vesting.v1beta1.PermanentLockedAccount',
    base_vesting_account: { base_account: { address: address(locked) }, original_vesting: coins(), end_time: '0' },
  });
  hold(locked);
  const channels = Array.from({ length: 5 }, (_, index) => ({
    state: 'STATE_OPEN',
    port_id: 'transfer',
    channel_id: `channel-${index}`,
    counterparty: { port_id: 'transfer', channel_id: `channel-${index + 100}` },
  }));
  for (const { channel_id } of channels) hold(sha(`ics20-1\0transfer/${channel_id}`));
  hold(sha('ics20-1\0transfer/07-tendermint-0'));
  const contracts = Array.from({ length: 5 }, (_, index) => createHash('sha256').update(`contract ${index}`).digest());
  for (const bytes of contracts) hold(bytes);
  hold(sha('mint'));
  balances.push({ address: 'cosmos1short', coins: coins() }, { address: '', coins: coins() });
  const supply = denoms.map((denom) => {
    const sum = balances.reduce((whole, balance) => whole + amountOf(balance.coins, denom), 0n);
    return { denom, amount: String(random.chance(80) ? sum : sum + BigInt(random.below(1000))) };
  });
  const modules = {
    auth: { params: {}, accounts },
    bank: { balances, supply },
    gov: { proposals: [] },
    ibc: {
      client_genesis: { clients: [{ client_id: '07-tendermint-0', client_state: {} }] },
      channel_genesis: { channels },
    },
    wasm: {
      contracts: contracts.map((bytes) => ({ contract_state: [{ key: '00' }], contract_address: address(bytes) })),
    },
  };
  const order = Object.entries(modules).map((entry) => ({ entry, place: random.chance(50) ? 0 : random.below(100) }));
  const app_state = Object.fromEntries(order.sort((a, b) => a.place - b.place).map(({ entry }) => entry));
  return {
    genesis_time: new Date(1_650_000_000_000 + random.below(2 ** 30)).toISOString(),
    chain_id: 'split-1',
    app_state,
  };
}

describe(`the split of a supply (seed ${seed})`, function () {
  this.timeout(600_000);
  const folder = startFolder('split');
  after(() => folder.dispose());

  it('is that of an independent sum, for accounts of every class, in modules of any order', async () => {
    for (let run = 0; run < runs(20, 200); run++) {
      const random = new Random(seed + run);
      const state = makeState(random, run % 4 === 1 ? 200 : 15);
      const text = JSON.stringify(state, undefined, random.chance(50) ? 2 : 0);
      // A thread and the other engine read those that are long or packed.
      const bytes = Buffer.from(text);
      const file = join(folder.path, `state${run}.json${run % 4 === 0 ? '.gz' : ''}`);
      writeFileSync(file, run % 4 === 0 ? gzipSync(bytes) : bytes);
      assert.deepEqual(inWords(await answered(file)), inWords(expectedSplit(state)), `SEED=${seed + run}`);
    }
  });

  const data = chainData();
  it('is that of an independent sum, for every recorded state', async function () {
    if (!data) return this.skip();
    let compared = 0;
    for (const name of data.list('states')) {
      const state = JSON.parse(data.text(`states/${name}`));
      // Before SDK 0.40 coins stand in the accounts.
      if (!(state.result?.genesis ?? state).app_state.bank?.balances) continue;
      assert.deepEqual(inWords(await answered(data.path(`states/${name}`))), inWords(expectedSplit(state)), name);
      compared++;
    }
    assert.ok(compared >= 5, `${compared} states`);
  });

  const holder = address(sha('ics20-1\0transfer/channel-7'));

  const stateOfParts = {
    bank: {
      balances: [
        { address: address(sha('distribution')), coins: [{ denom: 'uatom', amount: '100' }] },
        { address: holder, coins: [{ denom: 'uatom', amount: '7' }] },
      ],
      supply: [{ denom: 'uatom', amount: '110' }],
    },
    distribution: {
      fee_pool: { community_pool: [{ denom: 'uatom', amount: '60.250000000000000000' }] },
      outstanding_rewards: [
        { validator_address: 'a', outstanding_rewards: [{ denom: 'uatom', amount: '30.5' }] },
        { validator_address: 'b', outstanding_rewards: [{ denom: 'uatom', amount: '9.000000000000000001' }] },
      ],
    },
    ibc: {
      channel_genesis: {
        channels: [
          {
            port_id: 'transfer',
            channel_id: 'channel-7',
            counterparty: { port_id: 'transfer', channel_id: 'channel-141' },
          },
        ],
      },
    },
  };

  /** The service over a state with a distribution account and an escrow. */
  function startParts() {
    const file = join(folder.path, 'parts.json');
    writeFileSync(file, JSON.stringify({ app_state: stateOfParts }));
    const service = startService({ file });
    const get = async (name: string, query: string) => {
      const { status, body } = await service.answer({ path: `/chain/inspector/v1/${name}`, query });
      return { status, ...JSON.parse(String(body)) };
    };
    return { file, get, dispose: () => service.dispose() };
  }

  it('names the parts of the distribution account and the channel of the other chain', async () => {
    const { get, dispose } = startParts();
    assert.deepEqual(await get('supply_split', 'denom=uatom'), {
      status: 200,
      split: {
        denom: 'uatom',
        supply: '110',
        holders: '2',
        classes: [
          { class: 'module', name: 'distribution', amount: '100' },
          { class: 'escrow', name: 'transfer/channel-7', counterparty: 'transfer/channel-141', amount: '7' },
          { class: 'residue', name: '', amount: '3' },
        ],
        distribution: {
          community_pool: '60.250000000000000000',
          outstanding_rewards: '39.500000000000000001',
          dust: '0.249999999999999999',
        },
      },
    });
    await dispose();
  });

  it('lists the largest holders by their classes', async () => {
    const { get, dispose } = startParts();
    assert.deepEqual(await get('largest_holders', 'denom=uatom'), {
      status: 200,
      holders: [
        { address: address(sha('distribution')), amount: '100', class: 'module', name: 'distribution' },
        { address: holder, amount: '7', class: 'escrow', name: 'transfer/channel-7' },
      ],
    });
    await dispose();
  });

  it('says that a denom is unknown, and that a file has changed', async () => {
    const { file, get, dispose } = startParts();
    for (const name of ['supply_split', 'largest_holders']) {
      const { status, code } = await get(name, 'denom=nope');
      assert.deepEqual([status, code], [404, 5]);
    }
    writeFileSync(file, JSON.stringify({ app_state: {} }));
    const { status, code } = await get('largest_holders', 'denom=uatom&again');
    assert.deepEqual([status, code], [503, 14]);
    await dispose();
  });

  for (const [name, padding, pack] of [
    ['small', 0, false],
    ['large', 1 << 21, false],
    ['packed', 0, true],
  ] as const)
    it(`finds the ten largest holders of a ${name} file`, async () => {
      const random = new Random(seed);
      const amounts = Array.from({ length: 3000 }, () => random.text('0123456789', 1 + random.below(30)));
      const balances = amounts.map((amount, index) => {
        const coins = [
          { denom: 'x', amount: '9' },
          { denom: 'y', amount },
        ];
        return { address: address(sha(`holder ${index}`)), coins: index % 2 === 0 ? coins : coins.reverse() };
      });
      const text = JSON.stringify({ app_state: { bank: { balances } } }) + ' '.repeat(padding);
      const file = join(folder.path, `largest.json${pack ? '.gz' : ''}`);
      writeFileSync(file, pack ? gzipSync(text) : text);
      const service = startService({ file });
      const { body } = await service.answer({ path: '/chain/inspector/v1/largest_holders', query: 'denom=y' });
      const found = JSON.parse(String(body)).holders.map(({ amount }: Coin) => amount);
      const sorted = amounts.map(BigInt).sort((a, b) => (a < b ? 1 : -1));
      assert.deepEqual(found, sorted.slice(0, 10).map(String));
      await service.dispose();
    });

  it('takes hostile states: many holders, denoms, channels and periods, in time that grows with their size', async () => {
    const largest = runs(10_000, 1_000_000);
    const measure = async (part: number) => {
      const file = join(folder.path, 'hostile.json');
      writeFileSync(file, JSON.stringify(hostileState(Math.floor(largest / part))));
      const start = process.cpuUsage();
      const service = startService({ file });
      const { status } = await service.answer({ path: '/chain/inspector/v1/supply_split', query: 'denom=d1' });
      assert.equal(status, 200);
      await service.ready;
      await service.dispose();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    await measure(4);
    const [quarter, whole] = [await measure(4), await measure(1)];
    assert.ok(whole < 4 * 4 * quarter + 500, `${quarter} ms, four times as much ${whole} ms`);
  });
});

/** `size` holders; a tenth of it denoms, channels with the same names as modules, and periods of one account. */
function hostileState(size: number): Record<string, unknown> {
  const tenth = Math.ceil(size / 10);
  const all = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  const vesting = address(sha('vesting'));
  const balances = all(size, (index) => ({
    address: index % 100 === 0 ? 'x'.repeat(index % 40) : address(sha(`${index}`)),
    coins: [{ denom: `d${index % tenth}`, amount: `${index}` }],
  }));
  balances.push({ address: vesting, coins: all(tenth, (index) => ({ denom: `d${index}`, amount: '5' })) });
  const channels = all(tenth, (index) => ({ port_id: 'gov', channel_id: `channel-${index}` }));
  const vesting_periods = all(tenth, (index) => ({ length: '1', amount: [{ denom: `d${index}`, amount: '1' }] }));
  const accounts = [
    {
      '@type': '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
      base_vesting_account: {
        base_account: { address: vesting },
        original_vesting: all(tenth, (index) => ({ denom: `d${index}`, amount: '5' })),
        end_time: '9999999999',
      },
      start_time: '1',
      vesting_periods,
    },
    ...all(tenth, (index) => ({
      '@type': '/cosmos.auth.v1beta1.ModuleAccount',
      base_account: { address: address(sha(`${index}`)) },
      name: 'gov',
    })),
  ];
  const app_state = { auth: { accounts }, bank: { balances, supply: [] }, ibc: { channel_genesis: { channels } } };
  return { genesis_time: '2024-01-01T00:00:00Z', app_state };
}
