import type { ChainNode, Readable } from '../api/node.ts';
import { emptyPage, type Page, type PageRequest } from '../api/pages.ts';
import { type LoadPage, OptionalPages, readPages } from '../api/readPages.ts';
import type { DenomUnit } from '../chain/coin.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import type { Answered, Kept, KeptQuestion, KeptValues } from '../session/kept.ts';
import { type AnyPager, Pager } from './pager.ts';

/** Units that the registry states, by denom; read when the supply is first shown. */
export type KnownUnits = (signal: AbortSignal) => Promise<ReadonlyMap<string, DenomUnit>>;

/** The parts that the lists of a source are made with. */
export interface ListParts {
  /** The node of the source, opened when something is asked. */
  readonly node: () => Promise<ChainNode>;
  /** Rows of a page; asked before each. */
  readonly pageSize: () => number;
  readonly knownUnits: KnownUnits;
  /** Everything that was read beside the rows. */
  readonly kept: Kept;
}

/** Rows as lines of cells, for CSV, TSV and JSON. Methods, so that a table of coins is a table of unknown rows. */
export interface RowTable<Row> {
  /** The name of the list in a JSON file, as the reply of the contract names it. */
  readonly name: string;
  readonly columns: readonly string[];
  /** One cell for each column; amounts are exact digits, times are RFC 3339, "" is absent. */
  cells(row: Row): readonly string[];
  /** The row as JSON; amounts are strings of digits. */
  json(row: Row): unknown;
}

/** A list of a source: the rows that were read of it, and all that is done with its rows whatever they are. */
export abstract class List<Row> {
  /** Its key among the lists of a source; its view, its commands and its context key are named after it. */
  abstract readonly name: string;
  /** The kind of its rows in views and in arguments of commands. */
  abstract readonly rowKind: string;
  /** The groups that its rows stand under; the name of the list alone where there are no groups. */
  abstract readonly owners: readonly string[];
  /** Whether `readAnew` brings the newest rows first. */
  abstract readonly isNewestFirst: boolean;
  /** The paged lists that its rows come from. */
  abstract readonly pagers: readonly AnyPager[];
  abstract readonly onDidChange: (listener: () => void) => Disposable;

  /** Whether there is a filter or an order that can be taken away. */
  abstract get isChanged(): boolean;

  /** Whether a filter leaves rows out. */
  abstract get isFiltered(): boolean;

  /** The loaded rows as the view shows them: filtered and in order. */
  abstract get shown(): readonly Row[];

  /** Every loaded row, also those that the view leaves out, in the order of a search. */
  abstract get loaded(): readonly Row[];

  /** The rows as lines of cells, for files and the clipboard. */
  abstract get table(): RowTable<Row>;

  /** The shown rows of one owner. */
  abstract shownUnder(owner: string): readonly Row[];

  /** The paged list of an owner; undefined if its rows come with the pages of others. */
  abstract pagerOf(owner: string): AnyPager | undefined;

  /** The key of a row among those of this list. */
  abstract keyOf(row: Row): string;

  /** Finds loaded rows by their keys. Any text may be given for a key. */
  abstract finder(): (key: string) => Row | undefined;

  /** The texts of a row that a search looks at. */
  abstract texts(row: Row): readonly string[];

  /** Exact values of a row by their names, to be copied one by one; amounts in base units. */
  abstract values(row: Row): Readonly<Record<string, string>>;

  /** The resource whose address brings a row, by its key. */
  abstract readableRow(key: string): Readable;

  /** The resource whose address brings the rows of an owner. */
  abstract readableList(owner: string): Readable;

  /** All rows in the chain's order: the loaded ones first, then the pages after them. Rejects as `readPages`. */
  abstract readAll(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>>;

  /** Those of all rows that match the filter of the view. Rejects as `readPages`. */
  abstract readMatching(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>>;

  /** The pages of the chain from the first one on, without the loaded rows. Rejects as `readPages`. */
  abstract readAnew(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>>;

  /** The loaded rows that the view shows, each page of them with its height. */
  async *readShown(): AsyncGenerator<Page<Row>> {
    for (const owner of this.owners) yield* inPages(this.shownUnder(owner), this.pagerOf(owner)?.height);
  }

  /** Reads what rows are written with and is kept beside them, such as units. Never rejects: old values stand. */
  async loadBeside(_question: KeptQuestion): Promise<void> {}

  /** Drops the rows that were read, and aborts what is being read. */
  abstract forget(): void;

  abstract dispose(): void;
}

/** The text that shown rows hold ("" shows all rows), and their order. */
export interface Arrangement<Order extends string> {
  readonly text: string;
  readonly order: Order;
}

/** A list without groups. It is read page by page, and filters and sorts the loaded rows. */
export abstract class PagedList<Row, Order extends string> extends List<Row> {
  readonly isNewestFirst: boolean = false;
  readonly pager: Pager<Row>;
  readonly pagers: readonly AnyPager[];
  protected readonly node: () => Promise<ChainNode>;
  protected readonly changed = new Emitter<void>();
  /** Aborts everything that is read beside the pages. */
  readonly #abort = new AbortController();
  readonly #whole: Arrangement<Order>;
  readonly #pages: OptionalPages<Row>;
  #arrangement: Arrangement<Order>;

  /** `whole`: the first arrangement, which leaves no row out. */
  constructor({ node, pageSize }: Pick<ListParts, 'node' | 'pageSize'>, whole: Arrangement<Order>) {
    super();
    this.#pages = new OptionalPages(async (request, signal) => this.loadPage(await node(), request, signal));
    this.pager = new Pager<Row>(this.#pages.load, (row) => this.keyOf(row), pageSize);
    this.pager.onDidChange(() => this.changed.fire());
    this.pagers = [this.pager];
    this.node = node;
    this.#whole = whole;
    this.#arrangement = whole;
  }

  readonly onDidChange = this.changed.on;

  get owners(): readonly string[] {
    return [this.name];
  }

  /** False once the source has refused to give this list. */
  get isOffered(): boolean {
    return this.#pages.isOffered;
  }

  get arrangement(): Arrangement<Order> {
    return this.#arrangement;
  }

  arrange(arrangement: Arrangement<Order>): void {
    if (arrangement.text === this.#arrangement.text && arrangement.order === this.#arrangement.order) return;
    this.#arrangement = arrangement;
    this.changed.fire();
  }

  /** Shows all rows in their first order. */
  clearArrangement(): void {
    this.arrange(this.#whole);
  }

  get isChanged(): boolean {
    return this.isFiltered || this.#arrangement.order !== this.#whole.order;
  }

  get isFiltered(): boolean {
    return this.#arrangement.text !== this.#whole.text;
  }

  get loaded(): readonly Row[] {
    return this.pager.rows;
  }

  get shown(): readonly Row[] {
    const rows = this.isFiltered ? this.loaded.filter(this.#matcher()) : this.loaded;
    return this.sorted(rows, this.#arrangement.order);
  }

  shownUnder(): readonly Row[] {
    return this.shown;
  }

  pagerOf(owner: string): AnyPager | undefined {
    return owner === this.name ? this.pager : undefined;
  }

  finder(): (key: string) => Row | undefined {
    const rows = new Map(this.loaded.map((row) => [this.keyOf(row), row]));
    return (key): Row | undefined => rows.get(key);
  }

  readAll(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>> {
    return readOn(this.pager, this.#reading(node), signal);
  }

  readAnew(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>> {
    const { load, ...options } = this.#reading(node);
    return readPages(load, { ...options, signal });
  }

  async *readMatching(node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Row>> {
    const matches = this.#matcher();
    for await (const page of this.readAll(node, signal)) yield { ...page, rows: page.rows.filter(matches) };
  }

  forget(): void {
    this.#pages.isOffered = true;
    this.pager.reset();
  }

  dispose(): void {
    this.#abort.abort();
    this.pager.dispose();
    this.changed.dispose();
  }

  /** Rows in an order; equal ones stay as they are. */
  protected abstract sorted(rows: readonly Row[], order: Order): readonly Row[];

  /** One page of rows; undefined if the node does not offer the list. Rejects as the read of the node does. */
  protected abstract readPage(
    node: ChainNode,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<Row> | undefined>;

  /** The same for the pager, for a list that keeps more of a page than its rows. */
  protected loadPage(node: ChainNode, request: PageRequest, signal?: AbortSignal): Promise<Page<Row> | undefined> {
    return this.readPage(node, request, signal);
  }

  /** Reads a value that is kept beside the rows. Never rejects: on a failure the old value stands. */
  protected async keep<T>(
    values: KeptValues<T>,
    key: string,
    { maxAge, signal }: KeptQuestion,
    load: (signal: AbortSignal) => Promise<Answered<T>>,
  ): Promise<void> {
    const either = signal ? AbortSignal.any([this.#abort.signal, signal]) : this.#abort.signal;
    await values.read(key, { maxAge, signal: either }, load).catch(() => undefined);
  }

  /** Tells whether a row holds the text of the arrangement. Upper and lower case are the same. */
  #matcher(): (row: Row) => boolean {
    const text = this.#arrangement.text.toLowerCase();
    return (row): boolean => this.texts(row).some((part) => part.toLowerCase().includes(text));
  }

  #reading(node: ChainNode): ReadingOn<Row> {
    const { load } = new OptionalPages<Row>((request, signal) => this.readPage(node, request, signal));
    return { load, idOf: (row): string => this.keyOf(row), limit: 1000 };
  }
}

/** Rows as pages of a thousand, so that the extension host does other work in between. */
export async function* inPages<Row>(rows: readonly Row[], height?: bigint): AsyncGenerator<Page<Row>, void> {
  for (let at = 0; at < rows.length; at += 1000)
    yield { ...emptyPage, rows: rows.slice(at, at + 1000), info: { height } };
}

/** How a list is read on behind its loaded rows; `limit`: rows of a page. */
interface ReadingOn<Row> {
  readonly load: LoadPage<Row>;
  readonly idOf: (row: Row) => string;
  readonly limit: number;
}

/** A whole list, at one height if the node can: the loaded rows, then the pages after them. Rejects as `readPages`. */
export async function* readOn<Row>(
  { rows, cursor }: Pick<Pager<Row>, 'rows' | 'cursor'>,
  reading: ReadingOn<Row>,
  signal?: AbortSignal,
): AsyncGenerator<Page<Row>> {
  if (cursor.started)
    yield { rows: [...rows], nextKey: cursor.nextKey, total: cursor.total, info: { height: cursor.height } };
  yield* readPages(reading.load, { ...reading, cursor, pinned: true, signal });
}
