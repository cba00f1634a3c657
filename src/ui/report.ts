import * as vscode from 'vscode';
import { isAbort, isApiError } from '../api/errors.ts';

/** One sentence for a person, whatever was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}

/** The same without the address, for places that have little room and a tooltip. */
export function reasonText(error: unknown): string {
  // What our own service says of a file is no matter of HTTP to anybody.
  return errorText(error).replace(/^GET \S+: (HTTP 500: (?=Cannot read ))?/, '');
}

/** The only place that shows an error: a notification with the way on; the log has the rest. */
export class Report {
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Shows a failure of something that the user asked for. A cancelled wish is not a failure. */
  error(what: string, error: unknown): void {
    if (isAbort(error) || error instanceof vscode.CancellationError) return;
    this.#log.error(`${what}: ${errorText(error)}`);
    if (!isApiError(error) && error instanceof Error && error.stack) this.#log.debug(error.stack);
    const showLog = vscode.l10n.t('Show Log');
    void vscode.window.showErrorMessage(`${what}: ${errorText(error)}`, showLog).then((choice) => {
      if (choice === showLog) this.#log.show();
    });
  }

  info(message: string): void {
    void vscode.window.showInformationMessage(message);
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
