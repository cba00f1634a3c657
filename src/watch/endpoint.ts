import { isAbort, isApiError, isHttpError } from '../api/errors.ts';
import type { ChainNode } from '../api/open.ts';
import { type LoadPage, mapRows, readPages } from '../api/pages.ts';
import { concurrently } from '../chain/concurrently.ts';
import { type GovParams, toGovParams } from '../chain/params.ts';
import {
  type ProposalRow,
  type StatusGroup,
  shares,
  toTally,
  toVote,
  type Vote,
  wireStatus,
} from '../chain/proposal.ts';
import { whole } from '../chain/ratio.ts';
import { toProposalRow } from '../chain/toProposal.ts';
import { openOutcome, toRules } from '../chain/verdict.ts';
import type { Session, SessionHold } from '../session/session.ts';
import { type Clock, NodeClock, retryDelay } from './clock.ts';
import { entryKey } from './list.ts';
import { type Attempts, type PollPlan, type PollResult, type ProposalEntry, voterKey } from './poll.ts';
import { toSeen } from './snapshot.ts';

/** State of an endpoint, for the view. */
export type EndpointState =
  | { readonly kind: 'idle' | 'answering' }
  /** Since when, by this machine's clock, and the message of the error. */
  | { readonly kind: 'down'; readonly since: number; readonly reason: string };

/** From so many proposals on, one page is cheaper than a request for each. */
const pageWorth = 4;
const pageLimit = 100;
const mostListed = 500;
const atOnce = 4;
/** An entry without a usable reply is left alone for so long. */
const faultPause = 10 * 60_000;
/** Parameters and stake change slowly. */
const govKeptFor = 3_600_000;

/** What the requests of one poll share. */
interface Reading {
  readonly node: ChainNode;
  readonly plan: PollPlan;
  readonly result: PollResult;
  readonly signal: AbortSignal;
}

/** A source that is polled: its session, its clock, whether it answers, and what this window remembers between two polls. */
export class PolledEndpoint {
  readonly #clock: Clock;
  readonly #hold: SessionHold;
  readonly #abort = new AbortController();
  readonly nodeClock: NodeClock;
  readonly attempts: Attempts = { notBefore: new Map(), tallies: new Map() };
  #gov: { readonly params: GovParams; readonly bonded: bigint | undefined; readonly at: number } | undefined;
  #state: EndpointState = { kind: 'idle' };
  #downSince: number | undefined;
  #retryAt = 0;
  #isForced = false;
  #polling: Promise<unknown> | undefined;

  constructor(clock: Clock, hold: SessionHold) {
    this.#clock = clock;
    this.#hold = hold;
    this.nodeClock = new NodeClock(clock);
  }

  get state(): EndpointState {
    return this.#state;
  }

  get isPolling(): boolean {
    return this.#polling !== undefined;
  }

  /** Whether everything is to be read at the next poll. */
  get isForced(): boolean {
    return this.#isForced;
  }

  /** Whether a source that did not answer is still to be left alone. */
  get isBackingOff(): boolean {
    return this.#clock.monotonic() < this.#retryAt;
  }

  /** Ends the wait after a failure. */
  retry(): void {
    this.#retryAt = 0;
  }

  /** Lets everything be read at the next poll, and that come at once. */
  force(): void {
    this.#isForced = true;
    this.attempts.notBefore.clear();
    this.retry();
  }

  /**
   * Reads what is planned; at most one poll is under way. Resolves with what was read, also where the source failed half-way:
   * `failed` then says so. Undefined once `signal` fired.
   */
  async poll(plan: PollPlan, signal: AbortSignal): Promise<PollResult | undefined> {
    const either = AbortSignal.any([signal, this.#abort.signal]);
    const polling = this.#poll(plan, either);
    this.#polling = polling;
    const result = await polling;
    this.#polling = undefined;
    return either.aborted ? undefined : result;
  }

  async dispose(): Promise<void> {
    this.#abort.abort();
    await this.#polling;
    await this.#hold.release();
  }

  /** Never rejects. */
  async #poll(plan: PollPlan, signal: AbortSignal): Promise<PollResult> {
    const { session } = this.#hold;
    const result: PollResult = {
      proposals: new Map(),
      supplies: new Map(),
      votes: new Map(),
      rows: [],
      voting: undefined,
      failed: false,
    };
    try {
      const node = await session.node();
      signal.throwIfAborted();
      await this.#read({ node, plan, result, signal });
      if (!this.nodeClock.isKnown) this.nodeClock.learn(undefined);
      this.#downSince = undefined;
      this.#state = { kind: 'answering' };
      if (plan.scope === 'all') this.#isForced = false;
    } catch (error) {
      result.failed = true;
      if (!signal.aborted) this.#fail(error, plan.isOverdue);
    }
    if (!signal.aborted) shareRead(session, plan, result);
    return result;
  }

  #fail(failure: unknown, isOverdue: boolean): void {
    const now = this.#clock.monotonic();
    this.#downSince ??= now;
    this.#retryAt = now + retryDelay(now - this.#downSince, isOverdue);
    const since = this.#state.kind === 'down' ? this.#state.since : this.#clock.now();
    this.#state = { kind: 'down', since, reason: failure instanceof Error ? failure.message : String(failure) };
  }

  /** Proposals by pages, then, one by one, those that are on none; denoms; votes. */
  async #read(reading: Reading): Promise<void> {
    const { plan, node } = reading;
    const fresh = plan.proposals.filter(({ key }) => !plan.known.has(key)).length;
    for (const group of ['deposit', 'voting'] as const) {
      const known = plan.proposals.filter(({ key }) => plan.known.get(key)?.status === group).length;
      const isWhole = group === 'voting' && plan.everything;
      // Proposals that are looked at in every poll are worth a page from two on.
      const isWorth = plan.scope === 'due' ? known + fresh >= pageWorth : known >= 2 || fresh >= pageWorth;
      if (!isWhole && !isWorth) continue;
      const rows = await this.#list(reading, group, isWhole);
      if (group === 'voting') reading.result.voting = rows;
    }
    // Those that left a status together. Where `reverse` cannot be trusted, the whole list would have to be read.
    if (missingIn(reading).length >= pageWorth && node.dialect.reverse !== false)
      await this.#list(reading, undefined, false);
    await concurrently(missingIn(reading), atOnce, (entry) => this.#readOne(reading, entry));
    await this.#readDenoms(reading);
    for (const { address } of plan.voters)
      await this.#tolerate(voterKey(address), () => this.#readVotes(reading, address));
    for (const entry of plan.tallies) await this.#readTally(reading, entry);
  }

  /** Lists proposals newest first: all (up to five pages), or as far as one of those that are missing may follow. */
  async #list(reading: Reading, group: StatusGroup | undefined, isWhole: boolean): Promise<readonly ProposalRow[]> {
    const { node, signal } = reading;
    const rows: ProposalRow[] = [];
    const filter = { status: group && wireStatus[group] };
    const load: LoadPage<ProposalRow> = async (request) => {
      const page = await node.proposals(filter, { ...request, reverse: true }, signal);
      this.nodeClock.learn(page.info.date);
      return mapRows(page, toProposalRow);
    };
    try {
      for await (const page of readPages(load, {
        idOf: ({ id }) => `${id}`,
        signal,
        limit: pageLimit,
        enough: mostListed,
      })) {
        rows.push(...page.rows);
        this.#take(reading, page.rows);
        const last = page.rows.at(-1)?.id ?? 0n;
        if (!isWhole && missingIn(reading).every(({ target }) => target.id > last)) break;
      }
    } catch (error) {
      // What came before is valid; what did not come is read one by one.
      if (!isApiError(error) || error.kind !== 'paging') throw error;
    }
    return rows;
  }

  async #readOne(reading: Reading, { key, target }: ProposalEntry): Promise<void> {
    await this.#tolerate(key, async () => {
      try {
        const reply = await reading.node.proposal(target.id, reading.signal);
        this.nodeClock.learn(reply.info?.date);
        this.#take(reading, [toProposalRow(reply)]);
      } catch (error) {
        if (!isHttpError(error) || error.status !== 404) throw error;
        reading.result.proposals.set(key, { status: 'missing' });
      }
    });
  }

  #take({ plan, result }: Reading, rows: readonly ProposalRow[]): void {
    result.rows.push(...rows);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { key, target } of plan.watched) {
      const row = byId.get(target.id);
      if (row?.kind === 'proposal') result.proposals.set(key, toSeen(row));
      else if (row) this.#leaveAlone(key);
    }
  }

  async #readDenoms({ node, plan: { denoms }, result: { supplies }, signal }: Reading): Promise<void> {
    await concurrently(denoms, atOnce, ({ key, target }) =>
      this.#tolerate(key, async () => {
        const { amount } = await node.supplyOf(target.denom, signal);
        supplies.set(key, BigInt(amount));
      }),
    );
  }

  /** On what an account has voted, by one list, and how, by one more request for each vote that is new. */
  async #readVotes({ node, plan, result, signal }: Reading, account: string): Promise<void> {
    const votes = new Map<string, Vote>();
    const load: LoadPage<{ readonly id: bigint }> = async (request) => {
      const page = await node.proposals({ status: wireStatus.voting, voter: account }, request, signal);
      this.nodeClock.learn(page.info.date);
      return page;
    };
    const { id: sourceId } = this.#hold.session.source;
    const options = { idOf: ({ id }: { id: bigint }) => `${id}`, signal, limit: pageLimit, enough: mostListed };
    for await (const page of result.voting?.length === 0 ? [] : readPages(load, options))
      for (const { id } of page.rows) {
        // A vote may be changed: a refresh reads it again.
        const before = this.#isForced ? undefined : plan.known.get(entryKey({ kind: 'proposal', sourceId, id }));
        const known = before?.votes?.[account];
        const reply = known?.length ? undefined : await node.vote(id, account, signal);
        const vote = known?.length ? known : reply && toVote(reply);
        if (vote) votes.set(`${id}`, vote);
      }
    result.votes.set(account, votes);
  }

  async #readTally({ node, plan, result, signal }: Reading, { key, target }: ProposalEntry): Promise<void> {
    const seen = result.proposals.get(key) ?? plan.known.get(key);
    if (seen?.status !== 'voting') return;
    this.attempts.tallies.set(key, this.nodeClock.now());
    const tally = toTally(await node.tally(target.id, signal));
    if (!tally) return;
    const vote = { expedited: seen.expedited === true, emergency: false, endorsed: false, contents: [] };
    const { rules } = toRules(vote, tally, await this.#readGov(node, signal));
    const reached = rules.find(({ name }) => name === 'quorum')?.result;
    const quorum = reached === 'met' || (reached === 'missed' ? false : undefined);
    const part = shares(tally)?.yes;
    const yes = part === undefined ? undefined : Number((part * 100n) / whole);
    const { kind } = openOutcome(rules);
    const verdict = kind === 'wouldPass' || kind === 'wouldFail' ? kind : undefined;
    result.proposals.set(key, { ...seen, live: { yes, quorum, verdict } });
  }

  /** What votes are counted with. */
  async #readGov(node: ChainNode, signal: AbortSignal) {
    const at = this.nodeClock.now();
    if (this.#gov && at - this.#gov.at < govKeptFor) return this.#gov;
    const params = toGovParams(await node.govParams(signal));
    const power = await node.votingPower(signal);
    this.#gov = { params, bonded: power?.total === undefined ? undefined : BigInt(power.total), at };
    return this.#gov;
  }

  /** Leaves an entry alone for a while that the node answers without a usable reply; that is no fault of the endpoint. */
  async #tolerate(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isEntryFault(error)) throw error;
      this.#leaveAlone(key);
    }
  }

  #leaveAlone(key: string): void {
    this.attempts.notBefore.set(key, this.nodeClock.now() + faultPause);
  }
}

function missingIn({ plan, result }: Reading): readonly ProposalEntry[] {
  return plan.proposals.filter(({ key }) => !result.proposals.has(key));
}

function isEntryFault(error: unknown): boolean {
  if (isAbort(error) || !isApiError(error)) return false;
  if (isHttpError(error)) return error.status !== 429 && (error.status < 502 || error.status > 504);
  return error.kind === 'reply' || error.kind === 'input';
}

/** Hands what was read to the stores of the source, which views show. */
function shareRead({ proposals, supply }: Session, { denoms }: PollPlan, { rows, supplies }: PollResult): void {
  // Every row that a store learns makes views redraw, so only changed ones are handed over.
  const changed = rows.filter((row) => {
    const known = proposals.known(row.id);
    if (known?.kind !== 'proposal' || row.kind !== 'proposal') return known === undefined;
    return known.status !== row.status || JSON.stringify(known.raw) !== JSON.stringify(row.raw);
  });
  if (changed.length > 0) proposals.update(changed);
  for (const { key, target } of denoms) {
    const amount = supplies.get(key);
    if (amount !== undefined) supply.pager.replace({ denom: target.denom, amount });
  }
  // How denoms are shown: read once for a session; without an answer the base units are shown.
  if (supplies.size > 0) void supply.loadUnits().catch(() => undefined);
}
