import { heightFault } from '../api/errors.ts';
import type { ChainNode, Readable } from '../api/node.ts';
import type { Page, PageRequest } from '../api/pages.ts';
import { decimalAmount, descending } from '../chain/coin.ts';
import { basisPoints, quotient, type Ratio, sharesOf } from '../chain/ratio.ts';
import type { Validator } from '../chain/validator.ts';
import type { Answered, KeptQuestion, KeptValues } from '../session/kept.ts';
import { type ListParts, PagedList, type RowTable } from './listBase.ts';

/** `power`: bonded ones first, the greatest first. */
export const validatorOrders = ['power', 'moniker', 'commission'] as const;
export type ValidatorOrder = (typeof validatorOrders)[number];

const columns: readonly (readonly [name: string, cell: (row: Validator) => string])[] = [
  ['operator_address', ({ operator }): string => operator],
  ['moniker', ({ moniker }): string => moniker],
  ['status', ({ status }): string => status],
  ['jailed', ({ jailed }): string => `${jailed}`],
  ['tokens', ({ tokens }): string => `${tokens}`],
  ['commission_rate', ({ commission }): string => (commission === undefined ? '' : decimalAmount(commission, 18))],
];

const validatorTable: RowTable<Validator> = {
  name: 'validators',
  columns: columns.map(([name]) => name),
  cells: (row) => columns.map(([, cell]) => cell(row)),
  json: (row) => Object.fromEntries(columns.map(([name, cell]) => [name, cell(row)])),
};

/** The validators of a source, of every status, page by page. The filter of the view looks at moniker and address. */
export class Validators extends PagedList<Validator, ValidatorOrder> {
  readonly name = 'validators';
  readonly rowKind = 'validator';
  readonly table = validatorTable;
  /** All bonded tokens; undefined if the source does not state them. */
  readonly #bonded: KeptValues<bigint | undefined>;
  /** The height of the first page: the later ones, and the total, are asked for at it. */
  #height: bigint | undefined;
  /** The bonded rows, as long as no row is added. */
  #sum: BondedRows | undefined;

  constructor(parts: Omit<ListParts, 'knownUnits'>) {
    super(parts, { text: '', order: 'power' });
    this.#bonded = parts.kept.bonded;
    this.#bonded.onDidChange(() => this.changed.fire());
  }

  keyOf({ operator }: Validator): string {
    return operator;
  }

  texts({ moniker, operator }: Validator): readonly string[] {
    return [moniker, operator];
  }

  values({ operator }: Validator): Readonly<Record<string, string>> {
    return { operator };
  }

  readableRow(): Readable {
    return 'validators';
  }

  readableList(): Readable {
    return 'validators';
  }

  /**
   * Its share of the bonded tokens; undefined for one that is not bonded, and until `loadBonded` has read the total. Once
   * all rows are loaded, it is the share of their sum, so that shares add up whatever the heights of the pages.
   */
  share({ status, tokens }: Validator): Ratio | undefined {
    const bonded = this.#bonded.get()?.value;
    if (bonded === undefined || status !== 'bonded') return undefined;
    const { rows, started, hasMore, faults } = this.pager;
    if (!started || hasMore || faults.length > 0) return quotient(tokens, bonded);
    if (this.#sum?.rows !== rows || this.#sum.count !== rows.length) this.#sum = sumBonded(rows);
    return quotient(tokens, this.#sum.bonded);
  }

  /** The share in hundredths of a percent. Once all rows are loaded they add up to 100 %; before that, shares are cut. */
  sharePoints(row: Validator): number | undefined {
    const share = this.share(row);
    const { rows } = this.pager;
    const isWhole = this.#sum?.rows === rows && this.#sum.count === rows.length;
    if (share === undefined) return undefined;
    return (isWhole ? this.#sum?.points.get(row.operator) : undefined) ?? basisPoints(share);
  }

  /**
   * Reads the total of bonded tokens, at the height of the rows if the node keeps to it. Never rejects: it is optional on nodes,
   * and the old total stands.
   */
  async loadBonded({ maxAge, signal }: KeptQuestion): Promise<void> {
    const height = this.#height;
    const keptHeight = this.#bonded.get()?.height;
    const isOfOtherRows = height !== undefined && keptHeight !== undefined && keptHeight !== height;
    const question = { maxAge: isOfOtherRows ? 0 : maxAge, signal };
    await this.keep(this.#bonded, '', question, (own) => this.#readBonded(height, own));
  }

  override loadBeside(question: KeptQuestion): Promise<void> {
    return this.loadBonded(question);
  }

  override forget(): void {
    this.#height = undefined;
    super.forget();
  }

  protected sorted(rows: readonly Validator[], order: ValidatorOrder): readonly Validator[] {
    return rows.toSorted(compareValidators[order]);
  }

  protected readPage(
    node: ChainNode,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<Validator> | undefined> {
    return node.validators({ ...request, countTotal: request.key === undefined }, signal);
  }

  protected override async loadPage(
    node: ChainNode,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<Validator> | undefined> {
    const isFirst = request.key === undefined;
    const height = request.height ?? (isFirst ? undefined : this.#height);
    const page = await node.validators({ ...request, height, countTotal: isFirst }, signal);
    if (isFirst) this.#height = page?.info.height;
    if (page?.info.unpinnedReason !== undefined) this.#height = undefined;
    return page;
  }

  async #readBonded(height: bigint | undefined, signal: AbortSignal): Promise<Answered<bigint | undefined>> {
    const node = await this.node();
    const read = async (from: ChainNode): Promise<bigint | undefined> => (await from.votingPower(signal))?.total;
    if (height === undefined) return { value: await read(node) };
    try {
      return { value: await read(node.at(height)), height };
    } catch (error) {
      if (heightFault(error) === undefined) throw error;
      return { value: await read(node) };
    }
  }
}

/** The bonded ones of so many rows. */
interface BondedRows {
  readonly rows: readonly Validator[];
  readonly count: number;
  /** Their tokens together. */
  readonly bonded: bigint;
  /** Their shares in hundredths of a percent, by operator. */
  readonly points: ReadonlyMap<string, number>;
}

function sumBonded(rows: readonly Validator[]): BondedRows {
  const bonded = rows.filter(({ status }) => status === 'bonded');
  const shares = sharesOf(bonded.map(({ tokens }) => tokens));
  return {
    rows,
    count: rows.length,
    bonded: bonded.reduce((sum, { tokens }) => sum + tokens, 0n),
    points: new Map(bonded.map(({ operator }, at) => [operator, shares[at] ?? 0])),
  };
}

/** The functions that sort by the orders of validators. */
export const compareValidators: Readonly<Record<ValidatorOrder, (a: Validator, b: Validator) => number>> = {
  power: (a, b) => Number(b.status === 'bonded') - Number(a.status === 'bonded') || descending(a.tokens, b.tokens),
  moniker: (a, b) => a.moniker.localeCompare(b.moniker, 'en'),
  commission: (a, b) => -descending(a.commission ?? -1n, b.commission ?? -1n),
};
