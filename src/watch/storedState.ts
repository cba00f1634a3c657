import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { writeWhole } from '../session/writeWhole.ts';
import { votesSchema } from './voters.ts';

// What is stored of the watch list beside the setting: snapshots and events, in one file under the editor's storage of the
// extension. The schemas are the types. All of it may be lost without harm: the first poll afterwards reports nothing.

/** The chain's statuses; `missing`: withdrawn, or removed because its deposit was not reached. */
const statusSchema = z.enum([
  'deposit',
  'voting',
  'passed',
  'rejected',
  'failed',
  'vetoed',
  'unspecified',
  'unknown',
  'missing',
]);
export type WatchedStatus = z.infer<typeof statusSchema>;

/** What would happen if voting ended now. */
const verdictSchema = z.enum(['wouldPass', 'wouldFail']);

/** An amount in base units. */
const digits = z.string().check(z.regex(/^\d{1,100}$/));
const time = z.number();
const optionalTime = z.optional(time);

/** What was last read of a proposal. Times are milliseconds since 1970 of the node's clock. */
const proposalSchema = z.readonly(
  z.object({
    kind: z.literal('proposal'),
    status: statusSchema,
    title: z.optional(z.string()),
    submitTime: optionalTime,
    depositEnd: optionalTime,
    votingEnd: optionalTime,
    expedited: z.optional(z.boolean()),
    /** Percent of the votes so far that are yes, where there are any, and when they were counted. */
    tally: z.optional(z.object({ yes: z.optional(z.number()), at: time })),
    quorum: z.optional(z.boolean()),
    /** How the user's own accounts voted. */
    votes: z.optional(votesSchema),
    verdict: z.optional(verdictSchema),
    /** How often the verdict flipped. */
    flips: z.number(),
    /** When it was read. */
    at: time,
    /** Up to when its deadlines were reported. */
    clock: time,
    /** When this status was first read. */
    since: time,
    /** Whether an ended proposal was read again some time after. */
    settled: z.boolean(),
    /** How it ended last; `turn` counts the endings that differ: a chain that was restarted from an earlier height may decide anew. */
    ending: z.optional(z.object({ status: statusSchema, turn: z.number() })),
    /** A status that cannot follow on this one, as a lagging node reports it, and how often it was read. */
    doubted: z.optional(z.object({ status: statusSchema, since: time, count: z.number() })),
  }),
);
export type ProposalSnapshot = z.infer<typeof proposalSchema>;

const amountAt = z.object({ amount: digits, at: time });

/** What was last read of the supply of a denom. */
const denomSchema = z.readonly(
  z.object({
    kind: z.literal('denom'),
    amount: digits,
    at: time,
    /** What a change is counted from: the amount when a change was last reported. */
    base: amountAt,
    /** What "since …" in the view counts from: a day old, or as old as there is. */
    earlier: amountAt,
    newer: amountAt,
  }),
);
export type DenomSnapshot = z.infer<typeof denomSchema>;

const snapshotSchema = z.discriminatedUnion('kind', [proposalSchema, denomSchema]);
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Set where none of the user's accounts has voted. */
const isUnvotedFlag = z.optional(z.literal(true));

const factsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), from: statusSchema, to: statusSchema, unvoted: isUnvotedFlag }),
  z.object({
    kind: z.literal('ends'),
    period: z.enum(['deposit', 'voting']),
    hours: z.number(),
    end: time,
    unvoted: isUnvotedFlag,
  }),
  z.object({ kind: z.literal('quorum') }),
  z.object({ kind: z.literal('verdict'), to: verdictSchema }),
  z.object({ kind: z.literal('supply'), from: digits, to: digits, since: time }),
]);
/** What an event says. */
export type EventFacts = z.infer<typeof factsSchema>;

const eventSchema = z.readonly(
  z.object({
    id: z.string(),
    /** Key of the entry. */
    key: z.string(),
    title: z.optional(z.string()),
    facts: factsSchema,
    /** When it was found, by this machine's clock. */
    at: time,
    /** Whether it was shown as a notification, or seen in the view. */
    told: z.boolean(),
  }),
);
export type WatchEvent = z.infer<typeof eventSchema>;

const sourceSchema = z.readonly(
  z.object({
    /** When everything was last polled, and when with proposals in voting, by this machine's clock. */
    polledAt: optionalTime,
    votingPolledAt: optionalTime,
    /** Ids of proposals that "everything in voting" found; absent before its first poll. */
    found: z.optional(z.array(z.string())),
  }),
);
export type SourceState = z.infer<typeof sourceSchema>;

/** What one window knows, and leaves to the next one that gets the focus. */
export interface WatchState {
  /** By entry key. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** By source id. */
  readonly sources: ReadonlyMap<string, SourceState>;
  /** The latest events, oldest first. */
  readonly events: readonly WatchEvent[];
}

export const emptyState: WatchState = { snapshots: new Map(), sources: new Map(), events: [] };

const version = 1;

const fileSchema = z.object({
  version: z.literal(version),
  snapshots: z.array(z.tuple([z.string(), snapshotSchema])),
  sources: z.array(z.tuple([z.string(), sourceSchema])),
  events: z.array(eventSchema),
});

/** Events are reported within a week or not at all; snapshots that no poll has renewed for so long are read anew. */
const eventAge = 7 * 24 * 3_600_000;
const snapshotAge = 90 * 24 * 3_600_000;
const mostEvents = 200;

/** The state without what is too old. `now` is this machine's time. */
export function pruneState({ snapshots, sources, events }: WatchState, now: number): WatchState {
  return {
    snapshots: new Map([...snapshots].filter(([, { at }]) => now - at < snapshotAge)),
    sources: new Map([...sources].filter(([, { polledAt }]) => now - (polledAt ?? 0) < snapshotAge)),
    events: events.filter(({ at }) => now - at < eventAge).slice(-mostEvents),
  };
}

/** Writes the state whole or not at all. Rejects as the disk refuses. */
export async function writeStateFile(path: string, { snapshots, sources, events }: WatchState): Promise<void> {
  const text = JSON.stringify({ version, snapshots: [...snapshots], sources: [...sources], events });
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, [text]);
}

/** The state in a file; undefined where there is none of this version. */
export async function readStateFile(path: string): Promise<WatchState | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const { data } = fileSchema.safeParse(text === undefined ? undefined : parseJson(text));
  return data && { snapshots: new Map(data.snapshots), sources: new Map(data.sources), events: data.events };
}

/** A JSON text; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
