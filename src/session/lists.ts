import type { ChainNode, Readable } from '../api/node.ts';
import { Cursor, emptyPage, type LoadPage, type Page, readPages } from '../api/pages.ts';
import { type Coin, decimalAmount, descending } from '../chain/coin.ts';
import {
  isFiltering,
  isStatusGroup,
  type ListFilter,
  type ProposalRow,
  statusGroups,
  wireStatus,
} from '../chain/proposal.ts';
import type { Validator } from '../chain/validator.ts';
import type { AnyPager, Pager } from '../lists/pager.ts';
import type { ProposalStore } from '../lists/proposalStore.ts';
import { hasText, type SupplyStore } from '../lists/supplyStore.ts';
import { validatorHasText } from '../lists/validatorStore.ts';
import { inPages, proposalsTable, supplyTable, type Table } from './export.ts';
import { maxAges } from './kept.ts';
import type { ListName, Stores } from './session.ts';

/** A list as a value. Of methods, so that a list of coins is a list of unknown rows. */
export interface List<Row> {
  readonly name: ListName;
  /** What its rows are called in the views, and the member of such a row that identifies it. */
  readonly row: { readonly kind: string; readonly member: string };
  /** What its rows stand under: groups, or the name of the list alone. Not each of them is a list of its own (`pager`). */
  readonly owners: readonly string[];

  /** The paged list of an owner; undefined where its rows come beside those of others. */
  pager(stores: Stores, owner: string): AnyPager | undefined;

  /** The loaded rows of an owner, or of all, as they are shown: filtered and in order. */
  shown(stores: Stores, owner?: string): readonly Row[];

  /** Every row that is known, also where it is not shown, as a search lists them. */
  known(stores: Stores): readonly Row[];

  /** The key of a row among those of its list. */
  keyOf(row: Row): string;

  /** Finds known rows by their keys, whatever was given for one. */
  finder(stores: Stores): (key: string) => Row | undefined;

  /** Whether a filter leaves rows out. */
  isFiltered(stores: Stores): boolean;

  /** The rows as lines of cells, for files and the clipboard. */
  table(stores: Stores): Table<Row>;

  /** Reads what rows are written with, such as units. Never rejects: what is not known is left out. */
  loadWriting(stores: Stores): Promise<void>;

  /** Reads anew what is kept of the source and shown in its rows. Never rejects: what is not read stays as it was. */
  renew(stores: Stores): Promise<void>;

  /** All rows in the chain's order, what is loaded first, then the pages after it. Rejects as `readPages`. */
  readAll(stores: Stores, node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>>;

  /** Those that match the filter of the view. Rejects as `readPages`. */
  readMatching(stores: Stores, node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>>;

  /** Exact values of a row by their names, to be copied one by one; amounts in base units. */
  values(row: Row): Readonly<Record<string, string>>;

  /** What is searched for a text. */
  texts(stores: Stores, row: Row): readonly string[];

  /** What has the address that brings a row, by its key. */
  readableRow(key: string): Readable;

  /** What has the address that brings the rows of an owner. */
  readableList(stores: Stores, owner: string): Readable;
}

/** A list, whatever its rows are. */
export type AnyList = List<unknown>;

const proposals: List<ProposalRow> = {
  name: 'proposals',
  row: { kind: 'proposal', member: 'id' },
  owners: [...statusGroups, 'other', 'unreadable'],
  pager: ({ proposals }, owner) => (isStatusGroup(owner) ? proposals.pager(owner) : undefined),
  shown({ proposals }, owner): ProposalRow[] {
    const { shownGroups, filter } = proposals;
    const beside = filter.statuses ? (['unreadable'] as const) : (['other', 'unreadable'] as const);
    const groups = [...shownGroups, ...beside].filter((group) => owner === undefined || group === owner);
    return groups.flatMap((group) => proposals.rows(group));
  },
  known: ({ proposals }) => [...proposals.all()].sort((a, b) => descending(a.id, b.id)),
  keyOf: ({ id }) => `${id}`,
  finder:
    ({ proposals }) =>
    (key) =>
      /^[1-9]\d{0,19}$/.test(key) ? proposals.known(BigInt(key)) : undefined,
  isFiltered: ({ proposals }) => isFiltering(proposals.filter),
  table: () => proposalsTable,
  loadWriting: async () => undefined,
  renew: async () => undefined,
  readAll: ({ proposals }, node, signal) => readProposals(proposals, node, {}, signal),
  readMatching: ({ proposals }, node, signal) => readProposals(proposals, node, proposals.filter, signal),
  values: ({ id }) => ({ id: `${id}` }),
  texts: (_, row) => textsOf(row),
  readableRow: (key) => ({ proposal: BigInt(key) }),
  readableList: ({ proposals }, owner) => {
    const status = isStatusGroup(owner) ? wireStatus[owner] : undefined;
    return { proposals: { ...proposals.filter, status } };
  },
};

const supply: List<Coin> = {
  name: 'supply',
  row: { kind: 'coin', member: 'coin.denom' },
  owners: ['supply'],
  pager: ({ supply }) => supply.pager,
  shown: ({ supply }) => supply.shown,
  known: ({ supply }) => supply.pager.rows,
  keyOf: ({ denom }) => denom,
  finder({ supply }): (key: string) => Coin | undefined {
    const coins = new Map([supply.staking, ...supply.pager.rows].map((coin) => [coin?.denom, coin]));
    return (key) => coins.get(key);
  },
  isFiltered: ({ supply }) => supply.view.text !== '',
  table: ({ supply }) => supplyTable((denom) => supply.unit(denom)),
  loadWriting: ({ supply }) => supply.loadUnits({ maxAge: maxAges.screen }),
  renew: ({ supply }) => supply.loadUnits({ maxAge: 0 }),
  readAll: ({ supply }, node, signal) => readSupply(supply, node, signal),
  async *readMatching(stores, node, signal): AsyncGenerator<Page<Coin>> {
    const { supply } = stores;
    const { text } = supply.view;
    for await (const page of this.readAll(stores, node, signal))
      yield { ...page, rows: page.rows.filter(({ denom }) => hasText(denom, text, (name) => supply.unit(name))) };
  },
  values: ({ denom, amount }) => ({ denom, amount: `${amount}` }),
  texts: ({ supply }, { denom }) => [denom, supply.unit(denom)?.symbol ?? ''],
  readableRow: (denom) => ({ denom }),
  readableList: () => 'supply',
};

const validatorColumns: readonly (readonly [name: string, cell: (row: Validator) => string])[] = [
  ['operator_address', ({ operator }): string => operator],
  ['moniker', ({ moniker }): string => moniker],
  ['status', ({ status }): string => status],
  ['jailed', ({ jailed }): string => `${jailed}`],
  ['tokens', ({ tokens }): string => `${tokens}`],
  ['commission_rate', ({ commission }): string => (commission === undefined ? '' : decimalAmount(commission, 18))],
];

const validators: List<Validator> = {
  name: 'validators',
  row: { kind: 'validator', member: 'key' },
  owners: ['validators'],
  pager: ({ validators }) => validators.pager,
  shown: ({ validators }) => validators.shown,
  known: ({ validators }) => validators.pager.rows,
  keyOf: ({ operator }) => operator,
  finder({ validators }): (key: string) => Validator | undefined {
    const rows = new Map(validators.pager.rows.map((row) => [row.operator, row]));
    return (key) => rows.get(key);
  },
  isFiltered: ({ validators }) => validators.view.text !== '',
  table: () => ({
    name: 'validators',
    columns: validatorColumns.map(([name]) => name),
    cells: (row) => validatorColumns.map(([, cell]) => cell(row)),
    json: (row) => Object.fromEntries(validatorColumns.map(([name, cell]) => [name, cell(row)])),
  }),
  loadWriting: async () => undefined,
  renew: ({ validators }) => validators.loadBonded({ maxAge: 0 }),
  readAll({ validators }, node, signal): AsyncGenerator<Page<Validator>> {
    const load: LoadPage<Validator> = async (request, abort) => {
      const { readValidators } = await import('../chain/nodeReads.ts');
      return (await readValidators(node, request, abort)) ?? emptyPage;
    };
    return readOn(validators.pager, load, ({ operator }) => operator, 1000, signal);
  },
  async *readMatching(stores, node, signal): AsyncGenerator<Page<Validator>> {
    const { text } = stores.validators.view;
    for await (const page of this.readAll(stores, node, signal))
      yield { ...page, rows: page.rows.filter((row) => validatorHasText(row, text)) };
  },
  values: ({ operator }) => ({ operator }),
  texts: (_, { moniker, operator }) => [moniker, operator],
  readableRow: () => 'validators',
  readableList: () => 'validators',
};

/** The lists by their names. */
export const lists: Readonly<Record<ListName, AnyList>> = { proposals, supply, validators };

/** The list that an owner belongs to. */
export function listOfOwner(owner: string): AnyList | undefined {
  return Object.values(lists).find(({ owners }) => owners.includes(owner));
}

/** The list that has rows of a kind. */
export function listOfRow(kind: string): AnyList | undefined {
  return Object.values(lists).find(({ row }) => row.kind === kind);
}

/** The loaded rows that a list shows, each page of them with its height. */
export async function* readShown(list: AnyList, stores: Stores): AsyncGenerator<Page<unknown>> {
  for (const owner of list.owners) yield* inPages(list.shown(stores, owner), list.pager(stores, owner)?.height);
}

/** Where a proposal is searched for a text: title, description and types; nowhere in one that cannot be read. */
export function textsOf(row: ProposalRow): readonly string[] {
  if (row.kind !== 'proposal') return [];
  return [row.title ?? '', row.description ?? '', ...row.contents.map(({ typeUrl }) => typeUrl)];
}

/** A whole list, at one height if the node can: what is loaded, then the pages after it. Rejects as `readPages`. */
export async function* readOn<Row>(
  pager: Pick<Pager<Row>, 'rows' | 'cursor'>,
  load: LoadPage<Row>,
  idOf: (row: Row) => string,
  limit: number,
  signal?: AbortSignal,
): AsyncGenerator<Page<Row>> {
  const { rows, cursor } = pager;
  if (cursor.started)
    yield { rows: [...rows], nextKey: cursor.nextKey, total: cursor.total, info: { height: cursor.height } };
  yield* readPages(load, { cursor, idOf, limit, pinned: true, signal });
}

/** The proposals of a filter, no id twice, going on where the store's lists stop. Rejects as `readPages`. */
export async function* readProposals(
  store: ProposalStore,
  node: ChainNode,
  filter: ListFilter,
  signal?: AbortSignal,
): AsyncGenerator<Page<ProposalRow>> {
  const { readGroup, readUnlisted } = await import('../chain/nodeReads.ts');
  const { voter, depositor } = filter;
  const isStores = voter === store.filter.voter && depositor === store.filter.depositor;
  const seen = new Set<bigint>();
  const unseen = (rows: readonly ProposalRow[]): ProposalRow[] =>
    rows.filter(({ id }): false | Set<bigint> => !seen.has(id) && seen.add(id));
  for (const group of filter.statuses ?? statusGroups) {
    const pager = isStores ? store.pager(group) : { rows: [], cursor: new Cursor() };
    const load: LoadPage<ProposalRow> = (request, abort) =>
      readGroup(node, group, { voter, depositor }, request, abort);
    for await (const page of readOn<ProposalRow>(pager, load, ({ id }) => `${id}`, 100, signal)) {
      yield { ...page, rows: unseen(page.rows) };
    }
  }
  // Rows that came beside a page's own group: an unreadable proposal may have any status.
  const beside = unseen([...(filter.statuses ? [] : store.rows('other')), ...store.rows('unreadable')]);
  if (beside.length > 0) yield { ...emptyPage, rows: beside };
  if (filter.statuses || voter || depositor || store.isWhole) return;
  yield* readUnlisted(node, seen, signal);
}

/** The whole supply in the chain's order, going on where the store's list stops. Rejects as `readPages` does. */
export function readSupply(store: SupplyStore, node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Coin>> {
  const load: LoadPage<Coin> = async (request, abort) => {
    const { readSupplyPage } = await import('../chain/nodeReads.ts');
    return readSupplyPage(node, request, abort);
  };
  return readOn(store.pager, load, ({ denom }) => denom, 1000, signal);
}
