import { readFileSync } from 'node:fs';
import {
  type BalanceSink,
  type BalanceSummer,
  bodyOf,
  CoinSum,
  type Held,
  type LeftCoins,
  markLength,
} from './balances.ts';
import type { ScanEngine } from './bank.ts';
import type { Fields } from './jsonValue.ts';
import { type AccountListener, deepestAccount, type Skipper } from './skipper.ts';
import type { DelegationReader } from './staking.ts';

declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Instance {
      constructor(module: Module);
      readonly exports: SimdModule;
    }
  }
}

/** What `src/service/wasm/plainRows.ts` exports. Positions are those of bytes in its memory. */
export interface SimdModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly input: { readonly value: number };
  begin(isString: boolean, isList: boolean): void;
  skip(from: number, end: number, limit: number): number;
  skipAccounts(from: number, end: number, limit: number, picks: boolean): number;
  countOfAccounts(): number;
  countOfPicked(): number;
  sumBalances(from: number, keeps: boolean): number;
  clear(): void;
  /** Of the body whose UTF-8, so many bytes, is at `body`. */
  leaveBalances(length: number, rank: number): void;
  leaveDelegations(length: number): void;
  leaveUnmarked(): void;
  readDelegations(from: number): number;
  sumRewards(from: number): number;
  countOfPlain(): number;
  countOfRows(): number;
  countOfCoins(): number;
  countOfNames(): number;
  readonly body: { readonly value: number };
  readonly coins: { readonly value: number };
  readonly names: { readonly value: number };
}

let compiled: WebAssembly.Module | undefined;

/** The module over a memory of its own; undefined where it cannot run. */
export function openSimd(): SimdModule | undefined {
  try {
    // `simd.wasm` beside this bundle, which has no `import.meta.url`, or where the build leaves it.
    const file = import.meta.url ? new URL('../../dist/simd.wasm', import.meta.url) : `${__dirname}/simd.wasm`;
    compiled ??= new WebAssembly.Module(readFileSync(file));
    return new WebAssembly.Instance(compiled).exports;
  } catch {
    return undefined;
  }
}

/** The engine in WebAssembly; one at a time over the same module. */
export function simdEngine(module: SimdModule): ScanEngine {
  const rows = new SimdRows(module);
  return {
    skipper: new SimdSkipper(module),
    balances: new SimdSummer(module, rows),
    delegations: new SimdDelegations(module, rows),
  };
}

const largestChunk = 512 * 1024;
/** Bytes behind a chunk that are read with it, and have to be 0. */
const margin = 64;

class SimdSkipper implements Skipper {
  readonly #module: SimdModule;
  count = 0;

  constructor(module: SimdModule) {
    this.#module = module;
  }

  buffers(length: number): readonly [Buffer, Buffer] {
    const { memory, input } = this.#module;
    const size = Math.min(length, largestChunk);
    const at = (index: number): Buffer =>
      Buffer.from(memory.buffer, input.value + index * (largestChunk + margin), size);
    return [at(0), at(1)];
  }

  place(chunk: Buffer): Buffer {
    const { buffer } = this.#module.memory;
    const placed = chunk.buffer === buffer ? chunk : this.#copied(chunk);
    new Uint8Array(buffer, placed.byteOffset + placed.length, margin).fill(0);
    return placed;
  }

  #copied(chunk: Buffer): Buffer {
    const [first] = this.buffers(chunk.length);
    chunk.copy(first);
    return first;
  }

  begin(inside: 'value' | 'text' | 'list'): void {
    this.#module.begin(inside === 'text', inside === 'list');
  }

  skip({ byteOffset, length }: Buffer, from: number, limit: number): number {
    const end = this.#module.skip(byteOffset + from, byteOffset + length, limit);
    return end > 0 ? end - byteOffset : end + byteOffset - 1;
  }

  skipAccounts(bytes: Buffer, from: number, use: AccountListener | undefined): number {
    const { byteOffset, length } = bytes;
    const end = this.#module.skipAccounts(byteOffset + from, byteOffset + length, deepestAccount, use !== undefined);
    this.count = this.#module.countOfAccounts();
    const refused = use === undefined ? undefined : this.#handOver(bytes, use);
    if (refused) this.count = refused.count;
    const done = refused ? refused.end : end;
    return done === 0 ? -1 : done - byteOffset;
  }

  /** Where the account before the first one that is refused ends, or 0, and how many there are before it. */
  #handOver(bytes: Buffer, use: AccountListener): { readonly end: number; readonly count: number } | undefined {
    const { memory, coins } = this.#module;
    const { byteOffset } = bytes;
    const numbers = new Uint32Array(memory.buffer, coins.value, this.#module.countOfPicked() * accountNumbers);
    const read = (at: number, field: number): unknown => {
      const [start, end] = [numbers[at + field * fieldNumbers] ?? 0, numbers[at + field * fieldNumbers + 1] ?? 0];
      return end === 0 ? undefined : parsePlain(bytes.toString('latin1', start - byteOffset, end - byteOffset));
    };
    for (let at = 0; at < numbers.length; at += accountNumbers) {
      // The module tells the fields apart in this order.
      const fields: Fields = {
        '@type': read(at, 0),
        address: read(at, 1),
        name: read(at, 2),
        original_vesting: read(at, 3),
        delegated_vesting: read(at, 4),
        start_time: read(at, 5),
        end_time: read(at, 6),
        vesting_periods: read(at, 7),
      };
      const last = at + accountNumbers - 2;
      if (!use(fields)) return { end: numbers[last] ?? 0, count: numbers[last + 1] ?? 0 };
    }
    return undefined;
  }
}

const noItems: readonly unknown[] = [];

/** JSON of ASCII whose texts have no escapes. */
function parsePlain(json: string): unknown {
  if (json === '[]') return noItems;
  return json.startsWith('"') ? json.slice(1, -1) : JSON.parse(json);
}

/** Numbers of a field of an account: where it starts and ends, and its level. */
const fieldNumbers = 3;
/** Behind its fields: where the account before ends, and how many there are before it. */
const accountNumbers = 8 * fieldNumbers + 2;

/** Added to the number of a denom whose coin was not summed. */
const leftBit = 2 ** 31;
/** Numbers of a row: where its address starts and ends, its name, where its amount starts and ends, the name of its account. */
const rowNumbers = 6;
const nameSize = 96;
const limbsAt = 16;
const holdersAt = 80;
/** The numbers of a pair, from 1 on: of an account, or `rewards`, and of a denom. */
const pairAt = 88;
const rewards = 0xffffff;
const limbCount = 8;
const limb = 10n ** 18n;
/** Bytes that a body may have. */
const longestBody = 1024;

/** Rows that were read last: coins or delegations, with their denoms or validators. */
class SimdRows {
  readonly #module: SimdModule;
  readonly #body: Buffer;
  /** Names that were asked for, by their number. */
  readonly #names: string[] = [];

  constructor(module: SimdModule) {
    this.#module = module;
    this.#body = Buffer.from(module.memory.buffer, module.body.value, longestBody);
    module.clear();
  }

  clear(): void {
    this.#module.clear();
    this.#names.length = 0;
  }

  /** How many bytes the body has where the module finds it; undefined where its addresses cannot be told. */
  place(body: string): number | undefined {
    if (body.length < markLength || 3 * body.length > longestBody) return undefined;
    return this.#body.write(body);
  }

  /** `left` hears of the coins that were not summed. */
  handOver(bytes: Buffer, count: number, add?: BalanceSink['addRange'], left?: LeftCoins): void {
    const { memory, coins } = this.#module;
    const base = bytes.byteOffset;
    const numbers = new Uint32Array(memory.buffer, coins.value, count * rowNumbers);
    const offset = (at: number): number => (numbers[at] ?? 0) - base;
    for (let at = 0; at < numbers.length; at += rowNumbers) {
      const name = numbers[at + 2] ?? 0;
      const [start, end] = [offset(at + 3), offset(at + 4)];
      add?.(bytes, [offset(at), offset(at + 1)], this.nameOf(name & ~leftBit), [start, end]);
      if (name < leftBit) continue;
      const account = numbers[at + 5] ?? 0;
      const body =
        account > 0 ? this.nameOf(account - 1) : bodyOf(bytes.toString('latin1', offset(at), offset(at + 1)));
      left?.(body, this.nameOf(name - leftBit), BigInt(bytes.toString('latin1', start, end)));
    }
  }

  nameOf(number: number): string {
    const { memory, names } = this.#module;
    const known = this.#names[number];
    if (known !== undefined) return known;
    const [start = 0, end = 0] = new Uint32Array(memory.buffer, names.value + number * nameSize + 4, 2);
    const name = Buffer.from(memory.buffer, start, end - start).toString('latin1');
    this.#names[number] = name;
    return name;
  }
}

class SimdDelegations implements DelegationReader {
  readonly #module: SimdModule;
  readonly #rows: SimdRows;
  count = 0;

  constructor(module: SimdModule, rows: SimdRows) {
    this.#module = module;
    this.#rows = rows;
  }

  leave(body: string): boolean {
    const length = this.#rows.place(body);
    if (length !== undefined) this.#module.leaveDelegations(length);
    return length !== undefined;
  }

  read(bytes: Buffer, start: number, add: BalanceSink['addRange'] | undefined): number {
    const end = this.#module.readDelegations(bytes.byteOffset + start);
    this.count = this.#module.countOfPlain();
    if (add) this.#rows.handOver(bytes, this.count, add);
    return end === 0 ? -1 : end - bytes.byteOffset;
  }
}

class SimdSummer implements BalanceSummer {
  readonly #module: SimdModule;
  readonly #rows: SimdRows;
  readonly #sums = new CoinSum();
  count = 0;

  constructor(module: SimdModule, rows: SimdRows) {
    this.#module = module;
    this.#rows = rows;
  }

  read(bytes: Buffer, start: number, left: LeftCoins, sink: BalanceSink | undefined): number {
    const module = this.#module;
    const end = module.sumBalances(bytes.byteOffset + start, sink !== undefined);
    this.count = module.countOfRows();
    this.#rows.handOver(bytes, module.countOfCoins(), sink?.addRange.bind(sink), left);
    return end === 0 ? -1 : end - bytes.byteOffset;
  }

  leave(body: string, rank: number): void {
    const length = this.#rows.place(body);
    if (length === undefined) this.#module.leaveUnmarked();
    else this.#module.leaveBalances(length, rank);
  }

  add(denom: string, amount: bigint): void {
    this.#sums.add(denom, amount);
  }

  readRewards(bytes: Buffer, start: number): number {
    const end = this.#module.sumRewards(bytes.byteOffset + start);
    this.count = this.#module.countOfPlain();
    return end === 0 ? -1 : end - bytes.byteOffset;
  }

  rewards(): Map<string, bigint> {
    const found = new Map<string, bigint>();
    for (const { account, denom, limbs } of this.#sumsOf()) {
      if (account !== rewards) continue;
      found.set(denom, amountOf(limbs));
      limbs.fill(0n);
    }
    return found;
  }

  totals(left: LeftCoins): Map<string, Held> {
    for (const { account, denom, limbs, holders } of this.#sumsOf())
      if (account === 0) this.#sums.addHeld(denom, { amount: amountOf(limbs), holders });
      else if (account !== rewards) left(this.#rows.nameOf(account - 1), denom, amountOf(limbs));
    this.#rows.clear();
    return this.#sums.totals();
  }

  /** What was summed: for each denom, account 0, or for an account and a denom. */
  *#sumsOf(): Generator<{ account: number; denom: string; limbs: BigUint64Array; holders: number }> {
    const { memory, names } = this.#module;
    const size = nameSize / 4;
    const numbers = new Uint32Array(memory.buffer, names.value, this.#module.countOfNames() * size);
    for (let at = 0; at < numbers.length; at += size) {
      const holders = numbers[at + holdersAt / 4] ?? 0;
      const account = numbers[at + pairAt / 4] ?? 0;
      if (account === 0 && holders === 0) continue;
      const name = account === 0 ? at / size : (numbers[at + pairAt / 4 + 1] ?? 0) - 1;
      const limbs = new BigUint64Array(memory.buffer, names.value + at * 4 + limbsAt, limbCount);
      yield { account, denom: this.#rows.nameOf(name), limbs, holders };
    }
  }
}

function amountOf(limbs: BigUint64Array): bigint {
  return limbs.reduceRight((all, digits) => all * limb + digits, 0n);
}
