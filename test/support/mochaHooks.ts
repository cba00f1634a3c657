// Root hooks of all levels.
import { appendFileSync } from 'node:fs';
import type Mocha from 'mocha';

/** Milliseconds, by test file. */
const times = new Map<string, number>();
/** What a test file takes begins where the one before it ended: its imports and hooks count. */
let last = 0;

function addTime(file: string | undefined): void {
  if (file === undefined) return;
  const now = performance.now();
  times.set(file, (times.get(file) ?? 0) + now - last);
  last = now;
}

/** mocha clones a test to try it again; its types do not list the accessor of the test that was cloned. */
function isSecondTry(test: object): boolean {
  return 'retriedTest' in test && typeof test.retriedTest === 'function' && test.retriedTest() !== undefined;
}

export const mochaHooks = {
  afterEach(this: Mocha.Context): void {
    const test = this.currentTest;
    addTime(test?.file);
    if (test && isSecondTry(test)) console.log(`A second try was needed: ${test.file} ${test.fullTitle()}`);
  },
  /** With `--parallel` this runs after each file. */
  async afterAll(this: Mocha.Context): Promise<void> {
    addTime(this.test?.parent?.suites.at(-1)?.file);
    const lines = [...times].map(([file, ms]) => `${ms}\t${file}\n`);
    times.clear();
    if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, lines.join(''));
  },
};
