import { isApiError, lowestHeight, orUndefined } from '../api/errors.ts';
import type { BlockHeader, ChainNode } from '../api/node.ts';

/**
 * The pace of a chain: seconds for a block, measured over the last `blocks`. `blocks` is undefined if the node does not
 * keep these blocks. The pace is then the one that the chain's parameters of mint assume.
 */
interface BlockPace {
  readonly seconds: number;
  readonly blocks: number | undefined;
}

/** The latest block of a chain, and the chain's pace. */
export interface ChainTime {
  readonly height: bigint;
  readonly time: Date;
  readonly blockTime: number;
  readonly blocks: number | undefined;
  /** True if the node showed no block, so that `time` is that of this machine. */
  readonly isByClock?: boolean | undefined;
}

type LastBlock = Pick<BlockHeader, 'height' | 'time'>;

/**
 * Reads the pace. Undefined if the node offers neither past blocks nor parameters of mint. Rejects only when `signal`
 * fires.
 */
export async function readPace(
  node: ChainNode,
  last: LastBlock | undefined,
  signal?: AbortSignal,
): Promise<BlockPace | undefined> {
  return (last && (await measurePace(node, last, signal))) ?? (await readStatedPace(node, signal));
}

/**
 * The number of blocks over which the pace is measured. If the node keeps fewer, it is measured over those, or over the
 * last few.
 */
const measured = 10_000n;
const fewest = 100n;

async function measurePace(
  node: ChainNode,
  last: LastBlock,
  signal: AbortSignal | undefined,
): Promise<BlockPace | undefined> {
  const back = (blocks: bigint): bigint => (last.height > blocks ? last.height - blocks : 1n);
  const first = await node.block(back(measured), signal).catch((error: unknown) => {
    if (!isApiError(error)) throw error;
    const lowest = lowestHeight(error);
    return orUndefined(node.block(lowest === undefined ? back(fewest) : lowest + 1n, signal));
  });
  const blocks = first ? Number(last.height - first.height) : 0;
  const seconds = (last.time.getTime() - (first?.time.getTime() ?? 0)) / 1000;
  return blocks > 0 && seconds > 0 ? { seconds: seconds / blocks, blocks } : undefined;
}

/** The seconds of a year in x/mint (`BlocksPerYear` in x/mint/types/params.go: 60 * 60 * 8766 / 5). */
const mintYear = 60 * 60 * 8766;

async function readStatedPace(node: ChainNode, signal: AbortSignal | undefined): Promise<BlockPace | undefined> {
  const stated = await orUndefined(node.param('mint', 'BlocksPerYear', signal));
  const blocks = Number(/\d+/.exec(stated ?? '')?.[0]);
  return blocks >= 1 ? { seconds: mintYear / blocks, blocks: undefined } : undefined;
}

/** Reads the latest block and the pace. Undefined and rejections are those of `readPace`. */
export async function readChainTime(
  node: ChainNode,
  { height, time }: LastBlock,
  signal: AbortSignal,
): Promise<ChainTime | undefined> {
  const pace = await readPace(node, { height, time }, signal);
  return pace && { height, time, blockTime: pace.seconds, blocks: pace.blocks };
}

/** Gives the time at which a height is expected. Undefined if the pace is not known, or the height has passed. */
export function expectedTime(height: bigint | undefined, chainTime: ChainTime | undefined): Date | undefined {
  if (!chainTime || !height || height <= chainTime.height) return undefined;
  const time = new Date(chainTime.time.getTime() + Number(height - chainTime.height) * chainTime.blockTime * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
