import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { ReadingFile } from '../../openSource.ts';
import type { Sessions } from '../../session/session.ts';
import { type EndpointSetting, endpointsById, sourceId, toSource } from '../../session/source.ts';
import { identify } from '../../session/testConnection.ts';
import type { ActiveSession } from '../activeSession.ts';
import { lengthFault, withProgress } from '../ask.ts';
import { confirm, type Report, showInfo } from '../report.ts';
import { addEndpoints, type Settings, setBaseUrl } from '../settings.ts';

/** Shows the last of some state files, and saves the readable ones. Throws `InputError` for one not on this disk, and shows nothing then. */
export async function openStateFiles(
  { settings, sessions }: ActiveSession,
  given: readonly vscode.Uri[],
): Promise<void> {
  const uris =
    given.length > 0 ? given : await askStateFiles({ title: vscode.l10n.t('Open state file'), canSelectMany: true });
  const missing = uris.find(({ scheme, fsPath }) => scheme === 'file' && !existsSync(fsPath));
  if (missing) throw new InputError(noFileText(missing));
  for (const { path, fault } of uris.map((uri) => ({ path: uri.fsPath, fault: lengthFault(uri.fsPath) })))
    if (fault !== undefined)
      throw new InputError(vscode.l10n.t('The path is too long. {0}: {1}', fault, escapeForUi(path)));
  const endpoints = uris.map((uri) => ({ name: posix.basename(uri.path), url: uriId(uri) }));
  const last = endpoints.at(-1);
  if (!last) return;
  const opened = Promise.all(endpoints.map((endpoint) => canOpen(endpoint, sessions)));
  await setBaseUrl(last.url);
  const readable = await opened;
  await addEndpoints(settings, ...endpoints.filter((_, index) => readable[index]));
}

/** What is said of the path of a file that does not exist. */
export function noFileText({ fsPath }: vscode.Uri): string {
  return vscode.l10n.t('There is no file {0}', escapeForUi(fsPath));
}

/** Whether a file is a state that can be read to its end. Why it is not is shown where it is read. */
async function canOpen(endpoint: EndpointSetting, sessions: Sessions): Promise<boolean> {
  const source = toSource(endpoint.url, endpointsById([endpoint]), '');
  const read = sessions.use(source, async (session) => {
    const { node, whole } = await session.chain();
    await identify(node);
    await whole;
    return true;
  });
  return read.catch(() => false);
}

/** Asks for state files by the editor's own dialog; none when the user leaves. */
export async function askStateFiles(options: vscode.OpenDialogOptions): Promise<vscode.Uri[]> {
  const filters = { [vscode.l10n.t('State files')]: ['json', 'gz'], [vscode.l10n.t('All files')]: ['*'] };
  return (await vscode.window.showOpenDialog({ filters, ...options })) ?? [];
}

/** Whether files may be opened: links and other extensions run commands, too, so the user confirms files not known. */
export async function confirmFiles(settings: Settings, uris: readonly vscode.Uri[]): Promise<boolean> {
  const known = new Set(settings.endpoints.map(({ url }) => url));
  const outside = uris.filter(
    (uri) => uri.scheme === 'file' && !vscode.workspace.getWorkspaceFolder(uri) && !known.has(uriId(uri)),
  );
  if (outside.length === 0) return true;
  const question = vscode.l10n.t('Open state files from outside the workspace?');
  const paths = outside.map(({ fsPath }) => fsPath);
  return confirm(question, paths, vscode.l10n.t('Open'));
}

/** The identity of a state file as a source. Throws `InputError` for what is not on a disk of this machine. */
export function uriId(uri: vscode.Uri): string {
  if (uri.scheme !== 'file')
    throw new InputError(vscode.l10n.t('{0} is not a file on disk: save it first', escapeForUi(uri.toString())));
  return sourceId(uri.toString());
}

/** Opens the state files that were dropped onto a view. Throws `InputError` afterwards for what could not be opened. */
export async function openDropped(active: ActiveSession, transfer: unknown): Promise<void> {
  if (!(transfer instanceof vscode.DataTransfer)) return;
  // Drags inside the editor carry a list of URIs, and so do those of system files into a desktop editor.
  const list = (await transfer.get('text/uri-list')?.asString()) ?? '';
  // RFC 2483: one on a line, comments begin with #.
  const lines = list.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const dropped = [...transfer].flatMap(([, item]) => item.asFile() ?? []);
  const all = [...lines.map((line) => vscode.Uri.parse(line.trim())), ...dropped.flatMap(({ uri }) => uri ?? [])];
  const uris = [...new Map(all.map((uri) => [uri.toString(), uri])).values()];
  const files = uris.filter(({ scheme }) => scheme === 'file');
  const opened = files.filter(({ path }) => /\.json(\.gz)?$/i.test(path));
  if (opened.length > 0) await openStateFiles(active, opened);
  const withoutPath = namesOf(dropped.flatMap(({ uri, name }) => (uri ? [] : [name])));
  const elsewhere = namesOf(uris.filter((uri) => !files.includes(uri)).map((uri) => uri.toString(true)));
  const others = namesOf(files.filter((uri) => !opened.includes(uri)).map(({ path }) => posix.basename(path)));
  const refused = [
    withoutPath &&
      vscode.l10n.t(
        'A browser does not tell where its files are on disk ({0}): use Open State File… instead',
        withoutPath,
      ),
    elsewhere && vscode.l10n.t('Not on the disk of this machine: {0}', elsewhere),
    others && vscode.l10n.t('Not a state file, whose name ends in .json or .json.gz: {0}', others),
  ].filter((text) => text !== '');
  if (refused.length > 0) throw new InputError(refused.join('. '));
}

function namesOf(names: readonly string[]): string {
  return names.map((name) => escapeForUi(name)).join(', ');
}

/** Milliseconds after which reading a file gets a notification with its progress and Cancel. */
const longReading = 1000;

/** Shows the progress of a file that is not read in a moment, and its failure; offers to read it again when it changes on disk. */
export function showReading(file: ReadingFile, report: Report, reload: () => Promise<void> | undefined): void {
  const name = escapeForUi(file.name);
  const timer = setTimeout(() => {
    void withProgress(vscode.l10n.t('Reading {0}', name), async (signal, show) => {
      signal.addEventListener('abort', () => file.cancel());
      file.onProgress((bytes, size) => show(progressText(bytes, size), size > 0 ? (bytes / size) * 100 : 0));
      await file.ready.catch(() => undefined);
    });
  }, longReading);
  void file.ready
    .catch((error: unknown) => report.error(vscode.l10n.t('Could not read {0}', name), error))
    .finally(() => clearTimeout(timer));
  file.onChanged(() => {
    void report.run(vscode.l10n.t('Could not reload {0}', name), async () => {
      const button = vscode.l10n.t('Reload');
      if ((await showInfo(vscode.l10n.t('{0} changed on disk.', name), button)) === button) await reload();
    });
  });
}

function progressText(bytes: number, size: number): string {
  const megabytes = (count: number): number => Math.round(count / 1_000_000);
  return vscode.l10n.t('{0} of {1} MB', megabytes(bytes), megabytes(size));
}
