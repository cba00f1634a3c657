import assert from 'node:assert/strict';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { type Staking, StakingReader } from '../../../src/service/modules/staking.ts';
import { ClockReader } from '../../../src/service/modules/stateClock.ts';
import { serveFile as serve, startServer } from '../../../src/service/serve.ts';
import { answerFrom } from '../../../src/service/service.ts';
import { StateSnapshot } from '../../../src/service/stateSnapshot.ts';
import { writeLargeState } from './largeState.ts';
import { serveFile, temporaryFolder } from './serveText.ts';
import { smallState } from './smallState.ts';

const text = JSON.stringify(smallState());

describe('state files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  /** Opens the file, expects the reading to fail, and hands over the sentence. */
  async function failure(file: string): Promise<string> {
    const served = await serveFile(file);
    const sentence = await served.service.ready.then(
      () => assert.fail('the reading did not fail'),
      (error: Error) => error.message,
    );
    const { status, body } = await served.ask('gov/v1beta1/proposals');
    assert.equal(status, 500);
    assert.equal(Object(body).message, sentence);
    await served.stop();
    assert.match(sentence, new RegExp(file.replaceAll('.', '\\.')));
    assert.doesNotMatch(sentence, /\n/);
    return sentence;
  }

  it('that are not there, no file or not to be read: one sentence each', async () => {
    assert.match(await failure(folder.path('missing.json')), /Cannot open .*: the file does not exist$/);
    await mkdir(folder.path('folder.json'));
    assert.match(
      await failure(folder.path('folder.json')),
      /Cannot open .*: it is not a file\. Choose a genesis or exported state/,
    );
    const locked = folder.path('locked.json');
    await writeFile(locked, text);
    await chmod(locked, 0);
    if (process.getuid?.() !== 0) assert.match(await failure(locked), /Cannot open .*: no permission to read it$/);
  });

  it('that are empty, cut off or something else', async () => {
    const cases: readonly (readonly [string, string | Buffer, RegExp])[] = [
      ['empty.json', '', /Cannot read .*: The file is empty \(byte 0\)/],
      ['cut.json', text.slice(0, 2000), /The JSON is cut off \(byte 2000 at app_state/],
      ['other.json', '{"config":{},"alloc":{}}', /not a state file from a Cosmos SDK chain/],
      ['text.json', '# Readme', /expected "{", found "#" \(byte 0\)/],
      ['cut.json.gz', gzipSync(text).subarray(0, 400), /the gzip data is cut off or corrupted \(after byte \d+/],
      [
        'damaged.json.gz',
        Buffer.concat([gzipSync(text).subarray(0, 200), Buffer.alloc(400)]),
        /the gzip data is cut off or corrupted/,
      ],
    ];
    for (const [name, content, message] of cases) {
      const file = folder.path(name);
      await writeFile(file, content);
      assert.match(await failure(file), message);
    }
  });

  it('serve every module but one that cannot be read, and each row but one', async () => {
    const file = folder.path('faulty.json');
    const faulty = smallState();
    const [first, ...others] = faulty.app_state.gov.proposals;
    const state = {
      ...faulty,
      app_state: { ...faulty.app_state, gov: { proposals: [{ ...first, proposal_id: 7.5 }, ...others], votes: {} } },
    };
    await writeFile(file, JSON.stringify(state));
    const served = await serveFile(file);
    await served.service.ready;
    assert.equal(Object(await served.get('bank/v1beta1/supply')).supply.length, 8);
    const { status, body } = await served.ask('gov/v1beta1/proposals');
    assert.equal(status, 500);
    const sentence =
      /^Cannot read the gov module of .*faulty\.json: Expected a list \(byte \d+ at app_state\.gov\.votes\)$/;
    assert.match(Object(body).message, sentence);
    const noticed = served.service.notices;
    assert.match(noticed[0] ?? '', sentence);
    assert.match(noticed[1] ?? '', /^Expected a string, found a number \(byte \d+ at .*proposals\[0\]\.proposal_id\)$/);
    assert.equal(noticed.length, 2);
    await served.stop();
  });

  it('are read as gzip by their content, whatever their name', async () => {
    for (const name of ['zipped.json.gz', 'zipped.json']) {
      await writeFile(folder.path(name), gzipSync(text));
      const served = await serveFile(folder.path(name));
      assert.equal(Object(await served.get('bank/v1beta1/supply')).supply.length, 8);
      await served.stop();
    }
    await writeFile(folder.path('plain.json.gz'), text);
    const served = await serveFile(folder.path('plain.json.gz'));
    assert.equal(Object(await served.get('bank/v1beta1/supply')).supply.length, 8);
    await served.stop();
  });

  it('are never written to, and five at once are five services', async () => {
    const files = [1, 2, 3, 4, 5].map((number) => folder.path(`five${number}.json`));
    for (const [index, file] of files.entries()) await writeFile(file, text.replace('small-1', `small-${index}`));
    const before = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
    const services = await Promise.all(files.map((file) => serve({ file })));
    await Promise.all(services.map((service) => service.ready));
    assert.deepEqual(
      services.map((service) => service.chainId),
      ['small-0', 'small-1', 'small-2', 'small-3', 'small-4'],
    );
    assert.equal(new Set(services.map((service) => service.port)).size, 5);
    await Promise.all(services.map((service) => service.dispose()));
    assert.deepEqual(await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs)), before);
    for (const service of services) await assert.rejects(fetch(service.baseUrl), TypeError);
  });

  it('are noticed when they change', async () => {
    const file = folder.path('changing.json');
    await writeFile(file, text);
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    const service = await serve({ file, onChanged: resolve });
    await service.ready;
    await utimes(file, new Date(), new Date(Date.now() + 5000));
    await changed;
    await service.dispose();
  });

  it('can be moved in time, so that the time of the state is now', async () => {
    const file = folder.path('moved.json');
    await writeFile(file, text);
    const now = new Date('2030-05-05T10:00:00.000Z');
    const served = await serveFile(file, { rebase: now });
    const { proposal } = Object(await served.get('gov/v1beta1/proposals/1000'));
    assert.deepEqual(
      [proposal.submit_time, proposal.deposit_end_time, proposal.voting_start_time, proposal.voting_end_time],
      ['2030-05-02T10:00:00.000Z', '2030-05-04T10:00:00.000Z', '2030-05-03T10:00:00.500Z', '2030-05-10T10:00:00.123Z'],
    );
    const { proposal: waiting } = Object(await served.get('gov/v1beta1/proposals/992'));
    assert.equal(waiting.voting_start_time, '0001-01-01T00:00:00Z');
    const { headers } = await served.ask('gov/v1beta1/proposals/1000');
    assert.ok(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now()) < 60_000);
    await served.stop();
  });
});

describe('large state files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  let sums: ReadonlyMap<string, bigint>;
  let written: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    written = await temporaryFolder();
    sums = await writeLargeState(written.path('large.json'), 12);
  });
  after(() => written.remove());
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = folder.path('large.json');
    await copyFile(written.path('large.json'), file);
  });
  afterEach(() => folder.remove());

  it('are read in a thread, with progress; requests wait for their module', async () => {
    const progress: (readonly [number, number])[] = [];
    const served = await serveFile(file, { onProgress: (...step) => progress.push(step) });
    const { supply } = Object(await served.get('bank/v1beta1/supply?pagination.limit=5000'));
    assert.deepEqual(
      new Map(supply.map((coin: { denom: string; amount: string }) => [coin.denom, BigInt(coin.amount)])),
      new Map([...sums].toSorted()),
    );
    await served.service.ready;
    assert.deepEqual(served.service.notices, []);
    const { size } = await stat(file);
    assert.deepEqual(progress.at(-1), [size, size]);
    assert.ok(progress.every(([bytes], index) => bytes >= (progress[index - 1]?.[0] ?? 0)));
    await served.stop();
  });

  it('can be cancelled, before and while they are read', async () => {
    const cancelled = new AbortController();
    cancelled.abort();
    await assert.rejects(serve({ file, signal: cancelled.signal }), { name: 'AbortError' });
    const cancel = new AbortController();
    const served = await serveFile(file, { signal: cancel.signal, onProgress: () => cancel.abort() });
    await assert.rejects(served.service.ready, { name: 'AbortError' });
    assert.equal((await served.ask('gov/v1beta1/proposals')).status, 500);
    await served.stop();
  });

  it('end in one sentence when the reader is killed', async () => {
    process.once('worker', (worker: Worker) => void worker.once('online', () => worker.terminate()));
    const served = await serveFile(file);
    await assert.rejects(served.service.ready, {
      message: `Cannot read ${file}: the reader was stopped. Open the file again`,
    });
    assert.equal((await served.ask('bank/v1beta1/supply')).status, 500);
    await served.stop();
    const again = await serveFile(file);
    await again.service.ready;
    await again.stop();
  });

  it('end in one sentence when they are cut off while they are read', async () => {
    const cut = Promise.withResolvers<void>();
    const served = await serveFile(file, {
      onProgress: () => {
        truncate(file, 1_000_000).then(cut.resolve, cut.reject);
      },
    });
    const ready = assert.rejects(served.service.ready, /large\.json changed while it was being read\. Open it again$/);
    await cut.promise;
    await ready;
    await served.stop();
  });

  it('withdraw everything when they are overwritten or replaced while they are read', async () => {
    const other = folder.path('other.json');
    await copyFile(file, other);
    for (const change of [
      async () => writeFile(file, 'x', { flag: 'r+' }),
      async () => rename(other, file),
      async () => utimes(file, new Date(), new Date(Date.now() + 5000)),
    ]) {
      await copyFile(written.path('large.json'), file);
      const changed = Promise.withResolvers<void>();
      let isChanged = false;
      const served = await serveFile(file, {
        cacheDir: folder.path('cache'),
        onProgress: () => {
          if (isChanged) return;
          isChanged = true;
          change().then(changed.resolve, changed.reject);
        },
      });
      const sentence = /large\.json changed while it was being read\. Open it again$/;
      const waiting = served.ask('gov/v1beta1/proposals');
      await assert.rejects(served.service.ready, sentence);
      await changed.promise;
      for (const { status, body } of [await waiting, await served.ask('bank/v1beta1/supply')]) {
        assert.deepEqual([status, Object(body).code], [503, 14]);
        assert.match(Object(body).message, sentence);
      }
      assert.deepEqual(await readdir(folder.path('cache')).catch(() => []), []);
      await served.stop();
    }
  });

  it('are read to the end when they are deleted meanwhile', async () => {
    const served = await serveFile(file, { onProgress: () => void rm(file, { force: true }) });
    await served.service.ready;
    assert.equal(
      Object(await served.get('bank/v1beta1/supply?pagination.limit=1&pagination.count_total=true')).pagination.total,
      String(sums.size),
    );
    await served.stop();
  });

  /** Opens the file, and tells whether its answers came from the index. */
  async function opened(cacheDir: string) {
    const steps: number[] = [];
    const served = await serveFile(file, { cacheDir, onProgress: (bytes) => steps.push(bytes) });
    await served.service.ready;
    const answers = [];
    for (const path of [
      'bank/v1beta1/supply',
      'gov/v1beta1/proposals?pagination.limit=3',
      'staking/v1beta1/pool',
      'bank/v1beta1/denoms_metadata',
      'base/tendermint/v1beta1/node_info',
    ])
      answers.push(await served.get(path));
    await served.stop();
    return { answers, fromIndex: steps.length === 0 };
  }

  it('open from the index the next time, as long as they are the same', async () => {
    const cacheDir = folder.path('cache');
    const first = await opened(cacheDir);
    assert.equal(first.fromIndex, false);
    const [index] = await readdir(cacheDir);
    assert.match(index ?? '', /large\.json\.state$/);
    assert.deepEqual(await opened(cacheDir), { ...first, fromIndex: true });

    await utimes(file, new Date(), new Date(Date.now() + 5000));
    assert.deepEqual(await opened(cacheDir), first);
    assert.deepEqual(await opened(cacheDir), { ...first, fromIndex: true });
    // Another file of the same size and time.
    const { atime, mtime } = await stat(file);
    await copyFile(file, folder.path('copy.json'));
    await utimes(folder.path('copy.json'), atime, mtime);
    await rename(folder.path('copy.json'), file);
    assert.deepEqual(await opened(cacheDir), first);

    const damaged = await open(folder.path(`cache/${index}`), 'r+');
    await damaged.write(Buffer.from('xxxx'), 0, 4, 1000);
    await damaged.close();
    assert.deepEqual(await opened(cacheDir), first);
    assert.deepEqual(await opened(cacheDir), { ...first, fromIndex: true });
    assert.deepEqual((await readdir(cacheDir)).length, 1);
  });

  it('keep their index though another writer takes its unfinished one away meanwhile', async () => {
    const cacheDir = folder.path('cache');
    await mkdir(cacheDir);
    // Listed, and no longer there when it is looked at.
    await symlink(folder.path('gone'), folder.path('cache/other.part'));
    const served = await serveFile(file, { cacheDir });
    await served.service.ready;
    assert.deepEqual(served.service.notices, []);
    await served.stop();
  });

  it('open without an index where the cache cannot be written, with one notice', async () => {
    await writeFile(folder.path('cache'), 'a file where a folder belongs');
    const served = await serveFile(file, { cacheDir: folder.path('cache') });
    await served.service.ready;
    assert.equal(served.service.notices.length, 1);
    assert.match(served.service.notices[0] ?? '', /^The index of .* could not be saved: /);
    await served.stop();
  });
});

function staking(): Staking {
  const reader = new StakingReader(new ClockReader());
  return { ...reader.finish(undefined, {}, true), bondedTokens: '1', notBondedTokens: '2' };
}

describe('a state that is still being read', () => {
  it('is waited for, and then asked for again', async () => {
    const state = new StateSnapshot();
    const server = await startServer({ answer: answerFrom(state, new AbortController().signal) }, { patience: 50 });
    const ask = async () => {
      const response = await fetch(`${server.baseUrl}/chain/staking/v1beta1/pool`);
      return { status: response.status, text: await response.text() };
    };
    const late = await ask();
    assert.equal(late.status, 503);
    assert.match(late.text, /"code":14,"message":"the state file is still being read\. Try again later"/);
    state.add({ staking: { ...staking(), isHeld: true } });
    assert.equal((await ask()).status, 200);
    await server.dispose();
  });

  it('answers as soon as the part is there, and ends waiting requests on dispose', async () => {
    const state = new StateSnapshot();
    const server = await startServer({ answer: answerFrom(state, new AbortController().signal) });
    const asked = fetch(`${server.baseUrl}/chain/staking/v1beta1/pool`);
    state.add({ header: { chainId: '', height: undefined, time: undefined, appName: undefined } });
    state.add({ staking: { ...staking(), isHeld: true } });
    assert.equal((await asked).status, 200);
    const waiting = assert.rejects(fetch(`${server.baseUrl}/chain/bank/v1beta1/supply`));
    await server.dispose();
    await waiting;
  });
});
