import { SharedWork } from '../api/sharing.ts';
import type { SupplySplit } from '../chain/coin.ts';

/** How old an answer may be, in milliseconds; who asks states it. 0 reads anew, and lets the old answer stand until then. */
export const maxAges = {
  /** Parameters, metadata, the split and the bonded total where a person looks at them. */
  screen: 600_000,
  /** Answers to agents and scripts. */
  tool: 10_000,
  /** Of a state that stands still: a file, a block of the past. */
  still: Number.POSITIVE_INFINITY,
} as const;

/** How old an answer to agents and scripts may be. */
export function toolAge({ isStill }: { readonly isStill: boolean }): number {
  return isStill ? maxAges.still : maxAges.tool;
}

/** A question for what may be kept. */
export interface KeptQuestion {
  /** In milliseconds, as in `maxAges`. */
  readonly maxAge: number;
  readonly signal?: AbortSignal | undefined;
}

/** An answer with its height, where it is of one. */
export interface Answered<T> {
  readonly value: T;
  readonly height?: bigint | undefined;
}

/** An answer that is kept. `readAt`: when it was asked for, so that it is never older than that says. */
export interface KeptValue<T> extends Answered<T> {
  readonly readAt: Date;
}

/** Answers that one kind of them holds at most; the oldest goes first. */
const maxKeys = 1000;

/** The answers of one kind, by key. */
export class KeptValues<T> {
  readonly #now: () => number;
  #values = new Map<string, KeptValue<T>>();
  #flights = new SharedWork<KeptValue<T>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The answer that stands, whatever its age. */
  get(key = ''): KeptValue<T> | undefined {
    return this.#values.get(key);
  }

  /**
   * The kept answer where it is young enough, else a new one. Several who ask at once get one answer. Rejects as `load` does,
   * and the old answer stays; rejects with an `AbortError` on `signal`, and ends the load with the last who leaves.
   */
  async read(
    key: string,
    { maxAge, signal }: KeptQuestion,
    load: (own: AbortSignal) => Promise<Answered<T>>,
  ): Promise<KeptValue<T>> {
    // Another map once this is forgotten: an answer that comes later is kept nowhere.
    const values = this.#values;
    const kept = values.get(key);
    const age = this.#now() - (kept?.readAt.getTime() ?? 0);
    if (kept && age >= 0 && age < maxAge) return kept;
    return this.#flights.join(key, signal, async (own) => {
      const readAt = new Date(this.#now());
      const value = { ...(await load(own)), readAt };
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > maxKeys && oldest !== undefined) values.delete(oldest);
      return value;
    });
  }

  /** Keeps nothing, also of what is being read. */
  forget(): void {
    this.#values = new Map();
    this.#flights = new SharedWork();
  }
}

/** Where the coins of any denom are, by accounts that are asked for once (`readSplit.ts`). */
export interface SplitReading {
  split(denom: string, options: SplitOptions): Promise<SupplySplit>;
}

export interface SplitOptions extends KeptQuestion {
  /** Ends the asking for accounts; what is known by then stands, and a gap says where it ended. */
  readonly stop?: AbortSignal | undefined;
  /** Accounts of a node that were asked for, of how many. */
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/**
 * What was read of a source and outlives its request, in one place: each answer with its age, all of them forgotten together
 * when the source is opened anew, its file has changed, or another chain answers at its address.
 */
export class Kept {
  /** One reading for all denoms. */
  readonly split: KeptValues<SplitReading>;
  readonly #all: readonly { forget(): void }[];

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.split = new KeptValues(now);
    this.#all = [this.split];
  }

  forget(): void {
    for (const values of this.#all) values.forget();
  }
}
