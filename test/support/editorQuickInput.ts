import type { Locator, Page } from 'playwright-core';
import { until } from './editorWait.ts';

interface State {
  /** The text in the input field. */
  readonly value: string;
  /** The label of the item that Enter would accept. */
  readonly active: string | undefined;
  /** Whether several items can be checked. */
  readonly checks: boolean;
}

/** The time after which the list of the palette is filtered anew, in milliseconds. */
const staleAfter = 2_000;

/** The box at the top of the window, with commands, choices and questions. */
export class QuickInput {
  /** The box itself, for everything without a method here. */
  readonly widget: Locator;
  readonly #page: Page;
  readonly #openWith: (text: string) => Promise<void>;

  /** `openWith` opens the palette with a text in it. */
  constructor(page: Page, openWith: (text: string) => Promise<void>) {
    this.#page = page;
    this.#openWith = openWith;
    this.widget = page.locator('.quick-input-widget:visible');
  }

  /** Runs a command by its title in the palette, with its category. */
  async runCommand(title: string): Promise<void> {
    const text = `>${title}`;
    let filtered = Date.now();
    const take = async () => {
      const state = await this.#state();
      if (state === undefined) await this.#openWith(text);
      // Any other box is from an earlier action, and about to close.
      else if (state.value.startsWith('>') && state.value !== text) await this.type(text);
      // The palette asks which commands are enabled only when its text changes.
      else if (state.value === text && Date.now() - filtered > staleAfter) {
        filtered = Date.now();
        if (!(await this.items()).includes(title)) await this.type('>');
      }
      const isTaken = state?.value === text && (await this.#take(state, (label) => label === title));
      const now = await this.#state();
      return isTaken && now?.value !== text ? undefined : (now ?? 'The palette is not open');
    };
    const what = `"${title}" to be taken from the command palette`;
    await until(this.#page, what, take, (problem) => problem === undefined);
  }

  /** Waits until a box with this title is open. */
  async waitFor(title: RegExp): Promise<void> {
    const read = async () => ((await this.widget.isVisible()) ? this.title() : 'No box is open');
    await until(this.#page, `a box ${title}`, read, (text) => title.test(text));
  }

  /** Waits for an open box, and replaces the text in its input field. */
  async type(text: string): Promise<void> {
    await this.widget.locator('input.input').fill(text);
  }

  /** The text in the input field. */
  async value(): Promise<string> {
    return this.widget.locator('input.input').inputValue();
  }

  /** The labels of the items, from the top. A long list has only the items that are drawn. */
  async items(): Promise<readonly string[]> {
    const rows = this.widget.locator('.quick-input-list [role="option"], .quick-input-list [role="checkbox"]');
    return rows.evaluateAll((all) =>
      all
        .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map((row) => row.querySelector('.label-name')?.textContent?.replaceAll('\u00a0', ' ') ?? ''),
    );
  }

  /** Waits for an item with this label and accepts it. Checks it if several can be chosen. */
  async choose(label: string | RegExp): Promise<void> {
    const fits = (text: string) => (typeof label === 'string' ? text === label : label.test(text));
    await until(
      this.#page,
      `"${label}" among the choices`,
      async () => {
        const state = await this.#state();
        const items = await this.items();
        const text = items.find(fits);
        if (state === undefined || text === undefined) return items;
        if (!state.checks) return (await this.#take(state, fits)) ? undefined : items;
        await this.widget.locator('[role="checkbox"]', { hasText: text }).first().click();
        return undefined;
      },
      (items) => items === undefined,
    );
  }

  /**
   * Accepts the active item if it fits, otherwise activates the next one. Uses keys, since a click may hit another row
   * when the list changes. A list without an active item is still being drawn.
   */
  async #take(state: State, fits: (label: string) => boolean): Promise<boolean> {
    const input = this.widget.locator('input.input');
    if (state.active === undefined) return false;
    if (fits(state.active)) {
      await input.press('Enter');
      return true;
    }
    if ((await this.items()).some(fits)) await input.press('ArrowDown');
    return false;
  }

  /** Presses Enter. */
  async accept(): Promise<void> {
    await this.widget.locator('input.input').press('Enter');
  }

  /** Presses Escape, and waits until the box is gone. */
  async cancel(): Promise<void> {
    await this.widget.locator('input.input').press('Escape');
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** The title over the input field. */
  async title(): Promise<string> {
    return (await this.widget.locator('.quick-input-title').textContent()) ?? '';
  }

  /** Undefined if no box is open. */
  async #state(): Promise<State | undefined> {
    const states = this.widget.evaluateAll((all) =>
      all.map((one) => ({
        value: String(one.querySelector('input.input')?.value ?? ''),
        active: one.querySelector('.monaco-list-row.focused .label-name')?.textContent?.replaceAll('\u00a0', ' '),
        checks: one.querySelector('.quick-input-list [role="checkbox"]') !== null,
      })),
    );
    // The command may reload the page.
    return states.then(
      ([state]) => state,
      () => undefined,
    );
  }
}
