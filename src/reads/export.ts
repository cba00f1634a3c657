import { orUndefined } from '../api/errors.ts';
import type { ChainNode, RawList, RawRow } from '../api/node.ts';
import { faultName, type Page } from '../api/pages.ts';
import { Cursor, OptionalPages, readPages } from '../api/readPages.ts';
import type { Fields } from '../chain/fields.ts';
import type { VoterRow } from '../chain/gov/tally.ts';
import type { SplitRow } from '../chain/supplySplit.ts';
import type { RowTable } from '../lists/listBase.ts';
import { chainIdOf } from '../session/registry.ts';
import { writeWhole } from '../wholeFile.ts';

export type ExportFormat = 'csv' | 'json';

/** An export to one file. */
export interface ExportJob<Row> {
  readonly path: string;
  readonly format: ExportFormat;
  readonly table: RowTable<Row>;
  readonly pages: AsyncIterable<Page<Row>>;
  /** The name of the source in a JSON file. */
  readonly source: string;
  readonly onProgress: (rows: number) => void;
}

/**
 * The result of an export. Heights are ascending. There is one if the node kept it, otherwise the reason stands beside
 * them.
 */
export interface Exported {
  readonly rows: number;
  readonly heights: readonly bigint[];
  readonly unpinnedReason: string | undefined;
}

/**
 * Writes rows a page at a time, either all or none. CSV is UTF-8 without byte order mark. JSON is an object with the
 * rows, `source`, `read_at` and `heights`. Throws `WriteError` if the disk refuses, and any error of `pages`.
 */
export async function exportRows<Row>(job: ExportJob<Row>): Promise<Exported> {
  const { table, format, pages } = job;
  const found = new Set<bigint>();
  const heights = (): bigint[] => [...found].sort((a, b) => (a < b ? -1 : 1));
  let unpinnedReason: string | undefined;
  let count = 0;
  const toLine = (row: Row, at: number): string =>
    format === 'csv' ? csvLine(table.cells(row)) : `${at > 0 ? ',' : ''}\n${JSON.stringify(table.json(row))}`;
  async function* parts(): AsyncGenerator<string, void> {
    yield format === 'csv' ? csvLine(table.columns) : `{\n"${table.name}": [`;
    for await (const { info, rows } of pages) {
      if (info.height) found.add(info.height);
      unpinnedReason ??= info.unpinnedReason;
      yield rows.map((row, at) => toLine(row, count + at)).join('');
      count += rows.length;
      job.onProgress(count);
    }
    if (format === 'csv') return;
    const about = { source: job.source, read_at: new Date().toISOString(), heights: heights().map(String) };
    yield `\n],\n${JSON.stringify(about).slice(1)}\n`;
  }
  await writeWhole(job.path, parts());
  return { rows: count, heights: heights(), unpinnedReason };
}

/**
 * Gives one line of CSV (RFC 4180, with its line end). Each cell is quoted, so that it stays one cell with any
 * separator.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(guarded(cell))).join(',')}\r\n`;
}

/**
 * Gives one line of cells for the clipboard, in the form that spreadsheets paste. Tabs and line breaks in a cell become
 * spaces.
 */
export function tsvLine(cells: readonly string[]): string {
  const line = cells.map((cell) => {
    const text = guarded(cell.replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' '));
    // Without the quotes, a quote at its start would join the cell with the next ones.
    return text.includes('"') ? quoted(text) : text;
  });
  return `${line.join('\t')}\n`;
}

/** Gives rows of a table as text for the clipboard: cells below their names, or JSON. */
export function tableText<Row>(table: RowTable<Row>, rows: readonly Row[], form: 'tsv' | 'json'): string {
  if (form === 'tsv') return [table.columns, ...rows.map((row) => table.cells(row))].map(tsvLine).join('');
  const values = rows.map((row) => table.json(row));
  return `${JSON.stringify(values, undefined, 2)}\n`;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/**
 * Keeps a cell from being evaluated. Spreadsheets evaluate a cell that begins with = + - @, a tab or a carriage return,
 * and titles on a chain are free text. Such a cell gets an apostrophe (OWASP, CSV Injection), also after spaces and for
 * the full-width forms. Negative numbers get none. JSON is exact.
 */
function guarded(cell: string): string {
  if (/^-\d+$/.test(cell)) return cell;
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

/** Votes, each with its options and their weights. A split vote has several, separated by spaces. */
export const votesTable: RowTable<VoterRow> = {
  name: 'votes',
  columns: ['voter', 'options', 'weights'],
  cells: ({ voter, vote }) => [
    voter,
    vote.map(({ option }) => option).join(' '),
    vote.map(({ weight }) => weight).join(' '),
  ],
  json: ({ voter, vote }) => ({ voter, options: vote }),
};

/** The holders of a denom's supply, in the columns of the table `supply_split` (docs/tables.md). */
export function splitTable(denom: string): RowTable<SplitRow> {
  return {
    name: 'supply_split',
    columns: ['denom', 'class', 'name', 'amount'],
    cells: (row) => [denom, row.class, row.name, `${row.amount}`],
    json: ({ amount, ...row }) => ({ denom, ...row, amount: `${amount}` }),
  };
}

/** The tables of docs/tables.md that an endpoint can fill. */
export const tablesOfNode = ['supply', 'denom_metadata', 'proposals', 'proposal_messages', 'votes'] as const;

/** A page of rows in the form of the contract, for one or two tables. */
interface TableRows {
  readonly tables: readonly (typeof tablesOfNode)[number][];
  readonly rows: readonly Fields[];
  /** One sentence for each row, and for each field of a row, that cannot be read. */
  readonly faults: readonly string[];
}

/** The chain and the height at which the rows were read. */
interface TablesRead {
  readonly chainId: string | undefined;
  readonly height: bigint | undefined;
  readonly time: Date | undefined;
  readonly notices: readonly string[];
}

/** A list that fills tables. */
interface TableList {
  /** The name in notices. */
  readonly name: string;
  readonly list: RawList;
  readonly tables: TableRows['tables'];
  /** The number of rows of a page. */
  readonly limit: number;
}

const wholeLists: readonly TableList[] = [
  { name: 'supply', list: 'supply', tables: ['supply'], limit: 1000 },
  { name: 'denom metadata', list: 'denomsMetadata', tables: ['denom_metadata'], limit: 1000 },
  // Proposals are large.
  { name: 'proposals', list: 'proposals', tables: ['proposals', 'proposal_messages'], limit: 100 },
];

/**
 * Reads lists one after the other. All are at the height of the first page of the first list, until the node cannot.
 */
class ListReader {
  readonly notices: string[] = [];
  readonly #node: ChainNode;
  readonly #signal: AbortSignal;
  #cursor = new Cursor();

  constructor(node: ChainNode, signal: AbortSignal) {
    this.#node = node;
    this.#signal = signal;
  }

  /** The height; undefined if the rows may be of several heights. */
  get height(): bigint | undefined {
    return this.#cursor.pinnedHeight;
  }

  /** Gives the pages of a list. Gives none, and a notice, if the node does not offer it. */
  async *read({ name, list, limit }: TableList): AsyncGenerator<Page<RawRow>, void> {
    const { height, unpinnedReason } = this.#cursor;
    const cursor = Object.assign(new Cursor(), { height, unpinnedReason });
    this.#cursor = cursor;
    const pages = new OptionalPages<RawRow>((request) => this.#node.rawRows(list, request, this.#signal));
    yield* readPages(pages.load, { cursor, idOf: ({ id }) => id, limit, pinned: true, signal: this.#signal });
    if (!pages.isOffered) this.notices.push(`The node does not provide ${name}`);
    if (cursor.unpinnedReason !== unpinnedReason)
      this.notices.push(`The rows may be from different heights: ${cursor.unpinnedReason}`);
  }
}

/** Reads whole lists at one height. `height` is undefined if the node does not keep it. Rejects like `readPages`. */
export async function readTables(
  node: ChainNode,
  signal: AbortSignal,
  add: (page: TableRows) => Promise<void>,
): Promise<TablesRead> {
  const lists = new ListReader(node, signal);
  const voting: bigint[] = [];
  for (const list of wholeLists) {
    for await (const page of lists.read(list)) {
      for (const { id, status } of page.rows) if (status === 'voting') voting.push(BigInt(id));
      await add({ tables: list.tables, ...rawRowsOf(page) });
    }
  }
  for (const id of voting) {
    const list = { name: `votes on proposal ${id}`, list: { votesOn: id }, tables: ['votes'], limit: 1000 } as const;
    for await (const page of lists.read(list)) {
      const { rows, faults } = rawRowsOf(page);
      await add({ tables: list.tables, rows: rows.map((vote) => ({ ...vote, proposal_id: `${id}` })), faults });
    }
  }
  const { height, notices } = lists;
  return { ...(await readHeader(node, height, signal)), height, notices };
}

function rawRowsOf({ rows, info }: Page<RawRow>): Pick<TableRows, 'rows' | 'faults'> {
  const ofPage = (info.faults ?? []).map((fault) => `${faultName(fault)}: ${fault.reason}`);
  return {
    rows: rows.map(({ json }) => json).filter((json) => json !== undefined),
    faults: [...ofPage, ...rows.flatMap(({ faults }) => faults)],
  };
}

/**
 * Reads the chain id, and the time of the block at a height. Each is undefined if the node does not offer it. Rejects
 * once `signal` fires.
 */
export async function readHeader(
  node: ChainNode,
  height: bigint | undefined,
  signal: AbortSignal,
): Promise<{ readonly chainId: string | undefined; readonly time: Date | undefined }> {
  const block = await orUndefined(node.block(height ?? 'latest', signal));
  const chainId = block?.chainId ?? (await chainIdOf(node, signal));
  return { chainId, time: height === undefined ? undefined : block?.time };
}
