import { InputError, isApiError, isTooLarge, lowestHeight } from '../api/errors.ts';
import type { BlockHeader, ChainNode } from '../api/node.ts';
import { toNanoseconds } from '../api/wireValues.ts';

/** A block by its height, and its time if the node tells it. */
interface ChainBlock {
  readonly height: bigint;
  readonly time: Date | undefined;
}

type TimedBlock = Pick<BlockHeader, 'height' | 'time' | 'nanoseconds'>;

/**
 * A height in the words of a person. `before`: the last block before that time, in nanoseconds since 1970 like the
 * times of blocks. `upgrade`: the last block before a plan was applied.
 */
export type HeightQuery =
  | { readonly kind: 'height'; readonly height: bigint }
  | { readonly kind: 'back'; readonly blocks: bigint }
  | { readonly kind: 'before'; readonly nanoseconds: bigint }
  | { readonly kind: 'upgrade'; readonly name: string };

/**
 * Reads `1234567`, `-1000`, `2026-03-01 14:00` (UTC unless it names a zone), or `before upgrade v15`. Anything else
 * gives undefined.
 */
export function readHeightQuery(text: string): HeightQuery | undefined {
  const typed = text.trim();
  const digits = typed.replace(/[,_ ]/g, '');
  if (/^\d{1,19}$/.test(digits)) return BigInt(digits) > 0n ? { kind: 'height', height: BigInt(digits) } : undefined;
  if (/^[-−]\d{1,19}$/.test(digits)) return { kind: 'back', blocks: BigInt(digits.slice(1)) };
  const [, name] = /^(?:before\s+)?upgrade\s+(\S.*)$/i.exec(typed) ?? [];
  if (name !== undefined) return { kind: 'upgrade', name };
  const [, day, clock = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?(?:\s*(Z|UTC|[+-]\d\d:\d\d))?$/i.exec(typed) ?? [];
  const nanoseconds = toNanoseconds(`${day}T${clock}${/^[zu]/i.test(zone) ? 'Z' : zone}`);
  return day === undefined || nanoseconds === undefined ? undefined : { kind: 'before', nanoseconds };
}

/** The time between two blocks in milliseconds, until two are known. */
const usualBlockTime = 6000;

/**
 * Finds the block that a query names. The node may not keep its state. Throws `InputError` if there is no such block.
 */
export async function findBlock(
  node: ChainNode,
  query: HeightQuery,
  signal: AbortSignal,
  onRead: (count: number) => void = () => {},
): Promise<ChainBlock> {
  let count = 0;
  const read: ReadBlock = async (height) => {
    signal.throwIfAborted();
    onRead(++count);
    const block = await node.block(height, signal).catch((cause: unknown) => {
      if (!isTooLarge(cause)) throw cause;
      const label = height === 'latest' ? 'The latest block' : `Block ${height}`;
      const reason = `${label} and its transactions are too large to read. Use another height`;
      throw new InputError(reason, { cause });
    });
    if (!block) throw new InputError('This node does not provide blocks, so their times are not known');
    return block;
  };
  /** A node may keep a state without its block. The block's time is not known then. */
  const named = (height: bigint): Promise<ChainBlock> =>
    read(height).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!isApiError(error)) throw error;
      return { height, time: undefined };
    });
  switch (query.kind) {
    case 'height':
      return named(query.height);
    case 'back': {
      const latest = await read('latest');
      if (query.blocks < latest.height) return query.blocks === 0n ? latest : named(latest.height - query.blocks);
      throw new InputError(`Cannot go back ${query.blocks} blocks: the chain has only ${latest.height}`);
    }
    case 'before':
      return findBefore(query.nanoseconds, read);
    case 'upgrade': {
      // The height of an applied plan is that of the first block of the new version (docs/nodes.md#upgrades).
      const { name } = query;
      const height = (await node.appliedHeight(name, signal)) ?? 0n;
      if (height > 1n) return named(height - 1n);
      throw new InputError(`No upgrade named ${name} was applied on this chain. Check the name`);
    }
    default:
      return query satisfies never;
  }
}

type ReadBlock = (height: bigint | 'latest') => Promise<TimedBlock>;

/** The limit for failed guesses. After it, every block is found by bisecting. */
const maxMisses = 5;

/**
 * Finds the last block before `time` (nanoseconds since 1970). Heights are guessed from the pace between two blocks.
 * After a guess that did not halve the interval, the interval is bisected. Takes at most log2(blocks) + 7 requests, and
 * some ten if the pace is even.
 */
async function findBefore(time: bigint, read: ReadBlock): Promise<ChainBlock> {
  const latest = await read('latest');
  if (latest.nanoseconds < time)
    throw new InputError(`The latest block (${latest.height}) is from ${latest.time.toISOString()}, before that time`);
  let high = latest;
  let low: TimedBlock | undefined;
  /** A height below the lowest block that the node may have, until a block before that time is known. */
  let floor = 0n;
  let misses = 0;
  let hasMissed = false;
  for (let size = high.height; size > 1n; ) {
    const isGuess: boolean = !hasMissed && misses < maxMisses;
    const height = isGuess ? nextGuess(low ?? latest, high, floor, Number(time / 1_000_000n)) : floor + size / 2n;
    const block = await read(height).catch((error: unknown) => {
      const lowest = lowestHeight(error);
      if (low || lowest === undefined || lowest <= height) throw error;
      floor = lowest - 1n;
      return undefined;
    });
    // Compares by the height that was asked for, so that the interval shrinks even if the node gives another block.
    if (block && block.nanoseconds < time) {
      low = { ...block, height };
      floor = height;
    } else if (block) high = { ...block, height };
    const left = high.height - floor;
    hasMissed = isGuess && left * 2n > size;
    if (hasMissed) misses++;
    size = left;
  }
  if (low) return { height: low.height, time: low.time };
  const first = `${high.height}) is from ${high.time.toISOString()}, after that time`;
  throw new InputError(`The first block on this node (${first}. Use an archive node for this chain`);
}

/**
 * Guesses a height between `floor` and `high`, both excluded. `time` is in milliseconds since 1970. `other` is the
 * block at `floor` if one is known, otherwise the latest one.
 */
function nextGuess(other: TimedBlock, high: TimedBlock, floor: bigint, time: number): bigint {
  const between = Number(high.height - other.height);
  const pace = between === 0 ? usualBlockTime : (high.time.getTime() - other.time.getTime()) / between;
  // The guess goes a little too far, so that the block on the other side is known soon.
  const blocks = (milliseconds: number): bigint =>
    BigInt(Math.max(1, Math.floor((milliseconds / Math.max(Math.abs(pace), 1)) * 1.05)));
  const over = high.time.getTime() - time;
  const under = time - other.time.getTime();
  // The guess starts from the nearer end, because an uneven pace matters less there.
  const isFromBelow = other.height === floor && under < over;
  const guess = isFromBelow ? floor + blocks(under) : high.height - blocks(over);
  if (guess <= floor) return floor + 1n;
  return guess < high.height ? guess : high.height - 1n;
}
