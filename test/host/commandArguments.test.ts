import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { startFolder } from '../support/folders.ts';
import { activateExtension, askedSince, showSource } from '../support/hostApi.ts';
import { runs } from '../support/random.ts';
import { startReplies } from '../support/servers.ts';

interface Entry {
  readonly command: string;
  readonly when?: string;
}
const contributes: {
  readonly commands: readonly Entry[];
  readonly menus: Readonly<Record<string, readonly Entry[]>>;
} = vscode.extensions.getExtension('chain-inspector.chain-inspector')?.packageJSON.contributes;
const contributed = contributes.commands;

describe('the manifest', () => {
  it('has at most 48 commands in the palette, all of them registered', async () => {
    const hidden = contributes.menus.commandPalette?.filter(({ when }) => when === 'false') ?? [];
    assert.ok(contributed.length - hidden.length <= 48, `${contributed.length - hidden.length}`);
    await activateExtension();
    const registered = new Set(await vscode.commands.getCommands(true));
    const known = (id: string | undefined) => id === undefined || registered.has(id);
    const all = [...contributed, ...Object.values(contributes.menus).flat()];
    assert.deepEqual(
      all.map(({ command }) => command).filter((id) => !known(id)),
      [],
    );
  });

  it('clears a filter from the palette, while one is on', async () => {
    const { lists } = (await activateExtension()).active.session;
    const palette = new Map(contributes.menus.commandPalette?.map(({ command, when }) => [command, when]));
    for (const { name } of Object.values(lists)) {
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      assert.equal(palette.get(`chainInspector.clear${title}Filter`), `chainInspector.${name}Filtered`);
    }
  });

  it('has conditions that the editor knows, and no row menu for other extensions’ views', () => {
    const entries = Object.values(contributes.menus).flat();
    assert.deepEqual(
      entries.filter(({ when }) => when?.includes('!~')),
      [],
    );
    const rows = contributes.menus['view/item/context'] ?? [];
    assert.deepEqual(
      rows.filter(({ when }) => !/^view (==|=~) /.test(when ?? '')),
      [],
    );
  });
});

describe('arguments of commands, which may come from anywhere', () => {
  const folder = startFolder('arguments');
  const file = join(folder.path, 'precious.json');
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  let api: ExtensionApi;
  let elsewhere: Awaited<ReturnType<typeof startReplies>>;

  before(async () => {
    api = await activateExtension();
    await showSource(api, '');
    await api.active.session.lists.supply.pager.loadMore();
    elsewhere = await startReplies(() => ({ status: 404, body: '{}' }));
    writeFileSync(file, 'precious');
    process.on('unhandledRejection', onUnhandled);
  });
  after(async () => {
    process.off('unhandledRejection', onUnhandled);
    await elsewhere.stop();
    await showSource(api, undefined);
    folder.dispose();
  });

  /** Runs a command; a question that it asks is left unanswered. */
  const run = async (command: string, ...args: readonly unknown[]) => {
    let ended = false;
    const done = Promise.resolve(vscode.commands.executeCommand(command, ...args)).finally(() => {
      ended = true;
    });
    while (!ended) {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await new Promise(setImmediate);
    }
    await done;
  };
  const config = () => {
    const { globalValue, workspaceValue } =
      vscode.workspace.getConfiguration('chainInspector').inspect('endpoints') ?? {};
    return JSON.stringify([globalValue, workspaceValue, api.active.session.source.id]);
  };
  const watched = async () => (await api.watchList.load()).watch.entries.map(({ key }) => key);

  it('name no file that is written: the place is always asked', async () => {
    const uri = vscode.Uri.file(file);
    for (const view of ['Supply', 'Proposals'])
      for (const format of ['csv', 'json'])
        await run(`chainInspector.export${view}`, { scope: 'everything', format, file: uri, path: file });
    await run('chainInspector.exportComparison', { section: 'supply', format: 'csv', file: uri });
    assert.equal(readFileSync(file, 'utf8'), 'precious');
    assert.deepEqual(readdirSync(folder.path), ['precious.json']);
  });

  it('are keys of rows, and what is known of a row is taken from the store', async () => {
    const [coin] = api.active.session.lists.supply.pager.rows;
    assert.ok(coin);
    const forged = { kind: 'coin', key: coin.denom, coin: { denom: coin.denom, amount: 666n } };
    await run('chainInspector.copyAmount', forged);
    assert.equal(await vscode.env.clipboard.readText(), `${coin.amount}`);
    await run('chainInspector.copyTsv', forged, [forged]);
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.includes(`${coin.denom}\t${coin.amount}`) && !copied.includes('666'), copied);
  });

  it('that name no row change and copy nothing', async () => {
    await vscode.env.clipboard.writeText('mine');
    const nowhere = { kind: 'coin', key: 'nowhere', coin: { denom: 'nowhere', amount: 1n } };
    const rows: readonly unknown[] = [
      nowhere,
      { kind: 'proposal', key: `${10n ** 18n}` },
      { kind: 'group', group: '__proto__' },
      { kind: 'watchEntry', key: 'x', target: { kind: 'proposal', sourceId: elsewhere.url, id: 1n } },
      { kind: 'proposal', difference: { change: 'changed', id: 1n, left: { title: 'forged' } } },
      { sourceId: elsewhere.url, id: 1n, side: 'left' },
    ];
    const before = [config(), await watched()];
    const names = ['copyTsv', 'copyJson', 'copyCurl', 'copyLink', 'copyDenom', 'copyAmount', 'copyProposalId'];
    names.push('watch', 'unwatch', 'mute', 'unmute', 'watchEverything', 'stopWatchingEverything', 'editWatchRules');
    names.push('_openWatched');
    names.push('_openRow', '_openComparedProposal', 'openComparisonDiff', '_loadMore', 'retry');
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    for (const name of names) for (const row of rows) await run(`chainInspector.${name}`, row, [row]);
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
    assert.deepEqual([config(), await watched()], before);
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, tabs);
    assert.deepEqual(elsewhere.requests, []);
  });

  it('that are addresses of documents lead to no source that the user has not chosen', async () => {
    const uri = (sourceId: string) =>
      vscode.Uri.from({ scheme: 'chain-inspector', path: '/proposal-1.json', query: sourceId });
    for (const sourceId of [elsewhere.url, `${elsewhere.url}/`, vscode.Uri.file(file).toString()])
      await assert.rejects(async () => vscode.workspace.openTextDocument(uri(sourceId)), /not one of your endpoints/);
    assert.deepEqual(elsewhere.requests, []);
    await vscode.workspace
      .getConfiguration('chainInspector')
      .update('endpoints', [{ url: elsewhere.url }], vscode.ConfigurationTarget.Global);
    await assert.rejects(async () => vscode.workspace.openTextDocument(uri(elsewhere.url)), /404/);
    assert.ok(elsewhere.requests.length > 0);
    elsewhere.requests.length = 0;
    await vscode.workspace
      .getConfiguration('chainInspector')
      .update('endpoints', undefined, vscode.ConfigurationTarget.Global);
  });

  it('that a page had stored restore a panel of a configured or open source only', async () => {
    const open = () => vscode.window.createWebviewPanel('chainInspector.proposal', 'A proposal', -1, {});
    const restored = async (sourceId: string) => {
      const panel = open();
      let isClosed = false;
      panel.onDidDispose(() => {
        isClosed = true;
      });
      await api.panels.deserializeWebviewPanel(panel, { restore: { sourceId, proposalId: '1', pinned: true } });
      const wasClosed = isClosed;
      if (!isClosed) panel.dispose();
      return !wasClosed;
    };
    const file = vscode.Uri.file(join(folder.path, 'state.json')).toString();
    for (const sourceId of [elsewhere.url, `${elsewhere.url}/`, file, 'nonsense'])
      assert.equal(await restored(sourceId), false, sourceId);
    assert.deepEqual(elsewhere.requests, []);
    assert.equal(await restored(''), true);
  });

  it('of no known form make no command throw, write, send or open', async () => {
    const trap = new Proxy({}, { get: () => assert.fail('a trap'), has: () => true });
    const odd: readonly unknown[] = [null, -1n, '\u0000', 'x'.repeat(1e6), [[]], {}, trap];
    const kinds = ['group', 'proposal', 'coin', 'more', 'watchEntry', 'watchIdle', 'section'];
    const rows = kinds.map((kind) => ({ kind, id: '0', coin: null, owner: {}, key: 7, sourceId: [], group: 1 }));
    await vscode.env.clipboard.writeText('mine');
    const before = [config(), await watched(), statSync(file).mtimeMs];
    const last = api.requests.lines.at(-1);
    // These do what they do whatever they are given: from the palette, too.
    const plain = /\.(refresh\w*|testConnection|showLog|forgetHeader)$/;
    const asking = contributed.map(({ command }) => command).filter((command) => !plain.test(command));
    assert.ok(asking.length > 30);
    const values = [...odd, ...rows];
    // Each command with some of them, by turns, and with all in the full run.
    const every = runs(4, 1);
    for (const [at, command] of asking.entries())
      for (const value of values.filter((_, index) => (at + index) % every === 0)) {
        if (value === null && /\.(loadAll|watch\w*|copy\w+)$/i.test(command)) continue;
        await run(command, value, value === null ? undefined : [value]);
      }
    assert.deepEqual([config(), await watched(), statSync(file).mtimeMs], before);
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
    // My Voting Accounts… asks the source that is shown for the prefix of its accounts, once.
    const asked = askedSince(api, last).filter(
      (path) => path !== '/chain/staking/v1beta1/validators?pagination.limit=1',
    );
    assert.deepEqual(asked, []);
    assert.deepEqual(elsewhere.requests, []);
    assert.deepEqual(unhandled, []);
  });
});
