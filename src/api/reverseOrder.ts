import { isAbort } from './errors.ts';
import type { PageRequest, ProposalsPage } from './node.ts';
import { idOfKey } from './pageKeys.ts';
import { idOfRow, readProposalPage } from './proposalPage.ts';
import { reversesExactly, type SdkVersion } from './sdkVersion.ts';
import type { Speaker } from './speaker.ts';

/** Judges whether a node's `reverse` gives every proposal, in order (contract-facts section 1, "Reverse"). */
export class ReverseOrder {
  readonly #speaker: Speaker;

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /** False where it must not be used; undefined where that shows only when it is tried. */
  trusted(version: SdkVersion | undefined): boolean | undefined {
    const { learned } = this.#speaker;
    if (learned.reverse === undefined && version) learned.learn({ reverse: reversesExactly(version) });
    return learned.reverse;
  }

  distrust(): void {
    this.#speaker.learned.learn({ reverse: false });
  }

  /**
   * The page if it is what `reverse` promises: descending, from the key down. A row above the key (SDK up to 0.47, the
   * key's own proposal was deleted) is dropped. Undefined where the node does something else, or loses the row at the key.
   */
  async check(
    answer: ProposalsPage,
    page: PageRequest,
    filtered: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ProposalsPage | undefined> {
    const from = page.key === undefined ? undefined : idOfKey(page.key);
    const rows = answer.rows.filter((row) => from === undefined || idOfRow(row) <= from);
    const ids = rows.map(idOfRow);
    const next = answer.page?.next_key ? idOfKey(answer.page.next_key) : undefined;
    const steps = next === undefined ? ids : [...ids, next];
    if (steps.some((id, at) => at > 0 && id >= (steps[at - 1] ?? id))) return undefined;
    const settled = this.#speaker.learned.reverse === true || from === undefined;
    if (!settled && ids[0] !== from && !(await this.#keepsRowAt(from, page, filtered, signal))) return undefined;
    if (from !== undefined) this.#speaker.learned.learn({ reverse: true });
    return { ...answer, rows };
  }

  /** Whether a page in reverse begins with the row of its key: 0.50.0 to 0.50.8 lose it. A filter may leave it out, too. */
  async #keepsRowAt(
    id: bigint,
    page: PageRequest,
    filtered: boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (!filtered) return false;
    try {
      const probe = { key: page.key, limit: 1, reverse: true };
      const [row] = (await readProposalPage(this.#speaker, 'v1beta1', {}, probe, signal)).rows;
      return row !== undefined && idOfRow(row) === id;
    } catch (error) {
      if (isAbort(error)) throw error;
      return false;
    }
  }
}
