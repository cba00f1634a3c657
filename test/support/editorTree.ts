import type { Locator, Page } from 'playwright-core';
import { actUntil, until } from './editorWait.ts';

/** A row of a tree on the screen. */
export interface TreeRow {
  /** The level, 1 for rows at the root. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** Undefined for a row without children. */
  readonly expanded: boolean | undefined;
  readonly selected: boolean;
}

/** A row that is drawn at the moment. */
interface DrawnRow extends TreeRow {
  /** The place among all rows of the tree, from 0. */
  readonly index: number;
  readonly isLast: boolean;
  readonly isFocused: boolean;
  /** Whether the row is fully visible, and not covered by sticky rows at the top. */
  readonly isWhole: boolean;
}

/**
 * A tree view of the side bar. The editor draws only visible rows. `rows` scrolls to read all of them, and methods for
 * one row go to it by `row`.
 */
export class TreeView {
  /** The whole section: header with actions, message, rows. */
  readonly section: Locator;
  /** The header of the section. Hover it to see its actions, which are `.getByRole('button', { name })`. */
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

  /** Expands the section if it is collapsed. */
  async open(): Promise<void> {
    await this.section.waitFor();
    if ((await this.header.getAttribute('aria-expanded')) === 'false') await this.header.click();
    await this.section.locator('.pane-body').waitFor();
  }

  /** All rows from first to last, also those outside the visible part. */
  async rows(): Promise<readonly TreeRow[]> {
    const list = this.section.locator('.monaco-list').first();
    return list.evaluateAll(async ([element]) => {
      if (element === undefined) return [];
      const { WheelEvent, performance, requestAnimationFrame } = element.ownerDocument.defaultView;
      const found = new Map<number, TreeRow>();
      const area = element.querySelector('.monaco-scrollable-element');
      // Rows are drawn a few frames after the wheel has turned, and a busy window may lose a turn. The caller reads
      // again.
      const scrollUntil = async (deltaY: number, done: () => boolean) => {
        const end = performance.now() + 2_000;
        for (let frame = 0; performance.now() < end && !done(); frame++) {
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
        // The list moves by less than half of the wheel's distance, so by at most a page less two rows.
        await scrollUntil(Math.max(44, 2 * (element.clientHeight - 44)), drawn);
        if (!drawn()) break;
      }
      await toTop();
      return [...found].sort(([a], [b]) => a - b).map(([, row]) => row);
    });
  }

  /**
   * The tree as text. Each row is a line: two spaces of indentation for each level, the label, two spaces, and the
   * description.
   */
  async text(): Promise<string> {
    return toText(await this.rows());
  }

  /** Waits until the text of the tree equals, matches or satisfies `expected`, and resolves with it. */
  async waitForText(expected: string | RegExp | ((text: string) => boolean)): Promise<string> {
    const accept = (text: string) => {
      if (typeof expected === 'string') return text === expected;
      return typeof expected === 'function' ? expected(text) : expected.test(text);
    };
    const wanted = typeof expected === 'function' ? 'to satisfy a condition' : `to be\n${expected}\n`;
    return until(this.#page, `the tree ${this.#name} ${wanted}`, () => this.text(), accept);
  }

  /**
   * Waits for a row with this label, and resolves with it, to click or hover. Uses the keys of the tree to reach a row
   * out of sight. Finds it by label and never by place, since places change when a row appears above.
   */
  async row(label: string | RegExp): Promise<Locator> {
    const hasText = typeof label === 'string' ? new RegExp(`^${escaped(label)}$`) : label;
    const named = this.#page.locator('.label-name', { hasText });
    const { level } = await this.#goTo(label);
    return this.section
      .locator(`.monaco-list-rows > .monaco-list-row[aria-level="${level}"]`)
      .filter({ has: named })
      .first();
  }

  /**
   * Clicks the row with this label. Clicks again while another row is selected, since rows may move before the click.
   */
  async click(label: string | RegExp): Promise<void> {
    const fits = called(label);
    let isClicked = false;
    const click = async () => {
      await (await this.row(label)).click();
      isClicked = true;
    };
    // A row that the click removed also counts.
    const isTaken = async () => isClicked && (await this.#drawn()).filter(fits).every(({ selected }) => selected);
    await actUntil(this.#page, click, `${label} to be selected`, isTaken);
  }

  /** Expands the row with this label, and waits for a row below it. */
  async expand(label: string | RegExp): Promise<void> {
    const fits = called(label);
    const click = async () => {
      const row = await this.row(label);
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
    };
    const hasChild = (row: TreeRow, next: TreeRow | undefined) => fits(row) && (next?.level ?? 0) > row.level;
    const isSo = async () => (await this.rows()).some((row, at, rows) => hasChild(row, rows[at + 1]));
    await actUntil(this.#page, click, `a row below ${label}`, isSo);
  }

  /**
   * Clicks a button of a row (an inline action, by its title) until `isDone`. The button of a row that is being redrawn
   * does nothing.
   */
  async action(label: string | RegExp, title: string, isDone: () => Promise<boolean>): Promise<void> {
    const click = async () => {
      const row = await this.row(label);
      const button = row.locator(`.actions .action-label[aria-label^="${title}"]`);
      await until(this.#page, `${title} on ${label}`, () => row.hover().then(() => button.isVisible()), Boolean);
      await button.click();
    };
    await actUntil(this.#page, click, `${title} on ${label} to be done`, isDone);
  }

  /** Presses a key on the row with this label, which gets the focus first. */
  async press(label: string | RegExp, key: string): Promise<void> {
    await this.#goTo(label, ({ isWhole, isFocused }) => isWhole && isFocused);
    await this.#press(key);
  }

  /** Waits for this row, and brings it into sight, or to a place that is accepted. */
  async #goTo(
    label: string | RegExp,
    accept: (row: DrawnRow) => boolean = ({ isWhole }) => isWhole,
  ): Promise<DrawnRow> {
    const seen = new Map<number, TreeRow>();
    const what = `a row ${label} in ${this.#name}`;
    const read = () => this.#stepTo(called(label), accept, seen);
    const found = await until(this.#page, what, read, (step) => typeof step !== 'string');
    if (typeof found === 'string') throw new Error(found);
    return found;
  }

  /**
   * Takes one look at the drawn rows. Gives the wanted row if it is accepted. Otherwise presses a key towards it, and
   * gives the text of the rows since the first one, which `seen` collects.
   */
  async #stepTo(
    fits: (row: TreeRow) => boolean,
    accept: (row: DrawnRow) => boolean,
    seen: Map<number, TreeRow>,
  ): Promise<DrawnRow | string> {
    const drawn = await this.#drawn();
    const wanted = drawn.find(fits);
    if (wanted && accept(wanted)) return wanted;
    const [first] = drawn;
    const last = drawn.at(-1);
    if (first === undefined || last === undefined) return 'no row';
    // Begins again at the top, or if rows were skipped.
    if (first.index === 0 || first.index > seen.size) seen.clear();
    for (const row of drawn) if (row.index <= seen.size) seen.set(row.index, row);
    const text = toText([...seen.values()]);
    const focused = drawn.find(({ isFocused }) => isFocused);
    if (wanted && focused) await this.#press(focused.index < wanted.index ? 'ArrowDown' : 'ArrowUp');
    else if (wanted || first.index > 0 || !last.isLast)
      await this.#press(seen.size === 0 || last.isLast || focused === undefined ? 'Home' : 'PageDown');
    return text;
  }

  /** Focuses the tree and presses a key. Resolves when the tree has moved, which takes it one turn. */
  async #press(key: string): Promise<void> {
    await this.section.locator('.monaco-list').first().press(key);
    await this.#page.evaluate('new Promise((resolve) => setTimeout(resolve))');
  }

  /** The drawn rows from the top, read at once. */
  async #drawn(): Promise<readonly DrawnRow[]> {
    const list = this.section.locator('.monaco-list').first();
    return list.evaluateAll(([element]) => {
      if (element === undefined) return [];
      const box = element.getBoundingClientRect();
      const sticky = [...element.querySelectorAll('.monaco-tree-sticky-row')];
      const top = Math.max(box.top, ...sticky.map((row) => row.getBoundingClientRect().bottom));
      return [...element.querySelectorAll('.monaco-list-rows > .monaco-list-row')]
        .map((row) => {
          const expanded = row.getAttribute('aria-expanded');
          const place = row.getBoundingClientRect();
          return {
            index: Number(row.getAttribute('data-index')),
            level: Number(row.getAttribute('aria-level')),
            label: row.querySelector('.label-name')?.textContent ?? '',
            description: row.querySelector('.label-description')?.textContent ?? '',
            expanded: expanded === null ? undefined : expanded === 'true',
            selected: row.getAttribute('aria-selected') === 'true',
            isLast: row.getAttribute('data-last-element') === 'true',
            isFocused: row.classList.contains('focused'),
            isWhole: place.top >= top - 1 && place.bottom <= box.bottom + 1,
          };
        })
        .sort((a, b) => a.index - b.index);
    });
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
