import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { findingText, repairText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { moduleAddresses } from '../../node/accounts.ts';
import {
  applyEdits,
  codesOf,
  coins,
  facts,
  findingOf,
  gov,
  known,
  ofMessages,
  someone,
  spend,
  update,
  upgrade,
} from './exampleDrafts.ts';

const osmo = 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp';
const [first, second] = [
  'cosmosvaloper10d07y265gmmuvt4z0w9aw880jnsr700jlk8s6q',
  'cosmosvaloper1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3lk5c2t',
] as const;

/** The text that a finding of a code is at, and its sentence. */
function said(text: string, code: FindingCode, about?: ChainFacts): readonly [place: string, sentence: string] {
  const finding = findingOf(text, code, about);
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}
const has = (text: string, code: string, about?: ChainFacts): boolean =>
  codesOf(text, about).some((one) => one.endsWith(` ${code}`));

describe('a weighted vote', () => {
  const vote = (options: readonly (readonly [option: string, weight: unknown])[], form = 'v1'): object => ({
    '@type': `/cosmos.gov.${form}.MsgVoteWeighted`,
    proposal_id: '1',
    voter: gov,
    options: options.map(([option, weight]) => ({ option: `VOTE_OPTION_${option}`, weight })),
  });

  it('has weights that add up to exactly 1', () => {
    for (const [weights, sum] of [
      [['0.7', '0.2'], '0.9'],
      [['0.7', '0.4'], '1.1'],
    ] as const) {
      const text = ofMessages(
        vote([
          ['YES', weights[0]],
          ['NO', weights[1]],
        ]),
      );
      const [place, sentence] = said(text, 'message-value');
      assert.match(place, /^\[/);
      assert.ok(sentence.startsWith(`The weights add up to ${sum}. They must add up to exactly 1.`), sentence);
    }
    const thirds = ['0.333333333333333333', '0.333333333333333333', '0.333333333333333334'] as const;
    const [yes, no, rest] = thirds;
    assert.deepEqual(
      codesOf(
        ofMessages(
          vote([
            ['YES', yes],
            ['NO', no],
            ['ABSTAIN', rest],
          ]),
        ),
      ),
      [],
    );
    assert.deepEqual(codesOf(ofMessages(vote([['YES', '1']], 'v1beta1'))), []);
  });

  it('has weights above 0 and at most 1, and each option once', () => {
    for (const weight of ['0', '-0.5', '1.5', '50%', '', undefined])
      assert.match(
        said(
          ofMessages(
            vote([
              ['YES', weight],
              ['NO', '1'],
            ]),
          ),
          'message-value',
        )[1],
        /^weight must be a decimal number above 0 and at most 1, such as "0\.5"\./,
      );
    const twice = ofMessages(
      vote([
        ['YES', '0.5'],
        ['YES', '0.5'],
      ]),
    );
    assert.match(said(twice, 'message-value')[1], /^The option VOTE_OPTION_YES is listed twice\./);
  });

  it('may have a weight in percent, which the repair converts', () => {
    const text = ofMessages(
      vote([
        ['YES', '50%'],
        ['NO', '0.5'],
      ]),
    );
    const mended = applyEdits(text, findingOf(text, 'message-value').repairs[0]?.edits ?? []);
    assert.deepEqual(codesOf(mended), []);
  });

  it('is checked inside of other messages', () => {
    const inside = vote([['YES', '0.7']]);
    for (const outer of [
      { '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: gov, msgs: [inside] },
      { '@type': '/cosmos.gov.v1.MsgSubmitProposal', proposer: gov, messages: [inside], initial_deposit: [] },
    ])
      assert.match(said(ofMessages(outer), 'message-value')[1], /^The weights add up to 0\.7\./);
  });
});

describe('a payment to several', () => {
  const input = (amount: string): object => ({ address: gov, coins: coins(amount) });
  const output = (amount: string, address: string = someone): object => ({ address, coins: coins(amount) });
  const multi = (inputs: readonly object[], outputs: readonly object[]): string =>
    ofMessages({ '@type': '/cosmos.bank.v1beta1.MsgMultiSend', inputs, outputs });

  it('pays what it takes', () => {
    const [place, sentence] = said(multi([input('10')], [output('4'), output('5')]), 'message-value');
    assert.match(place, /^\[/);
    assert.match(sentence, /^The inputs total 10 stake, but the outputs total 9 stake\. The totals must be equal\./);
    assert.ok(!has(multi([input('10')], [output('4'), output('6')]), 'message-value'));
  });

  it('is not summed up without inputs, or with one that has no coins', () => {
    const type = '/cosmos.bank.v1beta1.MsgMultiSend';
    for (const inputs of [undefined, [{ address: gov }]])
      assert.ok(!has(ofMessages({ '@type': type, inputs, outputs: [output('5')] }), 'message-value'));
  });

  it('has one sender', () => {
    const [place, sentence] = said(multi([input('5'), input('5')], [output('10')]), 'message-value');
    assert.match(place, /"address"/);
    assert.match(
      sentence,
      /^Only one input is allowed\. Use a separate message for each sender\. .* does not accept the proposal/,
    );
  });

  it('pays accounts of this chain', () => {
    assert.ok(has(multi([input('5')], [output('5', osmo)]), 'address-invalid'));
    assert.ok(!has(multi([input('5')], [output('5')]), 'address-invalid'));
    assert.ok(has(multi([input('5')], [output('5', moduleAddresses.distribution)]), 'recipient-module'));
    assert.ok(!has(multi([input('5')], [output('5')]), 'recipient-module'));
    assert.ok(!has(multi([input('5')], [output('5', gov)]), 'recipient-module'));
  });
});

describe('two fields that must differ', () => {
  const redelegate = (to: string): string =>
    ofMessages({
      '@type': '/cosmos.staking.v1beta1.MsgBeginRedelegate',
      delegator_address: gov,
      validator_src_address: first,
      validator_dst_address: to,
      amount: { denom: 'stake', amount: '5' },
    });

  it('are the validators of a redelegation', () => {
    const [place, sentence] = said(redelegate(first), 'message-value');
    assert.equal(place, JSON.stringify(first));
    assert.match(sentence, /^validator_dst_address must differ from validator_src_address\. .*when it is executed/);
    assert.deepEqual(codesOf(redelegate(second)), []);
  });

  it('are the sender and the new admin of a contract', () => {
    const admin = (new_admin: string): string =>
      ofMessages({ '@type': '/cosmwasm.wasm.v1.MsgUpdateAdmin', sender: gov, new_admin, contract: someone });
    const [place, sentence] = said(admin(gov), 'message-value');
    assert.equal(place, JSON.stringify(gov));
    assert.match(sentence, /^new_admin must differ from sender\. The chain does not accept the proposal\.$/);
    assert.ok(!has(admin(someone), 'message-value'));
  });

  it('are the granter and the grantee', () => {
    for (const [type, more] of [
      ['authz.v1beta1.MsgRevoke', { msg_type_url: '/cosmos.gov.v1.MsgVote' }],
      ['feegrant.v1beta1.MsgRevokeAllowance', {}],
    ] as const) {
      const of = (grantee: string) => ofMessages({ '@type': `/cosmos.${type}`, granter: gov, grantee, ...more });
      assert.match(said(of(gov), 'message-value')[1], /^grantee must differ from granter\./);
      assert.deepEqual(codesOf(of(someone)), []);
    }
  });
});

describe('the end of a vesting account', () => {
  const now = Math.floor((facts.time?.getTime() ?? 0) / 1000);
  const vesting = (end: unknown): string =>
    ofMessages({
      '@type': '/cosmos.vesting.v1beta1.MsgCreateVestingAccount',
      from_address: gov,
      to_address: someone,
      amount: coins('5'),
      end_time: end,
      delayed: true,
    });

  it('is in seconds since 1970, which the repair writes', () => {
    const text = vesting(String((now + 40 * 86_400) * 1000));
    const finding = findingOf(text, 'message-value');
    assert.match(findingText(finding, plainEnglish), /^end_time is in milliseconds\. Use seconds since 1970\./);
    const [repair] = finding.repairs;
    assert.ok(repair && repairText(repair, plainEnglish).includes(`"${now + 40 * 86_400}"`));
    const mended = applyEdits(text, repair.edits);
    assert.ok(mended.includes(`"${now + 40 * 86_400}"`), mended);
    assert.ok(!has(mended, 'message-value') && !has(mended, 'time-early'));
  });

  it('is a time and not a period, also without a chain', () => {
    for (const about of [facts, nothingKnown]) {
      const text = vesting('31536000');
      assert.match(
        said(text, 'message-value', about)[1],
        /^end_time is 1971-01-01 00:00 UTC, far in the past\. .* not a duration\.$/,
      );
      assert.ok(!has(text, 'time-early', about));
    }
    assert.ok(codesOf(vesting(String(now - 86_400))).includes('warning time-early'));
  });
});

describe('the periods of a vesting account', () => {
  const vesting = (...lengths: readonly unknown[]): string =>
    ofMessages({
      '@type': '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount',
      from_address: gov,
      to_address: someone,
      start_time: '1790000000',
      vesting_periods: lengths.map((length) => ({ length, amount: coins('5') })),
    });

  it('are some, each longer than 0', () => {
    for (const length of ['0', '-1', undefined])
      assert.match(
        said(vesting('5', length), 'message-value')[1],
        /^length must be a whole number from 1 to 9,223,372,036,854,775,807\. .*when it is executed/,
      );
    assert.match(said(vesting(), 'field-empty')[1], /^vesting_periods must not be empty\./);
    assert.ok(!has(vesting('1', '5'), 'message-value'));
  });
});

describe('the state of an upgraded client', () => {
  it('stands beside the plan, not in it', () => {
    const state = { '@type': '/ibc.lightclients.tendermint.v1.ClientState' };
    const planned = (upgraded_client_state: unknown): string => ofMessages(upgrade({ upgraded_client_state }));
    const [place, sentence] = said(planned(state), 'upgrade-plan');
    assert.match(place, /ClientState/);
    assert.match(
      sentence,
      /^The plan must not have an upgraded_client_state\. Set it in MsgIBCSoftwareUpgrade, next to the plan\.$/,
    );
    assert.ok(!has(planned(null), 'upgrade-plan'));
  });
});

describe('the name of an upgrade', () => {
  it('is more than blanks', () => {
    for (const name of [' ', '\t\n'])
      assert.match(said(ofMessages(upgrade({ name })), 'upgrade-plan')[1], /^The upgrade plan needs a name\./);
    assert.ok(!has(ofMessages(upgrade({ name: 'v2' })), 'upgrade-plan'));
  });
});

describe('a transaction of an interchain account', () => {
  const send = (timeout: unknown, connection = 'connection-0'): string =>
    ofMessages({
      '@type': '/ibc.applications.interchain_accounts.controller.v1.MsgSendTx',
      owner: gov,
      connection_id: connection,
      packet_data: { type: 'TYPE_EXECUTE_TX', data: 'AA==', memo: '' },
      relative_timeout: timeout,
    });

  it('has its timeout in nanoseconds', () => {
    for (const timeout of ['600', '86400', '600000']) {
      const [place, sentence] = said(send(timeout), 'transfer-timeout');
      assert.equal(place, JSON.stringify(timeout));
      assert.match(
        sentence,
        /^relative_timeout is less than a second, so the packet would time out\. Use nanoseconds, such as "60/,
      );
    }
    const text = send('600');
    const mended = applyEdits(text, findingOf(text, 'transfer-timeout').repairs[0]?.edits ?? []);
    assert.ok(mended.includes('"600000000000"') && !has(mended, 'transfer-timeout'));
  });

  it('names a connection', () => {
    assert.deepEqual(codesOf(send('600000000000')), []);
    assert.match(said(send('600000000000', 'conn-0'), 'message-value')[1], /^connection_id .* such as connection-0\./);
  });
});

describe('an IBC transfer', () => {
  const transfer = (more: object): string =>
    ofMessages({
      '@type': '/ibc.applications.transfer.v1.MsgTransfer',
      source_port: 'transfer',
      source_channel: 'channel-0',
      token: { denom: 'stake', amount: '5' },
      sender: gov,
      receiver: osmo,
      timeout_height: { revision_number: '1', revision_height: '5000000' },
      ...more,
    });

  it('names a port and a channel', () => {
    for (const [more, severity] of [
      [{ source_port: 'transfer/1' }, 'error'],
      [{ source_port: 'tranfser' }, 'warning'],
      [{ source_channel: '0' }, 'error'],
      [{ source_channel: 'channel/141' }, 'error'],
      [{ source_channel: 'channel141' }, 'warning'],
    ] as const)
      assert.ok(codesOf(transfer(more)).includes(`${severity} message-value`), JSON.stringify(more));
    assert.match(said(transfer({ source_channel: '141' }), 'message-value')[1], /such as channel-0\./);
    for (const source_channel of ['channel-141', '07-tendermint-3'])
      assert.ok(!has(transfer({ source_channel }), 'message-value'));
  });

  it('has a receiver', () => {
    for (const receiver of ['', '  ', undefined])
      assert.match(said(transfer({ receiver }), 'field-empty')[1], /^receiver must not be empty\./);
    assert.ok(!has(transfer({}), 'field-empty'));
  });
});

describe('the settings of denoms', () => {
  const set = (on: readonly string[], reset: readonly string[] = [], about?: ChainFacts): readonly string[] =>
    codesOf(text(on, reset), about);
  const text = (on: readonly string[], reset: readonly string[]): string =>
    ofMessages({
      '@type': '/cosmos.bank.v1beta1.MsgSetSendEnabled',
      authority: gov,
      send_enabled: on.map((denom) => ({ denom, enabled: true })),
      use_default_for: reset,
    });

  it('are of denoms', () => {
    for (const denom of ['u', '1uatom', 'not a denom', 'uatom,uosmo']) {
      assert.deepEqual(set([denom]), ['error message-value'], denom);
      assert.deepEqual(set([], ['uosmo', denom]), ['error message-value'], denom);
    }
    assert.match(said(text(['not a denom'], []), 'message-value')[1], /^denom must be a denom of 3 to 128 characters/);
    assert.deepEqual(
      set(['uatom', 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'], ['uosmo']),
      [],
    );
    const minDeposit = [{ denom: 'xn', amount: 5n }];
    assert.ok(
      !set(['xn'], [], known({ govParams: { ...facts.govParams, minDeposit } })).includes('error message-value'),
    );
  });

  it('are of each denom once', () => {
    const both = text(['uatom'], ['uosmo', 'uatom']);
    const [place, sentence] = said(both, 'message-value');
    assert.equal(place, '"uatom"');
    assert.match(
      sentence,
      /^uatom is in both send_enabled and use_default_for, so the new setting would be removed right away\./,
    );
    assert.deepEqual(set(['uatom', 'uatom']), ['error coins-form']);
  });
});

describe('the permissions of a circuit breaker', () => {
  const grant = (level: string, types: readonly string[]): string =>
    ofMessages({
      '@type': '/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker',
      granter: gov,
      grantee: someone,
      permissions: { level, limit_type_urls: types },
    });

  it('for some messages name these', () => {
    const [place, sentence] = said(grant('LEVEL_SOME_MSGS', []), 'message-value');
    assert.deepEqual(
      [place, sentence],
      ['[]', 'limit_type_urls is empty. The chain accepts it, but it permits nothing.'],
    );
    for (const text of [grant('LEVEL_SOME_MSGS', ['/cosmos.bank.v1beta1.MsgSend']), grant('LEVEL_ALL_MSGS', [])])
      assert.deepEqual(codesOf(text), []);
  });
});

describe('the message of a contract', () => {
  const migrate = (msg: unknown): string =>
    ofMessages({ '@type': '/cosmwasm.wasm.v1.MsgMigrateContract', sender: gov, contract: someone, code_id: '7', msg });

  it('is JSON, and not the text or the base64 of it', () => {
    for (const msg of [btoa('{"migrate":{}}'), '{"migrate":{}}']) {
      const [place, sentence] = said(migrate(msg), 'message-value');
      assert.equal(place, JSON.stringify(msg));
      assert.match(
        sentence,
        /^msg is (base64-encoded JSON|JSON in a string)\. Use the JSON itself, as the contract reads it\.$/,
      );
      const mended = applyEdits(migrate(msg), findingOf(migrate(msg), 'message-value').repairs[0]?.edits ?? []);
      assert.ok(/"msg": \{\s*"migrate": \{\}\s*\}/.test(mended) && !has(mended, 'message-value'), mended);
    }
    for (const msg of [{ migrate: {} }, 'migrate', 'YWJj', '[]', `${btoa('{"migrate":{}}')}!`])
      assert.deepEqual(codesOf(migrate(msg)), []);
  });

  it('is of codes that each stand once', () => {
    const pin = (ids: readonly string[]) =>
      ofMessages({ '@type': '/cosmwasm.wasm.v1.MsgPinCodes', authority: gov, code_ids: ids });
    const [place, sentence] = said(pin(['5', '6', '5']), 'message-value');
    assert.equal(place, '"5"');
    assert.match(sentence, /^5 is listed twice\. The chain does not accept the proposal\./);
    assert.deepEqual(codesOf(pin(['5', '6'])), []);
  });
});

describe('the commission of a new validator', () => {
  const create = (rate: string, change = '0.01', most = '0.2'): string =>
    ofMessages({
      '@type': '/cosmos.staking.v1beta1.MsgCreateValidator',
      commission: { rate, max_rate: most, max_change_rate: change },
    });

  it('is at most its maximum, as its change', () => {
    assert.match(said(create('0.3'), 'message-value')[1], /^max_rate must be at least rate\./);
    assert.match(said(create('0.1', '0.3'), 'message-value')[1], /^max_rate must be at least max_change_rate\./);
    assert.match(said(create('5', '0.01', '20'), 'message-value')[1], /^max_rate must be a decimal number from 0 to 1/);
    assert.ok(!has(create('0.2', '0.2'), 'message-value'));
  });
});

describe('other values that a message needs', () => {
  const cancel = (height: unknown): string =>
    ofMessages({
      '@type': '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation',
      delegator_address: gov,
      validator_address: first,
      amount: { denom: 'stake', amount: '5' },
      creation_height: height,
    });
  const ibc = (state: unknown): string =>
    ofMessages({
      '@type': '/ibc.core.client.v1.MsgIBCSoftwareUpgrade',
      signer: gov,
      plan: { name: 'v2', height: '9000000', info: '' },
      upgraded_client_state: state,
    });

  it('are the height of an unbonding, and the state of an upgraded client', () => {
    assert.match(said(cancel('0'), 'field-empty')[1], /^creation_height must not be 0\./);
    assert.deepEqual(codesOf(cancel('77')), []);
    assert.match(said(ibc(null), 'field-empty')[1], /^upgraded_client_state must not be empty\./);
    assert.ok(!has(ibc({ '@type': '/ibc.lightclients.tendermint.v1.ClientState' }), 'field-empty'));
  });

  it('are the authorization of a grant, and the allowance of a fee grant', () => {
    const grant = { '@type': '/cosmos.authz.v1beta1.MsgGrant', granter: gov, grantee: someone, grant: {} };
    assert.match(said(ofMessages(grant), 'field-empty')[1], /^authorization must not be empty\./);
    const fee = { '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance', granter: gov, grantee: someone };
    assert.match(said(ofMessages(fee), 'field-empty')[1], /^allowance must not be empty\./);
  });
});

describe('an allowance by periods', () => {
  const allow = (basic: object, ofPeriod: readonly object[], period = '86400s'): string =>
    ofMessages({
      '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
      granter: gov,
      grantee: someone,
      allowance: {
        '@type': '/cosmos.feegrant.v1beta1.PeriodicAllowance',
        basic,
        period,
        period_spend_limit: ofPeriod,
      },
    });

  it('has the denoms of its whole limit, if it has one', () => {
    const text = allow({ spend_limit: coins('70') }, [{ denom: 'atom', amount: '5' }]);
    const [place, sentence] = said(text, 'message-value');
    assert.match(place, /"atom"/);
    assert.match(sentence, /^period_spend_limit contains atom, which is missing from basic\.spend_limit\./);
    for (const basic of [{ spend_limit: coins('70') }, { spend_limit: [] }, {}])
      assert.ok(!has(allow(basic, coins('5')), 'message-value'));
  });

  it('has periods of at least 0', () => {
    const [place, sentence] = said(allow({}, coins('5'), '-1s'), 'message-value');
    assert.equal(place, '"-1s"');
    assert.match(sentence, /^period must be a duration of at least 0, such as "3600s"\. .*when it is executed/);
    assert.ok(!has(allow({}, coins('5'), '0s'), 'message-value'));
  });

  it('has a limit for each period', () => {
    assert.match(said(allow({}, []), 'coins-form')[1], /^No amount is given\./);
  });
});

describe('an authorization to send', () => {
  const allow = (spend_limit: readonly object[], allow_list: readonly string[] = []): string =>
    ofMessages({
      '@type': '/cosmos.authz.v1beta1.MsgGrant',
      granter: gov,
      grantee: someone,
      grant: { authorization: { '@type': '/cosmos.bank.v1beta1.SendAuthorization', spend_limit, allow_list } },
    });

  it('is taken with coins out of order, and cannot be used', () => {
    const [uaa, ubb] = [
      { denom: 'uaa', amount: '1' },
      { denom: 'ubb', amount: '1' },
    ];
    const [, sentence] = said(allow([ubb, uaa]), 'coins-form');
    assert.equal(sentence, 'Coins must be sorted by denom. The chain accepts the grant, but it cannot be used.');
    assert.ok(!has(allow([uaa, ubb]), 'coins-form'));
    assert.ok(codesOf(allow([uaa, uaa])).includes('warning coins-form'));
  });

  it('has each recipient once', () => {
    const text = allow(coins('5'), [someone, someone]);
    assert.match(said(text, 'message-value')[1], /is listed twice\. .*when it is executed/);
    assert.ok(!has(allow(coins('5'), [someone, gov]), 'message-value'));
  });

  it('has a limit', () => {
    const [place, sentence] = said(allow([]), 'coins-form');
    assert.equal(place, '[]');
    assert.match(sentence, /^No amount is given\./);
    assert.ok(!has(allow(coins('5')), 'coins-form'));
  });
});

describe('the denom of an IBC transfer', () => {
  const transfer = (denom: string): string =>
    ofMessages({
      '@type': '/ibc.applications.transfer.v1.MsgTransfer',
      source_port: 'transfer',
      source_channel: 'channel-0',
      token: { denom, amount: '5' },
      sender: gov,
      receiver: osmo,
      timeout_height: { revision_number: '1', revision_height: '5000000' },
    });
  const hash = '27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';

  it('has a whole hash in capitals behind ibc/', () => {
    for (const denom of ['ibc/abc', `ibc/${hash.slice(1)}`, `ibc/${hash.toLowerCase()}`, `IBC/${hash}`]) {
      const [place, sentence] = said(transfer(denom), 'message-value');
      assert.equal(place, JSON.stringify(denom));
      assert.match(sentence, /^denom does not look like an IBC identifier\. Use one such as ibc\/2739/);
    }
    for (const denom of ['stake', `ibc/${hash}`, 'gamm/pool/1', 'ibcoin'])
      assert.ok(!has(transfer(denom), 'message-value'), denom);
  });
});

describe('the time between blocks of IBC connections', () => {
  const connection = (time: string): string =>
    ofMessages({
      '@type': '/ibc.core.connection.v1.MsgUpdateParams',
      signer: gov,
      params: { max_expected_time_per_block: time },
    });

  it('is in nanoseconds', () => {
    for (const time of ['30', '30000']) {
      const [place, sentence] = said(connection(time), 'message-value');
      assert.equal(place, JSON.stringify(time));
      assert.match(sentence, /^max_expected_time_per_block is less than a millisecond\. Use nanoseconds, such as/);
    }
    assert.deepEqual(codesOf(connection('30000000000')), []);
  });
});

describe('the timeout of upgrades of IBC channels', () => {
  const channel = (timestamp: string): string =>
    ofMessages({
      '@type': '/ibc.core.channel.v1.MsgUpdateParams',
      authority: gov,
      params: { upgrade_timeout: { height: { revision_number: '0', revision_height: '0' }, timestamp } },
    });

  it('is in nanoseconds', () => {
    for (const time of ['1200', '600000']) {
      const [place, sentence] = said(channel(time), 'message-value');
      assert.equal(place, JSON.stringify(time));
      assert.match(
        sentence,
        /^upgrade_timeout\.timestamp is less than a second\. Use nanoseconds, such as "600000000000"/,
      );
    }
    assert.ok(!has(channel('600000000000'), 'message-value'));
    assert.ok(!has(channel('1000000000'), 'message-value'));
  });
});

describe('accounts of modules', () => {
  const withdraw = (withdraw_address: string): readonly string[] =>
    codesOf(
      ofMessages({
        '@type': '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress',
        delegator_address: gov,
        withdraw_address,
      }),
    );

  it('receive no rewards', () => {
    const pool = [...(facts.moduleAccounts ?? [])].find(([, module]) => module === 'distribution')?.[0] ?? '';
    assert.deepEqual(withdraw(pool), ['warning recipient-module']);
    assert.deepEqual(withdraw(someone), []);
  });

  it('are paid where they are those of gov, since SDK 0.46', () => {
    const paid = (about?: ChainFacts) => codesOf(ofMessages(spend(coins('5'), gov)), about);
    assert.deepEqual(paid(), []);
    assert.deepEqual(withdraw(gov), []);
    const old = known({ govParams: undefined, hasGovV1: false, sdkVersion: 'v0.45.16' });
    assert.ok(paid(old).includes('warning recipient-module'));
  });

  it('are no validators that receive rewards', () => {
    const about = known({
      operators: new Set([first]),
      govBalances: new Map([['stake', 9n]]),
      openDeposits: new Map(),
    });
    const deposit = (validator_address: string): readonly string[] =>
      codesOf(
        ofMessages({
          '@type': '/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool',
          depositor: gov,
          validator_address,
          amount: coins('5'),
        }),
        about,
      );
    assert.deepEqual(deposit(someone), ['warning validator-unknown']);
    assert.deepEqual(deposit(first), []);
  });
});

describe('parameters that become ten times smaller, or cannot be read', () => {
  it('are the aim of bonded stake, and a period of more than 292 years', () => {
    const today = { ...facts.moduleParams.get('cosmos.mint.v1beta1'), goal_bonded: '0.670000000000000000' };
    const about = known({ moduleParams: new Map([...facts.moduleParams, ['cosmos.mint.v1beta1', today]]) });
    const mint = (goal_bonded: string) => codesOf(ofMessages(update('mint', { ...today, goal_bonded })), about);
    assert.deepEqual(mint('0.067'), ['warning value-jump']);
    assert.deepEqual(mint('0.6'), []);
    const staking = (unbonding_time: string) => codesOf(ofMessages(update('staking', { unbonding_time })));
    assert.ok(staking('1814400000000000s').includes('error field-type'));
    assert.ok(!staking('1814500s').includes('error field-type'));
  });
});
