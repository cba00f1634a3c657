import type { StateParts } from './stateParts.ts';

/**
 * The moment that a state speaks of as now (decision 8): its own time, or the latest time that its proposals name as past,
 * since exports keep the time of their genesis. Undefined where it has none, or has not been read that far.
 */
export function stateClock(parts: StateParts): Date | undefined {
  const times = [Date.parse(parts.peek('head')?.time ?? ''), parts.peek('gov')?.latest ?? 0].filter((time) => time > 0);
  return parts.peek('head') && times.length > 0 ? new Date(Math.max(...times)) : undefined;
}
