import type * as vscode from 'vscode';

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
