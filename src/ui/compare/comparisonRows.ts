import * as vscode from 'vscode';
import { messageOf } from '../../api/errors.ts';
import { groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import {
  amountChange,
  type Change,
  type Comparison,
  changes,
  type Difference,
  type SectionName,
  type Side,
  type SideRow,
  sectionNames,
  sides,
} from '../../reads/compare/compare.ts';
import type { Source } from '../../session/source.ts';
import { listText } from '../../words/language.ts';
import { groupName } from '../../words/proposalWords.ts';
import { denomLabel, signed } from '../../words/values.ts';
import type { Row } from '../editorTexts.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/**
 * The most rows of a section in the view and in the diff. VS Code takes seconds to compare more. An export has all
 * rows.
 */
export const maxShown = 2000;

/** A row of the Compare view. A row with `section` has the menu of that section. */
export interface ComparisonNode {
  readonly row: Row;
  readonly section?: SectionName;
  readonly children?: readonly ComparisonNode[];
}

/** A comparison with the facts of its notes. */
export interface ShownComparison extends Comparison {
  /** The chains of both sides; undefined if a side does not state its own. */
  readonly chainIds: Readonly<Record<Side, string | undefined>>;
  /** The modules whose parameters only that side states. */
  readonly notCompared: Readonly<Record<Side, readonly string[]>>;
}

/** The rows of the Compare view: notes, then the differences by section. */
export function comparisonNodes(comparison: ShownComparison): readonly ComparisonNode[] {
  return [...noteNodes(comparison), ...sectionNames.map((section) => sectionNode(comparison, section))];
}

function noteNodes(comparison: ShownComparison): ComparisonNode[] {
  const names = sideNames(comparison);
  const { left, right } = comparison.chainIds;
  const note = (icon: string, label: string): ComparisonNode => ({ row: { id: label, label, tooltip: [label], icon } });
  const ofSections = sectionNames.flatMap((name) => {
    const section = comparison[name];
    if (section.kind === 'compared') return [];
    const [title, side, { error }] = [sectionTitle(name), names[section.side], section];
    return error === undefined
      ? note('info', vscode.l10n.t('{0}: not available from {1}', title, side))
      : note('error', vscode.l10n.t('{0} from {1}: {2}', title, side, messageOf(error)));
  });
  const ofSides = sides.flatMap((side) => {
    const { unpinnedReason, notices } = comparison[side];
    const dropped = vscode.l10n.t('{0} may be from different heights: {1}', names[side], unpinnedReason ?? '');
    const texts = notices.map((text) => `${names[side]}: ${text}`);
    return [...(unpinnedReason === undefined ? [] : [dropped]), ...texts].map((text) => note('info', text));
  });
  const ofModules = sides.flatMap((side) => {
    const modules = listText(
      comparison.notCompared[side].map((name) => escapeForUi(name)),
      vscode.l10n.t,
    );
    return modules === ''
      ? []
      : [note('info', vscode.l10n.t('Only {0} has parameters for these modules: {1}', names[side], modules))];
  });
  const isOther = Boolean(left && right) && left !== right;
  const chains = vscode.l10n.t('Different chains: {0} and {1}', escapeForUi(left ?? ''), escapeForUi(right ?? ''));
  return [...(isOther ? [note('warning', chains)] : []), ...ofSections, ...ofSides, ...ofModules];
}

function sectionNode(comparison: Comparison, section: SectionName): ComparisonNode {
  // Both sources are in the id, so that a row stays expanded only over a refresh.
  const id = JSON.stringify([comparison.left.source.id, comparison.right.source.id, section]);
  const row = { id, label: sectionTitle(section), description: sectionSummary(comparison, section) };
  const differences = differencesOf(comparison, section);
  if (differences.length === 0)
    return { row: { ...row, icon: comparison[section].kind === 'compared' ? 'check' : 'circle-slash' } };
  const names = sideNames(comparison);
  const children = differences.slice(0, maxShown).map((difference) => differenceNode(id, difference, names));
  const rest = differences.length - children.length;
  const open = vscode.l10n.t('Open Diff');
  const command = { command: 'chainInspector.openComparisonDiff', title: open, arguments: [{ section }] };
  return {
    row: { ...row, state: Expanded, context: 'comparison.section', command },
    section,
    children: rest > 0 ? [...children, restNode(id, section, rest)] : children,
  };
}

function restNode(parent: string, section: SectionName, rest: number): ComparisonNode {
  const label = vscode.l10n.t('{0} more: Export All…', groupDigits(rest));
  const command = { command: 'chainInspector.exportComparison', title: label, arguments: [{ section }] };
  return { row: { id: `${parent} rest`, label, icon: 'export', command } };
}

function differenceNode(parent: string, difference: Difference, names: Names): ComparisonNode {
  const { section, change, key, left, right } = difference;
  const view = sectionViews[section];
  const id = `${parent} ${key}`;
  const name = nameOf(difference, right ?? left);
  const label = view.label?.(key) ?? name;
  const description = view.description(difference);
  const sideNode = (side: Side): ComparisonNode => {
    const row = difference[side];
    const status = row && listText([shownValue(difference, row), titleText(row)], vscode.l10n.t);
    return { row: { id: `${id} ${side}`, label: names[side], description: status, command: openCommand(side, key) } };
  };
  const children = view.opens && left && right ? sides.map(sideNode) : [];
  const [icon, colour] = changeIcons[change];
  const row = {
    id,
    label,
    description,
    tooltip: [name, description],
    accessibleText: listText([label, changeText(section, change), description], vscode.l10n.t),
    icon: new vscode.ThemeIcon(icon, new vscode.ThemeColor(`gitDecoration.${colour}ResourceForeground`)),
    state: children.length > 0 ? Collapsed : None,
    command: view.opens ? openCommand(right ? 'right' : 'left', key) : undefined,
  };
  return { row, children };
}

/** The words and actions of a section. */
interface SectionView {
  title(): string;

  /** Names rows that only the right side has. */
  added(): string;

  /** Names a row in the diff. Its key if absent. */
  name?(key: string, row: SideRow | undefined): string;

  /** Names a row in the view, if it has a shorter name there.  */
  label?(key: string): string;

  /** The value of a row on one side. `row.value` if absent. */
  value?(row: SideRow): string;

  description(difference: Difference): string;

  /** Whether a row opens as a proposal of either side. */
  readonly opens: boolean;
}

const sectionViews: Readonly<Record<SectionName, SectionView>> = {
  supply: {
    title: () => vscode.l10n.t('Supply'),
    added: () => vscode.l10n.t('added'),
    label: denomLabel,
    description(difference): string {
      const exact = signed(amountChange(difference) ?? 0n, groupDigits);
      const [before, after] = [difference.left, difference.right].map((row) => groupDigits(BigInt(row?.value ?? 0)));
      return difference.change === 'changed' ? `${exact} (${before} → ${after})` : exact;
    },
    opens: false,
  },
  proposals: {
    title: () => vscode.l10n.t('Proposals'),
    added: () => vscode.l10n.t('new'),
    name: (key, row) => `#${key} ${titleText(row)}`,
    value: statusText,
    description({ left, right }): string {
      const text = left?.value === right?.value ? titleText : statusText;
      return [left, right].flatMap((row) => (row ? text(row) : [])).join(' → ');
    },
    opens: true,
  },
  params: {
    title: () => vscode.l10n.t('Parameters'),
    added: () => vscode.l10n.t('added'),
    description: ({ left, right }) => [left, right].map((row) => row?.value ?? vscode.l10n.t('not set')).join(' → '),
    opens: false,
  },
};

const changeIcons = {
  added: ['diff-added', 'added'],
  gone: ['diff-removed', 'deleted'],
  changed: ['diff-modified', 'modified'],
} as const;

function openCommand(side: Side, key: string): vscode.Command {
  const command = 'chainInspector._openComparedProposal';
  return { command, title: vscode.l10n.t('Open Proposal'), arguments: [{ side, key }] };
}

/** The differences of a section. Empty if it was not compared. */
export function differencesOf(comparison: Comparison, name: SectionName): readonly Difference[] {
  const section = comparison[name];
  return section.kind === 'compared' ? section.differences : [];
}

/** The name of a row: a denom, a parameter, or `#42 Title` for a proposal. */
export function nameOf({ section, key }: Difference, row: SideRow | undefined): string {
  return sectionViews[section].name?.(key, row) ?? key;
}

/** The value of a row: exact base units, a parameter, or the status of a proposal in words. */
export function shownValue({ section }: Difference, row: SideRow): string {
  return sectionViews[section].value?.(row) ?? row.value;
}

function titleText(row: SideRow | undefined): string {
  return row?.title ?? vscode.l10n.t('(no title)');
}

function statusText({ value, group }: SideRow): string {
  return group === undefined || group === 'other' ? value : groupName(group, vscode.l10n.t);
}

export function sectionTitle(section: SectionName): string {
  return sectionViews[section].title();
}

/** `3 added, 2 gone`. Says so if nothing differs, or if the section was not compared. */
export function sectionSummary(comparison: Comparison, section: SectionName): string {
  if (comparison[section].kind !== 'compared') return vscode.l10n.t('Not compared');
  const differences = differencesOf(comparison, section);
  const parts = changes.flatMap((change) => {
    const rows = differences.filter((difference) => difference.change === change).length;
    return rows > 0 ? `${groupDigits(rows)} ${changeText(section, change)}` : [];
  });
  return listText(parts, vscode.l10n.t) || vscode.l10n.t('No differences');
}

function changeText(section: SectionName, change: Change): string {
  return {
    added: sectionViews[section].added(),
    gone: vscode.l10n.t('removed'),
    changed: vscode.l10n.t('changed'),
  }[change];
}

type Names = Readonly<Record<Side, string>>;

/** The names of both sides. Two files of the same name get their addresses. */
export function sideNames({ left, right }: Readonly<Record<Side, { readonly source: Source }>>): Names {
  const isSame = left.source.name === right.source.name;
  const name = ({ source }: { readonly source: Source }): string =>
    escapeForUi(isSame ? source.id || source.name : source.name);
  return { left: name(left), right: name(right) };
}
