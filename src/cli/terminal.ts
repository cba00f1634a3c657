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

/** A remark on a place of a file, for the log of a GitHub workflow. Line and column count from 1. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly message: string;
  readonly properties: Readonly<Record<string, string | number>>;
}

/**
 * Writes annotations to stdout as commands of a GitHub workflow. Their texts are escaped as its runner wants it, so that none of them
 * begins a command of its own: https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
 */
export function printAnnotations(annotations: readonly Annotation[]): void {
  const lines = annotations.map(({ level, message, properties }) => {
    const named = Object.entries(properties).map(([name, value]) => `${name}=${propertyText(`${value}`)}`);
    return `::${level} ${named.join(',')}::${commandText(message)}\n`;
  });
  if (lines.length > 0) process.stdout.write(lines.join(''));
}

function commandText(text: string): string {
  return shownLine(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function propertyText(text: string): string {
  return commandText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Shows how far a file has been read, in place of what was shown before, where a person sees it. */
export function showBytes(name: string, bytes: number, size: number): void {
  if (!process.stderr.isTTY || size === 0) return;
  const text = shownLine(`Reading ${Math.floor((bytes / size) * 100)} % of ${name} `);
  process.stderr.write(`\r${text}${bytes < size ? '' : '\n'}`);
}
