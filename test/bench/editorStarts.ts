import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Editor, startEditor } from '../support/editor.ts';
import type { EditorVersion } from '../support/editorServer.ts';
import { projectFolder } from '../support/folders.ts';
import { bundleForHost } from './hostBundle.ts';

/** The time that one extension took, in milliseconds. */
export interface Times {
  /** Load and call, as the editor measured them. */
  readonly activation: number;
  /** From the first click on the icon until the first row of all is drawn, in whichever view. */
  readonly anyRow: number;
  /** From the same click until the groups of proposals are drawn, which are read after the supply is on the screen. */
  readonly groups: number;
  /** From the same click until rows with data are drawn (the trivial extension's rows are that from the beginning). */
  readonly data: number;
  /** From a later click until rows with data are drawn. */
  readonly again: number;
}

export interface Start {
  readonly own: Times;
  readonly trivial: Times;
}

/** The place to click, the text to wait for, and the editor's name for it. */
const extensions = {
  own: {
    title: 'Chain Inspector',
    id: 'chain-inspector.chain-inspector',
    anyRow: '.monaco-list:is([aria-label="Proposals"], [aria-label="Supply"]) .monaco-list-row',
    groups: '.monaco-list[aria-label="Proposals"] .monaco-list-row',
    data: '.monaco-list[aria-label="Supply"] .monaco-list-row .label-description',
  },
  trivial: {
    title: 'Trivial',
    id: 'chain-inspector-tests.trivial',
    anyRow: '.monaco-list[aria-label="Rows"] .monaco-list-row',
    groups: '.monaco-list[aria-label="Rows"] .monaco-list-row',
    data: '.monaco-list[aria-label="Rows"] .monaco-list-row',
  },
} as const;

type Extension = (typeof extensions)[keyof typeof extensions];

/** Opens the editor anew, `count` times, with the packaged extension and the trivial one, which `installed` receives, and clicks on both. */
export async function measureStarts(
  vsix: string,
  installed: string,
  count: number,
  version: EditorVersion = 'newest',
): Promise<readonly Start[]> {
  const trivial = join(import.meta.dirname, 'trivialExtension');
  await bundleForHost(join(trivial, 'extension.ts'), join(installed, 'extension.cjs'));
  for (const name of ['package.json', 'icon.svg']) cpSync(join(trivial, name), join(installed, name));
  const starts: Start[] = [];
  for (let run = 0; run < count; run++) {
    const editor = await startEditor({ vsix, installed, version, alone: true });
    try {
      await idle(editor);
      // Whoever comes first pays for what both need: they take turns.
      const first = run % 2 === 0 ? extensions.own : extensions.trivial;
      const second = run % 2 === 0 ? extensions.trivial : extensions.own;
      const one = await clickOn(editor, first);
      const two = await clickOn(editor, second);
      const [oneAgain = Number.NaN] = await timeClick(editor, first.title, [first.data]);
      const [twoAgain = Number.NaN] = await timeClick(editor, second.title, [second.data]);
      const text = await startupText(editor);
      const firstTimes = { ...one, again: oneAgain, activation: activationTime(text, first.id) };
      const secondTimes = { ...two, again: twoAgain, activation: activationTime(text, second.id) };
      const [own, trivial] = run % 2 === 0 ? [firstTimes, secondTimes] : [secondTimes, firstTimes];
      starts.push({ own, trivial });
    } finally {
      await editor.dispose();
    }
  }
  return starts;
}

/**
 * Load and call, in milliseconds, when a click on the icon is what starts the extension and nothing else starts with it.
 * `folder` receives the built extension, without the event that starts it with the window.
 */
export async function measureClickedStarts(folder: string, count: number): Promise<readonly number[]> {
  for (const part of ['dist', 'media']) cpSync(join(projectFolder, part), join(folder, part), { recursive: true });
  // The names of the views stand there.
  for (const name of ['package.nls.json', 'package.nls.zh-cn.json'])
    cpSync(join(projectFolder, name), join(folder, name));
  const manifest: unknown = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(Object.assign({}, manifest, { activationEvents: [] })));
  const times: number[] = [];
  for (let run = 0; run < count; run++) {
    const editor = await startEditor({ extensionPath: folder, alone: true });
    try {
      await editor.page.locator(`.activitybar .action-label[aria-label^="${extensions.own.title}"]`).waitFor();
      await idle(editor);
      await clickOn(editor, extensions.own);
      times.push(activationTime(await startupText(editor), extensions.own.id));
    } finally {
      await editor.dispose();
    }
  }
  return times;
}

/** The first click, with its times: a row at all, groups, and rows with data. */
async function clickOn(editor: Editor, extension: Extension): Promise<Omit<Times, 'activation' | 'again'>> {
  const selectors = [extension.anyRow, extension.groups, extension.data];
  const [anyRow = Number.NaN, groups = Number.NaN, data = Number.NaN] = await timeClick(
    editor,
    extension.title,
    selectors,
  );
  await idle(editor);
  return { anyRow, groups, data };
}

/** Clicks on an icon; gives for each selector the milliseconds from the press of the mouse until it is on the screen. */
async function timeClick(editor: Editor, title: string, selectors: readonly string[]): Promise<readonly number[]> {
  const box = await editor.page.locator(`.activitybar .action-label[aria-label^="${title}"]`).boundingBox();
  if (box === null) throw new Error(`There is no icon ${title}.`);
  // A handle, so that the page is known to listen before the mouse is pressed.
  const watch = await editor.page.locator('body').evaluateHandle((body, wanted) => {
    const window = body.ownerDocument.defaultView;
    const pressed = new Promise<number>((resolve) => {
      const press = () => resolve(window.performance.now());
      window.addEventListener('pointerdown', press, { capture: true, once: true });
    });
    const drawn = async (selector: string) => {
      const start = await pressed;
      for (;;) {
        const time: number = window.performance.now() - start;
        if (body.querySelector(selector)?.checkVisibility()) return time;
        if (time > 30_000) throw new Error(`${selector} was not drawn within 30 s.`);
        await new Promise((resolve) => window.requestAnimationFrame(resolve));
      }
    };
    return { times: Promise.all(wanted.map(drawn)) };
  }, selectors);
  await editor.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  return watch.evaluate(({ times }) => times);
}

/** The text of "Developer: Startup Performance", whole. */
async function startupText(editor: Editor): Promise<string> {
  await editor.runCommand('Developer: Startup Performance');
  await editor.until(
    'the startup figures',
    () => editor.text(),
    (text) => text.includes('System Info'),
  );
  const copy = async () => {
    await editor.page.locator('.editor-group-container.active .view-lines').click();
    await editor.page.keyboard.press('ControlOrMeta+a');
    await editor.page.keyboard.press('ControlOrMeta+c');
    return editor.clipboard();
  };
  return editor.until('the startup figures in the clipboard', copy, (text) =>
    text.includes('Extension Activation Stats'),
  );
}

/** Load plus call, from the table of the text: `| id | eager | load | call | finish | …`. */
function activationTime(text: string, id: string): number {
  const line = text.split('\n').find((row) => row.includes(id) && row.startsWith('|'));
  const cells = line?.split('|').map((cell) => cell.trim()) ?? [];
  return Number(cells[3]) + Number(cells[4]);
}

/** Until the window has started whatever it starts and then had nothing to do for two seconds. */
async function idle(editor: Editor): Promise<void> {
  await editor.until(
    'the start of all extensions',
    () => editor.statusBar(),
    (texts) => !texts.some((text) => text.includes('Activating')),
  );
  await editor.page.locator('body').evaluate(
    (body) =>
      new Promise<void>((resolve) => {
        const window = body.ownerDocument.defaultView;
        let calm = 0;
        let last = window.performance.now();
        const timer = window.setInterval(() => {
          const now = window.performance.now();
          calm = now - last < 70 ? calm + 1 : 0;
          last = now;
          if (calm < 40) return;
          window.clearInterval(timer);
          resolve();
        }, 50);
      }),
  );
}
