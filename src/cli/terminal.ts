import { escapeControls, shownLine } from '../chain/text.ts';

/** The only ways to write to a terminal. A line is one line, whatever is in it: its controls are shown, not obeyed. */
function write(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  if (lines.length > 0) stream.write(`${lines.map(shownLine).join('\n')}\n`);
}

/** Writes lines to stdout. */
export function printLines(lines: readonly string[]): void {
  write(process.stdout, lines);
}

/** Writes lines to stderr. */
export function printErrors(lines: readonly string[]): void {
  write(process.stderr, lines);
}

/** Says that a state file is another one than the one that was read. */
export function printChanged(name: string): void {
  printErrors([`${name} changed on disk: answers are of the new file from now on`]);
}

/** Writes a value to stdout as JSON of several lines. Characters that a terminal would obey are written as JSON escapes. */
export function printJson(value: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
}

/** Shows how far a file has been read, in place of what was shown before, where a person sees it. */
export function showBytes(name: string, bytes: number, size: number): void {
  if (!process.stderr.isTTY || size === 0) return;
  const text = shownLine(`Reading ${Math.floor((bytes / size) * 100)} % of ${name} `);
  process.stderr.write(`\r${text}${bytes < size ? '' : '\n'}`);
}
