import { csvLine } from './csvLine.ts';
import type { ReadPage } from './readOn.ts';
import type { Table } from './table.ts';
import { writeWhole } from './writeWhole.ts';

export type ExportFormat = 'csv' | 'json';

/** What is written where. */
export interface ExportJob<Row> {
  readonly path: string;
  readonly format: ExportFormat;
  readonly table: Table<Row>;
  readonly pages: AsyncIterable<ReadPage<Row>>;
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
  const take = (page: ReadPage<Row>) => {
    if (page.height !== undefined && page.height > 0n) heights.add(page.height);
    heightDropped ??= page.heightDropped;
    const rows = keep ? page.rows.filter(keep) : page.rows;
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
