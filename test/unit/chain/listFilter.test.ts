import assert from 'node:assert/strict';
import { isFiltering, readSavedFilter, toFilter } from '../../../src/chain/gov/listFilter.ts';

describe('a kept filter', () => {
  it('survives storage', () => {
    const filter = toFilter({ voter: 'v', depositor: 'd', statuses: ['failed', 'voting'] });
    assert.deepEqual(filter, { voter: 'v', depositor: 'd', statuses: ['voting', 'failed'] });
    assert.deepEqual(readSavedFilter(JSON.parse(JSON.stringify(filter))), filter);
  });

  it('is in the order of the groups, without what it does not name', () => {
    assert.deepEqual(toFilter({ voter: '', statuses: [] }), {});
    assert.deepEqual(toFilter({ depositor: 'd' }), { depositor: 'd' });
    assert.deepEqual(readSavedFilter({ statuses: ['failed', 'no', 'voting'] }), { statuses: ['voting', 'failed'] });
  });

  it('filters by any of its parts', () => {
    for (const kept of [{ voter: 'v' }, { depositor: 'd' }, { statuses: ['voting'] }])
      assert.equal(isFiltering(readSavedFilter(kept)), true, JSON.stringify(kept));
  });

  it('filters nothing where it cannot be read, or says everything', () => {
    const all = ['voting', 'deposit', 'passed', 'rejected', 'failed'];
    for (const kept of [
      undefined,
      null,
      5,
      'x',
      [],
      {},
      { statuses: all },
      { statuses: 'voting' },
      { statuses: ['no'] },
      { voter: 7 },
      { depositor: 7 },
      { voter: '' },
    ]) {
      assert.equal(isFiltering(readSavedFilter(kept)), false, JSON.stringify(kept));
    }
  });
});
