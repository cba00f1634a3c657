/** Ids from `from` to `to`, both included. */
export interface IdRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** The ids between the lowest and the highest that are not among these, ascending. */
export function idGaps(ids: Iterable<bigint>): readonly IdRange[] {
  const sorted = [...ids].sort((a, b) => (a < b ? -1 : 1));
  const gaps: IdRange[] = [];
  for (const [at, id] of sorted.entries()) {
    const previous = sorted[at - 1];
    if (previous !== undefined && id > previous + 1n) gaps.push({ from: previous + 1n, to: id - 1n });
  }
  return gaps;
}
