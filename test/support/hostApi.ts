import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { RequestLine } from '../../src/api/transport/transportTypes.ts';
import type { ExtensionApi } from '../../src/extension.ts';
import type { AnyPager } from '../../src/lists/pager.ts';
import type { Session } from '../../src/session/session.ts';
import type { ListTree } from '../../src/ui/lists/listTree.ts';
import type { ListTrees } from '../../src/ui/lists/listTrees.ts';

/** The objects of the extension, and the trees of its lists. */
export interface HostApi extends ExtensionApi {
  readonly trees: ListTrees;
}

/** The trees of the lists. They read as those of visible views do. */
let trees: readonly Pick<ListTree<unknown>, 'setVisible'>[] = [];

/**
 * Activates the extension in the host and returns its objects. Closes the side bar, since a tree that the editor draws
 * would use up redraws that a test waits for.
 */
export async function activateExtension(): Promise<HostApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('chain-inspector.chain-inspector');
  if (!extension) throw new Error('The extension is not there');
  const api = await extension.activate();
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
  const loaded = await api.listViews.load();
  trees = Object.values(loaded);
  return { ...api, trees: loaded };
}

/** The limit of a wait in milliseconds. No wait has a shorter one, since other work may keep the machine busy. */
export const longestWait = 60_000;

function tooLate(what: string): Error {
  return new Error(`Waited ${longestWait / 1000} s for ${what}`);
}

/** Reads a value until it is accepted, again after each change. Fails if no change comes. */
export async function readUntil<T>(
  changes: (listener: () => void) => { dispose(): void },
  read: () => T | PromiseLike<T>,
  accept: (value: T) => boolean,
): Promise<T> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = changes(resolve);
    const late = new AbortController();
    try {
      const value = await read();
      if (accept(value)) return value;
      const timeout = setTimeout(longestWait, undefined, late).then(() =>
        Promise.reject(tooLate(`a change of ${value}`)),
      );
      await Promise.race([promise, timeout]);
    } finally {
      listener.dispose();
      late.abort();
    }
  }
}

/** Reads a value until it is accepted. For values without a change event. */
export async function pollUntil<T>(
  what: string,
  read: () => T | PromiseLike<T>,
  accept: (value: T) => boolean,
): Promise<T> {
  const end = Date.now() + longestWait;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > end) throw tooLate(`${what}:\n${value}`);
    await setTimeout(20);
  }
}

/** The next input box of the extension, and the errors that it shows until `stop`. */
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
  /** Waits for an error. Background work of a command may fail after its end. */
  const told = (pattern: RegExp) =>
    pollUntil(`the error ${pattern}`, () => errors.find((one) => pattern.test(one)), Boolean);
  return { opened, errors, told, stop: () => Object.assign(vscode.window, own) };
}

/** The items of a box without icons, after they are accepted. */
export async function itemsUntil(
  box: vscode.QuickPick<vscode.QuickPickItem>,
  accept: (labels: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const labels = () => box.items.map(({ label }) => label.replace(/^\$\([\w~-]+\) /, ''));
  return pollUntil('what a box offers', labels, accept);
}

/** The folder that is open in the editor. */
export function workspaceFolder(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error('No folder is open');
  return folder.uri.fsPath;
}

/** Writes `chainInspector.baseUrl` as a person does, and waits until the trees show it. */
export async function showSource(api: ExtensionApi, baseUrl: string | undefined): Promise<Session> {
  const configuration = () => vscode.workspace.getConfiguration('chainInspector');
  const isWritten = () => (configuration().get('baseUrl') ?? '') === (baseUrl ?? '');
  const before = api.active.session;
  if (isWritten()) return before;
  await configuration().update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
  const read = () => api.active.session;
  return readUntil(api.active.onDidChange, read, (session) => isWritten() && session !== before);
}

/**
 * Path and query of all answers after a request (`api.requests.lines.at(-1)`). Other views ask at their own times, so a
 * test only looks at requests of the tested view. The log drops its oldest lines, so a count would be wrong.
 */
export function askedSince(api: ExtensionApi, last: RequestLine | undefined): string[] {
  const { lines } = api.requests;
  return lines.slice(last ? lines.lastIndexOf(last) + 1 : 0).map(({ url }) => {
    const { pathname, search } = new URL(url, 'http://in-process');
    return `${pathname}${search}`;
  });
}

/** Waits until a list is read or has failed. */
export async function settled(pager: Pick<AnyPager, 'loading' | 'onDidChange'>): Promise<void> {
  await readUntil(pager.onDidChange, () => !pager.loading, Boolean);
}

/**
 * A loaded tree as text: two spaces a level, label and description. Goes below rows whose labels pass `isOpen`. Asks
 * the provider as VS Code does for a visible view, and again until late rows are there.
 */
export async function treeText<T>(
  provider: vscode.TreeDataProvider<T>,
  isOpen: (label: string) => boolean = () => false,
): Promise<string> {
  const read = async () => {
    // A view that was just hidden stops reading a moment later.
    for (const tree of trees) tree.setVisible(true);
    return (await draw(provider, isOpen, undefined, '')).join('\n');
  };
  return pollUntil('all rows of the tree', read, (text) => !/^ *Loading…$/m.test(text));
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
