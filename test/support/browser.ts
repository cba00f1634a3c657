import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** First one that draws no window around a page, which takes a quarter of an editor's start. */
const names = [
  ...['chromium-headless-shell', 'google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'],
  ...['microsoft-edge-stable', 'microsoft-edge'],
];

/** Where Chrome, Chromium and Edge install themselves outside of `PATH`. */
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined
      ? []
      : [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Microsoft/Edge/Application/msedge.exe')],
  ),
];

/**
 * A browser of the Chromium family to drive: `CHROME_PATH`, else an installed one, else Debian's package where we may
 * install it, else playwright's own download. Throws one sentence that says what to do when there is none.
 */
export function findBrowser(): string {
  const said = process.env.CHROME_PATH;
  if (said) {
    if (existsSync(said)) return said;
    throw new Error(`CHROME_PATH names ${said}, which does not exist.`);
  }
  const found = installed() ?? debianPackage() ?? ownDownload();
  if (found !== undefined) return found;
  throw new Error('No browser was found and none could be installed: install Chrome or Chromium, or set CHROME_PATH.');
}

function installed(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...places].find((file) => existsSync(file));
}

function debianPackage(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  console.error('Installing a browser…');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', '-y', ...args], { env, stdio: ['ignore', 'ignore', 2], timeout: 600_000 });
  apt('update');
  // Old releases have no package of the first.
  for (const name of ['chromium-headless-shell', 'chromium'])
    if (installed() === undefined) apt('install', '--no-install-recommends', name, 'fonts-dejavu-core');
  return installed();
}

function ownDownload(): string | undefined {
  if (!existsSync(chromium.executablePath())) {
    console.error('Downloading a browser…');
    const cli = join(import.meta.dirname, '../../node_modules/playwright-core/cli.js');
    spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 2, 2], timeout: 600_000 });
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** Starts a browser without a window. On a busy machine a start can fail; it is tried once more. `close()` ends it. */
export async function startBrowser(): Promise<Browser> {
  const options = { executablePath: findBrowser(), args: ['--disable-gpu', '--disable-quic'], timeout: 60_000 };
  return chromium.launch(options).catch(() => chromium.launch(options));
}
