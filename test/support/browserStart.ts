import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './browserFind.ts';

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
];

/** Starts a browser without a window. On a busy machine a start can fail; it is tried once more. `close()` ends it. */
export async function startBrowser(): Promise<Browser> {
  const options = { executablePath: findBrowser(), args, timeout: 60_000 };
  return chromium.launch(options).catch(() => chromium.launch(options));
}
