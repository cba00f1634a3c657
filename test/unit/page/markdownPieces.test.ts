import assert from 'node:assert/strict';
import { toPieces } from '../../../media/proposal/markdownPieces.ts';

describe('pieces of a very long description', () => {
  const cut = (text: string) => [...toPieces(text)];
  const joined = (text: string) => cut(text).join('\n');

  it('hold everything, in order, and none is long', () => {
    const paragraphs = Array.from({ length: 2_000 }, (_, at) => `Paragraph ${at} ${'word '.repeat(at % 40)}\n`).join(
      '\n',
    );
    const pieces = cut(paragraphs);
    assert.equal(pieces.join('\n'), paragraphs);
    assert(pieces.length > 20);
    assert(pieces.every((piece) => piece.length <= 17_000));
  });

  it('cut a line without an end between words', () => {
    const line = 'word '.repeat(40_000);
    assert.equal(joined(line).replaceAll('\n', ''), line);
    assert(cut(line).every((piece) => piece.length <= 17_000));
  });

  it('cut a text without any space', () => {
    const line = 'x'.repeat(100_000);
    assert.equal(joined(line).replaceAll('\n', ''), line);
  });

  it('close a code fence that they cut, and open it again', () => {
    const code = `~~~\n${'line\n\n'.repeat(10_000)}~~~\nafter`;
    const pieces = cut(code);
    assert(pieces.length > 1);
    for (const piece of pieces) assert.equal((piece.match(/^~~~$/gm) ?? []).length % 2, 0);
    assert.match(pieces.at(-1) ?? '', /after$/);
  });
});
