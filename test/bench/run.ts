// `npm run bench [-- NAME…]`: runs the measurements one after the other and prints what they found.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BenchFile, isMet, type Row } from './row.ts';

const names = process.argv.slice(2);
const files = globSync('*.bench.ts', { cwd: import.meta.dirname }).filter(
  (file) => names.length === 0 || names.some((name) => file.includes(name)),
);
if (files.length === 0) throw new Error(`No measurement is called ${names.join(' or ')}.`);

const table: Record<string, string | number>[] = [];
for (const file of files.sort()) {
  const name = basename(file, '.bench.ts');
  console.error(`Measuring ${name}…`);
  const { bench }: BenchFile = await import(join(import.meta.dirname, file));
  for (const row of await bench()) table.push(toLine(name, row));
}
console.table(table);
// What was started is ended by now; a handle that somebody forgot must not keep the numbers' process alive.
process.exit(0);

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
    met: met === undefined ? '' : met ? 'yes' : 'NO',
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
