import { isApiError, ModuleError, messageOf } from '../api/errors.ts';
import type { ChainNode, GovParamsReply } from '../api/node.ts';
import { Cursor, type LoadPage, mapRows, type Page, type PageRequest, readPages } from '../api/pages.ts';
import { coinsText, decimalAmount, type Ratio, readCoins, toRatio } from '../chain/coin.ts';
import { toGovParams } from '../chain/fromWire.ts';
import { readProposalPage, readSupplyPage } from '../chain/nodeReads.ts';
import type { Table } from './export.ts';
import type { Session } from './session.ts';

/** What is compared of two sources. */
export const sectionNames = ['supply', 'proposals', 'params'] as const;
export type SectionName = (typeof sectionNames)[number];
export const sides = ['left', 'right'] as const;
export type Side = (typeof sides)[number];

/** `added` is on the right side only. */
export const changes = ['added', 'gone', 'changed'] as const;
export type Change = (typeof changes)[number];

/** A row as one side has it. */
export interface SideRow {
  /** An amount in base units, a status as it is on the wire (or `unreadable`), a parameter. */
  readonly value: string;
  readonly title?: string | undefined;
}

/** A row that is not the same on both sides; undefined on a side that does not have it. */
export interface Difference {
  readonly section: SectionName;
  readonly change: Change;
  /** Denom, proposal id, or name of a parameter. */
  readonly key: string;
  readonly left: SideRow | undefined;
  readonly right: SideRow | undefined;
}

/** `missing`: a side could not be read or, without an error, does not offer it. */
export type Section =
  | { readonly kind: 'compared'; readonly differences: readonly Difference[] }
  | { readonly kind: 'missing'; readonly side: Side; readonly error?: unknown };

/** A source as it was read; rows are of one height, or of several for the reason in `heightDropped`. */
export interface ComparedSide extends Pick<Session, 'source' | 'notices'> {
  readonly height: bigint | undefined;
  readonly heightDropped: string | undefined;
}

/** Two sources and what differs between them. */
export interface Comparison extends Readonly<Record<Side, ComparedSide>>, Readonly<Record<SectionName, Section>> {}

/** What is compared: a session that the caller has acquired. */
export type Comparable = Pick<Session, 'source' | 'node' | 'notices'>;

/** A row of a side by its key: denom, proposal id, or name of a parameter. */
export type Entry = readonly [key: string, row: SideRow];

/** The rows of a side, in any order, no key twice. */
type Rows = readonly Entry[];

/** The columns of a section in files, key, change, both values and then both titles, and whether a key comes before another. */
interface SectionTable {
  readonly columns: readonly string[];
  /** Whether values are amounts in base units, of which a side that has no row has 0. */
  readonly hasAmounts: boolean;
  readonly isBefore: (key: string, other: string) => boolean;
}

const sectionTables: Readonly<Record<SectionName, SectionTable>> = {
  supply: { columns: ['denom', 'change', 'left', 'right'], hasAmounts: true, isBefore: isLess },
  proposals: {
    columns: ['proposal_id', 'change', 'left_status', 'right_status', 'left_title', 'right_title'],
    hasAmounts: false,
    isBefore: isNewer,
  },
  params: { columns: ['name', 'change', 'left', 'right'], hasAmounts: false, isBefore: isLess },
};

/** How a list is read whole: rows of a page, rows at most. */
interface ComparedList {
  readonly limit: number;
  readonly maxRows: number;
  readonly load: (node: ChainNode, request: PageRequest, signal: AbortSignal) => Promise<Page<Entry>>;
}

type ListSection = Exclude<SectionName, 'params'>;

const comparedLists: Readonly<Record<ListSection, ComparedList>> = {
  supply: {
    limit: 5000,
    maxRows: 1_000_000,
    load: async (node, request, signal) =>
      mapRows(await readSupplyPage(node, request, signal), ({ denom, amount }) => [denom, { value: `${amount}` }]),
  },
  proposals: {
    limit: 100,
    maxRows: 100_000,
    load: async (node, request, signal) =>
      mapRows(await readProposalPage(node, {}, request, signal), (row) => {
        const isReadable = row.kind === 'proposal';
        const read = isReadable ? { value: row.wireStatus, title: row.title || undefined } : { value: row.kind };
        return [`${row.id}`, read];
      }),
  },
};

interface ReadSide {
  readonly rows: ReadLists['rows'];
  readonly side: ComparedSide;
}

/**
 * Compares both sources, read at the same time. A section that one side fails to give does not prevent the others; one that is
 * not `wanted` is not asked for and has no differences. Throws an Error with the name of a side of which
 * neither supply nor proposals can be read, or no parameters where these alone are wanted, an `AbortError` on `signal`.
 */
export async function compareSources(
  sources: Readonly<Record<Side, Comparable>>,
  signal: AbortSignal,
  onProgress: (side: Side, rows: number) => void,
  wanted: readonly SectionName[] = sectionNames,
): Promise<Comparison> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const read = async (side: Side): Promise<ReadSide | undefined> => {
    const session = sources[side];
    try {
      const node = await session.node();
      const { rows, ...heights } = await readRows(
        { node, isState: session.source.kind !== 'http' },
        wanted,
        either,
        (count) => onProgress(side, count),
      );
      const lists = wanted.filter((name) => name !== 'params');
      const failures = (lists.length > 0 ? lists : wanted).map((name) => rows[name]);
      const [first] = failures;
      if (
        first?.status === 'rejected' &&
        !isAbsent(first.reason) &&
        failures.every(({ status }) => status === first.status)
      )
        throw first.reason;
      return { rows, side: { source: session.source, notices: session.notices, ...heights } };
    } catch (cause) {
      const reason = messageOf(cause);
      failed.abort(new Error(`${session.source.name}: ${reason}`, { cause }));
      return undefined;
    }
  };
  const [left, right] = await Promise.all([read('left'), read('right')]);
  signal.throwIfAborted();
  if (!left || !right) throw failed.signal.reason;
  const section = (name: SectionName): Section => toSection(name, left.rows[name], right.rows[name]);
  return {
    left: left.side,
    right: right.side,
    supply: section('supply'),
    proposals: section('proposals'),
    params: section('params'),
  };
}

/** Whether a side lacks the module, which is an answer about it. */
function isAbsent(error: unknown): boolean {
  return isApiError(error) && error.kind === 'module';
}

function toSection(name: SectionName, left: PromiseSettledResult<Rows>, right: PromiseSettledResult<Rows>): Section {
  if (left.status === 'rejected') return { kind: 'missing', side: 'left', error: left.reason };
  if (right.status === 'rejected') return { kind: 'missing', side: 'right', error: right.reason };
  if (name === 'params' && left.value.length === 0) return { kind: 'missing', side: 'left' };
  if (name === 'params' && right.value.length === 0) return { kind: 'missing', side: 'right' };
  return { kind: 'compared', differences: compareRows(name, left.value, right.value) };
}

/** The rows that differ: by kind of change, the usually rare ones first, then by key, proposals newest first. */
export function compareRows(section: SectionName, left: Rows, right: Rows): readonly Difference[] {
  const found: Record<Change, Difference[]> = { added: [], gone: [], changed: [] };
  const { isBefore } = sectionTables[section];
  const [befores, afters] = [inOrder(left, isBefore), inOrder(right, isBefore)];
  let [at, other] = [0, 0];
  while (at < befores.length || other < afters.length) {
    const [key, before] = befores[at] ?? [];
    const [otherKey, after] = afters[other] ?? [];
    if (key === otherKey && key !== undefined) {
      if (before && after && isOther(before, after))
        found.changed.push({ section, change: 'changed', key, left: before, right: after });
      at++;
      other++;
    } else if (key !== undefined && (otherKey === undefined || isBefore(key, otherKey))) {
      found.gone.push({ section, change: 'gone', key, left: before, right: undefined });
      at++;
    } else if (otherKey !== undefined) {
      found.added.push({ section, change: 'added', key: otherKey, left: undefined, right: after });
      other++;
    }
  }
  return changes.flatMap((change) => found[change]);
}

function isLess(a: string, b: string): boolean {
  return a < b;
}

/** Ids are decimal numbers without zeros before them. */
function isNewer(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}

/** Nodes list in the order that is wanted, or in its reverse, which costs less than sorting. */
function inOrder(rows: Rows, isBefore: (a: string, b: string) => boolean): Rows {
  const isAt = ([key]: Entry, at: number): boolean => {
    const [next] = rows[at + 1] ?? [];
    return next === undefined || isBefore(key, next);
  };
  return rows.every(isAt) ? rows : rows.toSorted(([a], [b]) => (isBefore(a, b) ? -1 : 1));
}

/** Two chains have the same ids, so an id with two titles is of two proposals; a missing title proves nothing. */
function isOther(left: SideRow, right: SideRow): boolean {
  if (left.value !== right.value) return true;
  return left.title !== undefined && right.title !== undefined && left.title.trim() !== right.title.trim();
}

interface ReadLists {
  readonly rows: Readonly<Record<SectionName, PromiseSettledResult<Rows>>>;
  /** The height of the first page, and of all others unless `heightDropped` states why not. */
  readonly height: bigint | undefined;
  readonly heightDropped: string | undefined;
}

/** Reads each part as it ended, all lists at the height of the supply if the node can (docs/nodes.md#heights). */
async function readRows(
  { node, isState }: { readonly node: ChainNode; readonly isState: boolean },
  wanted: readonly SectionName[],
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<ReadLists> {
  const cursors: Readonly<Record<ListSection, Cursor>> = { supply: new Cursor(), proposals: new Cursor() };
  const all = Object.values(cursors);
  const firstPage = Promise.withResolvers<void>();
  const read = async (name: ListSection): Promise<Rows> => {
    if (!wanted.includes(name)) return [];
    const cursor = cursors[name];
    if (cursor !== cursors.supply) {
      await firstPage.promise;
      cursor.height = cursors.supply.pinnedHeight;
    }
    const { load, ...limits } = comparedLists[name];
    const loadPage: LoadPage<Entry> = (request) => load(node, request, signal);
    const options = { ...limits, idOf: ([key]: Entry): string => key, cursor, pinned: true, signal };
    const found: Entry[] = [];
    for await (const { rows } of readPages(loadPage, options)) {
      // A supply of 0 and no supply are the same.
      for (const entry of rows) if (entry[1].value !== '0') found.push(entry);
      firstPage.resolve();
      onProgress(all.reduce((sum, { ids }) => sum + ids.size, 0));
    }
    return found;
  };
  const [supply, proposals, params] = await Promise.allSettled([
    read('supply').finally(firstPage.resolve),
    read('proposals').then((found) => {
      // They are not known then, and not gone.
      if (wanted.includes('proposals') && node.dialect.gov === 'none')
        throw new ModuleError(isState ? 'govOfState' : 'gov');
      return found;
    }),
    wanted.includes('params') ? node.govParams(signal).then(paramRows) : [],
  ]);
  signal.throwIfAborted();
  return {
    rows: { supply, proposals, params },
    height: all.find(({ height }) => height)?.height,
    heightDropped: all.find(({ heightDropped }) => heightDropped !== undefined)?.heightDropped,
  };
}

/** Gov parameters by their names in gov v1, each as one text in every form: `0.334`, `172800s`, `10uatom,5uosmo`. */
export function paramRows(reply: GovParamsReply | undefined): Rows {
  const known = toGovParams(reply);
  const texts = {
    ...Object.fromEntries(Object.entries(reply?.v1 ?? {}).map(([name, value]) => [name, wireText(value)])),
    // What v1beta1 states, too, in forms of its own.
    quorum: decimalText(known.quorum),
    threshold: decimalText(known.threshold),
    veto_threshold: decimalText(known.vetoThreshold),
    min_deposit: known.minDeposit && coinsText(known.minDeposit, 'sorted'),
    max_deposit_period: known.maxDepositPeriod && `${known.maxDepositPeriod}s`,
    voting_period: known.votingPeriod && `${known.votingPeriod}s`,
  };
  return Object.entries(texts).flatMap(([name, value]) => (value ? [[name, { value }] as const] : []));
}

function wireText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const coins = Array.isArray(value) ? readCoins(value) : undefined;
  if (coins) return coinsText(coins, 'sorted');
  if (typeof value !== 'string') return JSON.stringify(value);
  return decimalText(/^\d{1,40}\.\d{1,18}$/.test(value) ? toRatio(value) : undefined) ?? value;
}

function decimalText(ratio: Ratio | undefined): string | undefined {
  return ratio === undefined ? undefined : decimalAmount(ratio, 18);
}

/** By how much the right side has more of what a row counts, in base units; undefined where its values are no amounts. */
export function amountChange({ section, left, right }: Difference): bigint | undefined {
  return sectionTables[section].hasAmounts ? BigInt(right?.value ?? 0) - BigInt(left?.value ?? 0) : undefined;
}

/** Differences as files hold them: every digit; empty on a side that does not have the row. */
export function differenceTable(name: SectionName): Table<Difference> {
  const { columns } = sectionTables[name];
  const cells = ({ key, change, left, right }: Difference): string[] =>
    [key, change, left?.value, right?.value, left?.title, right?.title]
      .slice(0, columns.length)
      .map((cell) => cell ?? '');
  const json = (difference: Difference): object => {
    const row = cells(difference);
    return Object.fromEntries(columns.map((column, at) => [column, row[at] || null]));
  };
  return { name, columns, cells, json };
}
