import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Documents with tables that name a test in their last column, and how many columns and rows such a table has at least. */
const documents = [
  { path: 'SECURITY.md', columns: 4, rows: 20 },
  { path: 'docs/limits.md', columns: 3, rows: 25 },
];

interface Row {
  readonly cells: readonly string[];
  readonly file: string;
  readonly title: string;
}

/** The rows of all tables of a document, without their heads. */
function rowsOf(path: string): readonly Row[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const fromRow = (line: string, at: number): boolean => line.startsWith('| ') && !lines[at + 1]?.startsWith('|---');
  return lines.filter(fromRow).map((line) => {
    const cells = line.slice(2, -2).split(' | ');
    const [, file = '', title = ''] = /^`(.+)` "(.+)"$/.exec(cells.at(-1) ?? '') ?? [];
    return { cells, file, title };
  });
}

/** Whether a file has a test of this title. A title may go on with what differs between several tests. */
function hasTest(file: string, title: string): boolean {
  const titles = readFileSync(join(root, file), 'utf8').matchAll(/\bit\(\s*['`](.*?)['`],/g);
  const isTitle = (text: string): boolean =>
    text === title || [' (', ': ', ' $'].some((next) => text.startsWith(title + next));
  return [...titles].some(([, text = '']) => isTitle(text));
}

for (const { path, columns, rows: least } of documents) {
  describe(`the tables of ${path}`, () => {
    it('fill every cell', () => {
      const rows = rowsOf(path);
      assert.ok(rows.length >= least, `${rows.length}`);
      for (const { cells } of rows)
        assert.ok(cells.length === columns && cells.every((cell) => cell.trim() !== ''), `${cells}`);
    });

    it('name tests that exist', () => {
      for (const { file, title } of rowsOf(path)) {
        assert.ok(existsSync(join(root, file)), file);
        assert.ok(hasTest(file, title), `${file} has no test "${title}"`);
      }
    });
  });
}
