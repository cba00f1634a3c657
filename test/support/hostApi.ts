import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import type { Session } from '../../src/session/session.ts';

/** Whether the trees read, as those of visible views do. */
const visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();

/**
 * Activates the extension in the host and returns its objects. The side bar is closed: a tree that the editor draws beside
 * a test uses redraws that the test waits for.
 */
export async function activateExtension(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('chain-inspector.chain-inspector');
  if (!extension) throw new Error('The extension is not there');
  const api = await extension.activate();
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
  const { event: never } = new vscode.EventEmitter<never>();
  const view = { onDidChangeVisibility: visibility.event, onDidCollapseElement: never, onDidExpandElement: never };
  for (const tree of [api.trees.supply, api.trees.proposals, api.trees.validators]) tree.follow(view);
  return api;
}

/** Waits for at most 20 seconds. */
async function soon<T>(what: string, work: PromiseLike<T>): Promise<T> {
  const late = new AbortController();
  const timeout = setTimeout(20_000, undefined, late).then(() => Promise.reject(new Error(`Waited 20 s for ${what}`)));
  return Promise.race([work, timeout]).finally(() => late.abort());
}

/** The next box for typed text that the extension opens, and the errors that it shows until `stop`. */
export function overhear() {
  const { promise: opened, resolve } = Promise.withResolvers<vscode.QuickPick<vscode.QuickPickItem>>();
  const errors: string[] = [];
  const { createQuickPick, showErrorMessage } = vscode.window;
  const heard = {
    createQuickPick: () => {
      const box = createQuickPick();
      resolve(box);
      return box;
    },
    showErrorMessage: (message: string, ...items: readonly string[]) => {
      errors.push([message, ...items].join(' | '));
      return showErrorMessage(message, ...items);
    },
  };
  const own = { createQuickPick, showErrorMessage };
  Object.assign(vscode.window, heard);
  return { opened, errors, stop: () => Object.assign(vscode.window, own) };
}

/** What a box offers, without icons, once that is accepted. */
export async function itemsUntil(
  box: vscode.QuickPick<vscode.QuickPickItem>,
  accept: (labels: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const end = Date.now() + 20_000;
  for (;;) {
    const labels = box.items.map(({ label }) => label.replace(/^\$\([\w~-]+\) /, ''));
    if (accept(labels)) return labels;
    if (Date.now() > end) throw new Error(`Waited 20 s for what a box offers:\n${labels.join('\n')}`);
    await setTimeout(20);
  }
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
  const session = await soon(`the trees to show "${baseUrl ?? ''}"`, promise);
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
    await soon('a list to be read', promise);
    listener.dispose();
  }
}

/**
 * A tree as a person reads it once it is loaded: two spaces a level, label and description. Goes below the rows that
 * `isOpen` names by their label; asks the provider as the editor does for a visible view, again when late rows arrive.
 */
export async function treeText<T>(
  provider: vscode.TreeDataProvider<T>,
  isOpen: (label: string) => boolean = () => false,
): Promise<string> {
  const end = Date.now() + 20_000;
  for (;;) {
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    const listener = provider.onDidChangeTreeData?.(() => resolve());
    // A view that the editor has just hidden stops reading late.
    visibility.fire({ visible: true });
    const lines = await draw(provider, isOpen, undefined, '');
    if (!lines.some((line) => line.trim() === 'Loading…')) {
      listener?.dispose();
      return lines.join('\n');
    }
    if (Date.now() > end) throw new Error(`Waited 20 s for all rows of the tree. Shown:\n${lines.join('\n')}`);
    await Promise.race([changed, setTimeout(500)]);
    listener?.dispose();
  }
}

/** Reads a tree until it is as expected; again after each of its changes. */
export async function treeUntil(
  tree: { onDidChangeTreeData: vscode.Event<unknown> },
  read: () => Promise<string>,
  accept: (text: string) => boolean,
): Promise<string> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = tree.onDidChangeTreeData(() => resolve());
    const text = await read();
    if (accept(text)) {
      listener.dispose();
      return text;
    }
    await soon(`a change of the tree. Shown:\n${text}\n`, promise);
    listener.dispose();
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
