import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.ts';
import { findChains } from '../../session/registry.ts';
import { type EndpointSetting, type Source, toSource } from '../../session/source.ts';
import type { ChainPreset, Presets } from '../../session/stored.ts';
import { identify } from '../../session/testConnection.ts';
import type { ActiveSession } from '../activeSession.ts';
import { createPick, type LivePick, type PickItem } from '../ask.ts';
import { plain } from '../plain.ts';
import { errorText, flash, reasonText } from '../report.ts';
import type { Settings } from '../settings.ts';
import { plural } from '../values.ts';
import type { CommandContext } from './command.ts';
import { openStateFiles } from './stateFiles.ts';

export type EndpointContext = Pick<CommandContext, 'active' | 'sessions' | 'settings' | 'distPath'>;

/**
 * Adds a public chain, a node or a state file in one list, and shows it. A typed host, URL or path is its first item;
 * `typed` is the initial text.
 */
export async function addEndpoint(context: EndpointContext, typed = ''): Promise<void> {
  await new EndpointBox(context, { title: vscode.l10n.t('Add endpoint'), typed, known: [] }).done;
}

/** Shows another endpoint, the last used first; what is typed may also be added, as by `addEndpoint`. */
export async function switchEndpoint(context: EndpointContext): Promise<void> {
  const { active, settings } = context;
  const known = sourcesByUse(active, settings);
  await new EndpointBox(context, { title: vscode.l10n.t('Switch endpoint'), typed: '', known }).done;
}

/** The source that is shown, then the sample chain and the endpoints, the last used first. */
export function sourcesByUse(active: ActiveSession, settings: Settings): readonly Source[] {
  const used = [settings.source(settings.baseUrl).id, ...active.lastUsed];
  const rank = ({ id }: Source) => (used.includes(id) ? used.indexOf(id) : used.length);
  return settings.sources.toSorted((a, b) => rank(a) - rank(b));
}

/** A row for a source, marked where it is shown. */
export function sourceItem(source: Source, settings: Settings): PickItem {
  return {
    icon: source.id === settings.source(settings.baseUrl).id ? 'check' : undefined,
    label: source.name,
    description: source.id || vscode.l10n.t('Made-up state, works offline'),
  };
}

const localNode = 'http://127.0.0.1:1317';
/** Milliseconds for one address of several: public ones are often overloaded. */
const patience = 10_000;

/** What accepting the item does: nothing where it has none of these. */
interface EndpointItem extends PickItem {
  readonly source?: Source;
  /** Addresses that are tried in their order, the first that answers is added. */
  readonly addresses?: readonly EndpointSetting[];
  /** Is added without a test. */
  readonly untested?: EndpointSetting;
  readonly file?: vscode.Uri | 'ask';
  /** The chain whose providers the item's button offers. */
  readonly chain?: ChainPreset | undefined;
}

/** What the box asks at the moment. Back leads to the step before, with what was typed there. */
interface Step {
  readonly title: string;
  readonly items: (typed: string) => readonly EndpointItem[];
  typed: string;
}

class EndpointBox {
  /** Resolves when something was chosen and saved, or the user left. */
  readonly done: Promise<void>;
  readonly #context: EndpointContext;
  readonly #known: readonly Source[];
  readonly #pick: LivePick<EndpointItem>;
  readonly #set: ReturnType<typeof createPick<EndpointItem>>['set'];
  readonly #steps: Step[] = [];
  #presets: Presets | undefined;
  #test = new AbortController();

  constructor(context: EndpointContext, start: Omit<Step, 'items'> & { readonly known: readonly Source[] }) {
    this.#context = context;
    this.#known = start.known;
    const { pick, set } = createPick<EndpointItem>();
    this.#pick = pick;
    this.#set = set;
    set({ placeHolder: vscode.l10n.t('A chain, its ID or token; a host, a URL or the path of a state file') });
    this.#open({ ...start, items: (typed) => this.#firstItems(typed.trim()) });
    this.done = this.#run();
  }

  async #run(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const pick = this.#pick;
    const listeners = [
      pick.onDidChangeValue(() => this.#draw()),
      pick.onDidAccept(() => {
        const [item] = pick.activeItems;
        if (item) this.#accept(item).then((isDone) => (isDone ? resolve() : undefined), reject);
      }),
      pick.onDidTriggerItemButton(({ item }) => item.chain && this.#open(this.#providers(item.chain))),
      pick.onDidTriggerButton(() => this.#back()),
      pick.onDidHide(() => resolve()),
    ];
    pick.show();
    try {
      const { loadPresets } = await import('../../session/stored.ts');
      const presets = await loadPresets(this.#context.distPath);
      this.#presets = presets;
      // The attribution is in the title, which stays while the user types.
      const [first, ...others] = this.#steps;
      if (first) this.#steps.splice(0, 1, { ...first, title: `${first.title} (${presets.attribution})` });
      if (others.length === 0) this.#draw();
      await promise;
    } finally {
      this.#test.abort();
      for (const listener of listeners) listener.dispose();
      pick.dispose();
    }
  }

  /** Resolves with whether that was all; where it was not, the box shows the next step. */
  async #accept(item: EndpointItem): Promise<boolean> {
    const { settings, sessions } = this.#context;
    if (item.addresses) return this.#tryAddresses(item.addresses, item.chain);
    if (item.source) await settings.setBaseUrl(item.source.id);
    else if (item.untested) await this.#save(item.untested);
    else if (item.file) await openStateFiles({ settings, sessions }, item.file === 'ask' ? [] : [item.file]);
    else return false;
    return true;
  }

  #open(step: Step): void {
    const [before] = this.#steps.slice(-1);
    if (before) before.typed = this.#pick.value;
    this.#steps.push(step);
    this.#show();
  }

  #back(): void {
    this.#test.abort();
    this.#steps.pop();
    this.#show();
  }

  #show(): void {
    this.#pick.buttons = this.#steps.length > 1 ? [vscode.QuickInputButtons.Back] : [];
    this.#pick.busy = false;
    this.#pick.ignoreFocusOut = this.#steps.length > 1;
    this.#pick.value = this.#steps.at(-1)?.typed ?? '';
    this.#draw();
  }

  #draw(): void {
    const step = this.#steps.at(-1);
    if (!step) return;
    const items = step.items(this.#pick.value).map((item) => ({ ...item, ...providersButton(item), alwaysShow: true }));
    this.#set({ title: step.title, items });
  }

  #firstItems(typed: string): EndpointItem[] {
    const { settings } = this.#context;
    const presets = this.#presets;
    const known = this.#known.map((source) => {
      const id = source.kind === 'http' ? source.setting.chain : undefined;
      const chain = presets?.chains.find(({ chainId }) => chainId === id);
      return { ...sourceItem(source, settings), source, chain };
    });
    const label = vscode.l10n.t('Local node (port 1317)');
    const addresses = [{ name: '', url: localNode }];
    const fixed: EndpointItem[] = [
      { icon: 'server-process', label, description: localNode, addresses },
      { icon: 'file-code', label: vscode.l10n.t('State file…'), file: 'ask' },
    ];
    const chains = presets && (typed !== '' || known.length === 0) ? findChains(presets, typed).map(chainItem) : [];
    const isFound = (item: EndpointItem) => holds(item, typed);
    return [
      ...[...typedItems(typed), ...known.filter(isFound)],
      ...under(vscode.l10n.t('Add endpoint'), fixed.filter(isFound)),
      ...under(vscode.l10n.t('Public chains'), chains),
    ];
  }

  #providers(chain: ChainPreset): Step {
    const items = toEndpoints(chain).map((endpoint, index) => ({
      label: chain.rest[index]?.provider || new URL(endpoint.url).host,
      description: endpoint.url,
      addresses: [endpoint],
      chain,
    }));
    const title = vscode.l10n.t('Choose a provider of {0}', plain(chain.name));
    return { title, typed: '', items: (typed) => items.filter((item) => holds(item, typed)) };
  }

  /** Asks the addresses in their order until one answers, and adds that one. Where none does, the reasons are shown. */
  async #tryAddresses(addresses: readonly EndpointSetting[], chain: ChainPreset | undefined): Promise<boolean> {
    const [first] = addresses;
    if (!first) return false;
    this.#test.abort();
    this.#test = new AbortController();
    const { signal } = this.#test;
    const failed: EndpointItem[] = [];
    let items: readonly EndpointItem[] = [];
    this.#open({ title: vscode.l10n.t('Testing {0}', plain(chain?.name ?? first.url)), typed: '', items: () => items });
    this.#pick.busy = true;
    for (const endpoint of addresses) {
      items = [{ icon: 'loading~spin', label: vscode.l10n.t('Asking {0}…', endpoint.url) }, ...failed];
      this.#draw();
      try {
        const chainId = await this.#ask(endpoint, chain, signal, addresses.length > 1);
        if (signal.aborted) return false;
        const { host } = new URL(endpoint.url);
        const name = plain(await this.#save(endpoint, chainId));
        flash(
          failed.length === 0
            ? vscode.l10n.t('{0}: {1} answered', name, host)
            : vscode.l10n.t('{0}: {1} answered, {2} before it did not', name, host, failed.length),
        );
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        failed.push({ icon: 'error', label: endpoint.url, detail: reasonText(error), addresses: [endpoint], chain });
      }
    }
    items = [
      { icon: 'debug-restart', label: vscode.l10n.t('Try Again'), addresses, chain },
      { icon: 'add', label: vscode.l10n.t('Add Anyway'), description: first.url, untested: first },
      ...failed,
    ];
    this.#pick.busy = false;
    this.#draw();
    return false;
  }

  /** The chain id that the node at an address states. Rejects where it is no node, or one of another chain than expected. */
  async #ask(
    endpoint: EndpointSetting,
    chain: ChainPreset | undefined,
    signal: AbortSignal,
    isLimited: boolean,
  ): Promise<string | undefined> {
    const limit = isLimited ? AbortSignal.timeout(patience) : signal;
    const known = this.#context.settings.endpoints.filter(({ url }) => url === endpoint.url);
    const source = toSource(endpoint.url, [...known, endpoint], '');
    return this.#context.sessions.use(source, async (session) => {
      const chainId = await identify(await session.node(), AbortSignal.any([signal, limit])).catch((cause: unknown) => {
        if (!limit.aborted || signal.aborted) throw cause;
        throw new Error(vscode.l10n.t('No answer within {0} s', patience / 1000), { cause });
      });
      if (chain && chainId !== undefined && chainId !== chain.chainId)
        throw new Error(vscode.l10n.t('It is a node of {0}', plain(chainId)));
      return chainId ?? chain?.chainId;
    });
  }

  /** Saves an endpoint under the id of its chain and shows it; resolves with its name. What settings say of its address stays. */
  async #save(endpoint: EndpointSetting, chainId = endpoint.chain): Promise<string> {
    const { settings } = this.#context;
    const { host } = new URL(endpoint.url);
    const same = settings.endpoints.find(({ url }) => url === endpoint.url);
    const isTaken = settings.endpoints.some(({ name, url }) => name === chainId && url !== endpoint.url);
    const name = same?.name ?? (isTaken ? `${chainId} (${host})` : (chainId ?? host));
    await settings.addEndpoints({ ...same, ...endpoint, name });
    await settings.setBaseUrl(endpoint.url);
    return name;
  }
}

function under(label: string, items: readonly EndpointItem[]): readonly EndpointItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function holds({ label, description = '' }: PickItem, typed: string): boolean {
  return `${label} ${description}`.toLowerCase().includes(typed.trim().toLowerCase());
}

function providersButton({ chain }: EndpointItem): Pick<PickItem, 'buttons'> {
  if (!chain || chain.rest.length < 2) return {};
  const tooltip = vscode.l10n.t('Choose Another Provider');
  return { buttons: [{ iconPath: new vscode.ThemeIcon('list-selection'), tooltip }] };
}

function chainItem(chain: ChainPreset): EndpointItem {
  const { name, chainId, network, stakingTokens, rest } = chain;
  const tokens = stakingTokens.map(({ denom, symbol }) => symbol ?? denom);
  const providers = plural(rest.length, vscode.l10n.t('1 provider'), vscode.l10n.t('{0} providers', rest.length));
  return {
    icon: 'globe',
    label: name,
    description: [chainId, ...(network === 'mainnet' ? [] : [network]), ...tokens, providers].join(' · '),
    addresses: toEndpoints(chain),
    chain,
  };
}

function toEndpoints({ chainId, rest }: ChainPreset): readonly EndpointSetting[] {
  return rest.map(({ url }) => ({ name: chainId, url, segment: 'cosmos', chain: chainId }));
}

/** A host, a URL or a path, as far as a text is one. */
function typedItems(typed: string): EndpointItem[] {
  const path = /^(\/|~\/|file:\/\/|[a-z]:[\\/])/i.test(typed);
  if (path) {
    const file = /^file:/i.test(typed)
      ? vscode.Uri.parse(typed)
      : vscode.Uri.file(typed.startsWith('~') ? join(homedir(), typed.slice(1)) : typed);
    return [{ icon: 'file-code', label: vscode.l10n.t('Open {0}', plain(file.fsPath)), file }];
  }
  const isHost = /^(localhost|\[[\da-f:]+\]|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)|^[\w-]+:\d+(\/|$)/i.test(typed);
  if (!isHost && !/^https?:/i.test(typed)) return [];
  const isLocal = /^(localhost|127\.|\[::1\])|^[^/]*:1317(\/|$)/i.test(typed);
  try {
    const { href: url, segment } = parseBaseUrl(isHost ? `${isLocal ? 'http' : 'https'}://${typed}` : typed);
    const addresses = [{ name: '', url, ...(segment ? { segment } : {}) }];
    return [{ icon: 'link', label: vscode.l10n.t('Use {0}', plain(url)), addresses }];
  } catch (error) {
    return [{ icon: 'error', label: errorText(error) }];
  }
}
