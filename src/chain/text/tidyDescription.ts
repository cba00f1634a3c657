const meanings = new Map([
  ['\\t', '\t'],
  ['\\"', '"'],
  ['\\\\', '\\'],
]);

/**
 * A description with the line ends that its author meant: CRLF and lone CR become line feeds, and where the text came
 * through JSON or a shell twice (more `\n` in two characters than real line feeds), escapes become what they stand for.
 */
export function tidyDescription(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (count(lines, /\\n/g) <= count(lines, /\n/g)) return lines;
  return lines.replace(/\\r\\n|\\[nrt"\\]/g, (written) => meanings.get(written) ?? '\n');
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
