import type { Answer } from './client.ts';
import type { Operation } from './contract.ts';
import type { LearnedDialect } from './dialect.ts';
import { heightRefusal } from './replyFaults.ts';

/** The height in a response header; undefined where there is none or it is no number. */
export function readHeight(header: string | undefined): bigint | undefined {
  return header && /^\d{1,20}$/.test(header) ? BigInt(header) : undefined;
}

/**
 * Keeps a crawl at one height, as far as the node can (contract-facts section 4). The echo is verified; where the node
 * has no state at that height, or ignores heights, the request is answered without, and `info.heightDropped` says why.
 */
export class PinnedHeight {
  readonly #learned: LearnedDialect;
  /** The last height that the node refused, and its words: its next page is not asked for twice. */
  #refused: { readonly height: bigint; readonly reason: string } | undefined;

  constructor(learned: LearnedDialect) {
    this.#learned = learned;
  }

  /** Sends with the height where that makes sense; rejects as `send` does. */
  async ask<O extends Operation>(
    wanted: bigint | undefined,
    send: (height: bigint | undefined) => Promise<Answer<O>>,
  ): Promise<Answer<O>> {
    if (wanted === undefined) return send(undefined);
    if (this.#learned.height === false) return dropped(await send(undefined), ignored);
    if (this.#refused?.height === wanted) return dropped(await send(undefined), this.#refused.reason);
    try {
      const answer = await send(wanted);
      const echoed = answer.info.height === wanted;
      this.#learned.learn({ height: echoed });
      return echoed ? answer : dropped(answer, ignored);
    } catch (error) {
      const reason = heightRefusal(error);
      if (reason === undefined) throw error;
      this.#refused = { height: wanted, reason };
      return dropped(await send(undefined), reason);
    }
  }
}

const ignored = 'the node does not answer at the height that is asked for';

function dropped<O extends Operation>(answer: Answer<O>, reason: string): Answer<O> {
  return { reply: answer.reply, info: { ...answer.info, heightDropped: reason } };
}
