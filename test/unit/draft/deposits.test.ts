import assert from 'node:assert/strict';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { depositsOf, reachesAll, readDeposit } from '../../../src/draft/checks/file/depositChecks.ts';
import { codesOf, draft, findingOf, govParams, known, repaired } from './exampleDrafts.ts';

const [tenth, percent] = [10n ** 17n, 10n ** 16n] as const;
const coin = (amount: bigint, denom = 'stake') => ({ denom, amount });
/** The facts of a chain with these deposits: of two denoms unless others are given. */
const about = (more: Partial<typeof govParams>): ChainFacts => {
  const none = { minInitialDepositRatio: undefined, minDepositRatio: undefined };
  return known({ govParams: { ...govParams, ...none, minDeposit: [coin(1000n, 'atom'), coin(500n)], ...more } });
};
const old = { sdkVersion: 'v0.46.16', hasGovV1: true } as const;
const ofOld = (minDepositRatio: bigint | undefined): ChainFacts => ({
  ...known({ ...old, govParams: { minDeposit: govParams.minDeposit, minDepositRatio } }),
});

describe('the deposits of a chain', () => {
  it('are those of an expedited vote where one is asked for', () => {
    const expedited = { expeditedMinDeposit: [coin(900n)] };
    assert.deepEqual(depositsOf(about(expedited), true).minimum, [coin(900n)]);
    assert.deepEqual(depositsOf(about(expedited), false).minimum, [coin(1000n, 'atom'), coin(500n)]);
    assert.deepEqual(depositsOf({ ...about({}), govParams: undefined }, false), {
      minimum: undefined,
      initial: [],
      single: [],
    });
  });

  it('are shares of the minimum, rounded half to even', () => {
    const initial = (amount: bigint) =>
      depositsOf(about({ minDeposit: [coin(amount)], minInitialDepositRatio: tenth }), false).initial;
    assert.deepEqual(
      [14n, 15n, 16n, 25n, 35n].map((amount) => initial(amount)[0]?.amount),
      [1n, 2n, 2n, 2n, 4n],
    );
  });

  it('are of one denom at least in each deposit, except on AtomOne', () => {
    const share = { minDepositRatio: percent };
    assert.deepEqual(depositsOf(about(share), false).single, [coin(10n, 'atom'), coin(5n)]);
    assert.deepEqual(depositsOf(about({ ...share, burnNoThreshold: tenth }), false).single, []);
  });
});

describe('the deposit of a draft', () => {
  const rows: readonly (readonly [deposit: string, about: ChainFacts, codes: readonly string[]])[] = [
    ['1000atom,500stake', about({}), []],
    ['1000atom', about({}), ['hint deposit-waits']],
    ['', about({}), ['hint deposit-waits']],
    [' ', about({}), ['hint deposit-waits']],
    ['0atom', about({ minInitialDepositRatio: tenth }), ['error deposit-small']],
    ['100atom,50stake', about({ minInitialDepositRatio: tenth }), ['hint deposit-waits']],
    ['100atom,49stake', about({ minInitialDepositRatio: tenth }), ['error deposit-small']],
    ['9atom,4stake', about({ minDepositRatio: percent }), ['error deposit-small']],
    ['9atom,5stake', about({ minDepositRatio: percent }), ['hint deposit-waits']],
    ['10000000atom', ofOld(undefined), ['warning deposit-denom']],
    ['10000000atom', ofOld(percent), ['error deposit-denom']],
    ['5stake', { ...about({}), govParams: {} }, []],
  ];
  for (const [deposit, facts, codes] of rows)
    it(`of "${deposit}" has ${codes.join() || 'no findings'}`, () =>
      assert.deepEqual(
        codesOf(draft({ deposit }), facts).filter((code) => code.includes('deposit')),
        codes,
      ));

  it('that is too small says how much is needed', () => {
    const needs = (more: Partial<typeof govParams>) =>
      findingOf(draft({ deposit: '1atom' }), 'deposit-small', about(more)).details;
    const any = { isAnyEnough: true, isExpedited: false };
    assert.deepEqual(needs({ minDepositRatio: percent }), { needed: [coin(10n, 'atom'), coin(5n)], ...any });
    assert.deepEqual(needs({ minInitialDepositRatio: tenth }), {
      needed: [coin(100n, 'atom'), coin(50n)],
      isAnyEnough: false,
      isExpedited: false,
    });
  });

  it('is set to what is needed to submit, in one denom at least as each deposit needs it', () => {
    const set = (more: Partial<typeof govParams>) => {
      const text = draft({ deposit: '1atom' });
      const mended = repaired(text, findingOf(text, 'deposit-small', about(more)));
      return ['deposit-to-submit', 'deposit-to-vote'].map((code) => JSON.parse(mended.get(code) ?? '{}').deposit);
    };
    const whole = '1000atom,500stake';
    assert.deepEqual(set({ minDepositRatio: percent }), ['10atom', whole]);
    assert.deepEqual(set({ minInitialDepositRatio: tenth }), ['100atom,50stake', whole]);
    assert.deepEqual(set({ minInitialDepositRatio: tenth, minDepositRatio: 3n * tenth }), ['300atom,50stake', whole]);
  });

  it('is that of an ordinary vote in a legacy proposal, which cannot be expedited', () => {
    const file = { title: 'T', description: 'D', type: 'Text', deposit: '10000000stake', expedited: true };
    assert.deepEqual(codesOf(JSON.stringify(file)), ['warning field-unknown']);
  });
});

describe('the coins of a deposit', () => {
  it('are read with decimals cut and blanks around them, each denom once', () => {
    const read = (text: string) => readDeposit(text, known({}));
    assert.deepEqual(read(' 5.9stake , 7 uatom '), [coin(5n), coin(7n, 'uatom')]);
    for (const text of ['5stake!', 'x5stake', '5', 'stake', '5.stake', '5stake,', '5stake,7stake', '5st'])
      assert.equal(read(text), undefined, text);
  });

  it('reach others if they have at least as much of each', () => {
    const coins = [coin(5n), coin(7n, 'atom')];
    for (const [needed, isEnough] of [
      [[], true],
      [[coin(5n)], true],
      [[coin(6n)], false],
      [[coin(5n), coin(8n, 'atom')], false],
      [[coin(1n, 'other')], false],
      [[coin(0n, 'other')], true],
    ] as const)
      assert.equal(reachesAll(coins, needed), isEnough);
  });
});
