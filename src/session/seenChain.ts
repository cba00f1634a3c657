import { isUnreachable } from '../api/errors.ts';
import type { BlockHeader, ChainNode } from '../api/node.ts';

/** A height that a chain had reached, at the latest at a time in nanoseconds since 1970. */
interface Reached {
  readonly height: bigint;
  readonly by: bigint;
}

/** One second, because the `Date` of a reply has whole seconds. */
const second = 1_000_000_000n;

/** The limit for the blocks that each block is compared with. */
const maxBlocks = 20;

/**
 * Recognizes the chain behind an address by its blocks. Another chain has another chain id, another time at a height,
 * or a later time at a lower height. A backend that lags behind has an earlier time at a lower height, and is the same
 * chain.
 */
export class SeenChain {
  /** The blocks that others are compared with, by height. The one that was read last stands last. */
  readonly #blocks = new Map<bigint, BlockHeader>();
  #reached: Reached | undefined;

  /** Notes that a reply is of a height, at the `Date` of the reply. True if the height is lower than one before. */
  isBelow(height: bigint, date: Date | undefined): boolean {
    if (this.#reached && height < this.#reached.height) return true;
    if (date) this.#reach({ height, by: BigInt(date.getTime()) * 1_000_000n + second });
    return false;
  }

  /** Notes a block. True if another chain has made it. In this case, everything noted before is forgotten. */
  isOfAnother(block: BlockHeader): boolean {
    const isAnother = this.#isLater(block) || [...this.#blocks.values()].some((known) => differ(known, block));
    if (isAnother) this.forget();
    this.#blocks.delete(block.height);
    this.#blocks.set(block.height, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > maxBlocks && oldest !== undefined) this.#blocks.delete(oldest);
    this.#reach({ height: block.height, by: block.nanoseconds });
    return isAnother;
  }

  /**
   * Reads the latest block, and again the one that was noted last. The node must give each block to `isOfAnother`.
   * Rejects like `ChainNode.block`.
   */
  async check(node: Pick<ChainNode, 'block'>, signal: AbortSignal): Promise<void> {
    const last = [...this.#blocks.values()].at(-1);
    const latest = await node.block('latest', signal);
    if (!last || !latest || last.height >= latest.height || this.#blocks.get(last.height) !== last) return;
    await node.block(last.height, signal).catch((error: unknown) => {
      // A node keeps blocks for some time only.
      if (isUnreachable(error)) throw error;
    });
  }

  forget(): void {
    this.#blocks.clear();
    this.#reached = undefined;
  }

  #isLater({ height, nanoseconds }: BlockHeader): boolean {
    return this.#reached !== undefined && height < this.#reached.height && nanoseconds > this.#reached.by;
  }

  #reach(reached: Reached): void {
    const { height, by } = this.#reached ?? { height: -1n, by: 0n };
    if (reached.height > height || (reached.height === height && reached.by < by)) this.#reached = reached;
  }
}

/** True if two blocks cannot be of one chain. */
function differ(one: BlockHeader, other: BlockHeader): boolean {
  const [id, otherId] = [one.chainId, other.chainId];
  if (id !== undefined && otherId !== undefined && id !== otherId) return true;
  if (one.height === other.height) return one.nanoseconds !== other.nanoseconds;
  const [lower, higher] = one.height < other.height ? [one, other] : [other, one];
  return lower.nanoseconds > higher.nanoseconds;
}
