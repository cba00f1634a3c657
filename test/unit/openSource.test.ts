import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Server } from 'node:http';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { openNode } from '../../src/api/open.ts';
import type { RequestLine } from '../../src/api/transport/transportTypes.ts';
import { openSource } from '../../src/openSource.ts';
import { tablesOfNode } from '../../src/reads/export.ts';
import { serveFile } from '../../src/service/serve.ts';
import { writeStateTables } from '../../src/service/tables/exportTables.ts';
import type { TablesJob } from '../../src/session/session.ts';
import type { Source } from '../../src/session/source.ts';
import { startNode } from '../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal } from '../fixtures/nodeSimulator/simulatorState.ts';
import { versions } from '../node/build.ts';
import { stateFileOf } from '../node/recording.ts';
import { sampleFile } from '../support/folders.ts';
import { runs } from '../support/random.ts';
import { writeLargeState } from './service/largeState.ts';
import { temporaryFolder } from './service/serveText.ts';

const endpoint = (url: string): Source => ({
  kind: 'http',
  id: url,
  name: 'endpoint',
  baseUrl: parseBaseUrl(url),
  setting: { name: 'endpoint', url },
});
const sample: Source = { kind: 'sample', id: '', name: 'Sample chain' };

/** Opens a source as the extension does, with the log of its requests. */
async function open(source: Source, remembered?: unknown) {
  const requests: RequestLine[] = [];
  const failures: (string | undefined)[] = [];
  const chain = await openSource(
    source,
    { signal: new AbortController().signal, onAnswer: (failure) => failures.push(failure?.message) },
    {
      extensionPath: join(import.meta.dirname, '../..'),
      cacheDir: '',
      requestTimeout: () => 1000,
      network: () => ({}),
      credential: async () => undefined,
      remembered: () => remembered,
      onTraits: () => undefined,
      onRequest: (line) => requests.push(line),
      onReading: () => undefined,
    },
  );
  return { ...chain, requests, failures };
}

describe('a source in this process', () => {
  it('is answered without a port, and each request is reported', async () => {
    const listen = Server.prototype.listen;
    Server.prototype.listen = () => assert.fail('a port was opened');
    try {
      const { node, requests, failures, dispose } = await open(sample);
      const page = await node.supply({ limit: 2 });
      assert.equal(page.rows.length, 2);
      assert.equal(page.info.height, 4821338n);
      assert.ok(Math.abs(Date.now() - Number(page.info.date)) < 60_000);
      await dispose();
      assert.deepEqual(
        requests.map(({ url, status, attempt, error }) => ({ url, status, attempt, error })),
        [
          {
            url: '/chain/bank/v1beta1/supply?pagination.limit=2',
            status: 200,
            attempt: 1,
            error: undefined,
          },
        ],
      );
      assert.ok(requests.every(({ bytes, ms }) => bytes > 100 && ms >= 0));
      assert.deepEqual(failures, [undefined]);
    } finally {
      Server.prototype.listen = listen;
    }
  });

  it('exports the tables of a state file in a thread, which removes what it wrote when it is cancelled', async () => {
    const out = await temporaryFolder();
    const large = out.path('large.json');
    await writeLargeState(large, 4);
    try {
      const { exportTables, dispose } = await open({ kind: 'file', id: 'file', path: large, name: 'large.json' });
      assert.ok(exportTables);
      const stopping = new AbortController();
      const job = { folder: out.path('tables'), format: 'parquet', force: false, signal: stopping.signal } as const;
      const stopped = exportTables({ ...job, onProgress: () => stopping.abort() });
      await assert.rejects(stopped, { name: 'AbortError' });
      assert.equal(existsSync(job.folder), false);
      const { signal } = new AbortController();
      const tables = await exportTables({ ...job, signal, onProgress: () => undefined });
      assert.ok(tables.some(({ rows }) => rows > 15_000));
      assert.ok(tables.every(({ faults }) => faults === 0));
      assert.equal(readdirSync(job.folder).length, 13);
      await assert.rejects(exportTables({ ...job, signal, onProgress: () => undefined }), /is not empty/);
      await dispose();
      assert.equal((await open(sample)).exportTables, undefined);
    } finally {
      await out.remove();
    }
  });

  it('gives the supply of denoms with signs to a client that knows nothing of it yet, also of one called by_denom', async () => {
    const refused: string[] = [];
    let asked = 0;
    for (const version of versions) {
      const service = await serveFile({ file: stateFileOf(version) });
      for (const segment of [undefined, 'chain', 'cosmos']) {
        const fresh = () => openNode({ baseUrl: parseBaseUrl(service.baseUrl), segment });
        const all = fresh();
        const { rows } = await all.supply({ limit: 1000 });
        for (const row of rows.filter(({ denom }) => /[^a-zA-Z0-9]/.test(denom) && !denom.startsWith('ibc/'))) {
          const node = fresh();
          const found = await node.supplyOf(row.denom).catch(String);
          if (!isDeepStrictEqual(found, row)) refused.push(`${version} ${segment} ${row.denom}`);
          asked++;
          await node.dispose();
        }
        await all.dispose();
      }
      await service.dispose();
    }
    assert.deepEqual(refused, []);
    assert.ok(asked >= 60, `${asked} denoms`);
  });

  it('answers a fault like a node: status, code and message', async () => {
    const { node, requests, dispose } = await open(sample);
    await assert.rejects(node.proposal(99_999n), {
      kind: 'http',
      status: 404,
      grpcCode: 5,
      nodeMessage: "proposal 99999 doesn't exist",
    });
    assert.equal(requests.at(-1)?.status, 404);
    await dispose();
    await assert.rejects(node.supply({}), { name: 'AbortError' });
  });
});

describe('what was found out about an endpoint in an earlier session', () => {
  const foundAt = Date.now();
  const facts = {
    segment: { value: 'cosmos', foundAt },
    'unsupported denomsMetadata': { value: 'denomsMetadata', foundAt },
  };

  it('is taken up for a public address, and not for one of this machine or network: another node may be there by now', async () => {
    const known = async (url: string) => {
      const { node, dispose } = await open(endpoint(url), facts);
      const { segment, unsupported } = node.dialect;
      await dispose();
      return [segment, ...unsupported];
    };
    assert.deepEqual(await known('https://rest.example.com'), ['cosmos', 'denomsMetadata']);
    for (const url of ['http://127.0.0.1:1317', 'http://localhost:1317', 'http://[::1]:1317', 'http://10.0.0.7'])
      assert.deepEqual(await known(url), [undefined], url);
  });
});

describe('the tables of an endpoint', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const lines = (name: string, at = folder.path('out')): Readonly<Record<string, unknown>>[] =>
    readFileSync(join(at, `${name}.ndjson`), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const manifestOf = (at = folder.path('out')) => JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8'));

  /** Exports from an endpoint as NDJSON; resolves to the rows that were reported. */
  async function exportFrom(url: string, job: Partial<TablesJob> = {}): Promise<readonly number[]> {
    const chain = await open(endpoint(url));
    const { signal } = new AbortController();
    const done: number[] = [];
    const onProgress = (rows: number) => void done.push(rows);
    try {
      const all = { folder: folder.path('out'), format: 'ndjson', force: false, signal, onProgress, ...job } as const;
      await chain.exportTables?.(all);
      return done;
    } finally {
      await chain.dispose();
    }
  }

  const released = versions.filter((_, at) => at % runs(versions.length - 1, 1) === 0);
  for (const file of [sampleFile, ...released.map(stateFileOf)])
    it(`are those of the state file behind it: ${basename(file)}`, async () => {
      await writeStateTables({ file, folder: folder.path('file'), format: 'ndjson' });
      const service = await serveFile({ file });
      await service.ready;
      try {
        const done = await exportFrom(service.baseUrl);
        assert.deepEqual(
          done,
          done.toSorted((a, b) => a - b),
        );
        assert.deepEqual(
          readdirSync(folder.path('out')).sort(),
          [...tablesOfNode.map((name) => `${name}.ndjson`).sort(), 'manifest.json'].sort(),
        );
        const [manifest, ofFile] = [manifestOf(), manifestOf(folder.path('file'))];
        for (const name of tablesOfNode) {
          const found = lines(name);
          assert.deepEqual([found.length, 0], [manifest.tables[name].rows, manifest.tables[name].faults], name);
          assert.deepEqual(found.map(inOneForm), lines(name, folder.path('file')).map(inOneForm), name);
          assert.ok(found.length > 0, name);
        }
        assert.deepEqual([manifest.chain_id, manifest.height], [ofFile.chain_id, ofFile.height]);
        assert.deepEqual(manifest.source, { name: service.baseUrl, size: null, sha256: null });
      } finally {
        await service.dispose();
      }
    });

  it('name what the node does not provide, does not keep or cannot give', async () => {
    const proposals = [textProposal(1n, 3), textProposal(2n, 2), textProposal(3n, 3, { unregistered: true })];
    const state = { chainId: 'sim-1', height: 500n, coins: sampleCoins(2500), proposals };
    const node = await startNode({ era: '0.50', state, quirks: { noHeights: true } });
    try {
      await exportFrom(node.url);
    } finally {
      await node.stop();
    }
    const { tables, notices, height, chain_id } = manifestOf();
    assert.deepEqual([chain_id, height], ['sim-1', null]);
    assert.deepEqual(
      Object.values<{ rows: number }>(tables).map(({ rows }) => rows),
      [2500, 0, 2, 2, 0],
    );
    assert.equal(tables.proposals.faults, 1);
    assert.match(tables.proposals.first_fault, /^proposal 3: /);
    assert.deepEqual(
      notices.map((text: string) => text.replace(/:.*/, '')),
      ['The node does not provide denom metadata', 'The node does not provide votes on proposal 2'],
    );
  });

  it('are not written where the export is cancelled or the node fails', async () => {
    const state = { chainId: 'sim-1', height: 500n, coins: sampleCoins(2500), proposals: [] };
    const node = await startNode({ era: '0.50', state });
    const stopping = new AbortController();
    const onProgress = () => stopping.abort();
    try {
      await assert.rejects(exportFrom(node.url, { signal: stopping.signal, onProgress }), { name: 'AbortError' });
      assert.equal(existsSync(folder.path('out')), false);
      await assert.rejects(exportFrom(node.url, { onProgress: () => void node.stop() }), { kind: 'unreachable' });
      assert.equal(existsSync(folder.path('out')), false);
    } finally {
      await node.stop();
    }
  });
});

const jsonColumns = ['content', 'denom_units', 'total_deposit'];

/** A node answers in gov v1, where an absent text is "" and a legacy content lies in a message; members may be in any order. */
function inOneForm(row: Readonly<Record<string, unknown>>): object {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    jsonColumns.includes(name) ? toJson(cell) : (cell ?? ''),
  ]);
  const { content, ...others } = Object.fromEntries(cells);
  if (content === undefined) return others;
  const legacy = content?.['@type'] === '/cosmos.gov.v1.MsgExecLegacyContent' ? content.content : content;
  return { ...others, content: legacy, type_url: legacy?.['@type'] };
}

function toJson(cell: unknown): unknown {
  return typeof cell === 'string' ? JSON.parse(cell) : cell;
}
