import * as z from 'zod/mini';
import type { Dialect } from './node.ts';

const rememberedSchema = z.object({
  /** When it was learned, milliseconds since 1970. */
  learnedAt: z.number(),
  segment: z.optional(z.string()),
  supplyOf: z.optional(z.enum(['path', 'byDenom', 'list'])),
  /** Whether the path form takes denoms with a slash in them. */
  slashes: z.optional(z.boolean()),
  status: z.optional(z.enum(['name', 'number'])),
  govV1: z.optional(z.boolean()),
  reverse: z.optional(z.boolean()),
  height: z.optional(z.boolean()),
  sdkVersion: z.optional(z.string()),
  chainId: z.optional(z.string()),
  notOffered: z.array(z.string()),
  /**
   * Lists (by status, "" for all) that v1beta1 cannot say page by page, or not with titles: read as gov v1, or isolated
   * from a reading of all proposals.
   */
  lists: z.record(z.string(), z.enum(['v1', 'isolated'])),
  /** Proposals that the node cannot say, and why. */
  unreadable: z.array(z.object({ id: z.string().check(z.regex(/^\d+$/)), reason: z.string() })),
});

/** What was learned of an endpoint, as plain JSON that can be stored between runs. */
export type RememberedDialect = z.infer<typeof rememberedSchema>;

/** What was learned is asked again after a week: nodes get upgraded. */
const keepFor = 7 * 24 * 3600 * 1000;

/** The facts learned of one node. Every change is told to `onLearned`. */
export class LearnedDialect implements Dialect {
  #facts: RememberedDialect;
  readonly #onLearned: ((facts: RememberedDialect) => void) | undefined;

  /** `remembered` is what an earlier `onLearned` was given; anything else, or older than a week, is ignored. */
  constructor(remembered?: unknown, onLearned?: (facts: RememberedDialect) => void) {
    const read = rememberedSchema.safeParse(remembered);
    const fresh = read.success && Math.abs(Date.now() - read.data.learnedAt) < keepFor;
    this.#facts = fresh ? read.data : { learnedAt: Date.now(), notOffered: [], lists: {}, unreadable: [] };
    this.#onLearned = onLearned;
  }

  get segment(): string | undefined {
    return this.#facts.segment;
  }

  get supplyOf(): 'path' | 'byDenom' | 'list' | undefined {
    return this.#facts.supplyOf;
  }

  get slashes(): boolean | undefined {
    return this.#facts.slashes;
  }

  get status(): 'name' | 'number' | undefined {
    return this.#facts.status;
  }

  get govV1(): boolean | undefined {
    return this.#facts.govV1;
  }

  get reverse(): boolean | undefined {
    return this.#facts.reverse;
  }

  get height(): boolean | undefined {
    return this.#facts.height;
  }

  get sdkVersion(): string | undefined {
    return this.#facts.sdkVersion;
  }

  get chainId(): string | undefined {
    return this.#facts.chainId;
  }

  get notOffered(): readonly string[] {
    return this.#facts.notOffered;
  }

  /** The SDK version in numbers, where the node said one of the 0.x line. */
  get version(): SdkVersion | undefined {
    return readSdkVersion(this.#facts.sdkVersion);
  }

  /** Why the node cannot say proposal `id`, where that was learned. */
  unreadable(id: bigint): string | undefined {
    const text = String(id);
    return this.#facts.unreadable.find((known) => known.id === text)?.reason;
  }

  /** How the list of this status is read, where v1beta1 failed. */
  listForm(status: string | undefined): 'v1' | 'isolated' | undefined {
    return this.#facts.lists[status ?? ''];
  }

  /** Ids that the node cannot say, ascending. */
  get unreadableIds(): readonly bigint[] {
    return this.#facts.unreadable.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1));
  }

  /** Takes in what was learned; says so when it is new. */
  learn(facts: Partial<Omit<RememberedDialect, 'learnedAt' | 'notOffered' | 'lists' | 'unreadable'>>): void {
    const before = JSON.stringify(this.#facts);
    const after = { ...this.#facts, ...facts };
    if (JSON.stringify(after) !== before) this.#keep(after);
  }

  learnNotOffered(operation: string): void {
    if (this.#facts.notOffered.includes(operation)) return;
    this.#keep({ ...this.#facts, notOffered: [...this.#facts.notOffered, operation] });
  }

  /** `undefined` goes back to v1beta1. */
  learnListForm(status: string | undefined, form: 'v1' | 'isolated' | undefined): void {
    const { [status ?? '']: before, ...others } = this.#facts.lists;
    if (before !== form) this.#keep({ ...this.#facts, lists: form ? { ...others, [status ?? '']: form } : others });
  }

  learnUnreadable(id: bigint, reason: string): void {
    if (this.unreadable(id) === reason) return;
    const others = this.#facts.unreadable.filter((known) => known.id !== String(id));
    this.#keep({ ...this.#facts, unreadable: [...others, { id: String(id), reason }] });
  }

  #keep(facts: RememberedDialect): void {
    this.#facts = { ...facts, learnedAt: Date.now() };
    this.#onLearned?.(this.#facts);
  }
}

/** What a version of the Cosmos SDK does and does not do (contract-facts sections 0 and 1). */
export interface SdkVersion {
  readonly minor: number;
  readonly patch: number;
}

/** `v0.47.5-v24-osmo-4` → 0.47.5; undefined for anything that is no version of the 0.x line. */
export function readSdkVersion(text: string | null | undefined): SdkVersion | undefined {
  const found = /^v?0\.(\d+)\.(\d+)/.exec(text ?? '');
  return found ? { minor: Number(found[1]), patch: Number(found[2]) } : undefined;
}

/** Where the supply of one denom is asked for: in the path up to 0.45, by query since 0.46 (PR #11170). */
export function supplyOfForm(version: SdkVersion): 'path' | 'byDenom' {
  return version.minor < 46 ? 'path' : 'byDenom';
}

/**
 * Whether proposals read newest first by key are all there: unknown before 0.43; 0.50.0 to 0.50.8 lose the row at the key
 * of every page (#20938).
 */
export function reversesExactly(version: SdkVersion): boolean {
  if (version.minor < 43) return false;
  return version.minor !== 50 || version.patch >= 9;
}

/** Whether `count_total` may go with a filter: up to 0.45 counting overwrites the next key, and rows are skipped (#11407). */
export function countsFiltered(version: SdkVersion): boolean {
  return version.minor >= 46;
}
