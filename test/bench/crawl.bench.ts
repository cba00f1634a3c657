import { bareLoop, type Crawler, growingPages, ourClient } from './crawlers.ts';
import { otherClients } from './otherClients.ts';
import { median, type Row } from './row.ts';
import { startSupplyService } from './supplyService.ts';

const whole = { count: 20_000, warmUps: 2, rounds: 11 };
const smallest: typeof whole = { count: 300, warmUps: 0, rounds: 1 };
const pageSize = 100;
const largestPage = 10_000;

/** A crawl of 20,000 denoms, 200 pages: our client, a bare loop, and published clients, in turn on the same service. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const size = isSmallest ? smallest : whole;
  const service = await startSupplyService(size.count);
  const { url } = service;
  const bare = bareLoop(url, pageSize);
  const ours = ourClient(url, pageSize);
  const growing = growingPages(url, pageSize, largestPage);
  const others = isSmallest ? [] : await otherClients(url, pageSize);
  const all = [bare, ours, growing, ...others];
  try {
    const times = await measure(all, size);
    const of = (crawler: Crawler) => median(times.get(crawler) ?? []);
    const published = median(others.map(of));
    const rows: Row[] = [
      {
        name: 'crawl of 200 pages, over a bare loop',
        value: of(ours),
        baseline: of(bare),
        unit: 'ms',
        target: { of: 'ratio', atMost: 1.2 },
      },
    ];
    for (const other of others) rows.push({ name: `the same through ${other.name}`, value: of(other), unit: 'ms' });
    if (others.length === 0) return rows;
    return [
      ...rows,
      {
        name: 'crawl of 200 pages, over the median of the three',
        value: of(ours),
        baseline: published,
        unit: 'ms',
        target: { of: 'ratio', atMost: 0.75 },
      },
      {
        name: 'Load all, pages that grow, over the same',
        value: of(growing),
        baseline: published,
        unit: 'ms',
        target: { of: 'ratio', atMost: 0.5 },
      },
    ];
  } finally {
    for (const crawler of all) await crawler.dispose();
    await service.dispose();
  }
}

/** Each in turn, so that a slow moment of the machine meets all of them; milliseconds. */
async function measure(
  crawlers: readonly Crawler[],
  { count, warmUps, rounds }: typeof whole,
): Promise<ReadonlyMap<Crawler, number[]>> {
  const times = new Map<Crawler, number[]>(crawlers.map((crawler) => [crawler, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const crawler of crawlers) {
      const start = performance.now();
      const coins = await crawler.crawl();
      if (round >= 0) times.get(crawler)?.push(performance.now() - start);
      if (coins !== count) throw new Error(`${crawler.name} read ${coins} of ${count} coins`);
    }
  }
  return times;
}
