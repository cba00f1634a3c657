/** One thing that was measured, and what is asked of it. */
export interface Row {
  readonly name: string;
  /** The figure: a median, where it was measured several times. */
  readonly value: number;
  readonly unit: 'ms' | 'B' | 'kB' | 'MB' | 'MB/s' | '/s' | 'x' | '';
  /** The same figure of what we compare with, measured in the same run. */
  readonly baseline?: number;
  /** The figure that the target limits: the value itself, its ratio to the baseline, or its difference from the baseline. */
  readonly target?: {
    readonly of: 'value' | 'ratio' | 'difference';
    readonly atMost?: number;
    readonly atLeast?: number;
  };
}

/** The export of a file `test/bench/NAME.bench.ts`. */
export interface BenchFile {
  /** Smallest: each thing once, on the least data, and beside nothing that has to be installed first. */
  bench(isSmallest: boolean): Promise<readonly Row[]>;
}

/** The median. For an even number of values, the mean of the middle two. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** `undefined` when there is no target. */
export function isMet({ value, baseline, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  const base = baseline ?? Number.NaN;
  const figures = { value, ratio: value / base, difference: value - base };
  const figure = figures[target.of];
  // Not a number never meets a target.
  return (
    figure <= (target.atMost ?? Number.POSITIVE_INFINITY) && figure >= (target.atLeast ?? Number.NEGATIVE_INFINITY)
  );
}
