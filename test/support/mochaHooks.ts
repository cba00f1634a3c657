// Root hooks of all levels.
import { appendFileSync } from 'node:fs';
import type Mocha from 'mocha';

/** Milliseconds, by test file. */
const times = new Map<string, number>();
/** What a test file takes begins where the one before it ended: its imports and hooks count. */
let last = 0;

/** Tests that have run; one that runs again is tried again. */
const ended = new Set<string>();

function addTime(file: string | undefined): void {
  if (file === undefined) return;
  const now = performance.now();
  times.set(file, (times.get(file) ?? 0) + now - last);
  last = now;
}

export const mochaHooks = {
  afterEach(this: Mocha.Context): void {
    addTime(this.currentTest?.file);
    const name = `${this.currentTest?.file} ${this.currentTest?.fullTitle()}`;
    if (ended.has(name)) console.log(`A second try was needed: ${name}`);
    ended.add(name);
  },
  /** With `--parallel` this runs after each file. */
  async afterAll(this: Mocha.Context): Promise<void> {
    addTime(this.test?.parent?.suites.at(-1)?.file);
    const lines = [...times].map(([file, ms]) => `${ms}\t${file}\n`);
    times.clear();
    if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, lines.join(''));
  },
};
