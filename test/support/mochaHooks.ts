// Root hooks of all levels. Each process notes its running test in a folder, so that a hanging one can be named.
// Failures are noted in a file for the end of the run.
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Mocha from 'mocha';

const note = process.env.RUNNING_TESTS && join(process.env.RUNNING_TESTS, `${process.pid}`);

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    if (note) writeFileSync(note, nameOf(this));
  },
  afterEach(this: Mocha.Context): void {
    if (note) writeFileSync(note, `the hooks after ${nameOf(this)}`);
    if (this.currentTest?.state === 'failed') noteFailure(this.currentTest);
  },
  afterAll(): void {
    if (note) rmSync(note, { force: true });
  },
};

/** Prints a failure at once, since mocha reports at the end of a file, and notes it for the end of the run. */
export function noteFailure(failed: Mocha.Runnable & { readonly err?: Error }): void {
  const reason = `${failed.err?.message}`.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 500);
  const line = `FAILED: ${failed.fullTitle()}: ${reason}\n`;
  if (process.env.FAILED_TESTS) appendFileSync(process.env.FAILED_TESTS, line);
  console.error(line);
}

function nameOf({ currentTest }: Mocha.Context): string {
  return `${currentTest?.fullTitle()} (${currentTest?.file})`;
}
