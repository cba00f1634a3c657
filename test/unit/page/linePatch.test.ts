import assert from 'node:assert/strict';
import { linePatch } from '../../../src/page/contentBlocks.ts';

describe('the difference of two values', () => {
  it('marks what changed, at the start and at the end too', () => {
    assert.equal(
      linePatch('{\n  "a": "1",\n  "b": 2\n}', '{\n  "a": "7",\n  "b": 2\n}'),
      [' {', '-  "a": "1",', '+  "a": "7",', '   "b": 2', ' }'].join('\n'),
    );
    assert.equal(linePatch('a\n b\nc', 'x\n y\nc'), '-a\n- b\n+x\n+ y\n c');
    assert.equal(linePatch('c', 'c\na'), ' c\n+a');
  });

  it('does not count a comma as a change', () => {
    assert.equal(linePatch('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1\n}'), ' {\n   "a": 1\n-  "b": 2\n }');
  });

  it('never loses a character but such a comma', () => {
    const texts = ['', 'a', '\n', ' a\n\n b ', '[\n  1,\n  2\n]', '[\n  1\n]', 'x\n'.repeat(400), 'y\n'.repeat(900)];
    const without = (patch: string, sign: string) =>
      patch
        .split('\n')
        .filter((line) => !line.startsWith(sign))
        .map((line) => line.slice(1));
    const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/,$/, ''));
    for (const before of texts) {
      for (const after of texts) {
        const patch = linePatch(before, after);
        assert.deepEqual(plain(without(patch, '+')), plain(before.split('\n')));
        assert.deepEqual(without(patch, '-'), after.split('\n'));
      }
    }
  });
});
