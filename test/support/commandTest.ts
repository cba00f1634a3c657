import { findBrowser } from './browserFind.ts';
import { build } from './build.ts';
import { check } from './commandsOfBuild.ts';
import { type EditorVersion, editors, installEditor } from './editorInstall.ts';
import type { Counts } from './mochaRun.ts';
import { runHostLevel, runNodeLevel } from './testLevels.ts';

/** Something that counts: its tests, or one failure when it could not run them. */
type Step = readonly [name: string, run: () => Promise<Counts>];

/**
 * `npm test`: everything, on both editors. Goes on after a failure, so that one run tells of all, and ends with the sum.
 * With `full`, tests see `TEST_FULL=1` and run the counts that take longer.
 */
export async function test({ full, stop }: { readonly full: boolean; readonly stop: AbortSignal }): Promise<number> {
  if (full) process.env.TEST_FULL = '1';
  // Needs the network and little of the processor: meanwhile the first steps run.
  const installing = Promise.allSettled([installEditor('oldest'), installEditor('newest')]);
  return runSteps(
    [
      ['check', async () => passedOrFailed((await check([], stop)) === 0)],
      ['build', async () => passedOrFailed(await build({ production: false }).then(() => true))],
      ['unit tests', () => runNodeLevel('unit', [], stop)],
      ...hostSteps([], installing, stop),
      ['UI tests', () => installing.then(() => runNodeLevel('ui', [], stop))],
    ],
    stop,
  );
}

/** `npm run test:unit [-- FILE…]` */
export async function testUnit(files: readonly string[], stop: AbortSignal): Promise<number> {
  return runSteps([['unit tests', () => runNodeLevel('unit', files, stop)]], stop);
}

/** `npm run test:ui [-- FILE…]` */
export async function testUi(files: readonly string[], stop: AbortSignal): Promise<number> {
  await build({ production: false });
  return runSteps([['UI tests', () => runNodeLevel('ui', files, stop)]], stop);
}

/** `npm run test:host [-- FILE…]`: on both editors, or on the one that `VSCODE_VERSION` says (`stable`, or a path). */
export async function testHost(files: readonly string[], stop: AbortSignal): Promise<number> {
  await build({ production: false });
  return runSteps(hostSteps(files, Promise.resolve(), stop), stop);
}

function hostSteps(files: readonly string[], installing: Promise<unknown>, stop: AbortSignal): readonly Step[] {
  const desktop = process.env.VSCODE_VERSION;
  if (desktop) return [[`host tests, VS Code ${desktop}`, () => runHostLevel({ desktop }, files, stop)]];
  const versions: readonly EditorVersion[] = ['oldest', 'newest'];
  return versions.map((version) => [
    `host tests, VS Code ${editors[version].vscode}`,
    async () => {
      await installing;
      findBrowser();
      return runHostLevel({ version }, files, stop);
    },
  ]);
}

function passedOrFailed(passed: boolean): Counts {
  return { passed: 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** One after the other: two editors at once make each other's timings unreliable on a small machine. */
async function runSteps(steps: readonly Step[], stop: AbortSignal): Promise<number> {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, run] of steps) {
    if (stop.aborted) return 130;
    const started = Date.now();
    console.log(`── ${name}`);
    const counts = await run().catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return passedOrFailed(false);
    });
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.skipped += counts.skipped;
    console.log(
      `── ${name}: ${counts.failed > 0 ? 'failed' : 'done'} in ${Math.round((Date.now() - started) / 1000)} s\n`,
    );
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  return sum.failed > 0 || sum.passed === 0 ? 1 : 0;
}
