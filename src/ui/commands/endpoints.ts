import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.ts';
import { InputError } from '../../api/errors.ts';
import { type ChainPreset, findChains, loadPresets, type Presets } from '../../session/registry.ts';
import { type EndpointSetting, sourceId } from '../../session/source.ts';
import { askText, type PickItem, pickOne, pickTyped } from '../ask.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';
import type { Settings } from '../settings.ts';

interface SourceItem extends PickItem {
  readonly url?: string;
  readonly add?: true;
}

/** The picker of sources; writes `chainInspector.baseUrl`, so it does what editing the setting does. */
export async function switchEndpoint(settings: Settings): Promise<void> {
  const add: SourceItem = { icon: 'add', label: vscode.l10n.t('Add Endpoint…'), alwaysShow: true, add: true };
  const items = [...sourceItems(settings, true), { label: '', kind: vscode.QuickPickItemKind.Separator }, add];
  const choice = await pickOne(items, {
    title: vscode.l10n.t('Switch endpoint'),
    placeHolder: vscode.l10n.t('Where to read chain state from'),
  });
  if (choice?.add) await vscode.commands.executeCommand('chainInspector.addEndpoint');
  else if (choice?.url !== undefined) await settings.setBaseUrl(choice.url);
}

/** Adds an endpoint from the registry, from a URL or from a state file, and shows it. `dir` holds the presets. */
export async function addEndpoint(settings: Settings, dir: string): Promise<void> {
  const ways = [
    {
      icon: 'globe',
      label: vscode.l10n.t('Pick a public chain'),
      detail: vscode.l10n.t('From the chain registry'),
      add: addPublicChain,
    },
    {
      icon: 'link',
      label: vscode.l10n.t('Enter a URL'),
      detail: vscode.l10n.t('Any REST endpoint of a Cosmos SDK chain'),
      add: addUrl,
    },
    {
      icon: 'file-code',
      label: vscode.l10n.t('Open a state file'),
      detail: vscode.l10n.t('A genesis or exported state, .json or .json.gz'),
      add: addFile,
    },
  ];
  const choice = await pickOne(ways, { title: vscode.l10n.t('Add endpoint') });
  await choice?.add(settings, dir);
}

async function addPublicChain(settings: Settings, dir: string): Promise<void> {
  const endpoint = await pickPublicChain(dir);
  if (endpoint) await keepAndShow(settings, endpoint);
}

/** Asks for a state file and shows it; `openStateFiles` does it for files that are known already. */
async function addFile(settings: Settings): Promise<void> {
  const filters = { [vscode.l10n.t('State files')]: ['json', 'gz'], [vscode.l10n.t('All files')]: ['*'] };
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open state file'),
    filters,
    canSelectMany: true,
  });
  if (chosen && chosen.length > 0) await openStateFiles(settings, chosen);
}

/**
 * Makes each state file an endpoint and shows the last; asks for one where none is given. Throws `InputError`, and opens
 * nothing, where one of them is not on this machine's disk.
 */
export async function openStateFiles(settings: Settings, uris: readonly vscode.Uri[]): Promise<void> {
  if (uris.length === 0) return addFile(settings);
  const endpoints = uris.map(fileEndpoint);
  await settings.addEndpoints(...endpoints);
  await settings.setBaseUrl(endpoints.at(-1)?.url ?? '');
}

function fileEndpoint(uri: vscode.Uri): EndpointSetting {
  if (uri.scheme !== 'file')
    throw new InputError(vscode.l10n.t('{0} is not a file on disk: save it first', plain(uri.toString())));
  return { name: uri.path.split('/').pop() || uri.path, url: sourceId(uri.toString()) };
}

async function keepAndShow(settings: Settings, endpoint: EndpointSetting): Promise<void> {
  await settings.addEndpoints(endpoint);
  await settings.setBaseUrl(endpoint.url);
}

/** Asks for a base URL and a name, keeps it and shows it. */
async function addUrl(settings: Settings): Promise<void> {
  const url = await askText({
    title: vscode.l10n.t('Add endpoint (1 of 2)'),
    prompt: vscode.l10n.t('Base URL of a REST endpoint'),
    placeHolder: 'https://rest.example.org',
    stays: true,
    fault: urlProblem,
  });
  if (url === undefined) return;
  const { href, segment } = parseBaseUrl(url);
  const name = await askText({
    title: vscode.l10n.t('Add endpoint (2 of 2)'),
    prompt: vscode.l10n.t('Name'),
    value: new URL(href).host,
    stays: true,
  });
  if (name === undefined) return;
  await keepAndShow(settings, { name: name.trim() || new URL(href).host, url: href, ...(segment ? { segment } : {}) });
}

/** Forgets an endpoint; the sample chain is shown if it was the active one. The rows are lost, the setting comes back with Undo. */
export async function removeEndpoint(settings: Settings): Promise<string | undefined> {
  const choice = await pickOne(sourceItems(settings, false), {
    title: vscode.l10n.t('Remove endpoint'),
    placeHolder: settings.endpoints.length > 0 ? undefined : vscode.l10n.t('No endpoint was added'),
  });
  const removed = settings.endpoints.find((endpoint) => endpoint.url === choice?.url);
  if (!removed) return undefined;
  const active = isSame(settings.baseUrl, removed.url);
  await settings.removeEndpoint(removed.url);
  if (active) await settings.setBaseUrl('');
  void offerUndo(settings, removed, active);
  return removed.url;
}

async function offerUndo(settings: Settings, removed: Settings['endpoints'][number], active: boolean): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const choice = await showInfo(vscode.l10n.t('Removed {0}', plain(removed.name)), undo);
  if (choice !== undo) return;
  await settings.addEndpoints(removed);
  if (active) await settings.setBaseUrl(removed.url);
}

function sourceItems(settings: Settings, sample: boolean): SourceItem[] {
  const current = settings.baseUrl;
  const mark = (url: string) => (isSame(current, url) ? 'check' : undefined);
  const listed = settings.endpoints.map((endpoint) => ({
    icon: mark(endpoint.url),
    label: plain(endpoint.name),
    description: endpoint.url,
    url: endpoint.url,
  }));
  if (!sample) return listed;
  const first: SourceItem = {
    icon: mark(''),
    label: vscode.l10n.t('Sample chain'),
    description: vscode.l10n.t('Made-up state, works offline'),
    url: '',
  };
  const known = current === '' || settings.endpoints.some((endpoint) => isSame(endpoint.url, current));
  const unlisted = known
    ? []
    : [{ icon: 'check', label: plain(current), description: vscode.l10n.t('From the settings'), url: current }];
  return [first, ...unlisted, ...listed];
}

function isSame(a: string, b: string): boolean {
  try {
    return sourceId(a) === sourceId(b);
  } catch {
    return a === b;
  }
}

function urlProblem(value: string): string | undefined {
  try {
    parseBaseUrl(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Picks a chain of the registry and one of its addresses; undefined when the user leaves. `dir` holds the presets. */
export async function pickPublicChain(dir: string): Promise<EndpointSetting | undefined> {
  const presets = await loadPresets(dir);
  const chain = await pickChain(presets);
  return chain && pickAddress(chain);
}

interface ChainItem extends PickItem {
  readonly chain: ChainPreset;
}

/** Searches by name, chain id, denom and symbol; the order of the search is kept. */
async function pickChain(presets: Presets): Promise<ChainPreset | undefined> {
  // The title stays while something is typed: whose data this is must stay, too.
  const title = vscode.l10n.t('Pick a public chain ({0})', presets.attribution);
  const placeHolder = vscode.l10n.t('Name, chain ID or denom');
  return (await pickTyped({ title, placeHolder }, (typed) => findChains(presets, typed).map(toItem)))?.chain;
}

function toItem(chain: ChainPreset): ChainItem {
  const tokens = chain.stakingTokens.map(({ denom, symbol }) => symbol ?? denom);
  const addresses =
    chain.rest.length === 1 ? vscode.l10n.t('1 address') : vscode.l10n.t('{0} addresses', chain.rest.length);
  return {
    label: chain.name,
    description: chain.network === 'mainnet' ? chain.chainId : `${chain.chainId} · ${chain.network}`,
    detail: [...tokens, addresses].join(' · '),
    alwaysShow: true,
    chain,
  };
}

async function pickAddress(chain: ChainPreset): Promise<EndpointSetting | undefined> {
  const items = chain.rest.map(({ url, provider }) => ({
    label: provider || new URL(url).host,
    description: url,
    url,
  }));
  const choice =
    items.length === 1
      ? items[0]
      : await pickOne(items, { title: vscode.l10n.t('Pick an address of {0}', plain(chain.name)) });
  if (!choice) return undefined;
  return { name: `${chain.name} (${choice.label})`, url: choice.url, segment: 'cosmos', chain: chain.chainId };
}
