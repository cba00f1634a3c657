import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { notImplemented } from '../support/chainReplies.ts';
import { activateExtension, type HostApi, showSource, treeText, workspaceFolder } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

const genesis = Date.UTC(2026, 0, 1);
const latest = 1000;
/** States before this height are pruned. */
const lowest = 500;
const refused = (code: number, message: string) => ({
  status: code === 3 ? 400 : 500,
  body: JSON.stringify({ code, message, details: [] }),
});
const run = (name: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`chainInspector.${name}`, ...args);
const configuration = () => vscode.workspace.getConfiguration('chainInspector');

describe('a height of the past', () => {
  let api: HostApi;
  let service: Awaited<ReturnType<typeof startReplies>>;
  /** `path at height`, of requests for state. */
  const asked: string[] = [];

  before(async () => {
    api = await activateExtension();
    service = await startReplies(({ pathname }, headers) => {
      const [, block] = /\/blocks\/(\w+)$/.exec(pathname) ?? [];
      if (block !== undefined) {
        const height = block === 'latest' ? latest : Number(block);
        const time = new Date(genesis + height * 6000).toISOString();
        return { body: JSON.stringify({ block: { header: { height: `${height}`, time } } }) };
      }
      if (/applied_plan/.test(pathname)) return { body: JSON.stringify({ height: '701' }) };
      if (!/\/supply$/.test(pathname)) return notImplemented;
      const height = Number(headers['x-cosmos-block-height'] ?? latest);
      asked.push(`${height}`);
      if (height < lowest) return refused(2, `failed to load state at height ${height}; version does not exist`);
      return {
        headers: { 'grpc-metadata-x-cosmos-block-height': `${height}` },
        body: JSON.stringify({ supply: [{ denom: 'uelm', amount: `${height}000` }], pagination: { next_key: null } }),
      };
    });
    await showSource(api, service.url);
  });
  after(async () => {
    await configuration().update('watch', undefined, vscode.ConfigurationTarget.Global);
    await showSource(api, undefined);
    await service.stop();
  });

  const supply = () => treeText(api.trees.supply);

  it('is shown with its time, for all that is read, and the latest one is a click away', async () => {
    assert.match(await supply(), /uelm \| 1,000,000/);
    await run('showAtHeight', '-100');
    assert.match(await supply(), /uelm \| 900,000/);
    assert.match(api.active.session.source.name, /^127\.0\.0\.1:\d+ at height 900, Jan 1, 2026/);
    assert.equal(api.active.session.pastTime?.getTime(), genesis + 900 * 6000);
    await run('showLatest');
    assert.match(await supply(), /uelm \| 1,000,000/);
    assert.equal(api.active.session.source.id, service.url);
  });

  it('is found by a time and by an upgrade', async () => {
    await run('showAtHeight', new Date(genesis + 800 * 6000 + 1).toISOString());
    assert.match(await supply(), /uelm \| 800,000/);
    await run('showAtHeight', 'before upgrade v15');
    assert.match(await supply(), /uelm \| 700,000/);
    await run('showLatest');
  });

  it('that the node does not keep shows its words and nothing of another height', async () => {
    asked.length = 0;
    await run('showAtHeight', '100');
    const text = await supply();
    assert.doesNotMatch(text, /uelm/);
    assert.match(text, /failed to load state at height 100/);
    const { error } = api.active.session.lists.supply.pager;
    assert.match(error instanceof Error ? error.message : '', /Use an archive node/);
    assert.deepEqual([...new Set(asked)], ['100']);
    await run('showLatest');
  });

  it('is in exports, and not in the watch list', async () => {
    await run('showAtHeight', '900');
    assert.match(await supply(), /900,000/);
    const file = join(workspaceFolder(), 'supply-at-height.json');
    await (await api.commands.load()).exportTo('supply', { scope: 'everything', format: 'json' }, file);
    const exported = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(exported.heights, ['900']);
    assert.match(exported.source, /#height=900&time=2026-01-01T01%3A30%3A00.000Z$/);
    await run('watch', { kind: 'coin', key: 'uelm' });
    assert.deepEqual(configuration().inspect('watch')?.globalValue, [{ source: service.url, denom: 'uelm' }]);
    await showSource(api, '');
    await showSource(api, service.url);
    // Another endpoint ends it; the dot stands for a watched row.
    assert.match(await supply(), /uelm \| •1,000,000/);
  });
});
