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

  /** Runs a command by its title in the palette, category included; begins anew when something takes the focus. */
  async runCommand(title: string): Promise<void> {
    const text = `>${title}`;
    const input = this.widget.locator('input.input');
    const value = () => input.inputValue({ timeout: 1_000 }).catch(() => undefined);
    await until(
      this.#page,
      `"${title}" to be taken from the command palette`,
      async () => {
        if (!(await this.widget.isVisible())) await this.#page.keyboard.press('F1');
        if ((await value()) !== text) await input.fill(text, { timeout: 1_000 }).catch(() => undefined);
        const items = await this.items();
        if (!items.includes(title)) return items;
        await this.#row(title)
          .click({ timeout: 5_000 })
          .catch(() => undefined);
        return (await value()) === text ? items : undefined;
      },
      (items) => items === undefined,
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
    await this.#page.keyboard.press('Escape');
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

  #row(label: string): Locator {
    const name = this.#page.locator('.label-name').getByText(label, { exact: true });
    return this.widget.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first();
  }
}
