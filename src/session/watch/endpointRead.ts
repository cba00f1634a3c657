import { isAbort, isApiError, isHttpError } from '../../api/errors.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import type { WatchedEntry } from './mergeEntries.ts';
import type { ListedStatus, MeteredNode } from './meteredNode.ts';
import type { ProposalReading, Reading } from './reading.ts';
import { type SeenProposal, toSeen } from './takeIn.ts';
import type { WatchTarget } from './watchEntry.ts';

/** From so many rows on, one page is cheaper than asking for each. */
const pageWorth = 4;
/** From so many denoms on, the whole supply is tried. */
const supplyWorth = 3;
const atOnce = 4;

type Entry<K extends WatchTarget['kind']> = WatchedEntry & { readonly target: Extract<WatchTarget, { kind: K }> };
export type ProposalEntry = Entry<'proposal'>;
export type DenomEntry = Entry<'denom'>;

/** What is to be learned of one source. */
export interface ReadJob {
  /** Statuses whose watched proposals are looked at together. */
  readonly look: readonly ('deposit' | 'voting')[];
  /** Whether proposals in voting that nobody watches yet are wanted. */
  readonly everything: boolean;
  /** Proposals that must be learned now. */
  readonly due: readonly ProposalEntry[];
  readonly denoms: readonly DenomEntry[];
  /** Every watched proposal of the source, and what is known. */
  readonly watched: readonly ProposalEntry[];
  readonly readings: ReadonlyMap<string, Reading>;
  /** Whether the node should tell its time, which pages do. */
  readonly tellTime: boolean;
  /** Whether the whole supply did not fit on a page before. */
  readonly longSupply: boolean;
}

/** What was learned, by entry key; also when the source failed half-way. */
export interface ReadResult {
  readonly proposals: Map<string, SeenProposal>;
  readonly supplies: Map<string, bigint>;
  /** Everything that came, for whoever shows the source. */
  readonly rows: ProposalRow[];
  /** All proposals in voting, where they were listed. */
  voting: readonly ProposalRow[] | undefined;
  /** Entries that the node has an answer to, but not a usable one. */
  readonly faulty: Set<string>;
  longSupply: boolean;
  /** Why the source gave no (further) answer. */
  failure: unknown;
}

/** Nothing learned yet. */
export function emptyResult(job: ReadJob): ReadResult {
  return {
    proposals: new Map(),
    supplies: new Map(),
    rows: [],
    voting: undefined,
    faulty: new Set(),
    longSupply: job.longSupply,
    failure: undefined,
  };
}

/** Reads what a job asks for into `result`, by as few requests as possible. Rejects where the source fails; what was read stays. */
export async function readEndpoint(node: MeteredNode, job: ReadJob, result: ReadResult): Promise<void> {
  await readProposals(node, job, result);
  await readDenoms(node, job, result);
}

/** Pages first, then, one by one, what is due and stood on none of them. */
async function readProposals(node: MeteredNode, job: ReadJob, result: ReadResult): Promise<void> {
  const wanted = new Map(job.due.map((entry) => [entry.key, entry]));
  for (const status of pagesFor(job)) {
    const expected = inStatus(job, status);
    await list(node, job, result, status, expected);
    for (const entry of expected) wanted.set(entry.key, entry);
  }
  for (const status of job.look) {
    const expected = inStatus(job, status);
    if (expected.length < 2) for (const entry of expected) wanted.set(entry.key, entry);
  }
  const missing = () => [...wanted.values()].filter(({ key }) => !result.proposals.has(key));
  // Those that left a status together: into voting, or (the newest first) to an end.
  for (const next of ['voting', 'passed', 'rejected'] as const) {
    const left = missing().filter((entry) => statusOf(job, entry) === (next === 'voting' ? 'deposit' : 'voting'));
    const listed = next === 'voting' && result.voting !== undefined;
    if (left.length >= pageWorth && !listed) await list(node, job, result, next, left);
  }
  await each(missing(), (entry) => readOne(node, entry, result));
}

/** A status is listed when several of its proposals are looked at, or due at once; one is, when the time is wanted. */
function pagesFor(job: ReadJob): readonly ('deposit' | 'voting')[] {
  const pages = worthwhilePages(job);
  const asks = job.due.length > 0 || job.look.some((status) => inStatus(job, status).length > 0);
  if (pages.length > 0 || !job.tellTime || !asks) return pages;
  return [inStatus(job, 'deposit').length > 0 && inStatus(job, 'voting').length === 0 ? 'deposit' : 'voting'];
}

function worthwhilePages(job: ReadJob): readonly ('deposit' | 'voting')[] {
  const fresh = job.due.filter((entry) => statusOf(job, entry) === undefined).length;
  return (['deposit', 'voting'] as const).filter((status) => {
    const due = job.due.filter((entry) => statusOf(job, entry) === status).length;
    const looked = job.look.includes(status) && inStatus(job, status).length > 1;
    const everything = status === 'voting' && job.everything;
    return looked || everything || due + fresh >= pageWorth;
  });
}

async function list(
  node: MeteredNode,
  job: ReadJob,
  result: ReadResult,
  status: ListedStatus,
  expected: readonly ProposalEntry[],
): Promise<void> {
  const rows = await node.list(status, (read) => {
    const ids = new Set(read.map(({ id }) => id));
    return expected.some(({ target }) => !ids.has(target.id)) || (status === 'voting' && job.everything);
  });
  result.rows.push(...rows);
  if (status === 'voting') result.voting = rows;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const entry of job.watched) {
    const row = byId.get(entry.target.id);
    if (row) takeRow(entry, row, result);
  }
}

async function readOne(node: MeteredNode, entry: ProposalEntry, result: ReadResult): Promise<void> {
  try {
    const row = await node.proposal(entry.target.id);
    result.rows.push(row);
    takeRow(entry, row, result);
  } catch (error) {
    if (isHttpError(error) && error.status === 404) result.proposals.set(entry.key, { status: 'missing' });
    else if (isEntryFault(error)) result.faulty.add(entry.key);
    else throw error;
  }
}

function takeRow(entry: ProposalEntry, row: ProposalRow, result: ReadResult): void {
  if (row.kind === 'unreadable') result.faulty.add(entry.key);
  else {
    result.faulty.delete(entry.key);
    result.proposals.set(entry.key, toSeen(row));
  }
}

async function readDenoms(node: MeteredNode, job: ReadJob, result: ReadResult): Promise<void> {
  if (job.denoms.length >= supplyWorth && !job.longSupply) {
    const whole = await node.wholeSupply();
    if (whole) {
      for (const { key, target } of job.denoms) result.supplies.set(key, whole.get(target.denom) ?? 0n);
      return;
    }
    result.longSupply = true;
  }
  await each(job.denoms, async ({ key, target }) => {
    try {
      result.supplies.set(key, await node.supplyOf(target.denom));
    } catch (error) {
      if (!isEntryFault(error)) throw error;
      result.faulty.add(key);
    }
  });
}

function inStatus(job: ReadJob, status: 'deposit' | 'voting'): readonly ProposalEntry[] {
  return job.watched.filter((entry) => statusOf(job, entry) === status);
}

function statusOf(job: ReadJob, entry: ProposalEntry): ProposalReading['status'] | undefined {
  const reading = job.readings.get(entry.key);
  return reading?.kind === 'proposal' ? reading.status : undefined;
}

/** A few at a time; the first failure ends it. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) await Promise.all(items.slice(at, at + atOnce).map(work));
}

/** The node answers, but not to this: nothing to blame the endpoint for. */
export function isEntryFault(error: unknown): boolean {
  if (isAbort(error) || !isApiError(error)) return false;
  if (isHttpError(error)) return error.status !== 429 && (error.status < 502 || error.status > 504);
  return error.kind === 'reply' || error.kind === 'paging' || error.kind === 'input';
}
