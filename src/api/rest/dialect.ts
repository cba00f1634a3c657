import * as z from 'zod/mini';
import { govForms, powerModules } from '../operations.ts';

const traitsSchema = z.object({
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

/** The known traits of an endpoint. */
export type NodeTraits = z.infer<typeof traitsSchema>;

/** Traits by name: the names of `NodeTraits`, and one for each member of a list, such as `unsupported tally`. */
const storedSchema = z.record(
  z.string(),
  z.object({
    value: z.unknown(),
    /** The time in milliseconds since 1970. */
    foundAt: z.number(),
  }),
);

/** The traits that a node has stated, each with its time. Plain JSON, which can be stored between runs. */
export type StoredTraits = z.infer<typeof storedSchema>;

type DatedTraits = Map<string, StoredTraits[string]>;

/** The time for which traits of the node itself are kept: a week, since nodes get upgraded. */
const statedFor = 7 * 24 * 3600 * 1000;

/** The time for which traits are kept that a proxy may have stated: five minutes, and never between runs. */
const supposedFor = 5 * 60 * 1000;

function entriesOf({
  unsupported,
  failing,
  failingIds,
  ...single
}: Partial<NodeTraits>): [name: string, value: unknown][] {
  return [
    ...Object.entries(single),
    ...(unsupported ?? []).map((read): [string, unknown] => [`unsupported ${read}`, read]),
    ...(failing ?? []).map((status): [string, unknown] => [`failing ${status}`, status]),
    ...(failingIds ?? []).map((row): [string, unknown] => [`failingIds ${row.id}`, row]),
  ];
}

/** Reads the traits. Undefined if a value does not fit its name. */
function toTraits(dated: DatedTraits): NodeTraits | undefined {
  const entries = [...dated].map(([name, { value }]) => [name, value] as const);
  const members = (list: string): unknown[] =>
    entries.flatMap(([name, value]) => (name.startsWith(`${list} `) ? [value] : []));
  const lists = { unsupported: members('unsupported'), failing: members('failing'), failingIds: members('failingIds') };
  const read = traitsSchema.safeParse({ ...Object.fromEntries(entries), ...lists });
  return read.success ? read.data : undefined;
}

function readStored(remembered: unknown): DatedTraits {
  const read = storedSchema.safeParse(remembered);
  const dated: DatedTraits = new Map(read.success ? Object.entries(read.data) : []);
  // A chain may get a gov module with an upgrade.
  if (dated.get('gov')?.value === 'none') dated.delete('gov');
  return toTraits(dated) ? dated : new Map();
}

/**
 * The known traits of one node. Each trait expires by itself, a fixed time after it was found; a later one does not renew
 * the others. A known trait that is found again keeps its time, so that it is looked up anew.
 */
export class DialectMemory {
  /** True once the node was asked for its version. */
  isVersionAsked = false;
  /** True if the segment has answered in this run, or the user has named it. */
  isSegmentCertain: boolean;
  #stated: DatedTraits;
  /** Traits that a proxy may have stated. They take precedence over stated ones for as long as they are kept. */
  #supposed: DatedTraits = new Map();
  #known: { readonly traits: NodeTraits; readonly until: number } | undefined;
  readonly #onTraits: ((traits: StoredTraits) => void) | undefined;
  readonly #named: string | undefined;

  /**
   * `remembered` is the value that an earlier `onTraits` received. Anything else is ignored, and so are traits older than
   * a week. `named` is the first path segment, if the user names one.
   */
  constructor(remembered?: unknown, onTraits?: (traits: StoredTraits) => void, named?: string) {
    this.#stated = readStored(remembered);
    this.#onTraits = onTraits;
    this.#named = named;
    this.isSegmentCertain = named !== undefined;
  }

  get traits(): Readonly<NodeTraits> {
    const now = Date.now();
    if (this.#known && now < this.#known.until) return this.#known.traits;
    const stated = fresh(this.#stated, statedFor, now);
    const supposed = fresh(this.#supposed, supposedFor, now);
    this.#stated = stated.traits;
    this.#supposed = supposed.traits;
    const traits = toTraits(new Map([...this.#stated, ...this.#supposed])) ?? {
      unsupported: [],
      failing: [],
      failingIds: [],
    };
    const known = { ...traits, segment: this.#named ?? traits.segment };
    this.#known = { traits: known, until: Math.min(stated.until, supposed.until) };
    return known;
  }

  get version(): SdkVersion | undefined {
    return readSdkVersion(this.traits.sdkVersion);
  }

  /**
   * Keeps traits that the node itself has stated for a week, and between runs. A member that is undefined is forgotten.
   */
  remember(traits: Partial<NodeTraits>): void {
    let isNew = false;
    const now = Date.now();
    for (const [name, value] of entriesOf(traits)) {
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

  /** Keeps traits that a proxy may have stated for five minutes, in memory only. */
  suppose(traits: Partial<NodeTraits>): void {
    const now = Date.now();
    for (const [name, value] of entriesOf(traits)) this.#supposed.set(name, { value, foundAt: now });
    this.#known = undefined;
  }

  /** Forgets the segment and the traits that were found below it. */
  forgetSegment(): void {
    for (const dated of [this.#stated, this.#supposed])
      for (const name of [...dated.keys()])
        if (/^(segment|govSegment|gov|unsupported .*)$/s.test(name)) dated.delete(name);
    this.#tell();
  }

  /** Forgets everything but a segment that the user has named. The stored traits stay until something new is found. */
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
    this.#onTraits?.(Object.fromEntries(this.#stated));
  }
}

/** Gives the traits found less than `keptFor` milliseconds ago, and the time until which all of them hold. */
function fresh(
  traits: DatedTraits,
  keptFor: number,
  now: number,
): { readonly traits: DatedTraits; readonly until: number } {
  // If the clock was set back, they would be kept for longer.
  const kept = [...traits].filter(([, { foundAt }]) => Math.abs(now - foundAt) < keptFor);
  const until = kept.reduce((end, [, { foundAt }]) => Math.min(end, foundAt + keptFor), Number.POSITIVE_INFINITY);
  return { traits: new Map(kept), until };
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
