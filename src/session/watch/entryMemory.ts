import type { Need } from './endpointPlan.ts';
import type { ReadResult } from './endpointRead.ts';

/** An entry that the node could not tell about is left alone for so long. */
const faultPause = 10 * 60_000;

/** What one window remembers of the entries of a source between two reads. Times are of the node's clock. */
export class EntryMemory {
  readonly #looks = new Map<string, number>();
  readonly #put = new Map<string, number>();
  readonly #tallied = new Map<string, number>();

  /** When entries whose period has ended were last looked at. */
  get looks(): ReadonlyMap<string, number> {
    return this.#looks;
  }

  /** Entries that are not to be asked again before the time. */
  get put(): ReadonlyMap<string, number> {
    return this.#put;
  }

  /** When votes were last asked for, whether the node told them or not. */
  get tallied(): ReadonlyMap<string, number> {
    return this.#tallied;
  }

  /** Knows looks after an end, forgets them once it is settled, and leaves faulty entries alone for a while. */
  remember(needs: readonly Need[], result: ReadResult, now: number): void {
    for (const { entry, why } of needs) {
      if (!result.proposals.has(entry.key)) continue;
      if (why === 'end') this.#looks.set(entry.key, now);
      if (why === 'second look') this.#looks.delete(entry.key);
    }
    for (const key of result.faulty) this.#put.set(key, now + faultPause);
    for (const key of result.proposals.keys()) this.#put.delete(key);
  }

  /** Votes were asked for. */
  tally(key: string, now: number): void {
    this.#tallied.set(key, now);
  }

  /** Faulty entries may be asked again. */
  forgive(): void {
    this.#put.clear();
  }

  /** The node's clock is in doubt, and the times of looks with it. */
  forgetLooks(): void {
    this.#looks.clear();
  }
}
