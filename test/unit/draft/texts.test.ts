import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { addresses } from '../../node/accounts.ts';
import { codesOf, coins, draft, findingOf, gov, known, someone, spend, upgrade } from './exampleDrafts.ts';
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
/** A draft of an upgrade v6-quill at 5,400,000. */
const plans = (summary: string, plan: object = {}, title = 'An upgrade'): string =>
  draft({ messages: [upgrade({ name: 'v6-quill', height: '5400000', ...plan })], metadata: '', title, summary });

const [oracle, vault] = [
  'cosmos14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s4hmalr',
  'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sxaggsw',
] as const;
/** A draft that migrates the oracle. */
const migrates = (summary: string, msg: object = {}): string => {
  const message = { '@type': '/cosmwasm.wasm.v1.MsgMigrateContract', sender: gov, contract: oracle, code_id: '3', msg };
  return draft({ messages: [message], metadata: '', title: 'A migration', summary });
};

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

  it('agree, or say nothing that could differ', () => {
    for (const text of agreeing) assert.ok(!codesOf(text, about).includes('warning text-differs'), text);
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
