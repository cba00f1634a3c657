import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { RequestLine } from '../../src/api/transportTypes.ts';
import type { ExtensionApi } from '../../src/extension.ts';
import type { AnyPager } from '../../src/lists/pager.ts';
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

/** Milliseconds that a wait takes at most. None is for a shorter time: other tests and programs may keep the machine busy. */
export const longestWait = 60_000;

function tooLate(what: string): Error {
  return new Error(`Waited ${longestWait / 1000} s for ${what}`);
}

/** Reads until what is read is accepted; again after each change. Ends where no change comes. */
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

/** Reads until what is read is accepted, where nothing tells of a change. */
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
  /** Waits for an error: what is read behind a command may fail after its end. */
  const told = (pattern: RegExp) =>
    pollUntil(`the error ${pattern}`, () => errors.find((one) => pattern.test(one)), Boolean);
  return { opened, errors, told, stop: () => Object.assign(vscode.window, own) };
}

/** What a box offers, without icons, once that is accepted. */
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

/** Writes `chainInspector.baseUrl` as a person does by hand, and waits until the trees show what it names. */
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
 * Path and query of what was answered after that request (`api.requests.lines.at(-1)` before), without the address. Other views ask at times of their own: a test
 * takes from this only what the tested view alone asks. The log drops its oldest lines, so that no number holds.
 */
export function askedSince(api: ExtensionApi, last: RequestLine | undefined): string[] {
  const { lines } = api.requests;
  return lines.slice(last ? lines.lastIndexOf(last) + 1 : 0).map(({ url }) => {
    const { pathname, search } = new URL(url, 'http://in-process');
    return `${pathname}${search}`;
  });
}

/** Waits until a list is neither unread nor being read, whatever became of it. */
export async function settled(pager: Pick<AnyPager, 'loading' | 'onDidChange'>): Promise<void> {
  await readUntil(pager.onDidChange, () => !pager.loading, Boolean);
}

/**
 * A tree as a person reads it once it is loaded: two spaces a level, label and description. Goes below the rows that
 * `isOpen` names by their label; asks the provider as the editor does for a visible view, again until late rows have arrived.
 */
export async function treeText<T>(
  provider: vscode.TreeDataProvider<T>,
  isOpen: (label: string) => boolean = () => false,
): Promise<string> {
  const read = async () => {
    // A view that the editor has just hidden stops reading late.
    visibility.fire({ visible: true });
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
