import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { noNeeds } from '../../../src/draft/draftNeeds.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { startSampleNode } from '../../support/nodes.ts';
import {
  applyEdits,
  codesOf,
  coins,
  facts,
  findingOf,
  gov,
  govParams,
  known,
  ofMessages,
  someone,
  spend,
  transfer as transferOf,
  update,
} from './exampleDrafts.ts';

const operator = 'cosmosvaloper10d07y265gmmuvt4z0w9aw880jnsr700jlk8s6q';
const staking = (name: string, more: object = {}): object => ({
  '@type': `/cosmos.staking.v1beta1.${name}`,
  delegator_address: gov,
  validator_address: operator,
  amount: { denom: 'stake', amount: '5' },
  ...more,
});
const send = (): object => ({
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: gov,
  to_address: someone,
  amount: coins('5'),
});
const transfer = (more: object = {}): object =>
  transferOf({
    timeout_timestamp: String((BigInt(facts.time?.getTime() ?? 0) + 30n * 86_400_000n) * 1_000_000n),
    ...more,
  });
const said = (text: string, code: FindingCode, about?: ChainFacts): string =>
  findingText(findingOf(text, code, about), plainEnglish);
/** A gov account that holds this much, of which others have deposited `deposits`. Deposits may be small. */
const holding = (amount: bigint, deposits?: bigint): ChainFacts =>
  known({
    govParams: { ...govParams, minDepositRatio: undefined },
    govBalances: new Map([['stake', amount]]),
    openDeposits: deposits === undefined ? undefined : new Map([['stake', deposits]]),
  });

describe('a payment of the gov account', () => {
  const paying: readonly (readonly [name: string, message: object])[] = [
    ['a delegation', staking('MsgDelegate')],
    ['an IBC transfer', transfer()],
    [
      'funds of a contract',
      {
        '@type': '/cosmwasm.wasm.v1.MsgExecuteContract',
        sender: gov,
        contract: someone,
        msg: { a: {} },
        funds: coins('5'),
      },
    ],
    ['a deposit', { '@type': '/cosmos.gov.v1.MsgDeposit', proposal_id: '7', depositor: gov, amount: coins('5') }],
    [
      'a payment to the pool',
      { '@type': '/cosmos.distribution.v1beta1.MsgFundCommunityPool', depositor: gov, amount: coins('5') },
    ],
  ];
  for (const [name, message] of paying)
    it(`is said to come from the deposits, and to be too much: ${name}`, () => {
      const text = ofMessages(message);
      assert.match(said(text, 'send-from-gov', nothingKnown), /not from the community pool\.$/);
      assert.ok(!codesOf(text, holding(5n)).includes('warning spend-over-balance'));
      assert.match(said(text, 'spend-over-balance', holding(4n)), /^The gov account currently holds 4 stake/);
    });

  it('is no finding where it leaves what others have deposited', () => {
    for (const [, message] of paying) {
      const text = ofMessages(message);
      for (const about of [holding(5n, 0n), holding(15n, 10n)]) assert.deepEqual(codesOf(text, about), []);
    }
    const none = known({ govBalances: new Map([['stake', 5n]]), openDeposits: new Map() });
    assert.deepEqual(codesOf(ofMessages(staking('MsgDelegate')), none), []);
  });

  it('says how much of the balance is deposits where it spends some of them', () => {
    const text = ofMessages(staking('MsgDelegate'), transfer());
    assert.deepEqual(codesOf(text, holding(15n, 8n)), ['warning send-from-gov']);
    assert.match(
      said(text, 'send-from-gov', holding(15n, 8n)),
      /^The gov account holds 15 stake, 8 stake of which are deposits on open proposals\. The draft sends 10 stake from it\.$/,
    );
  });

  it('is one finding where the account holds less', () => {
    for (const message of [staking('MsgDelegate'), send()]) {
      const about = holding(4n, 4n);
      assert.deepEqual(codesOf(ofMessages(message), about), ['warning spend-over-balance']);
    }
    const [repair] = findingOf(ofMessages(send()), 'spend-over-balance', holding(4n)).repairs;
    assert.equal(repair?.code, 'spend-from-pool');
  });

  it('is compared with the deposits that a state holds', async () => {
    const sample = await startSampleNode();
    try {
      const read = createFactsReader(sample.node);
      const { openDeposits, govBalances } = await read({ ...noNeeds, paidByGov: ['usample'] });
      // The gov account of the sample holds nothing else.
      assert.equal(openDeposits?.get('usample'), govBalances?.get('usample'));
      assert.ok((openDeposits?.get('usample') ?? 0n) > 0n);
    } finally {
      await sample.dispose();
    }
  });

  it('is one to several, too', () => {
    const text = ofMessages({
      '@type': '/cosmos.bank.v1beta1.MsgMultiSend',
      inputs: [{ address: gov, coins: coins('5') }],
      outputs: [{ address: someone, coins: coins('5') }],
    });
    assert.deepEqual(codesOf(text), ['warning send-from-gov']);
    assert.deepEqual(codesOf(text, holding(5n, 1n)), ['warning send-from-gov']);
    assert.deepEqual(codesOf(text, holding(6n, 1n)), []);
  });

  it('is summed over all messages', () => {
    const text = ofMessages(staking('MsgDelegate'), transfer());
    assert.match(
      said(text, 'spend-over-balance', holding(9n)),
      /currently holds 9 stake, but the draft sends 10 stake/,
    );
  });

  it('is not from the deposits where an earlier message pays it to the account', () => {
    const codes = codesOf(ofMessages(spend(coins('10'), gov), staking('MsgDelegate'), transfer()), holding(0n));
    assert.deepEqual(codes, []);
    const late = codesOf(ofMessages(staking('MsgDelegate'), spend(coins('10'), gov)), holding(0n));
    assert.ok(late.includes('warning spend-over-balance'));
  });

  it('is none without coins', () => {
    const call = { '@type': '/cosmwasm.wasm.v1.MsgExecuteContract', sender: gov, contract: someone, msg: { a: {} } };
    assert.deepEqual(codesOf(ofMessages({ ...call, funds: [] })), []);
  });
});

describe('the coin of a stake', () => {
  it('is of the bond denom, unless the draft changes it', () => {
    for (const name of ['MsgDelegate', 'MsgUndelegate', 'MsgCancelUnbondingDelegation']) {
      const text = ofMessages(staking(name, { amount: { denom: 'uatom', amount: '5' } }));
      assert.match(said(text, 'stake-denom'), /^amount is in uatom, but this chain stakes stake\./);
    }
    const other = staking('MsgDelegate', { amount: { denom: 'uatom', amount: '5' } });
    assert.ok(!codesOf(ofMessages(other), nothingKnown).includes('error stake-denom'));
    assert.ok(!codesOf(ofMessages(update('staking', { bond_denom: 'uatom' }), other)).includes('error stake-denom'));
    assert.ok(codesOf(ofMessages(update('mint', {}), other)).includes('error stake-denom'));
  });

  it('is above 0, as that of a transfer', () => {
    for (const amount of ['0', '-5']) {
      const coin = { denom: 'stake', amount };
      for (const message of [staking('MsgUndelegate', { amount: coin }), transfer({ token: coin })])
        assert.ok(codesOf(ofMessages(message)).includes('error field-type'), amount);
    }
  });
});

describe('a deposit to another proposal', () => {
  it('is of a denom that counts', () => {
    const text = ofMessages({
      '@type': '/cosmos.gov.v1.MsgDeposit',
      proposal_id: '7',
      depositor: gov,
      amount: coins('5', 'uatom'),
    });
    assert.match(said(text, 'deposit-denom'), /^uatom does not count toward the deposit\. This chain accepts stake\.$/);
    assert.ok(!codesOf(text, nothingKnown).includes('error deposit-denom'));
  });
});

describe('the denom of a minimum deposit', () => {
  const deposit = (denom: string): string =>
    ofMessages(
      update('cosmos.gov.v1', {
        min_deposit: [{ denom, amount: '10' }],
        expedited_min_deposit: [{ denom, amount: '50' }],
      }),
    );
  const today = known({
    govParams,
    supplies: new Map([
      ['stake', 10n ** 9n],
      ['uother', 10n ** 9n],
    ]),
  });

  it('that differs from that of today is a warning', () => {
    assert.match(
      said(deposit('uother'), 'denom-changed', today),
      /^min_deposit is currently in stake, uosmo\. It would have to be paid in uother\. The supply/,
    );
    assert.ok(!codesOf(deposit('stake'), today).includes('warning denom-changed'));
  });
});

describe('a spend of a denom that the community pool does not hold', () => {
  it('is said with what it holds', () => {
    const text = ofMessages(spend(coins('5', 'uatom')));
    assert.match(said(text, 'spend-over-pool'), /^The community pool holds 0 uatom, .* It holds 5,000,000 stake\./);
  });
});

describe('the accounts and coins of other messages', () => {
  const osmo = 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp';
  const grant = { '@type': '/cosmos.feegrant.v1beta1.MsgRevokeAllowance', granter: gov };
  const call = { '@type': '/cosmwasm.wasm.v1.MsgExecuteContract', sender: gov, msg: { a: {} }, contract: someone };

  it('are accounts of this chain', () => {
    for (const message of [
      { ...grant, grantee: osmo },
      { ...call, funds: [], contract: `${someone}x` },
    ])
      assert.deepEqual(codesOf(ofMessages(message)), ['error address-invalid']);
    for (const message of [
      { ...grant, grantee: someone },
      { ...call, funds: [] },
    ])
      assert.deepEqual(codesOf(ofMessages(message)), []);
  });

  it('are coins in order, each denom once', () => {
    const sorted = [...coins('5', 'aaa'), ...coins('5')];
    for (const funds of [sorted.toReversed(), [...coins('5'), ...coins('6')]])
      assert.ok(codesOf(ofMessages({ ...call, funds })).includes('error coins-form'));
    assert.ok(!codesOf(ofMessages({ ...call, funds: sorted })).includes('error coins-form'));
  });
});

describe('a value that depends on others', () => {
  const access = (permission: unknown, addresses: readonly string[] = []): string =>
    ofMessages({
      '@type': '/cosmwasm.wasm.v1.MsgUpdateInstantiateConfig',
      sender: gov,
      code_id: '3',
      new_instantiate_permission: { permission, addresses },
    });
  const grant = (days: number): string =>
    ofMessages({
      '@type': '/cosmos.authz.v1beta1.MsgGrant',
      granter: gov,
      grantee: someone,
      grant: {
        authorization: { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '/cosmos.gov.v1.MsgVote' },
        expiration: new Date((facts.time?.getTime() ?? 0) + days * 86_400_000).toISOString(),
      },
    });

  it('is the list of addresses that an access is for', () => {
    assert.match(said(access('AnyOfAddresses'), 'field-empty'), /^addresses must not be empty\./);
    assert.match(said(access('Unspecified'), 'field-empty'), /^permission must not be empty\./);
    assert.deepEqual(codesOf(access('AnyOfAddresses', [someone])), []);
    assert.deepEqual(codesOf(access('Nobody')), []);
    const other = { '@type': '/x.v1.MsgStore', instantiate_permission: { permission: 'AnyOfAddresses' } };
    assert.deepEqual(codesOf(ofMessages(other)), ['hint type-unknown']);
  });

  it('is a time that passes before the vote ends', () => {
    assert.deepEqual(codesOf(grant(-1)), ['error time-early']);
    assert.deepEqual(codesOf(grant(0)), ['error time-early']);
    assert.deepEqual(
      [13, 14].map((days) => codesOf(grant(days))),
      [['warning time-early'], ['warning time-early']],
    );
    assert.match(
      said(grant(13), 'time-early'),
      /^expiration is .* UTC, but the vote ends at about .* Choose a later time\.$/,
    );
    assert.deepEqual(codesOf(grant(15)), []);
    assert.deepEqual(codesOf(grant(-1), nothingKnown), []);
  });

  it('is the expiration of a fee allowance, too', () => {
    const basic = (days: number) => ({
      '@type': '/cosmos.feegrant.v1beta1.BasicAllowance',
      spend_limit: coins('5'),
      expiration: new Date((facts.time?.getTime() ?? 0) + days * 86_400_000).toISOString(),
    });
    const allow = (allowance: object): string =>
      ofMessages({ '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance', granter: gov, grantee: someone, allowance });
    const periodic = {
      '@type': '/cosmos.feegrant.v1beta1.PeriodicAllowance',
      basic: { expiration: '2020-01-01T00:00:00Z' },
    };
    assert.deepEqual(codesOf(allow(basic(-1))), ['error time-early']);
    assert.ok(codesOf(allow(periodic)).includes('error time-early'));
    assert.deepEqual(codesOf(allow(basic(15))), []);
  });
});

describe('the timeout of an IBC transfer', () => {
  const at = (days: number): bigint => BigInt((facts.time?.getTime() ?? 0) + days * 86_400_000);

  it('is needed', () => {
    for (const none of [undefined, '0', 0, null]) {
      const text = ofMessages(transfer({ timeout_timestamp: none, timeout_height: { revision_number: '0' } }));
      assert.match(
        said(text, 'transfer-timeout'),
        /^The transfer has no timeout\. Set timeout_timestamp.*when it is executed/,
      );
    }
    const height = { revision_number: '1', revision_height: '5000000' };
    assert.ok(
      !codesOf(ofMessages(transfer({ timeout_timestamp: '0', timeout_height: height }))).includes(
        'error transfer-timeout',
      ),
    );
  });

  it('is in nanoseconds, which the repair writes', () => {
    for (const [unit, divisor] of [
      ['seconds', 1000n],
      ['milliseconds', 1n],
    ] as const) {
      const text = ofMessages(transfer({ timeout_timestamp: String(at(30) / divisor) }));
      const finding = findingOf(text, 'transfer-timeout');
      assert.equal(finding.severity, 'error');
      assert.match(findingText(finding, plainEnglish), new RegExp(`^The timeout is in ${unit}\\. Use nanoseconds`));
      const mended = applyEdits(text, finding.repairs[0]?.edits ?? []);
      assert.ok(!codesOf(mended).some((code) => code.includes('transfer-timeout')), mended);
    }
    const byClient = transfer({ timeout_timestamp: String(at(30) / 1000n), source_channel: '07-tendermint-0' });
    assert.equal(findingOf(ofMessages(byClient), 'transfer-timeout').severity, 'warning');
  });

  it('is after the end of the vote', () => {
    const severityAt = (days: number): string =>
      codesOf(ofMessages(transfer({ timeout_timestamp: String(at(days) * 1_000_000n) })))
        .filter((code) => code.includes('transfer-timeout'))
        .join();
    assert.equal(severityAt(-1), 'error transfer-timeout');
    assert.equal(severityAt(13), 'warning transfer-timeout');
    assert.equal(severityAt(15), '');
  });
});
