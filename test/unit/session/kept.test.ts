import assert from 'node:assert/strict';
import { isAbort } from '../../../src/api/errors.ts';
import type { Answered, KeptQuestion } from '../../../src/session/kept.ts';
import { KeptValues } from '../../../src/session/kept.ts';

/** Answers of one kind with a clock that stands until it is set, and a count of what was loaded. */
function keepNumbers() {
  const clock = { now: 1_000_000 };
  const values = new KeptValues<number>(() => clock.now);
  let loads = 0;
  const ask = (
    question: KeptQuestion,
    load = async (): Promise<Answered<number>> => ({ value: ++loads, height: 7n }),
  ) => values.read('', question, load);
  return { clock, values, ask };
}

describe('an answer that is kept', () => {
  it('knows when and at which height it was read', async () => {
    const { clock, ask } = keepNumbers();
    const asked = new Date(clock.now);
    const slow = ask({ maxAge: 10 }, async () => {
      clock.now += 5_000;
      return { value: 1, height: 7n };
    });
    assert.deepEqual(await slow, { value: 1, height: 7n, readAt: asked });
  });

  it('is read again once it is older than who asks allows', async () => {
    const { clock, ask } = keepNumbers();
    await ask({ maxAge: 10 });
    clock.now += 9;
    assert.equal((await ask({ maxAge: 10 })).value, 1);
    assert.equal((await ask({ maxAge: 9 })).value, 2);
    clock.now += 10;
    assert.equal((await ask({ maxAge: Number.POSITIVE_INFINITY })).value, 2);
    assert.equal((await ask({ maxAge: 10 })).value, 3);
  });

  it('is read again where the clock was set back', async () => {
    const { clock, ask } = keepNumbers();
    await ask({ maxAge: 10 });
    clock.now -= 3_600_000;
    assert.equal((await ask({ maxAge: 10 })).value, 2);
  });

  it('stands while a new one is read, and after that has failed', async () => {
    const { values, ask } = keepNumbers();
    await ask({ maxAge: 0 });
    const gate = Promise.withResolvers<never>();
    const refresh = ask({ maxAge: 0 }, () => gate.promise);
    assert.equal(values.get()?.value, 1);
    gate.reject(new Error('gone'));
    await assert.rejects(refresh, /gone/);
    assert.equal((await ask({ maxAge: 10 })).value, 1);
  });

  it('is read once for all who ask meanwhile, and on after one of them has left', async () => {
    const { ask } = keepNumbers();
    const gate = Promise.withResolvers<{ readonly value: number }>();
    const leave = new AbortController();
    const left = ask({ maxAge: 0, signal: leave.signal }, () => gate.promise);
    const other = ask({ maxAge: 0 }, () => assert.fail('read twice'));
    leave.abort();
    await assert.rejects(left, isAbort);
    gate.resolve({ value: 42 });
    assert.equal((await other).value, 42);
  });

  it('ends being read when the last who waits has left', async () => {
    const { values, ask } = keepNumbers();
    const leave = new AbortController();
    let own: AbortSignal | undefined;
    const left = values.read('', { maxAge: 0, signal: leave.signal }, (signal) => {
      own = signal;
      return new Promise(() => {});
    });
    leave.abort();
    await assert.rejects(left, isAbort);
    assert.equal(own?.aborted, true);
    assert.equal((await ask({ maxAge: 10 })).value, 1);
  });

  it('is not kept where all was forgotten while it was read', async () => {
    const { values, ask } = keepNumbers();
    const gate = Promise.withResolvers<{ readonly value: number }>();
    const late = ask({ maxAge: 10 }, () => gate.promise);
    values.forget();
    const next = await ask({ maxAge: 10 });
    gate.resolve({ value: 42 });
    await late;
    assert.equal(values.get(), next);
  });

  it('makes room for a new one where there are many', async () => {
    const { values } = keepNumbers();
    for (let at = 0; at <= 1000; at++) await values.read(`${at}`, { maxAge: 10 }, async () => ({ value: at }));
    assert.equal(values.get('0'), undefined);
    assert.equal(values.get('1000')?.value, 1000);
  });
});
