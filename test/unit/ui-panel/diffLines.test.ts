import assert from 'node:assert/strict';
import { diffLines } from '../../../src/ui/panel/diffLines.ts';

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

  it('marks neighbouring lines as one run, at the start and at the end', () => {
    assert.deepEqual(diffLines('a\n b\nc', 'x\n y\nc').after, [{ text: 'x\n y', change: 'added' }, { text: '\nc' }]);
    assert.deepEqual(diffLines('c', 'c\na\nb').after, [{ text: 'c\n' }, { text: 'a\nb', change: 'added' }]);
    assert.deepEqual(diffLines('1', '2'), {
      before: [{ text: '1', change: 'removed' }],
      after: [{ text: '2', change: 'added' }],
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
        if (before === after) assert(diff.after.every((span) => span.change === undefined));
      }
    }
  });
});
