import assert from 'node:assert/strict';
import type { Fields } from '../../../src/chain/fields.ts';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { heldAgainst, riskyDenoms, setsValidators } from '../../../src/draft/checks/harm/harmChecks.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import {
  change,
  facts,
  findingOf,
  gov,
  known,
  legacy,
  legacyChange,
  ofMessages,
  reportOf,
  update,
} from './exampleDrafts.ts';

const codes: readonly FindingCode[] = [
  'denom-changed',
  'denom-unissued',
  'deposit-over-supply',
  'evidence-age',
  'message-undone',
  'names-dropped',
  'param-extreme',
  'period-cut',
  'sends-off',
  'validators-out',
  'value-jump',
];

/** The harm that a draft does: code and sentence of each finding. */
function harms(text: string, about: ChainFacts = facts): readonly string[] {
  const { findings } = reportOf(text, about);
  return findings
    .filter(({ code }) => codes.includes(code))
    .map((one) => `${one.code}: ${findingText(one, plainEnglish)}`);
}
const harmCodes = (text: string, about: ChainFacts = facts) => harms(text, about).map((one) => one.split(':')[0]);

/** A message that sets these parameters of a module. */
const setting = (module: string, params: Fields) => ({ '@type': `/${module}.MsgUpdateParams`, authority: gov, params });
/** The facts of a chain whose module has these parameters today. */
const today = (module: string, params: Fields, more: Partial<ChainFacts> = {}) =>
  known({ moduleParams: new Map([...facts.moduleParams, [module, params]]), ...more });
/** The harm of one parameter that becomes another value than today's. */
const changed = (module: string, field: string, from: unknown, to: unknown, more?: Partial<ChainFacts>) =>
  harms(ofMessages(setting(module, { [field]: to })), today(module, { [field]: from }, more));

const [govV1, staking, slashing] = ['cosmos.gov.v1', 'cosmos.staking.v1beta1', 'cosmos.slashing.v1beta1'];
const transfer = 'ibc.applications.transfer.v1';

describe('a list that stands for everything', () => {
  const host = 'ibc.applications.interchain_accounts.host.v1';
  const some = ['/cosmos.bank.v1beta1.MsgSend'];
  const allow = (from: unknown, to: unknown) => changed(host, 'allow_messages', from, to);

  it('is that of all messages, where it is not such today', () => {
    const says = 'param-extreme: allow_messages: interchain accounts could execute any message.';
    assert.deepEqual(allow(some, ['*']), [says]);
    const change = legacyChange({ subspace: 'icahost', key: 'AllowMessages', value: '["*"]' });
    const about = known({ legacyParams: new Map([['icahost/AllowMessages', JSON.stringify(some)]]) });
    assert.deepEqual(harms(ofMessages(change), about), [says]);
    assert.deepEqual(allow(['*'], ['*']), []);
    assert.deepEqual(allow(some, [...some, '/cosmos.staking.v1beta1.MsgDelegate']), []);
    assert.deepEqual(allow(undefined, ['*']), []);
  });
});

describe('a value at the end of its range', () => {
  const cases: readonly (readonly [module: string, field: string, today: unknown, asked: unknown, says: string])[] = [
    [govV1, 'quorum', '0.4', '1', 'quorum: no proposal would pass unless all bonded tokens vote.'],
    [
      govV1,
      'quorum',
      '0.4',
      '0.900000000000000000',
      'quorum: no proposal would pass unless 90.00 % of the bonded tokens vote (currently 40.00 %).',
    ],
    [govV1, 'threshold', '0.5', '1.0', 'threshold: a single No vote would stop a proposal.'],
    [govV1, 'expedited_threshold', '0.667', '1', 'expedited_threshold: a single No vote would stop a proposal.'],
    [
      govV1,
      'veto_threshold',
      '0.334',
      '1',
      'veto_threshold: a proposal would be vetoed only if every vote is No with veto.',
    ],
    [
      staking,
      'historical_entries',
      10_000,
      0,
      'historical_entries: IBC handshakes need historical entries and would fail without them.',
    ],
    [
      staking,
      'min_commission_rate',
      '0.05',
      '1',
      'min_commission_rate: validators would keep all rewards, and delegators would get none.',
    ],
    [
      slashing,
      'min_signed_per_window',
      '0.5',
      '1',
      'min_signed_per_window: a validator that misses one block would be jailed.',
    ],
    [
      slashing,
      'slash_fraction_double_sign',
      '0.05',
      '1',
      'slash_fraction_double_sign: a validator and its delegators would lose all of their stake.',
    ],
    [
      slashing,
      'slash_fraction_downtime',
      '0.01',
      '1',
      'slash_fraction_downtime: a validator and its delegators would lose all of their stake.',
    ],
    ['cosmos.mint.v1beta1', 'inflation_max', '0.2', '1', 'inflation_max: the supply could double in a year.'],
    [
      'cosmos.distribution.v1beta1',
      'community_tax',
      '0.02',
      '1',
      'community_tax: all rewards would go to the community pool.',
    ],
  ];
  for (const [module, field, before, asked, says] of cases)
    it(`has an effect: ${says}`, () => {
      assert.deepEqual(changed(module, field, before, asked), [`param-extreme: ${says}`]);
    });

  it('of a block is no gas', () => {
    const text = ofMessages({
      '@type': '/cosmos.consensus.v1.MsgUpdateParams',
      authority: gov,
      block: { max_gas: '0' },
    });
    const about = today('cosmos.consensus.v1', { block: { max_gas: '75000000' } });
    assert.deepEqual(harms(text, about), ['param-extreme: block.max_gas: no transaction would fit in a block.']);
  });

  it('is none if it is so today, or is less, or is that of another parameter', () => {
    for (const [field, from, to] of [
      ['quorum', '1', '1.000000000000000000'],
      ['quorum', '0.95', '0.950000000000000000'],
      ['quorum', '0.4', '0.899999999999999999'],
      ['veto_threshold', '0.334', '0.95'],
      ['proposal_cancel_ratio', '0.5', '1'],
    ] as const)
      assert.deepEqual(changed(govV1, field, from, to), [], `${field} ${to}`);
    assert.deepEqual(changed(staking, 'min_commission_rate', '0.05', '0.499'), []);
    assert.deepEqual(changed('cosmos.mint.v1beta1', 'inflation_max', '0.2', '0.6'), []);
  });
});

describe('a value that leaps', () => {
  it('is ten times as large or as small as today, or more', () => {
    for (const [to, leaps] of [
      ['63115200', true],
      ['63115199', false],
      ['631152', true],
      ['631153', false],
      ['6311520', false],
    ] as const)
      assert.equal(changed('cosmos.mint.v1beta1', 'blocks_per_year', '6311520', to).length, leaps ? 1 : 0, to);
  });

  it('is none from zero or to zero, which has no factor', () => {
    assert.deepEqual(changed(govV1, 'min_initial_deposit_ratio', '0.000000000000000000', '0.5'), []);
    assert.deepEqual(changed(govV1, 'min_initial_deposit_ratio', '0.5', '0'), []);
    assert.deepEqual(changed(govV1, 'proposal_cancel_ratio', '0.5', '0.0'), []);
  });

  it('is a period in any notation, with both spans', () => {
    assert.deepEqual(changed(slashing, 'downtime_jail_duration', '600s', '100m'), [
      'period-cut: downtime_jail_duration increases from 10 minutes to 1 hour 40 minutes. Check the unit.',
    ]);
    assert.deepEqual(changed(slashing, 'downtime_jail_duration', '600s', '99m'), []);
    for (const unreadable of ['60', '1 day', '0s', 60]) {
      assert.deepEqual(changed(slashing, 'downtime_jail_duration', '600s', unreadable), [], String(unreadable));
    }
  });

  it('is one of a legacy period only if it is written as a text of nanoseconds', () => {
    const about = known({
      legacyParams: new Map([
        ['slashing/DowntimeJailDuration', '"600000000000"'],
        ['slashing/SlashFractionDowntime', '"0.010000000000000000"'],
        ['slashing/SignedBlocksWindow', '"10000"'],
      ]),
    });
    const of = (key: string, value: string) => harms(ofMessages(legacyChange(change('slashing', key, value))), about);
    assert.deepEqual(of('DowntimeJailDuration', '"600000000"'), [
      'period-cut: downtime_jail_duration drops from 10 minutes to 600 ms. Check the unit.',
    ]);
    assert.deepEqual(of('DowntimeJailDuration', '600000000'), []);
    assert.deepEqual(of('SlashFractionDowntime', '"0.5"'), [
      'value-jump: slash_fraction_downtime changes from 0.01 to 0.5, by a factor of 50. Check the digits.',
    ]);
    assert.deepEqual(of('SignedBlocksWindow', '"100"'), [
      'value-jump: signed_blocks_window changes from 10,000 to 100, by a factor of 100. Check the digits.',
    ]);
  });
});

describe('a setting that is turned off', () => {
  it('is told with what it stops', () => {
    for (const [module, field, says] of [
      [
        'cosmos.bank.v1beta1',
        'default_send_enabled',
        'This turns off transfers of every denom that has no setting of its own. Those transfers are currently on.',
      ],
      [transfer, 'send_enabled', 'This turns off IBC transfers out of this chain, which are currently on.'],
      [transfer, 'receive_enabled', 'This turns off IBC transfers into this chain, which are currently on.'],
      [
        'ibc.applications.interchain_accounts.host.v1',
        'host_enabled',
        'This turns off host_enabled, which is currently on.',
      ],
    ] as const) {
      assert.deepEqual(changed(module, field, true, false), [`sends-off: ${says}`]);
      for (const [from, to] of [
        [false, false],
        [false, true],
        [true, true],
        [true, 'false'],
        ['true', false],
      ])
        assert.deepEqual(changed(module, field, from, to), [], `${field} ${from} ${to}`);
    }
  });

  it('is the transfer of a denom of deposits', () => {
    const type = '/cosmos.bank.v1beta1.MsgSetSendEnabled';
    const of = (...send_enabled: object[]) => ofMessages({ '@type': type, authority: gov, send_enabled });
    const off = of({ denom: 'uother', enabled: false }, { denom: 'stake', enabled: false });
    assert.deepEqual(harms(off), ['sends-off: This turns off transfers of stake, which is used to pay deposits.']);
    const { range } = findingOf(of({ denom: 'stake' }), 'sends-off');
    assert.ok(of({ denom: 'stake' }).slice(range.start, range.end).startsWith('{'));
    for (const text of [of({ denom: 'stake', enabled: true }), of({ enabled: false }), of()])
      assert.deepEqual(harms(text), [], text);
    assert.deepEqual(harms(off, known({ govParams: undefined })), []);
    assert.deepEqual(harms(off.replace('MsgSetSendEnabled', 'MsgSetOther')), []);
  });
});

describe('another denom', () => {
  it('is told with what exists of it, and for stake with what is staked', () => {
    const more = {
      supplies: new Map([['ubb', 5000n]]),
      votes: { params: {}, votingPower: 7000n },
    };
    assert.deepEqual(changed(staking, 'bond_denom', 'uaa', 'ubb', more), [
      'denom-changed: bond_denom is currently uaa. New delegations would have to use another denom. 7,000 uaa are staked. The supply of ubb is 5,000.',
    ]);
    assert.deepEqual(changed('cosmos.mint.v1beta1', 'mint_denom', 'uaa', 'ubb', more), [
      'denom-changed: mint_denom is currently uaa. New coins would have a different denom. The supply of ubb is 5,000.',
    ]);
    assert.deepEqual(changed('cosmos.mint.v1beta1', 'mint_denom', 'uaa', 'ucc'), [
      'denom-changed: mint_denom is currently uaa. New coins would have a different denom.',
    ]);
  });

  it('is none where it is no denom', () => {
    for (const [from, to] of [
      ['uaa', 'uaa'],
      ['uaa', ''],
      ['uaa', 5],
      [5, 'uaa'],
      ['uaa', null],
    ])
      assert.deepEqual(changed(staking, 'bond_denom', from, to), [], `${from} ${to}`);
  });
});

describe('a minimum deposit', () => {
  const deposit = (from: object[], to: object[], supplies?: readonly (readonly [string, bigint])[]) =>
    changed(govV1, 'min_deposit', from, to, { supplies: supplies && new Map(supplies) });
  const coin = (amount: number, denom = 'uaa') => ({ denom, amount: String(amount) });

  it('is too large above the supply, and not at it', () => {
    assert.deepEqual(deposit([coin(10)], [coin(50)], [['uaa', 50n]]), []);
    assert.match(
      deposit([coin(10)], [coin(51)], [['uaa', 50n]]).join(),
      /^deposit-over-supply: .* 51 uaa, but only 50 uaa/,
    );
    assert.deepEqual(deposit([coin(10)], [coin(51)]), []);
  });

  it('leaps by a factor of ten, for each denom', () => {
    const before = [coin(10), coin(1000, 'ubb')];
    assert.deepEqual(deposit(before, [coin(99), coin(101, 'ubb')]), []);
    assert.deepEqual(deposit(before, [coin(100), coin(1000, 'ubb')]), [
      'value-jump: min_deposit changes from 10 uaa to 100 uaa, by a factor of 10. Check the digits.',
    ]);
    assert.deepEqual(deposit(before, [coin(10), coin(99, 'ubb')]), [
      'value-jump: min_deposit changes from 1,000 ubb to 99 ubb, by a factor of more than 10. Check the digits.',
    ]);
    assert.deepEqual(deposit([coin(0)], [coin(100)]), []);
  });

  it('is in another denom than today', () => {
    assert.deepEqual(deposit([coin(10), coin(5, 'ubb')], [coin(10, 'ucc')], [['ucc', 99n]]), [
      'denom-changed: min_deposit is currently in uaa, ubb. It would have to be paid in ucc. The supply of ucc is 99.',
    ]);
    assert.deepEqual(deposit([], [coin(10)]), []);
    assert.deepEqual(harmCodes(ofMessages(setting('cosmos.crisis.v1beta1', {}))), []);
  });

  it('of an invariant check is one coin', () => {
    const text = ofMessages({
      '@type': '/cosmos.crisis.v1beta1.MsgUpdateParams',
      authority: gov,
      constant_fee: coin(100),
    });
    const about = today('cosmos.crisis.v1beta1', { constant_fee: coin(10) });
    assert.deepEqual(harms(text, about), [
      'value-jump: constant_fee changes from 10 uaa to 100 uaa, by a factor of 10. Check the digits.',
    ]);
  });
});

describe('the number of validators', () => {
  const out = (from: unknown, to: unknown, bondedStakes?: readonly bigint[]) =>
    changed(staking, 'max_validators', from, to, { bondedStakes });
  const stakes = [50n, 30n, 15n, 5n];

  it('drops those with the least stake', () => {
    assert.deepEqual(out(100, 2, stakes), [
      'validators-out: 2 of 4 bonded validators, holding 20.00 % of all voting power, would drop out of the active set.',
    ]);
    assert.match(out(4, 1, stakes).join(), /^validators-out: 3 of 4 .* 50\.00 %/);
  });

  it('drops none where there are as many places, or more than before, or the stakes are not known', () => {
    for (const [from, to, bonded] of [
      [100, 4, stakes],
      [100, 50, stakes],
      [2, 2, stakes],
      [2, 3, stakes],
      [100, 2, undefined],
      [100, 0, stakes],
      [100, 'two', stakes],
      ['many', 2, stakes],
    ] as const)
      assert.deepEqual(out(from, to, bonded), [], `${from} ${to}`);
  });
});

describe('names that a list loses', () => {
  const [client, clients] = ['ibc.core.client.v1', 'allowed_clients'];

  it('are told, unless the list allows everything or is empty', () => {
    assert.match(changed(client, clients, ['a', 'b', 'c'], ['b', 'd']).join(), /^names-dropped: .* include a, c\./);
    for (const to of [['b', 'a'], ['*'], [], 'a', null]) assert.deepEqual(changed(client, clients, ['a', 'b'], to), []);
    assert.deepEqual(changed(client, clients, '*', ['a']), []);
  });

  it('are types of keys, too', () => {
    const validator = (pub_key_types: string[]) => ({ validator: { pub_key_types } });
    const text = (types: string[]) =>
      ofMessages({ '@type': '/cosmos.consensus.v1.MsgUpdateParams', authority: gov, ...validator(types) });
    const about = today('cosmos.consensus.v1', validator(['ed25519', 'secp256k1']));
    assert.deepEqual(harms(text(['secp256k1']), about), [
      'names-dropped: validator.pub_key_types would no longer include ed25519. Validators with keys of these types would drop out of the active set.',
    ]);
  });
});

describe('the age of evidence', () => {
  const consensus = (max_age_duration: string) => ({ evidence: { max_age_duration } });
  const chain = today('cosmos.consensus.v1', consensus('100s'), {});
  const of = (unbonding_time: unknown, about = chain) =>
    harmCodes(ofMessages(update('staking', { unbonding_time })), about);

  it('is longer than stake takes to unbond', () => {
    assert.ok(of('99s').includes('evidence-age'));
    for (const time of ['100s', '101s', '0s', 'soon']) assert.ok(!of(time).includes('evidence-age'), time);
    assert.ok(!of('99s', today('cosmos.consensus.v1', {})).includes('evidence-age'));
    assert.ok(!of('99s', today('cosmos.consensus.v1', consensus('soon'))).includes('evidence-age'));
  });

  it('is that of the draft, if the draft sets it', () => {
    const sets = (fields: object) => ({ '@type': '/cosmos.consensus.v1.MsgUpdateParams', authority: gov, ...fields });
    const both = (fields: object) =>
      harmCodes(ofMessages(update('staking', { unbonding_time: '99s' }), sets(fields)), chain);
    assert.ok(!both(consensus('99s')).includes('evidence-age'));
    assert.ok(both({ block: {} }).includes('evidence-age'), 'it stays as it is');
  });

  it('is compared with the parameters of the other module', () => {
    const other = (...messages: object[]) => {
      const draft = readDraft(ofMessages(...messages));
      assert.ok(typeof draft === 'object');
      return draft.actions.map(heldAgainst);
    };
    assert.deepEqual(other(update('staking', {}), update('cosmos.consensus.v1', {}), update('mint', {}), legacy({})), [
      'cosmos.consensus.v1',
      'cosmos.staking.v1beta1',
      undefined,
      undefined,
    ]);
    assert.deepEqual(other({ '@type': '/cosmos.staking.v1beta1.MsgDelegate' }), [undefined]);
  });
});

describe('legacy changes', () => {
  const about = known({
    legacyParams: new Map([
      ['baseapp/BlockParams', '{"max_bytes":"200000","max_gas":"75000000"}'],
      ['baseapp/EvidenceParams', '{"max_age_num_blocks":"100000","max_age_duration":"1814400000000000"}'],
      ['gov/depositparams', '{"min_deposit":[{"denom":"uaa","amount":"10"}],"max_deposit_period":"172800000000000"}'],
      ['transfer/SendEnabled', 'true'],
      ['staking/MaxEntries', '7'],
      ['staking/BondDenom', '"uaa"'],
    ]),
  });
  const of = (subspace: string, key: string, value: string) =>
    harms(ofMessages(legacyChange(change(subspace, key, value))), about);

  it('harm as messages do, each field of a group by itself', () => {
    assert.deepEqual(of('baseapp', 'BlockParams', '{"max_gas":"0"}'), [
      'param-extreme: block.max_gas: no transaction would fit in a block.',
    ]);
    assert.match(
      of('baseapp', 'EvidenceParams', '{"max_age_num_blocks":"5"}').join(),
      /^value-jump: evidence\.max_age_num/,
    );
    assert.match(
      of('gov', 'depositparams', '{"min_deposit":[{"denom":"uaa","amount":"100"}]}').join(),
      /^value-jump: min_dep/,
    );
    assert.match(of('transfer', 'SendEnabled', 'false').join(), /^sends-off: This turns off IBC transfers out/);
    assert.match(of('staking', 'MaxEntries', '1').join(), /^param-extreme: max_entries/);
    assert.match(of('staking', 'BondDenom', '"ubb"').join(), /^denom-changed: bond_denom is currently uaa/);
  });

  it('harm nothing where they set today, another parameter, or nothing that is known', () => {
    for (const [subspace, key, value] of [
      ['baseapp', 'BlockParams', '{"max_gas":"75000000"}'],
      ['baseapp', 'BlockParams', '{"max_bytes":"200001"}'],
      ['baseapp', 'BlockParams', '{}'],
      ['staking', 'MaxEntries', '7'],
      ['staking', 'HistoricalEntries', '0'],
      ['__proto__', 'constructor', '1'],
    ] as const)
      assert.deepEqual(of(subspace, key, value), [], `${key} ${value}`);
    const bare = ofMessages(legacyChange({ subspace: 'staking', key: 'MaxEntries' }));
    assert.deepEqual(harms(bare, about), []);
  });
});

describe('messages that undo or repeat each other', () => {
  const undone = (...messages: object[]) =>
    harms(ofMessages(...messages)).filter((one) => one.startsWith('message-undone'));
  const text = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' };

  it('are legacy changes of one parameter, in one message or in two', () => {
    const says = 'message-undone: An earlier change also sets mint/InflationMax. Only the last one takes effect.';
    const [first, second] = [change('mint', 'InflationMax', '"0.19"'), change('mint', 'InflationMax', '"0.18"')];
    assert.deepEqual(undone(legacyChange(first, second)), [says]);
    assert.deepEqual(undone(legacyChange(first), legacyChange(second)), [says]);
    assert.deepEqual(undone(legacyChange(first, change('mint', 'InflationMin', '"0.08"'))), []);
  });

  it('are equal messages, however they are laid out', () => {
    const send = { '@type': '/a.v1.MsgB', to: 'x', amount: '5' };
    assert.deepEqual(undone(send, send), ['message-undone: This repeats an earlier MsgB. Both are executed.']);
    assert.deepEqual(undone(send, { ...send, amount: '6' }), []);
    assert.equal(undone(legacy(text), legacy(text)).length, 1, 'the message, and not its content too');
  });

  it('are an upgrade and its cancellation in legacy form', () => {
    const plan = {
      '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
      plan: { name: 'v9', height: '90000000' },
    };
    const cancel = { '@type': '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal' };
    assert.deepEqual(undone(legacy(plan), legacy(cancel)), [
      'message-undone: This cancels the upgrade v9 from an earlier message.',
    ]);
    assert.deepEqual(undone(legacy(plan), legacy(cancel), legacy({ ...cancel, title: 'x' })).length, 1);
    assert.deepEqual(undone(legacy({ ...plan, plan: undefined }), legacy({ ...plan, title: 'x' })), [
      'message-undone: This replaces the upgrade  from an earlier message. A chain has only one plan at a time.',
    ]);
  });
});

describe('what a check has to know', () => {
  function actionsOf(...messages: object[]) {
    const draft = readDraft(ofMessages(...messages));
    assert.ok(typeof draft === 'object');
    return { draft, actions: draft.actions };
  }

  it('are the stakes of validators where their number is set', () => {
    const { actions } = actionsOf(
      update('staking', {}),
      update('mint', {}),
      legacyChange(change('mint', 'InflationMax', '1'), change('staking', 'MaxValidators', '5')),
      legacyChange(change('staking', 'MaxEntries', '5'), change('mint', 'MaxValidators', '5')),
    );
    const legacyOnes = actions.filter(({ isLegacy }) => isLegacy).map(setsValidators);
    assert.deepEqual(actions.filter(({ name }) => name === 'MsgUpdateParams').map(setsValidators), [true, false]);
    assert.deepEqual(legacyOnes, [true, false]);
  });

  it('are the supplies of denoms that parameters name', () => {
    const coins = [{ denom: 'uaa', amount: '5' }, { denom: 'ubb', amount: '5' }, { amount: '5' }, 'x'];
    const named = (...messages: object[]) => {
      const { draft, actions } = actionsOf(...messages);
      return actions.flatMap((action) => riskyDenoms(draft, action)).map(({ denom }) => denom);
    };
    assert.deepEqual(
      named(setting(govV1, { min_deposit: coins, expedited_min_deposit: [{ denom: 'ucc' }], quorum: 'x' })),
      ['uaa', 'ubb', 'ucc'],
    );
    assert.deepEqual(named(setting(staking, { bond_denom: 'udd' })), ['udd']);
    assert.deepEqual(
      named(
        legacyChange(
          change('staking', 'BondDenom', '"uee"'),
          change('gov', 'depositparams', '{"min_deposit":[{"denom":"uff","amount":"1"}]}'),
          change('crisis', 'ConstantFee', '{"denom":"ugg","amount":"1"}'),
          change('staking', 'MaxEntries', '"uhh"'),
          { subspace: 'mint', key: 'MintDenom' },
          change('mint', 'MintDenom', '5'),
        ),
      ),
      ['uee', 'uff', 'ugg'],
    );
  });
});
