import assert from 'node:assert/strict';
import { Emitter } from '../../../src/chain/emitter.ts';

describe('listeners of an event', () => {
  function emitter() {
    const events = new Emitter<number>();
    const heard: string[] = [];
    const listen = (name: string) => events.on((event) => heard.push(`${name}${event}`));
    return { events, heard, listen };
  }

  it('hear it until they end', () => {
    const { events, heard, listen } = emitter();
    const a = listen('a');
    listen('b');
    events.fire(1);
    a.dispose();
    events.fire(2);
    assert.deepEqual(heard, ['a1', 'b1', 'b2']);
  });

  it('hear only the next one if they are added during an event', () => {
    const { events, heard, listen } = emitter();
    const once = events.on(() => {
      once.dispose();
      listen('late');
    });
    events.fire(1);
    events.fire(2);
    assert.deepEqual(heard, ['late2']);
  });

  it('hear nothing after the end', () => {
    const { events, heard, listen } = emitter();
    listen('a');
    events.dispose();
    events.fire(1);
    assert.deepEqual(heard, []);
  });
});
