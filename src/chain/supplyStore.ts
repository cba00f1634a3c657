import type { ChainNode, IbcDenom } from '../api/node.ts';
import type { LoadPage } from '../api/pages.ts';
import { type Coin, type DenomMetadata, type DenomUnit, descending } from './coin.ts';
import { Pager } from './pager.ts';
import { nodeReads, type ViewOf, ViewStore } from './viewStore.ts';

/** Units that the registry states, by denom; read when the supply is first shown. */
export type KnownUnits = (signal: AbortSignal) => Promise<ReadonlyMap<string, DenomUnit>>;

/** The total supply, page by page, and how its denoms are shown. */
export class SupplyStore extends ViewStore<Coin, SupplyOrder> {
  readonly #node: () => Promise<ChainNode>;
  readonly #knownUnits: KnownUnits;
  readonly #units = new Map<string, DenomUnit>();
  readonly #origins = new Map<string, IbcDenom>();
  readonly #metadata = new Map<string, DenomMetadata>();
  #unitsLoading: Promise<void> | undefined;
  #hasUnits = false;
  #staking: Coin | undefined;

  constructor(node: () => Promise<ChainNode>, pageSize: () => number, knownUnits: KnownUnits) {
    const load: LoadPage<Coin> = async (request, signal) =>
      (await nodeReads()).readSupplyPage(await node(), request, signal);
    super(new Pager<Coin>(load, (coin) => coin.denom, pageSize), wholeSupply);
    this.#node = node;
    this.#knownUnits = knownUnits;
  }

  unit(denom: string): DenomUnit | undefined {
    return this.#units.get(denom);
  }

  /** Where an `ibc/…` denom comes from, once `loadOrigin` has read it. */
  origin(denom: string): IbcDenom | undefined {
    return this.#origins.get(denom);
  }

  /** Reads where an `ibc/…` denom comes from; optional on nodes. Never rejects: undefined where it is not known. */
  async loadOrigin(denom: string, signal?: AbortSignal): Promise<IbcDenom | undefined> {
    const hash = /^ibc\/([\dA-F]{64})$/.exec(denom)?.[1];
    if (hash === undefined || this.#origins.has(denom)) return this.#origins.get(denom);
    const ask = (node: ChainNode): ReturnType<ChainNode['ibcDenom']> => node.ibcDenom(hash, this.#either(signal));
    const origin = await this.#node()
      .then(ask)
      .catch(() => undefined);
    if (!origin || this.#origins.has(denom)) return origin;
    this.#origins.set(denom, origin);
    this.changed.fire();
    return origin;
  }

  /** The denoms with this symbol, upper and lower case being the same, as far as units are loaded. */
  denomsOf(symbol: string): readonly string[] {
    const wanted = symbol.toLowerCase();
    return [...this.#units].flatMap(([denom, unit]) => (unit.symbol.toLowerCase() === wanted ? [denom] : []));
  }

  metadata(denom: string): DenomMetadata | undefined {
    return this.#metadata.get(denom);
  }

  /** The supply of the denom that is staked, also where the list was not read as far as it; undefined until it is known. */
  get staking(): Coin | undefined {
    return this.#staking && this.find(this.#staking.denom);
  }

  /** A row, or the staking denom that no row shows yet. */
  find(denom: string): Coin | undefined {
    const row = this.pager.rows.find((coin) => coin.denom === denom);
    return row ?? (this.#staking?.denom === denom ? this.#staking : undefined);
  }

  /** Amounts from the largest, texts by the alphabet. Equal rows stay in the chain's order. */
  get shown(): readonly Coin[] {
    const unitOf = (denom: string): DenomUnit | undefined => this.unit(denom);
    const { text, order } = this.view;
    const { rows } = this.pager;
    const found = text === '' ? rows : rows.filter(({ denom }) => hasText(denom, text, unitOf));
    switch (order) {
      case 'value':
        return byValue(found, unitOf);
      case 'denom':
        return found;
      case 'amount':
        return found.toSorted((a, b) => descending(a.amount, b.amount));
      case 'symbol':
        return found.toSorted((a, b) => bySymbol(unitOf(a.denom), unitOf(b.denom)));
      default:
        return order satisfies never;
    }
  }

  /** Reads the supply of one denom; amount 0 means that the chain holds none. Rejects as `ChainNode.supplyOf` does. */
  async load(denom: string, signal?: AbortSignal): Promise<Coin> {
    const coin = await (await nodeReads()).readSupplyOf(await this.#node(), denom, signal);
    this.pager.replace(coin);
    return coin;
  }

  /**
   * Reads the units and the staking denom once. Never rejects: they are optional, and after a failure base units are shown. Where
   * the caller who began it leaves by its `signal`, the next one who waits begins again.
   */
  async loadUnits(signal?: AbortSignal): Promise<void> {
    const either = this.#either(signal);
    while (!this.#hasUnits && !either.aborted) {
      this.#unitsLoading ??= this.#readAll(either).finally(() => {
        this.#unitsLoading = undefined;
      });
      await this.#unitsLoading;
    }
  }

  #either(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([this.abort.signal, signal]) : this.abort.signal;
  }

  async #readAll(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#readUnits(signal), this.#readStaking(signal).catch(() => undefined)]);
    this.#hasUnits = !signal.aborted;
  }

  async #readUnits(signal: AbortSignal): Promise<void> {
    const [known] = await Promise.allSettled([this.#knownUnits(signal), this.#readMetadata(signal)]);
    if (signal.aborted) return;
    if (known.status === 'fulfilled') for (const [denom, unit] of known.value) this.#units.set(denom, unit);
    for (const [denom, metadata] of this.#metadata) {
      if (metadata.unit) this.#units.set(denom, metadata.unit);
    }
    if (this.#units.size > 0) this.changed.fire();
  }

  /** Rejects as `ChainNode.denomsMetadata` does; what was read by then stays. */
  async #readMetadata(signal: AbortSignal): Promise<void> {
    const { readMetadata } = await nodeReads();
    for await (const metadata of readMetadata(await this.#node(), signal)) this.#metadata.set(metadata.base, metadata);
  }

  async #readStaking(signal: AbortSignal): Promise<void> {
    const { readStaking } = await nodeReads();
    const find = (denom: string): Coin | undefined => this.pager.rows.find((coin) => coin.denom === denom);
    this.#staking = await readStaking(await this.#node(), find, signal);
    if (this.#staking) this.changed.fire();
  }
}

/** `value`: named denoms first, by their amounts in display units. `denom` is the chain's own order, by bytes. */
export const supplyOrders = ['value', 'denom', 'amount', 'symbol'] as const;
export type SupplyOrder = (typeof supplyOrders)[number];

/** Shown are denoms that hold the text in their name or their symbol. */
export type SupplyView = ViewOf<SupplyOrder>;

/** Everything, the named denoms first. */
export const wholeSupply: SupplyView = { text: '', order: 'value' };

type UnitOf = (denom: string) => DenomUnit | undefined;

/**
 * Whether a denom has a symbol that can be trusted: the registry's, or the chain's own. Anyone can give any symbol to the
 * denom of a factory, of a contract or of another chain; their names hold a slash or a colon, or are made of an address.
 */
export function isNamed(denom: string, unit: DenomUnit | undefined): unit is DenomUnit {
  return unit !== undefined && (unit.source === 'registry' || !isMade(denom));
}

/** Whether a denom was made by a user or by a module, and not by the chain's genesis. */
export function isMade(denom: string): boolean {
  return /[/:]|0x/.test(denom);
}

function byValue(coins: readonly Coin[], unitOf: UnitOf): readonly Coin[] {
  const valued = coins.map((coin) => {
    const unit = unitOf(coin.denom);
    // No exponent is larger than 77: scaled alike, amounts compare exactly.
    return { coin, value: isNamed(coin.denom, unit) ? coin.amount * 10n ** BigInt(77 - unit.exponent) : -1n };
  });
  return valued.sort((a, b) => descending(a.value, b.value)).map(({ coin }) => coin);
}

/** Whether a denom or its symbol holds the text; upper and lower case are the same. */
export function hasText(denom: string, text: string, unitOf: UnitOf): boolean {
  const wanted = text.toLowerCase();
  return denom.toLowerCase().includes(wanted) || (unitOf(denom)?.symbol.toLowerCase().includes(wanted) ?? false);
}

/** Denoms without a symbol come last. */
function bySymbol(a: DenomUnit | undefined, b: DenomUnit | undefined): number {
  return a && b ? a.symbol.localeCompare(b.symbol, 'en') : Number(!a) - Number(!b);
}
