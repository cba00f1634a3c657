import { bareName, ownValue } from './fields.ts';

/** Names that people write in a proposal's file in place of the right ones. */
const aliases: Readonly<Record<string, string>> = { msgs: 'messages', msg: 'messages', description: 'summary' };

/** Longer names are not compared. In characters. */
const longest = 64;

/** The name that is most likely meant by a misspelt one. Undefined if no name is close. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const alias = ownValue(aliases, name);
  if (alias !== undefined && names.includes(alias)) return alias;
  const same = names.find((one) => bareName(one) === bareName(name));
  if (same !== undefined || name.length > longest) return same;
  const words = wordsOf(name);
  const turned = names.find((one) => one.length === name.length && wordsOf(one) === words);
  if (turned !== undefined) return turned;
  const limit = name.length < 4 ? 0 : name.length < 8 ? 1 : 2;
  const near = names
    .map((one) => ({ one, distance: distanceOf(name.toLowerCase(), one.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.one;
}

/** The words of a name in the order of the alphabet, so that `MaxInflation` and `InflationMax` are the same. */
function wordsOf(name: string): string {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return words
    .map((word) => word.toLowerCase())
    .sort()
    .join(' ');
}

/**
 * The number of letters that are added, left out, changed, or swapped with the next one. Any number above `limit` if
 * there are more.
 */
function distanceOf(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const changed = (row[j - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    // Rows of larger numbers lead to no smaller one. A swap comes from the row before the last.
    const isFar = next.every((distance) => distance > limit);
    if (isFar && row.every((distance) => distance > limit)) return limit + 1;
    [before, row] = [row, next];
  }
  return row[to.length] ?? limit + 1;
}
