import assert from 'node:assert/strict';
import { codesOf, draft, govParams, known } from './exampleDrafts.ts';

describe('a deposit', () => {
  const short = { ...govParams, minDeposit: [{ denom: 'xn', amount: 5n }] };

  it('may be of a denom of two letters that min_deposit names', () => {
    assert.deepEqual(codesOf(draft({ deposit: '5xn' }), known({ govParams: short })), []);
  });

  it('is none where a denom of two letters is not named', () => {
    assert.deepEqual(codesOf(draft({ deposit: '5xn' })), ['error deposit-form']);
  });
});
