import type { IbcDenom } from '../api/node.ts';
import { SharedWork } from '../api/sharing.ts';
import type { Coin, DenomMetadata, DenomUnit, SupplySplit } from '../chain/coin.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import type { Verdict } from '../chain/verdict.ts';

/** How old an answer may be, in milliseconds; who asks states it. 0 reads anew, and lets the old answer stand until then. */
export const maxAges = {
  /** Parameters, metadata, the split, the bonded total, open votes and searches where a person looks at them. */
  screen: 600_000,
  /** Answers to agents and scripts. */
  tool: 10_000,
  /** Of a state that stands still: a file, a block of the past. */
  still: Number.POSITIVE_INFINITY,
} as const;

/** A question for what may be kept. */
export interface KeptQuestion {
  /** How old the answer may be, in milliseconds (`maxAges`). 0 reads anew. */
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

/** Keeps the answers of one kind, by key, for whoever reads them. */
export interface Keeper<T> {
  /** The answer that stands, whatever its age. */
  get(key?: string): KeptValue<T> | undefined;

  /** Called when another answer stands, or none any more. */
  readonly onDidChange: (listener: () => void) => Disposable;

  /**
   * The kept answer where it is young enough, else a new one. Several who ask at once get one answer. Rejects as `load` does,
   * and the old answer stays; rejects with an `AbortError` on `signal`, and ends the load with the last who leaves.
   */
  read(key: string, question: KeptQuestion, load: (signal: AbortSignal) => Promise<Answered<T>>): Promise<KeptValue<T>>;
}

/** A question of agents and scripts. */
export function toolQuestion({ isStill }: { readonly isStill: boolean }, signal: AbortSignal): KeptQuestion {
  return { maxAge: isStill ? maxAges.still : maxAges.tool, signal };
}

/** Answers that one kind of them holds at most; the oldest goes first. */
const maxKeys = 1000;

/** The answers of one kind, by key. */
export class KeptValues<T> implements Keeper<T> {
  readonly #now: () => number;
  readonly #changed = new Emitter<void>();
  #values = new Map<string, KeptValue<T>>();
  #flights = new SharedWork<KeptValue<T>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly onDidChange = this.#changed.on;

  get(key = ''): KeptValue<T> | undefined {
    return this.#values.get(key);
  }

  async read(
    key: string,
    { maxAge, signal }: KeptQuestion,
    load: (own: AbortSignal) => Promise<Answered<T>>,
  ): Promise<KeptValue<T>> {
    // Another map once this is forgotten: an answer that comes later is kept nowhere.
    const values = this.#values;
    const kept = this.young(key, maxAge);
    if (kept) return kept;
    return this.#flights.join(key, signal, async (own) => {
      const readAt = new Date(this.#now());
      const value = { ...(await load(own)), readAt };
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > maxKeys && oldest !== undefined) values.delete(oldest);
      if (values === this.#values) this.#changed.fire();
      return value;
    });
  }

  /** The answer that stands, where it is young enough. */
  young(key: string, maxAge: number): KeptValue<T> | undefined {
    const kept = this.#values.get(key);
    const age = this.#now() - (kept?.readAt.getTime() ?? 0);
    return age >= 0 && age < maxAge ? kept : undefined;
  }

  /** Keeps nothing, also of what is being read. */
  forget(): void {
    const hadAny = this.#values.size > 0;
    this.#values = new Map();
    this.#flights = new SharedWork();
    if (hadAny) this.#changed.fire();
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
  /** Units and names by denom, as the chain states them. */
  readonly metadata: KeptValues<ReadonlyMap<string, DenomMetadata>>;
  /** Units by denom, as the chain registry states them. */
  readonly registryUnits: KeptValues<ReadonlyMap<string, DenomUnit>>;
  /** The supply of the denom that is staked; undefined where the source does not state which one it is. */
  readonly staking: KeptValues<Coin | undefined>;
  /** By denom; undefined where it is not known. */
  readonly origins: KeptValues<IbcDenom | undefined>;
  /** All bonded tokens; undefined where the source does not state them. */
  readonly bonded: KeptValues<bigint | undefined>;
  /** How the open votes stand, by the ids of their proposals. */
  readonly verdicts: KeptValues<Verdict>;
  readonly #now: () => number;
  readonly #all: { forget(): void }[] = [];
  readonly #ofLists: { forget(): void }[] = [];

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.split = this.#kind();
    this.metadata = this.#kind();
    this.registryUnits = this.#kind();
    this.staking = this.#kind();
    this.origins = this.#kind();
    this.bonded = this.#kind();
    this.verdicts = this.#kind();
  }

  #kind<T>(): KeptValues<T> {
    const values = new KeptValues<T>(this.#now);
    this.#all.push(values);
    return values;
  }

  /** Another kind of answers, made of the rows of lists: they are forgotten also when a list is read again. */
  ofLists<T>(): KeptValues<T> {
    const values = this.#kind<T>();
    this.#ofLists.push(values);
    return values;
  }

  /** A list was read again. */
  forgetOfLists(): void {
    for (const values of this.#ofLists) values.forget();
  }

  forget(): void {
    for (const values of this.#all) values.forget();
  }
}
