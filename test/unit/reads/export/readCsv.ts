/** A strict reader of RFC 4180 for the tests: quotes, doubled quotes, line ends. Throws on anything loose. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    const match = /"((?:[^"]|"")*)"(,|\r\n)/y;
    match.lastIndex = at;
    const [whole, cell = '', end] = match.exec(text) ?? [];
    if (whole === undefined) throw new Error(`Not CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    line.push(cell.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  if (line.length > 0) throw new Error('The last line does not end');
  return lines;
}
