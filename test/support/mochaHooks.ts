// Root hooks of all levels: each process notes in a folder which test it runs, so that one that hangs is named.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Mocha from 'mocha';

const note = process.env.RUNNING_TESTS && join(process.env.RUNNING_TESTS, `${process.pid}`);

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    if (note) writeFileSync(note, nameOf(this));
  },
  afterEach(this: Mocha.Context): void {
    if (note) writeFileSync(note, `the hooks after ${nameOf(this)}`);
  },
  afterAll(): void {
    if (note) rmSync(note, { force: true });
  },
};

function nameOf({ currentTest }: Mocha.Context): string {
  return `${currentTest?.fullTitle()} (${currentTest?.file})`;
}
