import { strict as assert } from 'node:assert';
import { Dialects } from '../../../src/session/dialects.ts';

describe('remembered dialects', () => {
  let kept: Map<string, unknown>;
  let dialects: Dialects;
  beforeEach(() => {
    kept = new Map();
    dialects = new Dialects({
      get: (key) => kept.get(key),
      // What is kept goes through JSON, as it does in the editor.
      update: async (key, value) => void kept.set(key, JSON.parse(JSON.stringify(value))),
    });
  });

  it('gives back what was kept last for a source, and nothing for others', async () => {
    await dialects.keep('http://a', { segment: 'chain' });
    await dialects.keep('http://b', { segment: 'cosmos' });
    await dialects.keep('http://a', { segment: 'cosmos', status: 'number' });
    assert.deepEqual(dialects.get('http://a'), { segment: 'cosmos', status: 'number' });
    assert.deepEqual(dialects.get('http://b'), { segment: 'cosmos' });
    assert.equal(dialects.get('http://c'), undefined);
  });

  it('keeps fifty, and lets go of the one that was learned longest ago', async () => {
    for (let at = 0; at < 60; at++) await dialects.keep(`http://${at}`, { at });
    assert.equal(dialects.get('http://9'), undefined);
    assert.deepEqual(dialects.get('http://10'), { at: 10 });
    assert.ok(JSON.stringify([...kept.values()]).length < 5000);
  });

  it('keeps nothing that is too long', async () => {
    await dialects.keep('http://a', { segment: 'chain' });
    await dialects.keep('http://a', { reason: 'x'.repeat(30_000) });
    assert.equal(dialects.get('http://a'), undefined);
  });

  it('forgets one source only', async () => {
    await dialects.keep('http://a', 1);
    await dialects.keep('http://b', 2);
    await dialects.forget('http://a');
    assert.equal(dialects.get('http://a'), undefined);
    assert.equal(dialects.get('http://b'), 2);
  });

  for (const damage of [null, 7, 'text', {}, [1, [2], ['id'], [3, 4], null], { dialects: [] }])
    it(`is empty where ${JSON.stringify(damage)} is found, and can be used again`, async () => {
      kept.set('dialects', damage);
      assert.equal(dialects.get('http://a'), undefined);
      await dialects.keep('http://a', 1);
      assert.equal(dialects.get('http://a'), 1);
    });
});
