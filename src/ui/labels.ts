import * as vscode from 'vscode';
import { escapeForUi } from '../chain/text.ts';
import type { Tone } from '../words/language.ts';

/** Characters of a line in a tooltip, where there is space for what a label cuts. */
const longestLine = 2000;

function escapeLines(lines: readonly string[]): string {
  return lines.map((line) => escapeForUi(line, longestLine)).join('\n');
}

/** A row of a tree. Its texts may come from outside; the rest is ours. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly tooltip?: readonly string[] | undefined;
  /** Said by a screen reader; its description begins with `watchedMark`. */
  readonly isWatched?: boolean | undefined;
  /** What a screen reader says, where label and description are not enough. */
  readonly accessibleText?: string | undefined;
  readonly icon?: string | vscode.ThemeIcon | undefined;
  /** Colours an icon that is given by its name. */
  readonly tone?: Tone | undefined;
  readonly context?: string | undefined;
  readonly state?: vscode.TreeItemCollapsibleState | undefined;
  readonly command?: vscode.Command | undefined;
  readonly resourceUri?: vscode.Uri | undefined;
}

/** Before the description of a row that is watched, where it takes the least space. */
export const watchedMark = '•';

const toneColors: Readonly<Record<Exclude<Tone, 'plain'>, string>> = {
  good: 'testing.iconPassed',
  warning: 'problemsWarningIcon.foreground',
  bad: 'problemsErrorIcon.foreground',
};

function toIcon(name: string, tone: Tone = 'plain'): vscode.ThemeIcon {
  return tone === 'plain'
    ? new vscode.ThemeIcon(name)
    : new vscode.ThemeIcon(name, new vscode.ThemeColor(toneColors[tone]));
}

/** The one maker of tree rows: no text reaches a tree but through `escapeForUi`. */
export function treeItem(row: Row): vscode.TreeItem {
  const { icon, context, command, resourceUri, isWatched } = row;
  const item = new vscode.TreeItem(escapeForUi(row.label), row.state);
  item.id = row.id;
  if (row.description !== undefined) item.description = escapeForUi(row.description);
  if (row.tooltip !== undefined) setTooltip(item, row.tooltip);
  // Without it the editor reads the tooltip out, or the address of `resourceUri`.
  const accessibleText = row.accessibleText ?? [row.label, row.description].filter(Boolean).join(', ');
  const mark = isWatched ? `, ${vscode.l10n.t('watched')}` : '';
  item.accessibilityInformation = { label: escapeForUi(accessibleText + mark, longestLine) };
  if (icon !== undefined) item.iconPath = typeof icon === 'string' ? toIcon(icon, row.tone) : icon;
  if (context !== undefined) item.contextValue = context;
  if (command !== undefined) item.command = command;
  if (resourceUri !== undefined) item.resourceUri = resourceUri;
  return item;
}

/** For tooltips that are made when they are looked at. */
export function setTooltip(item: vscode.TreeItem, lines: readonly string[]): void {
  item.tooltip = escapeLines(lines);
}

/** Says something beside the title of a view and, with `message`, above its rows. */
export function setViewTexts(
  view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>,
  texts: { readonly description: string; readonly message?: readonly string[] },
): void {
  const description = escapeForUi(texts.description, longestLine);
  if (description !== view.description) view.description = description;
  if (texts.message === undefined) return;
  const message = escapeLines(texts.message);
  // The editor takes any message for a change of the tree, and holds back for 200 ms the redraws that follow it.
  if (message !== (view.message ?? '')) view.message = message;
}

/** Opens a panel with the page of `viewType`; `place`: where, and whether it takes the focus. */
export function createPanel(
  viewType: string,
  title: string,
  place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus?: boolean },
): vscode.WebviewPanel {
  const options = { enableFindWidget: true, retainContextWhenHidden: false };
  return vscode.window.createWebviewPanel(viewType, escapeForUi(title), place, options);
}

/** Opens the editor's diff of two documents. */
export async function showDiff(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  preserveFocus: boolean,
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, escapeForUi(title), {
    preview: true,
    preserveFocus,
  });
}

/** Names the tab of a panel. */
export function setTabTitle(panel: vscode.WebviewPanel, title: string): void {
  const shown = escapeForUi(title);
  if (panel.title !== shown) panel.title = shown;
}

interface StatusTexts {
  readonly icon: string;
  readonly text: string;
  readonly tooltip: readonly string[];
  readonly accessibleText: string;
  readonly isWarning?: boolean;
  readonly command: string;
}

/** An item of the status bar whose texts may come from outside. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  /** `name` is what the editor's menu calls it. Hidden until it shows something. */
  constructor(id: string, name: string, priority: number) {
    this.#item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, priority);
    this.#item.name = name;
  }

  show({ icon, text, tooltip, accessibleText, isWarning, command }: StatusTexts): void {
    this.#item.command = command;
    this.#item.text = `$(${icon}) ${escapeForUi(text)}`;
    this.#item.tooltip = escapeLines(tooltip);
    this.#item.accessibilityInformation = { label: escapeForUi(accessibleText, longestLine) };
    this.#item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }

  hide(): void {
    this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** A button of a hover: a command of ours, and the text that it is run with. */
export interface HoverButton {
  readonly title: string;
  readonly command: 'chainInspector.goTo' | 'chainInspector.copyIbcDenom';
  readonly text: string;
}

/**
 * A hover of texts that may come from outside, as code: nothing in them is a link, HTML or a command. The button stands in a text of
 * its own, which holds nothing from outside but the encoded argument.
 */
export function plainHover(lines: readonly string[], button: HoverButton | undefined): vscode.MarkdownString[] {
  const text = new vscode.MarkdownString().appendCodeblock(escapeLines(lines), 'plaintext');
  if (button === undefined) return [text];
  const { title, command, text: argument } = button;
  const encoded = encodeURIComponent(JSON.stringify([argument]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  const link = new vscode.MarkdownString(`[${title}](command:${command}?${encoded})`);
  link.isTrusted = { enabledCommands: [command] };
  return [text, link];
}
