import { strict as assert } from 'node:assert';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import type { ExtensionApi } from '../../src/extension.ts';
import { serveFile } from '../../src/service/serve.ts';
import type { Source } from '../../src/session/source.ts';
import { sampleFile, startFolder } from '../support/folders.ts';
import { activateExtension, overhear, showSource, treeText } from '../support/hostApi.ts';
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
    await setDiffTime(1);
  });
  after(async () => {
    await setDiffTime(undefined);
    await vscode.commands.executeCommand('chainInspector.clearComparison');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    folder.dispose();
  });

  /** The texts are looked at here, not what the editor marks in them, for which it takes seconds of the processor. */
  const setDiffTime = (milliseconds: number | undefined) =>
    vscode.workspace
      .getConfiguration('diffEditor')
      .update('maxComputationTime', milliseconds, vscode.ConfigurationTarget.Global);

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
      ['Supply | No differences', 'Proposals | No differences', 'Parameters | No differences'].join('\n'),
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
        'Proposals | 1 removed',
        '  #1 One | Passed',
        'Parameters | No differences',
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

  it('shows exact differences, and what is hidden in a name', async () => {
    const ibc = (letter: string) => `ibc/${letter.repeat(64)}`;
    const [left, right] = [
      writeState(folder.path, 'earlier.json', {
        supply: { uoak: '340282366920938463463374607431768211455', upine: '1250000000000', [ibc('A')]: '100' },
        proposals: [[42, 'VOTING_PERIOD', 'Raise the fence']],
        quorum: '0.334000000000000000',
      }),
      writeState(folder.path, 'later.json', {
        supply: {
          uoak: '340282366920938463463374607431768211456',
          upine: '1249000000000',
          'evil\u202eoak\n$(check)': '666',
          [ibc('A')]: '100',
          [ibc('B')]: '9007199254740993',
        },
        proposals: [
          [42, 'PASSED', 'Raise the fence'],
          [44, 'VOTING_PERIOD', 'Free coins\u202e \n[click](command:x) $(warning)'],
        ],
        quorum: '0.400000000000000000',
      }),
    ];
    const view = await comparison();
    await view.show(fileSource('Earlier', left), fileSource('Later', right));
    const text = await treeText(view, () => true);
    assert.match(text, /^ {2}upine \| -1,000,000,000 \(1,250,000,000,000 → 1,249,000,000,000\)$/m);
    assert.match(text, /^ {2}uoak \| \+1 \(340,282,/m);
    assert.match(text, /^ {2}ibc\/BBBBBBBB…BBBBBB \| \+9,007,199,254,740,993$/m);
    assert.match(text, /^ {2}evil⟦U\+202E⟧oak \$ \(check\) \| \+666$/m);
    assert.match(text, /^ {2}#42 Raise the fence \| Voting period → Passed$/m);
    assert.match(text, /^ {2}gov\.quorum \| 0\.334 → 0\.4$/m);
    await view.openDiff({ section: 'proposals' });
    assert.match((await diffTexts()).right, /^#44 Free coins⟦U\+202E⟧ {2}\[click\]\(command:x\) \$\(warning\)$/m);
  });

  it('reads both again and changes what is open; a side that fails is named, and nothing changes', async () => {
    const supplyOf = (file: string, x: string) =>
      writeState(folder.path, file, { supply: { x }, proposals: [], quorum: '0.3' });
    const view = await comparison();
    await view.show(fileSource('One', supplyOf('one.json', '1')), fileSource('Two', supplyOf('two.json', '5')));
    const { input } = await diffTexts();
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (`${document.uri}` === `${input.modified}`) resolve();
    });
    const { path } = supplyOf('two.json', '7');
    await vscode.commands.executeCommand('chainInspector.refreshComparison');
    await changed;
    listener.dispose();
    assert.equal((await diffTexts()).right, 'x\n    7\n');
    assert.match(await treeText(view, () => true), /^ {2}x \| \+6 \(1 → 7\)$/m);
    rmSync(path);
    const { errors, stop } = overhear();
    await vscode.commands.executeCommand('chainInspector.refreshComparison');
    stop();
    const told = errors.filter((text) => text.startsWith('Could not compare'));
    assert.equal(told.length, 1, errors.join('\n'));
    assert.match(told[0] ?? '', /^Could not compare: Two: the file does not exist \| Show Log$/);
    assert.match(await treeText(view, () => true), /^ {2}x \| \+6 \(1 → 7\)$/m);
  });

  it('opens a proposal that is gone as the left side has it', async () => {
    const state = { supply: {}, proposals: [[1, 'PASSED', 'One']], quorum: '0.3' } as const;
    const left = writeState(folder.path, 'has.json', state);
    const right = writeState(folder.path, 'has-not.json', { ...state, proposals: [] });
    const view = await comparison();
    await view.show(fileSource('a.json', left), fileSource('b.json', right));
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
      assert.equal(lines.at(-2), '… 3,200 more rows. Export the comparison to see all.');
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
    assert.match((await diffTexts()).right, /^This comparison is closed/);
    const view = await comparison();
    assert.equal(await treeText(view), '');
  });
});
