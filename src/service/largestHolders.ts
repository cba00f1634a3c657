import { type BalanceSink, bodyOf, type Range } from './balances.ts';
import { BankReader } from './bank.ts';
import { FileChangedError } from './serviceErrors.ts';
import type { Holder, ListRange } from './split.ts';
import { engineFor, type FileStamp, isSame, openFile, readAgain } from './stateFile.ts';

/** Looks for the accounts that hold most of a denom. */
export interface HoldersTask {
  readonly path: string;
  /** Of the file that was read. */
  readonly stamp: FileStamp;
  readonly list: ListRange;
  readonly denom: string;
  /** This account alone, by `bodyOf` its address; the ten largest where absent. */
  readonly body?: string | undefined;
  /** Of the thread, as in `ServiceOptions`. */
  readonly maxHeap?: number | undefined;
}

const maxHolders = 10;

/** The ten largest holders, the largest first, or the one account that is looked for. Rejects with `FileChangedError` where the file is no longer the one that was read. */
export async function findLargestHolders({ path, stamp, list, denom, body }: HoldersTask): Promise<readonly Holder[]> {
  const { file, stamp: now } = await openFile(path);
  try {
    if (!isSame(now, stamp)) throw new FileChangedError(path);
    const engine = engineFor(path, stamp.size);
    const sink = body === undefined ? new LargestHolders(denom) : new OneHolder(denom, body);
    const visitor = new BankReader(engine, { sink }).listOf(list.kind);
    await readAgain(file, engine, { list, visitor }, undefined);
    return sink.found;
  } finally {
    await file.close();
  }
}

class LargestHolders implements BalanceSink {
  readonly found: Holder[] = [];
  readonly #denom: string;

  constructor(denom: string) {
    this.#denom = denom;
  }

  add(address: string, denom: string, amount: string): void {
    if (denom !== this.#denom || amount === '0') return;
    const place = this.found.findIndex((holder) => isLess(holder.amount, amount));
    this.found.splice(place < 0 ? this.found.length : place, 0, { address, amount });
    this.found.length = Math.min(this.found.length, maxHolders);
  }

  addRange(bytes: Buffer, address: Range, denom: string, [start, end]: Range): void {
    const smallest = this.found[maxHolders - 1]?.amount ?? '';
    if (denom !== this.#denom || end - start < smallest.length) return;
    const amount = bytes.toString('latin1', start, end).replace(/^0+(?=\d)/, '');
    if (isLess(smallest, amount)) this.add(bytes.toString('latin1', ...address), denom, amount);
  }
}

class OneHolder implements BalanceSink {
  readonly found: Holder[] = [];
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

/** Decimal digits without zeros before them. */
function isLess(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}
