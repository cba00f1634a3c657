import { strict as assert } from 'node:assert';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RequestLine } from '../../src/api/transport/transportTypes.ts';
import { serveFile } from '../../src/service/serve.ts';
import type { CommandTable } from '../../src/ui/commands/commandTable.ts';
import { sampleVoter as voter } from '../fixtures/addresses.ts';
import { sampleFile } from '../support/folders.ts';
import { activateExtension, askedSince, type HostApi, settled, showSource, treeText } from '../support/hostApi.ts';

const run = (name: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`chainInspector.${name}`, ...args);

describe('find, filter, copy and export', () => {
  let api: HostApi;
  let folder: string;
  let service: Awaited<ReturnType<typeof serveFile>>;
  before(async () => {
    api = await activateExtension();
    await showSource(api, '');
    folder = mkdtempSync(join(tmpdir(), 'find-'));
    service = await serveFile({ file: sampleFile, rebase: new Date() });
  });
  afterEach(() => run('clearProposalsFilter'));
  after(async () => {
    await showSource(api, undefined);
    rmSync(folder, { recursive: true, force: true });
    await service.dispose();
  });

  /** The requests for rows of proposals. Groups are counted behind them, by one row each. */
  const askedForPages = (last: RequestLine | undefined) =>
    askedSince(api, last).filter((url) => url.includes('/proposals?') && !url.includes('limit=1&'));

  const groups = async () => {
    const lines = (await treeText(api.trees.proposals)).split('\n').map((line) => line.split(' | ')[0]);
    return lines.filter((line) => line !== 'Sample data');
  };

  it('shows the groups that are asked for, and says what a filter by voter means', async () => {
    const all = await groups();
    assert.deepEqual(all.slice(0, 5), ['Voting period', 'Deposit period', 'Passed', 'Rejected', 'Failed']);
    await run('filterProposals', { statuses: ['passed', 'voting'], voter });
    const [notice, ...shown] = await groups();
    assert.match(notice ?? '', /^Finds only proposals that are open for voting: votes are deleted after the tally$/);
    assert.deepEqual(shown, ['Voting period', 'Passed']);
    const last = api.requests.lines.at(-1);
    await treeText(api.trees.proposals, () => true);
    const { proposals } = api.active.session.lists;
    for (const group of ['voting', 'passed'] as const) await settled(proposals.pager(group));
    const text = await treeText(api.trees.proposals, () => true);
    assert.match(text, /#\d+/);
    assert.match(text, /^Passed \| 0$/m);
    const asked = askedForPages(last);
    assert.equal(asked.length, 2, asked.join('\n'));
    assert.ok(asked.every((url) => url.includes(`voter=${voter}`)));
    await run('clearProposalsFilter');
    assert.deepEqual((await groups()).slice(0, 5), all.slice(0, 5));
  });

  it('refuses an address that cannot be one, and sends nothing', async () => {
    const last = api.requests.lines.at(-1);
    const none = `${voter.slice(0, -1)}q`;
    await run('filterProposals', { voter: none });
    assert.deepEqual(api.active.session.lists.proposals.filter, {});
    assert.deepEqual(
      askedSince(api, last).filter((url) => url.includes(none)),
      [],
    );
  });

  it('remembers the filter of each endpoint, and asks with it from the first request on', async () => {
    await run('filterProposals', { voter });
    await showSource(api, service.baseUrl);
    assert.deepEqual(api.active.session.lists.proposals.filter, {});
    await run('filterProposals', { statuses: ['failed'] });
    await showSource(api, '');
    assert.deepEqual(api.active.session.lists.proposals.filter, { voter });
    const last = api.requests.lines.at(-1);
    await treeText(api.trees.proposals, (label) => label === 'Voting period');
    const asked = askedForPages(last);
    assert.ok(asked.length > 0 && asked.every((url) => url.includes('voter=')), asked.join('\n'));
    await showSource(api, service.baseUrl);
    assert.deepEqual(await groups(), ['Failed']);
    await run('clearProposalsFilter');
    await showSource(api, '');
    await run('clearProposalsFilter');
  });

  it('filters and orders the whole supply', async () => {
    const { supply } = api.active.session.lists;
    await supply.pager.loadAll({ signal: new AbortController().signal, limit: 5000 });
    await supply.loadUnits({ maxAge: 0 });
    const last = api.requests.lines.at(-1);
    await run('filterSupply', 'factory/');
    await run('sortSupply', 'amount');
    const text = await treeText(api.trees.supply);
    assert.ok(text.split('\n').every((line) => /^factory\//.test(line)));
    await run('filterSupply', 'no such denom');
    assert.match(await treeText(api.trees.supply), /^No denom matches "no such denom"$/);
    await run('clearSupplyFilter');
    assert.match(await treeText(api.trees.supply), /^SAMPLE/);
    assert.deepEqual(
      askedSince(api, last).filter((url) => url.includes('/supply?')),
      [],
    );
  });

  it('copies rows for a spreadsheet and as JSON with exact amounts', async () => {
    const { supply } = api.active.session.lists;
    await supply.pager.loadAll({ signal: new AbortController().signal, limit: 5000 });
    const coins = supply.pager.rows.toSorted((a, b) => (a.amount > b.amount ? -1 : 1)).slice(0, 2);
    const nodes = coins.map((coin) => ({ kind: 'coin', key: coin.denom }));
    await run('copyTsv', nodes[0], nodes);
    const lines = (await vscode.env.clipboard.readText()).trimEnd().split('\n');
    assert.equal(lines.length, 3);
    assert.deepEqual(lines[1]?.split('\t').slice(0, 2), [coins[0]?.denom, `${coins[0]?.amount}`]);
    await run('copyJson', nodes[0], nodes);
    assert.deepEqual(
      JSON.parse(await vscode.env.clipboard.readText()),
      coins.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
    );
  });

  it('copies commands that ask an endpoint; the sample chain has no address', async () => {
    await vscode.env.clipboard.writeText('nothing');
    await run('copyCurl', { kind: 'group', group: 'voting' }, undefined);
    assert.equal(await vscode.env.clipboard.readText(), 'nothing');
    await showSource(api, service.baseUrl);
    await run('copyCurl', { kind: 'group', group: 'voting' }, undefined);
    await showSource(api, '');
    assert.match(
      await vscode.env.clipboard.readText(),
      /^curl -sS -H 'Accept: application\/json' 'http:\/\/127\.0\.0\.1:\d+\/(chain|cosmos)\/gov\/.*proposal_status=2/,
    );
  });

  const exportTo: CommandTable['exportTo'] = async (...args) => (await api.commands.load()).exportTo(...args);

  it('exports everything, and asks only for what is not loaded', async () => {
    const session = await showSource(api, service.baseUrl);
    await session.lists.supply.pager.loadMore();
    const loaded = session.lists.supply.pager.rows.length;
    const last = api.requests.lines.at(-1);
    const file = join(folder, 'supply.json');
    await exportTo('supply', { scope: 'everything', format: 'json' }, file);
    const written = JSON.parse(readFileSync(file, 'utf8'));
    const asked = askedSince(api, last).filter((url) => /\/supply\?/.test(url));
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? '', /pagination\.key=/);
    assert.equal(session.lists.supply.pager.rows.length, loaded);
    const { rows } = await (await session.node()).supply({ limit: 1000 });
    const wanted = rows.map(({ denom, amount }) => ({ denom, amount: `${amount}` }));
    assert.deepEqual(written.supply, wanted);
    assert.deepEqual(readdirSync(folder), ['supply.json']);
    await showSource(api, '');
  });

  it('exports the tables of a state file and of an endpoint, and refuses the sample chain', async () => {
    const tables = join(folder, 'tables');
    const choice = { scope: 'tables', format: 'parquet' } as const;
    const manifest = () => JSON.parse(readFileSync(join(tables, 'manifest.json'), 'utf8'));
    await assert.rejects(exportTo('supply', choice, tables), /The sample chain has no tables/);
    await showSource(api, vscode.Uri.file(sampleFile).toString());
    await exportTo('supply', choice, tables);
    assert.equal(manifest().tables.supply.rows, 183);
    assert.equal(readdirSync(tables).length, 13);
    assert.equal(readFileSync(join(tables, 'votes.parquet')).toString('latin1', 0, 4), 'PAR1');
    rmSync(tables, { recursive: true });
    await showSource(api, service.baseUrl);
    await exportTo('supply', choice, tables);
    assert.deepEqual([manifest().tables.supply.rows, manifest().source.name], [183, service.baseUrl]);
    assert.equal(readdirSync(tables).length, 6);
    await showSource(api, '');
    rmSync(tables, { recursive: true });
  });

  it('leaves no file where it cannot write, and still runs', async () => {
    const file = join(folder, 'no', 'such', 'folder.csv');
    await assert.rejects(exportTo('proposals', { scope: 'everything', format: 'csv' }, file), /was not written/);
    assert.deepEqual(readdirSync(folder), ['supply.json']);
  });
});
