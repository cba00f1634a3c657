import type { Disposable } from '../chain/emitter.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Time for the watch list and the panel. Tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970 by this machine's clock, which jumps when it is set. */
  now(): number;
  /** Whole milliseconds that never jump. The system decides if they go on while the machine sleeps. */
  monotonic(): number;
  /** Runs `run` once, `milliseconds` from now. */
  after(milliseconds: number, run: () => void): Disposable;
}

/** The machine's own clock. Its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  after(milliseconds, run): Disposable {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/**
 * Gives the time of the next read after the `end` of a period (the node's time): soon, since the next block closes the
 * period, then less and less often.
 */
export function nextCheck(end: number, readAt: number | undefined): number {
  if (readAt === undefined || readAt < end) return end + 2 * second;
  const late = readAt - end;
  const [, delay] = checkDelays.find(([until]) => late < until) ?? [0, hour];
  return readAt + delay;
}

const checkDelays = [
  [10 * second, 3 * second],
  [minute, 5 * second],
  [10 * minute, 30 * second],
  [24 * hour, 5 * minute],
] as const;
