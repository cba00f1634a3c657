/**
 * Time of `work` for one large text over its time for eight texts of an eighth: 1 where it is linear, 8 where it grows with
 * the square. The text doubles up to `most` characters until it takes long enough to be measured; one that never does is
 * linear. Other load on the machine does not count.
 */
export function growth(work: (size: number) => void, most: number): number {
  let size = 128;
  let time = timeOf(() => work(size));
  while (size < most && time < measurable) {
    size *= 2;
    time = timeOf(() => work(size));
  }
  if (time < measurable) return 1;
  let large = 0;
  let small = 0;
  for (let round = 0; round < 3; round++) {
    large += timeOf(() => work(size));
    small += timeOf(() => {
      for (let part = 0; part < 8; part++) work(size / 8);
    });
  }
  return large / Math.max(small, measurable / 10);
}

/**
 * Time of `work` over that of looking at each character of a mebibyte, which goes beside it in the same run: least of a few
 * rounds. Other load on the machine does not count.
 */
export function overReading(work: () => unknown): number {
  const text = 'one, two; '.repeat(2 ** 20 / 10);
  let [least, unit] = [Infinity, Infinity];
  for (let round = 0; round < 5; round++) {
    unit = Math.min(
      unit,
      timeOf(() => countKinds(text)),
    );
    least = Math.min(least, timeOf(work));
  }
  return least / slowness / unit;
}

/** In JavaScript like the code that is measured: a busy machine compiles it late, too. */
function countKinds(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

/** Milliseconds that asynchronous work took, without those in which a busy machine did not let this process run. */
export async function timeWithoutStalls(work: () => Promise<unknown>): Promise<number> {
  const pause = 10;
  const start = performance.now();
  let [last, stalled] = [start, 0];
  const look = () => {
    const now = performance.now();
    stalled += Math.max(0, now - last - 2 * pause);
    last = now;
  };
  const timer = setInterval(look, pause);
  await work().finally(() => clearInterval(timer));
  look();
  return last - start - stalled;
}

/** How much longer code may take: under mutation testing each branch is counted. */
export const slowness = '__stryker__' in globalThis ? 20 : 1;

/** Microseconds; the clock has steps of some milliseconds. */
const measurable = 50_000;

/** Microseconds of this thread. */
function timeOf(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
