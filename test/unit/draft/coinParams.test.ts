import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { facts, findingOf, known, ofMessages, update } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

const module = 'cosmos.gov.v1';
const today = { ...facts.moduleParams.get(module) };
const coins = (...amounts: readonly string[]) => amounts.map((amount) => ({ denom: 'ustake', amount }));
const unit = { symbol: 'STAKE', exponent: 6, source: 'chain' } as const;
const stake = { base: 'ustake', name: 'Stake', symbol: 'STAKE', display: 'stake', description: '', units: [], unit };
const units = new Map([['ustake', stake]]);
const withParams = (params: object) => new Map([[module, { ...today, ...params }]]);

describe('a parameter made of coins', () => {
  const leftOut = ofMessages(update(module, { min_deposit: undefined }));
  const missing = (minDeposit: unknown, more: object = {}): string => {
    const moduleParams = withParams({ min_deposit: minDeposit });
    return findingText(findingOf(leftOut, 'params-incomplete', known({ moduleParams, ...more })), plainEnglish);
  };

  it('has its value of today in display units, with every digit', () => {
    assert.match(missing(coins('512000001'), { units }), /min_deposit \(currently 512\.000001 STAKE\)\./);
  });

  it('has it in base units where the chain states no unit', () => {
    const two = [...coins('512000000'), { denom: 'uother', amount: '7' }];
    assert.match(missing(two, { units: new Map() }), /min_deposit \(currently 512,000,000 ustake, 7 uother\)\./);
    assert.match(missing(two), /min_deposit \(currently 512,000,000 ustake, 7 uother\)\./);
  });

  it('names the first of many coins', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ denom: `u${at}`, amount: '5' }));
    assert.match(missing(many), /\(currently 5 u0, 5 u1, 5 u2, 5 u3, 5 u4, …\)\./);
  });

  it('has no control characters of a denom or a unit', () => {
    const hostile = new Map([['ustake', { ...stake, unit: { ...unit, symbol: 'S\u202eT' } }]]);
    assert.doesNotMatch(missing(coins('5'), { units: hostile }), /\u202e/);
    assert.doesNotMatch(missing([{ denom: 'u\u202ex', amount: '5' }]), /\u202e/);
  });

  it('stays as it is written where it is no list of coins', () => {
    const prices = [{ denom: 'ustake', amount: '0.0025' }];
    assert.match(missing(prices), /min_deposit \(currently \[\{"denom":"ustake","amount":"0\.0025"\}\]\)\./);
  });

  it('has the values of an open proposal and of the draft in display units, too', () => {
    const moduleParams = withParams({ min_deposit: coins('512000000') });
    const open = [{ id: 7n, name: `${module}/min_deposit`, json: JSON.stringify(coins('250000000')) }];
    const text = ofMessages(update(module, { min_deposit: coins('512000000') }));
    const finding = findingOf(text, 'params-open', known({ moduleParams, openParams: open, units }));
    assert.equal(
      findingText(finding, plainEnglish),
      'Open proposal 7 sets min_deposit to 250 STAKE. If it is executed first, this draft sets it back to 512 STAKE.',
    );
  });

  it('makes the units of denoms be asked for', async () => {
    const asked = async (text: string): Promise<boolean> => {
      let isAsked = false;
      const chain = await startSeedChain((url) => {
        isAsked ||= url.pathname === '/cosmos/bank/v1beta1/denoms_metadata';
        return seedChainAnswer(url);
      });
      await chain.factsFor(text).finally(() => chain.stop());
      return isAsked;
    };
    assert.equal(await asked(leftOut), true);
    assert.equal(await asked(ofMessages(update('cosmos.staking.v1beta1', { max_validators: 120 }))), false);
  });
});
