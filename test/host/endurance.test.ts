import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type ServedState, serveFile } from '../../src/service/serve.ts';
import { sampleFile } from '../support/folders.ts';
import { heapAfterCollection } from '../support/heap.ts';
import {
  activateExtension,
  type HostApi,
  pollUntil,
  readUntil,
  showSource,
  treeText,
  workspaceFolder,
} from '../support/hostApi.ts';
import { draft } from '../unit/draft/exampleDrafts.ts';

/** How often each thing is done, as in a day of hard work. It takes minutes: only `npm run test:full` does it. */
const times = { switches: 500, panels: 200, drafts: 50 };

/** The contents of a window. */
interface Holdings {
  readonly sessions: number;
  /** Sockets, servers, timers, watchers of files and the like, by kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** Bytes in use after a collection. */
  readonly heap: number;
}

describe(`after ${times.switches} switches, ${times.panels} panels and ${times.drafts} drafts, with a watch list`, () => {
  let api: HostApi;
  let service: ServedState;
  /** Each session and panel that was shown: whatever still listens to something of the window keeps it in memory. */
  const shown: WeakRef<object>[] = [];
  before(async function () {
    if (!process.env.TEST_FULL) {
      console.log('skipped: no TEST_FULL');
      this.skip();
    }
    api = await activateExtension();
    service = await serveFile({ file: sampleFile, rebase: new Date() });
    await setWatched([{ source: service.baseUrl, everything: true }]);
  });
  after(async () => {
    if (!process.env.TEST_FULL) return;
    await setWatched(undefined);
    await showSource(api, undefined);
    await service.dispose();
  });

  const setWatched = (list: readonly unknown[] | undefined) =>
    vscode.workspace.getConfiguration('chainInspector').update('watch', list, vscode.ConfigurationTarget.Global);

  async function work(switches: number, panels: number, drafts: number, folder: string): Promise<void> {
    for (let turn = 0; turn < switches; turn++) {
      shown.push(new WeakRef(await showSource(api, turn % 2 === 0 ? service.baseUrl : `${service.baseUrl}/chain`)));
      await treeText(api.trees.supply);
      await treeText(api.trees.proposals);
    }
    const { lists } = await showSource(api, '');
    const pager = lists.proposals.pager('voting');
    if (!pager.started) await pager.loadMore();
    const ids = pager.rows.flatMap((row) => (row.kind === 'proposal' ? [row.id] : []));
    for (let turn = 0; turn < panels; turn++) {
      const id = ids[turn % ids.length] ?? assert.fail('the sample chain has open votes');
      shown.push(new WeakRef(await (await api.panels.load()).show({ sourceId: '', id })));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
    for (let turn = 0; turn < drafts; turn++) await checkOne(join(folder, `draft${turn}.json`));
    const open = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.fsPath.startsWith(folder)).length;
    await pollUntil('the end of the documents', open, (count) => count === 0);
  }

  async function checkOne(file: string): Promise<void> {
    writeFileSync(file, draft({ deposit: '500000000usample' }));
    const editor = await api.drafts.load();
    // As a person opens it: the editor keeps a document that an extension has opened for minutes.
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
    const drafts = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.fsPath === file);
    const isChecked = () => drafts().some((document) => editor.draftIn(document)?.facts.height !== undefined);
    await readUntil(editor.onDidCheck, isChecked, Boolean);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }

  function holdings(): Holdings {
    const handles: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
    return { sessions: api.sessions.size, handles, heap: heapAfterCollection() };
  }

  it('has no session, panel or handle more, and at most 5 MB of heap more', async function () {
    this.timeout(1_800_000);
    const folder = join(workspaceFolder(), 'endurance');
    mkdirSync(folder, { recursive: true });
    // Code that is loaded with the first use is there at the start.
    await work(4, 4, 2, folder);
    const start = holdings();
    await work(times.switches, times.panels, times.drafts, folder);
    const isLeft = (now: Holdings) =>
      now.sessions > start.sessions ||
      now.heap - start.heap > 5_000_000 ||
      Object.entries(now.handles).some(([kind, count]) => count > (start.handles[kind] ?? 0)) ||
      shown.some((one) => one.deref() !== undefined);
    // Timers of requests that were answered end by themselves.
    const text = () => {
      const now = holdings();
      const kept = shown.filter((one) => one.deref() !== undefined).length;
      return `${isLeft(now) ? 'left' : 'clean'} ${JSON.stringify({ start, now, kept })}`;
    };
    console.log(
      `      ${await pollUntil('the end of all that was begun', text, (found) => found.startsWith('clean'))}`,
    );
  });
});
