import { lstat, mkdir, readdir, readFile, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../../api/errors.ts';
import { isParsedObject, toFields } from '../scan/jsonValue.ts';
import { shortenMiddle } from '../serviceErrors.ts';
import {
  cannotWrite,
  type Format,
  formats,
  type ManifestTable,
  openFormat,
  TableError,
  TableFile,
} from './tableFile.ts';
import { layoutVersion, type TableName, tableNames } from './tables.ts';

/** A set of tables to write, and their folder. */
export interface TableFolderJob {
  readonly folder: string;
  readonly format: Format;
  /** The tables to write; absent for all. */
  readonly tables?: readonly TableName[] | undefined;
  /** Allows a folder that holds files. Files of an earlier export are replaced, and no others. */
  readonly force?: boolean | undefined;
  /** The file that is read, which is never replaced. */
  readonly file?: string | undefined;
}

/** The state that the rows come from, as the manifest describes it (docs/tables.md#manifest). */
export interface TablesOrigin {
  readonly chain_id: string | null;
  readonly height: string | null;
  readonly time: string | null;
  readonly time_from: string | null;
  /** The source. Size and SHA-256 are null unless it is a file. */
  readonly source: { readonly name: string; readonly size: number | null; readonly sha256: string | null };
  readonly notices: readonly string[];
}

/** The content of `manifest.json`. */
export interface Manifest extends TablesOrigin {
  readonly layout: number;
  readonly tables: Readonly<Record<string, ManifestTable>>;
}

/** The folder inside the folder of the export in which tables are written until all are whole. */
const temporaryName = '.chain-inspector.tmp';
const manifestName = 'manifest.json';
/** The limit for a manifest that is read, in bytes. A real one has a few kilobytes. */
const largestManifest = 4 << 20;
/** All names of files that an export may write. */
const ownNames = [manifestName, ...tableNames.flatMap((name) => formats.map((format) => `${name}.${format}`))];

/** The bytes of tables, before compression, for each byte of the source; and the least limit, for a small source. */
const maxTimes = 20;
const leastLimit = 1 << 20;

/**
 * Writes the tables that `fill` adds (docs/tables.md). Rejects as `fill` does, if the disk refuses, and if the tables
 * grow to more than 20 times the bytes that were read of the source (`sourceSize`), which only a source that repeats a
 * long text on purpose does. Nothing is left after a failure.
 */
export async function writeTables(
  job: TableFolderJob,
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
      if (sourceSize && size > Math.max(leastLimit, maxTimes * sourceSize())) throw new TableError(tooLargeText(job));
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
    // The reader of the source names it in the error.
    throw error instanceof Error && error.cause instanceof TableError ? error.cause : error;
  }
}

function tooLargeText({ file = '' }: TableFolderJob): string {
  return `The tables of ${shortenMiddle(file, 80)} would be more than ${maxTimes} times as large as the state`;
}

/** Lists the missing folders on a path, outermost first. Rejects if the system cannot tell. */
export async function missingFolders(folder: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await isThere(path)); path = dirname(path)) missing.unshift(path);
  return missing;
}

/** Removes the files of an export that ended early, and the empty folders that were made for it. */
export async function removeUnfinished(job: TableFolderJob, made: readonly string[]): Promise<void> {
  await removeTemporary(job).catch(() => undefined);
  for (const path of made.toReversed()) await rmdir(path).catch(() => undefined);
}

/** Makes a folder and the missing ones above it. Resolves with these, outermost first. */
async function makeFolders(folder: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    // Folders are made one by one: `recursive` tries forever where the system says ENOENT for a folder in an existing
    // one, as /proc does.
    for (const path of await missingFolders(folder)) {
      await mkdir(path);
      made.push(path);
    }
    return made;
  } catch (error) {
    for (const path of made.toReversed()) await rmdir(path).catch(() => undefined);
    if (codeOf(error) === 'ENOENT')
      throw new TableError(`Cannot write ${shortenMiddle(folder, 80)}: a folder cannot be created there`);
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

/** Makes the folder for unfinished tables. Rejects with nothing changed if files are in the way. */
async function prepare(job: TableFolderJob): Promise<string> {
  const { folder, force } = job;
  const temporary = join(folder, temporaryName);
  try {
    const found = (await readdir(folder)).filter((name) => name !== temporaryName);
    if (found.length > 0 && !force)
      throw new TableError(
        `${shortenMiddle(folder, 80)} is not empty. Choose another folder, or use --force to replace its tables`,
      );
    await ofExportBefore(job);
    await removeTemporary(job);
    await mkdir(temporary);
    return temporary;
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

/** Gives the files their names and removes those of an earlier export, so that the whole folder belongs together. */
async function publish(job: TableFolderJob, manifest: Manifest): Promise<void> {
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

/** Lists the files of an earlier export. Rejects if another file has a name that is to be written. */
async function ofExportBefore({
  folder,
  format,
  tables = tableNames,
  file,
}: TableFolderJob): Promise<readonly string[]> {
  // An export that was killed while it named its files has its manifest still in the temporary folder.
  const listed = new Set<unknown>([
    ...(await listedFiles(join(folder, manifestName))),
    ...(await listedFiles(join(folder, temporaryName, manifestName))),
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
        `${name} in ${shortenMiddle(folder, 80)} was not written by an export. Move it elsewhere, or choose another folder`,
      );
  }
  return own;
}

/** Lists the files that a manifest names, and itself; none if it is no manifest. */
async function listedFiles(manifest: string): Promise<readonly unknown[]> {
  try {
    const found = await lstat(manifest);
    if (!found.isFile() || found.size > largestManifest) return [];
    const { layout, tables } = toFields(JSON.parse(await readFile(manifest, 'utf8')));
    if (typeof layout !== 'number' || !isParsedObject(tables)) return [];
    return [manifestName, ...Object.values(tables).map((table) => (isParsedObject(table) ? table.file : undefined))];
  } catch {
    return [];
  }
}

/** Removes the unfinished files of this export, or of one that was killed. */
async function removeTemporary({ folder, file }: TableFolderJob): Promise<void> {
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
