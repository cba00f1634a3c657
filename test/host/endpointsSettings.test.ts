import { strict as assert } from 'node:assert';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { sourceId } from '../../src/session/source.ts';
import { startNode } from '../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins } from '../fixtures/nodeSimulator/simulatorState.ts';
import { sampleFile } from '../support/folders.ts';
import {
  activateExtension,
  type HostApi,
  overhear,
  readUntil,
  showSource,
  treeText,
  workspaceFolder,
} from '../support/hostApi.ts';

describe('settings of endpoints', () => {
  let api: HostApi;
  const settings = () => vscode.workspace.getConfiguration('chainInspector');
  const { Global, Workspace } = vscode.ConfigurationTarget;
  before(async () => {
    api = await activateExtension();
    copyFileSync(sampleFile, path);
  });
  after(async () => {
    for (const key of ['baseUrl', 'endpoints']) {
      await settings().update(key, undefined, Workspace);
      await settings().update(key, undefined, Global);
    }
    await showSource(api, undefined);
  });
  const path = join(workspaceFolder(), 'sampleChain.json');
  const open = () => vscode.commands.executeCommand('chainInspector.openStateFile', vscode.Uri.file(path));
  const file = sourceId(vscode.Uri.file(path).toString());

  it('are written to the user where nothing else is in effect', async () => {
    await open();
    assert.equal(api.active.session.source.id, file);
    const { globalValue, workspaceValue } = settings().inspect('baseUrl') ?? {};
    assert.deepEqual([globalValue, workspaceValue], [file, undefined]);
    assert.deepEqual(settings().get('endpoints'), [{ name: 'sampleChain.json', url: file }]);
  });

  it('keep no file that is no state, which is shown with the reason all the same', async () => {
    const none = join(workspaceFolder(), 'none.json');
    writeFileSync(none, '{"some": ["other", "json"]}');
    const { told, stop } = overhear();
    await vscode.commands.executeCommand('chainInspector.openStateFile', vscode.Uri.file(none));
    await told(
      /^Could not read none\.json: [A-Z][^/]* \(byte \d+\) \| Open at Byte \d+ \| Choose Another File… \| Show Log$/m,
    );
    stop();
    rmSync(none);
    assert.equal(api.active.session.source.name, 'none.json');
    assert.deepEqual(settings().get('endpoints'), [{ name: 'sampleChain.json', url: file }]);
    await open();
  });

  it('keep no file that ends before its end, though its first modules were read', async () => {
    const torn = join(workspaceFolder(), 'torn.json');
    const bank = { supply: [{ denom: 'a', amount: '1' }], balances: [], params: {}, denom_metadata: [] };
    const whole = JSON.stringify({ chain_id: 'torn-1', app_state: { bank, gov: { proposals: [] } } });
    writeFileSync(torn, whole.slice(0, whole.indexOf('"gov"')));
    const { told, stop } = overhear();
    await vscode.commands.executeCommand('chainInspector.openStateFile', vscode.Uri.file(torn));
    await told(/^Could not read torn\.json: The JSON is cut off \(byte \d+ at app_state\) \| Open at Byte /m);
    stop();
    rmSync(torn);
    assert.deepEqual(settings().get('endpoints'), [{ name: 'sampleChain.json', url: file }]);
    await open();
  });

  it('are written where the value in effect lives', async () => {
    await settings().update('baseUrl', '', Workspace);
    assert.equal(api.active.session.source.kind, 'sample');
    await open();
    assert.equal(api.active.session.source.id, file);
    assert.equal(settings().inspect('baseUrl')?.workspaceValue, file);
    assert.equal(settings().inspect('endpoints')?.workspaceValue, undefined);
  });

  it('take effect at once when they are edited by hand, and damaged ones are left out', async () => {
    await settings().update('baseUrl', undefined, Workspace);
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = api.active.onDidChange(() => resolve());
    const damaged = [null, 7, 'text', {}, { url: 9 }, { url: file, name: 'By hand' }];
    await settings().update('endpoints', damaged, Global);
    await promise;
    listener.dispose();
    assert.equal(api.active.session.source.name, 'By hand');
  });

  it('are rows with their own names, the chain, and how each answered last', async () => {
    const state = { chainId: 'sim-1', height: 500n, coins: sampleCoins(5), proposals: [] };
    const node = await startNode({ era: '0.47', state });
    const rows = () => treeText(api.endpointsTree);
    const tested = async (url: string, expected: RegExp) => {
      await vscode.commands.executeCommand('chainInspector.testConnection', { kind: 'endpoint', sourceId: url });
      assert.match(
        await readUntil(api.endpointsTree.onDidChangeTreeData, rows, (text) => expected.test(text)),
        expected,
      );
    };
    try {
      await settings().update('baseUrl', undefined, Global);
      await settings().update(
        'endpoints',
        [
          { name: 'My node', url: node.url },
          { name: 'Cellar', url: 'http://127.0.0.1:11' },
        ],
        Global,
      );
      assert.equal(
        await rows(),
        ['Sample chain | works offline · current', 'My node | not contacted yet', 'Cellar | not contacted yet'].join(
          '\n',
        ),
      );
      await tested(node.url, /^My node \| sim-1 · \d+ ms$/m);
      await tested('http://127.0.0.1:11', /^Cellar \| Connection refused$/m);
    } finally {
      await node.stop();
    }
  });

  it('take the row away that the first start has', async () => {
    const groups = () => treeText(api.trees.proposals);
    assert.doesNotMatch(await groups(), /^Sample data/m);
    await settings().update('endpoints', undefined, Global);
    assert.match(
      await readUntil(api.trees.proposals.onDidChangeTreeData, groups, (text) => /^Sample data/m.test(text)),
      /^Sample data \|/,
    );
  });
});
