import type * as vscode from 'vscode';

/**
 * A tree as a person reads it: two spaces a level, label and description. Goes below the rows that `isOpen` names by
 * their label; asks the provider exactly as the editor does.
 */
export async function treeText<T>(
  provider: vscode.TreeDataProvider<T>,
  isOpen: (label: string) => boolean = () => false,
): Promise<string> {
  const lines: string[] = [];
  const draw = async (node: T | undefined, indent: string): Promise<void> => {
    for (const child of (await provider.getChildren(node)) ?? []) {
      const item = await provider.getTreeItem(child);
      const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
      lines.push(`${indent}${label}${item.description ? ` | ${item.description}` : ''}`);
      if ((item.collapsibleState ?? 0) > 0 && isOpen(label)) await draw(child, `${indent}  `);
    }
  };
  await draw(undefined, '');
  return lines.join('\n');
}
