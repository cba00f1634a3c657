import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openSimd, simdEngine } from '../../../src/service/scan/simdEngine.ts';
import { StateReader } from '../../../src/service/state.ts';
import { encodeAddress } from '../../../src/service/stateAddresses.ts';
import { buffersOf } from '../../../src/service/table.ts';

// States that have much of one thing, and the memory that they keep once they are read. This file is also the thread
// that measures it.

type Rows = readonly object[];

/** Makes a list of `count` rows. */
export const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const address = (at: number) => {
  const bytes = Buffer.alloc(20, 1);
  bytes.writeUInt32BE((at * 0x9e3779b1) >>> 0);
  return encodeAddress('a', bytes);
};
export const coins = (count: number) => many(count, (at) => ({ denom: `u${at}`, amount: '5' }));
export const vestingOf = (at: number, size: number, more: object) => ({
  '@type': '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
  base_vesting_account: {
    base_account: { address: address(at) },
    original_vesting: coins(size),
    end_time: '9999999999',
  },
  ...more,
});
const auth = (accounts: Rows) => ({
  accounts: [{ '@type': '/cosmos.auth.v1beta1.BaseAccount', address: 'a' }, ...accounts],
});
const shapes: Readonly<Record<string, (size: number) => object>> = {
  'denoms of an account of a module': (size) => ({
    auth: auth([{ '@type': 'a.ModuleAccount', base_account: { address: address(1) }, name: 'gov' }]),
    bank: { supply: coins(size), balances: [{ address: address(1), coins: coins(size) }] },
  }),
  channels: (size) => ({
    ibc: {
      channel_genesis: { channels: many(size, (at) => ({ port_id: 'transfer', channel_id: `channel-${at}` })) },
    },
  }),
  'periods and denoms of a vesting account': (size) => ({
    auth: auth([vestingOf(1, size, { vesting_periods: coins(size).map((coin) => ({ length: '1', amount: [coin] })) })]),
    bank: { balances: [{ address: address(1), coins: coins(size) }] },
  }),
  'vesting accounts with their balances': (size) => ({
    auth: auth(many(size, (at) => vestingOf(at, 1, {}))),
    bank: { balances: many(size, (at) => ({ address: address(at), coins: coins(1) })) },
  }),
  'accounts after their balances': (size) => ({
    bank: { balances: many(size, (at) => ({ address: address(at), coins: [{ denom: `u${at}`, amount: '5' }] })) },
    wasm: { contracts: many(size, (at) => ({ contract_address: address(at) })) },
  }),
};

/** The names of the states. */
export const growingNames: readonly string[] = Object.keys(shapes);

/** The state `name` as JSON, with `size` rows. */
export function growingState(name: string, size: number): Buffer {
  return Buffer.from(JSON.stringify({ app_state: shapes[name]?.(size) }));
}

const simd = openSimd();

/** Reads a state to its end, without a thread. */
export function readWhole(bytes: Buffer): StateReader {
  if (simd === undefined) throw new Error('dist/simd.wasm is missing');
  const reader = new StateReader({ onFault: () => undefined }, simdEngine(simd));
  reader.scanner.write(bytes);
  reader.end();
  reader.endSplit();
  return reader;
}

/**
 * Resolves with the bytes that stay in memory of the state `name`, for each size. They are measured in a thread, whose
 * memory holds nothing of other tests.
 */
export function bytesKept(name: string, sizes: readonly number[]): Promise<readonly number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
  const thread = new Worker(new URL(import.meta.url), { workerData: { name, sizes } });
  thread.once('message', resolve).once('error', reject);
  return promise;
}

if (!isMainThread) {
  const { name, sizes } = workerData;
  parentPort?.postMessage(
    sizes.map((size: number) => {
      const bytes = growingState(name, size);
      return kept(() => readWhole(bytes));
    }),
  );
}

/** Bytes of the objects and tables that stay in memory with what `read` gives: the median of a few rounds after the first. */
function kept(read: () => StateReader): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const used = () => {
    // Objects that the first collection sets free may hold more.
    for (let turn = 0; turn < 2; turn++) if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed;
  };
  const rounds = many(6, () => {
    const before = used();
    const reader = read();
    const objects = used() - before;
    return buffersOf(reader.modules).reduce((sum, { byteLength }) => sum + byteLength, objects);
  });
  return rounds.slice(1).sort((a, b) => a - b)[2] ?? Number.NaN;
}
