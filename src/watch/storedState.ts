import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { KeyValueStore } from '../session/memory.ts';
import { writeWhole } from '../wholeFile.ts';
import { factsSchema, type Snapshot, snapshotSchema } from './snapshot.ts';
import { addItems, readItem, type WatchItem, type WatchList } from './watchList.ts';

// The stored data of the watch list beside the setting: snapshots and events, in one file in the storage of the
// extension. It may be lost without harm: the first poll afterwards reports nothing.

const time = z.optional(z.number());

const eventSchema = z.readonly(
  z.object({
    id: z.string(),
    key: z.string(),
    title: z.optional(z.string()),
    facts: factsSchema,
    /** The time when it was found, by this machine's clock. */
    at: z.number(),
  }),
);
export type WatchEvent = z.infer<typeof eventSchema>;

const sourceSchema = z.readonly(
  z.object({
    /** The times of the last poll and of the last poll with proposals in voting, by this machine's clock. */
    polledAt: time,
    votingPolledAt: time,
    /** Ids of proposals that "everything in voting" found; absent before its first poll. */
    found: z.optional(z.array(z.string().check(z.regex(/^[1-9]\d{0,19}$/)))),
  }),
);
type SourceState = z.infer<typeof sourceSchema>;

/** The data of one window, which it leaves to the next window that gets the focus. */
export interface WatchState {
  /** Snapshots by key of the entry. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** Sources by id. */
  readonly sources: ReadonlyMap<string, SourceState>;
  /** The latest events, oldest first. */
  readonly events: readonly WatchEvent[];
}

export const emptyState: WatchState = { snapshots: new Map(), sources: new Map(), events: [] };

const version = 1;

const fileSchema = z.object({
  version: z.literal(version),
  snapshots: z.array(z.tuple([z.string(), snapshotSchema])),
  sources: z.array(z.tuple([z.string(), sourceSchema])),
  events: z.array(eventSchema),
});

/** The limit of age. Older events are not reported, and snapshots that no poll has renewed are read anew. */
const eventAge = 7 * 24 * 3_600_000;
const snapshotAge = 90 * 24 * 3_600_000;
const maxEvents = 200;

/** Writes the state whole or not at all. Rejects if the disk refuses. */
export async function writeStateFile(path: string, { snapshots, sources, events }: WatchState): Promise<void> {
  const text = JSON.stringify({ version, snapshots: [...snapshots], sources: [...sources], events });
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, [text]);
}

/**
 * Reads the state of a file without outdated parts; undefined if the file has no state of this version. `now` is this
 * machine's time.
 */
export async function readStateFile(path: string, now: number): Promise<WatchState | undefined> {
  const { data } = fileSchema.safeParse(await readJson(path));
  return (
    data && {
      snapshots: new Map(data.snapshots.filter(([, { at }]) => now - at < snapshotAge)),
      sources: new Map(data.sources.filter(([, { polledAt = 0 }]) => now - polledAt < snapshotAge)),
      events: data.events.filter(({ at }) => now - at < eventAge).slice(-maxEvents),
    }
  );
}

/** Reads JSON; undefined without a file or without JSON in it. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

// Up to version 0.1.0, the list was a file, `list.json`, mirrored in keys that the editor synced.

/** An item of the old list, which has members that the setting lacks. */
const oldItemSchema = z.looseObject({ origin: z.optional(z.string()), skipped: z.optional(z.array(z.unknown())) });
const oldFileSchema = z.object({
  entries: z.array(z.unknown()),
  everything: z.catch(z.array(z.record(z.string(), z.unknown())), []),
  mutes: z.catch(z.record(z.string(), z.union([z.number(), z.literal('forGood')])), {}),
});

/**
 * Moves an old list, a file in `folder` and keys, into the user's setting. Resolves with the number of its entries.
 * Rejects with everything in place if the setting cannot be written.
 */
export async function migrateOldList(
  list: WatchList,
  folder: string,
  keys: KeyValueStore,
  now: number,
): Promise<number> {
  const path = join(folder, 'list.json');
  const { entries = [], everything = [], mutes = {} } = oldFileSchema.safeParse(await readJson(path)).data ?? {};
  const names = keys.keys().filter((name) => name.startsWith('watch'));
  const fromKeys = names.filter((name) => name.startsWith('watch.')).map((name) => keys.get(name));
  const values = [...entries, ...everything.map((value) => ({ ...value, everything: true })), ...fromKeys];
  const items = values.flatMap((value): WatchItem[] => {
    const { data } = oldItemSchema.safeParse(value);
    const item = data && readItem({ ...data, skip: data.skipped });
    if (!item || data.origin === 'everything' || item.target.sourceId.startsWith('file:')) return [];
    const until = mutes[item.key];
    return [{ ...item, muted: until === 'forGood' ? true : until && until > now ? until : undefined }];
  });
  await list.edit(addItems(items));
  // Another window may have renamed it.
  await rename(path, join(folder, 'list.migrated.json')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  for (const name of ['log.json', 'lease', 'focus', 'lock']) await rm(join(folder, name), { force: true });
  for (const name of names) await keys.update(name, undefined);
  return new Set(items.map(({ key }) => key)).size;
}
