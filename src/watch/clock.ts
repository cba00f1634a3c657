import type { Disposable } from '../chain/emitter.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Time as the watch list and the panel read it; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970 by this machine's clock; jumps when the clock is set. */
  now(): number;
  /** Whole milliseconds that never jump. Whether they run on while the machine sleeps depends on the system. */
  monotonic(): number;
  /** Runs once, `milliseconds` from now. */
  after(milliseconds: number, run: () => void): Disposable;
}

/** The machine's own clock. Its timers hold no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  after(milliseconds, run): Disposable {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/** When to read after a period's `end` (the node's time): soon, as the next block closes it, then ever more rarely. */
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
