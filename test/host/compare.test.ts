import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { serveFile } from '../../src/service/serve.ts';
import type { Comparison } from '../../src/session/compare/comparison.ts';
import type { Source } from '../../src/session/source.ts';
import type { ExtensionApi } from '../../src/ui/extensionApi.ts';
import { sampleFile, startFolder } from '../support/folders.ts';
import { activateExtension, showSource, treeText } from '../support/hostApi.ts';
import { writeState } from '../ui/compareStates.ts';

const fileSource = (name: string, { path, url }: { path: string; url: string }): Source => ({
  kind: 'file',
  id: url,
  name,
  path,
});

describe('comparing', () => {
  const folder = startFolder('compare');
  let api: ExtensionApi;
  before(async () => {
    api = await activateExtension();
    await showSource(api, '');
  });
  after(async () => {
    await vscode.commands.executeCommand('chainInspector.clearComparison');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A comparison shows the views. Trees that the editor draws would take redraws that later tests wait for.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    folder.dispose();
  });

  const comparison = async () => (await api.commands.load()).comparison;

  /** The texts of both sides of the diff that is open. */
  const diffTexts = async () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    return { left: left?.getText() ?? '', right: right?.getText() ?? '', scheme: input.original.scheme, input };
  };

  it('of a chain with its copy finds no difference, and leaves no session behind', async () => {
    const service = await serveFile({ file: sampleFile, rebase: new Date() });
    const copy: Source = {
      kind: 'http',
      id: service.baseUrl,
      name: 'Copy',
      setting: { name: 'Copy', url: service.baseUrl },
    };
    const view = await comparison();
    await view.show({ left: api.active.session.source, right: copy });
    assert.equal(
      await treeText(view.tree),
      ['Supply | No difference', 'Proposals | No difference', 'Gov parameters | No difference'].join('\n'),
    );
    assert.equal(api.sessions.size, 1);
    await service.dispose();
  });

  it('shows rows that differ in a diff of read-only documents at stable addresses', async () => {
    const [left, right] = [
      writeState(folder.path, 'a.json', {
        supply: { same: '1', x: '10' },
        proposals: [[1, 'PASSED', 'One']],
        quorum: '0.3',
      }),
      writeState(folder.path, 'b.json', { supply: { same: '1', x: '12', y: '5' }, proposals: [], quorum: '0.3' }),
    ];
    const view = await comparison();
    const pair = { left: fileSource('a.json', left), right: fileSource('b.json', right) };
    await view.show(pair);
    assert.equal(
      await treeText(view.tree, () => true),
      [
        'Supply | 1 added, 1 changed',
        '  Added | 1',
        '    y | +5',
        '  Changed | 1',
        '    x | +2 (10 → 12)',
        'Proposals | 1 gone',
        '  Gone | 1',
        '    #1 One | Passed',
        'Gov parameters | No difference',
      ].join('\n'),
    );
    const supply = await diffTexts();
    assert.deepEqual([supply.left, supply.right], ['x\n    10\n', 'x\n    12\ny\n    5\n']);
    assert.equal(supply.scheme, 'chain-inspector');
    await view.openDiff({ kind: 'section', section: 'proposals' });
    const proposals = await diffTexts();
    assert.deepEqual([proposals.left, proposals.right], ['#1 One\n    Passed\n', '']);
    await view.show(pair);
    assert.equal(`${(await diffTexts()).input.original}`, `${supply.input.original}`);
    assert.equal(api.sessions.size, 1);
  });

  it('opens a proposal that is gone as the left side has it', async () => {
    const view = await comparison();
    const [group] = view.tree.getChildren({ kind: 'section', section: 'proposals' });
    const [row] = view.tree.getChildren(group);
    assert.ok(row);
    const { command } = view.tree.getTreeItem(row);
    assert.equal(command?.command, 'chainInspector._openComparedProposal');
    assert.deepEqual(command?.arguments, [{ side: 'left', id: 1n }]);
  });

  it('copies rows with their exact values', async () => {
    const view = await comparison();
    const groups = view.tree.getChildren({ kind: 'section', section: 'supply' });
    await view.copy(
      undefined,
      groups.flatMap((group) => view.tree.getChildren(group)),
    );
    assert.equal(await vscode.env.clipboard.readText(), 'y\t0\t5\t5\nx\t10\t12\t2');
  });

  it('shows 5,000 rows under one parent and 2,000 in the diff, and the way to the rest', async () => {
    const amounts = (from: number) =>
      Object.fromEntries(Array.from({ length: 5200 }, (_, n) => [`denom${n}`, `${n + from}`]));
    const [left, right] = [
      writeState(folder.path, 'few.json', { supply: amounts(1), proposals: [], quorum: '0.3' }),
      writeState(folder.path, 'many.json', { supply: amounts(7), proposals: [], quorum: '0.3' }),
    ];
    const view = await comparison();
    await view.show({ left: fileSource('few.json', left), right: fileSource('many.json', right) });
    // The diff opens by itself: it is no longer than the editor tells apart at once.
    const texts = await diffTexts();
    for (const text of [texts.left, texts.right]) {
      const lines = text.split('\n');
      assert.equal(lines.length, 2 * 2000 + 2);
      assert.equal(lines.at(-2), '… 3,200 more rows: the Compare view exports all of them');
    }
    const groups = view.tree.getChildren({ kind: 'section', section: 'supply' });
    const rows = view.tree.getChildren(groups[0]);
    assert.equal(rows.length, 5001);
    const items = [rows.at(-1), groups.at(-1)].map((node) => node && view.tree.getTreeItem(node));
    assert.deepEqual(
      items.map((item) => [item?.label, item?.command?.command]),
      [
        ['200 more: Export All…', 'chainInspector.exportComparison'],
        ['Export all 5,200 rows…', 'chainInspector.exportComparison'],
      ],
    );
  });

  it('writes all rows that differ to a file', async () => {
    const [csv, json] = ['csv', 'json'].map((format) => vscode.Uri.file(join(folder.path, `all.${format}`)));
    const view = await comparison();
    await view.exportTo('supply', 'csv', csv?.fsPath ?? '');
    const lines = readFileSync(csv?.fsPath ?? '', 'utf8').split('\r\n');
    assert.equal(lines.length, 5200 + 2);
    assert.deepEqual(lines.slice(0, 2), ['"denom","change","left","right"', '"denom0","changed","1","7"']);
    await view.exportTo('supply', 'json', json?.fsPath ?? '');
    const { supply, source } = JSON.parse(readFileSync(json?.fsPath ?? '', 'utf8'));
    assert.equal(supply.length, 5200);
    assert.deepEqual(supply[1], { denom: 'denom1', change: 'changed', left: '2', right: '8' });
    assert.match(source, /few\.json.* → .*many\.json/);
  });

  it('keeps what is shown when a side fails, and names that side', async () => {
    const view = await comparison();
    const shown: Comparison | undefined = view.comparison;
    const server = createServer((_request, response) => response.writeHead(403).end('no'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const locked: Source = { kind: 'http', id: url, name: 'Locked', setting: { name: 'Locked', url } };
    await assert.rejects(
      view.show({ left: api.active.session.source, right: locked }),
      /^SideError: Locked: GET .* 403/,
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.equal(view.comparison, shown);
    assert.equal(api.sessions.size, 1);
  });

  it('ends, and documents that stay open say so', async () => {
    const { right: before, input } = await diffTexts();
    assert.match(before, /denom1/);
    const changed = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (`${document.uri}` !== `${input.modified}`) return;
        listener.dispose();
        resolve();
      });
    });
    await vscode.commands.executeCommand('chainInspector.clearComparison');
    await changed;
    assert.match((await diffTexts()).right, /^This comparison was closed/);
    const view = await comparison();
    assert.equal(await treeText(view.tree), '');
  });
});
