import { isApiError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { Cursor, emptyPage, faultName, type Page, type PageRequest, readPages } from '../api/pages.ts';
import { type Coin, coinsText, type DenomUnit, decimalAmount, type SplitRow } from '../chain/coin.ts';
import { toTableProposal } from '../chain/fromWire.ts';
import { type Proposal, type ProposalRow, recordedTally, type Tally, type VoteOption } from '../chain/proposal.ts';
import { writeWhole } from '../wholeFile.ts';
import type { VoterRow } from './proposalReads.ts';

export type ExportFormat = 'csv' | 'json';

/** An export to one file. */
export interface ExportJob<Row> {
  readonly path: string;
  readonly format: ExportFormat;
  readonly table: Table<Row>;
  readonly pages: AsyncIterable<Page<Row>>;
  /** Rows that are written; all where absent. */
  readonly keep?: ((row: Row) => boolean) | undefined;
  /** The source of the rows, as a JSON file names it. */
  readonly source: string;
  readonly onProgress: (rows: number) => void;
}

/** The result of an export: heights ascending, one where the node kept it, else with the reason why it did not. */
export interface Exported {
  readonly rows: number;
  readonly heights: readonly bigint[];
  readonly heightDropped: string | undefined;
}

/**
 * Writes rows a page at a time, whole or not at all: CSV is UTF-8 without byte order mark, JSON an object with the
 * rows, `source`, `read_at` and `heights`. Throws `WriteError` when the disk refuses, and what `pages` throws.
 */
export async function exportRows<Row>(job: ExportJob<Row>): Promise<Exported> {
  const { table, format, pages, keep = (): boolean => true } = job;
  const found = new Set<bigint>();
  const heights = (): bigint[] => [...found].sort((a, b) => (a < b ? -1 : 1));
  let heightDropped: string | undefined;
  let count = 0;
  const toLine = (row: Row, at: number): string =>
    format === 'csv' ? csvLine(table.cells(row)) : `${at > 0 ? ',' : ''}\n${JSON.stringify(table.json(row))}`;
  async function* parts(): AsyncGenerator<string, void> {
    yield format === 'csv' ? csvLine(table.columns) : `{\n"${table.name}": [`;
    for await (const { info, rows } of pages) {
      if (info.height) found.add(info.height);
      heightDropped ??= info.heightDropped;
      const kept = rows.filter(keep);
      yield kept.map((row, at) => toLine(row, count + at)).join('');
      count += kept.length;
      job.onProgress(count);
    }
    if (format === 'csv') return;
    const about = { source: job.source, read_at: new Date().toISOString(), heights: heights().map(String) };
    yield `\n],\n${JSON.stringify(about).slice(1)}\n`;
  }
  await writeWhole(job.path, parts());
  return { rows: count, heights: heights(), heightDropped };
}

/** Loaded rows as pages of a thousand, so that the extension host does other work in between. */
export async function* inPages<Row>(rows: readonly Row[], height?: bigint): AsyncGenerator<Page<Row>, void> {
  for (let at = 0; at < rows.length; at += 1000)
    yield { ...emptyPage, rows: rows.slice(at, at + 1000), info: { height } };
}

/** Rows as lines of cells: what CSV, TSV and JSON are made of. Of methods, so that a table of coins is one of unknown rows. */
export interface Table<Row> {
  /** The name of the list in a JSON file, as the reply of the contract names it. */
  readonly name: string;
  readonly columns: readonly string[];
  /** One cell for each column; amounts are exact digits, times are RFC 3339, "" is absent. */
  cells(row: Row): readonly string[];
  /** The row as JSON; amounts are strings of digits. */
  json(row: Row): unknown;
}

/** One line of CSV (RFC 4180, with its line end). Each cell is quoted, so that it is one cell whatever the separator is. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(guarded(cell))).join(',')}\r\n`;
}

/** One line of cells for the clipboard, as spreadsheets paste it: tabs and line breaks in a cell become spaces. */
export function tsvLine(cells: readonly string[]): string {
  const line = cells.map((cell) => {
    const text = guarded(cell.replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' '));
    // A quote at its start would make a cell swallow the ones that follow it.
    return text.includes('"') ? quoted(text) : text;
  });
  return `${line.join('\t')}\n`;
}

/** Rows of a table as text for the clipboard: cells under their names, or JSON. */
export function tableText<Row>(table: Table<Row>, rows: readonly Row[], form: 'tsv' | 'json'): string {
  if (form === 'tsv') return [table.columns, ...rows.map((row) => table.cells(row))].map(tsvLine).join('');
  const values = rows.map((row) => table.json(row));
  return `${JSON.stringify(values, undefined, 2)}\n`;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/**
 * A spreadsheet evaluates a cell that begins with = + - @, a tab or a carriage return, and titles on a chain are free text:
 * such a cell gets an apostrophe (OWASP, CSV Injection), also behind spaces and for the full-width forms; a negative number is
 * none. JSON is exact.
 */
function guarded(cell: string): string {
  if (/^-\d+$/.test(cell)) return cell;
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

type ProposalCell = (proposal: Proposal, finalTally: Tally | undefined) => string;

/** The facts of a proposal; no description, which is long and has lines. */
const proposalColumns: readonly (readonly [name: string, cell: ProposalCell])[] = [
  ['proposal_id', ({ id }): string => `${id}`],
  ['status', ({ wireStatus }): string => wireStatus],
  ['title', ({ title }): string => title ?? ''],
  ['types', ({ contents }): string => contents.map(({ typeUrl }): string => typeUrl).join(' ')],
  ['submit_time', ({ submitTime }): string => timeText(submitTime)],
  ['deposit_end_time', ({ depositEndTime }): string => timeText(depositEndTime)],
  ['voting_start_time', ({ votingStartTime }): string => timeText(votingStartTime)],
  ['voting_end_time', ({ votingEndTime }): string => timeText(votingEndTime)],
  ['total_deposit', ({ totalDeposit }): string => coinsText(totalDeposit)],
  ['yes', (_, tally): string => votesText(tally, 'yes')],
  ['abstain', (_, tally): string => votesText(tally, 'abstain')],
  ['no', (_, tally): string => votesText(tally, 'no')],
  ['no_with_veto', (_, tally): string => votesText(tally, 'noWithVeto')],
  ['proposer', ({ proposer }): string => proposer ?? ''],
  ['expedited', ({ expedited }): string => `${expedited}`],
  ['failed_reason', ({ failedReason }): string => failedReason ?? ''],
];

/** Proposals; as JSON they are as they came. An unreadable proposal has its id and the node's reason. */
export const proposalsTable: Table<ProposalRow> = {
  name: 'proposals',
  columns: proposalColumns.map(([name]) => name),
  cells: (row) => {
    if (row.kind === 'unreadable') return [`${row.id}`, 'unreadable', ...Array<string>(13).fill(''), row.reason];
    const tally = recordedTally(row);
    return proposalColumns.map(([, cell]) => cell(row, tally));
  },
  json: (row) => (row.kind === 'proposal' ? row.raw : { proposal_id: `${row.id}`, unreadable: row.reason }),
};

/** A count of the final tally, blank until the vote has ended: a chain states zeros until then. */
function votesText(tally: Tally | undefined, option: VoteOption): string {
  return tally === undefined ? '' : `${tally[option]}`;
}

function timeText(time: Date | undefined): string {
  return time?.toISOString() ?? '';
}

/** Votes, each with its options and their weights; several of a split vote, separated by spaces. */
export const votesTable: Table<VoterRow> = {
  name: 'votes',
  columns: ['voter', 'options', 'weights'],
  cells: ({ voter, vote }) => [
    voter,
    vote.map(({ option }) => option).join(' '),
    vote.map(({ weight }) => weight).join(' '),
  ],
  json: ({ voter, vote }) => ({ voter, options: vote }),
};

/** Denoms with their amounts in base units, exact; beside them the display unit, where the chain or the registry states one. */
export function supplyTable(unitOf: (denom: string) => DenomUnit | undefined): Table<Coin> {
  return {
    name: 'supply',
    columns: ['denom', 'amount', 'symbol', 'exponent', 'display_amount'],
    cells: ({ denom, amount }): string[] => {
      const unit = unitOf(denom);
      if (!unit) return [denom, `${amount}`, '', '', ''];
      const shown = decimalAmount(amount, unit.exponent);
      return [denom, `${amount}`, unit.symbol, `${unit.exponent}`, shown];
    },
    json: ({ denom, amount }) => ({ denom, amount: `${amount}` }),
  };
}

/** Where the coins of a denom are: the columns of the table `supply_split` (docs/tables.md). */
export function splitTable(denom: string): Table<SplitRow> {
  return {
    name: 'supply_split',
    columns: ['denom', 'class', 'name', 'amount'],
    cells: (row) => [denom, row.class, row.name, `${row.amount}`],
    json: ({ amount, ...row }) => ({ denom, ...row, amount: `${amount}` }),
  };
}

/** The tables of docs/tables.md that an endpoint can fill. */
export const tablesOfNode = ['supply', 'denom_metadata', 'proposals', 'proposal_messages', 'votes'] as const;

/** A page of rows as the contract has them, for one or two tables. */
export interface TableRows {
  readonly tables: readonly (typeof tablesOfNode)[number][];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** One sentence for each row, and each field of a row, that cannot be read. */
  readonly faults: readonly string[];
}

/** Where and when the rows were read. */
interface TablesRead {
  readonly chainId: string | undefined;
  readonly height: bigint | undefined;
  readonly time: Date | undefined;
  readonly notices: readonly string[];
}

/** Reads lists one after the other, each at the height of the first page of the first one, until the node cannot. */
class ListReader {
  readonly notices: string[] = [];
  readonly #signal: AbortSignal;
  #cursor = new Cursor();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Undefined where the rows may be of several heights. */
  get height(): bigint | undefined {
    return this.#cursor.pinnedHeight;
  }

  /** The pages of a list; none, and a notice, where the node does not offer it. */
  async *read<Row>(
    name: string,
    load: (request: PageRequest) => Promise<Page<Row> | undefined>,
    idOf: (row: Row) => string,
    limit: number,
  ): AsyncGenerator<Page<Row>, void> {
    const { height, heightDropped } = this.#cursor;
    const cursor = Object.assign(new Cursor(), { height, heightDropped });
    this.#cursor = cursor;
    const loadPage = async (request: PageRequest): Promise<Page<Row>> => {
      const page = await load(request);
      if (!page) this.notices.push(`The node does not offer ${name}`);
      return page ?? emptyPage;
    };
    yield* readPages(loadPage, { cursor, idOf, limit, pinned: true, signal: this.#signal });
    if (cursor.heightDropped !== heightDropped)
      this.notices.push(`The rows may be of several heights: ${cursor.heightDropped}`);
  }
}

/** Rows of a page of a table; proposals are large. */
const tableRows = 1000;
const tableProposals = 100;

/** Reads whole lists, at one height where the node keeps it, else `height` is undefined. Rejects as `readPages`. */
export async function readTables(
  node: ChainNode,
  signal: AbortSignal,
  add: (page: TableRows) => Promise<void>,
): Promise<TablesRead> {
  const lists = new ListReader(signal);
  const coins = lists.read(
    'supply',
    (request) => node.supply(request, signal),
    ({ denom }) => denom,
    tableRows,
  );
  for await (const page of coins) await add({ tables: ['supply'], rows: page.rows, faults: faultsOf(page) });

  const metadata = lists.read(
    'denom metadata',
    (request) => node.denomsMetadata(request, signal),
    ({ base }) => base,
    tableRows,
  );
  for await (const page of metadata) await add({ tables: ['denom_metadata'], rows: page.rows, faults: faultsOf(page) });

  const voting: bigint[] = [];
  const proposals = lists.read(
    'proposals',
    (request) => node.proposals({}, request, signal),
    ({ id }) => `${id}`,
    tableProposals,
  );
  for await (const page of proposals) {
    const read = page.rows.map(toTableProposal);
    for (const { id, status } of read) if (status === 'voting') voting.push(id);
    const rows = read.map(({ row }) => row).filter((row) => row !== undefined);
    const faults = [...faultsOf(page), ...read.flatMap((row) => row.faults)];
    await add({ tables: ['proposals', 'proposal_messages'], rows, faults });
  }

  for (const id of voting) {
    const votes = lists.read(
      `votes on proposal ${id}`,
      (request) => node.votes(id, request, signal),
      ({ voter }) => voter,
      tableRows,
    );
    for await (const page of votes) {
      const rows = page.rows.map((vote) => ({ ...vote, proposal_id: `${id}` }));
      await add({ tables: ['votes'], rows, faults: faultsOf(page) });
    }
  }
  const { height, notices } = lists;
  return { ...(await readHeader(node, height, signal)), height, notices };
}

function faultsOf({ info }: Page<unknown>): string[] {
  return (info.faults ?? []).map((fault) => `${faultName(fault)}: ${fault.reason}`);
}

/** Chain id, and the time of the block of a height; undefined where the node does not offer them. Rejects once `signal` fires. */
export async function readHeader(
  node: ChainNode,
  height: bigint | undefined,
  signal: AbortSignal,
): Promise<{ readonly chainId: string | undefined; readonly time: Date | undefined }> {
  const soft = <T>(read: Promise<T>): Promise<T | undefined> =>
    read.catch((error: unknown) => {
      if (!isApiError(error)) throw error;
      return undefined;
    });
  const block = await soft(node.block(height ?? 'latest', signal));
  const known = block?.chainId ?? node.dialect.chainId;
  const chainId = known ?? (await soft(node.nodeInfo(signal)))?.default_node_info?.network ?? undefined;
  return { chainId, time: height === undefined ? undefined : block?.time };
}
