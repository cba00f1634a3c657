import * as z from 'zod/mini';
import { govForms, powerModules } from '../operations.ts';

const factsSchema = z.object({
  /** The first path segment: `chain` (the contract) or `cosmos` (nodes). */
  segment: z.optional(z.string()),
  govSegment: z.optional(z.string()),
  /** The form of the gov module; `none` if the chain has no such module. */
  gov: z.optional(z.enum([...govForms, 'none'])),
  supplyOf: z.optional(z.enum(['path', 'byDenom', 'list'])),
  /** True if `reverse` can be trusted for proposals. If false, their lists are read whole. */
  reverse: z.optional(z.boolean()),
  height: z.optional(z.boolean()),
  /** The module that states the voting power; `none` if it is not known how votes are weighed. */
  power: z.optional(z.enum([...powerModules, 'none'])),
  sdkVersion: z.optional(z.string()),
  chainId: z.optional(z.string()),
  /** The optional reads that the node does not offer. */
  unsupported: z.array(z.string()),
  /** The statuses ("" for all) whose lists cannot be read page by page, because a row in them fails its page. */
  failing: z.array(z.string()),
  /** The proposals that fail their page, with the node's reason. It is absent if they can be read alone. */
  failingIds: z.array(z.object({ id: z.string().check(z.regex(/^\d{1,20}$/)), reason: z.optional(z.string()) })),
});

/** The known facts of an endpoint. */
export type NodeFacts = z.infer<typeof factsSchema>;

/** Facts by name: the names of `NodeFacts`, and one for each member of a list, such as `unsupported tally`. */
const storedSchema = z.record(
  z.string(),
  z.object({
    value: z.unknown(),
    /** The time in milliseconds since 1970. */
    foundAt: z.number(),
  }),
);

/** The facts that a node has stated, each with its time. Plain JSON, which can be stored between runs. */
export type StoredFacts = z.infer<typeof storedSchema>;

type DatedFacts = Map<string, StoredFacts[string]>;

/** The time for which facts of the node itself are kept: a week, since nodes get upgraded. */
const statedFor = 7 * 24 * 3600 * 1000;

/** The time for which facts are kept that a proxy may have stated: five minutes, and never between runs. */
const supposedFor = 5 * 60 * 1000;

function entriesOf({
  unsupported,
  failing,
  failingIds,
  ...single
}: Partial<NodeFacts>): [name: string, value: unknown][] {
  return [
    ...Object.entries(single),
    ...(unsupported ?? []).map((read): [string, unknown] => [`unsupported ${read}`, read]),
    ...(failing ?? []).map((status): [string, unknown] => [`failing ${status}`, status]),
    ...(failingIds ?? []).map((row): [string, unknown] => [`failingIds ${row.id}`, row]),
  ];
}

/** Reads the facts. Undefined if a value does not fit its name. */
function toFacts(dated: DatedFacts): NodeFacts | undefined {
  const entries = [...dated].map(([name, { value }]) => [name, value] as const);
  const members = (list: string): unknown[] =>
    entries.flatMap(([name, value]) => (name.startsWith(`${list} `) ? [value] : []));
  const lists = { unsupported: members('unsupported'), failing: members('failing'), failingIds: members('failingIds') };
  const read = factsSchema.safeParse({ ...Object.fromEntries(entries), ...lists });
  return read.success ? read.data : undefined;
}

function readStored(remembered: unknown): DatedFacts {
  const read = storedSchema.safeParse(remembered);
  const dated: DatedFacts = new Map(read.success ? Object.entries(read.data) : []);
  // A chain may get a gov module with an upgrade.
  if (dated.get('gov')?.value === 'none') dated.delete('gov');
  return toFacts(dated) ? dated : new Map();
}

/**
 * The known facts of one node. Each fact expires by itself, a fixed time after it was found; a later one does not renew
 * the others. A known fact that is found again keeps its time, so that it is looked up anew.
 */
export class DialectMemory {
  /** True once the node was asked for its version. */
  isVersionAsked = false;
  /** True if the segment has answered in this run, or the user has named it. */
  isSegmentCertain: boolean;
  #stated: DatedFacts;
  /** Facts that a proxy may have stated. They take precedence over stated ones for as long as they are kept. */
  #supposed: DatedFacts = new Map();
  #known: { readonly facts: NodeFacts; readonly until: number } | undefined;
  readonly #onFacts: ((facts: StoredFacts) => void) | undefined;
  readonly #named: string | undefined;

  /**
   * `remembered` is the value that an earlier `onFacts` received. Anything else is ignored, and so are facts older than
   * a week. `named` is the first path segment, if the user names one.
   */
  constructor(remembered?: unknown, onFacts?: (facts: StoredFacts) => void, named?: string) {
    this.#stated = readStored(remembered);
    this.#onFacts = onFacts;
    this.#named = named;
    this.isSegmentCertain = named !== undefined;
  }

  get facts(): Readonly<NodeFacts> {
    const now = Date.now();
    if (this.#known && now < this.#known.until) return this.#known.facts;
    const stated = fresh(this.#stated, statedFor, now);
    const supposed = fresh(this.#supposed, supposedFor, now);
    this.#stated = stated.facts;
    this.#supposed = supposed.facts;
    const facts = toFacts(new Map([...this.#stated, ...this.#supposed])) ?? {
      unsupported: [],
      failing: [],
      failingIds: [],
    };
    const known = { ...facts, segment: this.#named ?? facts.segment };
    this.#known = { facts: known, until: Math.min(stated.until, supposed.until) };
    return known;
  }

  get version(): SdkVersion | undefined {
    return readSdkVersion(this.facts.sdkVersion);
  }

  /**
   * Keeps facts that the node itself has stated for a week, and between runs. A member that is undefined is forgotten.
   */
  remember(facts: Partial<NodeFacts>): void {
    let isNew = false;
    const now = Date.now();
    for (const [name, value] of entriesOf(facts)) {
      if (this.#supposed.delete(name)) this.#known = undefined;
      const before = this.#stated.get(name);
      const isKept = before !== undefined && now - before.foundAt < statedFor;
      if (isKept ? isSame(before.value, value) : value === undefined) continue;
      isNew = true;
      if (value === undefined) this.#stated.delete(name);
      else this.#stated.set(name, { value, foundAt: now });
    }
    if (isNew) this.#tell();
  }

  /** Keeps facts that a proxy may have stated for five minutes, in memory only. */
  suppose(facts: Partial<NodeFacts>): void {
    const now = Date.now();
    for (const [name, value] of entriesOf(facts)) this.#supposed.set(name, { value, foundAt: now });
    this.#known = undefined;
  }

  /** Forgets the segment and the facts that were found below it. */
  forgetSegment(): void {
    for (const dated of [this.#stated, this.#supposed])
      for (const name of [...dated.keys()])
        if (/^(segment|govSegment|gov|unsupported .*)$/s.test(name)) dated.delete(name);
    this.#tell();
  }

  /** Forgets everything but a segment that the user has named. The stored facts stay until something new is found. */
  forget(): void {
    this.#stated.clear();
    this.#supposed.clear();
    this.#known = undefined;
    this.isSegmentCertain = this.#named !== undefined;
    this.isVersionAsked = false;
  }

  rememberFailing(status: string | undefined): void {
    this.remember({ failing: [status ?? ''] });
  }

  rememberFailingId(id: bigint, reason: string | undefined): void {
    this.remember({ failingIds: [{ id: String(id), reason }] });
  }

  #tell(): void {
    this.#known = undefined;
    this.#onFacts?.(Object.fromEntries(this.#stated));
  }
}

/** Gives the facts found less than `keptFor` milliseconds ago, and the time until which all of them hold. */
function fresh(
  facts: DatedFacts,
  keptFor: number,
  now: number,
): { readonly facts: DatedFacts; readonly until: number } {
  // If the clock was set back, they would be kept for longer.
  const kept = [...facts].filter(([, { foundAt }]) => Math.abs(now - foundAt) < keptFor);
  const until = kept.reduce((end, [, { foundAt }]) => Math.min(end, foundAt + keptFor), Number.POSITIVE_INFINITY);
  return { facts: new Map(kept), until };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The properties of a version of the Cosmos SDK (docs/nodes.md#versions). */
export interface SdkVersion {
  readonly minor: number;
  readonly patch: number;
}

/** Reads `v0.47.5-v24-osmo-4` as 0.47.5. Undefined for anything that is not a version of the 0.x line. */
export function readSdkVersion(text: string | null | undefined): SdkVersion | undefined {
  const found = /^v?0\.(\d+)\.(\d+)/.exec(text ?? '');
  return found ? { minor: Number(found[1]), patch: Number(found[2]) } : undefined;
}

/** True if proposals read newest first by key are complete (docs/nodes.md#reverse). */
export function reversesExactly(version: SdkVersion): boolean {
  if (version.minor < 43) return false;
  return version.minor !== 50 || version.patch >= 9;
}
