import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.ts';
import { InputError } from '../../api/errors.ts';
import { findChains } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import type { EndpointSetting, Source } from '../../session/source.ts';
import type { ChainPreset, Presets } from '../../session/stored.ts';
import { reportText, testConnection } from '../../session/testConnection.ts';
import { askText, type PickItem, pickOne, pickTyped, withProgress } from '../ask.ts';
import type { Documents } from '../documents.ts';
import type { Credentials } from '../network.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';
import type { Settings } from '../settings.ts';
import { openStateFiles } from './stateFiles.ts';

export interface SourceItem extends PickItem {
  readonly source?: Source;
}

/** The source that is shown, marked, then the sample chain and the endpoints. */
export function sourceItems(settings: Settings, shown: Source): SourceItem[] {
  const known = ['', ...settings.endpoints.map(({ url }) => url)].map((url) => settings.source(url));
  const sources = new Map([shown, ...known].map((source) => [source.id, source]));
  return [...sources.values()].map((source) => ({
    icon: source.id === shown.id ? 'check' : undefined,
    label: source.name,
    description: source.id || vscode.l10n.t('Made-up state, works offline'),
    source,
  }));
}

/** Asks for a source and shows it, by writing `chainInspector.baseUrl`. `dir` holds the presets. */
export async function switchEndpoint(settings: Settings, dir: string): Promise<void> {
  const items = sourceItems(settings, settings.source(settings.baseUrl));
  items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
  items.push({ icon: 'add', label: vscode.l10n.t('Add Endpoint…'), alwaysShow: true });
  const choice = await pickOne(items, {
    title: vscode.l10n.t('Switch endpoint'),
    placeHolder: vscode.l10n.t('Where to read chain state from'),
  });
  if (choice?.source) await settings.setBaseUrl(choice.source.id);
  else if (choice) await addEndpoint(settings, dir);
}

/** Adds an endpoint from the chain registry, from a URL or from a state file, and shows it. `dir` holds the presets. */
export async function addEndpoint(settings: Settings, dir: string): Promise<void> {
  const ways = [
    {
      icon: 'globe',
      label: vscode.l10n.t('Pick a public chain'),
      detail: vscode.l10n.t('From the chain registry'),
      ask: () => askPublicChain(dir),
    },
    {
      icon: 'link',
      label: vscode.l10n.t('Enter a URL'),
      detail: vscode.l10n.t('Any REST endpoint of a Cosmos SDK chain'),
      ask: askUrl,
    },
    {
      icon: 'file-code',
      label: vscode.l10n.t('Open a state file'),
      detail: vscode.l10n.t('A genesis or exported state, .json or .json.gz'),
    },
  ];
  const way = await pickOne<PickItem & { ask?: () => Promise<EndpointSetting | undefined> }>(ways, {
    title: vscode.l10n.t('Add endpoint'),
  });
  if (way && !way.ask) return openStateFiles(settings, []);
  const endpoint = await way?.ask?.();
  if (!endpoint) return;
  await settings.addEndpoints(endpoint);
  await settings.setBaseUrl(endpoint.url);
}

async function askUrl(): Promise<EndpointSetting | undefined> {
  const typed = await askText({
    title: vscode.l10n.t('Add endpoint (1 of 2)'),
    prompt: vscode.l10n.t('Base URL of a REST endpoint'),
    placeHolder: 'https://rest.example.org',
    stays: true,
    fault: urlFault,
  });
  if (typed === undefined) return undefined;
  const { href: url, segment } = parseBaseUrl(typed);
  const { host } = new URL(url);
  const name = await askText({
    title: vscode.l10n.t('Add endpoint (2 of 2)'),
    prompt: vscode.l10n.t('Name'),
    value: host,
    stays: true,
  });
  if (name === undefined) return undefined;
  return { name: name.trim() || host, url, ...(segment ? { segment } : {}) };
}

function urlFault(value: string): string | undefined {
  try {
    parseBaseUrl(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function askPublicChain(dir: string): Promise<EndpointSetting | undefined> {
  const { loadPresets } = await import('../../session/stored.ts');
  const presets = await loadPresets(dir);
  const chain = await pickChain(presets);
  return chain && pickAddress(chain);
}

/** Searches by name, chain id, denom and symbol; keeps the order of the search. */
async function pickChain(presets: Presets): Promise<ChainPreset | undefined> {
  // The attribution is in the title, which stays while the user types.
  const title = vscode.l10n.t('Pick a public chain ({0})', presets.attribution);
  const placeHolder = vscode.l10n.t('Name, chain ID or denom');
  const find = (typed: string) => findChains(presets, typed).map((chain) => ({ ...chainItem(chain), chain }));
  return (await pickTyped({ title, placeHolder }, find))?.chain;
}

function chainItem({ name, chainId, network, stakingTokens, rest }: ChainPreset): PickItem {
  const tokens = stakingTokens.map(({ denom, symbol }) => symbol ?? denom);
  const addresses = rest.length === 1 ? vscode.l10n.t('1 address') : vscode.l10n.t('{0} addresses', rest.length);
  return {
    label: name,
    description: network === 'mainnet' ? chainId : `${chainId} · ${network}`,
    detail: [...tokens, addresses].join(' · '),
    alwaysShow: true,
  };
}

async function pickAddress({ name, chainId, rest }: ChainPreset): Promise<EndpointSetting | undefined> {
  const items = rest.map(({ url, provider }) => ({ label: provider || new URL(url).host, description: url, url }));
  const title = vscode.l10n.t('Pick an address of {0}', plain(name));
  const choice = items.length === 1 ? items[0] : await pickOne(items, { title });
  return choice && { name: `${name} (${choice.label})`, url: choice.url, segment: 'cosmos', chain: chainId };
}

/**
 * Removes an endpoint and offers Undo; the sample chain is shown instead where it was the active one. `forget` drops what
 * is stored beside the setting.
 */
export async function removeEndpoint(settings: Settings, forget: (url: string) => Promise<void>): Promise<void> {
  const shown = settings.source(settings.baseUrl);
  const items = settings.endpoints.map((endpoint) => {
    const icon = settings.source(endpoint.url).id === shown.id ? 'check' : undefined;
    return { icon, label: endpoint.name, description: endpoint.url, endpoint };
  });
  const choice = await pickOne(items, {
    title: vscode.l10n.t('Remove endpoint'),
    placeHolder: items.length > 0 ? undefined : vscode.l10n.t('There are no endpoints to remove'),
  });
  if (!choice) return;
  const { endpoint: removed, icon } = choice;
  const wasShown = icon !== undefined;
  await settings.removeEndpoint(removed.url);
  if (wasShown) await settings.setBaseUrl('');
  void offerUndo(settings, removed, wasShown);
  await forget(removed.url);
}

async function offerUndo(settings: Settings, removed: EndpointSetting, wasShown: boolean): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  if ((await showInfo(vscode.l10n.t('Removed {0}', plain(removed.name)), undo)) !== undo) return;
  await settings.addEndpoints(removed);
  if (wasShown) await settings.setBaseUrl(removed.url);
}

/** Asks for a header and its value, and keeps them in secret storage for the origin of the endpoint that is shown. */
export async function setHeader({ source }: Session, credentials: Credentials): Promise<void> {
  const { setting } = httpSource(source);
  const { url } = setting;
  const { origin } = new URL(url);
  const name = await askText({
    title: vscode.l10n.t('Set header for {0} (1 of 2)', origin),
    prompt: vscode.l10n.t('Name of the header that carries the credential'),
    value: setting.headerName ?? 'x-api-key',
    stays: true,
    fault: (text) =>
      /^[\w-]+$/.test(text.trim()) ? undefined : vscode.l10n.t('A header name has letters, digits and -'),
  });
  if (name === undefined) return;
  const value = await askText({
    title: vscode.l10n.t('Set header for {0} (2 of 2)', origin),
    prompt: vscode.l10n.t('Value; kept in secret storage and sent to {0} only', origin),
    password: true,
    stays: true,
    fault: (text) =>
      /^[\t\x20-\x7e]+$/.test(text) ? undefined : vscode.l10n.t('A header value is plain text on one line'),
  });
  if (value === undefined) return;
  await credentials.set(url, { name: name.trim().toLowerCase(), value });
  void showInfo(vscode.l10n.t('The header {0} is sent to {1} from now on', plain(name.trim()), origin));
}

/** Forgets the credential header of the endpoint that is shown. */
export async function forgetHeader({ source }: Session, credentials: Credentials): Promise<void> {
  const { url } = httpSource(source).setting;
  await credentials.forget(url);
  void showInfo(vscode.l10n.t('No header is kept for {0} any more', new URL(url).origin));
}

function httpSource(source: Session['source']) {
  if (source.kind === 'http') return source;
  throw new InputError(
    vscode.l10n.t('{0} takes no header: switch to the endpoint that needs one first', plain(source.name)),
  );
}

/** What Test Connection… needs beside the session; `extension` is name and version of extension and editor. */
export interface ConnectionContext {
  readonly credentials: Credentials;
  readonly documents: Documents;
  readonly extension: string;
}

/** Asks each operation of the endpoint that is shown once, and opens the findings as text for a bug report. */
export async function showConnection(session: Session, context: ConnectionContext): Promise<void> {
  const { source } = session;
  const title = vscode.l10n.t('Testing the connection to {0}', plain(source.name));
  const text = await withProgress(title, async (signal) => {
    const node = await session.node();
    const credential = source.kind === 'http' ? await context.credentials.get(source.setting.url) : undefined;
    const found = await testConnection(node, signal);
    return reportText(found, { source, node, credential, notices: session.notices, extension: context.extension });
  });
  await context.documents.show('connection.txt', text);
}
