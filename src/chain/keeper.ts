import type { Disposable } from './emitter.ts';

/** A question for what may be kept. */
export interface KeptQuestion {
  /** How old the answer may be, in milliseconds (`maxAges` of `session/kept.ts`). 0 reads anew. */
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

/** Keeps the answers of one kind, by key, for whoever reads them (`session/kept.ts`). */
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
