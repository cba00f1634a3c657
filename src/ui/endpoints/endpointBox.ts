import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.ts';
import { messageOf } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import { identify } from '../../reads/testConnection.ts';
import { findChains } from '../../session/registry.ts';
import { type EndpointSetting, endpointsById, type Source, toSource } from '../../session/source.ts';
import type { ChainPreset, Presets } from '../../session/stored.ts';
import { causeText, isOffline } from '../../words/errorWords.ts';
import { plural } from '../../words/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import {
  itemHasText,
  lengthFault,
  type PickItem,
  pickTyped,
  type ShowItems,
  type TypedQuestion,
  underHeading,
} from '../ask.ts';
import { flash } from '../report.ts';
import { addEndpoints, setBaseUrl } from '../settings.ts';
import { sourceItem, sourcesByUse } from './sourceItems.ts';
import { noFileText, openStateFiles } from './stateFiles.ts';

/** Adds a public chain, a node or a state file, and shows it. `typed` is the initial text. */
export async function addEndpoint(active: ActiveSession, distPath: string, typed = ''): Promise<void> {
  await askEndpoint(active, distPath, { title: vscode.l10n.t('Add endpoint'), known: [], typed });
}

/** Shows another endpoint. The last used ones come first. A typed address can also be added, as by `addEndpoint`. */
export async function switchEndpoint(active: ActiveSession, distPath: string): Promise<void> {
  await askEndpoint(active, distPath, {
    title: vscode.l10n.t('Switch endpoint'),
    known: sourcesByUse(active),
    typed: '',
  });
}

async function askEndpoint(
  active: ActiveSession,
  distPath: string,
  { title, known, typed }: { readonly title: string; readonly known: readonly Source[]; readonly typed: string },
): Promise<void> {
  const { loadPresets } = await import('../../session/stored.ts');
  const presets = await loadPresets(distPath);
  for (let value = typed; ; ) {
    const taken = await pickTyped<EndpointItem>({
      title,
      placeHolder: vscode.l10n.t('Chain (name, ID or token), host, URL or state file path'),
      value,
      find: (text) => firstItems(active, presets, known, text),
      isChoice,
      accept: acceptIn(active),
    });
    const chain = taken?.isButton ? taken.item.chain : undefined;
    if (!chain) return taken?.item.choice?.();
    const provider = await askProvider(active, chain);
    if (provider !== back) return provider?.choice?.();
    value = taken?.typed ?? '';
  }
}

const localNode = 'http://127.0.0.1:1317';
/** The time that an address has to answer, in milliseconds. Public nodes are often overloaded. */
const patience = 10_000;

/** An accepted item runs its `choice`, or tries its `addresses` in order. An item without either is information. */
interface EndpointItem extends PickItem {
  readonly choice?: () => Promise<void>;
  readonly addresses?: readonly EndpointSetting[];
  readonly chain?: ChainPreset | undefined;
}

const back: EndpointItem = { label: '' };

function isChoice({ choice, addresses }: EndpointItem): boolean {
  return choice !== undefined || addresses !== undefined;
}

/** Tries addresses while the box stays open. The box closes for every other item. */
function acceptIn(active: ActiveSession): TypedQuestion<EndpointItem>['accept'] {
  return async ({ item: { addresses }, isButton }, signal, show) =>
    isButton || addresses === undefined || tryAddresses(active, addresses, signal, show);
}

function firstItems(active: ActiveSession, presets: Presets, known: readonly Source[], typed: string): PickItem[] {
  const sources = known.map((source): EndpointItem => {
    const id = source.kind === 'http' ? source.setting.chain : undefined;
    const chain = presets.chains.find(({ chainId }) => chainId === id);
    const buttons = chain && providersButton(chain);
    const item = sourceItem(source, active.settings);
    return { ...item, icon: item.icon ?? 'blank', choice: () => setBaseUrl(source.id), chain, buttons };
  });
  const local = { icon: 'server-process', label: vscode.l10n.t('Local node (port 1317)'), description: localNode };
  const fixed: EndpointItem[] = [
    { ...local, addresses: [{ name: '', url: localNode }] },
    { icon: 'file-code', label: vscode.l10n.t('State file…'), choice: () => openStateFiles(active, []) },
  ];
  const isFound = (item: EndpointItem): boolean => itemHasText(item, typed);
  const chains = typed !== '' || known.length === 0 ? findChains(presets, typed) : [];
  const items: PickItem[] = [
    ...typedItems(active, typed),
    ...sources.filter(isFound),
    ...underHeading(vscode.l10n.t('Add endpoint'), fixed.filter(isFound)),
    ...underHeading(vscode.l10n.t('Public chains'), chains.map(chainItem)),
  ];
  if (items.length === 0) items.push({ icon: 'error', label: noKindText(typed) });
  return [...items, searchedItem(presets)];
}

/** Says why a text cannot be added. */
function noKindText(typed: string): string {
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(typed)?.[1];
  if (scheme !== undefined)
    return vscode.l10n.t('{0} is not supported. Start the address with https:// or http://', scheme);
  if (/[\\/]/.test(typed)) return vscode.l10n.t('Not a host or a full path. Paths start with / or ~');
  return vscode.l10n.t('No matching chain. A host must contain a dot or a port. A path must start with / or ~');
}

/** Names the list that is searched, and the source of its data. */
function searchedItem({ chains, attribution }: Presets): EndpointItem {
  const label = vscode.l10n.t('Type to search {0} public chains', chains.length);
  return { icon: 'search', label, detail: vscode.l10n.t('Chain data: Cosmos chain registry ({0})', attribution) };
}

function typedItems(active: ActiveSession, typed: string): EndpointItem[] {
  if (/^(\/|~\/|file:\/\/|[a-z]:[\\/])/i.test(typed)) {
    const file = /^file:/i.test(typed)
      ? vscode.Uri.parse(typed)
      : vscode.Uri.file(typed.startsWith('~') ? join(homedir(), typed.slice(1)) : typed);
    if (!existsSync(file.fsPath)) return [{ icon: 'error', label: noFileText(file) }];
    const label = vscode.l10n.t('Open {0}', escapeForUi(file.fsPath));
    return [{ icon: 'file-code', label, choice: () => openStateFiles(active, [file]) }];
  }
  const isHost = /^(localhost|\[[\da-f:]+\]|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)|^[\w-]+:\d+(\/|$)/i.test(typed);
  if (!isHost && !/^https?:/i.test(typed)) return [];
  const tooLong = lengthFault(typed);
  if (tooLong !== undefined) return [{ icon: 'error', label: tooLong }];
  const isLocal = /^(localhost|127\.|\[::1\])|^[^/]*:1317(\/|$)/i.test(typed);
  try {
    const { href: url, segment } = parseBaseUrl(isHost ? `${isLocal ? 'http' : 'https'}://${typed}` : typed);
    const addresses = [{ name: '', url, ...(segment ? { segment } : {}) }];
    return [{ icon: 'link', label: vscode.l10n.t('Use {0}', escapeForUi(url)), addresses }];
  } catch (error) {
    return [{ icon: 'error', label: messageOf(error) }];
  }
}

async function askProvider(active: ActiveSession, chain: ChainPreset): Promise<EndpointItem | undefined> {
  const items = toEndpoints(chain).map((endpoint, index) => ({
    label: chain.rest[index]?.provider || new URL(endpoint.url).host,
    description: endpoint.url,
    addresses: [endpoint],
  }));
  const title = vscode.l10n.t('Choose a provider for {0}', escapeForUi(chain.name));
  const find = (typed: string): readonly EndpointItem[] => items.filter((item): boolean => itemHasText(item, typed));
  return (await pickTyped<EndpointItem>({ title, find, isChoice, back, accept: acceptIn(active) }))?.item;
}

/**
 * Adds the first address that answers, and resolves with true. Otherwise offers other ways with the reasons, and
 * resolves with false.
 */
async function tryAddresses(
  active: ActiveSession,
  addresses: readonly EndpointSetting[],
  signal: AbortSignal,
  show: ShowItems<EndpointItem>,
): Promise<boolean> {
  const [first] = addresses;
  if (!first) return true;
  const failed: EndpointItem[] = [];
  const errors: unknown[] = [];
  const tested = escapeForUi(first.name || first.url);
  for (const [index, endpoint] of addresses.entries()) {
    const description = vscode.l10n.t('{0} of {1}', index + 1, addresses.length);
    const testing = { icon: 'loading~spin', label: endpoint.url, description };
    show([testing, ...failed], vscode.l10n.t('Testing {0} (Escape to cancel)', tested));
    try {
      const chainId = await askChainId(active, endpoint, signal);
      signal.throwIfAborted();
      await addTested(active, endpoint, chainId, failed.length);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      errors.push(error);
      // The label without the typed text, since VS Code would rank a row with it first.
      failed.push({
        icon: 'error',
        label: causeText(error, vscode.l10n.t),
        detail: endpoint.url,
        addresses: [endpoint],
      });
    }
  }
  const choice = async (): Promise<undefined> => void (await save(active, first, first.chain));
  const again = { icon: 'debug-restart', label: vscode.l10n.t('Try Again'), addresses };
  const anyway = { icon: 'add', label: vscode.l10n.t('Add Anyway'), description: first.url, choice };
  const offline = vscode.l10n.t('Offline: none of the {0} addresses responded', addresses.length);
  const causes = isOffline(errors) ? [{ icon: 'debug-disconnect', label: offline }] : failed;
  show([again, anyway, ...causes], vscode.l10n.t('{0} was not added', tested));
  return false;
}

async function addTested(
  active: ActiveSession,
  endpoint: EndpointSetting,
  chainId: string | undefined,
  failed: number,
): Promise<void> {
  const name = escapeForUi(await save(active, endpoint, chainId));
  const { host } = new URL(endpoint.url);
  flash(
    failed === 0
      ? vscode.l10n.t('{0}: {1} responded', name, host)
      : vscode.l10n.t('{0}: {1} responded ({2} others did not)', name, host, failed),
  );
}

/** The chain id that a node states. Rejects if the address is no node, or has another chain than expected. */
function askChainId(
  { settings, sessions }: ActiveSession,
  endpoint: EndpointSetting,
  signal: AbortSignal,
): Promise<string | undefined> {
  const limit = AbortSignal.timeout(patience);
  const known = settings.endpoints.filter(({ url }) => url === endpoint.url);
  return sessions.use(toSource(endpoint.url, endpointsById([...known, endpoint]), ''), async (session) => {
    const chainId = await identify(await session.node(), AbortSignal.any([signal, limit])).catch((cause: unknown) => {
      if (!limit.aborted) throw cause;
      throw new Error(vscode.l10n.t('No response within {0} s', patience / 1000), { cause });
    });
    if (endpoint.chain !== undefined && chainId !== undefined && chainId !== endpoint.chain)
      throw new Error(vscode.l10n.t('This node serves {0}', escapeForUi(chainId)));
    return chainId ?? endpoint.chain;
  });
}

async function save(
  { settings }: ActiveSession,
  endpoint: EndpointSetting,
  chainId: string | undefined,
): Promise<string> {
  const { host } = new URL(endpoint.url);
  const same = settings.endpoints.find(({ url }) => url === endpoint.url);
  const isTaken = settings.endpoints.some(({ name, url }) => name === chainId && url !== endpoint.url);
  const name = same?.name ?? (isTaken ? `${chainId} (${host})` : (chainId ?? host));
  await addEndpoints(settings, { ...same, ...endpoint, name });
  await setBaseUrl(endpoint.url);
  return name;
}

function providersButton({ rest }: ChainPreset): vscode.QuickInputButton[] {
  const iconPath = new vscode.ThemeIcon('list-selection');
  return rest.length < 2 ? [] : [{ iconPath, tooltip: vscode.l10n.t('Choose Another Provider') }];
}

function chainItem(chain: ChainPreset): EndpointItem {
  const { name, chainId, stakingTokens, rest } = chain;
  const tokens = stakingTokens.map(({ denom, symbol }) => symbol ?? denom);
  const providers = plural(rest.length, vscode.l10n.t('1 provider'), vscode.l10n.t('{0} providers', rest.length));
  return {
    icon: 'globe',
    label: name,
    description: [chainId, ...kindOf(chain), ...tokens, providers].join(' · '),
    addresses: toEndpoints(chain),
    chain,
    buttons: providersButton(chain),
  };
}

/** The words that tell a chain from a mainnet in use. */
function kindOf({ network, isDeprecated }: ChainPreset): readonly string[] {
  const networks = { mainnet: [], testnet: [vscode.l10n.t('testnet')], devnet: [vscode.l10n.t('devnet')] };
  return [...networks[network], ...(isDeprecated ? [vscode.l10n.t('deprecated')] : [])];
}

function toEndpoints({ chainId, rest }: ChainPreset): readonly EndpointSetting[] {
  return rest.map(({ url }) => ({ name: chainId, url, segment: 'cosmos', chain: chainId }));
}
