import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { notImplemented } from '../support/chainReplies.ts';
import { startFolder } from '../support/folders.ts';
import { activateExtension, type HostApi, readUntil, showSource, treeText } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

const hostile = '$(trash) [run](command:workbench.action.quit)\u202e';

describe('the Validators view', () => {
  const folder = startFolder('validators');
  let api: HostApi;
  const ends: (() => Promise<void>)[] = [];
  before(async () => {
    api = await activateExtension();
    await showSource(api, undefined);
  });
  after(async () => {
    await showSource(api, undefined);
    for (const end of ends) await end();
    folder.dispose();
  });

  const read = () => treeText(api.trees.validators);
  const until = (accept: (text: string) => boolean) =>
    readUntil(api.trees.validators.onDidChangeTreeData, read, accept);
  const run = (command: string, ...args: readonly unknown[]) =>
    vscode.commands.executeCommand(`chainInspector.${command}`, ...args);

  async function show(validators: readonly unknown[] | undefined): Promise<void> {
    const listed = { body: JSON.stringify({ validators, pagination: { next_key: null, total: '0' } }) };
    const service = await startReplies(({ pathname }) =>
      pathname.endsWith('/validators') && validators ? listed : notImplemented,
    );
    ends.push(() => service.stop());
    await showSource(api, `${service.url}/cosmos`);
  }

  it('lists every status: bonded ones by power, with share and commission, then jailed ones', async () => {
    const text = await until((rows) => / \d+\.\d\d % · [\d.]+ %$/m.test(rows));
    const rows = text.split('\n');
    assert.equal(rows.length, 21);
    const jailed = rows.map((row) => / \| jailed · /.test(row));
    assert.deepEqual(jailed, [...Array<boolean>(18).fill(false), ...Array<boolean>(3).fill(true)]);
    assert.match(rows[0] ?? '', /^[^|]+ \| \d+\.\d\d % · [\d.]+ %$/);
  });

  it('filters, sorts and copies', async () => {
    await run('filterValidators', 'AURORA');
    assert.match(await until((rows) => !rows.includes('\n')), /^Aurora Works \| /);
    const [node] = await api.trees.validators.getChildren();
    await run('copyOperatorAddress', node);
    assert.match(await vscode.env.clipboard.readText(), /^samplevaloper1\w+$/);
    await run('copyTsv', node);
    assert.match(
      await vscode.env.clipboard.readText(),
      /^operator_address\tmoniker.*\nsamplevaloper1\w+\tAurora Works\t/,
    );
    await run('filterValidators', 'no such one');
    assert.equal(await read(), 'No validator matches "no such one"');
    await run('clearValidatorsFilter');
    await run('sortValidators', 'moniker');
    const names = (await read()).split('\n').map((row) => row.split(' | ')[0] ?? '');
    assert.deepEqual(
      names,
      [...names].sort((a, b) => a.localeCompare(b, 'en')),
    );
    await run('clearValidatorsFilter');
  });

  it('are exported with exact tokens', async () => {
    const file = join(folder.path, 'validators.json');
    await (await api.commands.load()).exportTo('validators', { scope: 'everything', format: 'json' }, file);
    const { validators }: { validators: readonly Record<string, string>[] } = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(validators.length, 21);
    const aurora = validators.find(({ moniker }) => moniker === 'Aurora Works');
    assert.deepEqual([aurora?.tokens, aurora?.status, aurora?.jailed], ['20375000000000', 'bonded', 'false']);
  });

  it('draws a hostile moniker as text', async () => {
    await show([{ operator_address: 'cosmosvaloper1x', tokens: '1', description: { moniker: hostile } }]);
    const text = await until((rows) => rows.includes('trash'));
    assert.ok(!text.includes('$(trash)') && !text.includes('](') && !text.includes('\u202e'), text);
  });

  it('says where there are none, and where they are not offered', async () => {
    await show([]);
    assert.equal(await read(), 'This chain has no validators');
    await show(undefined);
    assert.equal(await read(), 'This source does not list validators');
  });
});
