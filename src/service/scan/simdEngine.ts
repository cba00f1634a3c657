import { readFileSync } from 'node:fs';
import {
  type BalanceSink,
  type BalanceSummer,
  bodyOf,
  CoinSum,
  type Held,
  type LeftCoins,
} from '../holders/balances.ts';
import type { DelegationReader } from '../modules/staking.ts';
import type { ScanEngine } from './scanEngine.ts';
import { accountFields, codes, places, records } from './simdLayout.ts';
import { type AccountListener, deepestAccount, type Skipper } from './skipper.ts';

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

/**
 * The exports of `src/service/wasm/plainRows.ts`. Positions count bytes of its memory, whose layout is in
 * `simdLayout.ts`.
 */
export interface SimdModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  begin(isString: boolean, isList: boolean): void;
  skip(from: number, end: number, limit: number): number;
  skipAccounts(from: number, end: number, limit: number, picks: boolean): number;
  countOfAccounts(): number;
  countOfPicked(): number;
  sumBalances(from: number, keeps: boolean): number;
  clear(): void;
  /** Leaves balances of the body at `places.body`, whose UTF-8 has `length` bytes. */
  leaveBalances(length: number, rank: number): void;
  leaveDelegations(length: number): void;
  leaveUnmarked(): void;
  readDelegations(from: number): number;
  sumRewards(from: number): number;
  countOfPlain(): number;
  countOfRows(): number;
  countOfCoins(): number;
  countOfNames(): number;
}

let compiled: WebAssembly.Module | undefined;

/** Starts the module over a memory of its own; undefined if it cannot run. */
export function openSimd(): SimdModule | undefined {
  try {
    // `simd.wasm` beside this bundle, which has no `import.meta.url`, or in the folder of the build.
    const file = import.meta.url ? new URL('../../../dist/simd.wasm', import.meta.url) : `${__dirname}/simd.wasm`;
    compiled ??= new WebAssembly.Module(readFileSync(file));
    return new WebAssembly.Instance(compiled).exports;
  } catch {
    return undefined;
  }
}

/** Makes the engine in WebAssembly. Use one at a time with a module. */
export function simdEngine(module: SimdModule): ScanEngine {
  const rows = new SimdRows(module);
  return {
    skipper: new SimdSkipper(module),
    balances: new SimdSummer(module, rows),
    delegations: new SimdDelegations(module, rows),
  };
}

const largestChunk = 512 * 1024;
/** The bytes after a chunk that are read with it and must be 0. */
const margin = 64;

class SimdSkipper implements Skipper {
  readonly #module: SimdModule;
  count = 0;

  constructor(module: SimdModule) {
    this.#module = module;
  }

  buffers(length: number): readonly [Buffer, Buffer] {
    const { memory } = this.#module;
    const size = Math.min(length, largestChunk);
    const at = (index: number): Buffer =>
      Buffer.from(memory.buffer, places.input + index * (largestChunk + margin), size);
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

  /**
   * Hands over accounts that were read. Gives the end of the account before the first one that `use` refuses, or 0, and
   * the number of accounts before it.
   */
  #handOver(bytes: Buffer, use: AccountListener): { readonly end: number; readonly count: number } | undefined {
    const { account, field } = records;
    const { byteOffset } = bytes;
    const picked = new DataView(this.#module.memory.buffer, places.rows, this.#module.countOfPicked() * account.size);
    const numberAt = (at: number): number => picked.getUint32(at, true);
    for (let at = 0; at < picked.byteLength; at += account.size) {
      const fields: Record<string, unknown> = {};
      for (const [index, name] of accountFields.entries()) {
        const member = at + account.fields + index * field.size;
        const end = numberAt(member + field.end) - byteOffset;
        if (end > 0)
          fields[name] = parsePlain(bytes.toString('latin1', numberAt(member + field.start) - byteOffset, end));
      }
      if (!use(fields)) return { end: numberAt(at + account.endBefore), count: numberAt(at + account.countBefore) };
    }
    return undefined;
  }
}

const noItems: readonly unknown[] = [];

/** Parses JSON of ASCII whose texts have no escapes. */
function parsePlain(json: string): unknown {
  if (json === '[]') return noItems;
  return json.startsWith('"') ? json.slice(1, -1) : JSON.parse(json);
}

const sumLimit = 10n ** BigInt(codes.sumBase);

/** The rows that were read last: coins or delegations, with their denoms or validators. */
class SimdRows {
  readonly #module: SimdModule;
  readonly #body: Buffer;
  /** Names by their number, as far as they were needed. */
  readonly #names: string[] = [];

  constructor(module: SimdModule) {
    this.#module = module;
    this.#body = Buffer.from(module.memory.buffer, places.body, 3 * codes.longestBody);
    module.clear();
  }

  clear(): void {
    this.#module.clear();
    this.#names.length = 0;
  }

  /** Writes the body for the module and gives its length in bytes; undefined if its addresses cannot be told apart. */
  place(body: string): number | undefined {
    if (body.length < codes.markLength || body.length > codes.longestBody) return undefined;
    return this.#body.write(body);
  }

  /** Hands over the rows. `left` receives the coins that were not summed. */
  handOver(bytes: Buffer, count: number, add?: BalanceSink['addRange'], left?: LeftCoins): void {
    const { row } = records;
    const base = bytes.byteOffset;
    const numbers = new Uint32Array(this.#module.memory.buffer, places.rows, count * (row.size / 4));
    const numberAt = (at: number): number => numbers[at / 4] ?? 0;
    for (let at = 0; at < numbers.byteLength; at += row.size) {
      const name = numberAt(at + row.name);
      const [start, end] = [numberAt(at + row.address) - base, numberAt(at + row.addressEnd) - base];
      const [value, valueEnd] = [numberAt(at + row.value) - base, numberAt(at + row.valueEnd) - base];
      add?.(bytes, [start, end], this.nameOf(name & ~codes.leftBit), [value, valueEnd]);
      if (name < codes.leftBit) continue;
      const account = numberAt(at + row.account);
      const body = account > 0 ? this.nameOf(account - 1) : bodyOf(bytes.toString('latin1', start, end));
      left?.(body, this.nameOf(name - codes.leftBit), BigInt(bytes.toString('latin1', value, valueEnd)));
    }
  }

  nameOf(number: number): string {
    const known = this.#names[number];
    if (known !== undefined) return known;
    const { buffer } = this.#module.memory;
    const { size, text, textEnd } = records.name;
    const record = new DataView(buffer, places.names + number * size, size);
    const [start, end] = [record.getUint32(text, true), record.getUint32(textEnd, true)];
    const name = Buffer.from(buffer, start, end - start).toString('latin1');
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
    for (const { account, denom, digits } of this.#sumsOf()) {
      if (account !== codes.rewardsAccount) continue;
      found.set(denom, fromDigits(digits));
      digits.fill(0n);
    }
    return found;
  }

  totals(left: LeftCoins): Map<string, Held> {
    for (const { account, denom, digits, holders } of this.#sumsOf())
      if (account === 0) this.#sums.addHeld(denom, { amount: fromDigits(digits), holders });
      else if (account !== codes.rewardsAccount) left(this.#rows.nameOf(account - 1), denom, fromDigits(digits));
    this.#rows.clear();
    return this.#sums.totals();
  }

  /** Gives the sums: for each denom with account 0, or for an account and a denom. */
  *#sumsOf(): Generator<{ account: number; denom: string; digits: BigUint64Array; holders: number }> {
    const { buffer } = this.#module.memory;
    const { name } = records;
    const numbers = new Uint32Array(buffer, places.names, this.#module.countOfNames() * (name.size / 4));
    const numberAt = (at: number): number => numbers[at / 4] ?? 0;
    for (let at = 0; at < numbers.byteLength; at += name.size) {
      const holders = numberAt(at + name.holders);
      const account = numberAt(at + name.pairAccount);
      if (account === 0 && holders === 0) continue;
      const number = account === 0 ? at / name.size : numberAt(at + name.pairDenom) - 1;
      const digits = new BigUint64Array(buffer, places.names + at + name.sum, codes.sumDigits);
      yield { account, denom: this.#rows.nameOf(number), digits, holders };
    }
  }
}

function fromDigits(digits: BigUint64Array): bigint {
  return digits.reduceRight((sum, digit) => sum * sumLimit + digit, 0n);
}
