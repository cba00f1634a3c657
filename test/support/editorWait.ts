import { join } from 'node:path';
import { errors, type Page } from 'playwright-core';
import { projectFolder } from './folders.ts';

/** Saves what the page shows as `artifacts/ui/NAME.png` and gives the file's path. */
export async function saveScreenshot(page: Page, name: string): Promise<string> {
  const path = join(projectFolder, 'artifacts/ui', `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)}.png`);
  await page.screenshot({ path, timeout: 20_000 });
  return path;
}

/** How long waits on a page last, in milliseconds, and how many of them run. */
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

/** Milliseconds for one click, hover or key inside a loop, which looks again and repeats it: what it is meant for may be gone. */
const actionLimit = 2_000;

/** Lets waits on this page last 25 seconds, or five times as long as its workbench took to appear. */
export function limitWaits(page: Page, started: number): void {
  const patience = patienceOf(page);
  patience.limit = Math.max(25_000, 5 * started);
  page.setDefaultTimeout(patience.limit);
}

/** A wait that has ended without what it waited for. */
class WaitError extends Error {}

/**
 * Reads something from the page until it is accepted, and gives it. Looks again when the page changes. After `timeout`
 * (that of the page, see `limitWaits`; a fifth of it inside `actUntil`) it throws an error with the last thing read, the one
 * that was not accepted; the hook of editor.ts adds what was on the screen. What `read` does to the page is given up after
 * two seconds and done again.
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
      // A seventh of what the same takes by a locator.
      await page.evaluate(change);
    }
  } finally {
    patience.loops -= 1;
    if (patience.loops === 0) page.setDefaultTimeout(patience.limit);
  }
}

/** What was read, or how an action or a wait on the way to it ended too late. Other errors are thrown. */
async function attempt<T>(read: () => Promise<T>): Promise<{ readonly value: T } | { readonly failure: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof WaitError || error instanceof errors.TimeoutError) return { failure: error.message };
    throw error;
  }
}

/**
 * Acts until something is so, at each fifth of a wait. While the editor draws anew a click or a key may be lost, and one too
 * many takes the first back. An act that did not come to its end is done again at once; the error of the wait tells of it.
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

/** In the page: resolves with its next change; after a moment anyway, as one may have come before we looked. */
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

/** What the workbench and its webviews show, what has the focus, and the path of a screenshot. */
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
