import * as vscode from 'vscode';
import { member } from '../api/errors.ts';
import type { NetworkOptions } from '../api/transportTypes.ts';
import { type EndpointSetting, type Endpoints, endpointsById, type Source, toSource } from '../session/source.ts';
import type { NotificationLevel } from '../watch/watch.ts';
import type { Language } from '../words/language.ts';
import { heightText } from '../words/values.ts';

const section = 'chainInspector';

/** The user's settings, read when asked for; `onDidChange` fires whoever wrote them. */
export class Settings implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.ConfigurationChangeEvent>();
  readonly #listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration(section)) return;
    this.#known = undefined;
    this.#changed.fire(event);
  });
  #known: Endpoints | undefined;
  readonly onDidChange = this.#changed.event;

  /** What is shown: "" (the sample chain), a base URL or a `file:` URI. */
  get baseUrl(): string {
    const value = this.#get('baseUrl');
    return typeof value === 'string' ? value.trim() : '';
  }

  get endpoints(): readonly EndpointSetting[] {
    const value: unknown = this.#get('endpoints');
    return Array.isArray(value) ? value.flatMap(readEndpoint) : [];
  }

  /** The same by the ids of their sources. */
  get endpointsById(): Endpoints {
    this.#known ??= endpointsById(this.endpoints);
    return this.#known;
  }

  /** The source with this address, with the name and the options of its endpoint. */
  source(address: string): Source {
    const source = toSource(address, this.endpointsById, vscode.l10n.t('Sample chain'));
    if (source.kind !== 'http' || !source.at) return source;
    return { ...source, name: vscode.l10n.t('{0} at {1}', source.name, heightText(source.at, language())) };
  }

  /** What the user has chosen, each once: the sample chain, the endpoints, and what is shown. */
  get sources(): readonly Source[] {
    const addresses = ['', ...this.endpoints.map(({ url }) => url), this.baseUrl];
    return [...new Map(addresses.map((address) => this.source(address)).map((source) => [source.id, source])).values()];
  }

  /** Whether agents are offered the tools. */
  get agentTools(): boolean {
    return this.#get('agentTools') === true;
  }

  /** Rows of one page, 1 to 1000. */
  get pageSize(): number {
    return number('pageSize', 50, 1, 1000);
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  #get(key: string): unknown {
    return vscode.workspace.getConfiguration(section).get(key);
  }
}

function number(key: string, fallback: number, min: number, max: number): number {
  const value: unknown = vscode.workspace.getConfiguration(section).get(key);
  return Math.min(max, Math.max(min, Math.round(Number.isFinite(value) ? Number(value) : fallback)));
}

/** Milliseconds for one whole try of a request. */
export function requestTimeout(): number {
  return number('requestTimeout', 30, 1, 600) * 1000;
}

/** Milliseconds between polls of the watch list; 0 for none but those at deadlines. */
export function watchInterval(): number {
  return number('watchInterval', 5, 0, 1440) * 60_000;
}

/** What is shown of the news of the watch list. */
export function watchNotifications(): NotificationLevel {
  const level: unknown = vscode.workspace.getConfiguration(section).get('watchNotifications');
  return level === 'none' || level === 'statusBar' ? level : 'all';
}

/** Shows another source; written where the value that is in effect lives, else to the user's settings. */
export async function setBaseUrl(value: string): Promise<void> {
  await write('baseUrl', value);
}

/** In one write: what was just written may not be read yet. */
export async function addEndpoints({ endpoints }: Settings, ...added: readonly EndpointSetting[]): Promise<void> {
  const urls = new Set(added.map(({ url }) => url));
  await setEndpoints([...endpoints.filter(({ url }) => !urls.has(url)), ...added]);
}

/** Replaces all endpoints, in the place where they are written. */
export async function setEndpoints(endpoints: readonly EndpointSetting[]): Promise<void> {
  await write('endpoints', endpoints);
}

async function write(key: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(section);
  const { workspaceFolderValue, workspaceValue } = configuration.inspect(key) ?? {};
  const isInWorkspace = workspaceFolderValue !== undefined || workspaceValue !== undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await configuration.update(key, value, isInWorkspace ? Workspace : Global);
}

function readEndpoint(value: unknown): EndpointSetting[] {
  const names = ['name', 'url', 'segment', 'caFile', 'headerName', 'chain'] as const;
  const given = names.flatMap((name): [string, string][] => {
    const found = member(value, name);
    return typeof found === 'string' && found !== '' ? [[name, found]] : [];
  });
  const { url, ...options } = Object.fromEntries(given);
  return url === undefined ? [] : [{ name: url, url, ...options }];
}

/** The editor's own network settings and what the endpoint adds, as the transport takes them. */
export function networkOptions(endpoint: EndpointSetting | undefined): NetworkOptions {
  const http = vscode.workspace.getConfiguration('http');
  const noProxy: unknown = http.get('noProxy');
  const support = http.get<string>('proxySupport');
  const throughEditor = vscode.workspace.getConfiguration('chainInspector').get<boolean>('useEditorFetch') === true;
  return {
    proxy: http.get<string>('proxy') || undefined,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((entry) => typeof entry === 'string') : undefined,
    proxyStrictSSL: http.get<boolean>('proxyStrictSSL') ?? true,
    proxySupport: support === 'off' || support === 'on' || support === 'fallback' ? support : 'override',
    systemCertificates: http.get<boolean>('systemCertificates') ?? true,
    caFile: endpoint?.caFile,
    fetch: throughEditor ? globalThis.fetch : undefined,
  };
}

/** The language of the editor. */
export function language(): Language {
  return { t: vscode.l10n.t, locale: vscode.env.language };
}

/** Whether denoms, addresses and links in code are explained. */
export function showsCodeLinks(): boolean {
  return vscode.workspace.getConfiguration(section).get('codeLinks') === true;
}
