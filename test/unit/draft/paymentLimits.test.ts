import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { bondedCoin, sentDenoms } from '../../../src/draft/checks/payments/paymentChecks.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import {
  facts,
  findingOf,
  gov,
  known,
  legacy,
  ofMessages,
  repaired,
  reportOf,
  someone,
  spend,
} from './exampleDrafts.ts';

/** The findings of a code: severity, what the range holds, and the sentence. */
function said(code: FindingCode, text: string, about: ChainFacts = facts): readonly string[] {
  return reportOf(text, about)
    .findings.filter((one) => one.code === code)
    .map((one) => {
      const place = text.slice(one.range.start, one.range.end).replace(/\s+/g, '');
      return `${one.severity} ${place}: ${findingText(one, plainEnglish)}`;
    });
}

const pool = (...held: readonly (readonly [denom: string, amount: bigint])[]) =>
  known({ communityPool: held.map(([denom, amount]) => ({ denom, amount })) });
const coin = (denom: string, amount: unknown = '5') => ({ denom, amount });
const send = (amount: unknown, from: unknown = gov) => ({
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: from,
  to_address: someone,
  amount,
});
const typed = (type: string, fields: object) => ({ '@type': `/${type}`, ...fields });

describe('the spends of a draft', () => {
  it('are at most what the pool holds, each denom by itself', () => {
    const held = pool(['uaa', 100n], ['ubb', 10n]);
    const over = (...amounts: readonly object[][]) =>
      said('spend-over-pool', ofMessages(...amounts.map((one) => spend(one))), held);
    assert.deepEqual(over([coin('uaa', '100'), coin('ubb', '10')]), []);
    assert.match(over([coin('uaa', '101')]).join(), /holds 100 uaa, but the draft spends 101 uaa\./);
    assert.match(over([coin('uaa', '1'), coin('ubb', '11')]).join(), /holds 10 ubb, but the draft spends 11 ubb\./);
    assert.match(
      over([coin('uaa', '60')], [coin('uaa', '50')]).join(),
      /holds 100 uaa, but the draft spends 110 uaa\./,
    );
    assert.equal(over([coin('uaa', '60')], [coin('ubb', '5')], [coin('uaa', '50')]).length, 1);
  });

  it('are at most what the pool holds in x/protocolpool, too', () => {
    const of = (amount: string) =>
      typed('cosmos.protocolpool.v1.MsgCommunityPoolSpend', {
        authority: gov,
        recipient: someone,
        amount: [coin('uaa', amount)],
      });
    const about = known({ communityPool: [{ denom: 'uaa', amount: 100n }] });
    assert.equal(said('spend-over-pool', ofMessages(of('101')), about).length, 1);
    assert.equal(said('spend-over-pool', ofMessages(of('50'), spend([coin('uaa', '51')])), about).length, 1);
    assert.deepEqual(said('spend-over-pool', ofMessages(of('50')), about), []);
    const osmo = { ...of('5'), recipient: 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp' };
    assert.equal(said('address-invalid', ofMessages(osmo), about).length, 1);
  });

  it('of a denom that it does not hold are told with the first five that it holds', () => {
    const denoms = ['uaa', 'ubb', 'ucc', 'udd', 'uee', 'uff'].map((denom) => [denom, 1n] as const);
    const [text] = said('spend-over-pool', ofMessages(spend([coin('uxx')])), pool(...denoms));
    assert.match(text ?? '', /It holds 1 uaa, 1 ubb, 1 ucc, 1 udd, 1 uee\./);
    const [empty] = said('spend-over-pool', ofMessages(spend([coin('uxx')])), pool());
    assert.doesNotMatch(empty ?? '', /It holds/);
  });

  it('are refused at once if a legacy content alone is too much, and later if their sum is', () => {
    const content = (amount: string) =>
      legacy(
        typed('cosmos.distribution.v1beta1.CommunityPoolSpendProposal', {
          title: 'T',
          description: 'D',
          recipient: someone,
          amount: [coin('uaa', amount)],
        }),
      );
    const held = pool(['uaa', 100n]);
    assert.match(
      said('spend-over-pool', ofMessages(content('101')), held).join(),
      /The chain does not accept the proposal\.$/,
    );
    const two = said('spend-over-pool', ofMessages(content('60'), content('60')), held).join();
    assert.match(two, /The chain accepts the proposal, but the message would fail/);
    assert.match(
      said('spend-over-pool', ofMessages(spend([coin('uaa', '101')])), held).join(),
      /The chain accepts the proposal/,
    );
  });

  it('are most of the pool from nine tenths on, told at the last of them', () => {
    const held = pool(['uaa', 100n], ['ubb', 100n]);
    const most = (...amounts: readonly object[][]) =>
      said('spend-most-of-pool', ofMessages(...amounts.map((one) => spend(one))), held);
    assert.deepEqual(most([coin('uaa', '89'), coin('ubb', '1')]), []);
    assert.match(
      most([coin('uaa', '90')]).join(),
      /The draft spends 90 uaa, 90\.00 % of what the community pool holds\.$/,
    );
    assert.equal(most([coin('uaa', '100')]).length, 1);
    assert.deepEqual(most([coin('uaa', '101')]), []);
    assert.match(
      most([coin('uaa', '50')], [coin('uaa', '45')], [coin('ubb', '1')]).join(),
      /^warning \[\{"denom":"uaa","amount":"45"\}\]: .* 95 uaa, 95/,
    );
    assert.deepEqual(
      said('spend-most-of-pool', ofMessages(spend([coin('uaa', '95')])), known({ communityPool: undefined })),
      [],
    );
  });
});

describe('a list of coins', () => {
  const funds = (...list: unknown[]) =>
    typed('cosmwasm.wasm.v1.MsgExecuteContract', { sender: someone, contract: someone, msg: { a: {} }, funds: list });
  const form = (message: object, about?: ChainFacts) => said('coins-form', ofMessages(message), about);

  it('that is paid is not empty', () => {
    const says = 'No amount is given. The message would fail when it is executed.';
    assert.deepEqual(form(send([])), [`error []: ${says}`]);
    assert.deepEqual(form(spend([])), [`error []: ${says}`]);
    const old = known({ govParams: {}, hasGovV1: undefined, sdkVersion: 'v0.47.0' });
    assert.deepEqual(form(spend([]), old), [`warning []: ${says}`]);
    assert.deepEqual(form(send([]), old), [`error []: ${says}`]);
    assert.deepEqual(form(spend([]), nothingKnown), [`warning []: ${says}`]);
    assert.deepEqual(form(funds()), []);
    const gift = typed('cosmos.protocolpool.v1.MsgFundCommunityPool', { depositor: gov, amount: [] });
    const deposit = typed('cosmos.gov.v1.MsgDeposit', { proposal_id: '7', depositor: gov, amount: [] });
    for (const message of [gift, deposit]) assert.deepEqual(form(message), [`error []: ${says}`]);
    const content = { title: 'T', description: 'D', recipient: someone, amount: [] };
    assert.deepEqual(form(legacy(typed('cosmos.distribution.v1beta1.CommunityPoolSpendProposal', content))), []);
  });

  it('names a denom once, and is sorted', () => {
    const [one, two] = [coin('uaa'), coin('ubb')];
    const twice = 'A denom is listed twice. The message would fail when it is executed.';
    const order = 'Coins must be sorted by denom. The message would fail when it is executed.';
    for (const make of [send, spend, (list: object[]) => funds(...list)]) {
      assert.deepEqual(form(make([one, two])), []);
      assert.match(form(make([two, one])).join(), new RegExp(`^error \\[.*\\]: ${order}$`));
      assert.deepEqual(form(make([one, coin('uaa', '6')])), [`error {"denom":"uaa","amount":"6"}: ${twice}`]);
      assert.match(form(make([one, two, coin('uaa', '6')])).join(), /"6"\}: A denom is listed twice/);
    }
  });

  it('is so inside of other values, too', () => {
    const [sorted, unsorted] = [
      [coin('uaa'), coin('ubb')],
      [coin('ubb'), coin('uaa')],
    ];
    const multi = (inputs: object[], outputs: object[]) =>
      typed('cosmos.bank.v1beta1.MsgMultiSend', {
        inputs: [{ address: gov, coins: inputs }],
        outputs: [{ address: someone, coins: outputs }],
      });
    const vest = (amount: object[]) =>
      typed('cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount', {
        from_address: gov,
        to_address: someone,
        start_time: '1790000000',
        vesting_periods: [{ length: '5', amount }],
      });
    assert.match(form(multi(unsorted, sorted)).join(), /Coins must be sorted by denom/);
    assert.match(form(multi(sorted, unsorted)).join(), /Coins must be sorted by denom/);
    assert.match(form(vest(unsorted)).join(), /Coins must be sorted by denom/);
    assert.match(form(vest([])).join(), /No amount is given/);
    assert.deepEqual([...form(multi(sorted, sorted)), ...form(vest(sorted))], []);
  });

  it('is sorted by a repair', () => {
    const text = ofMessages(send([coin('ucc'), coin('uaa', '7'), coin('ubb')]));
    const mended = repaired(text, findingOf(text, 'coins-form')).get('coins-sort') ?? '';
    assert.deepEqual(JSON.parse(mended).messages[0].amount, [coin('uaa', '7'), coin('ubb'), coin('ucc')]);
  });

  it('of settings names a denom once, in any order', () => {
    const setting = (...denoms: string[]) =>
      typed('cosmos.bank.v1beta1.MsgSetSendEnabled', {
        authority: gov,
        send_enabled: denoms.map((denom) => ({ denom, enabled: true })),
      });
    assert.deepEqual(form(setting('ubb', 'uaa')), []);
    assert.equal(form(setting('ubb', 'uaa', 'ubb')).length, 1);
    assert.deepEqual(form(setting()), []);
  });
});

describe('the denoms that a message pays', () => {
  const of = (message: object) => {
    const draft = readDraft(ofMessages(message));
    assert.ok(typeof draft === 'object');
    return draft.actions.flatMap((action) => sentDenoms(action).map(({ value }) => value));
  };

  it('are in the field of its type, as a list or as one coin', () => {
    const list = [coin('uaa'), coin('ubb')];
    for (const [type, field] of [
      ['cosmos.bank.v1beta1.MsgSend', 'amount'],
      ['cosmos.gov.v1.MsgSubmitProposal', 'initial_deposit'],
      ['cosmos.gov.v1beta1.MsgDeposit', 'amount'],
      ['cosmos.protocolpool.v1.MsgFundCommunityPool', 'amount'],
      ['cosmos.vesting.v1beta1.MsgCreateVestingAccount', 'amount'],
      ['cosmwasm.wasm.v1.MsgInstantiateContract2', 'funds'],
    ] as const)
      assert.deepEqual(of(typed(type, { [field]: list })), ['uaa', 'ubb'], type);
    assert.deepEqual(of(typed('ibc.applications.transfer.v1.MsgTransfer', { token: coin('uaa') })), ['uaa']);
    assert.deepEqual(
      of(typed('cosmos.bank.v1beta1.MsgMultiSend', { inputs: [{ coins: list }, { coins: [coin('ucc')] }] })),
      ['uaa', 'ubb'],
    );
  });

  it('are none where there are no coins', () => {
    for (const message of [
      typed('cosmos.bank.v1beta1.MsgSend', {}),
      typed('cosmos.bank.v1beta1.MsgSend', { amount: '5uaa' }),
      typed('cosmos.bank.v1beta1.MsgSend', { amount: [{ amount: '5' }, { denom: 5 }, 'x'] }),
      typed('cosmos.bank.v1beta1.MsgMultiSend', {}),
      typed('cosmos.bank.v1beta1.MsgMultiSend', { inputs: [{}] }),
      typed('a.v1.MsgSend', { amount: [coin('uaa')] }),
      typed('cosmos.bank.v1beta1.constructor', { amount: [coin('uaa')] }),
    ])
      assert.deepEqual(of(message), [], JSON.stringify(message));
  });
});

describe('a payment', () => {
  const holding = (
    held: readonly (readonly [string, bigint])[],
    deposits: readonly (readonly [string, bigint])[] | undefined,
  ) => known({ govBalances: new Map(held), openDeposits: deposits && new Map(deposits) });
  const paid = (message: object, about?: ChainFacts) => [
    ...said('send-from-gov', ofMessages(message), about),
    ...said('spend-over-balance', ofMessages(message), about),
  ];

  it('of another account is not of interest', () => {
    assert.deepEqual(paid(send([coin('uaa')], someone)), []);
    assert.deepEqual(paid(send([coin('uaa')], undefined)).length, 1, 'the default of the helper is gov');
    assert.deepEqual(paid(send([coin('uaa')], 5)), []);
    assert.equal(paid(send([coin('uaa')], someone), nothingKnown).length, 1, 'whose account is gov is not known');
  });

  it('of nothing is not of interest', () => {
    for (const none of [[], 'x', undefined]) assert.deepEqual(paid(send(none)), []);
  });

  it('is judged for each denom', () => {
    const about = holding(
      [
        ['uaa', 10n],
        ['ubb', 10n],
      ],
      [['ubb', 6n]],
    );
    assert.deepEqual(paid(send([coin('uaa', '10'), coin('ubb', '4')]), about), []);
    assert.match(
      paid(send([coin('uaa', '10'), coin('ubb', '5')]), about).join(),
      /holds 10 ubb, 6 ubb of which are deposits .* sends 5 ubb/,
    );
    assert.match(
      paid(send([coin('uaa', '11'), coin('ubb', '5')]), about).join(),
      /currently holds 10 uaa, but the draft sends 11 uaa/,
    );
    assert.match(
      paid(send([coin('uaa', '1'), coin('ucc')]), about).join(),
      /^warning .* where deposits are held/,
      'of ucc nothing is known',
    );
  });

  it('has a repair only where the pool can pay instead', () => {
    const repair = (message: object) => {
      const text = ofMessages(message);
      return repaired(text, findingOf(text, 'send-from-gov'));
    };
    const mended = JSON.parse(repair(send([coin('uaa')])).get('spend-from-pool') ?? '').messages[0];
    assert.deepEqual(mended, { ...spend([coin('uaa')], someone) });
    const delegate = { delegator_address: gov, validator_address: 'x', amount: coin('stake') };
    assert.equal(repair(typed('cosmos.staking.v1beta1.MsgDelegate', delegate)).size, 0);
  });

  it('of the pool to gov counts for the messages behind it', () => {
    const about = holding([['uaa', 10n]], [['uaa', 10n]]);
    const of = (...messages: object[]) => {
      const codes = reportOf(ofMessages(...messages), about).findings.map(({ code }) => code);
      return codes.filter((code) => code === 'send-from-gov' || code === 'spend-over-balance');
    };
    assert.deepEqual(of(spend([coin('uaa', '5')], gov), send([coin('uaa', '5')])), []);
    assert.deepEqual(of(spend([coin('uaa', '5')], gov), send([coin('uaa', '6')])), ['send-from-gov']);
    assert.deepEqual(of(spend([coin('uaa', '5')], someone), send([coin('uaa', '5')])), ['send-from-gov']);
    assert.deepEqual(of(send([coin('uaa', '4')], someone), send([coin('uaa', '5')])), ['send-from-gov']);
  });
});

describe('the coin of a stake', () => {
  const stake = (amount: unknown, name = 'MsgDelegate') =>
    typed(`cosmos.staking.v1beta1.${name}`, { delegator_address: someone, validator_address: 'x', amount });
  const codes = (message: object, code: FindingCode) => said(code, ofMessages(message));

  it('is known by the type of its message', () => {
    const draft = readDraft(
      ofMessages(
        stake(coin('uaa')),
        typed('cosmos.staking.v1beta1.MsgCreateValidator', { value: coin('ubb') }),
        typed('a.v1.MsgDelegate', { amount: coin('ucc') }),
        typed('cosmos.staking.v1beta1.MsgEditValidator', { amount: coin('udd') }),
        typed('cosmos.staking.v1beta1.toString', { amount: coin('uee') }),
        typed('cosmos.staking.v1beta1.MsgDelegate', {}),
      ),
    );
    assert.ok(typeof draft === 'object');
    assert.deepEqual(
      draft.actions.map((action) => bondedCoin(action)?.children?.[0]?.children?.[1]?.value),
      ['uaa', 'ubb', undefined, undefined, undefined, undefined],
    );
  });

  it('is in the denom of today, if it has one', () => {
    assert.equal(codes(stake(coin('uaa')), 'stake-denom').length, 1);
    for (const fine of [coin('stake'), coin(''), { amount: '5' }, { denom: 5, amount: '5' }, 'x'])
      assert.deepEqual(codes(stake(fine), 'stake-denom'), [], JSON.stringify(fine));
  });

  it('is more than nothing', () => {
    const isRefused = (amount: unknown) =>
      codes(stake(coin('stake', amount)), 'field-type').some((one) => one.includes('must be greater than 0'));
    assert.deepEqual(['0', '000', '1', '10', '100'].map(isRefused), [true, true, false, false, false]);
  });
});

describe('a deposit to another proposal', () => {
  const deposit = (denom: unknown, type = 'cosmos.gov.v1.MsgDeposit', field = 'amount') =>
    ofMessages(typed(type, { proposal_id: '7', depositor: someone, [field]: [{ denom, amount: '5' }] }));

  it('is in a denom of the minimum', () => {
    assert.equal(said('deposit-denom', deposit('uaa')).length, 1);
    assert.equal(
      said('deposit-denom', deposit('uaa', 'cosmos.gov.v1beta1.MsgSubmitProposal', 'initial_deposit')).length,
      1,
    );
    assert.deepEqual(said('deposit-denom', deposit('stake')), []);
    assert.deepEqual(said('deposit-denom', deposit('uaa', 'cosmos.bank.v1beta1.MsgSend')), []);
    for (const minDeposit of [[], undefined]) {
      const found = said('deposit-denom', deposit('uaa'), known({ govParams: { minDeposit } }));
      assert.ok(!found.some((one) => one.includes('"uaa"')), 'nothing is known of the minimum');
    }
  });

  it('has the least share of the minimum in one denom', () => {
    const of = (amount: string) =>
      ofMessages(
        typed('cosmos.gov.v1.MsgDeposit', { proposal_id: '7', depositor: someone, amount: [coin('stake', amount)] }),
      );
    const least = 'The deposit is too small. Each deposit needs at least one of 100,000 stake.';
    assert.match(said('deposit-small', of('99999')).join(), new RegExp(`^error .*: ${least} .*is executed`));
    assert.deepEqual(said('deposit-small', of('100000')), []);
    assert.deepEqual(said('deposit-small', of('5'), known({ govParams: { minDeposit: [] } })), []);
  });

  it('is refused since SDK 0.50, and before that may not count', () => {
    assert.match(said('deposit-denom', deposit('uaa')).join(), /^error "uaa"/);
    const minDeposit = [{ denom: 'stake', amount: 5n }];
    const old = known({ govParams: { minDeposit }, hasGovV1: undefined, sdkVersion: 'v0.47.0' });
    assert.match(said('deposit-denom', deposit('uaa'), old).join(), /^warning "uaa"/);
  });
});
