import { styleText } from 'node:util';
import measure from 'fast-string-truncated-width';
import { escapeControls, shownLine } from '../chain/text.ts';

/** A part of a line, and its style in a terminal with colours. */
export type Part = string | { readonly text: string; readonly style: 'bold' | 'dim' };

/** A line of several parts, or of one. */
export type Line = Part | readonly Part[];

/**
 * Writes to a terminal. All output goes through this function. A line stays one line, because its control characters
 * are shown, not obeyed.
 */
function write(stream: NodeJS.WriteStream, lines: readonly Line[]): void {
  progress.hide();
  if (lines.length > 0) stream.write(`${lines.map((line) => shownParts(stream, line)).join('\n')}\n`);
}

function shownParts(stream: NodeJS.WriteStream, line: Line): string {
  const parts = typeof line === 'string' || 'style' in line ? [line] : line;
  return parts.map((part) => shownPart(stream, part)).join('');
}

/** Colours a part if the stream is a terminal with colours, and `NO_COLOR` is not set. */
function shownPart(stream: NodeJS.WriteStream, part: Part): string {
  if (typeof part === 'string') return shownLine(part);
  return styleText(part.style, shownLine(part.text), { stream });
}

/** Gives the columns of the terminal at stdout. Undefined if stdout is no terminal, such as a pipe. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
}

/** Writes lines to stdout. */
export function printLines(lines: readonly Line[]): void {
  write(process.stdout, lines);
}

/** Writes rows of cells to stdout, with tabs between the cells. */
export function printTabs(rows: readonly (readonly string[])[]): void {
  progress.hide();
  const lines = rows.map((cells) => `${cells.map(shownLine).join('\t')}\n`);
  if (lines.length > 0) process.stdout.write(lines.join(''));
}

/** Writes lines to stderr. */
export function printErrors(lines: readonly Line[]): void {
  write(process.stderr, lines);
}

/** Says that a state file is no longer the one that was read. */
export function printChanged(name: string): void {
  printErrors([`${name} changed on disk. Answers now come from the new file`]);
}

/** Writes a value to stdout as JSON of several lines. Characters that a terminal would obey become JSON escapes. */
export function printJson(value: unknown): void {
  progress.hide();
  process.stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
}

/** A remark on a place in a file, for the log of a GitHub workflow. Line and column count from 1. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly message: string;
  readonly properties: Readonly<Record<string, string | number>>;
}

/**
 * Writes annotations to stdout as commands of a GitHub workflow. Their texts are escaped for its runner, so that no
 * text begins a command of its own: https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
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

/** The time in milliseconds before work shows its progress, and between two updates. */
const quietTime = 1000;
const betweenTicks = 250;

/**
 * One line on the terminal at stderr that shows the progress of work and replaces its previous text. If stderr is no
 * terminal, nothing is shown.
 */
class Progress {
  #text = '';
  #begun = 0;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  /** From the second second until `end`, shows the text of `say` and the seconds so far. */
  begin(text: string): void {
    this.end();
    if (!process.stderr.isTTY) return;
    this.#text = text;
    this.#begun = Date.now();
    this.#timer = setInterval(() => this.#show(), betweenTicks);
  }

  say(text: string): void {
    this.#text = text;
  }

  /** Removes the line, so that other output can take its place. The next tick shows it again. */
  hide(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K');
    this.#isShown = false;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.hide();
  }

  #show(): void {
    const passed = Date.now() - this.#begun;
    if (passed < quietTime) return;
    const text = shownLine(`${this.#text}, ${Math.floor(passed / 1000)} s`);
    process.stderr.write(`\r\u001b[K${cutText(text, (process.stderr.columns || 80) - 1)}`);
    this.#isShown = true;
  }
}

/** The progress line of this process. */
export const progress: Progress = new Progress();

/** Does work that may take long. From its second second, a terminal shows the last text of `progress.say`. */
export async function withTerminalProgress<T>(text: string, work: () => Promise<T>): Promise<T> {
  progress.begin(text);
  try {
    return await work();
  } finally {
    progress.end();
  }
}

/** Shows how much of a file has been read. */
export function showBytes(name: string, bytes: number, size: number): void {
  if (size > 0) progress.say(`Reading ${name}: ${Math.floor((bytes / size) * 100)} %`);
}

/** Gives the columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  return measure(text).width;
}

let graphemes: Intl.Segmenter | undefined;

/** Cuts a text to at most `width` columns and adds an ellipsis. Characters that people read as one stay whole. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let left = width - 1;
  // It takes 10 ms to make, which every start would wait for.
  graphemes ??= new Intl.Segmenter();
  for (const { segment, index } of graphemes.segment(text)) {
    left -= textWidth(segment);
    if (left < 0) return `${text.slice(0, index)}…`;
  }
  return text;
}
