import type { WireMetadata } from '../api/contract.ts';
import type { ChainNode, IbcDenom } from '../api/node.ts';
import { emptyPage, mapRows, type Page, type PageRequest, readPages } from '../api/pages.ts';
import { type Coin, type DenomUnit, toCoin } from './coin.ts';
import { Emitter } from './emitter.ts';
import { Pager } from './pager.ts';

/** Denoms whose metadata is read at most. */
const mostMetadata = 10_000;

/** Units that the registry states, by denom; read when the supply is first shown. */
export type KnownUnits = () => Promise<ReadonlyMap<string, DenomUnit>>;

/** The total supply, page by page, and how its denoms are shown. */
export class SupplyStore {
  readonly pager: Pager<Coin>;
  readonly #node: () => Promise<ChainNode>;
  readonly #knownUnits: KnownUnits;
  readonly #changed = new Emitter<void>();
  readonly #units = new Map<string, DenomUnit>();
  readonly #origins = new Map<string, IbcDenom>();
  readonly #abort = new AbortController();
  #unitsLoaded: Promise<void> | undefined;
  #view = wholeSupply;

  constructor(node: () => Promise<ChainNode>, pageSize: () => number, knownUnits: KnownUnits) {
    this.#node = node;
    this.#knownUnits = knownUnits;
    this.pager = new Pager<Coin>(
      (request, signal) => this.#loadPage(request, signal),
      (coin) => coin.denom,
      pageSize,
    );
    this.pager.onDidChange(() => this.#changed.fire());
  }

  readonly onDidChange = this.#changed.on;

  /** The unit of a denom, where the chain's metadata or the registry states one. */
  unit(denom: string): DenomUnit | undefined {
    return this.#units.get(denom);
  }

  /** Where an `ibc/…` denom comes from, once `loadOrigin` has read it. */
  origin(denom: string): IbcDenom | undefined {
    return this.#origins.get(denom);
  }

  /** Reads where an `ibc/…` denom comes from; optional on nodes. Rejects as `ChainNode.ibcDenom` does. */
  async loadOrigin(denom: string): Promise<IbcDenom | undefined> {
    const hash = /^ibc\/([\dA-F]{64})$/.exec(denom)?.[1];
    if (hash === undefined || this.#origins.has(denom)) return this.#origins.get(denom);
    const origin = await (await this.#node()).ibcDenom(hash, this.#abort.signal);
    if (!origin || this.#origins.has(denom)) return origin;
    this.#origins.set(denom, origin);
    this.#changed.fire();
    return origin;
  }

  /** The denoms with this symbol, upper and lower case being the same, as far as units are loaded. */
  denomsOf(symbol: string): readonly string[] {
    const wanted = symbol.toLowerCase();
    return [...this.#units].flatMap(([denom, unit]) => (unit.symbol.toLowerCase() === wanted ? [denom] : []));
  }

  /** How the loaded rows are shown. */
  get view(): SupplyView {
    return this.#view;
  }

  setView(view: SupplyView): void {
    if (view.text === this.#view.text && view.order === this.#view.order) return;
    this.#view = view;
    this.#changed.fire();
  }

  /** The loaded rows as the view shows them. */
  get shown(): readonly Coin[] {
    return viewCoins(this.pager.rows, this.#view, (denom) => this.unit(denom));
  }

  /** Reads the supply of one denom; amount 0 means that the chain holds none. Rejects as `ChainNode.supplyOf` does. */
  async load(denom: string, signal?: AbortSignal): Promise<Coin> {
    const node = await this.#node();
    const coin = toCoin(await node.supplyOf(denom, signal));
    this.pager.replace(coin);
    return coin;
  }

  /** Reads the units once; they are optional, so after a failure base units are shown. */
  loadUnits(): Promise<void> {
    this.#unitsLoaded ??= this.#readUnits();
    return this.#unitsLoaded;
  }

  dispose(): void {
    this.#abort.abort();
    this.pager.dispose();
    this.#changed.dispose();
  }

  async #loadPage(request: PageRequest, signal: AbortSignal): Promise<Page<Coin>> {
    const node = await this.#node();
    signal.throwIfAborted();
    return readSupplyPage(node, request, signal);
  }

  async #readUnits(): Promise<void> {
    const node = await this.#node();
    const stated = new Map<string, DenomUnit>();
    const [known] = await Promise.allSettled([this.#knownUnits(), readUnits(node, stated, this.#abort.signal)]);
    if (this.#abort.signal.aborted) return;
    const all = [...(known.status === 'fulfilled' ? known.value : []), ...stated];
    for (const [denom, unit] of all) this.#units.set(denom, unit);
    if (this.#units.size > 0) this.#changed.fire();
  }
}

/** One page of the supply; the first one asks for a count. Rejects as `ChainNode.supply` does. */
export async function readSupplyPage(node: ChainNode, request: PageRequest, signal: AbortSignal): Promise<Page<Coin>> {
  return mapRows(await node.supply({ ...request, countTotal: request.key === undefined }, signal), toCoin);
}

/** Fills `units` from the chain's metadata. Rejects as `ChainNode.denomsMetadata` does; what was read by then stays. */
async function readUnits(node: ChainNode, units: Map<string, DenomUnit>, signal: AbortSignal): Promise<void> {
  const load = async (request: PageRequest, abort: AbortSignal) =>
    (await node.denomsMetadata(request, abort)) ?? emptyPage;
  const idOf = ({ base }: WireMetadata) => base;
  for await (const { rows } of readPages<WireMetadata>(load, { idOf, limit: 500, enough: mostMetadata, signal })) {
    for (const metadata of rows) {
      const unit = toDenomUnit(metadata);
      if (unit) units.set(metadata.base, unit);
    }
  }
}

/** The display unit that metadata states for its base denom; undefined where it states none or contradicts itself. */
export function toDenomUnit(metadata: WireMetadata): DenomUnit | undefined {
  const units = metadata.denom_units ?? [];
  const display = units.find((unit) => unit.denom === metadata.display);
  const base = units.find((unit) => unit.denom === metadata.base);
  if (!display || (base && base.exponent !== 0)) return undefined;
  const { exponent } = display;
  if (!Number.isInteger(exponent) || exponent < 0 || exponent > 77) return undefined;
  return { symbol: metadata.symbol || metadata.display || metadata.base, exponent, source: 'chain' };
}

/** What the rows of the supply are ordered by. `denom` is the chain's own order, by bytes. */
export const supplyOrders = ['denom', 'amount', 'symbol'] as const;
export type SupplyOrder = (typeof supplyOrders)[number];

/** Which of the loaded rows of the supply are shown, and in which order. */
export interface SupplyView {
  /** Shown are denoms that hold this text in their name or their symbol; "" shows all. */
  readonly text: string;
  readonly order: SupplyOrder;
}

/** Everything, in the chain's order. */
export const wholeSupply: SupplyView = { text: '', order: 'denom' };

/**
 * The rows that a view shows, in its order: amounts from the largest (in base units, exact), symbols by the alphabet and
 * denoms without one last. Equal rows stay in the chain's order.
 */
export function viewCoins(
  coins: readonly Coin[],
  view: SupplyView,
  unitOf: (denom: string) => DenomUnit | undefined,
): readonly Coin[] {
  const found = view.text === '' ? coins : coins.filter((coin) => hasText(coin.denom, view.text, unitOf));
  switch (view.order) {
    case 'denom':
      return found;
    case 'amount':
      return found.toSorted((a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0));
    case 'symbol':
      return found.toSorted((a, b) => bySymbol(unitOf(a.denom)?.symbol, unitOf(b.denom)?.symbol));
    default:
      return view.order satisfies never;
  }
}

/** Whether a denom or its symbol holds the text; upper and lower case are the same. */
export function hasText(denom: string, text: string, unitOf: (denom: string) => DenomUnit | undefined): boolean {
  const wanted = text.toLowerCase();
  return denom.toLowerCase().includes(wanted) || (unitOf(denom)?.symbol.toLowerCase().includes(wanted) ?? false);
}

function bySymbol(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return a.localeCompare(b, 'en');
}
