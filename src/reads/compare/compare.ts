import { isApiError, ModuleError, messageOf } from '../../api/errors.ts';
import type { ChainNode, StatedGovParams } from '../../api/node.ts';
import { mapRows, type Page, type PageRequest } from '../../api/pages.ts';
import { Cursor, type LoadPage, readPages } from '../../api/readPages.ts';
import { coinsText, decimalAmount, readCoins } from '../../chain/coin.ts';
import { groupOf, type ProposalGroup } from '../../chain/gov/proposalGroups.ts';
import { type Ratio, toRatio } from '../../chain/ratio.ts';
import type { RowTable } from '../../lists/listBase.ts';
import type { Session } from '../../session/session.ts';

const listSections = ['supply', 'proposals'] as const;
type ListSection = (typeof listSections)[number];
/** The sections that are compared between two sources: lists, and the parameters of `compareMore.ts`. */
export const sectionNames = [...listSections, 'params'] as const;
export type SectionName = (typeof sectionNames)[number];
/** The sections that agents may compare, too (`compareMore.ts`). */
export type ComparedName = SectionName | 'validators' | 'community_pool';
export const sides = ['left', 'right'] as const;
export type Side = (typeof sides)[number];

/** The kinds of change. `added` means that only the right side has the row. */
export const changes = ['added', 'gone', 'changed'] as const;
export type Change = (typeof changes)[number];

/** A row on one side. */
export interface SideRow {
  /** An amount in base units, a status on the wire (or `unreadable`), or a parameter. */
  readonly value: string;
  readonly title?: string | undefined;
  /** The group of a proposal. */
  readonly group?: ProposalGroup | undefined;
  /** The amount in base units, for a row with more values than an amount. */
  readonly amount?: bigint | undefined;
}

/** A row that differs between the sides. It is undefined on a side that does not have it. */
export interface Difference<Name extends ComparedName = SectionName> {
  readonly section: Name;
  readonly change: Change;
  /** A denom, proposal id, name of a parameter, or operator address. */
  readonly key: string;
  readonly left: SideRow | undefined;
  readonly right: SideRow | undefined;
}

/**
 * The differences of a section. It is `missing` if a side could not be read or, without an error, does not offer it.
 */
export type ComparedSection<Name extends ComparedName = SectionName> =
  | { readonly kind: 'compared'; readonly differences: readonly Difference<Name>[] }
  | { readonly kind: 'missing'; readonly side: Side; readonly error?: unknown };

/**
 * A source and its state during the comparison. Its rows are of one height, or of several for the reason in
 * `unpinnedReason`.
 */
interface ComparedSide extends Pick<Session, 'source' | 'notices'> {
  readonly height: bigint | undefined;
  readonly unpinnedReason: string | undefined;
}

/** Two sources and the differences between their lists. */
interface ComparedLists extends Readonly<Record<Side, ComparedSide>>, Readonly<Record<ListSection, ComparedSection>> {}

/** Two sources and all differences between them. */
export interface Comparison extends ComparedLists {
  readonly params: ComparedSection;
}

/** A session to compare. The caller has acquired it. */
export type Comparable = Pick<Session, 'source' | 'node' | 'notices'>;

/** A row of a side and its key: denom, proposal id, or name of a parameter. */
export type SideEntry = readonly [key: string, row: SideRow];

/** The rows of a side, in any order. No key occurs twice. */
export type SideRows = readonly SideEntry[];

/**
 * A section in files: its columns (key, change, both values, then both titles), and a function that tells if a key
 * comes before another.
 */
interface SectionTable {
  readonly columns: readonly string[];
  /** True if values are amounts in base units. A side without the row then has 0. */
  readonly hasAmounts: boolean;
  readonly isBefore: (key: string, other: string) => boolean;
}

const sectionTables: Readonly<Record<ComparedName, SectionTable>> = {
  supply: { columns: ['denom', 'change', 'left', 'right'], hasAmounts: true, isBefore: isLess },
  proposals: {
    columns: ['proposal_id', 'change', 'left_status', 'right_status', 'left_title', 'right_title'],
    hasAmounts: false,
    isBefore: isNewer,
  },
  params: { columns: ['name', 'change', 'left', 'right'], hasAmounts: false, isBefore: isLess },
  validators: { columns: ['operator_address', 'change', 'left', 'right'], hasAmounts: false, isBefore: isLess },
  community_pool: { columns: ['denom', 'change', 'left', 'right'], hasAmounts: true, isBefore: isLess },
};

/** How a whole list is read: the rows of a page, and the limit for all rows. */
interface ComparedList {
  readonly limit: number;
  readonly maxRows: number;
  readonly load: (node: ChainNode, request: PageRequest, signal: AbortSignal) => Promise<Page<SideEntry>>;
}

const comparedLists: Readonly<Record<ListSection, ComparedList>> = {
  supply: {
    limit: 5000,
    maxRows: 1_000_000,
    load: async (node, request, signal) =>
      mapRows(await node.supply({ ...request, countTotal: request.key === undefined }, signal), ({ denom, amount }) => [
        denom,
        { value: `${amount}` },
      ]),
  },
  proposals: {
    limit: 100,
    maxRows: 100_000,
    load: async (node, request, signal) =>
      mapRows(await node.proposals({}, request, signal), (row) => {
        const group = groupOf(row);
        if (row.kind === 'unreadable') return [`${row.id}`, { value: row.kind, group }];
        return [`${row.id}`, { value: row.wireStatus, group, title: row.title || undefined }];
      }),
  },
};

/** A side could not be read. `cause` is the error of its node or file. */
export class ComparedSideError extends Error {
  readonly side: Side;

  constructor(side: Side, { source }: Pick<Comparable, 'source'>, cause: unknown) {
    super(`${source.name}: ${messageOf(cause)}`, { cause });
    this.side = side;
  }
}

interface ReadSide {
  readonly rows: ReadLists['rows'];
  readonly side: ComparedSide;
}

/**
 * Compares the lists of both sources, read at the same time. If one side fails to give a list, the other is still
 * compared. A list that is not `wanted` is not read and has no differences. Throws a `ComparedSideError` for a side
 * that gives no list, and an `AbortError` on `signal`.
 */
export async function compareSources(
  sources: Readonly<Record<Side, Comparable>>,
  signal: AbortSignal,
  onProgress: (side: Side, rows: number) => void,
  wanted: readonly ListSection[] = listSections,
): Promise<ComparedLists> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const read = async (side: Side): Promise<ReadSide | undefined> => {
    const session = sources[side];
    try {
      const node = await session.node();
      const { rows, ...heights } = await readSide(
        { node, isState: session.source.kind !== 'http' },
        wanted,
        either,
        (count) => onProgress(side, count),
      );
      const outcomes = wanted.map((name) => rows[name]);
      const [first] = outcomes;
      const isRead = outcomes.some(({ status }) => status === 'fulfilled');
      if (first?.status === 'rejected' && !isAbsent(first.reason) && !isRead) throw first.reason;
      return { rows, side: { source: session.source, notices: session.notices, ...heights } };
    } catch (cause) {
      failed.abort(new ComparedSideError(side, session, cause));
      return undefined;
    }
  };
  const [left, right] = await Promise.all([read('left'), read('right')]);
  signal.throwIfAborted();
  if (!left || !right) throw failed.signal.reason;
  const section = (name: ListSection): ComparedSection => toSection(name, left.rows[name], right.rows[name]);
  return { left: left.side, right: right.side, supply: section('supply'), proposals: section('proposals') };
}

/** True if a side lacks the module. That is an answer about the side. */
function isAbsent(error: unknown): boolean {
  return isApiError(error) && error.kind === 'module';
}

function toSection(
  name: ListSection,
  left: PromiseSettledResult<SideRows>,
  right: PromiseSettledResult<SideRows>,
): ComparedSection {
  if (left.status === 'rejected') return { kind: 'missing', side: 'left', error: left.reason };
  if (right.status === 'rejected') return { kind: 'missing', side: 'right', error: right.reason };
  return { kind: 'compared', differences: compareRows(name, left.value, right.value) };
}

/** Gives the rows that differ: by kind of change, the usually rare ones first, then by key, proposals newest first. */
export function compareRows<Name extends ComparedName>(
  section: Name,
  left: SideRows,
  right: SideRows,
): readonly Difference<Name>[] {
  const found: Record<Change, Difference<Name>[]> = { added: [], gone: [], changed: [] };
  const { isBefore } = sectionTables[section];
  const [befores, afters] = [sortedRows(left, isBefore), sortedRows(right, isBefore)];
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

/** Compares ids, which are decimal numbers without leading zeros. */
function isNewer(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}

/** Orders the rows. Nodes list them in this order or in its reverse, so reversing is cheaper than sorting. */
function sortedRows(rows: SideRows, isBefore: (a: string, b: string) => boolean): SideRows {
  const isAt = ([key]: SideEntry, at: number): boolean => {
    const [next] = rows[at + 1] ?? [];
    return next === undefined || isBefore(key, next);
  };
  return rows.every(isAt) ? rows : rows.toSorted(([a], [b]) => (isBefore(a, b) ? -1 : 1));
}

/**
 * True if an id stands for two proposals. Two chains have the same ids, so different titles show it; a missing title
 * proves nothing.
 */
function isOther(left: SideRow, right: SideRow): boolean {
  if (left.value !== right.value) return true;
  return left.title !== undefined && right.title !== undefined && left.title.trim() !== right.title.trim();
}

interface ReadLists {
  readonly rows: Readonly<Record<ListSection, PromiseSettledResult<SideRows>>>;
  /** The height of the first page, and of all others unless `unpinnedReason` gives a reason. */
  readonly height: bigint | undefined;
  readonly unpinnedReason: string | undefined;
}

/**
 * Reads the lists, each with its own outcome. All are at the height of the supply if the node can
 * (docs/nodes.md#heights).
 */
async function readSide(
  { node, isState }: { readonly node: ChainNode; readonly isState: boolean },
  wanted: readonly ListSection[],
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<ReadLists> {
  const cursors: Readonly<Record<ListSection, Cursor>> = { supply: new Cursor(), proposals: new Cursor() };
  const all = Object.values(cursors);
  const firstPage = Promise.withResolvers<void>();
  const read = async (name: ListSection): Promise<SideRows> => {
    if (!wanted.includes(name)) return [];
    const cursor = cursors[name];
    if (cursor !== cursors.supply) {
      await firstPage.promise;
      cursor.height = cursors.supply.pinnedHeight;
    }
    const { load, ...limits } = comparedLists[name];
    const loadPage: LoadPage<SideEntry> = (request) => load(node, request, signal);
    const options = { ...limits, idOf: ([key]: SideEntry): string => key, cursor, pinned: true, signal };
    const found: SideEntry[] = [];
    for await (const { rows } of readPages(loadPage, options)) {
      // A supply of 0 is the same as no supply.
      for (const entry of rows) if (entry[1].value !== '0') found.push(entry);
      firstPage.resolve();
      onProgress(all.reduce((sum, { ids }) => sum + ids.size, 0));
    }
    return found;
  };
  const [supply, proposals] = await Promise.allSettled([
    read('supply').finally(firstPage.resolve),
    read('proposals').then((found) => {
      // They are unknown then, and not gone.
      if (wanted.includes('proposals') && node.dialect.gov === 'none')
        throw new ModuleError(isState ? 'govOfState' : 'gov');
      return found;
    }),
  ]);
  signal.throwIfAborted();
  return {
    rows: { supply, proposals },
    height: all.find(({ height }) => height)?.height,
    unpinnedReason: all.find(({ unpinnedReason }) => unpinnedReason !== undefined)?.unpinnedReason,
  };
}

/**
 * Gives gov parameters by their names in gov v1. Each has one text for all forms: `0.334`, `172800s`, `10uatom,5uosmo`.
 */
export function govParamRows(reply: StatedGovParams | undefined): SideRows {
  const known = reply?.values ?? {};
  const texts = {
    ...Object.fromEntries(Object.entries(reply?.v1 ?? {}).map(([name, value]) => [name, wireText(value)])),
    // V1beta1 states these, too, in its own forms.
    quorum: decimalText(known.quorum),
    threshold: decimalText(known.threshold),
    veto_threshold: decimalText(known.vetoThreshold),
    min_deposit: known.minDeposit && coinsText(known.minDeposit, 'sorted'),
    max_deposit_period: known.maxDepositPeriod && `${known.maxDepositPeriod}s`,
    voting_period: known.votingPeriod && `${known.votingPeriod}s`,
  };
  return Object.entries(texts).flatMap(([name, value]) => (value ? [[name, { value }] as const] : []));
}

/** The text of an empty parameter, which a side without the parameter does not have. */
export const emptyText = '""';

function wireText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const coins = Array.isArray(value) ? readCoins(value) : undefined;
  if (coins?.length) return coinsText(coins, 'sorted');
  if (value === '') return emptyText;
  if (typeof value !== 'string') return JSON.stringify(value);
  return decimalText(/^\d{1,40}\.\d{1,18}$/.test(value) ? toRatio(value) : undefined) ?? value;
}

function decimalText(ratio: Ratio | undefined): string | undefined {
  return ratio === undefined ? undefined : decimalAmount(ratio, 18);
}

/**
 * Gives the amount, in base units, by which the right side exceeds the left side. Undefined if the values are no
 * amounts.
 */
export function amountChange({ section, left, right }: Difference<ComparedName>): bigint | undefined {
  if (section === 'validators') return (right?.amount ?? 0n) - (left?.amount ?? 0n);
  return sectionTables[section].hasAmounts ? BigInt(right?.value ?? 0) - BigInt(left?.value ?? 0) : undefined;
}

/**
 * Gives the table of differences for files, with every digit. Cells are empty for a side that does not have the row.
 */
export function differenceTable(name: SectionName): RowTable<Difference> {
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
