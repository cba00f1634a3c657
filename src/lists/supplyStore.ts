import { isApiError } from '../api/errors.ts';
import type { ChainNode, IbcDenom } from '../api/node.ts';
import type { LoadPage } from '../api/pages.ts';
import { type Coin, type DenomMetadata, type DenomUnit, descending } from '../chain/coin.ts';
import type { Answered, Keeper, KeptQuestion } from '../session/kept.ts';
import { Pager } from './pager.ts';
import { nodeReads, type ViewOf, ViewStore } from './viewStore.ts';

/** Units that the registry states, by denom; read when the supply is first shown. */
export type KnownUnits = (signal: AbortSignal) => Promise<ReadonlyMap<string, DenomUnit>>;

/** What is kept beside the rows. */
export interface KeptSupply {
  readonly metadata: Keeper<ReadonlyMap<string, DenomMetadata>>;
  readonly registryUnits: Keeper<ReadonlyMap<string, DenomUnit>>;
  readonly staking: Keeper<Coin | undefined>;
  readonly origins: Keeper<IbcDenom | undefined>;
}

/** How a supply is read, beside its node. */
export interface SupplyParts {
  readonly pageSize: () => number;
  readonly knownUnits: KnownUnits;
  readonly kept: KeptSupply;
}

/** The total supply, page by page, and how its denoms are shown. */
export class SupplyStore extends ViewStore<Coin, SupplyOrder> {
  readonly #node: () => Promise<ChainNode>;
  readonly #knownUnits: KnownUnits;
  readonly #kept: KeptSupply;

  constructor(node: () => Promise<ChainNode>, { pageSize, knownUnits, kept }: SupplyParts) {
    const load: LoadPage<Coin> = async (request, signal) =>
      (await nodeReads()).readSupplyPage(await node(), request, signal);
    super(new Pager<Coin>(load, (coin) => coin.denom, pageSize), wholeSupply);
    this.#node = node;
    this.#knownUnits = knownUnits;
    this.#kept = kept;
    for (const kind of [kept.metadata, kept.registryUnits, kept.staking, kept.origins])
      kind.onDidChange(() => this.changed.fire());
  }

  /** As the chain states it, else the registry. */
  unit(denom: string): DenomUnit | undefined {
    return this.metadata(denom)?.unit ?? this.#kept.registryUnits.get()?.value.get(denom);
  }

  /** Where an `ibc/…` denom comes from, once `loadOrigin` has read it. */
  origin(denom: string): IbcDenom | undefined {
    return this.#kept.origins.get(denom)?.value;
  }

  /** Reads where an `ibc/…` denom comes from; optional on nodes. Never rejects: undefined where it is not known. */
  async loadOrigin(denom: string, question: KeptQuestion): Promise<IbcDenom | undefined> {
    const hash = /^ibc\/([\dA-F]{64})$/.exec(denom)?.[1];
    if (hash === undefined) return undefined;
    const load = async (signal: AbortSignal): Promise<Answered<IbcDenom | undefined>> => ({
      value: await (await this.#node()).ibcDenom(hash, signal),
    });
    await this.#renew(this.#kept.origins, denom, question, load);
    return this.origin(denom);
  }

  /** The denoms with this symbol, upper and lower case being the same, as far as units are loaded. */
  denomsOf(symbol: string): readonly string[] {
    const wanted = symbol.toLowerCase();
    const { metadata, registryUnits } = this.#kept;
    const denoms = new Set([...(registryUnits.get()?.value.keys() ?? []), ...(metadata.get()?.value.keys() ?? [])]);
    return [...denoms].filter((denom) => this.unit(denom)?.symbol.toLowerCase() === wanted);
  }

  metadata(denom: string): DenomMetadata | undefined {
    return this.#kept.metadata.get()?.value.get(denom);
  }

  /** The supply of the denom that is staked, also where the list was not read as far as it; undefined until it is known. */
  get staking(): Coin | undefined {
    const staking = this.#kept.staking.get()?.value;
    return staking && this.find(staking.denom);
  }

  /** A row, or the staking denom that no row shows yet. */
  find(denom: string): Coin | undefined {
    const row = this.#rowOf(denom);
    const staking = this.#kept.staking.get()?.value;
    return row ?? (staking?.denom === denom ? staking : undefined);
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

  /** Reads the units and the staking denom. Never rejects: they are optional, and without them base units are shown. */
  async loadUnits(question: KeptQuestion): Promise<void> {
    const { metadata, registryUnits, staking } = this.#kept;
    await Promise.all([
      this.#renew(registryUnits, '', question, async (signal) => ({ value: await this.#knownUnits(signal) })),
      this.#renew(metadata, '', question, (signal) => this.#readMetadata(signal)),
      this.#renew(staking, '', question, (signal) => this.#readStaking(signal)),
    ]);
  }

  /** Never rejects: where nothing is read, what stood before stands. */
  async #renew<T>(
    keeper: Keeper<T>,
    key: string,
    { maxAge, signal }: KeptQuestion,
    load: (signal: AbortSignal) => Promise<Answered<T>>,
  ): Promise<void> {
    const either = signal ? AbortSignal.any([this.abort.signal, signal]) : this.abort.signal;
    await keeper.read(key, { maxAge, signal: either }, load).catch(() => undefined);
  }

  async #readMetadata(signal: AbortSignal): Promise<Answered<ReadonlyMap<string, DenomMetadata>>> {
    const { readMetadata } = await nodeReads();
    const read = new Map<string, DenomMetadata>();
    try {
      for await (const metadata of readMetadata(await this.#node(), signal)) read.set(metadata.base, metadata);
    } catch (error) {
      if (!isAnswer(error) || this.#kept.metadata.get()) throw error;
    }
    return { value: read };
  }

  async #readStaking(signal: AbortSignal): Promise<Answered<Coin | undefined>> {
    const { readStaking } = await nodeReads();
    try {
      return { value: await readStaking(await this.#node(), (denom) => this.#rowOf(denom), signal) };
    } catch (error) {
      if (!isAnswer(error) || this.#kept.staking.get()) throw error;
      return { value: undefined };
    }
  }

  #rowOf(denom: string): Coin | undefined {
    return this.pager.rows.find((coin) => coin.denom === denom);
  }
}

/** Whether a node has answered, with a refusal or what cannot be understood: it would do so again. */
function isAnswer(error: unknown): boolean {
  return isApiError(error) && error.kind !== 'unreachable';
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
