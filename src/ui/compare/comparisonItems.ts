import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import type {
  Comparison,
  ParamDifference,
  ProposalDifference,
  SideName,
  SupplyDifference,
} from '../../session/compare/comparison.ts';
import { type Row, treeItem } from '../labels.ts';
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

type Look = Omit<Row, 'id'>;

/** How a row of the Compare view looks. Its id holds both sources, so that rows stay open over a refresh only. */
export function comparisonItem(node: ComparisonNode, comparison: Comparison): vscode.TreeItem {
  const id = JSON.stringify([comparison.left.source.id, comparison.right.source.id, ...idOf(node)]);
  return treeItem({ id, ...lookOf(node, comparison) });
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

function lookOf(node: ComparisonNode, comparison: Comparison): Look {
  switch (node.kind) {
    case 'section': {
      const { kind } = comparison[node.section];
      const label = sectionTitle(node.section);
      const description = sectionSummary(node.section, comparison);
      return differencesOf(node.section, comparison).length > 0
        ? { label, description, state: Expanded, ...diffOf(node) }
        : { label, description, icon: kind === 'compared' ? 'check' : 'circle-slash' };
    }
    case 'change': {
      const label = changeTitle(node.section, node.change);
      return { label, description: count(node.rows), state: Collapsed, ...diffOf(node) };
    }
    case 'coin':
      return coinLook(node.difference);
    case 'proposal':
      return proposalLook(node.difference);
    case 'side':
      return sideLook(node, comparison);
    case 'param':
      return paramLook(node.difference);
    case 'rest':
      return restLook(node);
    case 'note':
      return { label: node.text, tooltip: [node.text], icon: node.isFailure ? 'error' : 'info' };
    default:
      return node satisfies never;
  }
}

function diffOf(node: ComparisonNode): Pick<Look, 'command' | 'context'> {
  const command = 'chainInspector.openComparisonDiff';
  return {
    command: { command, title: vscode.l10n.t('Open Diff'), arguments: [node] },
    context: 'comparison.group',
  };
}

function restLook(node: Extract<ComparisonNode, { kind: 'rest' }>): Look {
  const rows = count(node.rows);
  const label = node.change
    ? vscode.l10n.t('{0} more: Export All…', rows)
    : vscode.l10n.t('Export all {0} rows…', rows);
  const command = { command: 'chainInspector.exportComparison', title: label, arguments: [node] };
  return { label, icon: 'export', command };
}

function coinLook(difference: SupplyDifference): Look {
  const { change, denom, left, right } = difference;
  const amounts = `${groupDigits(left)} → ${groupDigits(right)}`;
  const exact = exactDifference(difference);
  const description = change === 'changed' ? `${exact} (${amounts})` : exact;
  return {
    label: plainLine(denomLabel(denom)),
    description,
    tooltip: [plainLine(denom), amounts, `${right - left}`],
    spoken: `${changeTitle('supply', change)}, ${plainLine(denom)}, ${description}`,
    icon: changeIcon(change),
    context: 'comparison.difference',
  };
}

function proposalLook(difference: ProposalDifference): Look {
  const { change, id, left, right } = difference;
  const label = `#${id} ${titleText(right ?? left)}`;
  const description = proposalChange(difference);
  return {
    label,
    description,
    tooltip: [label, description],
    spoken: `${changeTitle('proposals', change)}, ${label}, ${description}`,
    icon: changeIcon(change),
    context: 'comparison.difference',
    state: left && right ? Collapsed : None,
    command: openCommand(right ? 'right' : 'left', id),
  };
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

function sideLook({ difference, side }: Extract<ComparisonNode, { kind: 'side' }>, comparison: Comparison): Look {
  const facts = difference[side];
  const status = facts && statusText(facts);
  return {
    label: sideNames(comparison.left.source, comparison.right.source)[side],
    description: facts && difference.change === 'replaced' ? `${status}, ${titleText(facts)}` : status,
    command: openCommand(side, difference.id),
  };
}

function openCommand(side: SideName, id: bigint): vscode.Command {
  const command = 'chainInspector._openComparedProposal';
  return { command, title: vscode.l10n.t('Open Proposal'), arguments: [{ side, id }] };
}

function paramLook({ name, left, right }: ParamDifference): Look {
  const label = plainLine(name);
  const description = `${paramText(left)} → ${paramText(right)}`;
  return {
    label,
    description,
    tooltip: [label, description],
    icon: changeIcon('changed'),
    context: 'comparison.difference',
  };
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
