import assert from 'node:assert/strict';
import type { GovState } from '../../../src/service/modules/govReader.ts';
import { parseExactly } from '../../../src/service/scan/jsonValue.ts';
import { rowAt } from '../../../src/service/table.ts';
import { coinsOf, rowsOf, type Scanned, scanBytes, scanText } from './scanText.ts';
import { smallState, textProposal, v1Proposal } from './smallState.ts';

const state = smallState();
const compact = JSON.stringify(state);

/** The same value with its members in another order, spaced out, every character of every string escaped. */
function respell(value: unknown): string {
  if (typeof value === 'string')
    return `"${[...value].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  if (Array.isArray(value)) return `[ ${value.map(respell).join(' ,\r\n')}\t]`;
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)} `;
  const members = Object.entries(value)
    .reverse()
    .map(([name, inner]) => `\n${respell(name)} :\t${respell(inner)}`);
  return `{${members.join(' , ')} }`;
}

/** The result of a scan, without the order of metadata fields and the like. */
function content({ parts, faults, notices }: Scanned) {
  const { header, bank, gov, staking, params } = parts;
  return {
    header,
    staking: { ...staking, validators: rowsOf(staking?.validators) },
    faults,
    notices,
    params: Object.fromEntries(Object.entries(params ?? {}).map(([name, text]) => [name, JSON.parse(text)])),
    supply: rowsOf(bank?.supply),
    metadata: rowsOf(bank?.metadata),
    proposals: rowsOf(gov?.proposals),
    statuses: gov?.proposals.tags,
    votes: rowsById(gov?.votes),
    deposits: rowsById(gov?.deposits),
    govParams: JSON.parse(gov?.params ?? 'null'),
  };
}

function rowsById(tables: GovState['votes'] = {}) {
  return Object.fromEntries(Object.entries(tables).map(([id, table]) => [id, rowsOf(table)]));
}

describe('the scan of a state', () => {
  const whole = content(scanText(compact));

  it('reads the small state', () => {
    assert.deepEqual(whole.faults, []);
    assert.deepEqual(whole.notices, []);
    assert.equal(whole.supply.length, 8);
    assert.deepEqual([...(whole.statuses ?? [])], [3, 4, 5, 1, 2, 2]);
    assert.deepEqual(whole.header, {
      chainId: 'small-1',
      height: '1233',
      time: '2024-01-04T00:00:00Z',
      appName: undefined,
    });
  });

  it('comes to the same in chunks of any size', () => {
    for (const size of [1, 2, 3, 5, 7, 11, 64, 129, 1000])
      assert.deepEqual(content(scanText(compact, size)), whole, `${size}`);
  });

  it('comes to the same in any order, spacing and escaping, and with a BOM', () => {
    const spelled = respell(state);
    for (const size of [1, 3, 1 << 20]) assert.deepEqual(content(scanText(spelled, size)), whole);
    assert.deepEqual(content(scanText(JSON.stringify(state, null, '\t'), 13)), whole);
    assert.deepEqual(content(scanText(`\ufeff \n${compact}\n \r\n`)), whole);
    for (const size of [1, 2]) assert.deepEqual(content(scanText(`\ufeff${compact}`, size)), whole);
  });

  it('skips what it does not know, whatever it looks like', () => {
    const odd = {
      'a "quoted" \\ name': ['\\', '\\\\"', '}{][', { deep: [[[{}]]] }, 1e9, null, true, ''],
      '': {},
      bank: 1,
    };
    const text = compact.replace(
      '"app_state":{',
      `"app_state":{"wasm":${JSON.stringify(odd)},"ibc":[],"evm":null,"x":"y",`,
    );
    for (const size of [1, 2, 1 << 20]) assert.deepEqual(content(scanText(text, size)), whole);
  });

  it('is not lost in nesting of 100,000', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = compact.replace('"app_state":{', `"app_state":{"wasm":{"deep":${deep}},`);
    assert.deepEqual(content(scanText(text, 4096)), whole);
  });

  it('keeps numbers that a double cannot hold', () => {
    const exact = '{"@type":"/x","big":123456789012345678901234567890,"rate":0.10,"list":[1.000000000000000000001,-5]}';
    const text = JSON.stringify({
      app_state: { gov: { proposals: [textProposal(1, 'PASSED', { content: 'HERE' })] } },
    });
    const { parts } = scanText(text.replace('"HERE"', exact));
    assert.ok(
      Buffer.from(parts.gov?.proposals.rows.bytes ?? [])
        .toString()
        .includes(`"content":${exact},`),
    );
    const spellings = [
      '{"a" : 1.50}',
      '{"a"\n:\t-0.10}',
      '[1.0, 2.50,[ 1e2]]',
      ' 12345678901234567890',
      '{"a":":1.50","b":-7}',
    ];
    for (const spelling of spellings)
      assert.equal(JSON.stringify(parseExactly(spelling)), spelling.replaceAll(/\s/g, ''));
  });

  it('takes text that is not ASCII', () => {
    const title = 'Änderung · 提案 · 🚀 · \u2028';
    const content = { '@type': '/x', title };
    for (const size of [1, 2, 3, 1 << 20]) {
      const scanned = scanText({ app_state: { gov: { proposals: [textProposal(1, 'PASSED', { content })] } } }, size);
      assert.equal(Object(rowsOf(scanned.parts.gov?.proposals)[0]).content.title, title);
    }
  });
});

describe('the supply of a state', () => {
  const bank = (members: object) => scanText({ app_state: { bank: members } });
  const coins = (...amounts: readonly string[]) => amounts.map((amount, index) => ({ denom: `coin${index}`, amount }));

  it('is the sum of the balances where it is empty, exactly', () => {
    const large = 10n ** 60n;
    const balances = Array.from({ length: 1000 }, (_, index) => ({
      address: 'a',
      coins: coins(String(999_999_999_999_999n - BigInt(index)), String(large + BigInt(index)), '0', `000${index}`),
    }));
    const sum = (start: bigint, step: bigint) => start * 1000n + step * 499_500n;
    const expected = [`coin0 ${sum(999_999_999_999_999n, -1n)}`, `coin1 ${sum(large, 1n)}`, `coin3 ${sum(0n, 1n)}`];
    assert.deepEqual(coinsOf(bank({ supply: [], balances })), expected);
    assert.deepEqual(coinsOf(bank({ balances })), expected);
    const spelled = respell({ app_state: { bank: { supply: [], balances } } });
    assert.deepEqual(coinsOf(scanText(spelled, 777)), expected);
    for (const size of [1, 100, 4097])
      assert.deepEqual(coinsOf(scanText({ app_state: { bank: { balances } } }, size)), expected);
  });

  it('is summed as fast for denoms that were chosen to look alike', () => {
    // "Aa" and "BB" come to the same in the usual hash of bytes.
    const alike = Array.from({ length: 2 ** 15 }, (_, index) =>
      index.toString(2).padStart(16, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB'),
    );
    const balances = [...Array.from({ length: 20 }, () => ({ coins: [] })), ...alike, ...alike].map((denom) =>
      typeof denom === 'string' ? { coins: [{ denom, amount: '4' }] } : denom,
    );
    const start = process.cpuUsage();
    const found = coinsOf(bank({ balances }));
    const { user, system } = process.cpuUsage(start);
    assert.deepEqual(
      found,
      alike.toSorted().map((denom) => `${denom} 8`),
    );
    assert.ok(user + system < 2_000_000, `${user + system} µs`);
  });

  it('is compared with the balances, and the notice names what differs', () => {
    const { notices, parts } = bank({
      supply: coins('1', '5', '7'),
      balances: [{ address: 'a', coins: coins('1', '4') }],
    });
    assert.deepEqual(notices.slice(0, 1), [
      'The supply does not match the sum of the balances for coin1, coin2. It is shown as stated in the file.',
    ]);
    assert.equal(parts.bank?.supply.count, 3);
    assert.deepEqual(bank({ supply: coins('1'), balances: [{ address: 'a', coins: coins('1') }] }).notices, [
      'This state has no gov module.',
    ]);
    assert.deepEqual(bank({ supply: coins('1') }).notices, ['This state has no gov module.']);
    assert.deepEqual(bank({ supply: coins('1'), balances: [] }).notices, ['This state has no gov module.']);
    const many = bank({ supply: coins(...Array(9).fill('1')), balances: [{ address: 'a', coins: [] }] });
    assert.match(many.notices[0] ?? '', /coin0, coin1, coin2, coin3, coin4 and 4 more/);
  });

  it('keeps a stated zero, and drops leading zeros', () => {
    assert.deepEqual(coinsOf(bank({ supply: coins('0', '007') })), ['coin0 0', 'coin1 7']);
  });
});

describe('the forms of a state', () => {
  const supply = [{ denom: 'utest', amount: '5' }];
  const proposals = [textProposal(3, 'PASSED')];
  const modules = { bank: { supply }, gov: { proposals } };

  it('finds the modules in an export, wrapped or bare', () => {
    const document = { chain_id: 'c-1', genesis_time: '2020-01-01T00:00:00Z', app_state: modules };
    for (const form of [
      document,
      { genesis: document },
      { jsonrpc: '2.0', id: 1, result: { genesis: document } },
      modules,
    ]) {
      const scanned = scanText(form);
      assert.deepEqual(coinsOf(scanned), ['utest 5']);
      assert.deepEqual(rowsOf(scanned.parts.gov?.proposals), proposals);
      assert.equal(scanned.parts.header?.chainId, form === modules ? '' : 'c-1');
    }
  });

  it('does without bank or gov, and says so', () => {
    const withoutGov = scanText({ app_state: { bank: { supply } } });
    assert.deepEqual(withoutGov.notices, ['This state has no gov module.']);
    assert.equal(withoutGov.parts.gov?.proposals.count, 0);
    const withoutBank = scanText({ app_state: { gov: { proposals, votes: null, deposits: null } } });
    assert.deepEqual(withoutBank.notices, ['This state has no bank module.']);
    assert.equal(withoutBank.parts.bank?.supply.count, 0);
  });

  const value = { title: 'T', description: 'D' };
  const rest = {
    final_tally_result: { yes: '1', abstain: '0', no: '0', no_with_veto: '0' },
    submit_time: '2019-01-01T00:00:00Z',
    deposit_end_time: '2019-01-02T00:00:00Z',
    total_deposit: [],
    voting_start_time: '0001-01-01T00:00:00Z',
    voting_end_time: '0001-01-01T00:00:00Z',
  };
  const aminoState = {
    chain_id: 'old-1',
    app_state: {
      bank: { send_enabled: true },
      supply: { supply },
      gov: {
        proposals: [
          {
            content: { type: 'cosmos-sdk/CommunityPoolSpendProposal', value: { ...value, recipient: 'r' } },
            id: '3',
            proposal_status: 'VotingPeriod',
            ...rest,
          },
          {
            proposal_content: { type: 'gov/TextProposal', value: { ...value, proposal_type: 'Text' } },
            proposal_id: '2',
            proposal_status: 'DepositPeriod',
            ...rest,
          },
          {
            type: 'gov/TextProposal',
            value: { ...value, proposal_type: 'Text', proposal_id: '1', proposal_status: 'Rejected', ...rest },
          },
          { content: { type: 'own/Proposal', value }, id: '4', proposal_status: 'Failed', ...rest },
          {
            type: 'gov/TextProposal',
            value: {
              ...value,
              proposal_type: 'SoftwareUpgrade',
              proposal_id: '5',
              proposal_status: 'Passed',
              ...rest,
            },
          },
        ],
        deposits: [{ proposal_id: '2', deposit: { depositor: 'd', proposal_id: '2' } }],
        votes: [{ proposal_id: '3', voter: 'v', option: 'Yes' }],
        tally_params: { quorum: '0.4', threshold: '0.5', veto: '0.3' },
        voting_params: { voting_period: '172800000000000' },
        deposit_params: { max_deposit_period: '48h0m1s' },
      },
    },
  };

  it('maps the amino forms of before SDK 0.40', () => {
    const scanned = scanText(aminoState);
    const text = '/cosmos.gov.v1beta1.TextProposal';
    assert.deepEqual(rowsOf(scanned.parts.gov?.proposals), [
      { proposal_id: '1', content: { '@type': text, ...value }, status: 'PROPOSAL_STATUS_REJECTED', ...rest },
      { proposal_id: '2', content: { '@type': text, ...value }, status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', ...rest },
      {
        proposal_id: '3',
        content: { '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', ...value, recipient: 'r' },
        status: 'PROPOSAL_STATUS_VOTING_PERIOD',
        ...rest,
      },
      { proposal_id: '4', content: { '@type': 'own/Proposal', ...value }, status: 'PROPOSAL_STATUS_FAILED', ...rest },
      // A text of that time may name another kind of content.
      {
        proposal_id: '5',
        content: { '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal', ...value },
        status: 'PROPOSAL_STATUS_PASSED',
        ...rest,
      },
    ]);
    assert.deepEqual(coinsOf(scanned), ['utest 5']);
    assert.deepEqual(rowsById(scanned.parts.gov?.votes), {
      3: [{ proposal_id: '3', voter: 'v', option: 'VOTE_OPTION_YES' }],
    });
    assert.deepEqual(rowsById(scanned.parts.gov?.deposits), { 2: [{ proposal_id: '2', depositor: 'd', amount: [] }] });
  });

  it('sums the accounts of before SDK 0.40 where there is no supply module', () => {
    const coins = [{ denom: 'uold', amount: '7' }];
    for (const app_state of [
      {
        accounts: [
          { address: 'a', coins },
          { address: 'b', coins: [] },
          { address: 'c', coins },
        ],
        bank: {},
      },
      {
        auth: {
          accounts: [
            { type: 'cosmos-sdk/Account', value: { coins } },
            { type: 'cosmos-sdk/DelayedVestingAccount', value: { BaseVestingAccount: { BaseAccount: { coins } } } },
          ],
        },
      },
    ])
      assert.deepEqual(coinsOf(scanText({ app_state })), ['uold 14']);
    const later = {
      auth: { accounts: [{ '@type': '/cosmos.auth.v1beta1.BaseAccount' }, { coins }] },
      bank: { supply },
    };
    assert.deepEqual(coinsOf(scanText({ app_state: later })), ['utest 5']);
  });

  it('has the stated supply of SDK 0.36 to 0.39 in any order of the modules, and the sum where none is stated', () => {
    const coins = [{ denom: 'uold', amount: '7' }];
    const modules = {
      accounts: [{ address: 'a', coins }],
      auth: { params: {} },
      bank: { send_enabled: true },
      supply: { supply: [{ denom: 'uold', amount: '8' }] },
    };
    const difference = 'The supply does not match the sum of the balances for uold. It is shown as stated in the file.';
    const orders = [
      ['accounts', 'bank', 'supply'],
      ['bank', 'supply', 'accounts'],
      ['supply', 'bank', 'accounts'],
    ] as const;
    for (const order of orders) {
      const stated = scanText({ app_state: Object.fromEntries(order.map((name) => [name, modules[name]])) });
      assert.deepEqual(coinsOf(stated), ['uold 8']);
      assert.ok(stated.notices.includes(difference), stated.notices.join());
      const empty = { ...modules, supply: { supply: [] } };
      const summed = scanText({ app_state: Object.fromEntries(order.map((name) => [name, empty[name]])) });
      assert.deepEqual(coinsOf(summed), ['uold 7']);
      assert.deepEqual(
        [summed.notices[0], summed.notices.slice(2)],
        ['This state lists no supply: the supply shown is the sum of all balances.', ['This state has no gov module.']],
      );
    }
  });

  it('says that the supply is the sum of all balances where its list is empty', () => {
    const notice = 'This state lists no supply: the supply shown is the sum of all balances.';
    const bank = { balances: [{ address: 'a', coins: [{ denom: 'utest', amount: '5' }] }], supply: [] };
    const summed = scanText({ app_state: { bank } });
    assert.deepEqual([coinsOf(summed), summed.notices.includes(notice)], [['utest 5'], true]);
    const stated = scanText({ app_state: { bank: { ...bank, supply: [{ denom: 'utest', amount: '5' }] } } });
    const none = scanText({ app_state: { bank: { balances: [], supply: [] } } });
    assert.ok([stated, none].every(({ notices }) => !notices.includes(notice)));
  });

  it('adds the staking pool to the accounts of before SDK 0.36, which had no supply module, and says so', () => {
    const app_state = {
      accounts: [
        {
          address: 'a',
          coins: [
            { denom: 'stake', amount: '5' },
            { denom: 'other', amount: '3' },
          ],
        },
      ],
      bank: { send_enabled: true },
      staking: { pool: { not_bonded_tokens: '6', bonded_tokens: '10' }, params: { bond_denom: 'stake' } },
    };
    const notice =
      'This state has no supply module: the supply of stake is taken from the staking pool, and other supplies are the sums of all account balances.';
    for (const state of [app_state, Object.fromEntries(Object.entries(app_state).reverse())]) {
      const scanned = scanText({ app_state: state });
      assert.deepEqual(coinsOf(scanned), ['other 3', 'stake 16']);
      assert.equal(scanned.notices[0], notice);
      assert.equal(scanned.parts.staking?.bondedTokens, '10');
    }
    // From 0.36 on the module accounts hold the staked tokens.
    const later = scanText({ app_state: { ...app_state, supply: { supply: [] } } });
    assert.deepEqual(coinsOf(later), ['other 3', 'stake 5']);
  });

  it('is at the height before the one that comes next; a genesis has none', () => {
    for (const [initial_height, height] of [
      ['4821339', '4821338'],
      [4821339, '4821338'],
      ['1', undefined],
      [1, undefined],
      ['0', undefined],
      ['', undefined],
      [undefined, undefined],
      ['x', undefined],
    ])
      assert.equal(scanText({ initial_height, app_state: {} }).parts.header?.height, height);
  });

  it('knows the bonded tokens of an export, or of a pool that the file states', () => {
    const validators = [
      { status: 'BOND_STATUS_BONDED', tokens: '3' },
      { status: 2, tokens: '4' },
      { status: 1, tokens: '5' },
    ];
    const bonded = (staking: object) => scanText({ app_state: { staking } }).parts.staking?.bondedTokens;
    assert.equal(bonded({ exported: true, validators }), '7');
    assert.equal(bonded({ validators, exported: true }), '7');
    assert.equal(bonded({ validators, exported: false }), '7');
    assert.equal(bonded({ validators }), '7');
    assert.equal(bonded({ validators: [] }), undefined);
    assert.equal(bonded({ validators, pool: { bonded_tokens: '9', not_bonded_tokens: '1' } }), '9');
  });
});

describe('a bad state', () => {
  const fails = (content: unknown, message: RegExp) => assert.throws(() => scanText(content, 3), { message });

  it('that is no JSON, or no object', () => {
    fails('', /The file is empty \(byte 0\)/);
    fails('  \n', /The JSON is cut off|The file is empty/);
    fails('hello', /Not valid JSON: expected "{", found "h" \(byte 0\)/);
    fails(' []', /expected "{", found "\[" \(byte 1\)/);
    fails('{"app_state":{}} x', /expected the end of the file, found "x" \(byte 17\)/);
    fails('{"app_state":{}}}', /expected the end of the file, found "}" \(byte 16\)/);
    fails('{"a":1,}', /expected a member name in quotes, found "}" \(byte 7\)/);
    fails("{'a':1}", /expected a member name in quotes, found "'" \(byte 1\)/);
    fails('{"a" 1}', /expected ":", found "1" \(byte 5 at a\)/);
    fails('{"a":1 "b":2}', /expected "," or "}", found """ \(byte 7 at a\)/);
    fails('{"a":[1}]}', /expected the other kind of bracket, found "}" \(byte 7 at a\)/);
    fails('{"a":nul}', /Not valid JSON \(byte 5 at a\)/);
    fails('{"a":}', /Not valid JSON \(byte 5 at a\)/);
    fails(`{"a":${'1'.repeat(5000)}}`, /A number, word or name is longer than 4096 bytes \(byte 5 at a\)/);
    for (const size of [1, 100])
      assert.throws(() => scanBytes(Buffer.from('\ufeff{"a":1}', 'utf16le'), size), /UTF-16/);
    assert.throws(() => scanBytes(Buffer.from([0x89, 0x50, 0x4e, 0x47])), /expected "{", found byte 0x89 \(byte 0\)/);
  });

  it('that is cut off, wherever', () => {
    for (let end = 1; end < compact.length; end += 61) fails(compact.slice(0, end), /The JSON is cut off \(byte \d+/);
    const start = compact.indexOf('"1000"');
    fails(
      compact.slice(0, start),
      new RegExp(
        `byte ${Buffer.byteLength(compact.slice(0, start))} at app_state\\.gov\\.proposals\\[0\\]\\.proposal_id\\)`,
      ),
    );
  });

  it('that is of something else', () => {
    fails({ config: { chainId: 1 }, alloc: {}, difficulty: '0x1' }, /not a state file from a Cosmos SDK chain/);
    fails({}, /not a state file from a Cosmos SDK chain/);
    fails({ app_state: [] }, /Expected an object \(byte 13 at app_state\)/);
    fails({ jsonrpc: '2.0', error: { code: 1 } }, /not a state file from a Cosmos SDK chain/);
  });

  it('is what stands where a list or an object belongs: that module cannot be read, the others can', () => {
    for (const size of [1, 1 << 20])
      for (const [app_state, message] of [
        [{ gov: { proposals: {} } }, /^Expected a list \(byte 33 at app_state\.gov\.proposals\)$/],
        [{ gov: 'x' }, /^Expected an object \(byte 20 at app_state\.gov\)$/],
        [{ gov: 5 }, /^Expected an object \(byte 20 at app_state\.gov\)$/],
        [{ bank: { balances: 'x' } }, /^Expected a list \(byte \d+ at app_state\.bank\.balances\)$/],
      ] as const) {
        const supply = [{ denom: 'uatom', amount: '1' }];
        const others = 'gov' in app_state ? { bank: { supply } } : { gov: { proposals: [textProposal(1, 'PASSED')] } };
        const { faults, parts } = scanText({ app_state: { ...app_state, ...others } }, size);
        assert.equal(faults.length, 1);
        assert.match(faults[0]?.message ?? '', message);
        assert.equal('gov' in app_state ? parts.bank?.supply.count : parts.gov?.proposals.count, 1);
      }
  });
});

describe('a value that cannot be read', () => {
  const good = textProposal(1, 'PASSED');
  const next = textProposal(2, 'PASSED');

  /** Scans a state in chunks of several sizes; no module may be lost. Gives the notices about values. */
  function scan(content: unknown) {
    const [scanned, ...others] = [1 << 20, 7, 1].map((size) => scanText(content, size));
    assert.ok(scanned);
    for (const other of others) assert.deepEqual(other, scanned);
    assert.deepEqual(scanned.faults, []);
    const notices = scanned.notices.filter((text) => !text.startsWith('This state has no '));
    for (const notice of notices) assert.ok(notice.length < 200, notice);
    return { parts: scanned.parts, notices };
  }
  const gov = (members: object) => scan({ app_state: { gov: members } });
  const proposalsOf = ({ parts }: ReturnType<typeof scan>) => rowsOf(parts.gov?.proposals);

  it('in a proposal stays in its row as it is', () => {
    for (const change of [
      { final_tally_result: { yes: '12.5', abstain: '0', no: '0', no_with_veto: '0' } },
      { total_deposit: [{ denom: 'a', amount: '1.0' }] },
      { content: 'text' },
      { submit_time: 5 },
      { status: 3 },
      { status: { deep: true } },
      { final_tally_result: 'none' },
    ]) {
      const found = gov({ proposals: [{ ...good, ...change }, next] });
      assert.deepEqual(proposalsOf(found), [{ ...good, ...change }, next]);
      assert.deepEqual(found.notices, []);
    }
  });

  it('of a proposal without an id leaves that proposal out, with a notice that names place and reason', () => {
    for (const [row, message] of [
      [5, /^Expected an object, found a number \(byte 34 at app_state\.gov\.proposals\[0\]\)$/],
      [null, /^Expected an object, found null \(byte 34 at app_state\.gov\.proposals\[0\]\)$/],
      [
        { ...good, proposal_id: 1 },
        /^Expected a string, found a number \(byte 34 at .*\.proposals\[0\]\.proposal_id\)$/,
      ],
      [{ ...good, proposal_id: '1'.repeat(30) }, /^The id is larger than 64 bits \(byte 34 at .*proposal_id\)$/],
      [{ ...good, proposal_id: '2' }, /^Proposal 2 appears twice/],
    ] as const) {
      const found = gov({ proposals: [row, next] });
      assert.equal(found.parts.gov?.proposals.count, 1);
      assert.match(found.notices.join(), message);
    }
  });

  it('because it is nested too deeply costs only itself', () => {
    const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    const content = { ...good.content, deep: deep(199) };
    assert.deepEqual(proposalsOf(gov({ proposals: [{ ...good, content }] })), [{ ...good, content }]);
    const found = gov({ proposals: [{ ...good, content: { ...content, deep: deep(3000) } }, next] });
    assert.deepEqual(proposalsOf(found), [{ ...good, content: { ...content, deep: 'Nested deeper than 200' } }, next]);
    assert.match(
      found.notices.join(),
      /^Nested deeper than 200 \(byte \d+ at app_state\.gov\.proposals\[0\]\.content\.deep\)$/,
    );
    const v1 = { ...v1Proposal(1, []), messages: deep(3000) };
    const [row] = proposalsOf(gov({ proposals: [v1] }));
    assert.deepEqual(row, { ...v1, messages: 'Nested deeper than 200' });
  });

  it('because it is larger than 8 MiB costs only itself: id, status and title stay', () => {
    const code = 'A'.repeat(9 * 1024 * 1024);
    const scanned = scanText({
      app_state: { gov: { proposals: [{ ...good, content: { ...good.content, wasm_byte_code: code } }, next] } },
    });
    const [row, other] = rowsOf(scanned.parts.gov?.proposals);
    assert.deepEqual(row, { ...good, content: { ...good.content, wasm_byte_code: 'Larger than 8 MiB' } });
    assert.deepEqual(other, next);
    assert.match(
      scanned.notices[0] ?? '',
      /^Larger than 8 MiB \(byte \d+ at .*proposals\[0\]\.content\.wasm_byte_code\)$/,
    );
    // Several that are large together.
    const content = { ...good.content, a: code.slice(0, 5e6), b: code.slice(0, 5e6) };
    const [both] = rowsOf(scanText({ app_state: { gov: { proposals: [{ ...good, content }] } } }).parts.gov?.proposals);
    assert.deepEqual(both, { ...good, content: { ...content, b: 'Larger than 8 MiB' } });
  });

  it('because it is not UTF-8 is a fault of its row, never U+FFFD in silence', () => {
    const row = JSON.stringify({ ...good, content: { ...good.content, title: 'HERE' } });
    const text = `{"app_state":{"gov":{"proposals":[${row},${JSON.stringify(next)}]}}}`;
    const [before = '', after = ''] = text.split('HERE');
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]);
    for (const size of [1, 1 << 20]) {
      const { parts, notices } = scanBytes(bytes, size);
      const rows = rowsOf(parts.gov?.proposals);
      assert.deepEqual(rows, [{ ...good, content: { ...good.content, title: 'Not valid UTF-8' } }, next]);
      assert.match(
        notices[0] ?? '',
        /^Not valid UTF-8 \(byte \d+ at app_state\.gov\.proposals\[0\]\.content\.title\)$/,
      );
    }
    const name = Buffer.concat([Buffer.from('{"app_state":{"gov":{"'), Buffer.from([0xc3]), Buffer.from('":1}}}')]);
    assert.match(scanBytes(name).notices[0] ?? '', /^The member name is not valid UTF-8 \(byte 21 at app_state\.gov/);
    assert.deepEqual(scanText({ app_state: { gov: { '\ufffd': 1 } } }).notices, ['This state has no bank module.']);
  });

  it('in a deposit, a vote or a delegation leaves that one out', () => {
    const deposit = { proposal_id: '1', depositor: 'd', amount: [] };
    const vote = { proposal_id: '1', voter: 'v', options: [{ option: 'VOTE_OPTION_YES', weight: '1.0' }] };
    const found = gov({
      proposals: [{ ...good, status: 'PROPOSAL_STATUS_VOTING_PERIOD' }],
      deposits: [{ ...deposit, proposal_id: '1.0' }, 5, deposit],
      votes: [vote, { ...vote, voter: 'w', options: [{ option: 'VOTE_OPTION_YES', weight: 'x' }] }],
    });
    assert.deepEqual(found.notices, [
      'Expected a string of digits, found "1.0" (byte 533 at app_state.gov.deposits[0].proposal_id), and 1 more in gov.deposits',
      'Expected a decimal number (byte 731 at app_state.gov.votes[1].options[0].weight)',
    ]);
    assert.deepEqual(rowsById(found.parts.gov?.deposits), { 1: [deposit] });
    assert.deepEqual(rowsById(found.parts.gov?.votes), { 1: [{ ...vote, metadata: '' }] });
    // Its weight is unknown, and so is the tally.
    assert.equal(found.parts.staking?.tallies, undefined);
  });

  const bank = (members: object) => scan({ app_state: { bank: members } });

  it('in the supply stays as it is', () => {
    const supply = bank({
      supply: [
        { denom: 'a', amount: '1.5' },
        { denom: 'b', amount: -1 },
        { denom: 'c' },
        { denom: 'd', amount: '9'.repeat(101) },
        { amount: '1' },
        { denom: 'e', amount: '2' },
        { denom: 'e', amount: '3' },
      ],
    });
    assert.deepEqual(rowsOf(supply.parts.bank?.supply), [
      { denom: 'a', amount: '1.5' },
      { denom: 'b', amount: -1 },
      { denom: 'c', amount: null },
      { denom: 'd', amount: '9'.repeat(101) },
      { denom: 'e', amount: '2' },
    ]);
    assert.deepEqual(supply.notices, [
      'Expected a string of digits, found "1.5" (byte 32 at app_state.bank.supply[0].amount), and 5 more in bank.supply',
    ]);
  });

  it('in a balance costs that coin', () => {
    const balances = bank({
      balances: [
        {
          coins: [
            { denom: 'a', amount: 5 },
            { denom: 'a', amount: '7' },
          ],
        },
        5,
        { coins: [{ denom: 'b', amount: '1' }] },
      ],
    });
    assert.deepEqual(rowsOf(balances.parts.bank?.supply), [
      { denom: 'a', amount: '7' },
      { denom: 'b', amount: '1' },
    ]);
    assert.deepEqual(balances.notices, [
      'This state lists no supply: the supply shown is the sum of all balances.',
      'Expected a string, found a number (byte 34 at app_state.bank.balances[0].coins[0].amount), and 1 more in bank.balances',
    ]);
  });

  it('of many digits keeps all of them', () => {
    const number = scanText(`{"app_state":{"bank":{"supply":[{"denom":"a","amount":${'1'.repeat(30)}}]}}}`);
    assert.equal(number.parts.bank && rowAt(number.parts.bank.supply, 0), `{"denom":"a","amount":${'1'.repeat(30)}}`);
    assert.match(
      number.notices[0] ?? '',
      /^Expected a string, found a number \(byte 32 at app_state\.bank\.supply\[0\]\.amount\)$/,
    );
  });

  it('of a validator leaves the bonded tokens unknown, never wrong', () => {
    const validators = [
      { status: 'BOND_STATUS_BONDED', tokens: '3' },
      { status: 'BOND_STATUS_BONDED', tokens: 5 },
    ];
    const { parts, notices } = scan({ app_state: { staking: { exported: true, validators } } });
    const { bondedTokens, notBondedTokens, tallies } = parts.staking ?? {};
    assert.deepEqual([bondedTokens, notBondedTokens, tallies], [undefined, undefined, undefined]);
    assert.match(
      notices.join(),
      /^Expected a string, found a number \(byte \d+ at app_state\.staking\.validators\[1\]\.tokens\)$/,
    );
  });

  it('because a member is there twice: the first counts, with a notice', () => {
    const twice = JSON.stringify(good).replace('"status"', '"status":"x","status"');
    const { parts, notices } = scan(`{"app_state":{"gov":{"proposals":[${twice}]}}}`);
    assert.equal(Object(rowsOf(parts.gov?.proposals)[0]).status, 'x');
    assert.match(
      notices[0] ?? '',
      /^The member "status" appears twice: the first one is used \(byte \d+ at .*proposals\[0\]\.status\)$/,
    );
    for (const [text, place] of [
      [
        '{"app_state":{"bank":{"supply":[]},"bank":{"supply":[]}}}',
        /"bank" appears twice: .* \(byte 42 at app_state\.bank\)$/,
      ],
      ['{"app_state":{},"app_state":{}}', /"app_state" appears twice: .* \(byte 28 at app_state\)$/],
      [`{"app_state":{"gov":{"${'x'.repeat(4000)}":1,"${'x'.repeat(4000)}":1}}}`, /at app_state\.gov\.x+…x+\)$/],
    ] as const)
      assert.match(scan(text).notices[0] ?? '', place);
  });

  it('is named by its byte', () => {
    const text = `  {"app_state":{"staking":{"validators":[{"status":2,"tokens":"1"}, {"status":2}]}}}`;
    const { notices } = scan(text);
    assert.match(notices[0] ?? '', new RegExp(`\\(byte ${text.indexOf('{"status":2}')} at `));
  });
});
