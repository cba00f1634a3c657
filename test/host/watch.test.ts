import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/ui/extensionApi.ts';
import type { WatchNode } from '../../src/ui/watch/watchNode.ts';
import type { WatchView } from '../../src/ui/watch/watchView.ts';
import { activateExtension, showSource } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

const run = (name: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`chainInspector.${name}`, ...args);

describe('the watch list in the host', () => {
  let api: ExtensionApi;
  let view: WatchView;
  let service: Awaited<ReturnType<typeof startReplies>>;
  let url = '';
  const supply = ['uelm', 'uoak'].map((denom) => ({ denom, amount: '1250000' }));

  before(async () => {
    api = await activateExtension();
    service = await startReplies(({ pathname }) => {
      if (pathname.endsWith('/supply')) return { body: JSON.stringify({ supply, pagination: { next_key: null } }) };
      const [, denom] = /\/supply\/(\w+)$/.exec(pathname) ?? [];
      return denom
        ? { body: JSON.stringify({ amount: { denom, amount: '1250000' } }) }
        : { status: 404, body: JSON.stringify({ code: 5, message: 'not found', details: [] }) };
    });
    url = service.url;
    await showSource(api, url);
    await api.active.session.supply.pager.loadMore();
    view = await api.watchList.load();
  });
  after(async () => {
    const { watch } = view;
    await watch.unwatch(new Set(watch.entries.map(({ key }) => key)));
    await configure('watch', undefined);
    await showSource(api, undefined);
    await service.stop();
  });

  const configure = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration('chainInspector').update(key, value, vscode.ConfigurationTarget.Global);
  const rows = (node?: WatchNode): string[] =>
    view.tree.getChildren(node).flatMap((child) => {
      const { label, description } = view.tree.getTreeItem(child);
      return [`${label} | ${description}`, ...rows(child).map((line) => `  ${line}`)];
    });
  const entries = () => view.tree.getChildren({ kind: 'watchSource', sourceId: url });
  /** Waits until the rows say so. */
  const until = async (accept: (text: string) => boolean) => {
    while (!accept(rows().join('\n'))) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listener = view.onDidChange(resolve);
      await promise;
      listener.dispose();
    }
  };

  it('watches denoms of the Supply view, each with its live state', async () => {
    const coin = (denom: string) => ({ kind: 'coin', coin: { denom, amount: 1n } });
    await run('watch', coin('uoak'), [coin('uoak'), coin('uelm')]);
    await until((text) => /uoak \| 1,250,000, unchanged since .*\n {2}uelm \| 1,250,000/.test(text));
    assert.equal(api.watchList.isWatched({ kind: 'denom', sourceId: url, denom: 'uelm' }), true);
  });

  it('moves a row in front of another', async () => {
    const [first, second] = entries();
    assert.ok(first && second);
    await view.move([second], first);
    assert.match(rows().join('\n'), /uelm[\s\S]*uoak/);
  });

  it('mutes for good and speaks again', async () => {
    const [first] = entries();
    await run('muteForGood', first);
    assert.match(rows()[1] ?? '', /uelm \| .*, muted$/);
    await run('unmute', first);
    assert.doesNotMatch(rows()[1] ?? '', /muted/);
  });

  it('takes entries off, and puts them back where they stood', async () => {
    const before = view.watch.entries.map(({ key }) => key);
    await run('unwatch', entries()[0], entries());
    assert.deepEqual(view.watch.entries, []);
    await run('undoUnwatch');
    assert.deepEqual(
      view.watch.entries.map(({ key }) => key),
      before,
    );
  });

  it('is exported and imported, rules included', async () => {
    await view.watch.setRules(view.watch.entries, {
      ...(view.watch.entries[0]?.rules ?? assert.fail()),
      supply: { kind: 'percent', percent: 2.5 },
    });
    const exported = view.watch.exportText();
    assert.match(exported, /"supply": "2.5%"/);
    await view.watch.unwatch(new Set(view.watch.entries.map(({ key }) => key)));
    await view.watch.importText(exported);
    assert.deepEqual(
      view.watch.entries.map(({ rules: { supply } }) => supply),
      Array(2).fill({ kind: 'percent', percent: 2.5 }),
    );
  });

  it('refuses to import what is no list, and keeps what is there', async () => {
    const fault = await view.watch.importText('{"version": 99, "entries": []}');
    assert.deepEqual(fault, { kind: 'future', version: 99 });
    assert.equal(view.watch.entries.length, 2);
  });

  it('merges what the settings share, marked, and greys what is not among the endpoints', async () => {
    await configure('watch', [
      { source: url, denom: 'uoak' },
      { source: url, denom: 'upine' },
    ]);
    await until((text) => /uoak \| .*shared/.test(text) && /upine \| .*shared/.test(text));
    await configure('watch', undefined);
    await until((text) => !/shared/.test(text) && !/upine/.test(text));
    await view.watch.watch([{ kind: 'proposal', sourceId: 'http://127.0.0.1:9', id: 1n }]);
    const gone = view.tree.getChildren(undefined).find((node) => node.kind === 'watchSource' && node.sourceId !== url);
    assert.ok(gone);
    const item = view.tree.getTreeItem(gone);
    assert.match(String(item.description), /Not among your endpoints any more/);
    assert.ok(item.resourceUri);
  });
});
