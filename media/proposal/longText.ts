import { element } from './element.ts';

const linesAtOnce = 400;

/** Text of any length as preformatted lines, in pieces that the browser lays out only where they are seen. */
export function toCode(label: string, text: string): HTMLElement {
  const lines = text.split('\n');
  const made = element('pre', { role: 'group', 'aria-label': label, dir: 'ltr' });
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const last = at + linesAtOnce >= lines.length;
    const piece = lines.slice(at, at + linesAtOnce).join('\n');
    made.append(element('code', { class: 'piece' }, last ? piece : `${piece}\n`));
  }
  return made;
}

const charactersAtOnce = 20_000;

/** Cuts markdown into pieces at blank lines outside code fences, so that a very long one can be drawn bit by bit. */
export function toPieces(source: string): readonly string[] {
  if (source.length <= charactersAtOnce) return [source];
  const pieces: string[] = [];
  let piece: string[] = [];
  let length = 0;
  let fence: string | undefined;
  for (const line of source.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === undefined || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === undefined ? mark : undefined;
    }
    piece.push(line);
    length += line.length + 1;
    const tooLong = length > charactersAtOnce * 4;
    if ((length > charactersAtOnce && line.trim() === '' && fence === undefined) || tooLong) {
      pieces.push(piece.join('\n'));
      piece = [];
      length = 0;
    }
  }
  if (piece.length > 0) pieces.push(piece.join('\n'));
  return pieces;
}
