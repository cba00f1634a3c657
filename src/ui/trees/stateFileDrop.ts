import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { failureWords } from '../commands/register.ts';
import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import type { Settings } from '../settings.ts';

/** Opens the state files that are dropped onto a view, each as Open State File… does; the last one is shown. */
export class StateFileDrop implements vscode.TreeDragAndDropController<unknown> {
  readonly dragMimeTypes = [];
  readonly dropMimeTypes = ['text/uri-list', 'files'];
  readonly #settings: Settings;
  readonly #report: Pick<Report, 'run'>;

  constructor(settings: Settings, report: Pick<Report, 'run'>) {
    this.#settings = settings;
    this.#report = report;
  }

  async handleDrop(_target: unknown, transfer: vscode.DataTransfer): Promise<void> {
    await this.#report.run(failureWords('openStateFile'), () => this.#open(transfer));
  }

  /** What cannot be opened is told after the rest was. */
  async #open(transfer: vscode.DataTransfer): Promise<void> {
    const dropped = await readDropped(transfer);
    const opened = dropped.uris.filter((uri) => uri.scheme === 'file' && isStateFile(uri));
    if (opened.length > 0) await (await import('../commands/endpoints.ts')).openStateFiles(this.#settings, opened);
    const faults = faultsOf(dropped);
    if (faults.length > 0) throw new InputError(faults.join('. '));
  }
}

interface Dropped {
  /** Each once, in the order in which they were dropped. */
  readonly uris: readonly vscode.Uri[];
  /** Names of files that came without their place. */
  readonly placeless: readonly string[];
}

/** The list is there for whatever the editor itself drags, and on a desktop for files of the system. */
async function readDropped(transfer: vscode.DataTransfer): Promise<Dropped> {
  const list = (await transfer.get('text/uri-list')?.asString()) ?? '';
  // RFC 2483: one on a line, comments begin with #.
  const lines = list.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const files = [...transfer].flatMap(([, item]) => item.asFile() ?? []);
  const uris = [...lines.map((line) => vscode.Uri.parse(line.trim())), ...files.flatMap(({ uri }) => uri ?? [])];
  return {
    uris: [...new Map(uris.map((uri) => [uri.toString(), uri])).values()],
    placeless: files.filter(({ uri }) => uri === undefined).map(({ name }) => name),
  };
}

function isStateFile({ path }: vscode.Uri): boolean {
  return /\.json(\.gz)?$/i.test(path);
}

function faultsOf({ uris, placeless }: Dropped): string[] {
  const elsewhere = uris.filter(({ scheme }) => scheme !== 'file').map((uri) => uri.toString(true));
  const others = uris.filter((uri) => uri.scheme === 'file' && !isStateFile(uri));
  const otherNames = others.map(({ path }) => path.split('/').findLast((part) => part !== '') ?? path);
  return [
    ...told(placeless, (names) =>
      vscode.l10n.t('A browser does not say where on disk its files lie ({0}): use Open State File… instead', names),
    ),
    ...told(elsewhere, (names) => vscode.l10n.t('Not on the disk of this machine: {0}', names)),
    ...told(otherNames, (names) => vscode.l10n.t('Not a state file, whose name ends in .json or .json.gz: {0}', names)),
  ];
}

/** One sentence for all of a kind; nothing where there is none. */
function told(names: readonly string[], sentence: (names: string) => string): string[] {
  return names.length === 0 ? [] : [sentence(names.map((name) => plain(name)).join(', '))];
}
