import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { channelsOf, readTrace, type Trace } from './trace.ts';

// The table of `ibc/` denoms, `ibcPaths.bin`. It holds no hash: the head names channels and denoms, of which the traces are made in
// an order, and the rest names for the first two bytes of each hash the blocks of that order in which its trace stands. Whoever
// looks up hashes the traces of a block, so that an answer is proved.

const text = z.string();
const count = z.int().check(z.nonnegative());

const headSchema = z.object({
  /** `channels`: number of a channel here, then the place of the chain behind it, and so on. */
  chains: z.array(
    z.object({ id: text, name: text, channels: z.array(count), bases: z.array(text), paths: z.array(text) }),
  ),
  /** Denoms that are tried behind every channel up to `numbered`. */
  tokens: z.array(text),
  numbered: count,
});

export type IbcHead = z.infer<typeof headSchema>;
export type IbcChain = IbcHead['chains'][number];

export const ibcTableFile = 'ibcPaths.bin';

/** Every prefix stands before every rest. */
interface TraceGroup {
  readonly prefixes: readonly string[];
  readonly rests: readonly string[];
}

/** Traces of asset lists that are also tried one channel further on, of each chain. */
const onward = 60;

/** The traces that a head stands for, in their order. */
export class TraceOrder {
  readonly #groups: readonly TraceGroup[];
  readonly size: number;
  /** Traces of a block: there are at most 256 blocks, so that one byte names one. */
  readonly blockSize: number;

  constructor({ chains, tokens, numbered }: IbcHead) {
    const into = chains.map(() => new Set<string>());
    for (const { channels } of chains)
      for (let at = 0; at < channels.length; at += 2) into[channels[at + 1] ?? -1]?.add(prefixOf(channels[at] ?? 0));
    this.#groups = [
      { prefixes: [''], rests: [...new Set(chains.flatMap(({ paths }) => paths))] },
      { prefixes: Array.from({ length: numbered }, (_, number) => prefixOf(number)), rests: tokens },
      ...chains.map(({ bases, paths }, at) => ({
        prefixes: [...(into[at] ?? [])],
        rests: [...bases, ...paths.slice(0, onward)],
      })),
    ];
    this.size = this.#groups.reduce((sum, { prefixes, rests }) => sum + prefixes.length * rests.length, 0);
    this.blockSize = Math.max(1, Math.ceil(this.size / 256));
  }

  /** The traces from one place to another. */
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

const prefixOf = (channel: number): string => `transfer/channel-${channel}/`;

/** Where a coin stands by the registry's channels, and the chain that it came from. */
export interface Standing {
  readonly on: IbcChain;
  readonly origin: IbcChain;
}

/** Names what `ibc/` denoms stand for, without asking anyone. */
export class IbcTable {
  readonly #head: IbcHead;
  readonly #order: TraceOrder;
  /** Where the blocks of each first two bytes begin. */
  readonly #starts: Uint32Array;
  readonly #blocks: Uint8Array;
  /** By chain: number of a channel → the chain behind it. */
  readonly #channels: readonly ReadonlyMap<number, number>[];

  constructor(head: IbcHead, counts: Uint8Array, blocks: Uint8Array) {
    this.#head = head;
    this.#order = new TraceOrder(head);
    this.#starts = new Uint32Array(buckets + 1);
    for (let at = 0; at < buckets; at += 1) this.#starts[at + 1] = (this.#starts[at] ?? 0) + (counts[at] ?? 0);
    this.#blocks = blocks;
    this.#channels = head.chains.map(({ channels }) => {
      const pairs = new Map<number, number>();
      for (let at = 0; at < channels.length; at += 2) pairs.set(channels[at] ?? -1, channels[at + 1] ?? -1);
      return pairs;
    });
  }

  /** The trace whose hash this is, in 64 digits; undefined where the table does not know it. What is given has been hashed again. */
  find(digits: string): Trace | undefined {
    const wanted = digits.toLowerCase();
    if (!/^[\da-f]{64}$/.test(wanted)) return undefined;
    const bucket = Number.parseInt(wanted.slice(0, 4), 16);
    const { blockSize } = this.#order;
    const named = this.#blocks.subarray(this.#starts[bucket], this.#starts[bucket + 1]);
    for (const block of new Set(named))
      for (const trace of this.#order.between(block * blockSize, (block + 1) * blockSize))
        if (hash('sha256', trace, 'hex') === wanted) return readTrace(trace);
    return undefined;
  }

  /** The chains on which this trace can stand, as far as the registry lists its channels; `on` restricts them to one chain id. */
  standings(trace: Trace, on?: string): readonly Standing[] {
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
    // A channel number stands on many chains: those are meant whose other side has the denom.
    const having = found.filter(({ origin }) => origin.bases.includes(trace.base));
    if (having.length > 0) return having;
    return on === undefined ? [] : found;
  }
}

const buckets = 65_536;

/** Writes the table of a head: its length, itself, how many blocks each bucket names, and the blocks. */
export function encodeIbcTable(head: IbcHead): Uint8Array {
  const order = new TraceOrder(head);
  const found = new Map<string, number>();
  let place = 0;
  for (const trace of order.between(0, order.size)) {
    const digits = hash('sha256', trace, 'hex');
    if (!found.has(digits)) found.set(digits, Math.floor(place / order.blockSize));
    place += 1;
  }
  const entries = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const counts = new Uint8Array(buckets);
  for (const [digits] of entries) {
    const bucket = Number.parseInt(digits.slice(0, 4), 16);
    const next = (counts[bucket] ?? 0) + 1;
    if (next > 255) throw new Error('The table of IBC denoms has become too large for its form');
    counts[bucket] = next;
  }
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, counts, Uint8Array.from(entries, ([, block]) => block)]);
}

/** Reads what the build wrote into the folder of the bundle. Throws where it is missing or damaged. */
export async function loadIbcTable(dir: string): Promise<IbcTable> {
  const path = join(dir, ibcTableFile);
  const bytes = await readFile(path);
  const end = 4 + (bytes.length < 4 ? 0 : bytes.readUInt32LE());
  try {
    const head = z.parse(headSchema, JSON.parse(bytes.toString('utf8', 4, end)));
    return new IbcTable(head, bytes.subarray(end, end + buckets), bytes.subarray(end + buckets));
  } catch (cause) {
    throw new Error(`The table of IBC denoms is damaged: ${path}. Install the extension again.`, { cause });
  }
}
