import assert from 'node:assert/strict';
import { cutText, textWidth } from '../../../src/cli/terminal.ts';
import { tableLines, tsvRows } from '../../../src/cli/text/textTable.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly share: string;
}

const rows: readonly Row[] = [
  { id: '7', title: '提案：延长办公时间并增加验证人数量', share: '0.5' },
  { id: '1042', title: 'A title that is far too long for a narrow terminal', share: '0.25' },
];
const columns = [
  { header: 'ID', name: 'id', value: ({ id }: Row) => id },
  { header: 'Title', name: 'title', value: ({ title }: Row) => title },
  { header: 'Share', name: 'share', value: ({ share }: Row) => share, rank: 1 },
] as const;

function textOf(line: ReturnType<typeof tableLines>[number]): string {
  if (typeof line === 'string') return line;
  return 'style' in line ? line.text : line.map(textOf).join('');
}

describe('a table', () => {
  for (const width of [20, 30, 80])
    it(`takes at most ${width} columns of a terminal, wide characters counted twice`, () => {
      const lines = tableLines({ rows, columns }, width).map(textOf);
      const table = lines.filter((line) => !line.startsWith('Hidden'));
      assert.ok(
        table.every((line) => textWidth(line) <= width),
        table.join('\n'),
      );
      assert.equal(
        table.some((line) => line.includes('…')),
        width < 80,
      );
    });

  it('cuts nothing in a pipe', () => {
    const lines = tableLines({ rows, columns }, undefined).map(textOf);
    assert.ok(rows.every(({ title }) => lines.some((line) => line.includes(title))));
    assert.doesNotMatch(lines.join('\n'), /…/);
  });

  it('leaves out columns by rank and names them, and never cuts a number', () => {
    const amounts = [{ id: '1'.repeat(12), title: 'x', share: '2'.repeat(12) }];
    const lines = tableLines({ rows: amounts, columns }, 20).map(textOf);
    assert.match(lines[1] ?? '', /^1{12} {2}x/);
    assert.equal(lines.at(-1), 'Hidden to fit the terminal: Share');
  });

  it('writes values whole for scripts, with tabs and line ends escaped', () => {
    const odd = [{ id: '1', title: 'a\tb\nc\\d', share: '0.334' }];
    assert.deepEqual(tsvRows({ rows: odd, columns }), [
      ['id', 'title', 'share'],
      ['1', 'a\\tb\\nc\\\\d', '0.334'],
    ]);
  });

  it('cuts by columns, between characters', () => {
    assert.equal(cutText('提案提案', 5), '提案…');
    assert.equal(cutText('abc', 3), 'abc');
    assert.equal(textWidth('👩‍👩‍👧 é'), 4);
  });
});
