/** What a version of the Cosmos SDK does and does not do (contract-facts sections 0 and 1). */
export interface SdkVersion {
  readonly minor: number;
  readonly patch: number;
}

/** `v0.47.5-v24-osmo-4` → 0.47.5; undefined for anything that is no version of the 0.x line. */
export function readSdkVersion(text: string | null | undefined): SdkVersion | undefined {
  const found = /^v?0\.(\d+)\.(\d+)/.exec(text ?? '');
  return found ? { minor: Number(found[1]), patch: Number(found[2]) } : undefined;
}

/** Where the supply of one denom is asked for: in the path up to 0.45, by query since 0.46 (PR #11170). */
export function supplyOfForm(version: SdkVersion): 'path' | 'byDenom' {
  return version.minor < 46 ? 'path' : 'byDenom';
}

/**
 * Whether proposals read newest first by key are all there: unknown before 0.43; 0.50.0 to 0.50.8 lose the row at the key
 * of every page (#20938).
 */
export function reversesExactly(version: SdkVersion): boolean {
  if (version.minor < 43) return false;
  return version.minor !== 50 || version.patch >= 9;
}

/** Whether `count_total` may go with a filter: up to 0.45 counting overwrites the next key, and rows are skipped (#11407). */
export function countsFiltered(version: SdkVersion): boolean {
  return version.minor >= 46;
}

/** Whether `offset` counts the rows that match a filter; since 0.50 it counts the rows before filtering (#25665). */
export function offsetsFiltered(version: SdkVersion): boolean {
  return version.minor < 50;
}
