import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from './folders.ts';

/** Saves what the page shows as `artifacts/ui/NAME.png` and gives the file's path. */
export async function saveScreenshot(page: Page, name: string): Promise<string> {
  const path = join(projectFolder, 'artifacts/ui', `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)}.png`);
  await page.screenshot({ path, timeout: 20_000 });
  return path;
}

/** How long waits for something on a page last, in milliseconds. */
const limits = new WeakMap<Page, number>();

/** Lets waits on this page last 25 seconds, or five times as long as its workbench took to appear. */
export function limitWaits(page: Page, started: number): void {
  const limit = Math.max(25_000, 5 * started);
  limits.set(page, limit);
  page.setDefaultTimeout(limit);
}

/**
 * Reads something from the page until it is accepted, and gives it. Looks again when the page changes. After `timeout`
 * (that of the page, see `limitWaits`) it throws an error with the last thing read; the hook of editor.ts adds what was on the screen.
 */
export async function until<T>(
  page: Page,
  what: string,
  read: () => Promise<T>,
  accept: (value: T) => boolean,
  timeout?: number,
): Promise<T> {
  const time = timeout ?? limits.get(page) ?? 25_000;
  const end = Date.now() + time;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() >= end) {
      const shown = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
      throw new Error(`Waited ${Math.round(time / 1000)} s for ${what}. Last seen:\n${shown}`);
    }
    // A seventh of what the same takes by a locator.
    await page.evaluate(change);
  }
}

/** Acts until something is so, at each fifth of a wait. While the editor draws anew a click or a key may be lost, and one too many takes the first back. */
export async function actUntil(
  page: Page,
  act: () => Promise<unknown>,
  what: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  let acted = Number.NEGATIVE_INFINITY;
  const look = async () => {
    const done = await isSo();
    if (done || performance.now() - acted < (limits.get(page) ?? 25_000) / 5) return done;
    await act();
    acted = performance.now();
    return false;
  };
  await until(page, what, look, Boolean);
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
