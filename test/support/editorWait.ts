import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '../../artifacts/ui');

/** Saves what the page shows as `artifacts/ui/NAME.png` and gives the file's path. */
export async function saveScreenshot(page: Page, name: string): Promise<string> {
  const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)}.png`);
  await page.screenshot({ path, timeout: 20_000 });
  return path;
}

/**
 * Reads something from the page until it is accepted, and gives it. Looks again when the page changes. After `timeout`
 * (a minute) it throws an error with the last thing read and what was on the screen, and saves a screenshot.
 */
export async function until<T>(
  page: Page,
  what: string,
  read: () => Promise<T>,
  accept: (value: T) => boolean,
  timeout = 60_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() >= end) throw await timedOut(page, what, value, timeout);
    await nextChange(page);
  }
}

/** Resolves with the next change of the page; after half a second anyway, as one may have come before we looked. */
async function nextChange(page: Page): Promise<void> {
  await page.locator('body').evaluate(
    (body) =>
      new Promise<void>((resolve) => {
        const done = () => {
          observer.disconnect();
          clearTimeout(timer);
          resolve();
        };
        const observer = new body.ownerDocument.defaultView.MutationObserver(done);
        const timer = setTimeout(done, 500);
        observer.observe(body, { subtree: true, childList: true, characterData: true, attributes: true });
      }),
  );
}

async function timedOut(page: Page, what: string, value: unknown, timeout: number): Promise<Error> {
  const shot = await saveScreenshot(page, `timeout ${what}`).catch((error: unknown) => `none (${error})`);
  const shown = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  const lines = [
    `Waited ${timeout / 1000} s for ${what}. Last seen:\n${shown}`,
    `On the screen:\n${await screenText(page).catch(String)}`,
    `Screenshot: ${shot}`,
  ];
  return new Error(lines.join('\n'));
}

/** The parts of the workbench that have something to say, as text. */
async function screenText(page: Page): Promise<string> {
  const parts = ['.part.sidebar', '.part.editor .tabs-container', '.quick-input-widget', '.notifications-toasts'];
  const texts = await Promise.all(
    [...parts, '.part.statusbar'].map(async (part) => {
      const text = await page.locator(`${part}:visible`).allInnerTexts();
      return `  ${part}: ${text
        .join(' | ')
        .replaceAll(/\s*\n\s*/g, ' | ')
        .trim()}`;
    }),
  );
  return texts.join('\n');
}
