import * as vscode from 'vscode';
import type { NetworkOptions } from '../api/transport/transportTypes.ts';
import { readMember } from '../chain/fields.ts';
import { type EndpointSetting, type Endpoints, endpointsById, type Source, toSource } from '../session/source.ts';
import type { NotificationLevel } from '../watch/watch.ts';
import type { Language } from '../words/language.ts';
import { heightText } from '../words/values.ts';

const settingsSection = 'chainInspector';

/** The sources in the settings, read on demand. `onDidChange` fires for every change of any setting, whoever wrote it. */
export class Settings implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.ConfigurationChangeEvent>();
  readonly #listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration(settingsSection)) return;
    this.#known = undefined;
    this.#changed.fire(event);
  });
  #known: Endpoints | undefined;
  readonly onDidChange = this.#changed.event;

  /** The shown source: "" (the sample chain), a base URL, or a `file:` URI. */
  get baseUrl(): string {
    const value = read('baseUrl');
    return typeof value === 'string' ? value.trim() : '';
  }

  get endpoints(): readonly EndpointSetting[] {
    const value = read('endpoints');
    return Array.isArray(value) ? value.flatMap(readEndpoint) : [];
  }

  /** The endpoints by the ids of their sources. */
  get endpointsById(): Endpoints {
    this.#known ??= endpointsById(this.endpoints);
    return this.#known;
  }

  /** The source of an address, with the name and options of its endpoint. */
  source(address: string): Source {
    const source = toSource(address, this.endpointsById, vscode.l10n.t('Sample chain'));
    if (source.kind !== 'http' || !source.at) return source;
    return { ...source, name: vscode.l10n.t('{0} at {1}', source.name, heightText(source.at, language())) };
  }

  /** All sources of the user, each once: the sample chain, the endpoints, and the shown source. */
  get sources(): readonly Source[] {
    const addresses = ['', ...this.endpoints.map(({ url }) => url), this.baseUrl];
    return [...new Map(addresses.map((address) => this.source(address)).map((source) => [source.id, source])).values()];
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}

function read(key: string): unknown {
  return vscode.workspace.getConfiguration(settingsSection).get(key);
}

/** Whether the tools are offered to agents. */
export function offersTools(): boolean {
  return read('agentTools') === true;
}

/** Whether denoms, addresses and links in code are explained. */
export function showsCodeLinks(): boolean {
  return read('codeLinks') === true;
}

function readNumber(key: string, fallback: number, min: number, max: number): number {
  const value = read(key);
  return Math.min(max, Math.max(min, Math.round(Number.isFinite(value) ? Number(value) : fallback)));
}

/** The rows of a page, 1 to 1000. */
export function pageSize(): number {
  return readNumber('pageSize', 50, 1, 1000);
}

/** The time for one try of a request, in milliseconds. */
export function requestTimeout(): number {
  return readNumber('requestTimeout', 30, 1, 600) * 1000;
}

/** The time between polls of the watch list, in milliseconds. With 0, it only polls at deadlines. */
export function watchInterval(): number {
  return readNumber('watchInterval', 5, 0, 1440) * 60_000;
}

/** The news of the watch list that are shown. */
export function watchNotifications(): NotificationLevel {
  const level = read('watchNotifications');
  return level === 'none' || level === 'statusBar' ? level : 'all';
}

/** Shows another source. The setting is written where its effective value is, otherwise to the user's settings. */
export async function setBaseUrl(value: string): Promise<void> {
  await write('baseUrl', value);
}

/** Adds endpoints in one write, since a setting may not be readable right after a write. */
export async function addEndpoints({ endpoints }: Settings, ...added: readonly EndpointSetting[]): Promise<void> {
  const urls = new Set(added.map(({ url }) => url));
  await setEndpoints([...endpoints.filter(({ url }) => !urls.has(url)), ...added]);
}

/** Replaces all endpoints, where the setting is written. */
export async function setEndpoints(endpoints: readonly EndpointSetting[]): Promise<void> {
  await write('endpoints', endpoints);
}

async function write(key: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const { workspaceFolderValue, workspaceValue } = configuration.inspect(key) ?? {};
  const isInWorkspace = workspaceFolderValue !== undefined || workspaceValue !== undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await configuration.update(key, value, isInWorkspace ? Workspace : Global);
}

function readEndpoint(value: unknown): EndpointSetting[] {
  const names = ['name', 'url', 'segment', 'caFile', 'headerName', 'chain'] as const;
  const given = names.flatMap((name): [string, string][] => {
    const found = readMember(value, name);
    return typeof found === 'string' && found !== '' ? [[name, found]] : [];
  });
  const { url, ...options } = Object.fromEntries(given);
  return url === undefined ? [] : [{ name: url, url, ...options }];
}

/** Network options for the transport: the settings of VS Code, and those of the endpoint, if it is one. */
export function networkOptions(endpoint?: EndpointSetting): NetworkOptions {
  const http = vscode.workspace.getConfiguration('http');
  const noProxy: unknown = http.get('noProxy');
  const support = http.get<string>('proxySupport');
  return {
    proxy: http.get<string>('proxy') || undefined,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((entry) => typeof entry === 'string') : undefined,
    proxyStrictSSL: http.get<boolean>('proxyStrictSSL') ?? true,
    proxySupport: support === 'off' || support === 'on' || support === 'fallback' ? support : 'override',
    systemCertificates: http.get<boolean>('systemCertificates') ?? true,
    caFile: endpoint?.caFile,
    fetch: read('useEditorFetch') === true ? globalThis.fetch : undefined,
  };
}

/** The language of the editor. */
export function language(): Language {
  return { t: vscode.l10n.t, locale: vscode.env.language };
}
