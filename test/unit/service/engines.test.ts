import assert from 'node:assert/strict';
import { type BalanceSink, bodyOf, type LeftCoins } from '../../../src/service/holders/balances.ts';
import type { StakingSink } from '../../../src/service/modules/staking.ts';
import { type FastReader, Scanner, type ValueVisitor, type Visitor } from '../../../src/service/scan/jsonScanner.ts';
import { type ScanEngine, scriptEngine } from '../../../src/service/scan/scanEngine.ts';
import { openSimd, type SimdModule, simdEngine } from '../../../src/service/scan/simdEngine.ts';
import { StateFileError, ValueError } from '../../../src/service/serviceErrors.ts';
import { StateReader } from '../../../src/service/state.ts';
import { encodeAddress } from '../../../src/service/stateAddresses.ts';
import { Random, runs, seed } from '../../support/random.ts';
import { mutate } from './mutations.ts';

const people = Array.from({ length: 12 }, (_, at) => encodeAddress('cosmos', Buffer.alloc(20, at + 1)));

/** Pieces of JSON, whole and broken, of lengths around those of a block. */
const pieces: readonly [string, ...string[]] = [
  '{',
  '}',
  '[',
  ']',
  '[]',
  '{}',
  ',',
  ':',
  '"',
  '""',
  '\\',
  '\\\\',
  '\\"',
  '"\\u0041"',
  '"a":',
  '"list":[',
  '"sum":[',
  '"skip":',
  ' ',
  '\n',
  '\t\r\n',
  'null',
  '-1.5e3',
  'é',
  '\xff\xfe',
  '\xed\xa0\x80',
  '\u0000',
  '[[[[[[[[',
  ']]]]]]]]',
  '{"a":{"list":[',
  '\\'.repeat(63),
  '\\'.repeat(64),
  ' '.repeat(61),
  `"${'x'.repeat(62)}"`,
  `"${'\\"'.repeat(32)}"`,
];

const coins: readonly [string, ...string[]] = [
  '{"denom":"x","amount":"1"}',
  '{"amount":"000999999999999999999","denom":"x"}',
  `{"denom":"ibc/${'A'.repeat(64)}","amount":"${'9'.repeat(100)}"}`,
  `{"denom":"x","amount":"${'9'.repeat(101)}"}`,
  '{ "denom" : "y" ,\n\t"amount" : "18446744073709551615" }',
  '{"denom":"é","amount":"2"}',
  '{"denom":"\\u0078","amount":"3"}',
  '{"denom":"x","amount":"-1"}',
  '{"denom":"x","amount":1}',
  '{"denom":"x","denom":"y","amount":"1"}',
  '{"denom":"x"}',
  `{${Array(5).fill('"denom":"x"').join(',')}}`,
  '{"denom":"","amount":"0"}',
  '{"denom":"x","amount":"","a":0}',
];

/** A list of balances, spelled in many ways. */
function balances(random: Random): string {
  const coin = () => (random.chance(60) ? coins[0] : random.pick(coins));
  const balance = () => {
    const all = `[${Array.from({ length: random.below(4) }, coin).join(random.pick([',', ' , ', '\n,']))}]`;
    const body = random.chance(20) ? random.pick(['aaaaaaaa', 'abbaabba']) : random.text('ab', random.below(34));
    const members = [`"address":"cosmos1${body}bababa"`, `"coins":${all}`];
    if (random.chance(20)) members.reverse();
    return `{${members.join(random.pick([',', ',', ',\n  ']))}}`;
  };
  return `{"sum":[${Array.from({ length: random.below(12) }, balance).join(random.pick([',', ', ']))}],"a":1}`;
}

const accountTypes: readonly [string, ...string[]] = [
  '/x.BaseAccount',
  '/EthAccount',
  'aseAccount',
  '/é.BaseAccount',
  '/x.ModuleAccount',
];

function accounts(random: Random): string {
  const account = () => {
    const members = [`"@type":${random.pick(['', ' ', '\n  '])}"${random.pick(accountTypes)}"`, '"a":{"b":["\\"}"]}'];
    if (random.chance(10)) members.reverse();
    return `{${members.join(random.pick([',', ', ']))}}`;
  };
  return `{"accounts":[${Array.from({ length: random.below(9) }, account).join(random.pick([',', ' ,\n']))}]}`;
}

function source(random: Random): Buffer {
  const whole = random.chance(70) ? balances : accounts;
  const text = random.chance(50)
    ? whole(random)
    : `{"a":${Array.from({ length: random.below(20) }, () => random.pick(pieces)).join('')}`;
  const bytes = Buffer.from(text, 'latin1');
  return random.chance(60) ? mutate(bytes, random) : bytes;
}

const leftBodies = ['aaaaaaaa', 'abbaabba'];

/** The result of a scan: each value, each fault, each sum, and the error that ended it. */
function tokensOf(bytes: Buffer, { skipper, balances }: ScanEngine, cuts: readonly number[]): string {
  const found: string[] = [];
  const hasSink = bytes.length % 2 === 0;
  const sink: BalanceSink = {
    add: () => undefined,
    addRange: (chunk, address, denom, amount) =>
      void found.push(`${chunk.toString('latin1', ...address)} ${denom} ${chunk.toString('latin1', ...amount)}`),
  };
  const ofLeft = new Map<string, bigint>();
  const left: LeftCoins = (body, denom, amount) => {
    const key = `${body} ${denom}`;
    if (leftBodies.includes(body)) ofLeft.set(key, (ofLeft.get(key) ?? 0n) + amount);
    else balances.add(denom, amount);
  };
  const value: ValueVisitor = {
    kind: 'value',
    value: (chunk, start, end) => void found.push(`${scanner.path} ${chunk.toString('latin1', start, end)}`),
    refused: (error) => void found.push(`refused ${error.message}`),
  };
  // One that is cut is visited, and has nothing to be known.
  const account: ValueVisitor = {
    kind: 'value',
    value: (chunk, start, end) => {
      const text = chunk.toString('latin1', start, end);
      if (!/^\{\s*"@type"\s*:\s*"[ !#-[\]-\x7f]*(?:Base|Eth)Account"/.test(text)) found.push(`${scanner.path} ${text}`);
    },
  };
  const balance: ValueVisitor = {
    kind: 'value',
    value: (chunk, start, end) => {
      const { address, coins } = JSON.parse(chunk.toString('utf8', start, end));
      for (const { denom, amount } of coins ?? []) {
        if (!/^\d{1,100}$/.test(amount) || typeof amount !== 'string') throw new ValueError('no amount');
        left(bodyOf(String(address)), String(denom), BigInt(amount));
        if (hasSink) found.push(`${address} ${denom} ${amount}`);
      }
    },
  };
  const fast: FastReader = {
    read: (chunk, start) => balances.read(chunk, start, left, hasSink ? sink : undefined),
    get count() {
      return balances.count;
    },
  };
  const fastAccounts: FastReader = {
    read: (chunk, start) => skipper.skipAccounts(chunk, start, undefined),
    get count() {
      return skipper.count;
    },
  };
  const member = (name: string): Visitor | undefined => {
    if (name === 'skip') return undefined;
    if (name === 'list') return { kind: 'list', element: () => (found.length % 3 === 0 ? undefined : value) };
    if (name === 'accounts') return { kind: 'list', element: () => account, fast: fastAccounts };
    if (name === 'sum') return { kind: 'list', element: () => balance, fast };
    return name.length % 2 === 1 ? { kind: 'object', member, otherwise: value } : value;
  };
  for (const body of leftBodies) balances.leave(body, 1);
  const onFault = (error: StateFileError) => void found.push(`fault ${error.message}`);
  const scanner = new Scanner({ kind: 'object', member }, onFault, skipper);
  try {
    for (const [at, cut] of cuts.entries()) scanner.write(Buffer.from(bytes.subarray(cuts[at - 1] ?? 0, cut)));
    scanner.end();
  } catch (error) {
    if (!(error instanceof StateFileError) && !(error instanceof TypeError)) throw error;
    found.push(`ended ${error.message}`);
  }
  const sums = [...balances.totals(left)].map(([denom, { amount, holders }]) => `${denom}=${amount} of ${holders}`);
  const held = [...ofLeft].map(([key, amount]) => `${key}=${amount}`);
  return [...found, ...sums.sort(), ...held.sort()].join('\n');
}

describe(`the engines (seed ${seed})`, function () {
  this.timeout(3_600_000);
  const opened = openSimd();
  assert.ok(opened, 'dist/simd.wasm is missing');
  // Most inputs are faulty: their errors are compared by their messages.
  const { stackTraceLimit } = Error;
  before(() => {
    Error.stackTraceLimit = 0;
  });
  after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  const simd: SimdModule = opened;

  const check = (bytes: Buffer, expected: string, cuts: readonly number[], run: number) => {
    const same = tokensOf(bytes, simdEngine(simd), [...cuts, bytes.length]) === expected;
    if (same) return;
    const label = `SEED=${seed + run} cut at ${cuts.join(', ')}: ${JSON.stringify(bytes.toString('latin1'))}`;
    assert.equal(tokensOf(bytes, simdEngine(simd), [...cuts, bytes.length]), expected, label);
  };

  it('find the same tokens and sums in every input', () => {
    let faultless = 0;
    let summed = 0;
    for (let run = 0; run < runs(20_000, 1_000_000); run++) {
      const random = new Random(seed + run);
      const bytes = source(random);
      const expected = tokensOf(bytes, scriptEngine(), [bytes.length]);
      if (!expected.includes('ended')) faultless++;
      if (expected.includes('=')) summed++;
      // Whole and cut by turns.
      check(bytes, expected, run % 2 === 0 ? [] : [random.below(bytes.length + 1)], run);
      if (run % 1000 === 0) for (let cut = 0; cut <= bytes.length; cut++) check(bytes, expected, [cut], run);
    }
    assert.ok(faultless > 1000 && summed > 1000, `${faultless} without a fault, ${summed} with sums`);
  });

  it('sum the same beyond what the module has room for: denoms, coins of a balance, coins that are handed over', () => {
    const coin = (index: number) => `{"denom":"ibc/${index}","amount":"${index}"}`;
    const balance = (first: number, count: number) =>
      `{"address":"a${first}","coins":[${Array.from({ length: count }, (_, at) => coin(first + at)).join(',')}]}`;
    const rows = [
      balance(0, 4096),
      balance(0, 4097),
      ...Array.from({ length: 80 }, (_, at) => balance(at * 2000, 2000)),
    ];
    const few = rows.slice(0, 14);
    for (const [all, isHandedOver, last] of [
      [[...rows, ...rows], false, 'ibc/159999=319998 of 2'],
      [[...few, ...few], true, 'ibc/23999=47998 of 2'],
    ] as const) {
      const text = `{"sum":[${all.join(',')}]}`;
      const bytes = Buffer.from((text.length % 2 === 0) === isHandedOver ? text : `${text} `);
      const expected = tokensOf(bytes, scriptEngine(), [bytes.length]);
      assert.ok(expected.includes(last));
      check(bytes, expected, [], 0);
    }
  });

  it('skip a million levels, and refuse one more', () => {
    for (const depth of [999_999, 1_000_001]) {
      const bytes = Buffer.from(`{"skip":${'['.repeat(depth)}${']'.repeat(depth)}}`);
      check(bytes, tokensOf(bytes, scriptEngine(), [bytes.length]), [depth], 0);
    }
  });

  it('hand over the same delegations, and count those of voters', () => {
    let counted = 0;
    for (let run = 0; run < runs(600, 200_000); run++) {
      const random = new Random(seed + run);
      const state = Buffer.from(delegatedState(random));
      const list = state.indexOf('"delegations"') + 15;
      const changed = mutate(state.subarray(list, -4), random);
      const rest = random.chance(50) ? changed : state.subarray(list, -4);
      const bytes = Buffer.concat([state.subarray(0, list), rest, Buffer.from(']}}}')]);
      const expected = delegationsOf(bytes, scriptEngine(), [bytes.length]);
      const cuts = [random.below(bytes.length + 1), bytes.length];
      if (/"yes":"[1-9]/.test(expected)) counted++;
      assert.equal(delegationsOf(bytes, simdEngine(simd), cuts), expected, `SEED=${seed + run}: ${rest}`);
    }
    assert.ok(counted > 90, `${counted} counted`);
  });

  it('tell the same accounts apart, and find the same coins locked', () => {
    let locked = 0;
    for (let run = 0; run < runs(900, 200_000); run++) {
      const random = new Random(seed + run);
      const { before, accounts, after } = vestedState(random);
      // A plain account that is cut is visited, and broken JSON in it is found then only.
      const isCutAnywhere = run % 1500 === 0;
      const isCut = isCutAnywhere || random.chance(50);
      const changed = isCut || random.chance(50) ? Buffer.from(accounts) : mutate(Buffer.from(accounts), random);
      const bytes = Buffer.concat([Buffer.from(before), changed, Buffer.from(after)]);
      const expected = splitOf(bytes, scriptEngine(), [bytes.length]);
      if (expected.includes('vesting_locked')) locked++;
      const check = (cuts: readonly number[]) =>
        assert.equal(
          splitOf(bytes, simdEngine(simd), [...cuts, bytes.length]),
          expected,
          `SEED=${seed + run}: ${bytes}`,
        );
      check(isCut ? [random.below(bytes.length + 1)] : []);
      if (isCutAnywhere) for (let cut = 0; cut <= bytes.length; cut += runs(3, 1)) check([cut]);
    }
    assert.ok(locked > 54, `${locked} with locked coins`);
  });

  it('take an account for plain by its type, whatever it holds and wherever it is cut', () => {
    const address = 'cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpjnp7du';
    const inner = `{"base_account":{"address":"${address}"},"original_vesting":[{"denom":"x","amount":"70"}],"end_time":"1"}`;
    const account = `{"@type":"/cosmos.auth.v1beta1.BaseAccount","account":${inner}}`;
    const balance = `{"address":"${address}","coins":[{"denom":"x","amount":"100"}]}`;
    const bytes = Buffer.from(
      `{"app_state":{"auth":{"accounts":[${account}]},"bank":{"balances":[${balance}]},"gov":{}}}`,
    );
    const expected = splitOf(bytes, scriptEngine(), [bytes.length]);
    assert.doesNotMatch(expected, /BaseAccount/);
    for (let cut = 0; cut <= bytes.length; cut += 1)
      assert.equal(splitOf(bytes, simdEngine(simd), [cut, bytes.length]), expected, `${cut}`);
  });

  it('tell accounts apart whose addresses are shorter or longer than any of a chain', () => {
    for (let run = 0; run < runs(300, 50_000); run++) {
      const random = new Random(seed + run);
      const lengths: readonly [number, ...number[]] = [
        0, 1, 5, 6, 7, 8, 9, 12, 13, 14, 15, 38, 339, 340, 341, 342, 343, 350, 1016,
      ];
      const address = () => `${random.pick(['', 'a1', 'cosmos1'])}${random.text('ab', random.pick(lengths))}bababa`;
      const all = Array.from({ length: 12 }, address);
      const modules = all.filter(() => random.chance(40));
      const account = (name: string) =>
        `{"@type":"/cosmos.auth.v1beta1.ModuleAccount","base_account":{"address":"${name}"},"name":"${name}"}`;
      const balance = (name: string) => `{"address":"${name}","coins":[{"denom":"x","amount":"7"}]}`;
      const accounts = `"auth":{"accounts":[${modules.map(account).join(',')}]}`;
      const balances = `"bank":{"balances":[${[...people, ...all, ...all].map(balance).join(',')}]}`;
      const bytes = Buffer.from(`{"app_state":{${accounts},${balances}}}`);
      const expected = splitOf(bytes, scriptEngine(), [bytes.length]);
      const cuts = [random.below(bytes.length + 1), bytes.length];
      assert.equal(splitOf(bytes, simdEngine(simd), cuts), expected, `SEED=${seed + run}: ${bytes}`);
    }
  });
});

/** A state with accounts of every kind, spelled in many ways, and what they hold. */
function vestedState(random: Random): { readonly before: string; readonly accounts: string; readonly after: string } {
  const space = random.pick(['', '', ' ', '\n  ']);
  const members = (list: readonly string[]) => {
    if (random.chance(10)) list = list.toReversed();
    return `{${space}${list.join(`,${space}`)}${space}}`;
  };
  const coins = () =>
    random.chance(60)
      ? '[{"denom":"x","amount":"70"}]'
      : random.pick([
          '[]',
          'null',
          '[{"denom":"x","amount":"70"}]',
          '[{"amount":"9","denom":"y"},{"denom":"x","amount":"5"}]',
          '[{}]',
        ]);
  const time = () =>
    random.chance(80)
      ? '"1700000000"'
      : random.pick(['"1600000000"', '1700000000', '"0"', 'null', '"x"', '-1', '1e3', '16000000000000000']);
  const rare = () =>
    random.pick([
      '"a":{"b":[1,true,{"c":null}]}',
      '"a":tru',
      '"a":01',
      '"a":"\\u0041"',
      '"address":"x"',
      '"coins":[]',
      '"value":{}',
      '"module_name":"mint"',
      '"pub_key":null',
      '"é":1',
    ]);
  const account = () => {
    const address = `"address":"${random.chance(95) ? people[random.below(people.length)] : random.pick(['', 'a', 'é'])}"`;
    const extra = random.chance(10) ? [rare()] : [];
    const base = members([address, ...extra]);
    const type = (name: string) => `"@type":"/cosmos.vesting.v1beta1.${name}"`;
    if (random.chance(30)) return members([type('BaseAccount'), address]);
    if (random.chance(30))
      return members([
        type('ModuleAccount'),
        `"base_account":${base}`,
        `"name":${random.pick(['"gov"', '"é"', '1', '""'])}`,
      ]);
    const vesting = members([
      `"base_account":${base}`,
      `"original_vesting":${coins()}`,
      `"delegated_vesting":${coins()}`,
      `"end_time":${time()}`,
      ...extra,
    ]);
    if (random.chance(15)) {
      const inside = random.pick([members([type('BaseAccount'), address]), vesting, '"x"', 'null']);
      const wrapper = random.pick(['vesting_account', 'account', 'Account', 'base', 'inner']);
      const isBroken = /:(?:tru|01)$/.test(extra[0] ?? '');
      // Broken JSON in a plain account is found only if the account is cut.
      const name = random.pick(['Profile', isBroken ? 'Profile' : 'BaseAccount']);
      return members([type(name), `"${wrapper}":${inside}`, ...extra]);
    }
    const kind = random.pick([
      'ContinuousVestingAccount',
      'DelayedVestingAccount',
      'PeriodicVestingAccount',
      'PermanentLockedAccount',
      'ClawbackAccount',
    ]);
    const periods = `"vesting_periods":[{"length":${time()},"amount":${coins()}}]`;
    return members([
      type(kind),
      `"base_vesting_account":${vesting}`,
      `"start_time":${time()}`,
      ...(random.chance(30) ? [periods] : []),
      ...extra,
    ]);
  };
  const balances = [...people, ...people.slice(3)].map(
    (address) =>
      `{"address":"${address}","coins":${random.pick(['[]', '[{"denom":"x","amount":"0100"}]', '[{"denom":"x","amount":"7"},{"denom":"y","amount":"1"}]'])}}`,
  );
  const list = Array.from({ length: random.below(6) }, () => reward(random, members)).join(random.pick([',', ', ']));
  const distribution = `"distribution":{"outstanding_rewards":[${random.chance(70) ? list : mutate(Buffer.from(list), random)}]},`;
  const late = random.chance(80) ? '' : `,"wasm":{"contracts":[{"contract_address":"${people[random.below(8)]}"}]}`;
  const isFirst = random.chance(50);
  const first = `{"@type":"/cosmos.auth.v1beta1.BaseAccount","address":"${people[0]}"}`;
  return {
    before: `{"genesis_time":"2021-01-01T00:00:00Z","app_state":{"auth":{"accounts":[${first},`,
    accounts: Array.from({ length: 1 + random.below(8) }, account).join(random.pick([',', ' ,\n'])),
    after: `]},${isFirst ? distribution : ''}"bank":{"balances":[${balances.join(',')}],"supply":[]}${isFirst ? '' : `,${distribution.slice(0, -1)}`}${late}}}`,
  };
}

/** The rewards of a validator, as a state writes them. */
function reward(random: Random, members: (list: readonly string[]) => string): string {
  const amount = () =>
    random.chance(80)
      ? `"${random.below(1000)}.${String(random.below(1e9)).padStart(18, '0')}"`
      : random.pick([
          `"${'9'.repeat(100)}.${'9'.repeat(18)}"`,
          '"1.5"',
          '"7"',
          '"-1.0"',
          '"1e3"',
          '".5"',
          '1',
          `"1.${'0'.repeat(19)}"`,
        ]);
  const denom = () => (random.chance(95) ? random.pick(['x', 'y']) : random.pick(['\\u0078', 'é', '']));
  const coin = () => members([`"amount":${amount()}`, `"denom":"${denom()}"`]);
  const coins = random.chance(97)
    ? `[${Array.from({ length: random.below(3) }, coin).join(',')}]`
    : random.pick(['null', '1']);
  const rewards = `"outstanding_rewards":${coins}`;
  const extra = random.chance(90) ? [] : [random.pick([rewards, '"a":1', '"outstanding_rewards":[]'])];
  return members([rewards, `"validator_address":"${random.chance(98) ? 'v' : '\\u0041'}"`, ...extra]);
}

/** The split, whether it needs another reading, the accounts with a class of their own, and the faults. */
function splitOf(bytes: Buffer, engine: ScanEngine, cuts: readonly number[]): string {
  const found: string[] = [];
  const onFault = (_: string, error: StateFileError) => void found.push(`fault ${error.message}`);
  const reader = new StateReader({ onFault }, engine);
  try {
    for (const [at, cut] of cuts.entries()) reader.scanner.write(Buffer.from(bytes.subarray(cuts[at - 1] ?? 0, cut)));
    reader.end();
    found.push(`again ${reader.isToBeReadAgain}`);
    reader.endSplit();
    const { denoms, accounts } = reader.modules.split ?? {};
    for (const table of [denoms, accounts])
      found.push(Buffer.from(table?.keys.bytes ?? []).toString(), Buffer.from(table?.rows.bytes ?? []).toString());
    found.push(
      ...reader.notices,
      ...[...reader.faults.values()].map(({ first, count }) => `${first.message} ${count}`),
    );
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error;
    found.push(`ended ${error.message}`);
  }
  return found.join('\n');
}

/** A state with a running vote, and delegations spelled in many ways as the last thing in it. */
function delegatedState(random: Random): string {
  const voters = people.filter(() => random.chance(20));
  const votes = voters.map((voter) => ({ proposal_id: '1', voter, option: 'VOTE_OPTION_YES' }));
  const validators = people.slice(0, 3).map((operator_address) => {
    return { operator_address, status: 'BOND_STATUS_BONDED', tokens: '1000', delegator_shares: '1000.0' };
  });
  const shares = () =>
    random.pick(['1', '12.5', `${'9'.repeat(100)}.${'1'.repeat(18)}`, '1.', '.5', `1.${'0'.repeat(19)}`, '-1', 'x']);
  const delegation = () => {
    const members = [
      `"delegator_address":"${random.chance(98) ? people[random.below(people.length)] : random.pick(['', 'a', 'é', '\\u0041'])}"`,
      `"validator_address":"${people[random.below(people.length)]}"`,
      `"shares":"${random.chance(97) ? '10.000000000000000000' : shares()}"`,
    ];
    if (random.chance(20)) members.reverse();
    if (random.chance(5)) members.push('"a":1');
    if (random.chance(5)) members.splice(0, 1, ...Array(4).fill(members[2]));
    return `{${members.join(random.pick([',', ',', ' ,\n ']))}}`;
  };
  const proposals = [{ proposal_id: '1', status: 'PROPOSAL_STATUS_VOTING_PERIOD' }];
  const gov = JSON.stringify({ proposals, votes });
  const list = Array.from({ length: random.below(20) }, delegation).join(random.pick([',', ', ']));
  const before = `"exported":true,"validators":${JSON.stringify(validators)}`;
  return `{"app_state":{"bank":{"balances":[]},"gov":${gov},"staking":{${before},"delegations":[${list}]}}}`;
}

/** The parts of each delegation that are handed over, the result of the votes, and the faults. */
function delegationsOf(bytes: Buffer, engine: ScanEngine, cuts: readonly number[]): string {
  const found: string[] = [];
  const onFault = (_: string, error: StateFileError) => void found.push(`fault ${error.message}`);
  const staking: StakingSink = {
    delegation: (...cells) => void found.push(cells.join(' ')),
    delegationRange: (chunk, delegator, validator, shares) =>
      void found.push(`${chunk.toString('latin1', ...delegator)} ${validator} ${chunk.toString('latin1', ...shares)}`),
    unbonding: () => undefined,
  };
  const reader = new StateReader({ onFault, staking }, engine, { split: false });
  try {
    for (const [at, cut] of cuts.entries()) reader.scanner.write(Buffer.from(bytes.subarray(cuts[at - 1] ?? 0, cut)));
    reader.end();
    found.push(...reader.notices, JSON.stringify(reader.modules.staking?.tallies) ?? '');
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error;
    found.push(`ended ${error.message}`);
  }
  return found.join('\n');
}
