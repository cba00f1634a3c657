import type { FileSearch } from '../fileSearch.ts';
import { BankReader } from '../modules/bank.ts';
import { FileChangedError } from '../serviceErrors.ts';
import { engineFor, isSameStamp, openFile, readAgain } from '../stateFile.ts';
import { type BalanceSink, bodyOf, type Range } from './balances.ts';
import type { AccountAmount, HeldCoin, ListRange } from './split.ts';

/** A search in the list of balances. */
interface ListTask extends FileSearch {
  readonly list: ListRange;
}

/** A search for the accounts that hold most of a denom. */
export interface HoldersTask extends ListTask {
  readonly kind: 'holders';
  readonly denom: string;
  /** The number of accounts. */
  readonly most: number;
}

/** A search for the coins of one account. */
export interface BalancesTask extends ListTask {
  readonly kind: 'balances';
  /** `bodyOf` the address of the account. */
  readonly holder: string;
  /** The only denom to find; all if absent. */
  readonly denom?: string | undefined;
}

/**
 * Finds the largest holders in descending order. Rejects with `FileChangedError` if the file is no longer the one that
 * was read.
 */
export async function findLargestHolders(task: HoldersTask): Promise<readonly AccountAmount[]> {
  const sink = new HolderRanking(task.denom, task.most);
  await readBalances(task, sink);
  return sink.found;
}

/** Finds coins of one account, in the order of the file. Rejects like `findLargestHolders`. */
export async function findBalances(task: BalancesTask): Promise<readonly HeldCoin[]> {
  const sink = new AccountCoins(task.holder, task.denom);
  await readBalances(task, sink);
  return sink.found;
}

/** Reads the list of balances again. */
async function readBalances({ path, stamp, list }: ListTask, sink: BalanceSink): Promise<void> {
  const { file, stamp: now } = await openFile(path);
  try {
    if (!isSameStamp(now, stamp)) throw new FileChangedError(path);
    const engine = engineFor(path, stamp.size);
    const visitor = new BankReader(engine, { sink }).listOf(list.kind);
    await readAgain(file, engine, { list, visitor }, undefined);
  } finally {
    await file.close();
  }
}

class HolderRanking implements BalanceSink {
  /** As found, up to twice as many as are wanted; the first ones are the largest, in order, since the last cut. */
  #holders: AccountAmount[] = [];
  /** The smallest amount that counts. */
  #least = '';
  readonly #denom: string;
  readonly #most: number;

  constructor(denom: string, most: number) {
    this.#denom = denom;
    this.#most = most;
  }

  get found(): readonly AccountAmount[] {
    this.#cut();
    return this.#holders;
  }

  add(address: string, denom: string, amount: string): void {
    if (denom !== this.#denom || amount === '0' || !isLess(this.#least, amount)) return;
    this.#holders.push({ address, amount });
    if (this.#holders.length >= 2 * this.#most + 1000) this.#cut();
  }

  #cut(): void {
    // A stable sort keeps those of one amount in the order of the file.
    const order = (a: AccountAmount, b: AccountAmount): number =>
      Number(isLess(a.amount, b.amount)) - Number(isLess(b.amount, a.amount));
    this.#holders = this.#holders.toSorted(order).slice(0, this.#most);
    this.#least = this.#holders[this.#most - 1]?.amount ?? '';
  }

  addRange(bytes: Buffer, address: Range, denom: string, range: Range): void {
    const smallest = this.#least;
    if (denom !== this.#denom || range[1] - range[0] < smallest.length) return;
    const amount = digitsIn(bytes, range);
    if (isLess(smallest, amount)) this.add(bytes.toString('latin1', ...address), denom, amount);
  }
}

class AccountCoins implements BalanceSink {
  readonly found: HeldCoin[] = [];
  readonly #body: string;
  readonly #denom: string | undefined;

  /** Without a `denom`, all are found. */
  constructor(body: string, denom: string | undefined) {
    this.#body = body;
    this.#denom = denom;
  }

  add(address: string, denom: string, amount: string): void {
    if (this.#isWanted(denom) && bodyOf(address) === this.#body) this.found.push({ address, denom, amount });
  }

  addRange(bytes: Buffer, address: Range, denom: string, amount: Range): void {
    if (this.#isWanted(denom)) this.add(bytes.toString('latin1', ...address), denom, digitsIn(bytes, amount));
  }

  #isWanted(denom: string): boolean {
    return this.#denom === undefined || this.#denom === denom;
  }
}

/** Gives the digits of a range without leading zeros. */
function digitsIn(bytes: Buffer, range: Range): string {
  return bytes.toString('latin1', ...range).replace(/^0+(?=\d)/, '');
}

/** Compares decimal digits without leading zeros. */
function isLess(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}
