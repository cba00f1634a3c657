import { strict as assert } from 'node:assert';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../src/api/errors.ts';
import { sourceId } from '../../src/session/source.ts';
import { openDropped } from '../../src/ui/endpoints/stateFiles.ts';
import { Settings } from '../../src/ui/settings.ts';
import { sampleFile } from '../support/folders.ts';
import {
  activateExtension,
  type HostApi,
  readUntil,
  showSource,
  treeText,
  workspaceFolder,
} from '../support/hostApi.ts';

describe('a drop onto a view', () => {
  let api: HostApi;
  const folder = mkdtempSync(join(workspaceFolder(), 'drop-'));
  const settings = new Settings();
  const told: string[] = [];
  /** Drops onto a view what the editor hands over. */
  const drop = (transfer: vscode.DataTransfer) =>
    openDropped(api.active, transfer).catch((error: unknown) => {
      told.push(messageOf(error));
    });
  const files = ['first.json', 'second.json', 'third of them.JSON'].map((name) => join(folder, name));
  const uris = files.map((path) => vscode.Uri.file(path));
  const ids = uris.map((uri) => sourceId(uri.toString()));

  before(async () => {
    api = await activateExtension();
    for (const path of files) copyFileSync(sampleFile, path);
  });
  beforeEach(async () => {
    told.length = 0;
    await clear();
  });
  after(async () => {
    await clear();
    settings.dispose();
    rmSync(folder, { recursive: true });
  });

  async function clear(): Promise<void> {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration('chainInspector').update('endpoints', undefined, Global);
    await showSource(api, undefined);
  }

  /** Drops what the explorer hands over, the way the editor does. */
  async function dropList(...lines: readonly string[]): Promise<void> {
    const transfer = new vscode.DataTransfer();
    transfer.set('text/uri-list', new vscode.DataTransferItem(lines.join('\r\n')));
    await drop(transfer);
  }

  it('opens the file that was dropped, as Open State File… does', async () => {
    await dropList(uris.map(String)[0] ?? '');
    const dropped = [settings.baseUrl, settings.endpoints];
    await clear();
    await vscode.commands.executeCommand('chainInspector.openStateFile', uris[0]);
    assert.deepEqual(dropped, [settings.baseUrl, settings.endpoints]);
    assert.equal(api.active.session.source.id, ids[0]);
    assert.deepEqual(told, []);
  });

  it('does not switch to a file that does not exist', async () => {
    const none = vscode.Uri.file(join(folder, 'none.json'));
    await dropList(String(uris[0]), String(none));
    assert.deepEqual(told, [`File not found: ${none.fsPath}`]);
    assert.equal(settings.baseUrl, '');
    assert.deepEqual(settings.endpoints, []);
  });

  it('takes a path by its own characters, not by those of its URL', async () => {
    const path = join(folder, `${'ж'.repeat(84)}.json`);
    copyFileSync(sampleFile, path);
    await dropList(vscode.Uri.file(path).toString());
    assert.deepEqual(told, []);
    assert.equal(settings.baseUrl, sourceId(vscode.Uri.file(path).toString()));
  });

  it('does not take a path that is too long for the settings', async () => {
    const deep = join(folder, 'a'.repeat(150), 'b'.repeat(150));
    mkdirSync(deep, { recursive: true });
    const long = join(deep, 'state.json');
    copyFileSync(sampleFile, long);
    await dropList(String(vscode.Uri.file(long)));
    assert.match(told.join(), /^The path \/.*\/a{20}.* is too long\. At most 300 characters\.$/);
    assert.equal(settings.baseUrl, '');
    assert.deepEqual(settings.endpoints, []);
  });

  it('counts all groups of a state at once, and opens the first with rows', async () => {
    const path = join(folder, 'ended.json');
    const proposal = (id: number, status: string) => {
      const time = `2026-05-0${id}T00:00:00Z`;
      const times = { submit_time: time, deposit_end_time: time, voting_start_time: time, voting_end_time: time };
      return { id: `${id}`, messages: [], status: `PROPOSAL_STATUS_${status}`, title: `Number ${id}`, ...times };
    };
    const proposals = [proposal(1, 'PASSED'), proposal(2, 'REJECTED'), proposal(3, 'PASSED')];
    const gov = { proposals, params: { quorum: '0.3', threshold: '0.5', veto_threshold: '0.3' } };
    const state = { genesis_time: '2026-05-10T00:00:00Z', chain_id: 'x-1', initial_height: '100', app_state: { gov } };
    writeFileSync(path, JSON.stringify(state));
    await showSource(api, vscode.Uri.file(path).toString());
    const tree = api.trees.proposals;
    const groups = async (): Promise<string> => {
      const items = await Promise.all((await tree.getChildren()).map((node) => tree.getTreeItem(node)));
      const { Expanded } = vscode.TreeItemCollapsibleState;
      return items
        .map((item) => `${item.label} ${item.description}${item.collapsibleState === Expanded ? ' open' : ''}`)
        .join();
    };
    const all = 'Voting period 0,Deposit period 0,Passed 2 open,Rejected 1,Failed 0';
    await readUntil(tree.onDidChangeTreeData, groups, (text) => text === all);
    await treeText(tree, (label) => label === 'Passed');
    const passed = (await tree.getChildren()).find((node) => node.kind === 'group' && node.group === 'passed');
    const [newest] = await tree.getChildren(passed ?? assert.fail());
    assert.ok(newest);
    const item = await tree.resolveTreeItem(await tree.getTreeItem(newest), newest);
    assert.match(`${item.tooltip}`, /Ended 7 days before this state: /);
    assert.match(`${item.tooltip}`, /State as of May \d+, 2026, \d\d:\d\d .*UTC\)?, estimated from genesis_time/);
  });

  it('says in the watch list that its proposals are not in a state without gov', async () => {
    const path = join(workspaceFolder(), 'nogov.json');
    const bank = { supply: [{ denom: 'ugrain', amount: '7' }] };
    writeFileSync(path, JSON.stringify({ chain_id: 'x-1', initial_height: '100', app_state: { bank } }));
    const uri = vscode.Uri.file(path).toString();
    const watch = vscode.workspace.getConfiguration('chainInspector');
    await watch.update('watch', [{ source: uri, proposal: '7' }], vscode.ConfigurationTarget.Global);
    try {
      const { tree } = await api.watchList.load();
      const { lists } = await showSource(api, uri);
      await lists.proposals.pager('voting').loadMore();
      const said = async (): Promise<string> => treeText(tree, (label) => label === 'No deadline');
      await readUntil(api.watchList.onDidChange, said, (text) => /#7 \| not in this state/.test(text));
    } finally {
      await watch.update('watch', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('makes each of several an endpoint of its own, and shows the last', async () => {
    await dropList('# a comment', ...uris.map(String), uris.map(String)[2] ?? '', '');
    assert.deepEqual(
      settings.endpoints.map(({ name, url }) => [name, url]),
      [
        ['first.json', ids[0]],
        ['second.json', ids[1]],
        ['third of them.JSON', ids[2]],
      ],
    );
    assert.equal(api.active.session.source.id, ids[2]);
    assert.deepEqual(told, []);
  });

  it('opens what is a state file among other things, and says in a sentence what is none', async () => {
    const others = ['notes.txt', 'folder', 'export.json.zip'].map((name) => vscode.Uri.file(join(folder, name)));
    await dropList(String(others[0]), ids[0] ?? '', String(others[1]), String(others[2]), ids[1] ?? '');
    assert.deepEqual(
      settings.endpoints.map(({ url }) => url),
      ids.slice(0, 2),
    );
    assert.equal(api.active.session.source.id, ids[1]);
    assert.deepEqual(told, ['Not a state file (.json or .json.gz): notes.txt, folder, export.json.zip.']);
  });

  it('says in a sentence that an address with another scheme is not a file on disk', async () => {
    await dropList('untitled:genesis.json');
    await dropList('https://rest.example.org/genesis.json');
    assert.deepEqual(told, [
      'Not on this machine: untitled:genesis.json.',
      'Not on this machine: https://rest.example.org/genesis.json.',
    ]);
    assert.deepEqual(settings.endpoints, []);
    assert.equal(settings.baseUrl, '');
  });

  it('does nothing where nothing of ours was dropped, such as a row of the view itself', async () => {
    const transfer = new vscode.DataTransfer();
    transfer.set('application/vnd.code.tree.chaininspector.supply', new vscode.DataTransferItem('{}'));
    await drop(transfer);
    assert.deepEqual([told, settings.endpoints, settings.baseUrl], [[], [], '']);
  });
});
