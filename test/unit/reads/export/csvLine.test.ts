import { strict as assert } from 'node:assert';
import { csvLine, tsvLine } from '../../../../src/reads/export.ts';
import { readCsv } from './readCsv.ts';

const hostile = [
  'plain',
  '',
  'a "quoted", one',
  'semi;colon',
  'two\nlines',
  'two\r\nlines and\ttab',
  '漢字 🚀 ñ',
  '340282366920938463463374607431768211456',
  '"',
  '""',
  ',',
];

describe('a line of CSV', () => {
  it('comes back cell by cell from a strict reader, whatever the cells hold', () => {
    assert.deepEqual(readCsv(csvLine(hostile) + csvLine(hostile)), [hostile, hostile]);
  });

  it('comes back from random cells', () => {
    const letters = ['"', ',', '\r', '\n', ';', '\t', 'a', 'é', '🚀', ' ', '1'];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let run = 0; run < 500; run++) {
      // A letter first: the guard against formulas has a test of its own.
      const cells = Array.from(
        { length: 1 + next(5) },
        () => `x${Array.from({ length: next(8) }, () => letters[next(letters.length)]).join('')}`,
      );
      assert.deepEqual(readCsv(csvLine(cells)), [cells]);
    }
  });

  it('never begins a cell as a formula does, and leaves amounts as they are', () => {
    const formulas = [
      '=1+1',
      '+1',
      '-1+1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      ' =1',
      '\uff1d1+1',
      '=HYPERLINK("http://x","y")',
    ];
    for (const formula of formulas) {
      const [[cell]] = [...readCsv(csvLine([formula])), ['']];
      assert.equal(cell, `'${formula}`);
      assert.match(tsvLine([formula]), /^"?'/);
    }
    assert.equal(
      csvLine(['12345678901234567890123456789012345678901', '0', '-5']),
      '"12345678901234567890123456789012345678901","0","-5"\r\n',
    );
  });

  it('cannot be led out of its cell by another separator', () => {
    assert.equal(csvLine(['a;=cmd()', 'a\t=cmd()']), '"a;=cmd()","a\t=cmd()"\r\n');
  });
});

describe('a line for the clipboard', () => {
  it('keeps its cells and its line apart', () => {
    const line = tsvLine(['two\nlines', 'a\tb', 'c\u2028d', '']);
    assert.equal(line, 'two lines\ta b\tc d\t\n');
  });

  it('quotes a cell with a quote, which would swallow the cells behind it', () => {
    const line = tsvLine(['"open', 'next', 'a "b"']);
    assert.equal(line, '"""open"\tnext\t"a ""b"""\n');
  });
});
