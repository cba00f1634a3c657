import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, FrameLocator, Locator } from 'playwright-core';
import type { Editor } from '../../support/editor.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The four looks that a panel must do well in, by the theme's name. */
export const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const;

export type ThemeName = keyof typeof themes;

const themeClasses: Readonly<Record<ThemeName, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  'high-contrast': 'vscode-high-contrast:not(.vscode-high-contrast-light)',
  'high-contrast-light': 'vscode-high-contrast-light',
};

const mostLines = 150;

/** The proposal panel of an editor, as a person sees and uses it. */
export class PanelScreen {
  readonly #editor: Editor;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  get page(): FrameLocator {
    return this.#editor.webview();
  }

  get heading(): Locator {
    return this.page.locator('h1');
  }

  /** Writes a state file into the workspace and makes it the source that is shown. */
  async showState(name: string, json: string): Promise<void> {
    const path = join(this.#editor.workspace, name);
    await writeFile(path, json);
    await this.#editor.setSettings({ 'chainInspector.baseUrl': pathToFileURL(path).href });
  }

  /** Opens a proposal by its id, from the palette. */
  async open(id: number): Promise<void> {
    await this.#editor.openContainer('Chain Inspector');
    // A page that has just been drawn may take the focus, and the input box closes without it: then once more.
    await this.#lookUp(id).catch(() => this.#lookUp(id));
    await this.shows(id);
  }

  async #lookUp(id: number): Promise<void> {
    const { page, quickInput } = this.#editor;
    await quickInput.runCommand('Chain Inspector: Look Up…');
    const title = page.locator('.quick-input-title', { hasText: /^Look up in / });
    const box = quickInput.widget.filter({ has: title });
    await box.locator('input.input').fill(String(id), { timeout: 15_000 });
    const item = box.locator('.quick-input-list .monaco-list-row', { hasText: new RegExp(`#${id}\\b`) });
    await item.first().click({ timeout: 15_000 });
  }

  /** Presses a button of the page, by its name. */
  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Waits until a proposal is there with all that belongs to it. */
  async shows(id: number): Promise<void> {
    await this.page.locator('h1 .id', { hasText: new RegExp(`^#${id} $`) }).waitFor();
    await this.page.locator('footer time').waitFor();
    await this.page.getByText('Reading the rules of the vote…').waitFor({ state: 'detached' });
  }

  /** Makes the editor wear a theme. */
  async wear(theme: ThemeName): Promise<void> {
    await this.#editor.setSettings({ 'workbench.colorTheme': themes[theme] });
  }

  /** Waits until the page wears a theme. */
  async wears(theme: ThemeName): Promise<void> {
    await this.page.locator(`body.${themeClasses[theme]}`).waitFor({ state: 'attached' });
  }

  /** The page as a screen reader has it: roles, names and texts. What depends on the day of the test is masked. */
  async text(): Promise<string> {
    const lines = (await this.page.locator('body').ariaSnapshot()).split('\n');
    // Rows say what their cells say; the buttons are the same on every page.
    const telling = lines.filter((line) => !/^\s*- (?:cell|columnheader|rowgroup|button)\b/.test(line));
    const shown = telling.slice(0, mostLines).map((line) => maskTimes(shortened(line)));
    return [...shown, ...(telling.length > mostLines ? [`… ${telling.length - mostLines} more lines`] : [])].join('\n');
  }

  /** The frame that the page lives in. */
  async frame(): Promise<Frame> {
    const body = await this.page.locator('body').elementHandle();
    const frame = await body?.ownerFrame();
    if (!frame) throw new Error('The panel has no page.');
    return frame;
  }

  /** What axe finds, one line each. */
  async axe(): Promise<readonly string[]> {
    const frame = await this.frame();
    if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(axeSource);
    // Only the page: the editor's own frames are not ours.
    const found: unknown = await frame.evaluate(
      'axe.run(document.documentElement).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html).join(" ").slice(0, 300)))',
    );
    return Array.isArray(found) ? found.map(String) : [String(found)];
  }

  /** Whether anything sticks out of the page to the side. */
  async overflow(): Promise<number> {
    return this.page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  }

  async screenshot(name: string): Promise<void> {
    await this.#editor.screenshot(name);
  }
}

/** Very long lines by their beginning and length. */
function shortened(line: string): string {
  return line.length > 400 ? `${line.slice(0, 300)}… (${line.length} characters)` : line;
}

/** Local times are left out; times after the sample chain's own are those of the test. */
function maskTimes(line: string): string {
  const utc = /time: .*?(\w{3} \d{1,2}, \d{4}), (\d{1,2}:\d{2}\s[AP]M) UTC$/.exec(line);
  const [whole, day = '', clock = ''] = utc ?? [];
  if (whole === undefined) return line;
  const said = Date.parse(day) > Date.parse('2026-06-01') ? '(now)' : `${day}, ${clock.replace(/\s/, ' ')} UTC`;
  return line.replace(whole, `time: ${said}`);
}
