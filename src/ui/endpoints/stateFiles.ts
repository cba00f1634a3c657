import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { InputError, reasonOf } from '../../api/errors.ts';
import { groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { ReadingFile } from '../../openSource.ts';
import { identify } from '../../reads/testConnection.ts';
import type { Sessions } from '../../session/session.ts';
import { type EndpointSetting, endpointsById, sourceId, toSource } from '../../session/source.ts';
import { byteOf } from '../../words/errorWords.ts';
import { listText, sentencesText } from '../../words/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import { lengthFault, withProgress } from '../ask.ts';
import { confirm, type Report, showInfo } from '../report.ts';
import { addEndpoints, type Settings, setBaseUrl } from '../settings.ts';

/**
 * Shows the last of some state files, and saves the readable ones as endpoints. Throws `InputError`, and shows nothing,
 * if one is not on this disk.
 */
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
      throw new InputError(vscode.l10n.t('The path {1} is too long. {0}.', fault, escapeForUi(path)));
  const endpoints = uris.map((uri) => ({ name: posix.basename(uri.path), url: uriId(uri) }));
  const last = endpoints.at(-1);
  if (!last) return;
  const opened = Promise.all(endpoints.map((endpoint) => canOpen(endpoint, sessions)));
  await setBaseUrl(last.url);
  const readable = await opened;
  await addEndpoints(settings, ...endpoints.filter((_, index) => readable[index]));
}

/** The message for a file that does not exist. */
export function noFileText({ fsPath }: vscode.Uri): string {
  return vscode.l10n.t('File not found: {0}', escapeForUi(fsPath));
}

/** Whether a state file can be read to its end. The reason of a failure is shown where the file is read. */
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

/** Asks for state files in the dialog of VS Code. Empty if the user cancels. */
export async function askStateFiles(options: vscode.OpenDialogOptions): Promise<vscode.Uri[]> {
  const filters = { [vscode.l10n.t('State files')]: ['json', 'gz'], [vscode.l10n.t('All files')]: ['*'] };
  return (await vscode.window.showOpenDialog({ filters, ...options })) ?? [];
}

/** Asks whether files may be opened that are not endpoints yet. Links and other extensions can run the command too. */
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

/** The id of a state file as a source. Throws `InputError` for a URI that is not on a disk of this machine. */
export function uriId(uri: vscode.Uri): string {
  if (uri.scheme !== 'file')
    throw new InputError(vscode.l10n.t('{0} is not on disk. Save it first.', escapeForUi(uri.toString())));
  return sourceId(uri.toString());
}

/**
 * Opens state files that were dropped onto a view. Afterwards throws `InputError` for files that could not be opened.
 */
export async function openDropped(active: ActiveSession, transfer: unknown): Promise<void> {
  if (!(transfer instanceof vscode.DataTransfer)) return;
  // Drags inside the editor carry a list of URIs. Files that are dragged into a desktop editor do too.
  const list = (await transfer.get('text/uri-list')?.asString()) ?? '';
  // RFC 2483: one URI a line, and comments begin with `#`.
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
    withoutPath && vscode.l10n.t('The browser hides the path of {0}. Use Open State File… instead.', withoutPath),
    elsewhere && vscode.l10n.t('Not on this machine: {0}.', elsewhere),
    others && vscode.l10n.t('Not a state file (.json or .json.gz): {0}.', others),
  ];
  const text = sentencesText(refused, vscode.l10n.t);
  if (text !== '') throw new InputError(text);
}

function namesOf(names: readonly string[]): string {
  return listText(
    names.map((name) => escapeForUi(name)),
    vscode.l10n.t,
  );
}

/** The time after which reading a file shows a notification with progress and Cancel. In milliseconds. */
const longReading = 1000;

/**
 * Shows the progress and the failure of a file that takes long to read. Offers to reload a file that changed on disk.
 */
export function showReading(file: ReadingFile, report: Report, reload: () => Promise<void> | undefined): void {
  const name = escapeForUi(file.name);
  const timer = setTimeout(() => {
    void withProgress(vscode.l10n.t('Reading {0}', name), async (signal, show) => {
      signal.addEventListener('abort', () => file.cancel());
      file.onProgress((bytes, size) => show(progressText(bytes, size), size > 0 ? (bytes / size) * 100 : 0));
      await file.ready.catch(() => undefined);
    });
  }, longReading);
  void file.ready.catch((error: unknown) => showUnreadable(file, report, error)).finally(() => clearTimeout(timer));
  file.onChanged(() => {
    void report.run(vscode.l10n.t('Could not reload {0}', name), async () => {
      const button = vscode.l10n.t('Reload');
      if ((await showInfo(vscode.l10n.t('{0} changed on disk.', name), button)) === button) await reload();
    });
  });
}

/** Names the file and the reason, with the ways to its place and to another file. */
function showUnreadable({ name, path }: ReadingFile, report: Report, error: unknown): void {
  const cause = reasonOf(error);
  const reason = (cause.charAt(0).toUpperCase() + cause.slice(1)).replace(/\.$/, '');
  const byte = byteOf(reason);
  const row = { kind: 'endpoint', sourceId: uriId(vscode.Uri.file(path)) };
  const ways = new Map<string, () => Thenable<unknown>>();
  if (byte !== undefined)
    ways.set(vscode.l10n.t('Open at Byte {0}', groupDigits(byte)), (): Promise<void> => openAtByte(path, byte));
  ways.set(vscode.l10n.t('Choose Another File…'), () =>
    vscode.commands.executeCommand('chainInspector.editEndpoint', row),
  );
  const text = vscode.l10n.t('Could not read {0}: {1}', escapeForUi(name), reason);
  report.reason(text, error, ways);
}

/** Bytes of the longest file that the editor opens with all that belongs to a text. */
const longestText = 50 * 1024 * 1024;

/** Opens a state file as text at a byte of it, or shows where it lies if it is packed or too large. Rejects if it is gone. */
export async function openAtByte(path: string, byte: number): Promise<void> {
  const uri = vscode.Uri.file(path);
  const file = await open(path, 'r');
  let head: Buffer;
  try {
    const { size } = await file.stat();
    head = Buffer.alloc(size > longestText ? 0 : Math.min(size, byte));
    await file.read(head, 0, head.length, 0);
  } finally {
    await file.close();
  }
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  if (isPacked || head.length < byte) return reveal(uri);
  const document = await vscode.workspace.openTextDocument(uri);
  // The editor does not count the mark at the beginning.
  const at = document.positionAt(head.toString().replace(/^\uFEFF/, '').length);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

/** By the system where the window is on its machine, else in the Explorer. */
async function reveal(uri: vscode.Uri): Promise<void> {
  const known = await vscode.commands.getCommands();
  const command = known.includes('revealFileInOS') ? 'revealFileInOS' : 'revealInExplorer';
  await vscode.commands.executeCommand(command, uri);
}

function progressText(bytes: number, size: number): string {
  const megabytes = (count: number): number => Math.round(count / 1_000_000);
  return vscode.l10n.t('{0} of {1} MB', megabytes(bytes), megabytes(size));
}
