import * as vscode from 'vscode';
import { isAbort, isApiError, isHttpError, messageOf, shorten } from '../api/errors.ts';
import type { RequestLine } from '../api/transportTypes.ts';
import { escapeForUi } from '../chain/text.ts';

/** The editor cuts a message here itself; texts from outside are cut long before, where they are put into a sentence. */
const longest = 1000;

/** The same with what a node sent cut, so that our advice behind it is still read. */
function messageText(error: unknown): string {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const said = causes.find(isHttpError)?.nodeMessage ?? '';
  return messageOf(error).replace(said, () => shorten(said));
}

/** Shows a message; resolves with the button that was pressed. */
export async function showInfo(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showInformationMessage(escapeForUi(message, longest), ...buttons);
}

/** The same for what failed. */
export async function showError(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showErrorMessage(escapeForUi(message, longest), ...buttons);
}

/** Asks before something is done, in a dialog with `details` under the question; resolves with whether `button` was pressed. */
export async function confirm(question: string, details: readonly string[], button: string): Promise<boolean> {
  // Long enough for any address that a browser takes: who is asked to open one has to see it whole.
  const detail = details.map((line) => escapeForUi(line, 10_000)).join('\n');
  return (
    (await vscode.window.showWarningMessage(escapeForUi(question, longest), { modal: true, detail }, button)) === button
  );
}

/** Says in the status bar, for a few seconds, that something was done. */
export function flash(message: string): void {
  vscode.window.setStatusBarMessage(escapeForUi(message), 5000);
}

/** The only place that shows an error: a notification with the way on; the log has the rest. */
export class Report {
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Shows a failure of something that the user asked for. What the user cancelled is not a failure. */
  error(what: string, error: unknown): void {
    if (isAbort(error) || error instanceof vscode.CancellationError) return;
    this.#log.error(`${what}: ${messageOf(error)}`);
    if (!isApiError(error) && error instanceof Error && error.stack) this.debug(error.stack);
    const showLog = vscode.l10n.t('Show Log');
    void showError(`${what}: ${messageText(error)}`, showLog).then((choice) => {
      if (choice === showLog) this.showLog();
    });
  }

  /** Writes a line for those who look for a fault to the log. */
  debug(text: string): void {
    this.#log.debug(text);
  }

  showLog(): void {
    this.#log.show();
  }

  /** Runs a command; what it throws is shown, never lost. */
  async run(what: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.error(what, error);
    }
  }
}

/** One line per request: method, address, status, bytes, milliseconds, try. The transport has masked secrets already. */
export function requestText(line: RequestLine): string {
  const outcome = line.status === undefined ? (line.error ?? 'no answer') : `${line.status}`;
  const reason = line.status !== undefined && line.error ? ` (${line.error})` : '';
  const attempt = line.attempt > 1 ? `, try ${line.attempt}` : '';
  return `${line.method ?? 'GET'} ${line.url} ${outcome}${reason}, ${line.bytes} B, ${Math.round(line.ms)} ms${attempt}`;
}

/** Keeps the log and, bounded, the lines themselves for those who count requests. */
export class RequestLog {
  readonly #log: vscode.LogOutputChannel;
  readonly #lines: RequestLine[] = [];

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** The last requests, oldest first. */
  get lines(): readonly RequestLine[] {
    return this.#lines;
  }

  /** `text` is what the log says of it. */
  add(line: RequestLine, text: string): void {
    this.#lines.push(line);
    if (this.#lines.length > 1000) this.#lines.splice(0, 500);
    if (line.status !== undefined && line.status < 400) this.#log.info(text);
    else this.#log.warn(text);
  }
}
