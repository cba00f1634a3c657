/** Milliseconds within which a page is quick enough that a larger one is no burden. */
const quick = 1500;
/** Characters of a page from which the next one would come near the 32 MiB that a reply may have. */
const large = 6 * 1024 * 1024;
/** Every page as many times as large as the one before. */
const factor = 4;

/** What a page was like. */
export interface PageMeasure {
  readonly rows: number;
  readonly ms: number;
  /** Characters of the reply; 0 where that is not known. */
  readonly bytes: number;
}

/**
 * How many rows the next page of a crawl is asked for: more and more while the node gives full pages quickly, fewer when
 * it takes long. A node that gives fewer rows than asked for has a limit of its own, and is not asked for more.
 */
export class PageGrowth {
  readonly #first: number;
  readonly #most: number;
  #limit: number;

  /** From `first` to `most` rows. */
  constructor(first: number, most: number) {
    this.#first = first;
    this.#most = Math.max(first, most);
    this.#limit = first;
  }

  /** Rows of the next page. */
  get limit(): number {
    return this.#limit;
  }

  /** Takes in how a page of `limit` rows was answered. */
  add({ rows, ms, bytes }: PageMeasure): void {
    if (ms > quick * 4) this.#limit = Math.max(this.#first, Math.floor(this.#limit / 2));
    else if (rows >= this.#limit && ms <= quick && bytes <= large)
      this.#limit = Math.min(this.#most, this.#limit * factor);
  }
}
