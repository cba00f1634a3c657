import * as vscode from 'vscode';
import type { Credential, NetworkOptions } from '../api/transportTypes.ts';
import type { EndpointSetting } from '../session/source.ts';

/** The editor's own network settings and what the endpoint adds, as the transport wants them. */
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

/** Credential headers, in secret storage only, each bound to one origin: a changed setting never sends one elsewhere. */
export class Credentials {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** The header for the origin of `url`, if one was set. */
  async get(url: string): Promise<Credential | undefined> {
    const kept = await this.#secrets.get(keyOf(url));
    if (kept === undefined) return undefined;
    const { readCredential } = await import('../session/stored.ts');
    return readCredential(kept);
  }

  async set(url: string, credential: Credential): Promise<void> {
    await this.#secrets.store(keyOf(url), JSON.stringify(credential));
  }

  async forget(url: string): Promise<void> {
    await this.#secrets.delete(keyOf(url));
  }
}

function keyOf(url: string): string {
  return `header:${new URL(url).origin}`;
}
