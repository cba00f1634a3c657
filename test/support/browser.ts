import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The first browser draws no window around a page, which saves a quarter of an editor's start. */
const names = [
  ...['chromium-headless-shell', 'google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'],
  ...['microsoft-edge-stable', 'microsoft-edge'],
];

/** Places outside `PATH` where Chrome, Chromium and Edge are installed. */
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
 * Finds a browser of the Chromium family: `CHROME_PATH`, otherwise an installed one, otherwise Debian's package if it
 * can be installed, otherwise playwright's download. Throws one sentence that says what to do if there is none.
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
  // Old releases do not have the first package.
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

/** Starts a browser without a window. Tries once more, since a start can fail on a busy machine. `close()` ends it. */
export async function startBrowser(): Promise<Browser> {
  const options = { executablePath: findBrowser(), args: ['--disable-gpu', '--disable-quic'], timeout: 60_000 };
  return chromium.launch(options).catch(() => chromium.launch(options));
}
