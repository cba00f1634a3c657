import { isApiError } from '../api/errors.ts';
import type { ChainNode, Readable } from '../api/node.ts';
import type { Page, PageRequest } from '../api/pages.ts';
import { OptionalPages, readPages } from '../api/readPages.ts';
import {
  type Coin,
  type DenomMetadata,
  type DenomTrace,
  type DenomUnit,
  decimalAmount,
  descending,
} from '../chain/coin.ts';
import type { Answered, Kept, KeptQuestion } from '../session/kept.ts';
import { type Arrangement, type KnownUnits, type ListParts, PagedList, type RowTable } from './listBase.ts';

/** `value`: named denoms first, by their amounts in display units. `denom` is the chain's own order, by bytes. */
export const supplyOrders = ['value', 'denom', 'amount', 'symbol'] as const;
export type SupplyOrder = (typeof supplyOrders)[number];
export type SupplyArrangement = Arrangement<SupplyOrder>;

/** The total supply, page by page, with the units of its denoms. The filter of the view looks at denom and symbol. */
export class Supply extends PagedList<Coin, SupplyOrder> {
  readonly name = 'supply';
  readonly rowKind = 'coin';
  readonly #knownUnits: KnownUnits;
  readonly #kept: Pick<Kept, 'metadata' | 'registryUnits' | 'staking' | 'origins'>;

  constructor(parts: ListParts) {
    super(parts, { text: '', order: 'value' });
    const { metadata, registryUnits, staking, origins } = parts.kept;
    this.#knownUnits = parts.knownUnits;
    this.#kept = parts.kept;
    for (const kind of [metadata, registryUnits, staking, origins]) kind.onDidChange(() => this.changed.fire());
  }

  /** Denoms with their exact amounts in base units, and the display unit if the chain or the registry states one. */
  get table(): RowTable<Coin> {
    return {
      name: this.name,
      columns: ['denom', 'amount', 'symbol', 'exponent', 'display_amount'],
      cells: ({ denom, amount }): string[] => {
        const unit = this.unit(denom);
        if (!unit) return [denom, `${amount}`, '', '', ''];
        return [denom, `${amount}`, unit.symbol, `${unit.exponent}`, decimalAmount(amount, unit.exponent)];
      },
      json: ({ denom, amount }): unknown => ({ denom, amount: `${amount}` }),
    };
  }

  keyOf({ denom }: Coin): string {
    return denom;
  }

  override finder(): (denom: string) => Coin | undefined {
    const find = super.finder();
    return (denom): Coin | undefined => find(denom) ?? this.#stakingNamed(denom);
  }

  texts({ denom }: Coin): readonly string[] {
    return [denom, this.unit(denom)?.symbol ?? ''];
  }

  values({ denom, amount }: Coin): Readonly<Record<string, string>> {
    return { denom, amount: `${amount}` };
  }

  readableRow(denom: string): Readable {
    return { denom };
  }

  readableList(): Readable {
    return 'supply';
  }

  /** The unit of a denom as the chain states it, else the registry. */
  unit(denom: string): DenomUnit | undefined {
    return this.metadata(denom)?.unit ?? this.#kept.registryUnits.get()?.value.get(denom);
  }

  /** Where an `ibc/…` denom comes from, once `loadOrigin` has read it. */
  origin(denom: string): DenomTrace | undefined {
    return this.#kept.origins.get(denom)?.value;
  }

  /** Reads where an `ibc/…` denom comes from; optional on nodes. Never rejects: undefined if it is not known. */
  async loadOrigin(denom: string, question: KeptQuestion): Promise<DenomTrace | undefined> {
    const hash = /^ibc\/([\dA-F]{64})$/.exec(denom)?.[1];
    if (hash === undefined) return undefined;
    const load = async (signal: AbortSignal): Promise<Answered<DenomTrace | undefined>> => ({
      value: await (await this.node()).ibcDenom(hash, signal),
    });
    await this.keep(this.#kept.origins, denom, question, load);
    return this.origin(denom);
  }

  /** The denoms with this symbol, upper and lower case being the same, as far as units are loaded. */
  denomsOf(symbol: string): readonly string[] {
    const wanted = symbol.toLowerCase();
    const { metadata, registryUnits } = this.#kept;
    const denoms = new Set([...(registryUnits.get()?.value.keys() ?? []), ...(metadata.get()?.value.keys() ?? [])]);
    return [...denoms].filter((denom) => this.unit(denom)?.symbol.toLowerCase() === wanted);
  }

  /** The denoms that the chain states metadata of, as far as these are loaded. */
  get describedDenoms(): readonly string[] {
    return [...(this.#kept.metadata.get()?.value.keys() ?? [])];
  }

  metadata(denom: string): DenomMetadata | undefined {
    return this.#kept.metadata.get()?.value.get(denom);
  }

  /** The supply of the denom that is staked, even if the list was not read that far. Undefined until it is known. */
  get staking(): Coin | undefined {
    const staking = this.#kept.staking.get()?.value;
    return staking && this.find(staking.denom);
  }

  /** A row, or the staking denom that no row shows yet. */
  find(denom: string): Coin | undefined {
    return this.#rowOf(denom) ?? this.#stakingNamed(denom);
  }

  /** Reads the supply of one denom; amount 0 means that the chain holds none. Rejects as `ChainNode.supplyOf` does. */
  async load(denom: string, signal?: AbortSignal): Promise<Coin> {
    const coin = await (await this.node()).supplyOf(denom, signal);
    this.pager.replace(coin);
    return coin;
  }

  /** Reads the units and the staking denom. Never rejects: they are optional, and without them base units are shown. */
  async loadUnits(question: KeptQuestion): Promise<void> {
    const { metadata, registryUnits, staking } = this.#kept;
    await Promise.all([
      this.keep(registryUnits, '', question, async (signal) => ({ value: await this.#knownUnits(signal) })),
      this.keep(metadata, '', question, (signal) => this.#readMetadata(signal)),
      this.keep(staking, '', question, (signal) => this.#readStaking(signal)),
    ]);
  }

  override loadBeside(question: KeptQuestion): Promise<void> {
    return this.loadUnits(question);
  }

  /** Amounts from the largest, texts by the alphabet. */
  sorted(coins: readonly Coin[], order: SupplyOrder): readonly Coin[] {
    const unitOf = (denom: string): DenomUnit | undefined => this.unit(denom);
    switch (order) {
      case 'value':
        return byValue(coins, unitOf);
      case 'denom':
        return coins;
      case 'amount':
        return coins.toSorted((a, b) => descending(a.amount, b.amount));
      case 'symbol':
        return coins.toSorted((a, b) => bySymbol(unitOf(a.denom), unitOf(b.denom)));
      default:
        return order satisfies never;
    }
  }

  protected readPage(node: ChainNode, request: PageRequest, signal?: AbortSignal): Promise<Page<Coin>> {
    return node.supply({ ...request, countTotal: request.key === undefined }, signal);
  }

  async #readMetadata(signal: AbortSignal): Promise<Answered<ReadonlyMap<string, DenomMetadata>>> {
    const read = new Map<string, DenomMetadata>();
    try {
      for await (const metadata of readMetadata(await this.node(), signal)) read.set(metadata.base, metadata);
    } catch (error) {
      if (!isAnswer(error) || this.#kept.metadata.get()) throw error;
    }
    return { value: read };
  }

  async #readStaking(signal: AbortSignal): Promise<Answered<Coin | undefined>> {
    try {
      return { value: await readStaking(await this.node(), (denom) => this.#rowOf(denom), signal) };
    } catch (error) {
      if (!isAnswer(error) || this.#kept.staking.get()) throw error;
      return { value: undefined };
    }
  }

  #rowOf(denom: string): Coin | undefined {
    return this.pager.rows.find((coin) => coin.denom === denom);
  }

  #stakingNamed(denom: string): Coin | undefined {
    const staking = this.#kept.staking.get()?.value;
    return staking?.denom === denom ? staking : undefined;
  }
}

/** Reads the metadata of up to 10,000 denoms. Empty if they are not offered. Rejects as `ChainNode.denomsMetadata`. */
async function* readMetadata(node: ChainNode, signal: AbortSignal): AsyncGenerator<DenomMetadata> {
  const { load } = new OptionalPages<DenomMetadata>((request, own) => node.denomsMetadata(request, own));
  for await (const { rows } of readPages(load, { idOf: ({ base }) => base, limit: 500, enough: 10_000, signal }))
    yield* rows;
}

/** The supply of the staking denom, from `find` or else from the node. Undefined if the node does not state it. */
async function readStaking(
  node: ChainNode,
  find: (denom: string) => Coin | undefined,
  signal: AbortSignal,
): Promise<Coin | undefined> {
  const denom = await node.bondDenom(signal);
  return denom === undefined ? undefined : (find(denom) ?? node.supplyOf(denom, signal));
}

/** Whether a node has answered, with a refusal or what cannot be understood: it would do so again. */
function isAnswer(error: unknown): boolean {
  return isApiError(error) && error.kind !== 'unreachable';
}

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

/** Denoms without a symbol come last. */
function bySymbol(a: DenomUnit | undefined, b: DenomUnit | undefined): number {
  return a && b ? a.symbol.localeCompare(b.symbol, 'en') : Number(!a) - Number(!b);
}
