import { abortable } from './abortable.ts';
import type { PageRequest, WireProposalRow } from './node.ts';
import { ProposalReading } from './proposalReading.ts';
import type { Speaker } from './speaker.ts';
import type { WholeList } from './wholeList.ts';

/** Milliseconds for which a reading serves other lists, too: the groups of a tree are often asked for together. */
const sharedFor = 2000;

/**
 * Reads all proposals of a node on which v1beta1 pages fail and gov v1 is no way out: pages are bisected by keys made
 * here (contract-facts section 3) until the ids that the node cannot say are known. Those are kept, so that the next
 * reading goes round them.
 */
export class ProposalScan {
  readonly #speaker: Speaker;
  #last: { readonly list: WholeList<WireProposalRow>; readonly at: number } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /** All proposals by id, with rows of the form `unreadable` for those that the node cannot say. Rejects as `Speaker.get` does. */
  async read(page: PageRequest, signal: AbortSignal | undefined): Promise<WholeList<WireProposalRow>> {
    const before = this.#turn;
    let done = () => {};
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#turn = before.then(() => mine);
    try {
      await abortable(before, signal);
      if (this.#last && performance.now() - this.#last.at < sharedFor) return this.#last.list;
      const list = await new ProposalReading(this.#speaker, page, this.#last?.list, signal).run();
      this.#last = { list, at: performance.now() };
      return list;
    } finally {
      done();
    }
  }
}
