import * as vscode from 'vscode';
import { escapeForUi } from '../chain/text.ts';
import { listText, type Tone } from '../words/language.ts';

/** The longest line of a tooltip, in characters. Tooltips show text that labels cut. */
const longestLine = 2000;

function escapeLines(lines: readonly string[]): string {
  return lines.map((line) => escapeForUi(line, longestLine)).join('\n');
}

/** A row of a tree. Only its texts may come from outside. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly tooltip?: readonly string[] | undefined;
  /** Screen readers say it. The description begins with `watchedMark`. */
  readonly isWatched?: boolean | undefined;
  /** The text for screen readers, if label and description are not enough. */
  readonly accessibleText?: string | undefined;
  readonly icon?: string | vscode.ThemeIcon | undefined;
  /** The color of an icon that is given by its name. */
  readonly tone?: Tone | undefined;
  readonly context?: string | undefined;
  readonly state?: vscode.TreeItemCollapsibleState | undefined;
  readonly command?: vscode.Command | undefined;
  readonly resourceUri?: vscode.Uri | undefined;
}

/** The first character in the description of a watched row. */
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

/** Makes every row of a tree. All its texts go through `escapeForUi`. */
export function treeItem(row: Row): vscode.TreeItem {
  const { icon, context, command, resourceUri, isWatched } = row;
  const item = new vscode.TreeItem(escapeForUi(row.label), row.state);
  item.id = row.id;
  if (row.description !== undefined) item.description = escapeForUi(row.description);
  if (row.tooltip !== undefined) setTooltip(item, row.tooltip);
  // Without this text, VS Code reads out the tooltip or the address in `resourceUri`.
  const accessibleText = row.accessibleText ?? listText([row.label, row.description], vscode.l10n.t);
  const mark = isWatched ? `, ${vscode.l10n.t('watched')}` : '';
  item.accessibilityInformation = { label: escapeForUi(accessibleText + mark, longestLine) };
  if (icon !== undefined) item.iconPath = typeof icon === 'string' ? toIcon(icon, row.tone) : icon;
  if (context !== undefined) item.contextValue = context;
  if (command !== undefined) item.command = command;
  if (resourceUri !== undefined) item.resourceUri = resourceUri;
  return item;
}

/** Sets the tooltip of a row: with the row, or later on hover. */
export function setTooltip(item: vscode.TreeItem, lines: readonly string[]): void {
  item.tooltip = escapeLines(lines);
}

/** Sets the text beside the title of a view, and with `message` a text above its rows. */
export function setViewTexts(
  view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>,
  texts: { readonly description: string; readonly message?: readonly string[] },
): void {
  const description = escapeForUi(texts.description, longestLine);
  if (description !== view.description) view.description = description;
  if (texts.message === undefined) return;
  const message = escapeLines(texts.message);
  // VS Code treats every message as a change of the tree, and delays further redraws by 200 ms.
  if (message !== (view.message ?? '')) view.message = message;
}

/** Opens a panel with the page of `viewType`. `place` is its column, and whether it takes the focus. */
export function createPanel(
  viewType: string,
  title: string,
  place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus?: boolean },
): vscode.WebviewPanel {
  const options = { enableFindWidget: true, retainContextWhenHidden: false };
  return vscode.window.createWebviewPanel(viewType, escapeForUi(title), place, options);
}

/** Opens a diff of two documents. */
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

/** Sets the title of a panel's tab. */
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

/** An item of the status bar. Its texts may come from outside. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  /** `name` is the name in the menu of the status bar. The item is hidden until it has a text. */
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

/** A button of a hover: a command of the extension, and its arguments. */
export interface HoverButton {
  readonly title: string;
  readonly command: `chainInspector.${'goTo' | 'copyIbcDenom' | '_openFromCode' | '_askFromCode'}`;
  readonly args: readonly (string | readonly (string | number)[])[];
}

/**
 * A name in the title of a button. Only letters, digits, and characters of hosts stay, since Markdown gives them no
 * meaning.
 */
export function buttonText(name: string): string {
  return name.replace(/[^\p{L}\p{N} .:-]/gu, '').slice(0, 40);
}

/**
 * A hover with texts that may come from outside. They are a code block, so that nothing in them is a link, HTML or a
 * command. The buttons are another text, with only encoded arguments from outside.
 */
export function plainHover(lines: readonly string[], buttons: readonly HoverButton[] = []): vscode.MarkdownString[] {
  const text = new vscode.MarkdownString().appendCodeblock(escapeLines(lines), 'plaintext');
  if (buttons.length === 0) return [text];
  const shown = buttons.map(({ title, command, args }) => {
    const encoded = encodeURIComponent(JSON.stringify(args)).replaceAll('(', '%28').replaceAll(')', '%29');
    return `[${title}](command:${command}?${encoded})`;
  });
  const links = new vscode.MarkdownString(shown.join(' | '));
  links.isTrusted = { enabledCommands: buttons.map(({ command }) => command) };
  return [text, links];
}

/** The URI of rows whose period ends within a day. It only carries their color. */
export const soonUri = vscode.Uri.from({ scheme: 'chain-inspector-soon', path: '/' });

/** Colors rows that end soon. The color is one of VS Code that stays legible in dimmed descriptions. */
export function decorateRows(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === soonUri.scheme
        ? { color: new vscode.ThemeColor('gitDecoration.modifiedResourceForeground') }
        : undefined,
  });
}
