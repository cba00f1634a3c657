import { heightFault } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { emptyPage, type LoadPage, type Page, type PageRequest } from '../api/pages.ts';
import { descending, quotient, type Ratio } from '../chain/coin.ts';
import type { Validator } from '../chain/validator.ts';
import type { Answered, Keeper, KeptQuestion } from '../session/kept.ts';
import { Pager } from './pager.ts';
import { nodeReads, type ViewOf, ViewStore } from './viewStore.ts';

/** `power`: bonded ones first, the greatest first. */
export const validatorOrders = ['power', 'moniker', 'commission'] as const;
export type ValidatorOrder = (typeof validatorOrders)[number];

/** Shown are validators that hold the text in their moniker or address. */
export const allValidators: ViewOf<ValidatorOrder> = { text: '', order: 'power' };

/** The validators of a source, of every status, page by page. */
export class ValidatorStore extends ViewStore<Validator, ValidatorOrder> {
  readonly #node: () => Promise<ChainNode>;
  /** All bonded tokens; undefined where the source does not state them. */
  readonly #bonded: Keeper<bigint | undefined>;
  #isOffered = true;
  /** That of the first page: the later ones, and the total, are asked for at it. */
  #height: bigint | undefined;
  /** What bonded rows have together, of the rows that were there then. */
  #sum: { readonly rows: readonly Validator[]; readonly count: number; readonly bonded: bigint } | undefined;

  constructor(node: () => Promise<ChainNode>, pageSize: () => number, bonded: Keeper<bigint | undefined>) {
    const load: LoadPage<Validator> = async (request, signal) => this.#read(await node(), request, signal);
    super(new Pager<Validator>(load, ({ operator }) => operator, pageSize), allValidators);
    this.#node = node;
    this.#bonded = bonded;
    bonded.onDidChange(() => this.changed.fire());
  }

  /** False once the source has refused to list validators. */
  get isOffered(): boolean {
    return this.#isOffered;
  }

  get shown(): readonly Validator[] {
    const { text, order } = this.view;
    return this.pager.rows.filter((row) => validatorHasText(row, text)).sort(orders[order]);
  }

  /**
   * Its share of the bonded tokens; undefined for one that is not bonded, and until `loadBonded` knows the total. Shares of rows
   * that are all there are of what these rows have, and add up whatever their heights.
   */
  share({ status, tokens }: Validator): Ratio | undefined {
    const bonded = this.#bonded.get()?.value;
    if (bonded === undefined || status !== 'bonded') return undefined;
    const { rows, started, hasMore, faults } = this.pager;
    if (!started || hasMore || faults.length > 0) return quotient(tokens, bonded);
    if (this.#sum?.rows !== rows || this.#sum.count !== rows.length) {
      const all = rows.reduce((sum, row) => (row.status === 'bonded' ? sum + row.tokens : sum), 0n);
      this.#sum = { rows, count: rows.length, bonded: all };
    }
    return quotient(tokens, this.#sum.bonded);
  }

  /**
   * Reads the total of bonded tokens, at the height of the rows where the node keeps to it. Never rejects: it is optional on nodes,
   * and what stood before stands.
   */
  async loadBonded({ maxAge, signal }: KeptQuestion): Promise<void> {
    const either = signal ? AbortSignal.any([this.abort.signal, signal]) : this.abort.signal;
    const at = this.#height;
    const kept = this.#bonded.get()?.height;
    const isOfOthers = at !== undefined && kept !== undefined && kept !== at;
    const load = (own: AbortSignal): Promise<Answered<bigint | undefined>> => this.#readBonded(at, own);
    await this.#bonded.read('', { maxAge: isOfOthers ? 0 : maxAge, signal: either }, load).catch(() => undefined);
  }

  async #readBonded(height: bigint | undefined, signal: AbortSignal): Promise<Answered<bigint | undefined>> {
    const node = await this.#node();
    const read = async (from: ChainNode): Promise<bigint | undefined> => {
      const total = (await from.votingPower(signal))?.total;
      return total === undefined ? undefined : BigInt(total);
    };
    if (height === undefined) return { value: await read(node) };
    try {
      return { value: await read(node.at(height)), height };
    } catch (error) {
      if (heightFault(error) === undefined) throw error;
      return { value: await read(node) };
    }
  }

  override forget(): void {
    this.#isOffered = true;
    this.#height = undefined;
    super.forget();
  }

  async #read(node: ChainNode, request: PageRequest, signal?: AbortSignal): Promise<Page<Validator>> {
    const { readValidators } = await nodeReads();
    const isFirst = request.key === undefined;
    const height = request.height ?? (isFirst ? undefined : this.#height);
    const page = await readValidators(node, { ...request, height, countTotal: isFirst }, signal);
    this.#isOffered = page !== undefined;
    if (isFirst) this.#height = page?.info.height;
    if (page?.info.heightDropped !== undefined) this.#height = undefined;
    return page ?? emptyPage;
  }
}

/** Whether a validator's moniker or address holds the text, upper and lower case being the same. */
export function validatorHasText({ moniker, operator }: Validator, text: string): boolean {
  return `${moniker} ${operator}`.toLowerCase().includes(text.toLowerCase());
}

/** The orders of validators: whether the first of two comes before the other. */
export const orders: Readonly<Record<ValidatorOrder, (a: Validator, b: Validator) => number>> = {
  power: (a, b) => Number(b.status === 'bonded') - Number(a.status === 'bonded') || descending(a.tokens, b.tokens),
  moniker: (a, b) => a.moniker.localeCompare(b.moniker, 'en'),
  commission: (a, b) => -descending(a.commission ?? -1n, b.commission ?? -1n),
};
