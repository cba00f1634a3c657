import { StateFileError } from './stateFileError.ts';
import type { Span } from './valueSpan.ts';

/** Where the text of a file begins whose first bytes these are: after the BOM, if there is one. Throws for UTF-16. */
export function textStart(bytes: Buffer): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3;
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new StateFileError('The text is UTF-16, not UTF-8', 0, '');
  return 0;
}

/** The name of a member from its bytes, quotes and all; undefined where they are no JSON. */
export function memberName({ bytes, start, end }: Span): string | undefined {
  const plain = bytes.toString('utf8', start + 1, end - 1);
  if (!plain.includes('\\')) return plain;
  try {
    return String(JSON.parse(`"${plain}"`));
  } catch {
    return undefined;
  }
}

/** A byte as an error names it. */
export function shownByte(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
}
