import assert from 'node:assert/strict';
import { concurrently } from '../../../src/api/sharing.ts';

describe('Work at most n at a time', () => {
  it('begins the next item when one has ended, in order', async () => {
    let running = 0;
    let most = 0;
    const begun: number[] = [];
    await concurrently([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    });
    assert.deepEqual({ begun, most }, { begun: [1, 2, 3, 4, 5], most: 2 });
  });

  it('begins nothing after a failure, and rejects when the others have ended', async () => {
    const ended: number[] = [];
    const other = Promise.withResolvers<void>();
    const done = concurrently([1, 2, 3, 4], 2, async (item) => {
      if (item === 2) throw new Error('no answer');
      await other.promise;
      ended.push(item);
    });
    other.resolve();
    await assert.rejects(done, /no answer/);
    assert.deepEqual(ended, [1]);
  });
});
