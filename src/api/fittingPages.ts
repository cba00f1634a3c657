import type { PageRequest } from './node.ts';
import { defaultLimit } from './pageParams.ts';
import { isTooLarge } from './replyFaults.ts';

/** Pages that fit read well this often before a larger one is tried again. */
const growAfter = 4;

/**
 * Keeps the pages of one list as small as the node needs them (contract-facts section 4: 10 MiB between gateway and
 * application, answered 429 code 8): halves a page that is too large, and lets pages grow again later.
 */
export class FittingPages {
  #most = Number.POSITIVE_INFINITY;
  #fitted = 0;

  /** Sends the page, smaller where it must be; rejects as `send` does, also with the fault of a single row that is too large. */
  async ask<T>(page: PageRequest, send: (page: PageRequest) => Promise<T>): Promise<T> {
    for (let limit = Math.min(page.limit ?? defaultLimit, this.#most); ; limit = this.#most) {
      try {
        const answer = await send({ ...page, limit });
        this.#fits(limit);
        return answer;
      } catch (error) {
        if (!isTooLarge(error) || limit <= 1) throw error;
        this.#most = Math.floor(limit / 2);
        this.#fitted = 0;
      }
    }
  }

  #fits(limit: number): void {
    if (limit < this.#most) return;
    this.#fitted += 1;
    if (this.#fitted < growAfter) return;
    this.#most *= 2;
    this.#fitted = 0;
  }
}
