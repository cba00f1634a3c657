import assert from 'node:assert/strict';
import type { SplitRow, SupplySplit } from '../../../src/chain/supplySplit.ts';
import { type DenomFacts, toDenomView } from '../../../src/page/denomView.ts';
import { classShares } from '../../../src/words/values.ts';
import { Random, runs, seed } from '../../support/random.ts';
import { growth } from '../growth.ts';
import { plainWords } from './plainWords.ts';
import { viewText } from './viewText.ts';

const state: SupplySplit = {
  denom: 'uatom',
  supply: 413_437_623_720_153n,
  origin: 'state',
  rows: [
    { class: 'module', name: 'bonded_tokens_pool', amount: 239_876_501_112_233n },
    { class: 'module', name: 'not_bonded_tokens_pool', amount: 12_816_566_000_001n },
    { class: 'module', name: 'distribution', amount: 8_423_542_000_019n },
    { class: 'escrow', name: 'transfer/channel-141', counterparty: 'transfer/channel-0', amount: 37_333_416_000_000n },
    { class: 'vesting_locked', name: '', amount: 24_392_819_000_000n },
    { class: 'vesting_free', name: '', amount: 1n },
    { class: 'other', name: '', amount: 90_594_779_607_899n },
    { class: 'residue', name: '', amount: 0n },
  ],
  holders: 1_918_402n,
  distribution: {
    communityPool: 7_511_204_000_000n * 10n ** 18n,
    rewards: 912_338_000_000n * 10n ** 18n,
    dust: 19n * 10n ** 18n,
  },
  gaps: [],
};

const facts: DenomFacts = {
  denom: 'uatom',
  sourceName: 'export.json',
  isPast: false,
  chainId: 'cosmoshub-4',
  coin: undefined,
  unit: { symbol: 'ATOM', exponent: 6, source: 'chain' },
  metadata: undefined,
  origin: undefined,
  isStaking: true,
  split: state,
  progress: undefined,
  isReading: false,
  holders: [
    { address: 'cosmos1fl48', amount: 239_876_501_112_233n, class: 'module', name: 'bonded_tokens_pool' },
    { address: 'cosmos1qqq', amount: 5n, class: 'other', name: '', moniker: 'Lantern' },
    { address: 'cosmos1zzz', amount: 4n, class: 'other', name: '' },
    { address: 'cosmos1yyy', amount: 3n, class: 'vesting', name: '' },
  ],
  height: 21_930_112n,
  readAt: undefined,
  failure: undefined,
};

const textOf = (more: Partial<DenomFacts> = {}) => viewText(toDenomView({ ...facts, ...more }, plainWords));

describe('the page of a denom', () => {
  it('says where the coins of a state are', () => {
    assert.equal(
      textOf(),
      `
 ATOM (uatom) [cosmoshub-4 | height 21,930,112 | staking denom | 1,918,402 holders]
413,437,623.720153 ATOM (413,437,623,720,153 uatom)
[Bonded 58.02 %, Unbonding 3.10 %, Distribution 2.04 %, IBC escrow 9.03 %, Vesting, locked 5.90 %, Vesting, unlocked <0.01 %, Other accounts 21.91 %]
# Supply split
Class | Share | ATOM
Bonded (bonded_tokens_pool) | 58.02 % | 239,876,501.11 [239,876,501,112,233 uatom]
Unbonding (not_bonded_tokens_pool) | 3.10 % | 12,816,566.00 [12,816,566,000,001 uatom]
Distribution (distribution) | 2.04 % | 8,423,542.00 [8,423,542,000,019 uatom]
IBC escrow (transfer/channel-141 to transfer/channel-0) | 9.03 % | 37,333,416.00 [37,333,416,000,000 uatom]
Vesting, locked (not vested) | 5.90 % | 24,392,819.00 [24,392,819,000,000 uatom]
Vesting, unlocked (vested or received) | <0.01 % | 0.000001 [1 uatom]
Other accounts | 21.91 % | 90,594,779.60 [90,594,779,607,899 uatom]
▸ In the distribution module
  Community pool: 7,511,204
  Unclaimed rewards: 912,338
  Dust: 0.000019
# Largest holders
Holder | Share | ATOM
bonded_tokens_pool (cosmos1fl48) | 58.02 % | 239,876,501.11 [239,876,501,112,233 uatom]
Lantern (cosmos1qqq) | <0.01 % | 0.000005 [5 uatom]
cosmos1zzz | <0.01 % | 0.000004 [4 uatom]
Vesting account (cosmos1yyy) | <0.01 % | 0.000003 [3 uatom]
# Units and metadata
Base unit: uatom
Unit: 1 ATOM = 10^6 uatom (from chain metadata)`.slice(1),
    );
  });

  it('has shares of holders that add up to those of the supply', () => {
    const split = { ...state, supply: 3n, rows: [{ class: 'other', name: '', amount: 3n }] as const };
    const holders = [2n, 1n].map(
      (amount) => ({ address: `cosmos${amount}`, amount, class: 'other', name: '' }) as const,
    );
    assert.match(textOf({ split, holders }), /^cosmos2 \| 66\.67 % \|.*\ncosmos1 \| 33\.33 % \|/m);
  });

  it('says of a node what it was not asked for', () => {
    const rows: readonly SplitRow[] = [
      { class: 'module', name: 'gov', amount: 1n },
      { class: 'other', name: '', amount: 9n },
    ];
    const split: SupplySplit = {
      denom: 'uatom',
      supply: 10n,
      origin: 'node',
      rows,
      gaps: [
        { class: 'module', reason: 'unsupported' },
        { class: 'escrow', reason: 'stopped', last: 'transfer/channel-7' },
      ],
      unpinnedReason: 'no such height',
    };
    const text = textOf({ split, holders: undefined, unit: undefined });
    assert.match(text, /^\(warning\) Rows may be from different heights: no such height\.$/m);
    assert.match(text, /^Other modules \(not available, counted as other accounts\) \| {2}\| $/m);
    assert.match(text, /^IBC escrow \(stopped after transfer\/channel-7, so the rest is counted as other accounts/m);
    assert.match(text, /^Other accounts \(includes vesting accounts and contracts\) \| 90\.00 % \| 9$/m);
    assert.match(text, /^\(Continue\)$/m);
    assert.match(text, /Nodes do not list holders/);
  });

  it('shows a residue beside the bar, which it is no part of', () => {
    const rows: readonly SplitRow[] = [
      { class: 'other', name: '', amount: 9n },
      { class: 'residue', name: '', amount: 1n },
    ];
    const { overview } = toDenomView({ ...facts, split: { ...state, supply: 10n, rows } }, plainWords);
    assert.ok(overview.bar?.kind === 'bar');
    assert.equal(overview.bar.label, 'Other accounts 90.00 %, Residue 10.00 %');
    assert.deepEqual(overview.bar.parts, [{ look: 'other', share: 9_000 }]);
    const negative = textOf({
      split: { ...state, supply: 8n, rows: [...rows.slice(0, 1), { class: 'residue', name: '', amount: -1n }] },
    });
    assert.match(negative, /^Residue \(total supply minus the rows above\) \| {2}\| -0\.000001 \[-1 uatom\]$/m);
  });

  it('keeps what was read where a later read fails, with a way to try again', () => {
    const text = textOf({ failure: 'no answer' });
    assert.match(text, /^\(bad\) no answer$/m);
    assert.match(text, /^\[Bonded 58\.02 %/m);
    assert.match(text, /^\(Retry\)$/m);
    assert.match(textOf({ failure: 'no answer', split: undefined }), /\(Retry\)/);
  });

  it('shows how far it is, with a way to stop', () => {
    const text = textOf({ split: undefined, isReading: true, progress: { done: 34, of: 260 } });
    assert.match(text, /Loading module accounts and escrows: 34 of 260\n\(Stop\)/);
  });

  it('folds a hundred thousand channels, and shows what they hold together', () => {
    const textWith = (count: number) => {
      const rows = Array.from({ length: count }, (_, at) => {
        return { class: 'escrow', name: `transfer/channel-${at}`, amount: 10n } as const;
      });
      const split: SupplySplit = { denom: 'x', supply: 10n * BigInt(count), origin: 'state', rows, gaps: [] };
      return textOf({ split });
    };
    assert.ok(growth(textWith, 100_000) < 3);
    const text = textWith(100_000);
    assert.match(text, /^IBC escrow \(99,995 other channels\) \| 100\.00 % \| 0\.99 \[999,950 uatom\]$/m);
    assert.match(text, /first 1,000 \(export to see all\)/);
    assert.ok(text.length < 100_000);
  });

  it(`has shares that add up wherever they stand together (seed ${seed})`, () => {
    for (let run = 0; run < runs(20, 1_000); run++) {
      const random = new Random(seed + run);
      const names = ['bonded_tokens_pool', 'not_bonded_tokens_pool', 'gov', 'distribution', 'mint'];
      const rows = names.map((name): SplitRow => ({ class: 'module', name, amount: BigInt(random.below(1_000) + 1) }));
      for (let at = 0; at < random.below(20); at++)
        rows.push({ class: 'escrow', name: `transfer/channel-${at}`, amount: BigInt(random.below(100) + 1) });
      const supply = rows.reduce((sum, { amount }) => sum + amount, 0n);
      const view = toDenomView(
        { ...facts, split: { denom: 'x', supply, origin: 'state', rows, gaps: [] } },
        plainWords,
      );
      const { bar } = view.overview;
      assert.ok(bar?.kind === 'bar' && bar.legend);
      const points = (text: string) => Math.round(Number(text.replace(' %', '')) * 100);
      assert.equal(
        bar.legend.reduce((sum, { value }) => sum + points(value), 0),
        10_000,
      );
      assert.equal(
        bar.parts.reduce((sum, { share }) => sum + share, 0),
        10_000,
      );
      const [table] = view.sections[0]?.blocks ?? [];
      assert.ok(table?.kind === 'table');
      assert.equal(
        table.rows.reduce((sum, row) => sum + points(String(row[1])), 0),
        10_000,
      );
      const legend = new Map(bar.legend.map(({ label, value }) => [label, points(value)]));
      for (const one of classShares({ rows }, plainWords))
        assert.equal(legend.get(one.label), one.points, 'the tree has the share of the page');
    }
  });

  it('shows denoms and metadata of strangers as text', () => {
    const evil = '<img src=x onerror=alert(1)>\u202e[a](command:x)';
    const metadata = {
      base: evil,
      name: evil,
      symbol: evil,
      display: evil,
      description: evil,
      units: [{ denom: evil, exponent: 6 }],
      unit: undefined,
    };
    const view = toDenomView({ ...facts, denom: evil, unit: undefined, metadata }, plainWords);
    assert.doesNotMatch(JSON.stringify(view), /\u202e/);
    assert.ok(view.subtitle?.includes('⟦U+202E⟧'));
    const kinds = view.sections.flatMap(({ blocks }) => blocks.map(({ kind }) => kind));
    assert.ok(!kinds.includes('markdown'));
  });
});
