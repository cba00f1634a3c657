import * as z from 'zod/mini';
import type { Dialect } from './node.ts';
import { readSdkVersion, type SdkVersion } from './sdkVersion.ts';

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
  /** Statuses whose lists are read in the gov v1 form, because v1beta1 failed or hid titles. */
  viaV1: z.array(z.string()),
  /** Proposals that the node cannot say, and why. */
  unreadable: z.array(z.object({ id: z.string().check(z.regex(/^\d+$/)), reason: z.string() })),
  /** Largest page that the node could carry, by operation. */
  maxLimit: z.record(z.string(), z.number()),
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
    this.#facts = fresh
      ? read.data
      : { learnedAt: Date.now(), notOffered: [], viaV1: [], unreadable: [], maxLimit: {} };
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

  /** Whether lists with this status are read as gov v1. */
  viaV1(status: string | undefined): boolean {
    return this.#facts.viaV1.includes(status ?? '');
  }

  /** The largest page of `operation` that the node could carry, where one was too large. */
  maxLimit(operation: string): number | undefined {
    return this.#facts.maxLimit[operation];
  }

  /** Takes in what was learned; says so when it is new. */
  learn(
    facts: Partial<Omit<RememberedDialect, 'learnedAt' | 'notOffered' | 'viaV1' | 'unreadable' | 'maxLimit'>>,
  ): void {
    const before = JSON.stringify(this.#facts);
    const after = { ...this.#facts, ...facts };
    if (JSON.stringify(after) !== before) this.#keep(after);
  }

  learnNotOffered(operation: string): void {
    if (this.#facts.notOffered.includes(operation)) return;
    this.#keep({ ...this.#facts, notOffered: [...this.#facts.notOffered, operation] });
  }

  learnViaV1(status: string | undefined, preferred: boolean): void {
    const others = this.#facts.viaV1.filter((known) => known !== (status ?? ''));
    if (preferred === this.viaV1(status)) return;
    this.#keep({ ...this.#facts, viaV1: preferred ? [...others, status ?? ''] : others });
  }

  learnUnreadable(id: bigint, reason: string): void {
    if (this.unreadable(id) === reason) return;
    const others = this.#facts.unreadable.filter((known) => known.id !== String(id));
    this.#keep({ ...this.#facts, unreadable: [...others, { id: String(id), reason }] });
  }

  learnMaxLimit(operation: string, limit: number): void {
    this.#keep({ ...this.#facts, maxLimit: { ...this.#facts.maxLimit, [operation]: limit } });
  }

  #keep(facts: RememberedDialect): void {
    this.#facts = { ...facts, learnedAt: Date.now() };
    this.#onLearned?.(this.#facts);
  }
}
