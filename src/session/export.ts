import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { emptyPage, type Page } from '../api/pages.ts';

export type ExportFormat = 'csv' | 'json';

/** What is written where. */
export interface ExportJob<Row> {
  readonly path: string;
  readonly format: ExportFormat;
  readonly table: Table<Row>;
  readonly pages: AsyncIterable<Page<Row>>;
  /** Rows that are written; all where absent. */
  readonly keep?: ((row: Row) => boolean) | undefined;
  /** Where the rows come from, as a JSON file says it. */
  readonly source: string;
  readonly onProgress: (rows: number) => void;
}

/** What an export came to. */
export interface Exported {
  readonly rows: number;
  /** The heights that the pages are of, ascending: one where the node could keep to it. */
  readonly heights: readonly bigint[];
  /** Why the height could not be kept, where it could not. */
  readonly heightDropped: string | undefined;
}

/**
 * Writes rows to a file, a page at a time, whole or not at all. CSV is UTF-8 without a byte order mark. JSON is an object
 * with the rows under the name that the contract has for them, then `source`, `read_at` and `heights`.
 *
 * @throws WriteError when the disk refuses; what `pages` throws, an `AbortError` among it.
 */
export async function exportRows<Row>(job: ExportJob<Row>): Promise<Exported> {
  const { table, format, keep } = job;
  const heights = new Set<bigint>();
  let heightDropped: string | undefined;
  let count = 0;
  const take = ({ info, rows: all }: Page<Row>) => {
    if (info.height !== undefined && info.height > 0n) heights.add(info.height);
    heightDropped ??= info.heightDropped;
    const rows = keep ? all.filter(keep) : all;
    count += rows.length;
    return rows;
  };
  const sorted = () => [...heights].sort((a, b) => (a < b ? -1 : 1));
  async function* csv() {
    yield csvLine(table.columns);
    for await (const page of job.pages) {
      yield take(page)
        .map((row) => csvLine(table.cells(row)))
        .join('');
      job.onProgress(count);
    }
  }
  async function* json() {
    yield `{\n"${table.name}": [`;
    for await (const page of job.pages) {
      const before = count;
      yield take(page)
        .map((row, at) => `${before + at > 0 ? ',' : ''}\n${JSON.stringify(table.json(row))}`)
        .join('');
      job.onProgress(count);
    }
    const about = { source: job.source, read_at: new Date().toISOString(), heights: sorted().map(String) };
    yield `\n],\n${JSON.stringify(about).slice(1)}\n`;
  }
  await writeWhole(job.path, format === 'csv' ? csv() : json());
  return { rows: count, heights: sorted(), heightDropped };
}

/** Rows that are there already, a thousand at a time: the extension host does other work in between. */
export async function* inPages<Row>(rows: readonly Row[], height?: bigint): AsyncGenerator<Page<Row>, void> {
  for (let at = 0; at < rows.length; at += 1000)
    yield { ...emptyPage, rows: rows.slice(at, at + 1000), info: { height } };
}

/** Rows as lines of cells: what CSV, TSV and JSON are made of. */
export interface Table<Row> {
  /** The name of the list in a JSON file, as the reply of the contract names it. */
  readonly name: 'proposals' | 'supply' | 'params';
  readonly columns: readonly string[];
  /** One cell for each column; amounts are exact digits, times are RFC 3339, "" is absent. */
  readonly cells: (row: Row) => readonly string[];
  /** The row as JSON; amounts are strings of digits. */
  readonly json: (row: Row) => unknown;
}

/**
 * One line of CSV (RFC 4180, with its line end). Every cell stands in quotes, quotes in it are doubled, so commas, semicolons,
 * tabs and line breaks never end a cell, whatever separator a spreadsheet takes. See `guarded` for formulas.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${guarded(cell).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** One line for the clipboard, cells apart by tabs: spreadsheets take it as cells. Tabs and line breaks in a cell become spaces. */
export function tsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => guarded(cell.replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' '))).join('\t')}\n`;
}

/**
 * A spreadsheet runs a cell that begins with = + - @, a tab or a carriage return, and anybody may put such a title on a
 * chain: an apostrophe goes before it, as OWASP advises (CSV Injection), also after spaces and for the full-width forms.
 * Digits stay as they are; who needs every text exactly takes JSON, in which nothing is changed.
 */
function guarded(cell: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

/** A file was not written; nothing of it is left, and what stood there before still does. `code` is the system's word. */
export class WriteError extends Error {
  readonly path: string;
  readonly code: string;

  constructor(path: string, code: string, options: ErrorOptions) {
    super(`${path} was not written: ${reasonOf(code)}`, options);
    this.name = 'WriteError';
    this.path = path;
    this.code = code;
  }
}

/**
 * Writes a text whole or not at all: as UTF-8 to a file beside the target, flushed and renamed when its last part is there.
 * When a part cannot be had or written, the file beside is removed and the target is as it was. A link is followed.
 *
 * @throws WriteError when the disk refuses; what `parts` throws (a cancel, a failed read) as it is.
 */
export async function writeWhole(path: string, parts: AsyncIterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const beside = join(dirname(target), `.${basename(target).slice(0, 60)}.${randomUUID().slice(0, 8)}.part`);
  try {
    await fill(path, beside, parts);
    await ofDisk(path, () => rename(beside, target));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function fill(path: string, beside: string, parts: AsyncIterable<string>): Promise<void> {
  const file = await ofDisk(path, () => open(beside, 'wx'));
  try {
    for await (const part of parts) await ofDisk(path, () => file.appendFile(part, 'utf8'));
    await ofDisk(path, () => file.sync());
  } finally {
    await file.close().catch(() => undefined);
  }
}

async function ofDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new WriteError(path, code, { cause: error });
  }
}

function reasonOf(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Free some space, or choose another disk';
    case 'EFBIG':
      return 'it would be larger than files may be there. Choose another disk';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'that place cannot be written to. Choose another folder';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'the folder is not there. Choose another one';
    case 'EISDIR':
      return 'there is a folder of that name. Choose another name';
    default:
      return `the disk refused (${code})`;
  }
}

/** A command for a POSIX shell that reads an address. `header` names a header whose value the reader must put in: no secret. */
export function toCurl(url: string, header?: string): string {
  const headers = ['Accept: application/json', ...(header ? [`${header}: YOUR-CREDENTIAL`] : [])];
  return ['curl -sS', ...headers.map((line) => `-H ${quoted(line)}`), quoted(url)].join(' ');
}

/** The address of a list with what narrows it. */
export function withQuery(url: string, query: Readonly<Record<string, string | undefined>>): string {
  const whole = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value) whole.searchParams.set(name, value);
  return whole.href;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
