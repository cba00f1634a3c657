import { join } from 'node:path';
import { errors, type Page } from 'playwright-core';
import { projectFolder } from './folders.ts';

/** Saves the page as `artifacts/ui/NAME.png`. Resolves with the path. */
export async function saveScreenshot(page: Page, name: string): Promise<string> {
  const path = join(projectFolder, 'artifacts/ui', `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)}.png`);
  await page.screenshot({ path, timeout: 20_000 });
  return path;
}

/** The time limit of waits on a page, in milliseconds, and the number of running waits. */
interface Patience {
  limit: number;
  loops: number;
  acts: number;
}

const patiences = new WeakMap<Page, Patience>();

function patienceOf(page: Page): Patience {
  const patience = patiences.get(page) ?? { limit: 25_000, loops: 0, acts: 0 };
  patiences.set(page, patience);
  return patience;
}

/**
 * The limit for one click, hover or key in a loop, which looks again and repeats it. Its target may be gone. In
 * milliseconds.
 */
const actionLimit = 2_000;

/** Limits waits on this page to 25 seconds, or to five times the time in which its workbench appeared. */
export function limitWaits(page: Page, started: number): void {
  const patience = patienceOf(page);
  patience.limit = Math.max(25_000, 5 * started);
  page.setDefaultTimeout(patience.limit);
}

/** A wait that ended without its result. */
class WaitError extends Error {}

/**
 * Reads a value from the page until it is accepted, again after each change of the page. After `timeout` it throws an
 * error with the last value. The default is that of the page (see `limitWaits`), and a fifth of it inside `actUntil`.
 * The hook of editor.ts adds the content of the screen. An action in `read` is stopped after two seconds, and repeated.
 */
export async function until<T>(
  page: Page,
  what: string,
  read: () => Promise<T>,
  accept: (value: T) => boolean,
  timeout?: number,
): Promise<T> {
  const patience = patienceOf(page);
  const time = timeout ?? (patience.acts > 0 ? patience.limit / 5 : patience.limit);
  const end = Date.now() + time;
  patience.loops += 1;
  page.setDefaultTimeout(actionLimit);
  try {
    for (;;) {
      const tried = await attempt(read);
      if ('value' in tried && accept(tried.value)) return tried.value;
      if (Date.now() >= end) {
        const seen = 'value' in tried ? tried.value : tried.failure;
        const shown = typeof seen === 'string' ? seen : JSON.stringify(seen, undefined, 2);
        throw new WaitError(`Waited ${Math.round(time / 1000)} s for ${what}. Last seen:\n${shown}`);
      }
      // Takes a seventh of the time of the same by a locator.
      await page.evaluate(change);
    }
  } finally {
    patience.loops -= 1;
    if (patience.loops === 0) page.setDefaultTimeout(patience.limit);
  }
}

/** How the browser fails when a webview that is read is replaced meanwhile. */
const replaced = /Frame was detached|Execution context was destroyed/;

/**
 * The value that was read, or the message of an action or wait that ended too late, or whose frame was replaced. Other
 * errors are thrown.
 */
async function attempt<T>(read: () => Promise<T>): Promise<{ readonly value: T } | { readonly failure: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof WaitError || error instanceof errors.TimeoutError) return { failure: error.message };
    if (error instanceof Error && replaced.test(error.message)) return { failure: error.message };
    throw error;
  }
}

/**
 * Repeats an action until a condition holds, at each fifth of a wait. A click or key may be lost while the editor
 * redraws, and one too many would undo the first. An action that failed is repeated at once, and the error of the wait
 * names it.
 */
export async function actUntil(
  page: Page,
  act: () => Promise<unknown>,
  what: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const patience = patienceOf(page);
  let acted = Number.NEGATIVE_INFINITY;
  const look = async () => {
    if (await isSo()) return undefined;
    if (performance.now() - acted < patience.limit / 5) return 'it is not so since the last try';
    patience.acts += 1;
    const tried = await attempt(act).finally(() => {
      patience.acts -= 1;
    });
    if ('failure' in tried) return `the last try failed: ${tried.failure}`;
    acted = performance.now();
    return 'it was tried';
  };
  await until(page, what, look, (problem) => problem === undefined);
}

/** Code for the page. Resolves with its next change, or after a moment, since a change may have come before. */
const change = `new Promise((resolve) => {
  const done = () => {
    observer.disconnect();
    clearTimeout(timer);
    resolve();
  };
  const observer = new MutationObserver(done);
  const timer = setTimeout(done, 100);
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})`;

const parts = {
  'side bar': '.part.sidebar',
  tabs: '.part.editor .tabs-container .tab',
  'text editor': '.part.editor .view-lines',
  'quick input': '.quick-input-widget',
  notifications: '.notification-list-item-message',
  dialog: '.monaco-dialog-box',
  'status bar': '.part.statusbar',
};

/** Describes the screen: the texts of workbench and webviews, the focused element, and the path of a screenshot. */
export async function describeScreen(page: Page, name: string): Promise<string> {
  const oneLine = (texts: readonly string[]) =>
    texts
      .join(' || ')
      .replaceAll(/\s*\n\s*/g, ' | ')
      .trim()
      .slice(0, 1000);
  const shown = Object.entries(parts).map(async ([part, selector]) => {
    const texts = await page.locator(`${selector}:visible`).allInnerTexts();
    return `${part}: ${oneLine(texts)}`;
  });
  const quick = page.locator('.quick-input-widget:visible input.input').first();
  const focus = page.locator(':focus').first();
  const soon = { timeout: 1_000 };
  const lines = await Promise.all(
    [
      ...shown,
      quick.inputValue(soon).then((text) => `quick input holds: ${text}`),
      focus.evaluate((one) => `focus: ${one.localName}.${one.className} ${one.ariaLabel ?? ''}`, null, soon),
      ...page
        .frames()
        .filter((frame) => frame.url().includes('fake.html'))
        .map(async (frame) => `webview: ${oneLine(await frame.locator('body').allInnerTexts())}`),
      saveScreenshot(page, name).then((path) => `screenshot: ${path}`),
    ].map((line) => line.catch(() => '')),
  );
  return ['On the screen:', ...lines.filter((line) => line !== '')].join('\n  ');
}
