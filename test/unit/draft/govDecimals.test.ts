import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { codesOf, facts, findingOf, known, ofMessages, repaired, update } from './exampleDrafts.ts';

const govToday = facts.moduleParams.get('cosmos.gov.v1') ?? {};
const decimals = Object.keys(govToday).filter((name) => /^\d\.\d{18}$/.test(String(govToday[name])));

describe('a decimal of gov v1 that a draft leaves out', () => {
  it('is found with the value 0 today, is refused at execution, and is put back by the repair', () => {
    assert.deepEqual(decimals.toSorted(), [
      'expedited_threshold',
      'min_deposit_ratio',
      'min_initial_deposit_ratio',
      'proposal_cancel_ratio',
      'quorum',
      'threshold',
      'veto_threshold',
    ]);
    for (const name of decimals) {
      const today = { ...govToday, [name]: '0.000000000000000000' };
      const about = known({ moduleParams: new Map([['cosmos.gov.v1', today]]) });
      const text = ofMessages(update('cosmos.gov.v1', { [name]: undefined }));
      const found = findingOf(text, 'params-incomplete', about);
      assert.equal(found.severity, 'error');
      assert.ok('missing' in found.details);
      const isRefused = name !== 'min_deposit_ratio';
      assert.deepEqual(found.details.missing, [{ name, today: '0.000000000000000000', isRefused }]);
      const [mended = ''] = repaired(text, found).values();
      assert.equal(JSON.parse(mended).messages[0].params[name], '0.000000000000000000');
    }
  });

  it('is named with all others where no parameters are given', () => {
    const text = ofMessages({ ...update('cosmos.gov.v1', {}), params: undefined });
    const { details: own } = findingOf(text, 'params-incomplete');
    const names = 'missing' in own ? own.missing.map(({ name }) => name) : [];
    assert.deepEqual(
      decimals.filter((name) => !names.includes(name)),
      [],
    );
  });

  it('is left alone where the chain has none', () => {
    const { min_deposit_ratio: _, ...older } = govToday;
    const about = known({ moduleParams: new Map([['cosmos.gov.v1', { ...older, proposal_cancel_ratio: '' }]]) });
    const text = ofMessages(
      update('cosmos.gov.v1', { quorum: '0.4', min_deposit_ratio: undefined, proposal_cancel_ratio: undefined }),
    );
    assert.deepEqual(codesOf(text, about), []);
  });

  it('stops all deposits if it is the one that the module does not check', () => {
    const text = ofMessages(update('cosmos.gov.v1', { min_deposit_ratio: undefined }));
    assert.equal(
      findingText(findingOf(text, 'params-incomplete'), plainEnglish),
      '1 parameter is missing: min_deposit_ratio (currently 0.01). The chain sets missing parameters to zero, false or empty. Without min_deposit_ratio, the chain would no longer accept deposits or proposals.',
    );
  });
});
