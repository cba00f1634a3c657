import { BankReader } from '../modules/bank.ts';
import type { FoundStake, StakingSink } from '../modules/staking.ts';
import { scalarText } from '../scan/jsonValue.ts';
import { FileChangedError } from '../serviceErrors.ts';
import {
  defaultHeap,
  engineFor,
  type FileStamp,
  isSameStamp,
  maxTables,
  openFile,
  readAgain,
  scanFile,
} from '../stateFile.ts';
import { type BalanceSink, bodyOf, type Range } from './balances.ts';
import type { AccountAmount, HeldCoin, ListRange, WhichHolders } from './split.ts';
import { toVestingJson } from './vesting.ts';

/** A search in the list of balances. */
interface ListTask {
  readonly path: string;
  /** The stamp of the file that was read. */
  readonly stamp: FileStamp;
  readonly list: ListRange;
  /** The memory of the thread, as in `ServiceOptions`. */
  readonly maxHeap?: number | undefined;
}

/** A search for the accounts that hold most of a denom. */
export interface HoldersTask extends ListTask {
  readonly denom: string;
  readonly which: WhichHolders;
}

/** A search for all coins of one account. */
export interface BalancesTask extends ListTask {
  /** `bodyOf` the address of the account. */
  readonly holder: string;
}

/**
 * Finds the largest holders in descending order, or the one account. Rejects with `FileChangedError` if the file is
 * no longer the one that was read.
 */
export async function findLargestHolders(task: HoldersTask): Promise<readonly AccountAmount[]> {
  const { denom, which } = task;
  const sink = 'body' in which ? new OneHolder(denom, which.body) : new HolderRanking(denom, which.most);
  await readBalances(task, sink);
  return sink.found;
}

/** Finds all coins of one account, in the order of the file. Rejects like `findLargestHolders`. */
export async function findBalances(task: BalancesTask): Promise<readonly HeldCoin[]> {
  const sink = new AllCoins(task.holder);
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

/** A search for the stake of one account. */
export interface StakeTask {
  readonly path: string;
  /** The stamp of the file that was read. */
  readonly stamp: FileStamp;
  /** `bodyOf` the address of the account. */
  readonly staker: string;
  /** The time of the vesting in milliseconds since 1970; that of the state if absent. */
  readonly at?: number | undefined;
  /** The memory of the thread, as in `ServiceOptions`. */
  readonly maxHeap?: number | undefined;
}

/** Finds the stake of an account, and how its coins vest. Reads the whole file, because an index of delegations would be too large to keep. */
export async function findStake({ path, stamp, staker, at, maxHeap = defaultHeap }: StakeTask): Promise<FoundStake> {
  const delegations: (readonly [string, string])[] = [];
  const unbonding: (readonly [time: string, amount: string])[] = [];
  const staking: StakingSink = {
    delegation: (delegator, validator, shares) => {
      if (bodyOf(delegator) === staker) delegations.push([validator, shares]);
    },
    delegationRange: (bytes, address, validator, range) => {
      if (bodyOf(bytes.toString('latin1', ...address)) !== staker) return;
      delegations.push([validator, bytes.toString('latin1', ...range)]);
    },
    unbonding: ({ delegator_address: delegator }, { balance, completion_time: time }) => {
      if (bodyOf(scalarText(delegator)) === staker) unbonding.push([scalarText(time), scalarText(balance)]);
    },
  };
  const events = { onFault: (): void => undefined, staking };
  const { stamp: now, reader } = await scanFile(path, events, { maxTables: maxTables(maxHeap) });
  if (!isSameStamp(now, stamp)) throw new FileChangedError(path);
  const [vesting, time] = [reader.vestingOf(staker), at ?? reader.modules.clock?.time];
  const facts = vesting && toVestingJson(vesting, time === undefined ? undefined : new Date(time));
  return { delegations, unbonding, vesting: facts };
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

  addRange(bytes: Buffer, address: Range, denom: string, [start, end]: Range): void {
    const smallest = this.#least;
    if (denom !== this.#denom || end - start < smallest.length) return;
    const amount = bytes.toString('latin1', start, end).replace(/^0+(?=\d)/, '');
    if (isLess(smallest, amount)) this.add(bytes.toString('latin1', ...address), denom, amount);
  }
}

class OneHolder implements BalanceSink {
  readonly found: AccountAmount[] = [];
  readonly #denom: string;
  readonly #body: string;

  constructor(denom: string, body: string) {
    this.#denom = denom;
    this.#body = body;
  }

  add(address: string, denom: string, amount: string): void {
    if (denom === this.#denom && bodyOf(address) === this.#body) this.found.push({ address, amount });
  }

  addRange(bytes: Buffer, address: Range, denom: string, [start, end]: Range): void {
    if (denom !== this.#denom) return;
    const amount = bytes.toString('latin1', start, end).replace(/^0+(?=\d)/, '');
    this.add(bytes.toString('latin1', ...address), denom, amount);
  }
}

class AllCoins implements BalanceSink {
  readonly found: HeldCoin[] = [];
  readonly #body: string;

  constructor(body: string) {
    this.#body = body;
  }

  add(address: string, denom: string, amount: string): void {
    if (bodyOf(address) === this.#body) this.found.push({ address, denom, amount });
  }

  addRange(bytes: Buffer, address: Range, denom: string, [start, end]: Range): void {
    if (bodyOf(bytes.toString('latin1', ...address)) !== this.#body) return;
    const amount = bytes.toString('latin1', start, end).replace(/^0+(?=\d)/, '');
    this.add(bytes.toString('latin1', ...address), denom, amount);
  }
}

/** Compares decimal digits without leading zeros. */
function isLess(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}
