import { createReadStream, createWriteStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { chainData } from '../fixtures/chainData.ts';
import { startFolder } from '../support/folders.ts';
import { runProcess } from '../support/processes.ts';
import { loadService } from './builtService.ts';
import { installForBench } from './packages.ts';
import { writeRepeatedExport } from './repeatedExport.ts';
import { coinsInState, proposalsInState, writeRepeatedState } from './repeatedState.ts';
import { median, type Row } from './row.ts';

/** Megabytes of the files, and how often each is read. The middle one has all of its coins from 25 MB on. */
const whole = {
  first: 25,
  firstRounds: 7,
  middle: 200,
  rounds: 3,
  real: 300,
  realRounds: 5,
  growing: [250, 1000, 4000],
  installs: true,
};
const smallest: typeof whole = {
  first: 1,
  firstRounds: 1,
  middle: 25,
  rounds: 1,
  real: 1,
  realRounds: 1,
  growing: [1],
  installs: false,
};

/** Reading exports of up to 4 GB, beside a bare loop over the bytes and beside published readers. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const size = isSmallest ? smallest : whole;
  const folder = startFolder('bench');
  try {
    return [
      ...(await firstRows(folder.path, size)),
      ...(await sideBySide(folder.path, size)),
      ...(await realExports(folder.path, size)),
      ...(await growing(folder.path, size)),
    ];
  } finally {
    folder.dispose();
  }
}

/** From the command to the first page of the supply, in new processes. */
async function firstRows(folder: string, { first, firstRounds }: typeof whole): Promise<Row[]> {
  const file = join(folder, 'small.json');
  await writeRepeatedState(file, first);
  const script = join(import.meta.dirname, 'stateFirstRows.ts');
  const times: { first: number; later: number; indexed: number; bare: number }[] = [];
  for (let round = 0; round < firstRounds; round++)
    times.push(JSON.parse(await runProcess(process.execPath, [script, file, join(folder, `cache${round}`)])));
  const row = (name: string, of: 'first' | 'later' | 'indexed'): Row => ({
    name: `first rows of a ${first} MB export, ${name}, beside a bare loop`,
    value: median(times.map((time) => time[of])),
    baseline: median(times.map((time) => time.bare)),
    unit: 'ms',
    target: { of: 'value', atMost: 300 },
  });
  return [row('the first command of a window', 'first'), row('a later one', 'later'), row('with an index', 'indexed')];
}

/** The supply and the proposals of the same 200 MB by each reader, in processes of their own, in turn. */
async function sideBySide(folder: string, { middle, rounds, installs }: typeof whole): Promise<Row[]> {
  const file = join(folder, 'middle.json');
  await writeRepeatedState(file, middle);
  const packages = installs ? await installForBench(['stream-json@3.8.0', '@streamparser/json@0.0.26']) : undefined;
  const names = ['bare loop', 'ours', 'JSON.parse', ...(packages ? ['stream-json', '@streamparser/json'] : [])];
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const name of names) times.set(name, [...(times.get(name) ?? []), await readOnce(name, file, packages)]);
  const of = (name: string) => median(times.get(name) ?? []);
  const ours = of('ours');
  const faster = (name: string, atLeast?: number): Row => ({
    name: `${middle} MB: ${name} takes so many times as long as we`,
    value: of(name) / ours,
    unit: 'x',
    ...(atLeast ? { target: { of: 'value', atLeast } } : {}),
  });
  return [
    { name: `${middle} MB, over a bare loop`, value: ours, baseline: of('bare loop'), unit: 'ms' },
    faster('JSON.parse', 1.8),
    ...(packages ? [faster('stream-json', 3), faster('@streamparser/json')] : []),
  ];
}

/** Recorded exports repeated to 300 MB, each with and without the split and packed, in processes of their own, in turn. */
async function realExports(folder: string, { real, realRounds }: typeof whole): Promise<Row[]> {
  const data = chainData();
  const rows: Row[] = [];
  for (const name of data ? ['crypto-org-chain-mainnet-1.json', 'sdk-v1-demo.json', 'fetchhub-2.json.gz'] : []) {
    const file = join(folder, name.replace(/\.gz$/, ''));
    await writeRepeatedExport(file, data?.text(`states/${name}`) ?? '', real);
    const packed = `${file}.gz`;
    await pipeline(createReadStream(file), createGzip(), createWriteStream(packed));
    const cases = [
      ['bare loop', file],
      ['JSON.parse', file],
      ['ours', file],
      ['without the split', file],
      ['ours', packed],
      ['zlib', packed],
    ] as const;
    const all = cases.map((): Reading[] => []);
    for (let round = 0; round < realRounds; round++)
      for (const [at, [reader, path]] of cases.entries()) all[at]?.push(await runReading(reader, path));
    const cpu = all.map((readings) => median(readings.map((reading) => reading.cpu)));
    const [bare = 0, parsed = 0, ours = 0, unsplit = 0, ofPacked = 0, inflated = 0] = cpu;
    const peaks = all.map((readings) => median(readings.map(({ peak }) => peak)));
    rows.push(
      { name: `${name}, ${real} MB: processor, over a bare loop`, value: ours, baseline: bare, unit: 'ms' },
      { name: `${name}, ${real} MB: JSON.parse takes so many times as long as we`, value: parsed / ours, unit: 'x' },
      {
        name: `${name}, ${real} MB: processor, over reading without the split`,
        value: ours,
        baseline: unsplit,
        unit: 'ms',
      },
      { name: `${name}, packed: processor, over zlib alone`, value: ofPacked, baseline: inflated, unit: 'ms' },
      {
        name: `${name}, ${real} MB: largest memory, over a bare loop`,
        value: peaks[2] ?? 0,
        baseline: peaks[0] ?? 0,
        unit: 'MB',
      },
    );
  }
  return rows;
}

/** The output of `stateReaders.ts`. */
interface Reading {
  readonly ms: number;
  readonly cpu: number;
  readonly peak: number;
  readonly coins: number;
  readonly proposals: number;
}

async function runReading(name: string, file: string, packages = ''): Promise<Reading> {
  const script = join(import.meta.dirname, 'stateReaders.ts');
  return JSON.parse(await runProcess(process.execPath, [script, name, file, packages]));
}

async function readOnce(name: string, file: string, packages = ''): Promise<number> {
  const { ms, coins, proposals } = await runReading(name, file, packages);
  if (name !== 'bare loop' && (coins !== coinsInState || proposals !== proposalsInState))
    throw new Error(`${name} found ${coins} coins and ${proposals} proposals`);
  return ms;
}

/** 0.25, 1 and 4 GB, opened as the editor does: in a thread, while the event loop is watched. */
async function growing(folder: string, { growing }: typeof whole): Promise<Row[]> {
  const rows: Row[] = [];
  const { bavail, bsize } = await statfs(folder);
  for (const megabytes of growing) {
    if (bavail * bsize < megabytes * 1.2e6) {
      console.error(`skipped: no room for a file of ${megabytes} MB`);
      continue;
    }
    const file = join(folder, `${megabytes}.json`);
    await writeRepeatedState(file, megabytes);
    const bare = await readOnce('bare loop', file);
    const idle = await watched(() => wait(1000));
    const reading = await watched(async () => {
      const service = loadService().startService({ file });
      await service.ready;
      await service.dispose();
    });
    const size = `${megabytes / 1000} GB`;
    const job = { file, folder: join(folder, 'tables'), format: 'parquet', force: true } as const;
    const { signal } = new AbortController();
    const exporting = await watched(async () => {
      await loadService().exportStateTables({ ...job, signal, onProgress: () => undefined });
    });
    rows.push({
      name: `${size}, all tables as Parquet, over a bare loop`,
      value: exporting.ms,
      baseline: bare,
      unit: 'ms',
    });
    rows.push({
      name: `${size}, all tables as Parquet, speed`,
      value: megabytes / (exporting.ms / 1000),
      unit: 'MB/s',
      target: { of: 'value', atLeast: 150 },
    });
    rows.push({
      name: `${size}, all tables as Parquet, peak memory over idle`,
      value: exporting.peak,
      baseline: idle.peak,
      unit: 'MB',
      target: { of: 'difference', atMost: 250 },
    });
    rows.push({
      name: `${size}, over a bare loop`,
      value: reading.ms,
      baseline: bare,
      unit: 'ms',
      target: { of: 'ratio', atMost: 2 },
    });
    rows.push({ name: `${size}, speed`, value: megabytes / (reading.ms / 1000), unit: 'MB/s' });
    rows.push({
      name: `${size}, peak memory over idle`,
      value: reading.peak,
      baseline: idle.peak,
      unit: 'MB',
      target: { of: 'difference', atMost: 200 },
    });
    rows.push({
      name: `${size}, event loop delay p99 over idle`,
      value: reading.p99,
      baseline: idle.p99,
      unit: 'ms',
      target: { of: 'difference', atMost: 20 },
    });
    rows.push({
      name: `${size}, event loop delay at most`,
      value: reading.longest,
      baseline: idle.longest,
      unit: 'ms',
    });
  }
  return rows;
}

/** Runs `work` and watches memory (MB) and event loop delay (ms) of this process meanwhile. */
async function watched(work: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  delay.enable();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  delay.disable();
  clearInterval(timer);
  return { ms, peak: peak / 1e6, p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 };
}
