import * as z from 'zod/mini';
import { govForms, powerModules } from './operations.ts';

const factsSchema = z.object({
  /** When the last of it was found, milliseconds since 1970. */
  foundAt: z.number(),
  /** First path segment: `chain` (the contract) or `cosmos` (nodes). */
  segment: z.optional(z.string()),
  govSegment: z.optional(z.string()),
  /** `none`: the chain has no gov module. */
  gov: z.optional(z.enum([...govForms, 'none'])),
  supplyOf: z.optional(z.enum(['path', 'byDenom', 'list'])),
  /** Whether `reverse` can be trusted for proposals; where not, their lists are read whole. */
  reverse: z.optional(z.boolean()),
  height: z.optional(z.boolean()),
  /** The module that voting power comes from; `none`: not known how votes are weighed. */
  power: z.optional(z.enum([...powerModules, 'none'])),
  sdkVersion: z.optional(z.string()),
  chainId: z.optional(z.string()),
  /** Optional reads that the node answered 501 or 404 to. */
  unsupported: z.array(z.string()),
  /** Statuses ("" for all) whose lists cannot be read page by page, since a row in them fails its page. */
  failing: z.array(z.string()),
  /** Proposals that fail their page, and the node's reason; it is absent where they can be read alone. */
  failingIds: z.array(z.object({ id: z.string().check(z.regex(/^\d{1,20}$/)), reason: z.optional(z.string()) })),
});

/** What is known of an endpoint: plain JSON that can be stored between runs. */
export type NodeFacts = z.infer<typeof factsSchema>;

/** Facts expire after a week: nodes get upgraded. */
const keepFor = 7 * 24 * 3600 * 1000;

function noFacts(): NodeFacts {
  return { foundAt: Date.now(), unsupported: [], failing: [], failingIds: [] };
}

/** What is known of one node. */
export class DialectMemory {
  /** Whether the node was asked for its version. */
  isVersionAsked = false;
  /** Whether the segment has answered in this run, or was named by the user. */
  isSegmentCertain: boolean;
  #facts: NodeFacts;
  readonly #onFacts: ((facts: NodeFacts) => void) | undefined;
  readonly #named: string | undefined;

  /**
   * `remembered` is what an earlier `onFacts` was given; anything else, or older than a week, is ignored.
   * `named` is the first path segment, where the user names it.
   */
  constructor(remembered?: unknown, onFacts?: (facts: NodeFacts) => void, named?: string) {
    const read = factsSchema.safeParse(remembered);
    const isFresh = read.success && Math.abs(Date.now() - read.data.foundAt) < keepFor;
    const kept = isFresh ? read.data : noFacts();
    // A chain may get a gov module with an upgrade.
    this.#facts = kept.gov === 'none' ? { ...kept, gov: undefined } : kept;
    this.#onFacts = onFacts;
    this.#named = named;
    this.isSegmentCertain = named !== undefined;
    if (named !== undefined) this.remember({ segment: named });
  }

  get facts(): Readonly<NodeFacts> {
    return this.#facts;
  }

  get version(): SdkVersion | undefined {
    return readSdkVersion(this.#facts.sdkVersion);
  }

  remember(facts: Partial<Omit<NodeFacts, 'foundAt'>>): void {
    const after = { ...this.#facts, ...facts };
    if (JSON.stringify(after) === JSON.stringify(this.#facts)) return;
    this.#facts = { ...after, foundAt: Date.now() };
    this.#onFacts?.(this.#facts);
  }

  /** Keeps nothing but a segment that the user has named. What is kept between runs stays until something is found. */
  forget(): void {
    this.#facts = { ...noFacts(), segment: this.#named };
    this.isSegmentCertain = this.#named !== undefined;
    this.isVersionAsked = false;
  }

  rememberUnsupported(read: string): void {
    this.remember({ unsupported: [...new Set([...this.#facts.unsupported, read])] });
  }

  rememberFailing(status: string | undefined): void {
    this.remember({ failing: [...new Set([...this.#facts.failing, status ?? ''])] });
  }

  rememberFailingId(id: bigint, reason: string | undefined): void {
    const others = this.#facts.failingIds.filter((known) => known.id !== String(id));
    this.remember({ failingIds: [...others, { id: String(id), reason }] });
  }
}

/** What a version of the Cosmos SDK does (docs/nodes.md#versions). */
export interface SdkVersion {
  readonly minor: number;
  readonly patch: number;
}

/** `v0.47.5-v24-osmo-4` → 0.47.5; undefined for anything that is no version of the 0.x line. */
export function readSdkVersion(text: string | null | undefined): SdkVersion | undefined {
  const found = /^v?0\.(\d+)\.(\d+)/.exec(text ?? '');
  return found ? { minor: Number(found[1]), patch: Number(found[2]) } : undefined;
}

/** Whether proposals read newest first by key are complete (docs/nodes.md#reverse). */
export function reversesExactly(version: SdkVersion): boolean {
  if (version.minor < 43) return false;
  return version.minor !== 50 || version.patch >= 9;
}
