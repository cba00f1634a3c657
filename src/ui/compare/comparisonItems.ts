import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import type {
  Comparison,
  ParamDifference,
  ProposalDifference,
  SideName,
  SupplyDifference,
} from '../../session/compare/comparison.ts';
import { denomLabel } from '../words.ts';
import type { ComparisonNode } from './comparisonTree.ts';
import {
  type Change,
  changeTitle,
  count,
  exactDifference,
  paramText,
  sectionSummary,
  sectionTitle,
  sideNames,
  statusText,
  titleText,
} from './comparisonWords.ts';
import { differencesOf } from './differencesOf.ts';
import { plainLine } from './plainLine.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** How a row of the Compare view looks. Its id holds both sources, so that rows stay open over a refresh only. */
export function comparisonItem(node: ComparisonNode, comparison: Comparison): vscode.TreeItem {
  const item = itemOf(node, comparison);
  item.id = JSON.stringify([comparison.left.source.id, comparison.right.source.id, ...idOf(node)]);
  return item;
}

function idOf(node: ComparisonNode): (string | undefined)[] {
  switch (node.kind) {
    case 'section':
      return [node.section];
    case 'change':
    case 'rest':
      return [node.kind, node.section, node.change];
    case 'coin':
      return [node.kind, node.difference.denom];
    case 'proposal':
      return [node.kind, `${node.difference.id}`];
    case 'side':
      return [node.kind, `${node.difference.id}`, node.side];
    case 'param':
      return [node.kind, node.difference.name];
    case 'note':
      return [node.kind, `${node.at}`];
    default:
      return node satisfies never;
  }
}

function itemOf(node: ComparisonNode, comparison: Comparison): vscode.TreeItem {
  switch (node.kind) {
    case 'section': {
      const { kind } = comparison[node.section];
      const summary = sectionSummary(node.section, comparison);
      const differs = differencesOf(node.section, comparison).length > 0;
      const item = groupItem(sectionTitle(node.section), summary, differs ? Expanded : None);
      if (!differs) item.iconPath = new vscode.ThemeIcon(kind === 'compared' ? 'check' : 'circle-slash');
      return differs ? withDiff(item, node) : item;
    }
    case 'change':
      return withDiff(groupItem(changeTitle(node.section, node.change), count(node.rows), Collapsed), node);
    case 'coin':
      return coinItem(node.difference);
    case 'proposal':
      return proposalItem(node, comparison);
    case 'side':
      return sideItem(node, comparison);
    case 'param':
      return paramItem(node.difference);
    case 'rest':
      return restItem(node);
    case 'note': {
      const item = new vscode.TreeItem(node.text);
      item.iconPath = new vscode.ThemeIcon(node.isFailure ? 'error' : 'info');
      item.tooltip = node.text;
      return item;
    }
    default:
      return node satisfies never;
  }
}

function groupItem(label: string, description: string, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.description = description;
  return item;
}

function withDiff(item: vscode.TreeItem, node: ComparisonNode): vscode.TreeItem {
  item.command = {
    command: 'chainInspector.openComparisonDiff',
    title: vscode.l10n.t('Open Diff'),
    arguments: [node],
  };
  item.contextValue = 'comparison.group';
  return item;
}

function restItem(node: Extract<ComparisonNode, { kind: 'rest' }>): vscode.TreeItem {
  const rows = count(node.rows);
  const title = node.change
    ? vscode.l10n.t('{0} more: Export All…', rows)
    : vscode.l10n.t('Export all {0} rows…', rows);
  const item = new vscode.TreeItem(title);
  item.iconPath = new vscode.ThemeIcon('export');
  item.command = { command: 'chainInspector.exportComparison', title, arguments: [node] };
  return item;
}

function coinItem(difference: SupplyDifference): vscode.TreeItem {
  const { change, denom, left, right } = difference;
  const item = new vscode.TreeItem(plainLine(denomLabel(denom)));
  const amounts = `${groupDigits(left)} → ${groupDigits(right)}`;
  item.description = change === 'changed' ? `${exactDifference(difference)} (${amounts})` : exactDifference(difference);
  item.tooltip = [plainLine(denom), amounts, `${right - left}`].join('\n');
  item.iconPath = changeIcon(change);
  item.contextValue = 'comparison.difference';
  item.accessibilityInformation = {
    label: `${changeTitle('supply', change)}, ${plainLine(denom)}, ${item.description}`,
  };
  return item;
}

function proposalItem(node: Extract<ComparisonNode, { kind: 'proposal' }>, comparison: Comparison): vscode.TreeItem {
  const { difference } = node;
  const { change, id } = difference;
  const shown = difference.right ?? difference.left;
  const isOnBoth = difference.left !== undefined && difference.right !== undefined;
  const item = new vscode.TreeItem(`#${id} ${titleText(shown)}`, isOnBoth ? Collapsed : None);
  item.description = proposalChange(difference);
  item.tooltip = `${item.label}\n${item.description}`;
  item.iconPath = changeIcon(change);
  item.contextValue = 'comparison.difference';
  item.command = openCommand(difference.right ? 'right' : 'left', id, comparison);
  item.accessibilityInformation = { label: `${changeTitle('proposals', change)}, ${item.label}, ${item.description}` };
  return item;
}

function proposalChange({ change, left, right }: ProposalDifference): string {
  switch (change) {
    case 'added':
      return statusText(right);
    case 'gone':
      return statusText(left);
    case 'changed':
      return `${statusText(left)} → ${statusText(right)}`;
    case 'replaced':
      return titleText(left);
    default:
      return change satisfies never;
  }
}

function sideItem(node: Extract<ComparisonNode, { kind: 'side' }>, comparison: Comparison): vscode.TreeItem {
  const { difference, side } = node;
  const facts = difference[side];
  const item = new vscode.TreeItem(sideNames(comparison.left.source, comparison.right.source)[side]);
  if (facts) {
    const status = statusText(facts);
    item.description = difference.change === 'replaced' ? `${status}, ${titleText(facts)}` : status;
  }
  item.command = openCommand(side, difference.id, comparison);
  return item;
}

function openCommand(side: SideName, id: bigint, comparison: Comparison): vscode.Command {
  return {
    command: 'chainInspector.openComparedProposal',
    title: vscode.l10n.t('Open Proposal'),
    arguments: [{ sourceId: comparison[side].source.id, id }],
  };
}

function paramItem({ name, left, right }: ParamDifference): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(name));
  item.description = `${paramText(left)} → ${paramText(right)}`;
  item.tooltip = `${item.label}\n${item.description}`;
  item.iconPath = changeIcon('changed');
  item.contextValue = 'comparison.difference';
  return item;
}

/** A sign of its own for each change, in the colours that the editor has for files that changed. */
function changeIcon(change: Change): vscode.ThemeIcon {
  switch (change) {
    case 'added':
      return new vscode.ThemeIcon('diff-added', new vscode.ThemeColor('gitDecoration.addedResourceForeground'));
    case 'gone':
      return new vscode.ThemeIcon('diff-removed', new vscode.ThemeColor('gitDecoration.deletedResourceForeground'));
    case 'changed':
      return new vscode.ThemeIcon('diff-modified', new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'));
    case 'replaced':
      return new vscode.ThemeIcon('diff-renamed', new vscode.ThemeColor('gitDecoration.renamedResourceForeground'));
    default:
      return change satisfies never;
  }
}
