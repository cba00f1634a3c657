import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { DenomTrace } from '../chain/coin.ts';
import { channelsOf, readTrace } from './trace.ts';

// The file `ibcTraces.bin` has a head and an index of `ibc/` denoms, but no hashes. The head lists channels and denoms.
// All traces can be generated from it in a fixed order, which is cut into blocks. The index lists blocks by the first
// bits of a hash. A search hashes the traces of the listed blocks, so that an answer is proved. The head generates more
// traces than a small index can list. These are tried one after the other if the index has no match.

const text = z.string();
const count = z.int().check(z.nonnegative());

const headSchema = z.object({
  /** `channels` alternates between the number of a channel on this chain and the place of the chain behind it. */
  chains: z.array(
    z.object({ id: text, name: text, channels: z.array(count), bases: z.array(text), paths: z.array(text) }),
  ),
  /** Denoms with short names are also tried behind every channel below this number. */
  numbered: count,
});

export type IbcHead = z.infer<typeof headSchema>;
export type IbcChain = IbcHead['chains'][number];

export const ibcTableFile = 'ibcTraces.bin';

/** Each prefix is combined with each rest. */
interface TraceGroup {
  readonly prefixes: readonly string[];
  readonly rests: readonly string[];
}

/** The most traces of a chain's asset list that are also indexed one channel further. */
const onward = 60;

/** Denoms of new chains: that of the SDK's `init`, and that of Ignite's template beside it. */
const commonBases = ['stake', 'token'];

/**
 * Whether a denom is one that people write by hand. Those of factories, contracts and other networks are longer, or
 * have other characters.
 */
export const isShort = (base: string): boolean => /^[a-zA-Z][a-zA-Z\d-]{2,30}$/.test(base);

/** Traces in a fixed order. */
class TraceOrder {
  readonly #groups: readonly TraceGroup[];
  readonly size: number;

  constructor(groups: readonly TraceGroup[]) {
    this.#groups = groups;
    this.size = groups.reduce((sum, { prefixes, rests }) => sum + prefixes.length * rests.length, 0);
  }

  /** The traces from place `start` up to `end`. */
  *between(start: number, end: number): Generator<string> {
    let before = 0;
    for (const { prefixes, rests } of this.#groups) {
      const size = prefixes.length * rests.length;
      for (let at = Math.max(start - before, 0); at < Math.min(end - before, size); at += 1)
        yield `${prefixes[Math.floor(at / rests.length)]}${rests[at % rests.length]}`;
      before += size;
    }
  }
}

/** The traces in the index: those of asset lists, and those one listed channel further. */
function indexedTraces({ chains }: IbcHead): TraceOrder {
  const into = channelsInto(chains);
  return new TraceOrder([
    { prefixes: [''], rests: [...new Set(chains.flatMap(({ paths }) => paths))] },
    ...chains.map(({ bases, paths }, at) => ({
      prefixes: into[at] ?? [],
      rests: [...bases, ...paths.slice(0, onward)],
    })),
  ]);
}

/**
 * The traces that are tried afterwards: short denoms over two listed channels, or over a channel that is not listed.
 */
function triedTraces({ chains, numbered }: IbcHead): TraceOrder {
  const into = channelsInto(chains);
  const shorts = chains.map(({ bases }) => bases.filter(isShort));
  return new TraceOrder([
    ...chains.map(({ channels }, at) => ({
      prefixes: into[at] ?? [],
      rests: hopsOf(channels).flatMap(([number, chain]) =>
        (shorts[chain] ?? []).map((base) => prefixOf(number) + base),
      ),
    })),
    {
      prefixes: Array.from({ length: numbered }, (_, number) => prefixOf(number)),
      rests: [...new Set([...commonBases, ...shorts.flat()])],
    },
  ]);
}

/** Splits `channels` of a chain into pairs: the number of a channel, and the place of the chain behind it. */
const hopsOf = (channels: readonly number[]): readonly (readonly [number: number, chain: number])[] =>
  Array.from({ length: channels.length / 2 }, (_, at) => [channels[2 * at] ?? 0, channels[2 * at + 1] ?? -1]);

/** For each chain, the prefixes of channels that lead to it. */
function channelsInto(chains: readonly IbcChain[]): readonly (readonly string[])[] {
  const into = chains.map(() => new Set<string>());
  for (const { channels } of chains) for (const [number, chain] of hopsOf(channels)) into[chain]?.add(prefixOf(number));
  return into.map((prefixes) => [...prefixes]);
}

/** The size of a block. There are at most 256 blocks, so that one byte names a block. */
const blockSizeOf = ({ size }: TraceOrder): number => Math.max(1, Math.ceil(size / 256));

const prefixOf = (channel: number): string => `transfer/channel-${channel}/`;

/** A chain on which a trace can stand, and the chain where its coins were made. */
export interface TraceEnds {
  readonly on: IbcChain;
  readonly origin: IbcChain;
}

/** The number of traces that are tried in one turn of the event loop, which takes about a millisecond. */
const triesOfTurn = 1000;

/** The number of hashes whose failed or aborted searches are remembered. */
const maxVain = 1000;

/** Finds the traces of `ibc/` denoms without any request. */
export class IbcTable {
  readonly #head: IbcHead;
  readonly #indexed: TraceOrder;
  /** For each bucket, the place in `#blocks` where its blocks begin. */
  readonly #starts: Uint32Array;
  readonly #blocks: Uint8Array;
  /** For each chain, the chains behind its channels by number. */
  readonly #channels: readonly ReadonlyMap<number, number>[];
  #tried: TraceOrder | undefined;
  /** By hash, the number of traces that were tried without success. */
  readonly #vain = new Map<string, number>();

  constructor(head: IbcHead, counts: Uint8Array, blocks: Uint8Array) {
    this.#head = head;
    this.#indexed = indexedTraces(head);
    this.#starts = new Uint32Array(buckets + 1);
    for (let at = 0; at < buckets; at += 1) this.#starts[at + 1] = (this.#starts[at] ?? 0) + (counts[at] ?? 0);
    this.#blocks = blocks;
    this.#channels = head.chains.map(({ channels }) => new Map(hopsOf(channels)));
  }

  /**
   * Finds the trace of a hash in 64 hexadecimal digits. Undefined if the table does not have it, or if the signal
   * aborted the search. The result is proved by hashing. A hash outside the index is compared with hundreds of
   * thousands of traces, in turns of a millisecond.
   */
  async find(digits: string, signal?: AbortSignal): Promise<DenomTrace | undefined> {
    const wanted = digits.toLowerCase();
    if (!/^[\da-f]{64}$/.test(wanted)) return undefined;
    const bucket = bucketOf(wanted);
    const blockSize = blockSizeOf(this.#indexed);
    for (const block of new Set(this.#blocks.subarray(this.#starts[bucket], this.#starts[bucket + 1]))) {
      const found = firstOf(this.#indexed.between(block * blockSize, (block + 1) * blockSize), wanted);
      if (found) return found;
    }
    this.#tried ??= triedTraces(this.#head);
    return this.#try(this.#tried, wanted, signal);
  }

  /** Continues from where an earlier search for the hash was aborted. */
  async #try(traces: TraceOrder, wanted: string, signal: AbortSignal | undefined): Promise<DenomTrace | undefined> {
    let at = this.#vain.get(wanted) ?? 0;
    for (; at < traces.size && !signal?.aborted; at += triesOfTurn) {
      const found = firstOf(traces.between(at, at + triesOfTurn), wanted);
      if (found) return found;
      await setImmediate();
    }
    this.#vain.set(wanted, at);
    const [oldest] = this.#vain.keys();
    if (this.#vain.size > maxVain && oldest !== undefined) this.#vain.delete(oldest);
    return undefined;
  }

  /** The chains on which a trace can stand, by the channels in the registry. `on` limits them to one chain id. */
  chainsOf(trace: DenomTrace, on?: string): readonly TraceEnds[] {
    const numbers = channelsOf(trace);
    if (!numbers) return [];
    const { chains } = this.#head;
    const found = chains.flatMap((chain, start) => {
      if (on !== undefined && chain.id !== on) return [];
      let at: number | undefined = start;
      for (const number of numbers) at = at === undefined ? undefined : this.#channels[at]?.get(number);
      const origin = at === undefined ? undefined : chains[at];
      return origin ? [{ on: chain, origin }] : [];
    });
    // Many chains have a channel of the same number. The ones meant are those whose counterparty has the denom.
    const having = found.filter(({ origin }) => origin.bases.includes(trace.base));
    if (having.length > 0) return having;
    return on === undefined ? [] : found;
  }
}

/** The first of some traces whose hash is the wanted one. */
function firstOf(traces: Iterable<string>, wanted: string): DenomTrace | undefined {
  for (const trace of traces) if (hash('sha256', trace, 'hex') === wanted) return readTrace(trace);
  return undefined;
}

/** The number of values of the first twelve bits of a hash. */
const buckets = 4096;

const bucketOf = (digits: string): number => Number.parseInt(digits.slice(0, 3), 16);

/**
 * Writes the table of a head: the length of the head, the head, the number of blocks of each bucket, and the blocks.
 */
export function encodeIbcTable(head: IbcHead): Uint8Array {
  const order = indexedTraces(head);
  const blockSize = blockSizeOf(order);
  const found = new Map<string, number>();
  let place = 0;
  for (const trace of order.between(0, order.size)) {
    const digits = hash('sha256', trace, 'hex');
    if (!found.has(digits)) found.set(digits, Math.floor(place / blockSize));
    place += 1;
  }
  const entries = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const counts = new Uint8Array(buckets);
  for (const [digits] of entries) {
    const next = (counts[bucketOf(digits)] ?? 0) + 1;
    if (next > 255) throw new Error('The table of IBC denoms has become too large for its format');
    counts[bucketOf(digits)] = next;
  }
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, counts, Uint8Array.from(entries, ([, block]) => block)]);
}

/** Reads the table that the build wrote into `dir`. Rejects if it is missing or damaged. */
export async function loadIbcTable(dir: string): Promise<IbcTable> {
  const path = join(dir, ibcTableFile);
  const bytes = await readFile(path);
  const end = 4 + (bytes.length < 4 ? 0 : bytes.readUInt32LE());
  try {
    const head = z.parse(headSchema, JSON.parse(bytes.toString('utf8', 4, end)));
    return new IbcTable(head, bytes.subarray(end, end + buckets), bytes.subarray(end + buckets));
  } catch (cause) {
    throw new Error(`The table of IBC denoms is corrupted: ${path}. Reinstall the extension.`, { cause });
  }
}
