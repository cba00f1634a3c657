import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Bank, Gov, PartName, State } from './state.ts';
import type { Table } from './table.ts';

/** Which content of a file an index belongs to. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

interface CachedState extends FileStamp {
  readonly version: number;
  readonly notices: readonly string[];
  readonly parts: ReadonlyMap<PartName, Uint8Array>;
}

/** To be raised with every change of `State` or of what is read into it. */
const version = 1;
const mostFiles = 20;
const largestIndex = 256 * 1024 * 1024;
const hashSize = 32;
const ending = '.state';

/** The index of a file that is being read: parts are taken before they are handed to another thread, written at the end. */
export class StateCacheWriter {
  readonly #parts = new Map<PartName, Uint8Array>();
  #size = 0;

  add<P extends PartName>(name: P, part: State[P]): void {
    if (this.#size > largestIndex) return;
    const bytes = serialize(part);
    this.#parts.set(name, bytes);
    this.#size += bytes.length;
  }

  /** Writes the index whole or not at all, and forgets the oldest ones. Rejects where the folder cannot be written. */
  async write(folder: string, stamp: FileStamp, notices: readonly string[]): Promise<void> {
    if (this.#size > largestIndex) return;
    const cached: CachedState = { version, ...stamp, notices, parts: this.#parts };
    const body = serialize(cached);
    const temporary = join(folder, `${randomUUID()}.tmp`);
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(temporary, [hashOf(body), body]);
      await rename(temporary, join(folder, nameOf(stamp.path)));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await forgetOldest(folder);
  }
}

/** The index of exactly this content of the file; undefined where there is none, or where it is damaged. */
export async function readStateCache(
  folder: string,
  stamp: FileStamp,
): Promise<{ readonly state: State; readonly notices: readonly string[] } | undefined> {
  try {
    const bytes = await readFile(join(folder, nameOf(stamp.path)));
    const body = bytes.subarray(hashSize);
    if (!hashOf(body).equals(bytes.subarray(0, hashSize))) return undefined;
    const cached: CachedState = deserialize(body);
    const { path, size, mtimeMs } = cached;
    if (cached.version !== version || path !== stamp.path || size !== stamp.size || mtimeMs !== stamp.mtimeMs)
      return undefined;
    const part = (name: PartName) => deserialize(cached.parts.get(name) ?? new Uint8Array());
    const state: State = {
      head: part('head'),
      bank: ownBank(part('bank')),
      gov: ownGov(part('gov')),
      staking: part('staking'),
      params: part('params'),
    };
    return { state, notices: cached.notices };
  } catch {
    return undefined;
  }
}

/** `deserialize` gives views into shared buffers, which cannot be handed to another thread. */
function ownBank({ supply, metadata }: Bank): Bank {
  return { supply: ownTable(supply), metadata: ownTable(metadata) };
}

function ownGov(gov: Gov): Gov {
  return {
    ...gov,
    proposals: ownTable(gov.proposals),
    voters: ownTable(gov.voters),
    depositors: ownTable(gov.depositors),
    statuses: gov.statuses.slice(),
    forms: gov.forms.slice(),
  };
}

function ownTable({ count, keys, keyAt, rows, rowAt }: Table): Table {
  return { count, keys: keys.slice(), keyAt: keyAt.slice(), rows: rows.slice(), rowAt: rowAt.slice() };
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function nameOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32) + ending;
}

async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  if (names.length <= mostFiles) return;
  const times = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  );
  times.sort((a, b) => b.time - a.time);
  await Promise.all(times.slice(mostFiles).map(({ name }) => rm(join(folder, name), { force: true })));
}
