import assert from 'node:assert/strict';
import { diffLines } from '../../../src/ui/panel/paramChanges.ts';

const textOf = (spans: ReturnType<typeof diffLines>['before']) => spans.map((span) => span.text).join('');

describe('the difference of two values', () => {
  it('marks what changed without its indentation and the line break behind it', () => {
    const before = '{\n  "a": "1",\n  "b": 2\n}';
    const after = '{\n  "a": "7",\n  "b": 2\n}';
    assert.deepEqual(diffLines(before, after), {
      before: [{ text: '{\n  ' }, { text: '"a": "1",', change: 'removed' }, { text: '\n  "b": 2\n}' }],
      after: [{ text: '{\n  ' }, { text: '"a": "7",', change: 'added' }, { text: '\n  "b": 2\n}' }],
    });
  });

  it('marks line by line, at the start and at the end', () => {
    assert.deepEqual(diffLines('a\n b\nc', 'x\n y\nc').after, [
      { text: 'x', change: 'added' },
      { text: '\n ' },
      { text: 'y', change: 'added' },
      { text: '\nc' },
    ]);
    assert.deepEqual(diffLines('c', 'c\na').after, [{ text: 'c\n' }, { text: 'a', change: 'added' }]);
    assert.deepEqual(diffLines('1', '2'), {
      before: [{ text: '1', change: 'removed' }],
      after: [{ text: '2', change: 'added' }],
    });
  });

  it('takes no comma for a change', () => {
    assert.deepEqual(diffLines('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1\n}'), {
      before: [{ text: '{\n  "a": 1,\n  ' }, { text: '"b": 2', change: 'removed' }, { text: '\n}' }],
      after: [{ text: '{\n  "a": 1\n}' }],
    });
  });

  it('never loses a character', () => {
    const texts = [
      '',
      'a',
      '\n',
      ' a\n\n b ',
      '{\n  "a": [\n    1,\n    2\n  ]\n}',
      '{\n  "a": [\n    1\n  ]\n}',
      'x\n'.repeat(400),
    ];
    for (const before of texts) {
      for (const after of texts) {
        const diff = diffLines(before, after);
        assert.deepEqual([textOf(diff.before), textOf(diff.after)], [before, after]);
        const isMarked = [...diff.before, ...diff.after].some((span) => span.change !== undefined);
        assert.equal(isMarked, before !== after && before + after !== '', JSON.stringify([before, after]));
      }
    }
  });
});
