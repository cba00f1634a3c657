import { lstat, mkdir, readdir, readFile, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../api/errors.ts';
import { isFields, toFields } from './jsonValue.ts';
import { shorten } from './serviceErrors.ts';
import {
  cannotWrite,
  type Format,
  formats,
  openFormat,
  TableError,
  TableFile,
  type TableSummary,
} from './tableFile.ts';
import { layoutVersion, type TableName, tableNames } from './tables.ts';

/** Where tables are written to, and which. */
export interface TablesJob {
  readonly folder: string;
  readonly format: Format;
  /** All where absent. */
  readonly tables?: readonly TableName[] | undefined;
  /** The folder may hold files; what an export before has written among them is replaced, and nothing else. */
  readonly force?: boolean | undefined;
  /** The file that is read, which is never replaced. */
  readonly file?: string | undefined;
}

/** What the manifest says of the state that the rows are of: docs/tables.md#manifest. */
export interface TablesOrigin {
  readonly chain_id: string | null;
  readonly height: string | null;
  readonly time: string | null;
  readonly time_from: string | null;
  /** Size and SHA-256 are those of a file. */
  readonly source: { readonly name: string; readonly size: number | null; readonly sha256: string | null };
  readonly notices: readonly string[];
}

/** What `manifest.json` says. */
export interface Manifest extends TablesOrigin {
  readonly layout: number;
  readonly tables: Readonly<Record<string, TableSummary>>;
}

/** Tables are written here, inside the folder, until all are whole. */
const temporaryName = '.chain-inspector.tmp';
const manifestName = 'manifest.json';
/** A manifest has a few kilobytes; its notices are one sentence each. */
const largestManifest = 4 << 20;
/** All names that an export gives. */
const ownNames = [manifestName, ...tableNames.flatMap((name) => formats.map((format) => `${name}.${format}`))];

/** Bytes of tables, before they are packed, for each byte of the source; and what those of a small one may have anyway. */
const maxTimes = 20;
const leastLimit = 1 << 20;

/**
 * Writes what `fill` adds (docs/tables.md). Rejects as `fill`, where the disk refuses, and where the tables would be more than 20
 * times as large as what was read of the source (`sourceSize`), as only one that repeats a long text on purpose; leaves nothing.
 */
export async function writeTables(
  job: TablesJob,
  signal: AbortSignal | undefined,
  fill: (tables: ReadonlyMap<TableName, TableFile>) => Promise<TablesOrigin>,
  sourceSize?: () => number,
): Promise<Manifest> {
  const { folder, format, tables = tableNames } = job;
  const made = await makeFolders(folder);
  try {
    const temporary = await prepare(job);
    const open = await openFormat(format);
    let size = 0;
    const onBytes = (bytes: number): void => {
      size += bytes;
      if (sourceSize && size > Math.max(leastLimit, maxTimes * sourceSize())) throw new TableError(tooLarge(job));
    };
    const place = { folder, temporary, format, open, onBytes };
    const files = new Map(tables.map((name) => [name, new TableFile(name, place)]));
    const origin = await fill(files);
    for (const file of files.values()) file.finish();
    signal?.throwIfAborted();
    const summaries = [...files].map(([name, { summary }]) => [name, summary] as const);
    const manifest = { layout: layoutVersion, ...origin, tables: Object.fromEntries(summaries) };
    await publish(job, manifest);
    return manifest;
  } catch (error) {
    await removeUnfinished(job, made);
    if (signal?.aborted) throw signal.reason;
    // Whoever reads the source names it as what failed.
    throw error instanceof Error && error.cause instanceof TableError ? error.cause : error;
  }
}

function tooLarge({ file = '' }: TablesJob): string {
  return `The tables of ${shorten(file, 80)} would be more than ${maxTimes} times as large as the state`;
}

/** The folder and those above it that are not there, outermost first. Rejects where that cannot be told. */
export async function missingFolders(folder: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await isThere(path)); path = dirname(path)) missing.unshift(path);
  return missing;
}

/** Removes what an export that ended early has written, and the folders that were made for it, as far as they are empty. */
export async function removeUnfinished(job: TablesJob, made: readonly string[]): Promise<void> {
  await removeTemporary(job).catch(() => undefined);
  for (const path of made.toReversed()) await rmdir(path).catch(() => undefined);
}

/** Makes the folder and what is missing above it; resolves with what was made, outermost first. */
async function makeFolders(folder: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    // One by one: `recursive` tries for ever where the system says ENOENT of a folder in a folder that is there, as /proc does.
    for (const path of await missingFolders(folder)) {
      await mkdir(path);
      made.push(path);
    }
    return made;
  } catch (error) {
    for (const path of made.toReversed()) await rmdir(path).catch(() => undefined);
    if (codeOf(error) === 'ENOENT')
      throw new TableError(`Cannot write ${shorten(folder, 80)}: no folder can be made there`);
    throw cannotWrite(folder, error);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && path !== dirname(path)) return false;
    throw error;
  }
}

/** Makes the place for tables that are not whole yet. Rejects, with nothing changed, where files are in the way. */
async function prepare(job: TablesJob): Promise<string> {
  const { folder, force } = job;
  const temporary = join(folder, temporaryName);
  try {
    const found = (await readdir(folder)).filter((name) => name !== temporaryName);
    if (found.length > 0 && !force)
      throw new TableError(
        `${shorten(folder, 80)} holds files. Choose another folder, or replace what is there with --force`,
      );
    await ofExportBefore(job);
    await removeTemporary(job);
    await mkdir(temporary);
    return temporary;
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

/** Gives the files their names; those of an export before go, so that all of the folder belongs together. */
async function publish(job: TablesJob, manifest: Manifest): Promise<void> {
  const { folder } = job;
  const temporary = join(folder, temporaryName);
  try {
    await writeFile(join(temporary, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`);
    for (const name of await ofExportBefore(job)) await unlink(join(folder, name));
    for (const name of [...Object.values(manifest.tables).map(({ file }) => file), manifestName])
      await rename(join(temporary, name), join(folder, name));
    await rmdir(temporary);
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

/** The files in the folder that an export has written. Rejects where another one has a name that is to be written. */
async function ofExportBefore({ folder, format, tables = tableNames, file }: TablesJob): Promise<readonly string[]> {
  // The manifest of an export that was killed while it gave the names is still in the temporary folder.
  const listed = new Set<unknown>([
    ...(await filesIn(join(folder, manifestName))),
    ...(await filesIn(join(folder, temporaryName, manifestName))),
  ]);
  const source = file === undefined ? undefined : await stat(file).catch(() => undefined);
  const wanted = [manifestName, ...tables.map((name) => `${name}.${format}`)];
  const own: string[] = [];
  for (const name of ownNames) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    const isSource = found !== undefined && found.ino === source?.ino && found.dev === source.dev;
    if (found?.isFile() && !isSource && listed.has(name)) own.push(name);
    else if (found && wanted.includes(name))
      throw new TableError(
        `${name} in ${shorten(folder, 80)} was not written by an export. Move it away, or choose another folder`,
      );
  }
  return own;
}

/** The files that a manifest names, and itself; none where it is no manifest. */
async function filesIn(manifest: string): Promise<readonly unknown[]> {
  try {
    const found = await lstat(manifest);
    if (!found.isFile() || found.size > largestManifest) return [];
    const { layout, tables } = toFields(JSON.parse(await readFile(manifest, 'utf8')));
    if (typeof layout !== 'number' || !isFields(tables)) return [];
    return [manifestName, ...Object.values(tables).map((table) => (isFields(table) ? table.file : undefined))];
  } catch {
    return [];
  }
}

/** Removes what this export, or one that was killed, has not finished. */
async function removeTemporary({ folder, file }: TablesJob): Promise<void> {
  const temporary = join(folder, temporaryName);
  const source = file === undefined ? undefined : await stat(file).catch(() => undefined);
  const names = await readdir(temporary).catch(() => undefined);
  if (!names) return;
  for (const name of names.filter((found) => ownNames.includes(found))) {
    const { ino, dev } = await lstat(join(temporary, name));
    if (ino !== source?.ino || dev !== source.dev) await unlink(join(temporary, name));
  }
  await rmdir(temporary);
}
