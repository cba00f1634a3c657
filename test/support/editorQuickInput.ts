import type { Locator, Page } from 'playwright-core';
import { until } from './editorWait.ts';

/** The one box at the top of the window in which commands, choices and questions appear. */
export class QuickInput {
  /** The box itself, for all that has no method here. */
  readonly widget: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.widget = page.locator('.quick-input-widget:visible');
  }

  /** Runs a command by its title in the palette, category included. */
  async runCommand(title: string): Promise<void> {
    const text = `>${title}`;
    await until(
      this.#page,
      `"${title}" to be taken from the command palette`,
      async () => {
        const state = await this.#state();
        if (!state?.value.startsWith('>')) await this.#page.keyboard.press('F1');
        else if (state.value !== text) await this.type(text);
        // Enter takes the active item, which changes while the list is filtered.
        else if (state.active === title) await this.widget.locator('input.input').press('Enter');
        else if ((await this.items()).includes(title)) await this.widget.locator('input.input').press('ArrowDown');
        const now = await this.#state();
        return state?.active === title && now?.value !== text ? undefined : (now ?? 'The palette is not open');
      },
      (problem) => problem === undefined,
    );
  }

  /** Replaces what stands in the input field; waits for a box to be open. */
  async type(text: string): Promise<void> {
    await this.widget.locator('input.input').fill(text);
  }

  /** What stands in the input field. */
  async value(): Promise<string> {
    return this.widget.locator('input.input').inputValue();
  }

  /** The labels on offer, from the top; of a long list those that are drawn. */
  async items(): Promise<readonly string[]> {
    const rows = this.widget.locator('.quick-input-list [role="option"], .quick-input-list [role="checkbox"]');
    return rows.evaluateAll((all) =>
      all
        .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map((row) => row.querySelector('.label-name')?.textContent?.replaceAll('\u00a0', ' ') ?? ''),
    );
  }

  /** Waits for an item with this label and takes it. */
  async choose(label: string | RegExp): Promise<void> {
    const fits = (text: string) => (typeof label === 'string' ? text === label : label.test(text));
    const labels = await until(
      this.#page,
      `"${label}" among the choices`,
      () => this.items(),
      (all) => all.some(fits),
    );
    const text = labels.find(fits) ?? '';
    await this.#row(text).click();
  }

  /** Enter. */
  async accept(): Promise<void> {
    await this.widget.locator('input.input').press('Enter');
  }

  /** Escape, and waits until the box is gone. */
  async cancel(): Promise<void> {
    await this.widget.locator('input.input').press('Escape');
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** The words under the input field: a prompt, or why the input is refused. */
  async message(): Promise<string> {
    return (await this.widget.locator('.quick-input-message').textContent()) ?? '';
  }

  /** The title over the input field. */
  async title(): Promise<string> {
    return (await this.widget.locator('.quick-input-title').textContent()) ?? '';
  }

  /** What stands in the input field and which item Enter would take; undefined when no box is open. */
  async #state(): Promise<{ readonly value: string; readonly active: string | undefined } | undefined> {
    const states = this.widget.evaluateAll((all) =>
      all.map((one) => ({
        value: String(one.querySelector('input.input')?.value ?? ''),
        active: one.querySelector('.monaco-list-row.focused .label-name')?.textContent?.replaceAll('\u00a0', ' '),
      })),
    );
    // The command may reload the page.
    return states.then(
      ([state]) => state,
      () => undefined,
    );
  }

  #row(label: string): Locator {
    const name = this.#page.locator('.label-name').getByText(label, { exact: true });
    return this.widget.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first();
  }
}
