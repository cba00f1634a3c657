import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { addValues, readItem, sourceIdOf, type WatchItem, type WatchList, writeItem } from './list.ts';
import { parseJson } from './storedState.ts';

// Up to version 0.1.0 the list was a file, `list.json`, mirrored in keys that the editor synced.

/** The editor's state of the extension. */
export interface OldKeys {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const keyPrefix = 'watch.';
/** Of all keys of old. */
const otherPrefix = 'watch';

/** Members that the setting does not have. */
const oldSchema = z.looseObject({ origin: z.optional(z.string()), skipped: z.optional(z.array(z.unknown())) });
const listSchema = z.object({
  entries: z.array(z.unknown()),
  everything: z.catch(z.array(z.unknown()), []),
  mutes: z.catch(z.record(z.string(), z.union([z.number(), z.literal('forGood')])), {}),
});

/**
 * Moves an old list into the user's setting: its file in `folder` and its keys, united by target, without state files and
 * ended mutes. Then renames the file and clears the keys. Resolves with how many entries were taken over; rejects, with all
 * still in place, where the setting cannot be written.
 */
export async function takeOver(list: WatchList, folder: string, keys: OldKeys, now: number): Promise<number> {
  const path = join(folder, 'list.json');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const file = listSchema.safeParse(text === undefined ? undefined : parseJson(text)).data;
  const names = keys.keys().filter((key) => key.startsWith(keyPrefix));
  const readOld = (value: unknown, everything?: true): WatchItem[] => {
    const { data } = oldSchema.safeParse(value);
    const item = data && readItem({ ...data, skip: data.skipped, ...(everything ? { everything } : {}) });
    if (!item || data.origin === 'everything' || sourceIdOf(item).startsWith('file:')) return [];
    const until = file?.mutes[item.key];
    return [{ ...item, muted: until === 'forGood' ? 'always' : until && until > now ? until : undefined }];
  };
  const items = [
    ...(file?.entries ?? []).flatMap((value) => readOld(value)),
    ...(file?.everything ?? []).flatMap((value) => readOld(value, true)),
    ...names.flatMap((key) => readOld(keys.get(key))),
  ];
  await list.edit(addValues(items.map(writeItem)));
  if (text !== undefined) await rename(path, join(folder, 'list.migrated.json')).catch(ignoreMissing);
  for (const name of ['log.json', 'lease', 'focus', 'lock']) await rm(join(folder, name), { force: true });
  for (const key of keys.keys().filter((name) => name.startsWith(otherPrefix))) await keys.update(key, undefined);
  return new Set(items.map(({ key }) => key)).size;
}

/** Another window may have renamed it. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
