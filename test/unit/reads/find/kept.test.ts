import { strict as assert } from 'node:assert';
import { maxRecent, withRecent } from '../../../../src/session/memory.ts';
import {
  type Destination,
  destinationKey,
  readCredential,
  readDestinations,
  readTexts,
} from '../../../../src/session/stored.ts';

describe('recent destinations', () => {
  const proposal = (id: number, title = ''): Destination => ({ list: 'proposals', sourceId: 'a', key: `${id}`, title });

  it('puts the latest on top, once, and keeps no more than its bound', () => {
    let list: Destination[] = [];
    for (let id = 1; id <= maxRecent + 20; id++) list = withRecent(list, proposal(id), destinationKey);
    list = withRecent(list, proposal(60, 'New title'), destinationKey);
    assert.equal(list.length, maxRecent);
    assert.deepEqual(list[0], proposal(60, 'New title'));
    assert.equal(list.filter((entry) => entry.key === '60').length, 1);
  });

  it('tells apart the same id of two chains, and a denom from an id', () => {
    const entries: Destination[] = [proposal(1), { ...proposal(1), sourceId: 'b' }, { ...proposal(1), list: 'supply' }];
    assert.equal(new Set(entries.map(destinationKey)).size, entries.length);
  });

  it('survives storage, and whatever else stands there', () => {
    const list: Destination[] = [proposal(7, 'T'), { list: 'supply', sourceId: '', key: 'u', title: '' }];
    assert.deepEqual(readDestinations(JSON.parse(JSON.stringify(list))), list);
    const older = [
      { kind: 'proposal', sourceId: 'a', id: '7', title: 'T' },
      { kind: 'denom', sourceId: '', denom: 'u' },
    ];
    assert.deepEqual(readDestinations(older), list);
    const bad = [
      null,
      1,
      'x',
      {},
      { kind: 'proposal', sourceId: 'a', id: '1; drop' },
      { kind: 'text', sourceId: 'a', text: 't' },
      { kind: 'denom', sourceId: 1, denom: 'u' },
    ];
    assert.deepEqual(readDestinations(bad), []);
    for (const kept of [undefined, null, 'x', 5, {}])
      assert.deepEqual([readDestinations(kept), readTexts(kept)], [[], []]);
    assert.deepEqual(readTexts(['a', 1, 'b']), ['a', 'b']);
  });
});

describe('a stored header', () => {
  it('is read, or said to be damaged without its text', () => {
    assert.deepEqual(readCredential('{"name":"x-api-key","value":"secret"}'), { name: 'x-api-key', value: 'secret' });
    for (const damaged of ['', 'secret', '{"name":"x-api-key"}', '{"name":1,"value":"secret"}', '["secret"]', 'null'])
      assert.throws(
        () => readCredential(damaged),
        (error: unknown) => {
          const { message, cause } = error instanceof Error ? error : new Error('none');
          assert.deepEqual(
            [message, cause],
            ['The stored API key for this endpoint is corrupted. Set it again', undefined],
          );
          return true;
        },
      );
  });
});
