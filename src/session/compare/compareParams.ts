import type { ParamDifference } from './comparison.ts';

/** The parameters whose values differ, by name. */
export function compareParams(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): ParamDifference[] {
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => left.get(name) !== right.get(name))
    .sort()
    .map((name) => ({ name, left: left.get(name), right: right.get(name) }));
}
