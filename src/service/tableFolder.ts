import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import type { Fields } from './jsonValue.ts';
import { reasonOf, shorten, ValueError } from './serviceErrors.ts';
import { type Cell, type Column, type Layout, layouts, layoutVersion, type TableName, tableNames } from './tables.ts';

const formats = ['parquet', 'ndjson'] as const;
type Format = (typeof formats)[number];

/** Where tables are written to, and which. */
export interface TablesJob {
  readonly folder: string;
  readonly format: Format;
  /** All where absent. */
  readonly tables?: readonly TableName[] | undefined;
  /** The folder may hold files; tables and manifest among them are replaced. */
  readonly force?: boolean | undefined;
}

/** What the manifest says of the state that the rows are of: docs/tables.md#manifest. */
export interface TablesOrigin {
  readonly chain_id: string | null;
  readonly height: string | null;
  readonly time: string | null;
  /** Size and SHA-256 are those of a file. */
  readonly source: { readonly name: string; readonly size: number | null; readonly sha256: string | null };
  readonly notices: readonly string[];
}

/** What `manifest.json` says. */
export interface Manifest extends TablesOrigin {
  readonly layout: number;
  readonly tables: Readonly<Record<string, TableSummary>>;
}

interface TableSummary {
  readonly file: string;
  rows: number;
  /** Values of the source that could not be read. */
  faults: number;
  first_fault: string | null;
}

const temporarySuffix = '.tmp';
const manifestName = 'manifest.json';
/** All names that an export gives. */
const ownNames = [manifestName, ...tableNames.flatMap((name) => formats.map((format) => `${name}.${format}`))];

/** Writes what `fill` adds (docs/tables.md). Rejects as `fill` does, or where the disk refuses, and leaves nothing. */
export async function writeTables(
  { folder, format, tables = tableNames, force }: TablesJob,
  signal: AbortSignal | undefined,
  fill: (tables: ReadonlyMap<TableName, TableFile>) => Promise<TablesOrigin>,
): Promise<Manifest> {
  await prepare(folder, force);
  try {
    const open = format === 'parquet' ? await parquetFormat() : openNdjson;
    const files = new Map(tables.map((name) => [name, new TableFile(name, folder, format, open)]));
    const origin = await fill(files);
    for (const file of files.values()) file.finish();
    signal?.throwIfAborted();
    const summaries = [...files].map(([name, { summary }]) => [name, summary] as const);
    const manifest = { layout: layoutVersion, ...origin, tables: Object.fromEntries(summaries) };
    await publish(folder, manifest);
    return manifest;
  } catch (error) {
    await removeTemporary(folder);
    if (signal?.aborted) throw signal.reason;
    // Whoever reads the source names it as what failed.
    throw error instanceof Error && error.cause instanceof TableError ? error.cause : error;
  }
}

class TableError extends Error {
  constructor(path: string, cause: unknown) {
    super(`Cannot write ${shorten(path.replace(temporarySuffix, ''), 80)}: ${reasonOf(cause)}`, { cause });
  }
}

async function prepare(folder: string, force: boolean | undefined): Promise<void> {
  let found: string[];
  try {
    await mkdir(folder, { recursive: true });
    found = await readdir(folder);
  } catch (error) {
    throw new TableError(folder, error);
  }
  if (found.length > 0 && !force)
    throw new Error(`${shorten(folder, 80)} holds files. Choose another folder, or replace what is there with --force`);
  await removeTemporary(folder);
}

/** Gives the files their names; those of an export before go, so that all of the folder belongs together. */
async function publish(folder: string, manifest: Manifest): Promise<void> {
  try {
    await writeFile(join(folder, manifestName + temporarySuffix), `${JSON.stringify(manifest, undefined, 2)}\n`);
    for (const name of ownNames) await rm(join(folder, name), { force: true });
    for (const name of [...Object.values(manifest.tables).map(({ file }) => file), manifestName])
      await rename(join(folder, name + temporarySuffix), join(folder, name));
  } catch (error) {
    throw new TableError(folder, error);
  }
}

async function removeTemporary(folder: string): Promise<void> {
  for (const name of ownNames) await rm(join(folder, name + temporarySuffix), { force: true });
}

interface OpenFile {
  readonly groupRows: number;
  /** `cells` by column. */
  write(cells: readonly (readonly Cell[])[], rows: number): void;
  finish(): void;
}

/** Characters of all cells after which rows are written, however few they are. */
const groupSize = 32 << 20;

/** A table that is being written, in groups of rows. */
export class TableFile {
  readonly layout: Layout;
  readonly summary: TableSummary;
  readonly #name: TableName;
  readonly #path: string;
  readonly #file: OpenFile;
  #cells: Cell[][];
  #size = 0;

  constructor(name: TableName, folder: string, format: Format, open: typeof openNdjson) {
    this.layout = layouts[name];
    this.summary = { file: `${name}.${format}`, rows: 0, faults: 0, first_fault: null };
    this.#name = name;
    this.#path = join(folder, this.summary.file + temporarySuffix);
    this.#cells = this.layout.columns.map(() => []);
    this.#file = this.#writing(() => open(this.#path, this.layout.columns));
  }

  /** Adds what one row of the source has; one that cannot be used is counted and named as a fault. */
  add(fields: Fields): void {
    try {
      for (const row of this.layout.split?.(fields) ?? [fields]) this.addRow(row);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.addFault(`${error.message} at ${this.#name}${error.path}`);
    }
  }

  /** Throws `ValueError` where a column cannot be read. */
  addRow(row: Fields): void {
    this.addCells(this.layout.columns.map(({ read }) => read(row)));
  }

  /** One cell for each column. */
  addCells(cells: readonly Cell[]): void {
    this.summary.rows++;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] ?? null;
      if (typeof cell === 'string' || Buffer.isBuffer(cell)) this.#size += cell.length;
      this.#cells[at]?.push(cell);
    }
    if (this.#size > groupSize || this.summary.rows % this.#file.groupRows === 0) this.#flush();
  }

  addFault(first: string, count = 1): void {
    this.summary.first_fault ??= first;
    this.summary.faults += count;
  }

  finish(): void {
    this.#flush();
    this.#writing(() => this.#file.finish());
  }

  #flush(): void {
    const rows = this.#cells[0]?.length ?? 0;
    if (rows > 0) this.#writing(() => this.#file.write(this.#cells, rows));
    this.#cells = this.#cells.map(() => []);
    this.#size = 0;
  }

  #writing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new TableError(this.#path, error);
    }
  }
}

/** One JSON object a line; timestamps are RFC 3339 with microseconds. */
function openNdjson(path: string, columns: readonly Column[]): OpenFile {
  writeFileSync(path, '');
  return {
    groupRows: 1000,
    write: (cells, rows) => {
      let text = '';
      for (let row = 0; row < rows; row++) {
        const members = columns.map(({ name, type }, at) => `"${name}":${cellJson(cells[at]?.[row] ?? null, type)}`);
        text += `{${members.join(',')}}\n`;
      }
      appendFileSync(path, text);
    },
    finish: () => undefined,
  };
}

function cellJson(cell: Cell, type: Column['type']): string {
  if (Buffer.isBuffer(cell)) return `"${cell.toString('latin1')}"`;
  if (typeof cell !== 'bigint') return JSON.stringify(cell);
  if (type !== 'timestamp') return String(cell);
  const micros = ((cell % 1000n) + 1000n) % 1000n;
  const date = new Date(Number((cell - micros) / 1000n)).toISOString();
  return `"${date.slice(0, -1)}${String(micros).padStart(3, '0')}Z"`;
}

const utf8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
/** Addresses and amounts: neither a dictionary nor Snappy makes them smaller, and both take time. */
const uniqueText = { encoding: 'PLAIN', codec: 'UNCOMPRESSED', statistics: false } as const;

const parquetTypes = {
  text: utf8,
  unique: utf8,
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
} as const;

async function parquetFormat(): Promise<typeof openNdjson> {
  const { ParquetWriter, fileWriter } = await import('hyparquet-writer');
  return (path, columns) => {
    const elements = columns.map(({ name, type, isOptional }): SchemaElement => {
      return { name, ...parquetTypes[type], repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' };
    });
    const schema = [{ name: 'root', num_children: columns.length }, ...elements];
    const writer = new ParquetWriter({ writer: fileWriter(path), schema });
    return {
      groupRows: 30_000,
      write: (cells, rows) => {
        const columnData = columns.map(({ name, type }, at) => {
          return { name, data: toBytes(cells[at] ?? [], type === 'unique'), ...(type === 'unique' ? uniqueText : {}) };
        });
        writer.write({ columnData, rowGroupSize: rows });
      },
      finish: () => void writer.finish(),
    };
  };
}

/** The library is faster with bytes, and compares them by identity first: the same ones for the same short text. */
function toBytes(cells: readonly Cell[], isUnique: boolean): Cell[] {
  const known = new Map<string, Buffer>();
  return cells.map((cell) => {
    if (typeof cell !== 'string') return cell;
    const bytes = known.get(cell) ?? Buffer.from(cell);
    if (!isUnique && cell.length < 100 && known.size < 10_000) known.set(cell, bytes);
    return bytes;
  });
}
