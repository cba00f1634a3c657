import type { ProposalRow } from '../chain/gov/proposal.ts';
import type { WatchedSource } from './plan.ts';
import type { PollFindings } from './poll.ts';
import { diffSnapshot, nextProposal, nextSupply, type Snapshot, toSeen, withVotes } from './snapshot.ts';
import type { WatchEvent, WatchState } from './storedState.ts';
import { foundEntry, isMuted, keyOf, type WatchItem } from './watchList.ts';

const keepEnded = 7 * 86_400_000;

/** Milliseconds since 1970 by the clock of the node and by that of this machine. */
interface PollTime {
  readonly node: number;
  readonly machine: number;
}

/**
 * Gives the state with its events after a poll, or, without `findings`, as time passes. Returns the same object if
 * nothing has changed.
 */
export function applyPoll(
  state: WatchState,
  source: WatchedSource,
  findings: PollFindings | undefined,
  time: PollTime,
): WatchState {
  const { sourceId, everything } = source;
  const before = state.sources.get(sourceId);
  const addedIds = findings ? newInVoting(findings, before?.found ?? []) : [];
  const named = new Set(source.entries.map(({ key }) => key));
  // A proposal that an entry names counts as found too, so that its vote does not seem to begin when the entry leaves
  // the list.
  const added = everything ? addedIds.map((id) => foundEntry(everything, id)).filter(({ key }) => !named.has(key)) : [];
  const addedKeys = new Set(added.map(({ key }) => key));
  const snapshots = new Map<string, Snapshot>();
  const events: WatchEvent[] = [];
  for (const entry of [...source.entries, ...added]) {
    const { key } = entry;
    // Proposals that are in voting when "everything" begins are not reported. Later ones are.
    const isNew = before?.found && addedKeys.has(key);
    const last = isNew ? nextProposal(undefined, { status: 'deposit' }, time.node) : state.snapshots.get(key);
    const after = findings ? nextSnapshot(entry, last, findings, time.node) : last;
    if (!after) continue;
    const found = diffSnapshot(last, after, entry.rules, time.node);
    if (findings || found.length > 0)
      snapshots.set(key, after.kind === 'proposal' ? { ...after, clock: time.node } : after);
    if (isMuted(entry.muted, time.machine)) continue;
    const title = after.kind === 'proposal' ? after.title : undefined;
    for (const { id, facts } of found) events.push({ id: `${key} ${id}`, key, title, facts, at: time.machine });
  }
  if (!findings && snapshots.size === 0) return state;
  const next = {
    ...state,
    snapshots: new Map([...state.snapshots, ...snapshots]),
    events: united(state.events, events),
  };
  return findings ? withPolled(next, source, findings, { addedIds, time }) : next;
}

/** Unites events, each once by its id. */
function united(known: readonly WatchEvent[], found: readonly WatchEvent[]): readonly WatchEvent[] {
  const events = new Map<string, WatchEvent>();
  for (const event of [...known, ...found]) if (!events.has(event.id)) events.set(event.id, event);
  return [...events.values()];
}

/** Gives the state with the data of the source: when it was polled, and the proposals that were found in voting. */
function withPolled(
  state: WatchState,
  { sourceId, everything }: WatchedSource,
  { scope, voting }: PollFindings,
  { addedIds, time }: { readonly addedIds: readonly bigint[]; readonly time: PollTime },
): WatchState {
  const before = state.sources.get(sourceId);
  const keepFor = everything?.own || everything?.shared ? keepEnded : -1;
  const isKept = (id: string): boolean => {
    const snapshot = state.snapshots.get(keyOf({ kind: 'proposal', sourceId, id: BigInt(id) }));
    if (snapshot?.kind !== 'proposal') return true;
    const { status, since } = snapshot;
    return status === 'voting' || status === 'deposit' || time.node - since <= keepFor;
  };
  const found = [...(before?.found ?? []).filter(isKept), ...addedIds.map(String)];
  const sources = new Map(state.sources).set(sourceId, {
    polledAt: scope === 'due' ? before?.polledAt : time.machine,
    votingPolledAt: scope === 'all' ? time.machine : before?.votingPolledAt,
    found: everything && (voting || before?.found) ? found : undefined,
  });
  return { ...state, sources };
}

function nextSnapshot(
  { rules, target }: WatchItem,
  before: Snapshot | undefined,
  findings: PollFindings,
  now: number,
): Snapshot | undefined {
  if (target.kind !== 'proposal') {
    const amount = target.kind === 'denom' ? findings.supplies.get(target.denom) : undefined;
    const last = before?.kind === 'denom' ? before : undefined;
    return amount === undefined ? last : nextSupply(last, amount, rules.supply, now);
  }
  const { id } = target;
  const last = before?.kind === 'proposal' ? before : undefined;
  const row = findings.rows.get(id);
  const live = findings.live.get(id);
  const known = row?.kind === 'proposal' ? toSeen(row) : live && last;
  const seen = findings.missing.has(id) ? ({ status: 'missing' } as const) : known && { ...known, live };
  const after = seen ? nextProposal(last, seen, now) : last;
  const votes = [...findings.votes].map(([account, ids]) => [account, ids.get(id) ?? []] as const);
  return after && withVotes(after, findings.voters, Object.fromEntries(votes));
}

function newInVoting({ voting = [] }: PollFindings, found: readonly string[]): readonly bigint[] {
  const isVoting = (row: ProposalRow): boolean => row.kind === 'proposal' && row.status === 'voting';
  return voting.filter(isVoting).flatMap(({ id }) => (found.includes(`${id}`) ? [] : [id]));
}
