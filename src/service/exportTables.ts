import { createHash } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import type { ParquetWriter } from 'hyparquet-writer';
import type { BalanceSink } from './bank.ts';
import type { Fields } from './jsonValue.ts';
import { reasonOf, shorten, ValueError } from './serviceErrors.ts';
import { type State, StateReader, stateClock } from './state.ts';
import { isWhole, scanFile } from './stateFile.ts';
import { type Cell, type Column, layoutOf, layoutVersion, type TableName, tableNames } from './tables.ts';

const formats = ['parquet', 'ndjson'] as const;
export type TableFormat = (typeof formats)[number];
type Library = typeof import('hyparquet-writer');

/** Where tables are written to, and which. */
export interface TablesJob {
  readonly folder: string;
  readonly format: TableFormat;
  /** All where absent. */
  readonly tables?: readonly TableName[] | undefined;
  /** The folder may hold files; tables and manifest among them are replaced. */
  readonly force?: boolean | undefined;
}

/** An export of the tables of a state file. */
export interface ExportJob extends TablesJob {
  readonly file: string;
}

export interface ExportOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the file read so far, and its size. */
  readonly onProgress?: ((bytes: number, size: number) => void) | undefined;
}

/** What the thread of an export reports; the last one is `exported` or `failed`. */
export type ExportMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly size: number }
  | { readonly type: 'exported'; readonly tables: readonly { readonly rows: number; readonly faults: number }[] }
  | { readonly type: 'failed'; readonly message: string };

/** What `manifest.json` says: docs/tables.md. */
export type Manifest = Awaited<ReturnType<typeof exportTables>>;

const temporarySuffix = '.tmp';
const manifestName = 'manifest.json';
/** All names that an export gives. */
const ownNames = [manifestName, ...tableNames.flatMap((name) => formats.map((format) => `${name}.${format}`))];

/**
 * Writes the tables of a state file (docs/tables.md) in one pass over it. Rejects with one sentence, and with the signal's
 * reason; nothing of the export is left behind then.
 */
export function exportTables(job: ExportJob, options: ExportOptions = {}) {
  return writeTables(job, options.signal, (writers) => readFile(job, writers, options));
}

/**
 * Has `read` give rows to the writers of the tables, each under a temporary name until all are whole, then writes the manifest:
 * what `read` resolves to, and the tables. Rejects as `exportTables` does.
 */
export async function writeTables<Head extends object>(
  job: TablesJob,
  signal: AbortSignal | undefined,
  read: (writers: ReadonlyMap<TableName, TableWriter>) => Promise<Head>,
) {
  const { folder, format, tables = tableNames } = job;
  await prepare(job);
  const writers = new Map<TableName, TableWriter>();
  try {
    const library = format === 'parquet' ? await import('hyparquet-writer') : undefined;
    for (const name of tables) {
      const path = join(folder, `${name}.${format}${temporarySuffix}`);
      const { columns } = layoutOf(name);
      const file = library ? new ParquetFile(path, columns, library) : new NdjsonFile(path, columns);
      writers.set(name, new TableWriter(name, file));
    }
    const head = await read(writers);
    for (const { file } of writers.values()) file.finish();
    signal?.throwIfAborted();
    const summaries = [...writers].map(([name, writer]) => [name, { file: `${name}.${format}`, ...writer.summary }]);
    const summary: Readonly<Record<string, TableSummary>> = Object.fromEntries(summaries);
    const manifest = { layout: layoutVersion, ...head, tables: summary };
    await publish(job, tables, manifest);
    return manifest;
  } catch (error) {
    await removeTemporary(folder);
    if (signal?.aborted) throw signal.reason;
    // The reading of the file names itself as what failed.
    throw error instanceof Error && error.cause instanceof TableError ? error.cause : error;
  }
}

/** What the manifest says of a table. */
interface TableSummary {
  readonly file: string;
  readonly rows: number;
  /** Values of the source that could not be read. */
  readonly faults: number;
  readonly first_fault: string | null;
}

/** Writes the rows of one table, and counts what cannot be read. */
export class TableWriter {
  readonly file: TableFile;
  readonly #name: TableName;
  #faults = 0;
  #firstFault: string | null = null;

  constructor(name: TableName, file: TableFile) {
    this.#name = name;
    this.file = file;
  }

  /** The rows of one value of the source, in the form of the contract. */
  add(fields: Fields): void {
    const { split } = layoutOf(this.#name);
    try {
      for (const row of split?.(fields) ?? [fields]) this.addRow(row);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.addFault(`${error.message} at ${this.#name}${error.path}`);
    }
  }

  /** One row. Throws `ValueError` where it cannot be read. */
  addRow(row: Fields): void {
    this.file.add(layoutOf(this.#name).columns.map(({ read }) => read(row)));
  }

  addFault(sentence: string, count = 1): void {
    this.#faults += count;
    this.#firstFault ??= sentence;
  }

  get summary(): Omit<TableSummary, 'file'> {
    return { rows: this.file.rows, faults: this.#faults, first_fault: this.#firstFault };
  }
}

/** Gives the files their names; those of an export before go, so that all of the folder belongs together. */
async function publish({ folder, format }: TablesJob, names: readonly TableName[], manifest: object): Promise<void> {
  try {
    await writeFile(join(folder, manifestName + temporarySuffix), `${JSON.stringify(manifest, undefined, 2)}\n`);
    for (const name of ownNames) await rm(join(folder, name), { force: true });
    for (const name of [...names.map((name) => `${name}.${format}`), manifestName])
      await rename(join(folder, name + temporarySuffix), join(folder, name));
  } catch (error) {
    throw new TableError(folder, error);
  }
}

/** A table that cannot be written. */
class TableError extends Error {
  constructor(path: string, cause: unknown) {
    super(`Cannot write ${shorten(path.replace(temporarySuffix, ''), 80)}: ${reasonOf(cause)}`, { cause });
    this.name = 'TableError';
  }
}

async function prepare({ folder, force }: TablesJob): Promise<void> {
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

/** Removes what an export left that did not end. */
async function removeTemporary(folder: string): Promise<void> {
  for (const name of ownNames) await rm(join(folder, name + temporarySuffix), { force: true });
}

async function readFile(job: ExportJob, writers: ReadonlyMap<TableName, TableWriter>, options: ExportOptions) {
  const state: Partial<State> = {};
  const notices: string[] = [];
  const hash = createHash('sha256');
  const balances = writers.get('balances');
  const reader = new StateReader({
    onModule: (name, module) => {
      state[name] = module;
    },
    onFault: (_module, error) => {
      throw error;
    },
    onNotice: (text) => notices.push(text),
    ...(balances ? { balances: toSink(balances.file) } : {}),
    staking: {
      delegation: (...cells) => writers.get('delegations')?.file.add(cells),
      unbonding: (delegation, entry) => writers.get('unbonding_delegations')?.addRow({ ...delegation, ...entry }),
    },
  });
  const { size } = await scanFile(job.file, () => reader, { ...options, onBytes: (bytes) => hash.update(bytes) });
  if (!isWhole(state)) throw new Error('The state was not read whole');
  for (const [name, writer] of writers) {
    const { source, lists } = layoutOf(name);
    for (const list of lists) {
      const fault = reader.faults.get(list);
      if (fault) writer.addFault(fault.first.message, fault.count);
    }
    for (const fields of source?.(state) ?? []) {
      options.signal?.throwIfAborted();
      writer.add(fields);
    }
  }
  return {
    chain_id: state.header.chainId,
    height: state.header.height ?? null,
    time: stateClock(state.header, state.gov)?.toISOString() ?? null,
    source: { name: basename(job.file), size, sha256: hash.digest('hex') },
    notices,
  };
}

/** Balances are most of a large state: their cells stay bytes, in a copy of each chunk. */
function toSink(file: TableFile): BalanceSink {
  let chunk: Buffer | undefined;
  let copy = Buffer.alloc(0);
  return {
    add: (...cells) => file.add(cells),
    addRange: (bytes, address, denom, amount) => {
      if (bytes !== chunk) {
        chunk = bytes;
        copy = Buffer.from(bytes);
      }
      file.add([copy.subarray(...address), denom, copy.subarray(...amount)]);
    },
  };
}

/** A table that is being written. All methods throw `TableError` where the disk refuses. */
interface TableFile {
  readonly rows: number;
  /** One cell for each column. */
  add(cells: readonly Cell[]): void;
  /** Writes what is left. */
  finish(): void;
}

/** Characters that are collected before they are written. */
const blockSize = 1 << 20;
/** Of a row group of Parquet: rows, and characters of all of their cells. */
const groupRows = 30_000;
const groupSize = 32 << 20;

/** One JSON object a line; timestamps are RFC 3339 with microseconds. */
class NdjsonFile implements TableFile {
  rows = 0;
  readonly #path: string;
  readonly #columns: readonly Column[];
  #text = '';

  constructor(path: string, columns: readonly Column[]) {
    this.#path = path;
    this.#columns = columns;
    writing(path, () => writeFileSync(path, ''));
  }

  add(cells: readonly Cell[]): void {
    this.rows++;
    const members = this.#columns.map(({ name, type }, at) => `"${name}":${cellJson(cells[at] ?? null, type)}`);
    this.#text += `{${members.join(',')}}\n`;
    if (this.#text.length > blockSize) this.finish();
  }

  finish(): void {
    writing(this.#path, () => appendFileSync(this.#path, this.#text));
    this.#text = '';
  }
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

/** Row groups are written as they are full. */
class ParquetFile implements TableFile {
  rows = 0;
  readonly #path: string;
  readonly #columns: readonly { readonly name: string; data: Cell[] }[];
  readonly #writer: ParquetWriter;
  readonly #known = new Map<string, Buffer>();
  #size = 0;

  constructor(path: string, columns: readonly Column[], { ParquetWriter, fileWriter }: Library) {
    this.#path = path;
    this.#columns = columns.map(({ name, type }) => ({ name, data: [], ...(type === 'unique' ? uniqueText : {}) }));
    const elements = columns.map(({ name, type, isOptional }): SchemaElement => {
      return { name, ...parquetTypes[type], repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' };
    });
    const schema = [{ name: 'root', num_children: columns.length }, ...elements];
    this.#writer = writing(path, () => new ParquetWriter({ writer: fileWriter(path), schema }));
  }

  add(cells: readonly Cell[]): void {
    this.rows++;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] ?? null;
      // The library takes longer over a string than over its bytes.
      const value = typeof cell === 'string' ? this.#bytesOf(cell) : cell;
      if (Buffer.isBuffer(value)) this.#size += value.length;
      this.#columns[at]?.data.push(value);
    }
    if (this.#size > groupSize || this.rows % groupRows === 0) this.#write();
  }

  /** The same bytes for the same short text, which the library compares by identity first. */
  #bytesOf(text: string): Buffer {
    const known = this.#known.get(text);
    if (known) return known;
    const bytes = Buffer.from(text);
    if (text.length < 100 && this.#known.size < 10_000) this.#known.set(text, bytes);
    return bytes;
  }

  finish(): void {
    this.#write();
    writing(this.#path, () => void this.#writer.finish());
  }

  #write(): void {
    const rows = this.#columns[0]?.data.length ?? 0;
    if (rows > 0)
      writing(this.#path, () => void this.#writer.write({ columnData: [...this.#columns], rowGroupSize: rows }));
    for (const column of this.#columns) column.data = [];
    this.#known.clear();
    this.#size = 0;
  }
}

function writing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new TableError(path, error);
  }
}
