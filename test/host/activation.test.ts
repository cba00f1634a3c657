import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { pollUntil } from '../support/hostApi.ts';
import { runs } from '../support/random.ts';

describe('activation', () => {
  const extension = vscode.extensions.getExtension<ExtensionApi>('chain-inspector.chain-inspector');

  it('asks nothing of any chain', async () => {
    const api = await extension?.activate();
    assert.ok(api);
    assert.deepEqual(api.requests.lines, []);
  });

  it('opens the sample chain before a view is, and asks it nothing', async () => {
    const api = await extension?.activate();
    assert.ok(api);
    const { session } = api.active;
    assert.ok(await pollUntil('the sample chain to be open', () => session.opened, Boolean));
    assert.deepEqual([session.source.kind, session.state.kind, api.requests.lines], ['sample', 'idle', []]);
  });

  it('registers every command that the manifest contributes', async () => {
    const contributed: readonly { readonly command: string }[] = extension?.packageJSON.contributes.commands;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(contributed.length > 0);
    assert.deepEqual(
      contributed.filter(({ command }) => !registered.has(command)),
      [],
    );
  });

  it('has one table of commands, in which each command that is registered stands', async () => {
    const table = await (await extension?.activate())?.commands.load();
    const ids = [...(table?.commands.keys() ?? [])];
    const registered = (await vscode.commands.getCommands()).filter((id) => /^chainInspector\.\w+$/.test(id));
    assert.deepEqual(ids.map((id) => `chainInspector.${id}`).toSorted(), registered.toSorted());
    assert.equal(new Set(ids).size, ids.length);
  });

  it('keeps all that is written between runs, also what is written while the editor stores something else', async () => {
    const state = (await extension?.activate())?.globalState;
    assert.ok(state);
    const keys = Array.from({ length: 6 }, (_, at) => `key${at}`);
    for (let round = 1; round <= runs(8, 50); round++) {
      const writes: PromiseLike<void>[] = [];
      for (const key of keys) {
        writes.push(state.update(key, round));
        await vscode.commands.executeCommand('setContext', 'chainInspector.round', round);
        assert.equal(state.get(key), round);
      }
      await Promise.all(writes);
      assert.deepEqual(
        keys.map((key) => state.get(key)),
        keys.map(() => round),
      );
    }
    await Promise.all(keys.map((key) => state.update(key, undefined)));
    assert.deepEqual(
      state.keys().filter((key) => keys.includes(key)),
      [],
    );
  });
});
