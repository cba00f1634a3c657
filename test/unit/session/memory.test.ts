import { strict as assert } from 'node:assert';
import { DialectMemory } from '../../../src/api/rest/dialect.ts';
import {
  type KeyValueStore,
  keptChainId,
  LastAnswers,
  SerialStore,
  SourceMemory,
} from '../../../src/session/memory.ts';

describe('remembered dialects', () => {
  let kept: Map<string, unknown>;
  let dialects: SourceMemory;
  beforeEach(() => {
    kept = new Map();
    dialects = new SourceMemory(
      {
        keys: () => [...kept.keys()],
        get: (key) => kept.get(key),
        // Kept values go through JSON, as they do in the editor.
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

  it('name the chain that a node has stated, which rows, voters and filters ask for without the node', async () => {
    const stored: unknown[] = [];
    new DialectMemory(undefined, (facts) => stored.push(facts)).remember({ chainId: 'one-1' });
    await dialects.set('http://a', stored.at(-1));
    await dialects.set('http://b', { chainId: 'of-an-older-version-1' });
    assert.equal(keptChainId(dialects, 'http://a'), 'one-1');
    for (const other of ['http://b', 'http://c']) assert.equal(keptChainId(dialects, other), undefined);
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
      keys: () => [...kept.keys()],
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
    answers.set('http://b', { cause: 'Needs an API key (401)' });
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
    assert.equal(later.get('http://b')?.cause, 'Needs an API key (401)');
    await later.forget('http://b');
    assert.equal(later.get('http://b'), undefined);
    kept.set('lastAnswers', [['http://a', { at: 'yesterday' }]]);
    assert.equal(later.get('http://a'), undefined);
  });
});

describe('a store that writes one value after the other', () => {
  /** Answers each write, later, with all that was kept as of it: test/host/activation.test.ts has the editor's own. */
  function answeringStore() {
    let kept: Record<string, unknown> = {};
    let writing = 0;
    const store: KeyValueStore & { readonly most: number; readonly writes: number } = {
      most: 0,
      writes: 0,
      keys: () => Object.keys(kept),
      get: (key) => kept[key],
      async update(key, value) {
        kept[key] = value;
        const sent = { ...kept };
        Object.assign(store, { most: Math.max(store.most, ++writing), writes: store.writes + 1 });
        await new Promise(setImmediate);
        writing--;
        if (value === 'refused') throw new Error('No space left');
        kept = sent;
      },
    };
    return store;
  }

  it('loses nothing that is written while another write goes on, and gives it at once', async () => {
    const own = answeringStore();
    const store = new SerialStore(own);
    const writes = Array.from({ length: 20 }, (_, i) => store.update(`key${i % 7}`, i));
    writes.push(store.update('key7', 20));
    assert.equal(store.get('key5'), 19);
    await Promise.all(writes);
    assert.deepEqual([own.most, own.writes], [1, 8], 'what waits is replaced by what comes after it');
    assert.deepEqual(
      store.keys().map((key) => own.get(key)),
      [14, 15, 16, 17, 18, 19, 13, 20],
    );
    const memory = new SourceMemory(store, 'one for all');
    await Promise.all(['a', 'b', 'c'].map((id) => memory.set(id, id)));
    assert.deepEqual(own.get('one for all'), [
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
  });

  it('writes on after a write that was refused', async () => {
    const own = answeringStore();
    const store = new SerialStore(own);
    const refused = assert.rejects(store.update('a', 'refused'), /No space/);
    const written = store.update('b', undefined);
    assert.ok(store.keys().length === 0 && store.get('b') === undefined);
    await Promise.all([refused, written]);
    await store.update('c', 1);
    assert.equal(own.get('c'), 1);
  });
});
