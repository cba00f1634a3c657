import { isReading, type Reading } from './reading.ts';
import { isWatchEvent, type WatchEvent } from './watchEvent.ts';

/** What was read last and what was told of it: of this machine only, never synced. */
export interface WatchLog {
  /** By entry key. */
  readonly readings: ReadonlyMap<string, Reading>;
  /** The latest events, oldest first. */
  readonly events: readonly WatchEvent[];
  /** Ids of all events that were found, silent ones included, with the time: none of them is told again. */
  readonly found: ReadonlyMap<string, number>;
}

const logVersion = 1;
const mostEvents = 200;
const mostFound = 20_000;

export const emptyLog: WatchLog = { readings: new Map(), events: [], found: new Map() };

/** The log as the JSON of its file. Old events and ids are left out. */
export function writeLog(log: WatchLog): string {
  const json = {
    version: logVersion,
    readings: Object.fromEntries(log.readings),
    events: log.events.slice(-mostEvents),
    found: Object.fromEntries([...log.found].slice(-mostFound)),
  };
  return JSON.stringify(json);
}

/** The log from its JSON, without what cannot be read; undefined where the text is no log of this version. */
export function readLog(text: string): WatchLog | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null || !('version' in json) || json.version !== logVersion)
    return undefined;
  const part = (name: string): readonly [string, unknown][] => {
    const found: unknown = Reflect.get(json, name);
    return typeof found === 'object' && found !== null ? Object.entries(found) : [];
  };
  const readings = new Map<string, Reading>();
  for (const [key, value] of part('readings')) if (isReading(value)) readings.set(key, value);
  const found = new Map<string, number>();
  for (const [id, time] of part('found')) if (typeof time === 'number') found.set(id, time);
  return { readings, events: part('events').flatMap(([, value]) => (isWatchEvent(value) ? [value] : [])), found };
}
