import * as vscode from 'vscode';
import { type Source, toSource } from '../../session/source.ts';
import { type PickItem, pickOne } from '../ask.ts';
import { askStateFiles, uriId } from '../commands/stateFiles.ts';
import { plain } from '../plain.ts';
import type { Settings } from '../settings.ts';

interface SourceItem extends PickItem {
  readonly source?: Source;
  readonly file?: true;
}

/** Two sources; `left` is what the other one is compared with. */
export interface SourcePair {
  readonly left: Source;
  readonly right: Source;
}

/**
 * Asks for what to compare: nothing for two files, the other side for one, else both, the one that is shown in the views
 * first. Undefined when the user leaves. Throws `InputError` for a file that is not on this machine's disk.
 */
export async function pickSources(
  settings: Settings,
  shown: Source,
  files: readonly vscode.Uri[],
): Promise<SourcePair | undefined> {
  const [first, second] = files.map((uri) => fileSource(settings, uri));
  if (first && second) return { left: first, right: second };
  const left = first ?? (await pick(settings, shown, undefined));
  if (!left) return undefined;
  const right = await pick(settings, shown, left);
  return right && { left, right };
}

async function pick(settings: Settings, shown: Source, left: Source | undefined): Promise<Source | undefined> {
  const file: SourceItem = { icon: 'file-code', label: vscode.l10n.t('State file…'), alwaysShow: true, file: true };
  const sources = knownSources(settings, shown).filter((source) => source.id !== left?.id);
  const items = [
    ...sources.map((source) => sourceItem(source, shown)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    file,
  ];
  const choice = await pickOne<SourceItem>(items, {
    title: left ? vscode.l10n.t('Compare {0} with', plain(left.name)) : vscode.l10n.t('Compare (1 of 2)'),
    placeHolder: left ? vscode.l10n.t('What stands on the right side') : vscode.l10n.t('What stands on the left side'),
  });
  return choice?.file ? askFile(settings) : choice?.source;
}

/** The source of the views, the sample chain, and the endpoints, each once; an address that cannot be read is left out. */
function knownSources(settings: Settings, shown: Source): Source[] {
  const { endpoints } = settings;
  const sampleName = vscode.l10n.t('Sample chain');
  const all = [shown, ...['', ...endpoints.map(({ url }) => url)].map((url) => toSource(url, endpoints, sampleName))];
  const byId = new Map(all.filter(({ kind }) => kind !== 'invalid').map((source) => [source.id, source]));
  return [...byId.values()];
}

function sourceItem(source: Source, shown: Source): SourceItem {
  const where = source.kind === 'sample' ? vscode.l10n.t('Made-up state, works offline') : source.id;
  const isShown = source.id === shown.id;
  return {
    icon: isShown ? 'check' : undefined,
    label: plain(source.name),
    description: where,
    source,
  };
}

async function askFile(settings: Settings): Promise<Source | undefined> {
  const title = vscode.l10n.t('Compare with a state file');
  const [uri] = await askStateFiles({ title, openLabel: vscode.l10n.t('Compare'), many: false });
  return uri && fileSource(settings, uri);
}

function fileSource(settings: Settings, uri: vscode.Uri): Source {
  return toSource(uriId(uri), settings.endpoints, vscode.l10n.t('Sample chain'));
}
