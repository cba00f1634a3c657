import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import type { ExtensionApi } from '../../src/extension.ts';
import { serveFile } from '../../src/service/serve.ts';
import type { Source } from '../../src/session/source.ts';
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
      baseUrl: parseBaseUrl(service.baseUrl),
      setting: { name: 'Copy', url: service.baseUrl },
    };
    const view = await comparison();
    await view.show(api.active.session.source, copy);
    assert.equal(
      await treeText(view),
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
    const pair = [fileSource('a.json', left), fileSource('b.json', right)] as const;
    await view.show(...pair);
    assert.equal(
      await treeText(view, () => true),
      [
        'Supply | 1 added, 1 changed',
        '  y | +5',
        '  x | +2 (10 → 12)',
        'Proposals | 1 gone',
        '  #1 One | Passed',
        'Gov parameters | No difference',
      ].join('\n'),
    );
    const supply = await diffTexts();
    assert.deepEqual([supply.left, supply.right], ['x\n    10\n', 'y\n    5\nx\n    12\n']);
    assert.equal(supply.scheme, 'chain-inspector');
    await view.openDiff({ section: 'proposals' });
    const proposals = await diffTexts();
    assert.deepEqual([proposals.left, proposals.right], ['#1 One\n    Passed\n', '']);
    await view.show(...pair);
    assert.equal(`${(await diffTexts()).input.original}`, `${supply.input.original}`);
    assert.equal(api.sessions.size, 1);
  });

  it('opens a proposal that is gone as the left side has it', async () => {
    const view = await comparison();
    const [row] = view.getChildren(view.getChildren()[1]);
    assert.ok(row);
    const { command } = view.getTreeItem(row);
    assert.equal(command?.command, 'chainInspector._openComparedProposal');
    assert.deepEqual(command?.arguments, [{ side: 'left', key: '1' }]);
  });

  it('shows 2,000 rows of a section in the tree and in the diff, and the way to the rest', async () => {
    const amounts = (from: number) =>
      Object.fromEntries(Array.from({ length: 5200 }, (_, n) => [`denom${n}`, `${n + from}`]));
    const [left, right] = [
      writeState(folder.path, 'few.json', { supply: amounts(1), proposals: [], quorum: '0.3' }),
      writeState(folder.path, 'many.json', { supply: amounts(7), proposals: [], quorum: '0.3' }),
    ];
    const view = await comparison();
    await view.show(fileSource('few.json', left), fileSource('many.json', right));
    // The diff opens by itself: it is no longer than the editor tells apart at once.
    const texts = await diffTexts();
    for (const text of [texts.left, texts.right]) {
      const lines = text.split('\n');
      assert.equal(lines.length, 2 * 2000 + 2);
      assert.equal(lines.at(-2), '… 3,200 more rows: the Compare view exports all of them');
    }
    const rows = view.getChildren(view.getChildren()[0]);
    assert.equal(rows.length, 2001);
    const last = rows.at(-1);
    const item = last && view.getTreeItem(last);
    assert.equal(item?.label, '3,200 more: Export All…');
    assert.equal(item?.command?.command, 'chainInspector.exportComparison');
    assert.deepEqual(item?.command?.arguments, [{ section: 'supply' }]);
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
    const shown = view.getChildren();
    const server = createServer((_request, response) => response.writeHead(403).end('no'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const locked: Source = {
      kind: 'http',
      id: url,
      name: 'Locked',
      baseUrl: parseBaseUrl(url),
      setting: { name: 'Locked', url },
    };
    await assert.rejects(view.show(api.active.session.source, locked), /^Error: Locked: GET .* 403/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(view.getChildren(), shown);
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
    assert.equal(await treeText(view), '');
  });
});
