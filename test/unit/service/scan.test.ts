import assert from 'node:assert/strict';
import { coinsOf, rowsOf, type Scanned, scanBytes, scanText } from './scanText.ts';
import { smallState, textProposal } from './smallState.ts';

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

/** What a scan comes to, with the order of metadata fields and the like left out of account. */
function content({ parts, faults, notices }: Scanned) {
  const { head, bank, gov, staking, params } = parts;
  return {
    head,
    staking,
    faults,
    notices,
    params: Object.fromEntries(Object.entries(params ?? {}).map(([name, text]) => [name, JSON.parse(text)])),
    supply: rowsOf(bank?.supply),
    metadata: rowsOf(bank?.metadata),
    proposals: rowsOf(gov?.proposals),
    statuses: gov?.statuses,
    voters: rowsOf(gov?.voters),
    depositors: rowsOf(gov?.depositors),
    govParams: JSON.parse(gov?.params ?? 'null'),
  };
}

describe('the scan of a state', function () {
  this.timeout(30_000);
  const whole = content(scanText(compact));

  it('reads the small state', () => {
    assert.deepEqual(whole.faults, []);
    assert.deepEqual(whole.notices, []);
    assert.equal(whole.supply.length, 8);
    assert.deepEqual([...(whole.statuses ?? [])], [3, 4, 5, 1, 2, 2]);
    assert.deepEqual(whole.head, {
      chainId: 'small-1',
      height: '1234',
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
    const kept = compact.replace('"Title 7"', `"Title 7"`).replace('"content":null', `"content":{"deep":${deep}}`);
    const { faults, parts } = scanText(kept, 4096);
    assert.match(
      faults[0]?.message ?? '',
      /Nested deeper than 500 \(byte \d+ at app_state\.gov\.proposals\[4\]\.content\.deep\[0\]/,
    );
    assert.equal(parts.gov, undefined);
    assert.equal(parts.bank?.supply.count, 8);
  });

  it('keeps numbers that a double cannot hold', () => {
    const exact = '{"@type":"/x","big":123456789012345678901234567890,"rate":0.10,"list":[1.000000000000000000001,-5]}';
    const text = JSON.stringify({
      app_state: { gov: { proposals: [textProposal(1, 'PASSED', { content: 'HERE' })] } },
    });
    const { parts } = scanText(text.replace('"HERE"', exact));
    assert.ok(
      Buffer.from(parts.gov?.proposals.rows ?? [])
        .toString()
        .includes(`"content":${exact},`),
    );
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

describe('the supply of a state', function () {
  this.timeout(30_000);
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
      'The supply is not the sum of the balances for coin1, coin2; the supply is shown as the file states it.',
    ]);
    assert.equal(parts.bank?.supply.count, 3);
    assert.deepEqual(bank({ supply: coins('1'), balances: [{ address: 'a', coins: coins('1') }] }).notices, [
      'This state has no gov module.',
    ]);
    assert.deepEqual(bank({ supply: coins('1') }).notices, ['This state has no gov module.']);
    const many = bank({ supply: coins(...Array(9).fill('1')), balances: [{ address: 'a', coins: [] }] });
    assert.match(many.notices[0] ?? '', /coin0, coin1, coin2, coin3, coin4 and 4 more/);
  });

  it('keeps a stated zero, and drops leading zeros', () => {
    assert.deepEqual(coinsOf(bank({ supply: coins('0', '007') })), ['coin0 0', 'coin1 7']);
  });
});

describe('the forms of a state', function () {
  this.timeout(30_000);
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
      assert.equal(scanned.parts.head?.chainId, form === modules ? '' : 'c-1');
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

  it('maps the amino forms of before SDK 0.40', () => {
    const value = { title: 'T', description: 'D' };
    const rest = {
      final_tally_result: { yes: '1', abstain: '0', no: '0', no_with_veto: '0' },
      submit_time: '2019-01-01T00:00:00Z',
      deposit_end_time: '2019-01-02T00:00:00Z',
      total_deposit: [],
      voting_start_time: '0001-01-01T00:00:00Z',
      voting_end_time: '0001-01-01T00:00:00Z',
    };
    const scanned = scanText({
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
          ],
          deposits: [{ proposal_id: '2', deposit: { depositor: 'd', proposal_id: '2' } }],
          votes: [{ proposal_id: '3', voter: 'v', option: 'Yes' }],
          tally_params: { quorum: '0.4', threshold: '0.5', veto: '0.3' },
          voting_params: { voting_period: '172800000000000' },
          deposit_params: { max_deposit_period: '48h0m1s' },
        },
      },
    });
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
    ]);
    assert.deepEqual(coinsOf(scanned), ['utest 5']);
    assert.deepEqual(rowsOf(scanned.parts.gov?.voters), [[2]]);
    assert.deepEqual(rowsOf(scanned.parts.gov?.depositors), [[1]]);
    assert.deepEqual(JSON.parse(scanned.parts.gov?.params ?? ''), {
      quorum: '0.4',
      threshold: '0.5',
      veto_threshold: '0.3',
      voting_period: '172800s',
      max_deposit_period: '172801s',
    });
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

  it('knows the bonded tokens of an export only', () => {
    const validators = [
      { status: 'BOND_STATUS_BONDED', tokens: '3' },
      { status: 2, tokens: '4' },
      { status: 1, tokens: '5' },
    ];
    const bonded = (staking: object) => scanText({ app_state: { staking } }).parts.staking?.bondedTokens;
    assert.equal(bonded({ exported: true, validators }), '7');
    assert.equal(bonded({ validators, exported: true }), '7');
    assert.equal(bonded({ validators, exported: false }), undefined);
    assert.equal(bonded({ validators }), undefined);
  });
});

describe('a bad state', function () {
  this.timeout(30_000);
  const fails = (content: unknown, message: RegExp) => assert.throws(() => scanText(content, 3), { message });
  const faulty = (app_state: unknown, message: RegExp) => {
    for (const size of [1, 1 << 20]) {
      const { faults } = scanText({ app_state }, size);
      assert.equal(faults.length, 1);
      assert.match(faults[0]?.message ?? '', message);
    }
  };

  it('that is no JSON, or no object', () => {
    fails('', /The file is empty \(byte 0\)/);
    fails('  \n', /The JSON is cut off|The file is empty/);
    fails('hello', /Not valid JSON: "h" where "{" belongs \(byte 0\)/);
    fails(' []', /"\[" where "{" belongs \(byte 1\)/);
    fails('{"app_state":{}} x', /"x" where the end of the file belongs \(byte 17\)/);
    fails('{"app_state":{}}}', /"}" where the end of the file belongs \(byte 16\)/);
    fails('{"a":1,}', /"}" where a member name in quotes belongs \(byte 7\)/);
    fails("{'a':1}", /"'" where a member name in quotes belongs \(byte 1\)/);
    fails('{"a" 1}', /"1" where ":" belongs \(byte 5 at a\)/);
    fails('{"a":1 "b":2}', /where "," or "}" belongs \(byte 7 at a\)/);
    fails('{"a":[1}]}', /"}" where the other kind of bracket belongs \(byte 7 at a\)/);
    fails('{"a":nul}', /Not valid JSON \(byte 5 at a\)/);
    fails('{"a":}', /Not valid JSON \(byte 5 at a\)/);
    fails(`{"a":${'1'.repeat(5000)}}`, /too large to keep/);
    assert.throws(() => scanBytes(Buffer.from('\ufeff{"a":1}', 'utf16le')), /UTF-16/);
    assert.throws(() => scanBytes(Buffer.from([0x89, 0x50, 0x4e, 0x47])), /byte 0x89 where "{" belongs \(byte 0\)/);
  });

  it('that is cut off, wherever', () => {
    for (let end = 1; end < compact.length; end += 61) fails(compact.slice(0, end), /The JSON is cut off \(byte \d+/);
    const start = compact.indexOf('"1000"');
    fails(
      compact.slice(0, start),
      new RegExp(`byte ${Buffer.byteLength(compact.slice(0, start))} at app_state\\.gov\\.proposals\\[0\\]\\)`),
    );
  });

  it('that is of something else', () => {
    fails({ config: { chainId: 1 }, alloc: {}, difficulty: '0x1' }, /no state of a Cosmos SDK chain/);
    fails({}, /no state of a Cosmos SDK chain/);
    fails({ app_state: [] }, /Expected an object \(byte 13 at app_state\)/);
    fails({ jsonrpc: '2.0', error: { code: 1 } }, /no state of a Cosmos SDK chain/);
  });

  it('with members twice', () => {
    fails('{"app_state":{},"app_state":{}}', /The member "app_state" is there twice \(byte \d+ at app_state\)/);
    const proposal = JSON.stringify(textProposal(1, 'PASSED'));
    const twice = proposal.replace('"status"', '"status":"x","status"');
    const { faults } = scanText(`{"app_state":{"gov":{"proposals":[${proposal},${twice}]}}}`);
    assert.match(
      faults[0]?.message ?? '',
      /The member "status" is there twice \(byte \d+ at app_state\.gov\.proposals\[1\]\.status\)/,
    );
    const { notices } = scanText('{"app_state":{"bank":{"supply":[]},"bank":{"supply":[]}}}');
    assert.match(notices[0] ?? '', /The member "bank" is there twice \(byte 42 at app_state\.bank\)/);
  });

  it('with numbers where strings belong, by byte and path', () => {
    const good = textProposal(1, 'PASSED');
    faulty(
      { gov: { proposals: [good, textProposal(2, 'PASSED', { status: 3 })] } },
      /Expected a string, found a number \(byte \d+ at app_state\.gov\.proposals\[1\]\.status\)/,
    );
    faulty({ gov: { proposals: [{ ...good, proposal_id: 1 }] } }, /proposals\[0\]\.proposal_id/);
    faulty(
      { gov: { proposals: [{ ...good, total_deposit: [{ denom: 'a', amount: 5 }] }] } },
      /\.total_deposit\[0\]\.amount/,
    );
    faulty({ gov: { proposals: [{ ...good, final_tally_result: { yes: 5 } }] } }, /\.final_tally_result\.yes/);
    faulty({ gov: { proposals: [{ ...good, submit_time: 5 }] } }, /\.submit_time/);
    faulty(
      { gov: { proposals: [5] } },
      /Expected an object, found a number \(byte 34 at app_state\.gov\.proposals\[0\]\)/,
    );
    faulty({ gov: { proposals: {} } }, /Expected a list \(byte 33 at app_state\.gov\.proposals\)/);
    faulty(
      { bank: { supply: [{ denom: 'a', amount: '1.5' }] } },
      /Expected a string of digits, found "1.5" \(byte \d+ at app_state\.bank\.supply\[0\]\.amount\)/,
    );
    faulty({ bank: { supply: [{ denom: 'a', amount: '-1' }] } }, /found "-1"/);
    faulty(
      {
        bank: {
          supply: [
            { denom: 'a', amount: '1' },
            { denom: 'a', amount: '1' },
          ],
        },
      },
      /twice .*supply\[1\]\.denom/,
    );
    faulty(
      { bank: { balances: [{ coins: [{ denom: 'a', amount: 5 }] }] } },
      /found a number \(byte \d+ at app_state\.bank\.balances\[0\]\.coins\[0\]\.amount\)/,
    );
    faulty({ staking: { exported: true, validators: [{ status: 2, tokens: 5 }] } }, /validators\[0\]\.tokens/);
  });

  it('keeps the modules that can be read', () => {
    const { parts, faults } = scanText({
      app_state: { bank: { supply: [{ denom: 'a', amount: 1 }] }, gov: { proposals: [textProposal(1, 'PASSED')] } },
    });
    assert.equal(faults.length, 1);
    assert.equal(parts.bank, undefined);
    assert.equal(parts.gov?.proposals.count, 1);
  });

  it('points at the byte', () => {
    const text = `{"app_state":{"gov":{"proposals":[${JSON.stringify(textProposal(1, 'PASSED', { status: 3 }))}]}}}`;
    const { faults } = scanText(`  ${text}`);
    assert.equal(faults[0]?.offset, `  ${text}`.indexOf('"status":3') + '"status":'.length);
  });
});
