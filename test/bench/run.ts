// `npm run bench [-- NAME…]` runs the measurements one after the other. Each prints its figures when it has ended. One that
// fails costs itself and the exit code. `--smallest`, which `npm test` uses, runs each once and as small as it can be, all at once.
import { type BenchFile, isMet, type Row } from './row.ts';

const parts: Readonly<Record<string, () => Promise<BenchFile>>> = {
  code: () => import('./code.bench.ts'),
  compare: () => import('./compare.bench.ts'),
  crawl: () => import('./crawl.bench.ts'),
  drafts: () => import('./drafts.bench.ts'),
  editor: () => import('./editor.bench.ts'),
  modules: () => import('./modules.bench.ts'),
  panel: () => import('./panel.bench.ts'),
  poisoned: () => import('./poisoned.bench.ts'),
  service: () => import('./service.bench.ts'),
  start: () => import('./start.bench.ts'),
  state: () => import('./state.bench.ts'),
};

const isSmallest = process.argv.includes('--smallest');
const names = process.argv.slice(2).filter((name) => name !== '--smallest');
const chosen = Object.entries(parts).filter(
  ([part]) => names.length === 0 || names.some((name) => part.includes(name)),
);
if (chosen.length === 0) throw new Error(`No measurement is called ${names.join(' or ')}.`);

const failed: string[] = [];
// Figures need a machine that does nothing else. The smallest forms have none, and mostly wait for editors.
if (isSmallest) await Promise.all(chosen.map(([part, load]) => measure(part, load)));
else for (const [part, load] of chosen) await measure(part, load);
console.log(failed.length === 0 ? 'All were measured.' : `FAILED: ${failed.join(', ')}.`);
// All that was started has ended by now. A forgotten handle must not keep the process of the figures alive.
process.exit(failed.length === 0 ? 0 : 1);

async function measure(part: string, load: () => Promise<BenchFile>): Promise<void> {
  if (!isSmallest) console.log(`Measuring ${part}…`);
  try {
    const { bench } = await load();
    const rows = await bench(isSmallest);
    if (isSmallest) console.log(`${part}, in its smallest form: the figures mean nothing`);
    console.table(rows.map((row) => toLine(part, row)));
  } catch (error) {
    console.error(`${part} failed:`, error);
    failed.push(part);
  }
}

function toLine(bench: string, row: Row): Record<string, string | number> {
  const { baseline, value, target, unit } = row;
  const met = isMet(row);
  return {
    bench,
    measured: row.name,
    median: `${round(value)} ${unit}`.trim(),
    baseline: baseline === undefined ? '' : `${round(baseline)} ${unit}`.trim(),
    ratio: baseline === undefined ? '' : round(value / baseline),
    target: target === undefined ? '' : targetText(target, unit),
    met: met === undefined || isSmallest ? '' : met ? 'yes' : 'NO',
  };
}

function targetText(target: NonNullable<Row['target']>, unit: string): string {
  const of = { value: '', ratio: 'ratio ', difference: 'over baseline ' }[target.of];
  const ofUnit = target.of === 'ratio' ? '' : ` ${unit}`;
  const limits = [
    target.atMost === undefined ? [] : [`at most ${target.atMost}${ofUnit}`],
    target.atLeast === undefined ? [] : [`at least ${target.atLeast}${ofUnit}`],
  ];
  return `${of}${limits.flat().join(', ')}`;
}

function round(value: number): number {
  return Number(value.toPrecision(value >= 1000 ? 6 : 3));
}
