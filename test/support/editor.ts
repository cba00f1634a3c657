import { format } from 'node:util';
import type { Browser, BrowserContext, Dialog, FrameLocator, Locator, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { driverFolder, type EditorDriver, type Harm, startEditorDriver } from './editorDriver.ts';
import { QuickInput } from './editorQuickInput.ts';
import {
  type EditorServer,
  type Profile,
  quietSettings,
  type ServerOptions,
  type Settings,
  startEditorServer,
} from './editorServer.ts';
import { TreeView } from './editorTree.ts';
import { actUntil, describeScreen, limitWaits, saveScreenshot, until } from './editorWait.ts';
import { projectFolder } from './folders.ts';
import { takePorts } from './servers.ts';

export interface EditorOptions extends ServerOptions, Profile {
  /** The folder of the extension under test. The project's own if neither this nor `vsix` is given. */
  readonly extensionPath?: string;
  /** The display language of extensions, such as `zh-cn`. The texts of the editor stay English. */
  readonly language?: string;
  /** A script whose `run()` is called in the extension host. `exited` then resolves with its result. */
  readonly testsPath?: string;
  /** Loads only the extension under test. `setSettings`, `setTheme` and `execute` do not work then. */
  readonly alone?: boolean;
  /** Receives each console line of such a run. */
  readonly onLog?: (line: string) => void;
  /** A window that no other test used. Only there, rows and views are expanded as at first. */
  readonly fresh?: true;
}

/** The editor's server, and a browser that shows it. All windows of a process share them. */
interface Backend {
  readonly server: EditorServer;
  readonly driver: EditorDriver | undefined;
  readonly context: BrowserContext;
  dispose(): Promise<void>;
}

const viewport = { width: 1280, height: 900 };

async function startBackend(options: EditorOptions): Promise<Backend> {
  const driver = options.alone ? undefined : await startEditorDriver();
  const server = await startEditorServer({
    ...options,
    env: { ...driver?.env, ...options.env },
    installed: driver ? driverFolder : options.installed,
  });
  let browser: Browser | undefined;
  const dispose = async () => {
    await browser?.close();
    driver?.dispose();
    await server.dispose();
  };
  try {
    browser = await startBrowser();
    const context = await browser.newContext({
      viewport: options.testsPath ? { width: 640, height: 480 } : viewport,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return { server, driver, context, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The backend of all editors with default options. It ends with the process. */
let shared: Promise<Backend> | undefined;

/** A window that its caller disposed. The next caller without options gets it. */
let left: Editor | undefined;

/**
 * Gives a window of a real editor with the extension under test, after its workbench has appeared. The newest editor
 * unless `version` says otherwise. Without options it is the window of the last caller, back at its start. The caller
 * disposes it in `after`. All share one server and one profile, so this throws while an earlier window is in use.
 */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const last = left;
  left = undefined;
  if (last && Object.keys(options).length === 0 && (await last.reset())) return last;
  await last?.close();
  const own = Boolean(options.alone || options.version || options.vsix || options.installed || options.env);
  if (!own) shared ??= startBackend({});
  const backend = await (own || shared === undefined ? startBackend(options) : shared);
  const { server, context } = backend;
  const [open] = context.pages();
  if (open) throw new Error(`A window of an earlier test is still open and would follow this one: ${open.url()}`);
  const workspace = await server.reset(options);
  const page = await context.newPage();
  const began = performance.now();
  const extension = options.extensionPath ?? (options.vsix === undefined ? projectFolder : undefined);
  const url = server.address(workspace, extension, options.testsPath);
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  const isKept = Object.keys(options).every((name) => name === 'fresh');
  const editor = new Editor({ backend, own, isKept, page, workspace, url, exited });
  try {
    await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) =>
      options.onLog?.(format(...args)),
    );
    await page.exposeFunction('codeAutomationExit', resolve);
    if (options.language) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${options.language}'`);
    await page.goto(url, { timeout: 120_000 });
    // A short run may have ended, with its window, before anything is visible.
    if (!options.testsPath)
      await workbenchOf(page, extension === projectFolder || Boolean(options.vsix || options.language));
    limitWaits(page, performance.now() - began);
    return editor;
  } catch (error) {
    await editor.close();
    throw error;
  }
}

/**
 * Resolves when the workbench is visible and, with `ours`, knows the extension. On a busy machine this is long after
 * the page loaded.
 */
async function workbenchOf(page: Page, ours = true): Promise<void> {
  await page.locator('.part.statusbar .statusbar-item').first().waitFor({ timeout: 120_000 });
  const ourIcon = page.locator('.activitybar .action-label[aria-label^="Chain Inspector"]');
  if (ours) await ourIcon.waitFor({ timeout: 120_000 });
}

const themes = { light: ['Light Modern', 'vs'], dark: ['Dark Modern', 'vs-dark'] } as const;

interface EditorParts {
  readonly backend: Backend;
  readonly own: boolean;
  readonly isKept: boolean;
  readonly page: Page;
  readonly workspace: string;
  readonly url: string;
  readonly exited: Promise<number>;
}

const openEditors = new Set<Editor>();

let hasFailed = false;

/**
 * Root hooks of the UI level. A failed test says what was on the screen. Later tests of the same file are skipped,
 * since they continue from there. (`bail` of mocha would end all files that run in parallel.)
 */
export const mochaHooks = {
  async beforeAll(): Promise<void> {
    hasFailed = false;
    await takePorts();
  },
  beforeEach(this: Mocha.Context): void {
    if (hasFailed) this.skip();
  },
  async afterEach(this: Mocha.Context): Promise<void> {
    const test = this.currentTest;
    if (test?.state !== 'failed' || !test.err) return;
    hasFailed = true;
    for (const { page } of openEditors) {
      const seen = await describeScreen(page, `failed ${test.fullTitle()}`);
      test.err.stack += `\n${seen}`;
    }
  },
};

/**
 * The editor, as a person uses it: with a screen and a keyboard. `page` is playwright's, for everything without a
 * method here. A wait ends after 25 seconds, later on a busy machine, with an error that describes the screen, and a
 * screenshot in `artifacts/ui`.
 */
export class Editor {
  readonly page: Page;
  /** The address of the window. Any browser can open it. */
  readonly url: string;
  /** With `testsPath`: 0 if its `run()` resolved, and 1 if it rejected. Otherwise never settles. */
  readonly exited: Promise<number>;
  /** The folder that is open in the editor. */
  readonly workspace: string;
  /** The folder with the user's settings and the data of extensions. */
  readonly userData: string;
  /** The open quick pick or input box: the command palette, a choice, a question. */
  readonly quickInput: QuickInput;
  readonly #parts: EditorParts;

  constructor(parts: EditorParts) {
    this.page = parts.page;
    this.url = parts.url;
    this.exited = parts.exited;
    this.workspace = parts.workspace;
    this.userData = parts.backend.server.userData;
    this.quickInput = new QuickInput(parts.page, (text) => this.#showPalette(text));
    this.#parts = parts;
    openEditors.add(this);
  }

  /** Runs a command by its title in the palette, with its category: `Chain Inspector: Go to Proposal or Denom…`. */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Reloads the window as a person does, who leaves it although text is unsaved. Resolves when its workbench is back. */
  async reload(): Promise<void> {
    const leave = (dialog: Dialog): Promise<void> => dialog.accept();
    this.page.on('dialog', leave);
    try {
      const loaded = this.page.waitForEvent('load', { timeout: 120_000 });
      await this.runCommand('Developer: Reload Window');
      await loaded;
    } finally {
      this.page.off('dialog', leave);
    }
    await workbenchOf(this.page);
  }

  /** Shows a container of the activity bar by its title. Does nothing if it is already shown. */
  async openContainer(title: string): Promise<void> {
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator(`.action-label[aria-label^="${title}"]`),
    });
    await item.waitFor();
    const isShown = async () => (await item.getAttribute('class'))?.includes('checked') === true;
    await actUntil(this.page, () => item.click(), `${title} to be shown`, isShown);
  }

  /** A view of the shown container, by its name. */
  tree(view: string): TreeView {
    return new TreeView(this.page, view);
  }

  /** The content of the nth visible webview, in the order of opening. */
  webview(index = 0): FrameLocator {
    return this.page.locator('iframe.webview.ready:visible').nth(index).contentFrame().frameLocator('#active-frame');
  }

  /** The titles of the open tabs, of all groups. */
  async tabs(): Promise<readonly string[]> {
    return this.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  }

  /** The visible text of the active text editor. */
  async text(): Promise<string> {
    const lines = await this.page
      .locator('.editor-group-container.active .view-lines > .view-line')
      .evaluateAll((all) =>
        all
          .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
          .sort((a, b) => a.top - b.top)
          .map((line) => line.text),
      );
    return lines.join('\n').replaceAll('\u00a0', ' ');
  }

  /** The texts of pending notifications. Opens their list, since no toasts are drawn for a driver. */
  async notifications(): Promise<readonly string[]> {
    await this.execute('notifications.showList');
    return this.#notifications.locator('.notification-list-item-message').allInnerTexts();
  }

  /** Waits for a notification with a text. Its buttons are `.getByRole('button', { name })`. */
  async notification(text: string | RegExp): Promise<Locator> {
    const item = this.#notifications.locator('.notification-list-item:visible', { hasText: text });
    await this.until(
      `a notification "${text}"`,
      async () => {
        if ((await item.count()) === 0) await this.execute('notifications.showList');
        return item.count();
      },
      (count) => count > 0,
    );
    return item.first();
  }

  get #notifications(): Locator {
    // A hidden view keeps the rows that it showed.
    return this.page.locator('.notifications-toasts:visible, .notifications-center:visible');
  }

  /** The texts of the status bar, from left to right. */
  async statusBar(): Promise<readonly string[]> {
    const texts = await this.page.locator('.part.statusbar .statusbar-item').allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  /** The item of the status bar with a text, to click or hover. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item', { hasText: text }).locator('.statusbar-item-label');
  }

  /** Changes user settings. Null resets one. Resolves when the editor has applied them. */
  async setSettings(changes: Settings): Promise<void> {
    await this.#driver().settings(changes);
  }

  /** Runs a command by its id, as an extension does. Meant for setup and cleanup, not for a user's actions. */
  async execute(command: string, ...args: readonly unknown[]): Promise<string | undefined> {
    return this.#driver().execute(command, ...args);
  }

  /** The harm that hostile input did to the extension host since the last call. */
  async harm(): Promise<Harm> {
    return this.#driver().harm();
  }

  /** Switches the color theme, and waits until the workbench has it. */
  async setTheme(theme: keyof typeof themes): Promise<void> {
    const [name, cssClass] = themes[theme];
    await this.setSettings({ 'workbench.colorTheme': name });
    await this.page.locator(`.monaco-workbench.${cssClass}`).first().waitFor();
  }

  /** The text of the clipboard. "" if it cannot be read, as while a page in the window has the focus. */
  async clipboard(): Promise<string> {
    return String(await this.page.evaluate('navigator.clipboard.readText().catch(() => "")'));
  }

  /** Saves the screen as `artifacts/ui/NAME.png`, unless `SCREENSHOTS` is 0. */
  async screenshot(name: string): Promise<void> {
    if (process.env.SCREENSHOTS !== '0') await saveScreenshot(this.page, name);
  }

  /** Reads a value until it is accepted, again after each change on the screen. Throws as the class says. */
  async until<T>(what: string, read: () => Promise<T>, accept: (value: T) => boolean, timeout?: number): Promise<T> {
    return until(this.page, what, read, accept, timeout);
  }

  /** Leaves the window to the next caller. Closes it after a failure, or if another window is open beside it. */
  async dispose(): Promise<void> {
    const { isKept, backend } = this.#parts;
    if (!isKept || hasFailed || backend.context.pages().length > 1) return this.close();
    openEditors.delete(this);
    left = this;
  }

  /** Brings the window back to its start. Resolves with false if that failed. */
  async reset(): Promise<boolean> {
    openEditors.add(this);
    try {
      await this.page.setViewportSize(viewport);
      if (await this.quickInput.widget.isVisible()) await this.quickInput.cancel();
      await this.execute('editorDriver.reset', this.userData, quietSettings);
      const clear = () => this.execute('notifications.clearAll').then(() => this.notifications());
      await this.until('no notification', clear, (texts) => texts.length === 0);
      await this.execute('notifications.hideList');
      await this.openContainer('Chain Inspector');
      for (const { header } of ['Validators', 'Watch List', 'Endpoints'].map((view) => this.tree(view)))
        if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
      await this.openContainer('Explorer');
      const { width } = (await this.page.locator('.part.sidebar').boundingBox()) ?? {};
      if (width !== 300) throw new Error(`The side bar is ${width} pixels wide`);
      return true;
    } catch (error) {
      console.error(`A window could not be used again: ${error}`);
      return false;
    }
  }

  /** Closes the window and all windows opened beside it. Ends everything that was started only for it. */
  async close(): Promise<void> {
    openEditors.delete(this);
    const { own, backend } = this.#parts;
    if (own) return backend.dispose();
    // A page that is left ends its extension host, and then nothing writes to the storage any more.
    const pages = backend.context.pages();
    await Promise.all(pages.map((page) => page.goto('about:blank').catch(() => {})));
    backend.driver?.disconnect();
    const session = await backend.context.newCDPSession(this.page);
    const storageTypes = 'cookies,local_storage,indexeddb,cache_storage';
    await session.send('Storage.clearDataForOrigin', { origin: backend.server.origin, storageTypes });
    await Promise.all(pages.map((page) => page.close()));
  }

  /** Opens the palette with a key if the companion extension does not run, as in an untrusted workspace. */
  async #showPalette(text: string): Promise<void> {
    const { driver } = this.#parts.backend;
    if (driver?.isConnected()) await driver.execute('workbench.action.quickOpen', text);
    else await this.page.keyboard.press('F1');
  }

  #driver(): EditorDriver {
    const { driver } = this.#parts.backend;
    if (driver === undefined) throw new Error('This editor was started alone, without its driver.');
    return driver;
  }
}
