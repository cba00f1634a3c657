const second = 1000;
const minute = 60 * second;

/**
 * When to look whether a period that ended at `end` has been closed by the chain, which does so with its next block:
 * soon, and more and more rarely while blocks do not come. `lookedAt` is the last look, if it was after the end. All
 * times are of the node's clock.
 */
export function nextCheck(end: number, lookedAt: number | undefined): number {
  return lookedAt === undefined || lookedAt < end ? end + 2 * second : lookedAt + gap(lookedAt - end);
}

/** Milliseconds between two looks, `late` milliseconds after the end. */
function gap(late: number): number {
  if (late < 10 * second) return 3 * second;
  if (late < minute) return 5 * second;
  if (late < 10 * minute) return 30 * second;
  return late < 1440 * minute ? 5 * minute : 60 * minute;
}

/**
 * How long to leave an endpoint alone that has not answered for `downFor` milliseconds. While something is overdue there
 * (`overdue`) it is asked about every 8 s for a quarter of an hour; otherwise rarely. Never longer than 10 minutes.
 */
export function retryDelay(downFor: number, overdue: boolean): number {
  return overdue
    ? Math.min(5 * minute, Math.max(8 * second, Math.round(downFor / 120)))
    : Math.min(10 * minute, Math.max(15 * second, Math.round(downFor / 2)));
}
