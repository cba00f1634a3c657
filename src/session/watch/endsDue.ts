import { isLive, periodEnd, type Reading } from './reading.ts';
import type { Found } from './takeIn.ts';
import type { WatchRules } from './watchRules.ts';

const hour = 3_600_000;

/**
 * "Ends within N hours" as far as it is true at `now` (the node's time). Of several at once only the nearest is worth a
 * word; after the end none is.
 */
export function endsDue(rules: WatchRules, reading: Reading, now: number): Found[] {
  const end = periodEnd(reading);
  if (reading.kind === 'denom' || end === undefined || now >= end) return [];
  const period = reading.status === 'deposit' ? 'deposit' : 'voting';
  const due = rules.hoursBefore.filter((hours) => now >= end - hours * hour);
  return due.map((hours) => ({
    id: `ends ${period} ${hours} ${end}`,
    what: { kind: 'ends', period, hours, end },
    silent: hours !== due.at(-1),
  }));
}

/** The node's time at which the next "ends within N hours" becomes true; undefined when none is to come. */
export function nextMark(rules: WatchRules, reading: Reading, now: number): number | undefined {
  const end = periodEnd(reading);
  if (!isLive(reading) || end === undefined) return undefined;
  const marks = rules.hoursBefore.map((hours) => end - hours * hour).filter((mark) => mark > now);
  return marks.length > 0 ? Math.min(...marks) : undefined;
}
