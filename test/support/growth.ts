/**
 * Time of `work` for one large text over its time for eight texts of an eighth: 1 where it is linear, 8 where it grows with
 * the square. The text doubles up to `most` characters until it takes long enough to be measured; one that never does is
 * linear. Other load on the machine does not count.
 */
export function growth(work: (size: number) => void, most: number): number {
  let size = 128;
  while (size < most && timeOf(() => work(size)) < measurable) size *= 2;
  if (timeOf(() => work(size)) < measurable) return 1;
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

/** How much longer code may take: under mutation testing each branch is counted. */
export const slowness = '__stryker__' in globalThis ? 20 : 1;

/** Microseconds; the clock has steps of some milliseconds. */
const measurable = 50_000;

/** Microseconds of this thread. */
function timeOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
