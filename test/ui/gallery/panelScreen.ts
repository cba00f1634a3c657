import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, FrameLocator, Locator } from 'playwright-core';
import type { Editor } from '../../support/editor.ts';
import { actUntil } from '../../support/editorWait.ts';

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

  /** Opens a proposal by its id; the tests of Go to Proposal or Denom… type it. */
  async open(id: number): Promise<void> {
    const { quickInput } = this.#editor;
    const opened = this.#editor.execute('chainInspector.goTo', `#${id}`);
    await quickInput.choose(new RegExp(`#${id}\\b`));
    await opened;
    await this.shows(id);
  }

  /** A button in the title of the panel, by its name. */
  action(name: string): Locator {
    const actions = this.#editor.page.locator('.editor-group-container.active .editor-actions .action-label:visible');
    return actions.and(this.#editor.page.locator(`[aria-label="${name}"], [aria-label^="${name} ("]`));
  }

  /** Presses it until that is done: the buttons are drawn again some time after a page is, which may lose a click. */
  async press(name: string, isDone: () => Promise<boolean>): Promise<void> {
    await this.click(this.action(name), isDone);
  }

  /** The same for what is clicked on the page. */
  async click(place: Locator, isDone: () => Promise<boolean>): Promise<void> {
    await place.waitFor();
    await actUntil(this.#editor.page, () => place.click(), `a click on ${place} to do its work`, isDone);
  }

  /** The same in the menu behind the last button of the title, which a page that takes the focus closes. */
  async pressMore(name: string, isDone: () => Promise<boolean>): Promise<void> {
    const item = this.#editor.page.getByRole('menuitem', { name });
    const take = async () => {
      if (!(await item.isVisible())) await this.action('More Actions...').click();
      await item.hover();
      await item.press('Enter');
    };
    await actUntil(this.#editor.page, take, `${name} to do its work`, isDone);
  }

  /** Presses what copies until the clipboard holds that. */
  async copy(name: string, text: RegExp): Promise<void> {
    await this.pressMore(name, async () => text.test(await this.#editor.clipboard()));
  }

  /** Presses a key until it has done its work. */
  async key(key: string, isDone: () => Promise<boolean>): Promise<void> {
    await actUntil(this.#editor.page, () => this.#editor.page.keyboard.press(key), `${key} to do its work`, isDone);
  }

  /** Watches what the panel shows, and stops to. */
  async watchAndUnwatch(): Promise<void> {
    await this.press('Watch', () => this.action('Unwatch').isVisible());
    await this.press('Unwatch', () => this.action('Watch').isVisible());
  }

  /** Whether the heading is that of a proposal. */
  async isOn(id: number): Promise<boolean> {
    return this.#headingOf(id).isVisible();
  }

  #headingOf(id: number): Locator {
    return this.page.locator('h1 .id', { hasText: new RegExp(`^#${id} $`) });
  }

  /** Marks what was read, so that `wasRead` notices when it is read again. */
  async markRead(): Promise<void> {
    await this.page.locator('footer time').evaluate((time) => time.setAttribute('datetime', 'old'));
  }

  async wasRead(): Promise<void> {
    await this.page.locator('footer time:not([datetime=old])').waitFor();
  }

  /** Has the proposal read again, without taking the focus. */
  async readAgain(): Promise<void> {
    await this.markRead();
    await this.#editor.execute('chainInspector.refreshProposal');
    await this.wasRead();
  }

  /** Waits until a proposal is there with all that belongs to it. */
  async shows(id: number): Promise<void> {
    await this.#headingOf(id).waitFor();
    await this.page.locator('footer time').waitFor();
    await this.page.getByText('Loading the gov parameters…').waitFor({ state: 'detached' });
  }

  /** Makes the editor and its page wear a theme. */
  async wear(theme: ThemeName): Promise<void> {
    await this.#editor.setSettings({ 'workbench.colorTheme': themes[theme] });
    await this.page.locator(`body.${themeClasses[theme]}`).waitFor({ state: 'attached' });
  }

  /** The page as a screen reader has it: roles, names and texts. */
  async text(): Promise<string> {
    return this.page.locator('body').ariaSnapshot();
  }

  /** The frame that the page lives in. */
  async frame(): Promise<Frame> {
    const body = await this.page.locator('body').elementHandle();
    const frame = await body?.ownerFrame();
    if (!frame) throw new Error('The panel has no page.');
    return frame;
  }

  /** The findings of axe, one line each: by all of its rules, or by the rule of contrast, which is about colors. */
  async axe(rules: 'all' | 'contrast' = 'all'): Promise<readonly string[]> {
    const frame = await this.frame();
    if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(axeSource);
    // Only the page: the editor's own frames are not ours.
    const found: unknown = await frame.evaluate(
      `axe.run(document.documentElement, ${JSON.stringify(rules === 'all' ? {} : { runOnly: ['color-contrast'] })}).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html).join(" ").slice(0, 300)))`,
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
