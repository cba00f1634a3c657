import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import type { Session } from '../../src/session/session.ts';

/** Activates the extension in the host and gives its living objects. */
export async function activateExtension(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('chain-inspector.chain-inspector');
  if (!extension) throw new Error('The extension is not there');
  return extension.activate();
}

/** The folder that is open in the editor. */
export function workspaceFolder(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error('No folder is open');
  return folder.uri.fsPath;
}

/** Writes `chainInspector.baseUrl` as a person does by hand, and waits until the trees show what it names. */
export async function showSource(api: ExtensionApi, baseUrl: string | undefined): Promise<Session> {
  if ((vscode.workspace.getConfiguration('chainInspector').get('baseUrl') ?? '') === (baseUrl ?? ''))
    return api.active.session;
  const { promise, resolve } = Promise.withResolvers<Session>();
  const listener = api.active.onDidChange(resolve);
  await vscode.workspace
    .getConfiguration('chainInspector')
    .update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
  const session = await promise;
  listener.dispose();
  return session;
}

/** Path and query of what was asked since `from` requests, without the address. */
export function askedSince(api: ExtensionApi, from: number): string[] {
  return api.requests.lines.slice(from).map(({ url }) => {
    const { pathname, search } = new URL(url, 'http://in-process');
    return `${pathname}${search}`;
  });
}

/** Waits until a list is neither unread nor being read, whatever became of it. */
export async function settled(pager: {
  readonly loading: boolean;
  onDidChange: (listener: () => void) => { dispose(): void };
}) {
  while (pager.loading) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = pager.onDidChange(resolve);
    await promise;
    listener.dispose();
  }
}

/**
 * A tree as a person reads it once it is loaded: two spaces a level, label and description. Goes below the rows that
 * `isOpen` names by their label; asks the provider exactly as the editor does, again when rows that were late have come.
 */
export async function treeText<T>(
  provider: vscode.TreeDataProvider<T>,
  isOpen: (label: string) => boolean = () => false,
): Promise<string> {
  for (;;) {
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    const listener = provider.onDidChangeTreeData?.(() => resolve());
    try {
      const lines = await draw(provider, isOpen, undefined, '');
      if (!listener || !lines.some((line) => line.trim() === 'Loading…')) return lines.join('\n');
      await changed;
    } finally {
      listener?.dispose();
    }
  }
}

async function draw<T>(
  provider: vscode.TreeDataProvider<T>,
  isOpen: (label: string) => boolean,
  node: T | undefined,
  indent: string,
): Promise<string[]> {
  const lines: string[] = [];
  for (const child of (await provider.getChildren(node)) ?? []) {
    const item = await provider.getTreeItem(child);
    const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
    lines.push(`${indent}${label}${item.description ? ` | ${item.description}` : ''}`);
    const isShown = (item.collapsibleState ?? 0) > 0 && isOpen(label);
    if (isShown) lines.push(...(await draw(provider, isOpen, child, `${indent}  `)));
  }
  return lines;
}
