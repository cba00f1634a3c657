/**
 * One line of CSV (RFC 4180, with its line end). Every cell stands in quotes, quotes in it are doubled, so commas, semicolons,
 * tabs and line breaks never end a cell, whatever separator a spreadsheet takes. See `guarded` for formulas.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${guarded(cell).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** One line for the clipboard, cells apart by tabs: spreadsheets take it as cells. Tabs and line breaks in a cell become spaces. */
export function tsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => guarded(cell.replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' '))).join('\t')}\n`;
}

/**
 * A spreadsheet runs a cell that begins with = + - @, a tab or a carriage return, and anybody may put such a title on a
 * chain: an apostrophe goes before it, as OWASP advises (CSV Injection), also after spaces and for the full-width forms.
 * Digits stay as they are; who needs every text exactly takes JSON, in which nothing is changed.
 */
function guarded(cell: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}
