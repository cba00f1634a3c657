import type { Disposable } from '../../chain/emitter.ts';

/** Time as the watch list sees it; the tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970 as this machine believes; jumps when somebody sets the clock. */
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
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};
