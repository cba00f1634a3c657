import { strict as assert } from 'node:assert';
import { LastAnswers, SourceMemory } from '../../../src/session/memory.ts';

describe('remembered dialects', () => {
  let kept: Map<string, unknown>;
  let dialects: SourceMemory;
  beforeEach(() => {
    kept = new Map();
    dialects = new SourceMemory(
      {
        get: (key) => kept.get(key),
        // What is kept goes through JSON, as it does in the editor.
        update: async (key, value) => void kept.set(key, JSON.parse(JSON.stringify(value))),
      },
      'dialects',
    );
  });

  it('gives back what was kept last for a source, and nothing for others', async () => {
    await dialects.set('http://a', { segment: 'chain' });
    await dialects.set('http://b', { segment: 'cosmos' });
    await dialects.set('http://a', { segment: 'cosmos', status: 'number' });
    assert.deepEqual(dialects.get('http://a'), { segment: 'cosmos', status: 'number' });
    assert.deepEqual(dialects.get('http://b'), { segment: 'cosmos' });
    assert.equal(dialects.get('http://c'), undefined);
  });

  it('keeps fifty, and lets go of the one that was learned longest ago', async () => {
    for (let at = 0; at < 60; at++) await dialects.set(`http://${at}`, { at });
    assert.equal(dialects.get('http://9'), undefined);
    assert.deepEqual(dialects.get('http://10'), { at: 10 });
    assert.ok(JSON.stringify([...kept.values()]).length < 5000);
  });

  it('keeps nothing that is too long', async () => {
    await dialects.set('http://a', { segment: 'chain' });
    await dialects.set('http://a', { reason: 'x'.repeat(30_000) });
    assert.equal(dialects.get('http://a'), undefined);
  });

  it('forgets one source only', async () => {
    await dialects.set('http://a', 1);
    await dialects.set('http://b', 2);
    await dialects.set('http://a', undefined);
    assert.equal(dialects.get('http://a'), undefined);
    assert.equal(dialects.get('http://b'), 2);
  });

  for (const damage of [null, 7, 'text', {}, [1, [2], ['id'], [3, 4], null], { dialects: [] }])
    it(`is empty where ${JSON.stringify(damage)} is found, and can be used again`, async () => {
      kept.set('dialects', damage);
      assert.equal(dialects.get('http://a'), undefined);
      await dialects.set('http://a', 1);
      assert.equal(dialects.get('http://a'), 1);
    });
});

describe('how sources answered last', () => {
  it('is known at once, and kept for the next run by one write', async () => {
    const kept = new Map<string, unknown>();
    let writes = 0;
    const store = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => {
        writes++;
        kept.set(key, JSON.parse(JSON.stringify(value)));
      },
    };
    const answers = new LastAnswers(store);
    assert.equal(answers.get('http://a'), undefined);
    const before = Date.now();
    for (let ms = 1; ms <= 100; ms++) answers.set('http://a', { ms });
    answers.set('http://b', { cause: 'Needs a key (401)' });
    assert.equal(answers.get('http://a')?.ms, 100);
    const written = Promise.withResolvers<void>();
    answers.onDidChange(() => setImmediate(written.resolve));
    await written.promise;
    assert.equal(writes, 2);
    answers.dispose();
    const later = new LastAnswers(store);
    const known = later.get('http://a');
    assert.ok(known && known.at >= before && known.at <= Date.now());
    assert.deepEqual([known.ms, known.cause], [100, undefined]);
    assert.equal(later.get('http://b')?.cause, 'Needs a key (401)');
    await later.forget('http://b');
    assert.equal(later.get('http://b'), undefined);
    kept.set('lastAnswers', [['http://a', { at: 'yesterday' }]]);
    assert.equal(later.get('http://a'), undefined);
  });
});
