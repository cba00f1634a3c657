import type { ChainNode } from '../api/node.ts';
import { emptyPage, type LoadPage, type Page, type PageRequest } from '../api/pages.ts';
import { descending, quotient, type Ratio } from './coin.ts';
import type { Answered, Keeper, KeptQuestion } from './keeper.ts';
import { Pager } from './pager.ts';
import type { Validator } from './validator.ts';
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

  /** Its share of the bonded tokens; undefined for one that is not bonded, and until `loadBonded` knows the total. */
  share({ status, tokens }: Validator): Ratio | undefined {
    const bonded = this.#bonded.get()?.value;
    return bonded === undefined || status !== 'bonded' ? undefined : quotient(tokens, bonded);
  }

  /** Reads the total of bonded tokens. Never rejects: it is optional on nodes, and what stood before stands. */
  async loadBonded({ maxAge, signal }: KeptQuestion): Promise<void> {
    const either = signal ? AbortSignal.any([this.abort.signal, signal]) : this.abort.signal;
    const load = async (own: AbortSignal): Promise<Answered<bigint | undefined>> => {
      const total = (await (await this.#node()).votingPower(own))?.total;
      return { value: total === undefined ? undefined : BigInt(total) };
    };
    await this.#bonded.read('', { maxAge, signal: either }, load).catch(() => undefined);
  }

  override forget(): void {
    this.#isOffered = true;
    super.forget();
  }

  async #read(node: ChainNode, request: PageRequest, signal?: AbortSignal): Promise<Page<Validator>> {
    const { readValidators } = await nodeReads();
    const page = await readValidators(node, { ...request, countTotal: request.key === undefined }, signal);
    this.#isOffered = page !== undefined;
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
