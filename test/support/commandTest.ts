import { findBrowser } from './browser.ts';
import { build } from './build.ts';
import { check } from './commandsOfBuild.ts';
import { type Counts, sumOf } from './counts.ts';
import { editors, installEditor } from './editorInstall.ts';
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
      hostStep([], installing, stop),
      uiStep([], installing, stop),
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
  return runSteps([uiStep(files, installEditor('newest'), stop)], stop);
}

/** `npm run test:host [-- FILE…]`: on both editors, or on the one that `VSCODE_VERSION` says (`stable`, or a path). */
export async function testHost(files: readonly string[], stop: AbortSignal): Promise<number> {
  await build({ production: false });
  return runSteps([hostStep(files, Promise.resolve(), stop)], stop);
}

function hostStep(files: readonly string[], installing: Promise<unknown>, stop: AbortSignal): Step {
  const desktop = process.env.VSCODE_VERSION;
  if (desktop) return [`host tests, VS Code ${desktop}`, () => runHostLevel([desktop], files, stop)];
  return [
    `host tests, VS Code ${editors.oldest.vscode} and ${editors.newest.vscode}`,
    async () => {
      await installing;
      findBrowser();
      return runHostLevel(['oldest', 'newest'], files, stop);
    },
  ];
}

/** What is installed on the way is there before two processes could want to install it. */
function uiStep(files: readonly string[], installing: Promise<unknown>, stop: AbortSignal): Step {
  return [
    'UI tests',
    async () => {
      await installing;
      findBrowser();
      return runNodeLevel('ui', files, stop);
    },
  ];
}

function passedOrFailed(passed: boolean): Counts {
  return { passed: 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** One after the other; what takes long does two things at a time by itself (see atOnce.ts). */
async function runSteps(steps: readonly Step[], stop: AbortSignal): Promise<number> {
  const all: Counts[] = [];
  for (const [name, run] of steps) {
    if (stop.aborted) return 130;
    const started = Date.now();
    console.log(`── ${name}`);
    const counts = await run().catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return passedOrFailed(false);
    });
    all.push(counts);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`── ${name}: ${counts.failed > 0 ? 'failed' : 'done'} in ${seconds} s\n`);
  }
  if (stop.aborted) return 130;
  const { passed, failed, skipped } = sumOf(all);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || passed === 0 ? 1 : 0;
}
