import assert from 'node:assert/strict';
import { draftKind } from '../../../src/draft/draftText.ts';
import { codesOf, draft, gov, govParams, known } from './exampleDrafts.ts';

const file = (fields: object): string =>
  JSON.stringify({ title: 'T', description: 'D', type: 'Text', deposit: '10000000stake', ...fields });

describe('a deposit', () => {
  const short = { ...govParams, minDeposit: [{ denom: 'xn', amount: 5n }] };

  it('may be of a denom of two letters that min_deposit names', () => {
    assert.deepEqual(codesOf(draft({ deposit: '5xn' }), known({ govParams: short })), []);
  });

  it('is none where a denom of two letters is not named', () => {
    assert.deepEqual(codesOf(draft({ deposit: '5xn' })), ['error deposit-form']);
  });
});

describe('the file of a legacy proposal', () => {
  it('may ask for an expedited vote', () => {
    assert.deepEqual(codesOf(file({ is_expedited: true })), []);
  });

  for (const [module, fields] of [
    ['a contract', { run_as: gov, contract: gov, msg: {} }],
    ['changes', { changes: [] }],
    ['a client', { subject_client_id: '07-tendermint-0', substitute_client_id: '07-tendermint-1' }],
  ] as const) {
    it(`of another module is no draft of messages, though it has a summary: ${module}`, () => {
      const own = { title: 'T', summary: 'S', deposit: '1stake', ...fields };
      assert.equal(draftKind(JSON.stringify(own)), undefined);
    });
  }

  it('is told from a text proposal that carries fields of its metadata, or a misspelt name', () => {
    const text = { title: 'T', summary: 'S', metadata: 'm', deposit: '1stake' };
    const kinds = [{}, { authors: ['A'] }, { msgs: [] }, { expedite: true }].map((more) =>
      draftKind(JSON.stringify({ ...text, ...more })),
    );
    assert.deepEqual(kinds, ['messages', 'messages', 'messages', 'messages']);
  });
});
