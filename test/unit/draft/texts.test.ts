import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { addresses } from '../../node/accounts.ts';
import { codesOf, coins, draft, findingOf, gov, known, legacy, someone, spend, upgrade } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

const other = addresses.dave;
const stake = {
  base: 'ustake',
  name: 'Stake',
  symbol: 'STAKE',
  display: 'stk',
  description: undefined,
  units: [
    { denom: 'ustake', exponent: 0 },
    { denom: 'stk', exponent: 6 },
  ],
  unit: { symbol: 'STAKE', exponent: 6, source: 'chain' },
} as const;
const about = known({
  units: new Map([['ustake', stake]]),
  communityPool: [{ denom: 'ustake', amount: 10n ** 18n }],
  height: 1_000_000n,
});

/** A draft that pays 5,000 STAKE. */
const pays = (summary: string, title = 'A grant'): string =>
  draft({ messages: [spend(coins('5000000000', 'ustake'))], metadata: '', title, summary });
/** A draft that pays amounts of ustake, each by a message of its own. */
const paysEach = (summary: string, ...amounts: readonly string[]): string =>
  draft({ messages: amounts.map((one) => spend(coins(one, 'ustake'))), metadata: '', summary });
/** A draft of an upgrade v6-quill at 5,400,000. */
const plans = (summary: string, plan: object = {}, title = 'An upgrade'): string =>
  draft({ messages: [upgrade({ name: 'v6-quill', height: '5400000', ...plan })], metadata: '', title, summary });

const [oracle, vault] = [
  'cosmos14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s4hmalr',
  'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sxaggsw',
] as const;
const migration = { '@type': '/cosmwasm.wasm.v1.MsgMigrateContract', sender: gov, code_id: '3', msg: {} };
/** A draft that migrates the oracle. */
const migrates = (summary: string, msg: object = {}): string => {
  const message = { ...migration, contract: oracle, msg };
  return draft({ messages: [message], metadata: '', title: 'A migration', summary });
};

const sent = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: gov, to_address: someone };
const contractDraft = (type: string, contract: unknown): string =>
  draft({ messages: [{ '@type': type, sender: gov, contract }], metadata: '', summary: `About ${vault}.` });
/** A spend in a form of legacy proposals. */
const legacySpend = (description: string): string =>
  JSON.stringify({ title: 'T', description, recipient: someone, amount: '5000000000ustake', deposit: '10000000stake' });
const wrapped = (description: string): string => {
  const type = '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal';
  const content = { '@type': type, title: 'T', description, recipient: someone, amount: coins('5000000000', 'ustake') };
  return draft({ messages: [legacy(content)], metadata: '' });
};
const saysAmount = (said: string, does = '5,000,000,000 ustake', field = 'summary'): string =>
  `The ${field} says ${said}, but the draft pays ${does}.`;
const saysPlan = (said: string, name = 'v6-quill'): string =>
  `The summary mentions the upgrade ${said}, but the plan is named ${name}.`;

/** The same, with more of the forms that a text has. */
const moreDiffering: readonly (readonly [text: string, says: string])[] = [
  [pays(`Pays 50,000 STAKE. ${'More words. '.repeat(20)}`), saysAmount('50,000 STAKE')],
  [pays('Pays 50K STAKE.'), saysAmount('50K STAKE')],
  [pays('Pays 5 million STAKE.'), saysAmount('5 million STAKE')],
  [pays('Pays 50,000.0005 STAKE.'), saysAmount('50,000.0005 STAKE')],
  [pays('Pays 5,051 STAKE.'), saysAmount('5,051 STAKE')],
  [pays('Pays 4,949 STAKE.'), saysAmount('4,949 STAKE')],
  [pays('A grant of 50,000 STAKE. The 50,000 STAKE are for a year.'), saysAmount('50,000 STAKE')],
  [paysEach('It has 50 ustake.', '5'), saysAmount('50 ustake', '5 ustake')],
  [paysEach('It has 10010000 ustake.', '1001000'), saysAmount('10010000 ustake', '1,001,000 ustake')],
  [paysEach('A grant of 5,000 ustake.', '3', '2'), saysAmount('5,000 ustake', '5 ustake')],
  [
    draft({ messages: [{ ...sent, amount: coins('5', 'ustake') }], summary: 'Pays 7 ustake.' }),
    saysAmount('7 ustake', '5 ustake'),
  ],
  [legacySpend('Pays 50,000 STAKE.'), saysAmount('50,000 STAKE', undefined, 'description')],
  [wrapped('Pays 50,000 STAKE.'), saysAmount('50,000 STAKE', undefined, 'description')],
  [pays(`To ${other}. It is ${other}.`), `The summary mentions ${other}, but the draft pays ${someone}.`],
  [plans('Upgrade to v6-quil...'), saysPlan('v6-quil')],
  [plans('After v5-quill comes v6-quil.'), saysPlan('v6-quil')],
  [plans('Upgrade to v15.', { name: '16' }), saysPlan('v15', '16')],
  [plans('Upgrade to v15.0.10.', { name: 'v16.10.2' }), saysPlan('v15.0.10', 'v16.10.2')],
  [plans('Upgrade the chain to `v15-rc1`.', { name: 'v16' }), saysPlan('v15-rc1', 'v16')],
  [plans('Upgrade to v5. To upgrade to v5 is easy.', { name: 'v6' }), saysPlan('v5', 'v6')],
  [plans('6 reasons to upgrade to v5.', { name: '6.0' }), saysPlan('v5', '6.0')],
  [plans('Upgrade to v60-rc.', { name: 'v6' }), saysPlan('v60-rc', 'v6')],
];

const differing: readonly (readonly [text: string, at: string, says: string])[] = [
  [
    pays('Pays 50,000 STAKE to the team.'),
    '[\n',
    'The summary says 50,000 STAKE, but the draft pays 5,000,000,000 ustake.',
  ],
  [pays('We ask for 7,500 stk.'), '[\n', 'The summary says 7,500 stk, but the draft pays 5,000,000,000 ustake.'],
  [pays('The team.', 'Grant of 5 STAKE'), '[\n', 'The title says 5 STAKE, but the draft pays 5,000,000,000 ustake.'],
  [pays('50,000 STAKE: a year.'), '[\n', 'The summary says 50,000 STAKE, but the draft pays 5,000,000,000 ustake.'],
  [pays('Requests 5k ustake.'), '[\n', 'The summary says 5k ustake, but the draft pays 5,000,000,000 ustake.'],
  [pays('Pays 4,000.5 STAKE.'), '[\n', 'The summary says 4,000.5 STAKE, but the draft pays 5,000,000,000 ustake.'],
  [pays(`To ${other}.`), `"${someone}"`, `The summary mentions ${other}, but the draft pays ${someone}.`],
  [
    plans('Upgrade to v6-quil.'),
    '"v6-quill"',
    'The summary mentions the upgrade v6-quil, but the plan is named v6-quill.',
  ],
  [
    plans('Upgrade to v15.', { name: 'v16' }),
    '"v16"',
    'The summary mentions the upgrade v15, but the plan is named v16.',
  ],
  [
    plans('At height 54,000,000.'),
    '"5400000"',
    'The summary mentions height 54,000,000, but the plan is for 5,400,000.',
  ],
  [
    plans('The height will be about 54000000.'),
    '"5400000"',
    'The summary mentions height 54000000, but the plan is for 5,400,000.',
  ],
  [
    plans('At height 77,777,777.'),
    '"5400000"',
    'The summary mentions height 77,777,777, but the plan is for 5,400,000.',
  ],
  [
    plans('At height 77,777,777, block 54,000,000.'),
    '"5400000"',
    'The summary mentions height 54,000,000, but the plan is for 5,400,000.',
  ],
  [
    draft({
      messages: [{ '@type': '/x.v1.MsgA' }, upgrade({ name: 'v16', height: '5400000' })],
      metadata: '',
      summary: 'Upgrade to v15.',
    }),
    '"v16"',
    'The summary mentions the upgrade v15, but the plan is named v16.',
  ],
  [
    migrates(`Migrates the vault, ${vault}.`),
    `"${oracle}"`,
    `The summary mentions the contract ${vault}, but the message is for ${oracle}.`,
  ],
];

const agreeing: readonly string[] = [
  migrates(`Migrates ${oracle}, which ${vault} calls.`),
  migrates(`Migrates the oracle for ${vault}.`, { vault }),
  migrates(`Asked for by ${someone}.`),
  migrates(`Not ${vault.slice(0, -1)}x.`),
  contractDraft('/x.v1.MsgPause', oracle),
  contractDraft('/cosmwasm.wasm.v1.MsgExecuteContract', oracle),
  contractDraft('/cosmwasm.wasm.v1.MsgMigrateContract', 5),
  pays(`${'x'.repeat(20_000)} Pays 50,000 STAKE.`),
  pays('Pays 5K STAKE.'),
  pays('Pays 0.0050 million STAKE.'),
  pays('Pays 5,050 STAKE.'),
  pays('Pays 4,950 STAKE.'),
  pays('Pays 2,500 STAKE now. Pays 2,500 STAKE later.'),
  pays('Pays 5,020 STAKE, a part of 50,000 STAKE.'),
  pays('A grant of 50,000 STAKE or 500 STAKE.'),
  pays(`To ${someone}.`),
  pays(`To ${other} and ${addresses.frank}.`),
  paysEach('Pays 2 ustake first.', '2', '3'),
  paysEach('Pays 7 ustake.', '0'),
  draft({ messages: [{ ...spend(coins('5', 'ustake')), title: 'Pays 7 ustake.' }], metadata: '' }),
  draft({ messages: [{ ...sent, '@type': '/x.v1.MsgBuy', amount: coins('5', 'ustake') }], summary: 'Pays 7 ustake.' }),
  draft({
    messages: [
      { '@type': '/x.v1.MsgCall', vault },
      { ...migration, contract: oracle },
    ],
    metadata: '',
    summary: `About ${vault}.`,
  }),
  draft({
    messages: ['v16', 'v17'].map((name) => upgrade({ name })),
    metadata: '',
    summary: 'Upgrade to v15.',
  }),
  plans('Upgrade to v5-quill.'),
  plans('Upgrade to V6 Quill, not to v6quil.', { name: 'v6quill' }),
  plans('The v6 of the software. Upgrade to v5 before.', { name: 'v6.0.0' }),
  plans('Upgrade to v15.', { name: 'v16-rc' }),
  plans('Upgrade to v15.', { name: 'rc-v16' }),
  plans('Since the last upgrade at height 1000000 much has changed.'),
  ...['5400000x', 'x5400000'].map((height) => plans('At height 54,000,000.', { height })),
  pays('Pays 5,000 STAKE to the team.'),
  pays('Pays 5,000.00 STAKE to the team.'),
  pays('Pays 5000000000ustake.'),
  pays('Pays 5k STAKE, about 4,980 STAKE after costs.'),
  pays('Pays 2,000 STAKE now and 3,000 STAKE later.'),
  pays('The pool holds 12,000 STAKE.'),
  pays('Pays 5.000 STAKE.'),
  pays('Pays 9,000 USD and 700 OTHER.'),
  pays('Pays 1,000 STAKE or 2,000 STAKE.'),
  pays(`To ${someone}, a multisig of ${other}.`),
  pays(`The pool is ${gov}.`),
  pays('To osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp.'),
  plans('Upgrade to v6-quill at block 5,400,000.'),
  plans('Upgrade to V6 Quill at height 5400000, after height 5,000,000.'),
  plans('Since the last upgrade at height 900000 much has changed.'),
  plans('Upgrade to v6.0.0.', { name: 'v6' }),
  plans('Upgrade to v2.1.0 of the software.', { name: 'quill' }),
  plans('After the upgrade to v5 this upgrades to v6.', { name: 'v6' }),
  plans('Upgrade from v5.1.0 to v5.2.0.', { name: 'v5.2' }),
  plans('Upgrade of the chain, quilled by hand.'),
  plans('At height 77,777,777, or at height 99,999,999.'),
  plans('Upgrade to v15 or upgrade to v14.', { name: 'v16' }),
  draft({
    messages: [{ '@type': '/x.v1.MsgPlan', plan: { name: 'v16', height: '5400000' } }, spend(coins('5', 'ustake'))],
    metadata: '',
    summary: 'Upgrade to v15 at height 54,000,000.',
  }),
];

describe('title and summary of a draft, beside its messages', () => {
  for (const [text, at, says] of differing)
    it(`differ: ${says}`, () => {
      const finding = findingOf(text, 'text-differs', about);
      assert.equal(finding.severity, 'warning');
      assert.ok(text.slice(finding.range.start, finding.range.end).startsWith(at));
      assert.equal(findingText(finding, plainEnglish), says);
    });

  for (const [text, says] of moreDiffering)
    it(`differ: ${says}`, () => assert.equal(findingText(findingOf(text, 'text-differs', about), plainEnglish), says));

  it('are compared with the coins of one denom, at the payment of it', () => {
    const several = [...coins('700', 'uother'), ...coins('500', 'ustake')];
    const text = draft({ messages: [spend(coins('9', 'uother')), spend(several)], summary: 'Pays 700 ustake.' });
    const finding = findingOf(text, 'text-differs', about);
    assert.equal(findingText(finding, plainEnglish), saysAmount('700 ustake', '500 ustake'));
    assert.match(text.slice(finding.range.start, finding.range.end), /"700".*"500"/s);
  });

  it('are not compared by addresses where the prefix of the chain is not known', () => {
    for (const text of [pays(`To ${other}.`), migrates(`The vault, ${vault}.`)])
      assert.ok(!codesOf(text, { ...about, prefix: undefined }).includes('warning text-differs'));
  });

  it('agree, or say nothing that could differ', () => {
    for (const text of agreeing)
      for (const code of codesOf(text, about)) assert.match(code, /^(error|warning|hint) (?!text-differs)/, text);
  });

  it('are not compared by a symbol that the chain does not state, nor by a height without its own', () => {
    assert.ok(!codesOf(pays('Pays 50 STAKE.'), known({})).includes('warning text-differs'));
    const unknown = known({ height: undefined });
    assert.ok(!codesOf(plans('At height 54,000,000.'), unknown).includes('warning text-differs'));
  });

  it('are compared by accounts where those of modules are not known', () => {
    const finding = findingOf(pays(`To ${other}.`), 'text-differs', { ...about, moduleAccounts: undefined });
    assert.match(findingText(finding, plainEnglish), /^The summary mentions cosmos1/);
  });

  it('are compared by the units that the chain is asked for', async () => {
    const metadata = {
      base: 'ustake',
      display: 'stk',
      symbol: 'STAKE',
      denom_units: [
        { denom: 'ustake', exponent: 0 },
        { denom: 'stk', exponent: 6 },
      ],
    };
    const chain = await startSeedChain((url) =>
      url.pathname === '/cosmos/bank/v1beta1/denoms_metadata'
        ? { status: 200, body: JSON.stringify({ metadatas: [metadata], pagination: { next_key: null } }) }
        : seedChainAnswer(url),
    );
    try {
      const text = pays('Pays 50,000 STAKE.');
      const finding = findingOf(text, 'text-differs', await chain.factsFor(text));
      assert.match(findingText(finding, plainEnglish), /^The summary says 50,000 STAKE/);
    } finally {
      await chain.stop();
    }
  });
});
