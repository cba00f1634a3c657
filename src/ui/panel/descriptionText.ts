/**
 * A description as its author meant it: one kind of line end, and the two characters `\n` as a line break where the
 * text was quoted on its way to the chain (field-notes section 3). Nothing is taken away.
 */
export function descriptionText(source: string): string {
  const text = source.replace(/\r\n?/g, '\n');
  const literal = text.match(/\\n/g)?.length ?? 0;
  const real = text.match(/\n/g)?.length ?? 0;
  if (literal <= real) return text;
  return text
    .replace(/\\r\\n|\\n|\\r/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\"/g, '"');
}
