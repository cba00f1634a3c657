import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.ts';
import { findChains } from '../../session/registry.ts';
import { type EndpointSetting, type Source, toSource } from '../../session/source.ts';
import type { ChainPreset, Presets } from '../../session/stored.ts';
import { identify } from '../../session/testConnection.ts';
import type { ActiveSession } from '../activeSession.ts';
import { answerOf, createPick, holdsText, type PickItem, section } from '../ask.ts';
import { plain } from '../plain.ts';
import { errorText, flash, reasonText } from '../report.ts';
import type { Settings } from '../settings.ts';
import { plural } from '../values.ts';
import type { CommandContext } from './command.ts';
import { openStateFiles } from './stateFiles.ts';

type EndpointContext = Pick<CommandContext, 'active' | 'sessions' | 'settings' | 'distPath'>;

/**
 * Adds a public chain, a node or a state file in one list, and shows it. A typed host, URL or path is its first item;
 * `typed` is the initial text.
 */
export async function addEndpoint(context: EndpointContext, typed = ''): Promise<void> {
  await askEndpoint(context, vscode.l10n.t('Add endpoint'), [], typed);
}

/** Shows another endpoint, the last used first; what is typed may also be added, as by `addEndpoint`. */
export async function switchEndpoint(context: EndpointContext): Promise<void> {
  await askEndpoint(context, vscode.l10n.t('Switch endpoint'), sourcesByUse(context.active, context.settings), '');
}

async function askEndpoint(context: EndpointContext, title: string, known: readonly Source[], typed: string) {
  const { loadPresets } = await import('../../session/stored.ts');
  const box = new EndpointBox(context, await loadPresets(context.distPath), known);
  const chosen = await box.ask(title, typed);
  await chosen?.();
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
/** Milliseconds for one address: public ones are often overloaded. */
const patience = 10_000;

/** What is done when the box has closed. */
type Choice = () => Promise<void>;

/** Accepting the item closes the box with `choice`, or tries `addresses` in their order. */
interface EndpointItem extends PickItem {
  readonly choice?: Choice;
  readonly addresses?: readonly EndpointSetting[];
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
  readonly #context: EndpointContext;
  readonly #presets: Presets;
  readonly #known: readonly Source[];
  readonly #box = createPick<EndpointItem>();
  readonly #steps: Step[] = [];
  #test = new AbortController();

  constructor(context: EndpointContext, presets: Presets, known: readonly Source[]) {
    this.#context = context;
    this.#presets = presets;
    this.#known = known;
  }

  /** Resolves with what was chosen; undefined when the user leaves. */
  async ask(title: string, typed: string): Promise<Choice | undefined> {
    const { pick, set } = this.#box;
    set({ placeHolder: vscode.l10n.t('A chain, its ID or token; a host, a URL or the path of a state file') });
    // The attribution is in the title, which stays while the user types.
    const whole = `${title} (${this.#presets.attribution})`;
    this.#open({ title: whole, typed, items: (text) => this.#firstItems(text.trim()) });
    const answer = answerOf<Choice>(pick, (resolve) => [
      pick.onDidChangeValue(() => this.#draw()),
      pick.onDidAccept(() => {
        const [item] = pick.activeItems;
        if (item?.choice) resolve(item.choice);
        else if (item?.addresses) void this.#tryAddresses(item.addresses, item.chain, resolve);
      }),
      pick.onDidTriggerItemButton(({ item }) => item.chain && this.#open(this.#providers(item.chain))),
      pick.onDidTriggerButton(() => this.#back()),
    ]);
    return answer.finally(() => this.#test.abort());
  }

  #open(step: Step): void {
    const [before] = this.#steps.slice(-1);
    if (before) before.typed = this.#box.pick.value;
    this.#steps.push(step);
    this.#show();
  }

  #back(): void {
    this.#test.abort();
    this.#steps.pop();
    this.#show();
  }

  #show(): void {
    const { pick } = this.#box;
    pick.buttons = this.#steps.length > 1 ? [vscode.QuickInputButtons.Back] : [];
    pick.busy = false;
    pick.ignoreFocusOut = this.#steps.length > 1;
    pick.value = this.#steps.at(-1)?.typed ?? '';
    this.#draw();
  }

  #draw(): void {
    const step = this.#steps.at(-1);
    if (!step) return;
    const { pick, set } = this.#box;
    const providers = {
      iconPath: new vscode.ThemeIcon('list-selection'),
      tooltip: vscode.l10n.t('Choose Another Provider'),
    };
    const items = step.items(pick.value).map((item) => {
      return item.chain && item.chain.rest.length > 1 ? { ...item, buttons: [providers] } : item;
    });
    set({ title: step.title, items });
  }

  #firstItems(typed: string): EndpointItem[] {
    const { settings } = this.#context;
    const { chains } = this.#presets;
    const known = this.#known.map((source): EndpointItem => {
      const id = source.kind === 'http' ? source.setting.chain : undefined;
      const chain = chains.find(({ chainId }) => chainId === id);
      return { ...sourceItem(source, settings), choice: () => settings.setBaseUrl(source.id), chain };
    });
    const local = { icon: 'server-process', label: vscode.l10n.t('Local node (port 1317)'), description: localNode };
    const fixed: EndpointItem[] = [
      { ...local, addresses: [{ name: '', url: localNode }] },
      { icon: 'file-code', label: vscode.l10n.t('State file…'), choice: () => openStateFiles(this.#context, []) },
    ];
    const isFound = (item: EndpointItem) => holdsText(item, typed);
    const found = typed !== '' || known.length === 0 ? findChains(this.#presets, typed) : [];
    return [
      ...this.#typedItems(typed),
      ...known.filter(isFound),
      ...section(vscode.l10n.t('Add endpoint'), fixed.filter(isFound)),
      ...section(vscode.l10n.t('Public chains'), found.map(chainItem)),
    ];
  }

  /** A host, a URL or a path, as far as a text is one. */
  #typedItems(typed: string): EndpointItem[] {
    if (/^(\/|~\/|file:\/\/|[a-z]:[\\/])/i.test(typed)) {
      const file = /^file:/i.test(typed)
        ? vscode.Uri.parse(typed)
        : vscode.Uri.file(typed.startsWith('~') ? join(homedir(), typed.slice(1)) : typed);
      const label = vscode.l10n.t('Open {0}', plain(file.fsPath));
      return [{ icon: 'file-code', label, choice: () => openStateFiles(this.#context, [file]) }];
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

  #providers(chain: ChainPreset): Step {
    const items = toEndpoints(chain).map((endpoint, index) => ({
      label: chain.rest[index]?.provider || new URL(endpoint.url).host,
      description: endpoint.url,
      addresses: [endpoint],
      chain,
    }));
    const title = vscode.l10n.t('Choose a provider of {0}', plain(chain.name));
    return { title, typed: '', items: (typed) => items.filter((item) => holdsText(item, typed.trim())) };
  }

  /** Asks the addresses in their order; the first that answers is added. Where none does, the reasons are shown. */
  async #tryAddresses(
    addresses: readonly EndpointSetting[],
    chain: ChainPreset | undefined,
    resolve: (choice: Choice) => void,
  ): Promise<void> {
    const [first] = addresses;
    if (!first) return;
    this.#test.abort();
    this.#test = new AbortController();
    const { signal } = this.#test;
    const failed: EndpointItem[] = [];
    let items: readonly EndpointItem[] = [];
    this.#open({ title: vscode.l10n.t('Testing {0}', plain(chain?.name ?? first.url)), typed: '', items: () => items });
    this.#box.pick.busy = true;
    for (const endpoint of addresses) {
      items = [{ icon: 'loading~spin', label: vscode.l10n.t('Asking {0}…', endpoint.url) }, ...failed];
      this.#draw();
      try {
        const chainId = await this.#ask(endpoint, chain, signal);
        return resolve(() => this.#save(endpoint, chainId, failed.length));
      } catch (error) {
        if (signal.aborted) return;
        failed.push({ icon: 'error', label: endpoint.url, detail: reasonText(error), addresses: [endpoint], chain });
      }
    }
    const untested = () => this.#save(first, first.chain);
    items = [
      { icon: 'debug-restart', label: vscode.l10n.t('Try Again'), addresses, chain },
      { icon: 'add', label: vscode.l10n.t('Add Anyway'), description: first.url, choice: untested },
      ...failed,
    ];
    this.#box.pick.busy = false;
    this.#draw();
  }

  /** The chain id that the node at an address states. Rejects where it is no node, or one of another chain than expected. */
  async #ask(
    endpoint: EndpointSetting,
    chain: ChainPreset | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { settings, sessions } = this.#context;
    const limit = AbortSignal.timeout(patience);
    const known = settings.endpoints.filter(({ url }) => url === endpoint.url);
    return sessions.use(toSource(endpoint.url, [...known, endpoint], ''), async (session) => {
      const chainId = await identify(await session.node(), AbortSignal.any([signal, limit])).catch((cause: unknown) => {
        if (!limit.aborted) throw cause;
        throw new Error(vscode.l10n.t('No answer within {0} s', patience / 1000), { cause });
      });
      signal.throwIfAborted();
      if (chain && chainId !== undefined && chainId !== chain.chainId)
        throw new Error(vscode.l10n.t('It is a node of {0}', plain(chainId)));
      return chainId ?? chain?.chainId;
    });
  }

  /**
   * Saves an endpoint under the id of its chain and shows it; what settings have of its address stays. `failed`: how many
   * addresses were asked in vain before; undefined for one that was not asked.
   */
  async #save(endpoint: EndpointSetting, chainId: string | undefined, failed?: number): Promise<void> {
    const { settings } = this.#context;
    const { host } = new URL(endpoint.url);
    const same = settings.endpoints.find(({ url }) => url === endpoint.url);
    const isTaken = settings.endpoints.some(({ name, url }) => name === chainId && url !== endpoint.url);
    const name = same?.name ?? (isTaken ? `${chainId} (${host})` : (chainId ?? host));
    await settings.addEndpoints({ ...same, ...endpoint, name });
    await settings.setBaseUrl(endpoint.url);
    if (failed === 0) flash(vscode.l10n.t('{0}: {1} answered', plain(name), host));
    else if (failed) flash(vscode.l10n.t('{0}: {1} answered, {2} before it did not', plain(name), host, failed));
  }
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
