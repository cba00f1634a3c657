import type { Locator, Page } from 'playwright-core';
import { actUntil, until } from './editorWait.ts';

/** A row of a tree as it is on the screen. */
export interface TreeRow {
  /** 1 for the roots. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** Undefined for a row without children. */
  readonly expanded: boolean | undefined;
  readonly selected: boolean;
}

/** A tree view of the side bar. The editor draws only the rows that fit; the methods here scroll to see them all. */
export class TreeView {
  /** The whole section: header with its actions, message, rows. */
  readonly section: Locator;
  /** The section's header: hover it to have its actions, which are `.getByRole('button', { name })`. */
  readonly header: Locator;
  readonly #page: Page;
  readonly #name: string;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
    this.section = page.locator('.part.sidebar .pane', {
      has: page.locator(`.pane-header[aria-label^="${name} Section"], .pane-header[aria-label^="${name} - "]`),
    });
    this.header = this.section.locator('.pane-header');
  }

  /** Expands the section itself when it is folded. */
  async open(): Promise<void> {
    await this.section.waitFor();
    if ((await this.header.getAttribute('aria-expanded')) === 'false') await this.header.click();
    await this.section.locator('.pane-body').waitFor();
  }

  /** All rows, from the first to the last, also those outside of the visible part. */
  async rows(): Promise<readonly TreeRow[]> {
    const list = this.section.locator('.monaco-list').first();
    return list.evaluateAll(async ([element]) => {
      if (element === undefined) return [];
      const { WheelEvent, requestAnimationFrame } = element.ownerDocument.defaultView;
      const found = new Map<number, TreeRow>();
      const area = element.querySelector('.monaco-scrollable-element');
      // Rows are drawn some frames after the wheel has turned; a busy window may lose a turn.
      const scrollUntil = async (deltaY: number, done: () => boolean) => {
        for (let frame = 0; frame < 120 && !done(); frame++) {
          const wheel = new WheelEvent('wheel', { deltaY, wheelDeltaY: -deltaY, bubbles: true, cancelable: true });
          if (frame % 20 === 0) area?.dispatchEvent(wheel);
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      };
      const first = () => element.querySelector('.monaco-list-rows > .monaco-list-row[data-index="0"]') !== null;
      const read = () => {
        let last = true;
        for (const row of element.querySelectorAll('.monaco-list-rows > .monaco-list-row')) {
          const expanded = row.getAttribute('aria-expanded');
          found.set(Number(row.getAttribute('data-index')), {
            level: Number(row.getAttribute('aria-level')),
            label: row.querySelector('.label-name')?.textContent ?? '',
            description: row.querySelector('.label-description')?.textContent ?? '',
            expanded: expanded === null ? undefined : expanded === 'true',
            selected: row.getAttribute('aria-selected') === 'true',
          });
          last = row.getAttribute('data-last-element') === 'true';
        }
        return last;
      };
      const toTop = () => scrollUntil(-10_000_000, first);
      if (element.querySelector('.monaco-list-row') === null) return [];
      await toTop();
      while (!read()) {
        const next = `.monaco-list-rows > .monaco-list-row[data-index="${found.size}"]`;
        const drawn = () => element.querySelector(next) !== null;
        // The list moves by less than half of what the wheel says: at most a page less two rows.
        await scrollUntil(Math.max(44, 2 * (element.clientHeight - 44)), drawn);
        if (!drawn()) break;
      }
      await toTop();
      return [...found].sort(([a], [b]) => a - b).map(([, row]) => row);
    });
  }

  /**
   * The tree as text: a line for each row, two spaces of indent for each level, then the label and, after two more
   * spaces, the description.
   */
  async text(): Promise<string> {
    return toText(await this.rows());
  }

  /** Waits until the tree's text (see `text`) equals, matches or satisfies this, and gives it. */
  async waitForText(expected: string | RegExp | ((text: string) => boolean)): Promise<string> {
    const accept = (text: string) => {
      if (typeof expected === 'string') return text === expected;
      return typeof expected === 'function' ? expected(text) : expected.test(text);
    };
    const wanted = typeof expected === 'function' ? 'to satisfy a condition' : `to be\n${expected}\n`;
    return until(this.#page, `the tree ${this.#name} ${wanted}`, () => this.text(), accept);
  }

  /** Waits until a row with this label is there, scrolls it into view and gives it, to be clicked or hovered. */
  async row(label: string | RegExp): Promise<Locator> {
    // By what it was asked for: its place is another row's when something appears above, and its text may be completed late.
    const hasText = typeof label === 'string' ? new RegExp(`^${escaped(label)}$`) : label;
    const named = this.#page.locator('.label-name', { hasText });
    const place = (level: number) =>
      this.section
        .locator(`.monaco-list-rows > .monaco-list-row[aria-level="${level}"]`)
        .filter({ has: named })
        .first();
    let level = 1;
    await until(
      this.#page,
      `a row ${label} in ${this.#name}`,
      async () => {
        const rows = await this.rows();
        const index = rows.findIndex(called(label));
        if (index < 0) return toText(rows);
        await this.#scrollTo(index);
        level = rows[index]?.level ?? 1;
        return (await place(level).isVisible()) ? undefined : toText(rows);
      },
      (missing) => missing === undefined,
    );
    return place(level);
  }

  /** Clicks the row with this label, and again while another one is selected: rows may shift between look and click. */
  async click(label: string | RegExp): Promise<void> {
    const place = await this.row(label);
    await place.click();
    // Gone with the click counts as well.
    const isTaken = () => place.evaluateAll((all) => all.every((row) => row.ariaSelected === 'true'));
    await actUntil(this.#page, () => place.click(), `${label} to be selected`, isTaken);
  }

  /** Expands the row with this label, when it is not expanded, and waits until a row below it is there. */
  async expand(label: string | RegExp): Promise<void> {
    const header = await this.row(label);
    const isSo = async () => (await header.getAttribute('aria-expanded')) === 'true';
    const twistie = header.locator('.monaco-tl-twistie');
    await actUntil(this.#page, () => twistie.click(), `${label} to be expanded`, isSo);
    const fits = called(label);
    const hasChild = (row: TreeRow, next: TreeRow | undefined) => fits(row) && (next?.level ?? 0) > row.level;
    await until(
      this.#page,
      `a row below ${label}`,
      () => this.rows(),
      (rows) => rows.some((row, at) => hasChild(row, rows[at + 1])),
    );
  }

  /** Clicks a button of a row (an inline action, by its title) until that has done it: one of a row that is read anew does nothing. */
  async action(label: string | RegExp, title: string, isDone: () => Promise<boolean>): Promise<void> {
    const click = async () => {
      const row = await this.row(label);
      const button = row.locator(`.actions .action-label[aria-label^="${title}"]`);
      await until(this.#page, `${title} on ${label}`, () => row.hover().then(() => button.isVisible()), Boolean);
      await button.click();
    };
    await actUntil(this.#page, click, `${title} on ${label} to be done`, isDone);
  }

  async #scrollTo(index: number): Promise<void> {
    const list = this.section.locator('.monaco-list').first();
    await list.evaluate(async (element, wanted) => {
      const { WheelEvent, requestAnimationFrame } = element.ownerDocument.defaultView;
      const rowAt = () => element.querySelector(`.monaco-list-rows > .monaco-list-row[data-index="${wanted}"]`);
      const area = element.querySelector('.monaco-scrollable-element');
      const box = element.getBoundingClientRect();
      const firstDrawn = () => Number(element.querySelector('.monaco-list-rows > *')?.getAttribute('data-index'));
      for (let frame = 0; frame < 3000; frame++) {
        const row = rowAt()?.getBoundingClientRect();
        if (row !== undefined && row.top >= box.top && row.bottom <= box.bottom) return;
        const isAbove = row === undefined ? wanted < firstDrawn() : row.top < box.top;
        const deltaY = (isAbove ? -1 : 1) * Math.max(22, element.clientHeight / (row === undefined ? 1 : 4));
        const wheel = new WheelEvent('wheel', { deltaY, wheelDeltaY: -deltaY, bubbles: true, cancelable: true });
        // Drawn a frame or two after the wheel has turned.
        if (frame % 3 === 0) area?.dispatchEvent(wheel);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, index);
  }
}

/** See `TreeView.text`. */
export function toText(rows: readonly TreeRow[]): string {
  return rows
    .map(({ level, label, description }) => {
      const indent = '  '.repeat(level - 1);
      return `${indent}${label}${description === '' ? '' : `  ${description}`}`;
    })
    .join('\n');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function called(label: string | RegExp): (row: TreeRow) => boolean {
  return (row) => (typeof label === 'string' ? row.label === label : label.test(row.label));
}
