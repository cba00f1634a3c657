import * as vscode from 'vscode';
import { isAbort, isApiError, isHttpError, messageOf } from '../api/errors.ts';
import type { RequestLine } from '../api/transport/transportTypes.ts';
import { escapeForUi, shorten } from '../chain/text.ts';
import { isServed } from '../words/errorWords.ts';

/** VS Code cuts messages at this length. Texts from outside are cut earlier, when they are put into a sentence. */
const longest = 1000;

/**
 * The message of an error. The node's own text is cut, so that the advice behind it stays readable. The error of a state
 * file has its reason alone.
 */
function messageText(error: unknown): string {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const failed = causes.find(isHttpError);
  const said = failed?.nodeMessage ?? '';
  if (failed && isServed(failed)) return messageOf(error).replace(failed.message, () => said || failed.reason);
  return messageOf(error).replace(said, () => shorten(said));
}

/** Shows a message. Resolves with the pressed button. */
export async function showInfo(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showInformationMessage(escapeForUi(message, longest), ...buttons);
}

/** Shows an error message. Resolves with the pressed button. */
export async function showError(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showErrorMessage(escapeForUi(message, longest), ...buttons);
}

/** Asks for confirmation in a dialog with `details` below the question. Resolves with whether `button` was pressed. */
export async function confirm(question: string, details: readonly string[], button: string): Promise<boolean> {
  // Long enough for any address in a browser, since the user has to see the whole address before opening it.
  const detail = details.map((line) => escapeForUi(line, 10_000)).join('\n');
  return (
    (await vscode.window.showWarningMessage(escapeForUi(question, longest), { modal: true, detail }, button)) === button
  );
}

/** Shows a message in the status bar for a few seconds. */
export function flash(message: string): void {
  vscode.window.setStatusBarMessage(escapeForUi(message), 5000);
}

/** Shows what failed. The notification says what to do, and the log has the details. */
export class Report {
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Shows a failed action of the user. A canceled action is no failure. */
  error(what: string, error: unknown): void {
    if (isAbort(error) || error instanceof vscode.CancellationError) return;
    this.#log.error(`${what}: ${messageOf(error)}`);
    if (!isApiError(error) && error instanceof Error && error.stack) this.debug(error.stack);
    this.#show(`${what}: ${messageText(error)}`, new Map());
  }

  /** Shows why something failed in words of its own, with other ways on, by their buttons. */
  reason(text: string, error: unknown, ways: ReadonlyMap<string, () => Thenable<unknown>>): void {
    if (isAbort(error)) return;
    this.#log.error(text);
    this.#show(text, ways);
  }

  #show(text: string, ways: ReadonlyMap<string, () => Thenable<unknown>>): void {
    const showLog = vscode.l10n.t('Show Log');
    void showError(text, ...ways.keys(), showLog).then(async (choice = '') => {
      if (choice === showLog) this.showLog();
      else await this.run(choice, async () => void (await ways.get(choice)?.()));
    });
  }

  /** Writes a line of diagnostics to the log. */
  debug(text: string): void {
    this.#log.debug(text);
  }

  showLog(): void {
    this.#log.show();
  }

  /** Runs a command, and shows its error. */
  async run(what: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.error(what, error);
    }
  }
}

/**
 * One line for a request: method, address, status, bytes, milliseconds, try. The transport has already masked secrets.
 */
export function requestText(line: RequestLine): string {
  const outcome = line.status === undefined ? (line.error ?? 'no response') : `${line.status}`;
  const reason = line.status !== undefined && line.error ? ` (${line.error})` : '';
  const attempt = line.attempt > 1 ? `, try ${line.attempt}` : '';
  return `${line.method ?? 'GET'} ${line.url} ${outcome}${reason}, ${line.bytes} B, ${Math.round(line.ms)} ms${attempt}`;
}

/** Writes requests to the log. Keeps the last 500 to 1000 for tests and reports that count requests. */
export class RequestLog {
  readonly #log: vscode.LogOutputChannel;
  readonly #lines: RequestLine[] = [];

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** The kept requests, oldest first. */
  get lines(): readonly RequestLine[] {
    return this.#lines;
  }

  /** Keeps a request and writes its line to the log, as a warning if the request failed. */
  add(line: RequestLine): void {
    const text = requestText(line);
    this.#lines.push(line);
    if (this.#lines.length > 1000) this.#lines.splice(0, 500);
    if (line.status !== undefined && line.status < 400) this.#log.info(text);
    else this.#log.warn(text);
  }
}
