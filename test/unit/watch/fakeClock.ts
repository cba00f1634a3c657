import type { Clock } from '../../../src/watch/clock.ts';

/** The one true time of a simulation, which nobody in it can see. */
export class World {
  time: number;
  readonly #clocks: FakeClock[] = [];

  constructor(time: number) {
    this.time = time;
  }

  clock(): FakeClock {
    const clock = new FakeClock(this);
    this.#clocks.push(clock);
    return clock;
  }

  /** Timers that are set, of all clocks. */
  get timers(): number {
    return this.#clocks.reduce((sum, clock) => sum + clock.timers, 0);
  }

  /** Lets time go by until `until`; after each timer everything that it set off runs to its end (`settle`). */
  async run(until: number, settle: () => Promise<void>): Promise<void> {
    for (;;) {
      await settle();
      const due = this.#clocks.flatMap((clock) => clock.next() ?? []).sort((a, b) => a.time - b.time)[0];
      if (!due || due.time > until) break;
      this.time = Math.max(this.time, due.time);
      due.fire();
    }
    this.time = until;
  }
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** The clock of one machine: it can be set wrong, and it can sleep. */
export class FakeClock implements Clock {
  /** The lead of the machine's clock over the truth. */
  offset = 0;
  /** Whether the monotonic clock runs on in sleep, as on Windows. */
  runsInSleep = false;
  readonly #world: World;
  readonly #timers = new Set<Timer>();
  #slept = 0;
  #asleepSince: number | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  now(): number {
    return this.#world.time + this.offset;
  }

  monotonic(): number {
    return (this.#asleepSince ?? this.#world.time) - (this.runsInSleep ? 0 : this.#slept);
  }

  after(milliseconds: number, run: () => void) {
    if (milliseconds > 2 ** 31 - 1) throw new Error('setTimeout would fire at once');
    const timer = { at: this.monotonic() + milliseconds, run };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  sleep(): void {
    this.#asleepSince = this.#world.time;
  }

  wake(): void {
    if (this.#asleepSince !== undefined) this.#slept += this.#world.time - this.#asleepSince;
    this.#asleepSince = undefined;
  }

  get timers(): number {
    return this.#timers.size;
  }

  get asleep(): boolean {
    return this.#asleepSince !== undefined;
  }

  next(): { time: number; fire: () => void } | undefined {
    if (this.asleep) return undefined;
    let first: Timer | undefined;
    for (const timer of this.#timers) if (!first || timer.at < first.at) first = timer;
    if (!first) return undefined;
    const timer = first;
    const fire = () => {
      this.#timers.delete(timer);
      timer.run();
    };
    return { time: this.#world.time + timer.at - this.monotonic(), fire };
  }
}
