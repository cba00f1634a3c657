import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFolder } from '../support/folders.ts';
import { requestsPerSecond } from './loadGenerator.ts';
import { installForBench } from './packages.ts';
import { toProposal } from './repeatedState.ts';
import { median, type Row } from './row.ts';
import { type Server, startServer } from './servers.ts';

// Short slices in turn: a machine that is busy at times is so for all of them.
const whole = { denoms: 100_000, proposals: 5000, rounds: 9, slice: 500 };
const smallest: typeof whole = { denoms: 3_000, proposals: 100, rounds: 1, slice: 50 };
const supplyPath = '/chain/bank/v1beta1/supply';

/** The service over 100,000 denoms and 5,000 proposals, beside a bare server and beside json-server. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const size = isSmallest ? smallest : whole;
  const { denoms } = size;
  const folder = startFolder('bench');
  const servers: Server[] = [];
  const start = async (script: string, ...args: readonly string[]) => {
    const server = await startServer(script, ...args);
    servers.push(server);
    return server.url;
  };
  try {
    const { supply, made } = await writeData(folder.path, size);
    const ours = await start('stateServer.ts', join(folder.path, 'state.json'));
    const page = await (await fetch(`${ours}${supplyPath}?pagination.limit=100`)).text();
    await writeFile(join(folder.path, 'page.json'), page);
    const bare = await start('readyServer.ts', join(folder.path, 'page.json'));
    const allRows = `${supplyPath}?pagination.limit=${denoms}`;
    await writeFile(join(folder.path, 'whole.json'), await (await fetch(ours + allRows)).text());
    const bareWhole = await start('readyServer.ts', join(folder.path, 'whole.json'));
    const json = isSmallest ? undefined : await startJsonServer(folder.path, supply, made, start);

    const keys = supply
      .filter((_, index) => index % 100 === 0)
      .map((coin) => Buffer.from(coin.denom).toString('base64'));
    const byKey = (some: readonly string[]) =>
      some.map((key) => `${supplyPath}?pagination.limit=100&pagination.key=${encodeURIComponent(key)}`);
    const measured = await measure(size, [
      ['bare', bare, [supplyPath]],
      ['bare whole', bareWhole, [supplyPath]],
      ['whole', ours, [allRows]],
      ['one page', ours, [`${supplyPath}?pagination.limit=100`]],
      ['all pages', ours, byKey(keys)],
      ['first pages', ours, fresh(byKey(keys.slice(0, 20)))],
      ['last pages', ours, fresh(byKey(keys.slice(-21, -1)))],
      ['proposals', ours, ['/chain/gov/v1beta1/proposals?pagination.limit=100']],
      ...(json ? [['json-server', json, ['/supply?_page=5&_limit=100']] as const] : []),
    ]);
    const of = (name: string) => measured.get(name) ?? Number.NaN;
    const row = (name: string, value: number, baseline: number, atLeast: number): Row => ({
      name: `requests per second, ${name}`,
      value,
      baseline,
      unit: '/s',
      target: { of: 'ratio', atLeast },
    });
    return [
      row('one page of 100 coins, over a bare server', of('one page'), of('bare'), 0.6),
      row('1,000 pages in turn, over a bare server', of('all pages'), of('bare'), 0.6),
      row(`one page of ${denoms} coins, too large to be kept, over a bare server`, of('whole'), of('bare whole'), 0.4),
      row('last pages by key over first pages, none of them kept', of('last pages'), of('first pages'), 0.8),
      { name: 'requests per second, 100 proposals of 1.5 kB', value: of('proposals'), unit: '/s' },
      ...(json ? [row('1,000 pages in turn, over json-server', of('all pages'), of('json-server'), 8)] : []),
    ];
  } finally {
    for (const server of servers) await server.dispose();
    folder.dispose();
  }
}

/** The same pages by more URLs than the service keeps answers of, so that each is cut out anew. */
function fresh(paths: readonly string[]): string[] {
  return Array.from({ length: 4000 }, (_, index) => `${paths[index % paths.length]}&n=${index}`);
}

async function measure(
  { rounds, slice }: typeof whole,
  targets: readonly (readonly [string, string, readonly string[]])[],
): Promise<ReadonlyMap<string, number>> {
  const figures = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, url, paths] of targets)
      figures.set(name, [...(figures.get(name) ?? []), await requestsPerSecond(url, paths, slice)]);
  return new Map([...figures].map(([name, values]) => [name, median(values)]));
}

async function writeData(folder: string, { denoms, proposals }: typeof whole) {
  const supply = Array.from({ length: denoms }, (_, index) => ({
    denom: `ibc/${(index * 7919).toString(16).toUpperCase().padStart(64, '0')}`,
    amount: String(BigInt((index % 9) + 1) * 10n ** BigInt(index % 30) + BigInt(index)),
  })).sort((a, b) => (a.denom < b.denom ? -1 : 1));
  const made = Array.from({ length: proposals }, (_, index) => toProposal(index));
  const state = { chain_id: 'bench-1', app_state: { bank: { supply }, gov: { proposals: made } } };
  await writeFile(join(folder, 'state.json'), JSON.stringify(state));
  return { supply, made };
}

/** json-server on the same data; undefined where it cannot be installed. */
async function startJsonServer(
  folder: string,
  supply: readonly object[],
  made: readonly object[],
  start: (script: string, ...args: readonly string[]) => Promise<string>,
): Promise<string | undefined> {
  const packages = await installForBench(['json-server@0.17.4']);
  if (!packages) return undefined;
  const data = join(folder, 'db.json');
  await writeFile(data, JSON.stringify({ supply, proposals: made }));
  return start('jsonServer.ts', packages, data);
}
