const pieceLength = 4_000;
const longestLine = 8_000;
const longestPiece = 16_000;

/**
 * Cuts markdown into pieces that can be drawn one after the other: at blank lines outside code fences; where there are
 * none for too long, between two lines or words. A code fence that is cut is closed and opened again.
 */
export function toPieces(source: string): readonly string[] {
  if (source.length <= pieceLength) return [source];
  const pieces: string[] = [];
  let piece: string[] = [];
  let length = 0;
  let fence: string | undefined;
  for (const line of source.split('\n').flatMap(toShortLines)) {
    piece.push(line);
    length += line.length + 1;
    fence = fenceAfter(line, fence);
    const goodPlace = length > pieceLength && line.trim() === '' && fence === undefined;
    if (!goodPlace && length <= longestPiece) continue;
    pieces.push([...piece, ...(fence === undefined ? [] : [fence])].join('\n'));
    piece = fence === undefined ? [] : [fence];
    length = 0;
  }
  if (piece.length > 0) pieces.push(piece.join('\n'));
  return pieces;
}

/** The mark that closes the code fence which is open after `line`. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  return mark[0] === fence[0] && mark.length >= fence.length ? undefined : fence;
}

function toShortLines(line: string): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > longestLine) {
    const space = rest.lastIndexOf(' ', longestLine);
    const end = space > 0 ? space + 1 : longestLine;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...lines, rest];
}
