import { strict as assert } from 'node:assert';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyPage, type PageRequest } from '../../../../src/api/pages.ts';
import { Cursor } from '../../../../src/api/readPages.ts';
import { statusGroups } from '../../../../src/chain/gov/proposalGroups.ts';
import { readOn } from '../../../../src/lists/listBase.ts';
import { Proposals } from '../../../../src/lists/proposals.ts';
import { Supply } from '../../../../src/lists/supply.ts';
import { exportRows } from '../../../../src/reads/export.ts';
import { Kept } from '../../../../src/session/kept.ts';
import { startSampleNode } from '../../../support/nodes.ts';
import { readCsv } from './readCsv.ts';

describe('an export of the sample chain', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  let folder: string;
  before(async () => {
    sample = await startSampleNode();
    folder = mkdtempSync(join(tmpdir(), 'export-'));
  });
  after(async () => {
    await sample.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const { signal } = new AbortController();
  const lists = (pageSize = 7) => {
    const node = async () => sample.node;
    const supply = new Supply({ node, pageSize: () => pageSize, knownUnits: async () => new Map(), kept: new Kept() });
    const proposals = new Proposals({ node, pageSize: () => pageSize });
    const dispose = () => {
      supply.dispose();
      proposals.dispose();
    };
    return { supply, proposals, dispose };
  };
  const place = (name: string) => ({ path: join(folder, name), source: 'sample', onProgress: () => undefined });

  it('has every denom with its exact amount, as CSV', async () => {
    const { supply, dispose } = lists();
    const pages = supply.readAll(sample.node, signal);
    const done = await exportRows({ ...place('a.csv'), format: 'csv', table: supply.table, pages });
    const [head, ...rows] = readCsv(readFileSync(join(folder, 'a.csv'), 'utf8'));
    const { rows: coins } = await sample.node.supply({ limit: 1000 });
    assert.deepEqual(head, supply.table.columns);
    assert.deepEqual(
      rows.map(([denom, amount]) => [denom, amount]),
      coins.map(({ denom, amount }) => [denom, `${amount}`]),
    );
    assert.ok(coins.some(({ amount }) => `${amount}`.length >= 40));
    assert.equal(done.rows, coins.length);
    assert.equal(done.heights.length, 1);
    assert.equal(done.unpinnedReason, undefined);
    dispose();
  });

  it('has every proposal as it came, as JSON, and says where it is from', async () => {
    const { proposals, dispose } = lists();
    const pages = proposals.readAll(sample.node, signal);
    await exportRows({ ...place('a.json'), format: 'json', table: proposals.table, pages });
    const { proposals: found, source, heights } = JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8'));
    const all = await sample.node.rawRows('proposals', { limit: 1000 });
    const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id);
    assert.deepEqual(
      found.toSorted(byId),
      all?.rows.map(({ json }) => json),
    );
    assert.deepEqual([source, heights.length], ['sample', 1]);
    dispose();
  });

  it('leaves the votes of proposals blank until they are counted, as CSV', async () => {
    const { proposals, dispose } = lists();
    const pages = proposals.readAll(sample.node, signal);
    await exportRows({ ...place('votes.csv'), format: 'csv', table: proposals.table, pages });
    const [head = [], ...rows] = readCsv(readFileSync(join(folder, 'votes.csv'), 'utf8'));
    const [status, yes] = [head.indexOf('status'), head.indexOf('yes')];
    const open = ['PROPOSAL_STATUS_VOTING_PERIOD', 'PROPOSAL_STATUS_DEPOSIT_PERIOD'];
    for (const row of rows) {
      const isBlank = row.slice(yes, yes + 4).every((cell) => cell === '');
      assert.equal(isBlank, open.includes(row[status] ?? ''), row.join());
    }
    for (const one of open) assert.ok(rows.some((row) => row[status] === one));
    dispose();
  });

  it('asks for nothing that is loaded, and pins what it asks for to the height of it', async () => {
    const { supply, proposals, dispose } = lists();
    await supply.pager.loadMore();
    await supply.pager.loadMore();
    await proposals.pager('passed').loadMore();
    const before = sample.asked().length;
    const done = await exportRows({
      ...place('b.csv'),
      format: 'csv',
      table: supply.table,
      pages: supply.readAll(sample.node, signal),
    });
    const [request, ...more] = sample.asked().slice(before);
    assert.deepEqual(more, []);
    assert.equal(new URL(`http://x${request}`).searchParams.get('pagination.key')?.length !== 0, true);
    assert.match(request ?? '', /pagination\.key=/);
    assert.equal(done.rows, Number(supply.pager.total));
    assert.equal(supply.pager.rows.length, 14);
    const start = sample.asked().length;
    const all = await exportRows({
      ...place('b2.csv'),
      format: 'csv',
      table: proposals.table,
      pages: proposals.readAll(sample.node, signal),
    });
    const asked = sample.asked().slice(start);
    const unkeyed = asked.filter((url) => !url.includes('pagination.key='));
    // The other lists, and one count that tells whether there are proposals that none of them holds.
    assert.equal(unkeyed.length, statusGroups.length - 1 + 1);
    assert.equal(asked.length, statusGroups.length + 1);
    assert.equal(asked.filter((url) => !url.includes('proposal_status=')).length, 1);
    assert.equal(all.rows, (await sample.node.proposals({}, { limit: 1000 })).rows.length);
    dispose();
  });

  it('asks for nothing at all when everything is loaded', async () => {
    const { supply, dispose } = lists(50);
    await supply.pager.loadAll({ signal, limit: 10_000 });
    const before = sample.asked().length;
    await exportRows({
      ...place('c.json'),
      format: 'json',
      table: supply.table,
      pages: supply.readAll(sample.node, signal),
    });
    assert.equal(sample.asked().length, before);
    const { supply: rows } = JSON.parse(readFileSync(join(folder, 'c.json'), 'utf8'));
    assert.deepEqual(
      rows,
      supply.pager.rows.map(({ denom, amount }) => ({ denom, amount: amount.toString() })),
    );
    dispose();
  });

  it('leaves no file when it is cancelled between two pages', async () => {
    const { supply, dispose } = lists();
    await supply.pager.loadMore();
    const abort = new AbortController();
    const pages = supply.readAll(sample.node, abort.signal);
    const job = {
      ...place('d.csv'),
      format: 'csv' as const,
      table: supply.table,
      pages,
      onProgress: () => abort.abort(),
    };
    await assert.rejects(exportRows(job), { name: 'AbortError' });
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('d.csv')),
      [],
    );
    dispose();
  });

  it('writes what was filtered by status', async () => {
    const { proposals, dispose } = lists();
    const only = { statuses: ['failed'] as const };
    const failed = await exportRows({
      ...place('e.csv'),
      format: 'csv',
      table: proposals.table,
      pages: proposals.readFiltered(sample.node, only, signal),
    });
    const { rows } = await sample.node.proposals({ status: 'failed' }, { limit: 1000 });
    assert.equal(failed.rows, rows.length);
    dispose();
  });
});

describe('reading on', () => {
  const { signal } = new AbortController();
  const unread = { rows: [], cursor: new Cursor() };

  it('gives a row that comes twice once, and stops where a node never ends', async () => {
    const load = async ({ key }: PageRequest) => ({
      ...emptyPage,
      rows: [Number(key ?? 0), Number(key ?? 0) + 1],
      nextKey: key === '3' ? '1' : `${Number(key ?? 0) + 1}`,
    });
    const rows: number[] = [];
    await assert.rejects(
      async () => {
        for await (const page of readOn<number>(unread, { load, idOf: String, limit: 10 }, signal))
          rows.push(...page.rows);
      },
      { kind: 'paging', code: 'repeatedKey' },
    );
    assert.deepEqual(rows, [0, 1, 2, 3, 4]);
  });

  it('keeps to the height of the first page, and goes on without one that the node refuses', async () => {
    const asked: (bigint | undefined)[] = [];
    const load = async ({ key, height }: PageRequest) => {
      asked.push(height);
      const at = Number(key ?? 0);
      const unpinnedReason = at === 2 ? 'pruned' : undefined;
      return {
        ...emptyPage,
        rows: [at],
        nextKey: at < 4 ? `${at + 1}` : undefined,
        info: { height: BigInt(100 + at), unpinnedReason },
      };
    };
    const reasons: (string | undefined)[] = [];
    const pages = readOn<number>({ rows: [], cursor: new Cursor() }, { load, idOf: String, limit: 10 }, signal);
    for await (const page of pages) reasons.push(page.info.unpinnedReason);
    assert.deepEqual(asked, [undefined, 100n, 100n, undefined, undefined]);
    assert.deepEqual(reasons, [undefined, undefined, 'pruned', undefined, undefined]);
  });
});
