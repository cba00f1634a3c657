import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { type KnownFacts, nothingKnown } from '../../../src/draft/knownFacts.ts';
import { plainEnglish } from '../../../src/words/language.ts';
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
  upgrade,
} from './exampleDrafts.ts';

const osmo = 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp';
const [first, second] = [
  'cosmosvaloper10d07y265gmmuvt4z0w9aw880jnsr700jlk8s6q',
  'cosmosvaloper1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3lk5c2t',
] as const;

/** The text that a finding of a code is at, and its sentence. */
function said(text: string, code: FindingCode, about?: KnownFacts): readonly [place: string, sentence: string] {
  const finding = findingOf(text, code, about);
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}
const has = (text: string, code: string, about?: KnownFacts): boolean =>
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
    assert.match(sentence, /^The inputs are 10 stake, but the outputs are 9 stake\. Make them equal\./);
    assert.ok(!has(multi([input('10')], [output('4'), output('6')]), 'message-value'));
  });

  it('has one sender', () => {
    const [place, sentence] = said(multi([input('5'), input('5')], [output('10')]), 'message-value');
    assert.match(place, /"address"/);
    assert.match(sentence, /^Only one input is allowed\. Use a message for each sender\./);
  });

  it('pays accounts of this chain', () => {
    assert.ok(has(multi([input('5')], [output('5', osmo)]), 'address-invalid'));
    assert.ok(!has(multi([input('5')], [output('5')]), 'address-invalid'));
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
    assert.match(findingText(finding, plainEnglish), /^end_time is in milliseconds\. Write it in seconds since 1970\./);
    const mended = applyEdits(text, finding.repairs[0]?.edits ?? []);
    assert.ok(mended.includes(`"${now + 40 * 86_400}"`), mended);
    assert.ok(!has(mended, 'message-value') && !has(mended, 'time-early'));
  });

  it('is a time and not a period, also without a chain', () => {
    for (const about of [facts, nothingKnown]) {
      const text = vesting('31536000');
      assert.match(
        said(text, 'message-value', about)[1],
        /^end_time is 1971-01-01 00:00 UTC, long ago\. .* not a period\.$/,
      );
      assert.ok(!has(text, 'time-early', about));
    }
    assert.ok(has(vesting(String(now - 86_400)), 'time-early'));
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
      assert.match(sentence, /^relative_timeout is less than a second\. Write it in nanoseconds, such as "60/);
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
  const set = (on: readonly string[], reset: readonly string[] = [], about?: KnownFacts): readonly string[] =>
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
    assert.match(said(text(['not a denom'], []), 'message-value')[1], /^denom must be a denom of 3 to 128 letters/);
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
    assert.match(sentence, /^uatom is also in send_enabled\. use_default_for removes that setting again\./);
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
    assert.match(said(grant('LEVEL_SOME_MSGS', []), 'field-empty')[1], /^limit_type_urls must not be empty\./);
    for (const text of [grant('LEVEL_SOME_MSGS', ['/cosmos.bank.v1beta1.MsgSend']), grant('LEVEL_ALL_MSGS', [])])
      assert.deepEqual(codesOf(text), []);
  });
});
