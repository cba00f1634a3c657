import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SchemaElement } from 'hyparquet';
import type { ColumnSource } from 'hyparquet-writer';
import type { Fields } from './jsonValue.ts';
import { reasonOf, shorten, ValueError } from './serviceErrors.ts';
import { type Cell, type Column, columnsOf, type Layout, layouts, type TableName } from './tables.ts';

export const formats = ['parquet', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** What the manifest says of one table. */
export interface TableSummary {
  readonly file: string;
  rows: number;
  /** Values of the source that could not be read. */
  faults: number;
  first_fault: string | null;
}

/** Why tables are not written, whatever was being read meanwhile. */
export class TableError extends Error {}

/** The error of a path that the disk refuses, with the reason in words. */
export function cannotWrite(path: string, cause: unknown): TableError {
  if (cause instanceof TableError) return cause;
  return new TableError(`Cannot write ${shorten(path, 80)}: ${reasonOf(cause)}`, { cause });
}

/** Where and how a table is written. */
interface TablePlace {
  /** The folder that its name in errors begins with; it is written into `temporary`. */
  readonly folder: string;
  readonly temporary: string;
  readonly format: Format;
  readonly open: OpenFormat;
  /** Hears of the bytes of rows, before they are packed, once they were written. */
  readonly onBytes: (bytes: number) => void;
}

/** Starts the file of a table. */
type OpenFormat = (path: string, columns: readonly Column[]) => OpenFile;

interface OpenFile {
  readonly groupRows: number;
  /** `cells` by column. Returns their bytes, before they are packed. */
  write(cells: readonly Cell[][], rows: number): number;
  finish(): void;
}

/** Characters of all cells after which rows are written, however few they are. */
const groupSize = 32 << 20;

/** Milliseconds of work on rows after which other work gets its turn. */
const longestWork = 20;

/** A table that is being written, in groups of rows. */
export class TableFile {
  readonly layout: Layout;
  readonly summary: TableSummary;
  readonly #columns: readonly Column[];
  readonly #name: TableName;
  readonly #place: TablePlace;
  readonly #file: OpenFile;
  #cells: Cell[][];
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
   * Adds what rows of the source have; one that cannot be used is counted and named as a fault. Lets other work run between
   * rows, which one row of the source may have many of. Rejects with the reason of `signal`.
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

  /** Throws `ValueError` where a column cannot be read. */
  addRow(row: Fields): void {
    this.addCells(this.#columns.map(({ read }) => read(row)));
  }

  /** One cell for each column. */
  addCells(cells: readonly Cell[]): void {
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

/** One JSON object a line; timestamps are RFC 3339 with microseconds. */
function openNdjson(path: string, columns: readonly Column[]): OpenFile {
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

function cellJson(cell: Cell, type: Column['type']): string {
  if (cell instanceof Uint8Array)
    return `"${Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString('latin1')}"`;
  if (typeof cell !== 'bigint') return JSON.stringify(cell);
  if (type !== 'timestamp') return String(cell);
  const micros = ((cell % 1000n) + 1000n) % 1000n;
  const date = new Date(Number((cell - micros) / 1000n)).toISOString();
  return `"${date.slice(0, -1)}${String(micros).padStart(3, '0')}Z"`;
}

const utf8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
/** The least and the greatest of texts, which stand in no order, would tell a reader nothing. */
const anyText = { statistics: false } as const;
/** Addresses and amounts: neither a dictionary nor Snappy makes them smaller, and both take time. */
const uniqueText = { ...anyText, encoding: 'PLAIN', codec: 'UNCOMPRESSED' } as const;
/** Denoms, validators and the like, never null: the library need not find out that they repeat. */
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

/** Cells that wait to be written, and pages that grow by being copied, take time from this many rows and bytes on. */
const rowsOfGroup = 10_000;
const pageSize = 128 * 1024;

/** Loads what a format needs. */
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

/** How the library is to write a column, as far as it would take long to find out. */
function encodingOf({ type, isOptional }: Column): Partial<ColumnSource> {
  if (type === 'unique') return uniqueText;
  if (type !== 'text') return {};
  return isOptional ? anyText : repeatedText;
}

/** Bytes of all cells. */
function sizeOf(cells: readonly Cell[]): number {
  let size = 0;
  for (const cell of cells)
    if (typeof cell === 'string') size += Buffer.byteLength(cell);
    else if (cell !== null) size += typeof cell === 'object' ? cell.length : 8;
  return size;
}
