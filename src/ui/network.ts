import * as vscode from 'vscode';
import type { NetworkOptions } from '../api/transportTypes.ts';
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
