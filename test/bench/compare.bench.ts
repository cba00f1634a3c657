import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { openNode } from '../../src/api/open.ts';
import type { Coin } from '../../src/chain/coin.ts';
import { type Comparable, compareRows, compareSources, type SideEntry } from '../../src/reads/compare/compare.ts';
import { serveFile } from '../../src/service/serve.ts';
import { startFolder } from '../support/folders.ts';
import { median, type Row } from './row.ts';

const whole = { denoms: 100_000, runs: 5 };
const smallest: typeof whole = { denoms: 2_000, runs: 1 };

/** 100,000 denoms against 100,000: what it takes to tell them apart, and that with reading both over HTTP. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const { denoms, runs } = isSmallest ? smallest : whole;
  const [left, right] = [coins(denoms, 0), coins(denoms, 1000)];
  const [leftRows, rightRows] = [toRows(left), toRows(right)];
  const compared = alternately(
    3 * runs,
    () => compareRows('supply', leftRows, rightRows).length,
    () => differencesByMap(leftRows, rightRows),
  );
  const name = `supply of ${denoms} against ${denoms}`;
  return [
    {
      name: `${name}: compared, over a bare map`,
      value: median(compared.map(([ours]) => ours)),
      baseline: median(compared.map(([, bare]) => bare)),
      unit: 'ms',
      target: { of: 'ratio', atMost: 0.5 },
    },
    {
      name: `${name}: read and compared`,
      value: median(await wholeTimes(left, right, runs)),
      unit: 'ms',
      target: { of: 'value', atMost: 2000 },
    },
  ];
}

/** Milliseconds of both, in turn, so that a slow moment of the machine meets both. Throws where they do not find the same. */
function alternately(
  length: number,
  ours: () => number,
  bare: () => number,
): (readonly [ours: number, bare: number])[] {
  return Array.from({ length }, () => {
    const start = performance.now();
    const found = ours();
    const middle = performance.now();
    if (bare() !== found) throw new Error(`Not ${found} differences`);
    return [middle - start, performance.now() - middle] as const;
  });
}

/** The least that a comparison can be without relying on an order: a map of one side, asked for each row of the other. */
function differencesByMap(left: readonly SideEntry[], right: readonly SideEntry[]): number {
  const before = new Map(left);
  let count = 0;
  for (const [denom, { value }] of right) {
    if (before.get(denom)?.value !== value) count++;
    before.delete(denom);
  }
  return count + before.size;
}

/** Both sides from embedded services in this process, as in the extension host. */
async function wholeTimes(left: readonly Coin[], right: readonly Coin[], runs: number): Promise<number[]> {
  const folder = startFolder('bench');
  const services = await Promise.all(
    [left, right].map(async (supply, at) => {
      const file = join(folder.path, `${at}.json`);
      await writeFile(file, stateText(supply));
      const service = await serveFile({ file });
      await service.ready;
      return service;
    }),
  );
  try {
    return await times(runs, async () => {
      const nodes = services.map(({ baseUrl }) => openNode({ baseUrl: parseBaseUrl(baseUrl) }));
      const [a, b] = nodes.map(
        (node): Comparable => ({ source: { kind: 'sample', id: '', name: '' }, node: async () => node, notices: [] }),
      );
      if (!a || !b) throw new Error('Two services are needed.');
      const { supply } = await compareSources({ left: a, right: b }, new AbortController().signal, () => undefined);
      if (supply.kind !== 'compared' || supply.differences.length === 0) throw new Error('Nothing was compared.');
      await Promise.all(nodes.map((node) => node.dispose()));
    });
  } finally {
    await Promise.all(services.map((service) => service.dispose()));
    folder.dispose();
  }
}

async function times(runs: number, work: () => Promise<void>): Promise<number[]> {
  const all: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    all.push(performance.now() - start);
  }
  return all;
}

function toRows(supply: readonly Coin[]): SideEntry[] {
  return supply.map(({ denom, amount }): SideEntry => [denom, { value: `${amount}` }]);
}

/** Denoms by number from `from` on; every second amount is another one for another `from`. */
function coins(length: number, from: number): Coin[] {
  return Array.from({ length }, (_, n) => ({
    denom: `ibc/${(from + n).toString(16).toUpperCase().padStart(64, '0')}`,
    amount: 10n ** 24n + BigInt(from + n + (n % 2) * from),
  }));
}

function stateText(supply: readonly Coin[]): string {
  const rows = supply.map(({ denom, amount }) => ({ denom, amount: `${amount}` }));
  const bank = { params: {}, balances: [], supply: rows, denom_metadata: [] };
  return JSON.stringify({ chain_id: 'bench-1', app_state: { bank, gov: { proposals: [] } } });
}
