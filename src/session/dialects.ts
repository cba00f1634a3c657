import { member } from '../api/errors.ts';

/** Where texts are kept between runs, as the editor's `Memento` does it. */
export interface Keeper {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const keptUnder = 'dialects';
/** Endpoints whose facts are kept; beyond them the one that was learned longest ago goes. */
const mostKept = 50;
/** Characters of JSON for one endpoint: facts are short, but what a node says may be long. */
const longest = 20_000;

/**
 * What was learned of each endpoint, kept between runs so that the next start does not find it out again. Facts are JSON
 * that only the client understands; whatever else is found in the keeper is left out.
 */
export class Dialects {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  /** What `keep` was given for this source; undefined where nothing is known. */
  get(sourceId: string): unknown {
    return this.#entries().find(([id]) => id === sourceId)?.[1];
  }

  /** The chain id that the endpoint stated; undefined where it was not asked. */
  chainId(sourceId: string): string | undefined {
    const chainId = member(this.get(sourceId), 'chainId');
    return typeof chainId === 'string' ? chainId : undefined;
  }

  /** Keeps facts in the place of older ones of the same source. Rejects as the keeper does. */
  async keep(sourceId: string, facts: unknown): Promise<void> {
    const others = this.#entries().filter(([id]) => id !== sourceId);
    const fits = JSON.stringify(facts).length <= longest;
    const entries = fits ? [...others, [sourceId, facts]] : others;
    await this.#keeper.update(keptUnder, entries.slice(-mostKept));
  }

  /** Rejects as the keeper does. */
  async forget(sourceId: string): Promise<void> {
    const all = this.#entries();
    const others = all.filter(([id]) => id !== sourceId);
    if (others.length < all.length) await this.#keeper.update(keptUnder, others);
  }

  /** The latest last. */
  #entries(): [id: string, facts: unknown][] {
    const kept = this.#keeper.get(keptUnder);
    return Array.isArray(kept) ? kept.flatMap(toEntry) : [];
  }
}

function toEntry(value: unknown): [string, unknown][] {
  if (!Array.isArray(value) || value.length !== 2) return [];
  const [id, facts]: unknown[] = value;
  return typeof id === 'string' ? [[id, facts]] : [];
}
