// `node stateReaders.ts READER FILE [FOLDER]`: has one reader find all coins of the supply and all proposals of FILE, once, and
// prints the milliseconds it took, those of the processor, the largest memory in MB and what it found. A process of its own for each, so that none warms up or fills the
// memory of another.
import { createReadStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createGunzip } from 'node:zlib';
import { runReader } from '../../src/service/stateFile.ts';
import { bareScan } from './bareScan.ts';

const [name = '', file = '', folder = ''] = process.argv.slice(2);
const found = { coins: 0, proposals: 0 };
/** As we read. */
const blocks = { highWaterMark: 512 * 1024 };

async function drainAll(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

/** Only we sum the balances as well, to compare them with the supply. */
const readers: Readonly<Record<string, () => Promise<() => unknown>>> = {
  'bare loop': async () => () => bareScan(file),
  ours: async () => () =>
    runReader({ path: file }, (message) => {
      if (message.type !== 'modules') return;
      const { bank, gov } = message.modules;
      found.coins = bank?.supply.count ?? found.coins;
      found.proposals = gov?.proposals.count ?? found.proposals;
    }),
  'without the split': async () => () =>
    runReader({ path: file, split: false }, ({ type }) => {
      if (type === 'failed') throw new Error(`${file} was not read`);
    }),
  zlib: async () => () =>
    pipeline(createReadStream(file, blocks), createGunzip({ chunkSize: blocks.highWaterMark }), drainAll),
  'JSON.parse': async () => () => {
    const state = JSON.parse(readFileSync(file, 'utf8'));
    const { bank, gov } = (state.result?.genesis ?? state).app_state;
    found.coins = bank.supply.length;
    found.proposals = gov.proposals.length;
  },
  'stream-json': async () => {
    // As its manual tunes it: the file read by its own stage in large blocks, one pipe, values not streamed in pieces.
    const { parseFile } = await load('stream-json', 'file/parser.js');
    const { pick } = await load('stream-json', 'filters/pick.js');
    const { streamValues } = await load('stream-json', 'streamers/stream-values.js');
    const { pipe } = await load('stream-chain', 'utils/pipe.js');
    const { drain } = await load('stream-chain', 'utils/drain.js');
    // The fastest of its filters for more than one place, and lists picked whole: a regular expression for each element takes longer.
    const wanted = ([first, module, list, ...deeper]: readonly unknown[]) =>
      deeper.length === 0 &&
      first === 'app_state' &&
      ((list === 'supply' && module === 'bank') || (list === 'proposals' && module === 'gov'));
    const take = ({ value }: { value: readonly object[] }) => {
      value.forEach(count);
      return null;
    };
    const options = { readBlockSize: 1 << 20, streamValues: false, packValues: true };
    return () => drain(pipe(parseFile(options), pick({ filter: wanted }), streamValues(), take)(file));
  },
  '@streamparser/json': async () => {
    const { JSONParser } = createRequire(join(folder, 'package.json'))('@streamparser/json');
    const paths = ['$.app_state.bank.supply.*', '$.app_state.gov.proposals.*'];
    const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 1 << 16 });
    parser.onValue = ({ value }: { value: object }) => count(value);
    return async () => {
      for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) parser.write(chunk);
    };
  },
};

function count(value: object): void {
  if ('proposal_id' in value) found.proposals++;
  else if ('denom' in value) found.coins++;
}

function load(name: string, path: string) {
  return import(pathToFileURL(join(folder, 'node_modules', name, 'src', path)).href);
}

const reader = await readers[name]?.();
if (!reader) throw new Error(`There is no reader ${name}`);
const [start, before] = [performance.now(), process.cpuUsage()];
await reader();
const { user, system } = process.cpuUsage(before);
const cpu = (user + system) / 1000;
const peak = process.resourceUsage().maxRSS / 1000;
console.log(JSON.stringify({ ms: performance.now() - start, cpu, peak, ...found }));
