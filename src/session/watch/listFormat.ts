import { sourceId as normalise } from '../source.ts';
import { entryKey, type Mute, type WatchEntry, type WatchOrigin, type WatchTarget } from './watchEntry.ts';
import { readRules, type WatchRules, writeRules } from './watchRules.ts';

/** "Watch everything in voting" of a source; `skipped` are proposals that the user took off the list again. */
export interface WatchEverything {
  readonly sourceId: string;
  readonly skipped: readonly bigint[];
}

/** The list as a user made it, in the user's order. */
export interface WatchListData {
  readonly entries: readonly WatchEntry[];
  readonly everything: readonly WatchEverything[];
  /** By entry key; for entries of a shared list too, which are not among `entries`. */
  readonly mutes: ReadonlyMap<string, Mute>;
}

/** The version that this code writes. */
export const listVersion = 1;

export const emptyList: WatchListData = { entries: [], everything: [], mutes: new Map() };

/** Why a stored text cannot be used. */
export type ListFault = { readonly kind: 'damaged' } | { readonly kind: 'future'; readonly version: number };

/** The list as the JSON of the file and of an export. */
export function writeList(list: WatchListData): string {
  const json = {
    version: listVersion,
    entries: list.entries.map(writeEntry),
    everything: list.everything.map(({ sourceId, skipped }) => ({ source: sourceId, skipped: skipped.map(String) })),
    mutes: Object.fromEntries(list.mutes),
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

/** The list from its JSON. An entry that cannot be read is left out; a text that is not a list at all is a fault. */
export function readList(text: string): WatchListData | ListFault {
  const json = parse(text);
  if (!isRecord(json) || !Array.isArray(json.entries) || typeof json.version !== 'number') return { kind: 'damaged' };
  if (json.version > listVersion) return { kind: 'future', version: json.version };
  const entries = new Map(json.entries.flatMap(readEntry).map((entry) => [entryKey(entry.target), entry]));
  const everything = Array.isArray(json.everything) ? json.everything.flatMap(readEverything) : [];
  return { entries: [...entries.values()], everything, mutes: readMutes(json.mutes) };
}

/** Whether `readList` found a fault. */
export function isFault(read: WatchListData | ListFault): read is ListFault {
  return 'kind' in read;
}

/** An entry as JSON: ids and rules only. */
export function writeEntry(entry: WatchEntry): Readonly<Record<string, unknown>> {
  const { target } = entry;
  return {
    source: target.sourceId,
    ...(target.kind === 'proposal' ? { proposal: target.id.toString() } : { denom: target.denom }),
    rules: writeRules(entry.rules),
    ...(entry.origin === 'everything' ? { origin: entry.origin } : {}),
  };
}

/** An entry of a list, a setting or a synced key; none where it is unusable. */
export function readEntry(value: unknown): WatchEntry[] {
  if (!isRecord(value) || typeof value.source !== 'string') return [];
  const sourceId = readSourceId(value.source);
  if (sourceId === undefined) return [];
  const rules: WatchRules = readRules(value.rules);
  const origin: WatchOrigin = value.origin === 'everything' ? 'everything' : 'user';
  return readTarget(sourceId, value).map((target) => ({ target, rules, origin }));
}

function readTarget(sourceId: string, value: Readonly<Record<string, unknown>>): WatchTarget[] {
  const { proposal, denom } = value;
  const id = readId(proposal);
  if (id !== undefined) return [{ kind: 'proposal', sourceId, id }];
  return typeof denom === 'string' && /^\S{1,256}$/.test(denom) ? [{ kind: 'denom', sourceId, denom }] : [];
}

/** A proposal id: a whole number above 0, as text or (in settings written by hand) as a number. */
function readId(value: unknown): bigint | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return undefined;
  const id = BigInt(text);
  return id > 0n && id < 2n ** 64n ? id : undefined;
}

/** "Watch everything" of a list or a synced key; none where it is unusable. */
export function readEverything(value: unknown): WatchEverything[] {
  if (!isRecord(value) || typeof value.source !== 'string') return [];
  const sourceId = readSourceId(value.source);
  if (sourceId === undefined) return [];
  const skipped = Array.isArray(value.skipped) ? value.skipped.flatMap((id) => readId(id) ?? []) : [];
  return [{ sourceId, skipped }];
}

function readMutes(value: unknown): ReadonlyMap<string, Mute> {
  const mutes = new Map<string, Mute>();
  for (const [key, until] of isRecord(value) ? Object.entries(value) : []) {
    if (typeof until === 'number' || until === 'forGood') mutes.set(key, until);
  }
  return mutes;
}

function readSourceId(text: string): string | undefined {
  try {
    return normalise(text);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
