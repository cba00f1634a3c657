import { isFresh, type Need } from './endpointPlan.ts';
import type { DenomEntry, ProposalEntry, ReadJob } from './endpointRead.ts';
import type { WatchedEntry } from './mergeEntries.ts';
import type { Reading } from './reading.ts';

/** A look at all that is watched of a source; `voting` says whether proposals in voting belong to it. */
export interface Look {
  readonly voting: boolean;
  /** Whether proposals in voting that nobody watches yet are wanted. */
  readonly everything: boolean;
}

export interface JobInput {
  readonly entries: readonly WatchedEntry[];
  readonly readings: ReadonlyMap<string, Reading>;
  /** What is due by itself. */
  readonly needs: readonly Need[];
  readonly look: Look | undefined;
  /** The node's time, and whether it should be asked for it. */
  readonly now: number;
  readonly tellTime: boolean;
  readonly longSupply: boolean;
}

/** What is asked of a source whose time runs. */
export function toJob(input: JobInput): ReadJob {
  const { entries, needs, look, readings } = input;
  const isStale = ({ entry, why }: Need) => why !== 'mark' || !isFresh(readings.get(entry.key), input.now);
  const due = needs.filter((need) => need.what === 'proposal' && isStale(need)).map(({ entry }) => entry);
  const newDenoms = needs.filter(({ what }) => what === 'supply').map(({ entry }) => entry);
  const statuses = look?.voting ? (['deposit', 'voting'] as const) : (['deposit'] as const);
  return {
    look: look ? statuses : [],
    everything: look?.everything === true,
    due: [...new Map(due.filter(isProposal).map((entry) => [entry.key, entry])).values()],
    denoms: (look ? entries : newDenoms).filter(isDenom),
    watched: entries.filter(isProposal),
    readings,
    tellTime: input.tellTime,
    longSupply: input.longSupply,
  };
}

/** All of a state file: one entry after the other, as its pages tell no more. */
export function toFileJob(entries: readonly WatchedEntry[], readings: ReadonlyMap<string, Reading>): ReadJob {
  const watched = entries.filter(isProposal);
  const denoms = entries.filter(isDenom);
  return { look: [], everything: false, due: watched, denoms, watched, readings, tellTime: false, longSupply: false };
}

/** Whether a job sends anything at all. */
export function asksSomething(job: ReadJob): boolean {
  const looked = job.look.length > 0 && job.watched.some(({ key }) => job.readings.get(key)?.kind === 'proposal');
  return looked || job.everything || job.due.length > 0 || job.denoms.length > 0;
}

function isProposal(entry: WatchedEntry): entry is ProposalEntry {
  return entry.target.kind === 'proposal';
}

function isDenom(entry: WatchedEntry): entry is DenomEntry {
  return entry.target.kind === 'denom';
}
