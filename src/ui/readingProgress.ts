import * as vscode from 'vscode';
import { isAbort } from '../api/errors.ts';
import type { ReadingFile } from '../openSource.ts';
import { withProgress, withStatusProgress } from './ask.ts';
import { plain } from './plain.ts';
import { type Report, showInfo } from './report.ts';

/** Shows how far a state file was read, with Cancel; says what went wrong; offers to read a file again that changed. */
export function showReading(file: ReadingFile, report: Report, reload: () => Promise<void> | undefined): void {
  void withStatusProgress(titleOf(file), async (show) => {
    file.onProgress((bytes, size) => show(progressText(bytes, size)));
    await file.ready.catch(() => undefined);
  });
  const late = setTimeout(() => void offerCancel(file), 2000);
  void file.ready
    .catch((error: unknown) => {
      if (!isAbort(error)) report.error(vscode.l10n.t('Could not read {0}', plain(file.name)), error);
    })
    .finally(() => clearTimeout(late));
  file.onChanged(() => void offerReload(file, report, reload));
}

/** A file that takes long gets a notification whose button ends the reading. */
async function offerCancel(file: ReadingFile): Promise<void> {
  await withProgress(titleOf(file), async (signal, show) => {
    signal.addEventListener('abort', () => file.cancel());
    file.onProgress((bytes, size) => show(progressText(bytes, size), size > 0 ? (bytes / size) * 100 : 0));
    await file.ready.catch(() => undefined);
  });
}

async function offerReload(file: ReadingFile, report: Report, reload: () => Promise<void> | undefined): Promise<void> {
  const again = vscode.l10n.t('Reload');
  const name = plain(file.name);
  const choice = await showInfo(vscode.l10n.t('{0} changed on disk.', name), again);
  if (choice === again) await report.run(vscode.l10n.t('Could not reload {0}', name), async () => reload());
}

function titleOf(file: ReadingFile): string {
  return vscode.l10n.t('Reading {0}', plain(file.name));
}

function progressText(bytes: number, size: number): string {
  const megabytes = (count: number) => (count / 1_000_000).toFixed(count < 10_000_000 ? 1 : 0);
  const percent = size > 0 ? Math.floor((bytes / size) * 100) : 0;
  return vscode.l10n.t('{0} of {1} MB, {2} %', megabytes(bytes), megabytes(size), percent);
}
