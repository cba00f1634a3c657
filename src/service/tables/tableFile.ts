import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SchemaElement } from 'hyparquet';
import type { ColumnSource } from 'hyparquet-writer';
import type { Fields } from '../../chain/fields.ts';
import { fileReason, shortenMiddle, ValueError } from '../serviceErrors.ts';
import { columnsOf, type Layout, layouts, type TableCell, type TableColumn, type TableName } from './tables.ts';

export const formats = ['parquet', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** The entry of one table in the manifest. */
export interface ManifestTable {
  readonly file: string;
  rows: number;
  /** The number of values of the source that could not be read. */
  faults: number;
  first_fault: string | null;
}

/** The tables cannot be written. This is the reason, whatever the state file does meanwhile. */
export class TableError extends Error {}

/** Makes the error of a path that the disk refuses, with the reason in words. */
export function cannotWrite(path: string, cause: unknown): TableError {
  if (cause instanceof TableError) return cause;
  return new TableError(`Cannot write ${shortenMiddle(path, 80)}: ${fileReason(cause)}`, { cause });
}

/** The place of a table on disk. */
interface TablePlace {
  /** The folder that errors name. The table is first written into `temporary`. */
  readonly folder: string;
  readonly temporary: string;
  readonly format: Format;
  readonly open: OpenFormat;
  /** Receives the number of bytes that were written, before compression. */
  readonly onBytes: (bytes: number) => void;
}

/** Creates the file of a table. */
type OpenFormat = (path: string, columns: readonly TableColumn[]) => OpenFile;

interface OpenFile {
  readonly groupRows: number;
  /** Writes rows, `cells` by column. Returns their bytes before compression. */
  write(cells: readonly TableCell[][], rows: number): number;
  finish(): void;
}

/** Rows are written once their cells have this many characters, however few rows they are. */
const groupSize = 32 << 20;

/** The milliseconds of work on rows after which other work gets its turn. */
const longestWork = 20;

/** A table that is being written, in groups of rows. */
export class TableFile {
  readonly layout: Layout;
  readonly summary: ManifestTable;
  readonly #columns: readonly TableColumn[];
  readonly #name: TableName;
  readonly #place: TablePlace;
  readonly #file: OpenFile;
  #cells: TableCell[][];
  #size = 0;

  constructor(name: TableName, place: TablePlace) {
    this.layout = layouts[name];
    this.#columns = columnsOf(this.layout);
    this.summary = { file: `${name}.${place.format}`, rows: 0, faults: 0, first_fault: null };
    this.#name = name;
    this.#place = place;
    this.#cells = this.#columns.map(() => []);
    this.#file = this.#writing(() => place.open(join(place.temporary, this.summary.file), this.#columns));
  }

  /**
   * Adds the rows of source values. A value that cannot be used counts as a fault, with its name. Other work runs
   * between rows, since one value may have many rows. Rejects with the reason of `signal`.
   */
  async addAll(source: Iterable<Fields>, signal: AbortSignal | undefined): Promise<void> {
    let rested = performance.now();
    for (const fields of source)
      try {
        for (const row of this.layout.split?.(fields) ?? [fields]) {
          this.addRow(row);
          if (performance.now() - rested < longestWork) continue;
          await setImmediate();
          signal?.throwIfAborted();
          rested = performance.now();
        }
      } catch (error) {
        if (!(error instanceof ValueError)) throw error;
        this.addFault(`${error.message} at ${this.#name}${error.path}`);
      }
  }

  /** Adds one row. Throws `ValueError` if a column cannot be read. */
  addRow(row: Fields): void {
    this.addCells(this.#columns.map(({ read }) => read(row)));
  }

  /** Adds one row as its cells, one for each column. */
  addCells(cells: readonly TableCell[]): void {
    this.summary.rows++;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] ?? null;
      if (typeof cell === 'string' || (typeof cell === 'object' && cell !== null)) this.#size += cell.length;
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
    const bytes = rows > 0 ? this.#writing(() => this.#file.write(this.#cells, rows)) : 0;
    this.#cells = this.#cells.map(() => []);
    this.#size = 0;
    this.#place.onBytes(bytes);
  }

  #writing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw cannotWrite(join(this.#place.folder, this.summary.file), error);
    }
  }
}

/** Writes one JSON object a line. Timestamps are RFC 3339 with microseconds. */
function openNdjson(path: string, columns: readonly TableColumn[]): OpenFile {
  writeFileSync(path, '');
  return {
    groupRows: 1000,
    write: (cells, rows): number => {
      let text = '';
      for (let row = 0; row < rows; row++) {
        const members = columns.map(({ name, type }, at) => `"${name}":${cellJson(cells[at]?.[row] ?? null, type)}`);
        text += `{${members.join(',')}}\n`;
      }
      const bytes = Buffer.from(text);
      appendFileSync(path, bytes);
      return bytes.length;
    },
    finish: () => undefined,
  };
}

function cellJson(cell: TableCell, type: TableColumn['type']): string {
  if (cell instanceof Uint8Array)
    return `"${Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString('latin1')}"`;
  if (typeof cell !== 'bigint') return JSON.stringify(cell);
  if (type !== 'timestamp') return String(cell);
  const micros = ((cell % 1000n) + 1000n) % 1000n;
  const date = new Date(Number((cell - micros) / 1000n)).toISOString();
  return `"${date.slice(0, -1)}${String(micros).padStart(3, '0')}Z"`;
}

const utf8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
/** Texts are in no order, so their smallest and greatest values would tell a reader nothing. */
const anyText = { statistics: false } as const;
/** Addresses and amounts hardly repeat. A dictionary and Snappy take time and save nothing. */
const uniqueText = { ...anyText, encoding: 'PLAIN', codec: 'UNCOMPRESSED' } as const;
/** Denoms, validators and the like repeat and are never null, so the library need not find this out. */
const repeatedText = { ...anyText, encoding: 'RLE_DICTIONARY' } as const;

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

/** Waiting cells and growing pages take time from this many rows on. */
const rowsOfGroup = 10_000;
const pageSize = 128 * 1024;

/** Loads the library of a format. */
export async function openFormat(format: Format): Promise<OpenFormat> {
  if (format === 'ndjson') return openNdjson;
  const { ParquetWriter, fileWriter } = await import('hyparquet-writer');
  return (path, columns) => {
    const elements = columns.map(({ name, type, isOptional }): SchemaElement => {
      return { name, ...parquetTypes[type], repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' };
    });
    const schema = [{ name: 'root', num_children: columns.length }, ...elements];
    const writer = new ParquetWriter({ writer: fileWriter(path), schema });
    return {
      groupRows: rowsOfGroup,
      write: (cells, rows): number => {
        let bytes = 0;
        const columnData = columns.map((column, at) => {
          const data = cells[at] ?? [];
          bytes += sizeOf(data);
          return { name: column.name, data, ...encodingOf(column) };
        });
        writer.write({ columnData, rowGroupSize: rows, pageSize });
        return bytes;
      },
      finish: () => void writer.finish(),
    };
  };
}

/** Tells the library how to write a column, so that it does not search for the best way. */
function encodingOf({ type, isOptional }: TableColumn): Partial<ColumnSource> {
  if (type === 'unique') return uniqueText;
  if (type !== 'text') return {};
  return isOptional ? anyText : repeatedText;
}

/** The bytes of all cells. */
function sizeOf(cells: readonly TableCell[]): number {
  let size = 0;
  for (const cell of cells)
    if (typeof cell === 'string') size += Buffer.byteLength(cell);
    else if (cell !== null) size += typeof cell === 'object' ? cell.length : 8;
  return size;
}
