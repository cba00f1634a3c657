const pieceLength = 4_000;
const longestLine = 8_000;
const longestPiece = 16_000;
const mostLines = 250;
const mostTableLines = 1_500;

/**
 * Cuts markdown into pieces that can be drawn one after the other: at blank lines outside code fences; where there are
 * none for too long, between two lines or words. A code fence that is cut is closed and opened again. Pieces are cut
 * when they are asked for, so that the first one of a very long text comes at once.
 */
export function* toPieces(source: string): Generator<string, void, undefined> {
  let piece: string[] = [];
  let length = 0;
  let fence: string | undefined;
  for (const line of shortLines(source)) {
    piece.push(line);
    length += line.length + 1;
    fence = fenceAfter(line, fence);
    const goodPlace = length > pieceLength && line.trim() === '' && fence === undefined;
    const most = line.startsWith('|') ? mostTableLines : mostLines;
    if (!goodPlace && length <= longestPiece && piece.length < most) continue;
    yield [...piece, ...(fence === undefined ? [] : [fence])].join('\n');
    piece = fence === undefined ? [] : [fence];
    length = 0;
  }
  if (piece.length > 0) yield piece.join('\n');
}

/** The mark that closes the code fence which is open after `line`. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  return mark[0] === fence[0] && mark.length >= fence.length ? undefined : fence;
}

/** Lines; a very long one in parts, cut behind a space where it has one. */
function* shortLines(source: string): Generator<string, void, undefined> {
  let at = 0;
  while (at <= source.length) {
    const found = source.indexOf('\n', at);
    const end = found < 0 ? source.length : found;
    while (end - at > longestLine) {
      const space = source.lastIndexOf(' ', at + longestLine);
      const cut = space > at ? space + 1 : at + longestLine;
      yield source.slice(at, cut);
      at = cut;
    }
    yield source.slice(at, end);
    at = end + 1;
  }
}
