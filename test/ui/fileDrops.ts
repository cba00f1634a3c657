import { strict as assert } from 'node:assert';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { Editor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { sampleFile } from '../support/folders.ts';

/** Copy, link and move, as a file manager offers them (CDP, Input.DragData). */
const everyOperation = 1 | 2 | 16;

/** Milliseconds after which a drag is lost. */
const patience = 20_000;

/** State files that are dropped onto a view, in a window that other tests have used. */
export function fileDropTests(used: () => Editor): void {
  let editor: Editor;

  before(async () => {
    editor = used();
    await editor.execute('editorDriver.closeEditors');
    for (const name of ['march.json', 'may.json']) copyFileSync(sampleFile, join(editor.workspace, name));
    // Without its native modules the editor does not notice them.
    await editor.execute('workbench.files.action.refreshFilesExplorer');
    await editor.execute('notifications.clearAll');
    await shown('Sample chain');
  });

  const file = (name: string) => editor.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const rowOf = (view: string, text: string) =>
    editor.tree(view).section.locator('.monaco-list-row', { hasText: text }).first();

  async function middleOf(place: Locator): Promise<{ x: number; y: number }> {
    const box = await place.boundingBox();
    assert.ok(box, 'what the mouse goes to is not on the screen');
    return { x: box.x + Math.min(60, box.width / 2), y: box.y + box.height / 2 };
  }

  /** Moves the mouse in steps, as a hand does. */
  async function moveTo(place: Locator): Promise<void> {
    const { x, y } = await middleOf(place);
    await editor.page.mouse.move(x, y, { steps: 8 });
  }

  /** Goes on moving until the view says that it takes what is held. */
  async function holdOver(view: string, move: () => Promise<void>, milliseconds?: number): Promise<void> {
    const target = editor.tree(view).section.locator('.monaco-list .drop-target, .monaco-list.drop-target');
    await editor.until(
      `the ${view} view to take it`,
      async () => {
        await move();
        return target.count();
      },
      (count) => count > 0,
      milliseconds,
    );
  }

  /**
   * Takes hold of a file of the explorer, waits on the icon until the views are shown, and lets go over a row. A browser on a
   * busy machine may lose a drag or a drop: it is done again, as a person would, until `done` holds.
   */
  async function drag(name: string, view: string, row: string, done: () => Promise<boolean>): Promise<void> {
    const icon = editor.page.locator('.activitybar .action-label[aria-label^="Chain Inspector"]');
    const place = rowOf(view, row);
    let failure: unknown;
    for (let tries = 0; tries < 3; tries++) {
      await editor.openContainer('Explorer');
      await moveTo(file(name));
      await editor.page.mouse.down();
      try {
        await editor.until(
          'the views',
          async () => {
            await moveTo(icon);
            return place.count();
          },
          (count) => count > 0,
          patience,
        );
        await holdOver(view, () => moveTo(place), patience);
        await editor.page.mouse.up();
        await editor.until(`${name} to be dropped`, done, Boolean, patience);
        return;
      } catch (error) {
        failure = error;
        await editor.page.mouse.up();
      }
    }
    assert.fail(`${name} was dropped three times, and nothing followed: ${failure}`);
  }

  const isShown = async (name: string) => (await editor.statusBar()).some((text) => text.includes(name));

  const shown = (name: string) =>
    editor.until(
      `${name} in the status bar`,
      () => editor.statusBar(),
      (texts) => texts.some((text) => text.includes(name)),
    );

  it('open from the explorer', async () => {
    await drag('march.json', 'Supply', 'SAMPLE', () => isShown('march.json'));
    await editor.screenshot('drop-state-file');
  });

  it('open on the Watch List too', async () => {
    const watch = ['ACORN', 'LPbeta'].map((denom) => ({ source: '', denom }));
    await editor.setSettings({ 'chainInspector.baseUrl': '', 'chainInspector.watch': watch });
    await shown('Sample chain');
    await editor.openContainer('Chain Inspector');
    const list = editor.tree('Watch List');
    await list.open();
    await list.expand('No deadline');
    await drag('march.json', 'Watch List', 'LPbeta', () => isShown('march.json'));
    await editor.until(
      'the rows as they were',
      async () => (await list.rows()).map(({ label }) => label),
      (labels) => labels.join() === 'No deadline,ACORN,LPbeta',
    );
  });

  it('of the browser itself have no place on disk, which is said in a sentence', async () => {
    const devtools = await editor.page.context().newCDPSession(editor.page);
    const data = { items: [], files: [join(editor.workspace, 'may.json')], dragOperationsMask: everyOperation };
    const drop = async () => {
      // Away from where a hover would lie over the rows.
      await moveTo(editor.page.locator('.part.editor'));
      const place = await middleOf(await editor.tree('Supply').row('SAMPLE'));
      const send = async (type: 'dragEnter' | 'dragOver' | 'drop') => {
        await devtools.send('Input.dispatchDragEvent', { type, ...place, data });
      };
      await send('dragEnter');
      await holdOver('Supply', () => send('dragOver'));
      await editor.screenshot('drop-held');
      await send('drop');
    };
    const said = /The browser hides the path of may\.json\. Use Open State File… instead\./;
    const isSaid = async () => (await editor.notifications()).some((text) => said.test(text));
    // The editor drops nothing on a row that is read anew at the same moment, as rows are once another file is open.
    await actUntil(editor.page, drop, 'a notification that names may.json', isSaid);
    await editor.screenshot('drop-from-browser');
    await shown('march.json');
  });
}
