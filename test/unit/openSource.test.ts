import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Server } from 'node:http';
import { join } from 'node:path';
import type { RequestLine } from '../../src/api/transportTypes.ts';
import { openSource } from '../../src/openSource.ts';
import type { Source } from '../../src/session/source.ts';
import { writeLargeState } from './service/largeState.ts';
import { temporaryFolder } from './service/serveText.ts';

const sample: Source = { kind: 'sample', id: '', name: 'Sample chain' };

/** Opens a source as the extension does, with the log of its requests. */
async function open(source: Source) {
  const requests: RequestLine[] = [];
  const failures: (string | undefined)[] = [];
  const chain = await openSource(
    source,
    { signal: new AbortController().signal, onAnswer: (failure) => failures.push(failure) },
    {
      extensionPath: join(import.meta.dirname, '../..'),
      cacheDir: '',
      requestTimeout: () => 1000,
      network: () => assert.fail('the network is not needed'),
      credential: () => assert.fail('no credential is needed'),
      remembered: () => undefined,
      onLearned: () => undefined,
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
    await writeLargeState(large, 12);
    try {
      const { exportTables, dispose } = await open({ kind: 'file', id: 'file', path: large, name: 'large.json' });
      assert.ok(exportTables);
      const stopping = new AbortController();
      const job = { folder: out.path('tables'), format: 'parquet', force: false, signal: stopping.signal } as const;
      const stopped = exportTables({ ...job, onProgress: () => stopping.abort() });
      await assert.rejects(stopped, { name: 'AbortError' });
      assert.deepEqual(readdirSync(job.folder), []);
      const { signal } = new AbortController();
      const { rows, faults } = await exportTables({ ...job, signal, onProgress: () => undefined });
      assert.ok(rows > 50_000);
      assert.equal(faults, 0);
      assert.equal(readdirSync(job.folder).length, 12);
      await assert.rejects(exportTables({ ...job, signal, onProgress: () => undefined }), /holds files/);
      await dispose();
      assert.equal((await open(sample)).exportTables, undefined);
    } finally {
      await out.remove();
    }
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
