import { isAbort, isApiError, isHttpError } from '../api/errors.ts';
import type { ProposalFilter } from '../api/gov.ts';
import type { ChainNode } from '../api/open.ts';
import { type LoadPage, mapRows, readPages } from '../api/pages.ts';
import { concurrently } from '../chain/concurrently.ts';
import { type GovParams, toGovParams } from '../chain/params.ts';
import { type ProposalRow, shares, toTally, toVote, type Vote, wireStatus } from '../chain/proposal.ts';
import { whole } from '../chain/ratio.ts';
import { toProposalRow } from '../chain/toProposal.ts';
import { openOutcome, toRules } from '../chain/verdict.ts';
import type { Session, SessionHold } from '../session/session.ts';
import { type Clock, NodeClock } from './clock.ts';
import type { PollPlan, PollResult } from './poll.ts';

/** State of an endpoint, for the view. */
export type EndpointState =
  | { readonly kind: 'idle' | 'answering' }
  /** Since when, and until when it is not asked again, by this machine's clock; and the message of the error. */
  | { readonly kind: 'down'; readonly since: number; readonly retryAt: number; readonly reason: string };

const second = 1000;
const minute = 60 * second;
/** From so many proposals on, one page is cheaper than a request for each. */
const pageWorth = 4;
const pageLimit = 100;
const mostListed = 500;
const atOnce = 4;
/** What has no usable reply is left alone for so long. */
const faultPause = 10 * minute;
/** Parameters and stake change slowly. */
const govKeptFor = 60 * minute;

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
  /** By the node's time. */
  readonly #pausedUntil = new Map<string, number>();
  #gov: { readonly params: GovParams; readonly bonded: bigint | undefined; readonly at: number } | undefined;
  #state: EndpointState = { kind: 'idle' };
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
    return this.#state.kind === 'down' && this.#clock.now() < this.#state.retryAt;
  }

  /** See `PlanInput`. */
  readonly isPaused = (what: string): boolean => this.nodeClock.now() < (this.#pausedUntil.get(what) ?? 0);

  /** Ends the wait after a failure. */
  retry(): void {
    if (this.#state.kind === 'down') this.#state = { ...this.#state, retryAt: 0 };
  }

  /** Lets everything be read at the next poll, and that come at once. */
  force(): void {
    this.#isForced = true;
    this.#pausedUntil.clear();
    this.retry();
  }

  /**
   * Reads what is planned; at most one poll is under way. Resolves with what was read, also where the source failed half-way.
   * Undefined once `signal` fired.
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
      scope: plan.scope,
      rows: new Map(),
      missing: new Set(),
      tallies: new Map(),
      supplies: new Map(),
      votes: new Map(),
      voting: undefined,
    };
    try {
      const node = await session.node();
      signal.throwIfAborted();
      await this.#read({ node, plan, result, signal });
      this.nodeClock.learn(undefined);
      this.#state = { kind: 'answering' };
      if (plan.scope === 'all') this.#isForced = false;
    } catch (error) {
      result.scope = 'due';
      if (!signal.aborted) this.#fail(error, plan.isOverdue);
    }
    if (!signal.aborted) shareRead(session, result);
    return result;
  }

  /**
   * The wait grows with the time without an answer, up to ten minutes. While the result of an ended period is due, the source is
   * asked every 8 s for a quarter of an hour.
   */
  #fail(error: unknown, isOverdue: boolean): void {
    const now = this.#clock.now();
    const since = this.#state.kind === 'down' ? this.#state.since : now;
    const down = now - since;
    const delay = isOverdue
      ? Math.min(5 * minute, Math.max(8 * second, down / 120))
      : Math.min(10 * minute, Math.max(15 * second, down / 2));
    const reason = error instanceof Error ? error.message : String(error);
    this.#state = { kind: 'down', since, retryAt: now + delay, reason };
  }

  /** Proposals by pages, then, one by one, those that are on none; denoms; votes. */
  async #read(reading: Reading): Promise<void> {
    const { plan, node, result } = reading;
    const fresh = plan.proposals.filter((id) => !plan.known.get(id)).length;
    for (const group of ['deposit', 'voting'] as const) {
      const known = plan.proposals.filter((id) => plan.known.get(id)?.status === group).length;
      const isWhole = group === 'voting' && plan.everything;
      // Proposals that are looked at in every poll are worth a page from two on.
      const isWorth = plan.scope === 'due' ? known + fresh >= pageWorth : known >= 2 || fresh >= pageWorth;
      if (!isWhole && !isWorth) continue;
      const rows = await this.#list(reading, { status: wireStatus[group] }, isWhole);
      if (group === 'voting') result.voting = rows;
    }
    // Those that left a status together. Where `reverse` cannot be trusted, the whole list would have to be read.
    if (missingIn(reading).length >= pageWorth && node.dialect.reverse !== false) await this.#list(reading, {}, false);
    await concurrently(missingIn(reading), atOnce, (id) =>
      this.#tolerate(`proposal ${id}`, () => this.#readOne(reading, id)),
    );
    await concurrently(plan.denoms, atOnce, (denom) =>
      this.#tolerate(`denom ${denom}`, () => this.#readSupply(reading, denom)),
    );
    for (const account of plan.voters)
      await this.#tolerate(`votes ${account}`, () => this.#readVotes(reading, account));
    for (const id of plan.tallies) await this.#tolerate(`tally ${id}`, () => this.#readTally(reading, id));
  }

  /** Lists proposals newest first: all (up to five pages), or as far as one of those that are missing may follow. */
  async #list(reading: Reading, filter: ProposalFilter, isWhole: boolean): Promise<readonly ProposalRow[]> {
    const all: ProposalRow[] = [];
    try {
      for await (const { rows } of this.#pages(reading, filter, { reverse: true })) {
        all.push(...rows);
        this.#keep(reading, rows);
        const last = rows.at(-1)?.id ?? 0n;
        if (!isWhole && missingIn(reading).every((id) => id > last)) break;
      }
    } catch (error) {
      // What came before is valid; what did not come is read one by one.
      if (!isApiError(error) || error.kind !== 'paging') throw error;
    }
    return all;
  }

  #pages({ node, signal }: Reading, filter: ProposalFilter, order: { readonly reverse?: true }) {
    const load: LoadPage<ProposalRow> = async (request) => {
      const page = await node.proposals(filter, { ...request, ...order }, signal);
      this.nodeClock.learn(page.info.date);
      return mapRows(page, toProposalRow);
    };
    return readPages(load, { idOf: ({ id }) => `${id}`, signal, limit: pageLimit, enough: mostListed });
  }

  #keep({ result }: Reading, rows: readonly ProposalRow[]): void {
    for (const row of rows) {
      result.rows.set(row.id, row);
      if (row.kind === 'unreadable') this.#pause(`proposal ${row.id}`);
    }
  }

  async #readOne(reading: Reading, id: bigint): Promise<void> {
    try {
      const reply = await reading.node.proposal(id, reading.signal);
      this.nodeClock.learn(reply.info?.date);
      this.#keep(reading, [toProposalRow(reply)]);
    } catch (error) {
      if (!isHttpError(error) || error.status !== 404) throw error;
      reading.result.missing.add(id);
    }
  }

  async #readSupply({ node, result, signal }: Reading, denom: string): Promise<void> {
    const { amount } = await node.supplyOf(denom, signal);
    result.supplies.set(denom, BigInt(amount));
  }

  /** On what an account has voted, by one list, and how, by one more request for each vote that is new. */
  async #readVotes(reading: Reading, account: string): Promise<void> {
    const { node, plan, result, signal } = reading;
    const votes = new Map<bigint, Vote>();
    const pages = this.#pages(reading, { status: wireStatus.voting, voter: account }, {});
    for await (const { rows } of result.voting?.length === 0 ? [] : pages)
      for (const { id } of rows) {
        // A vote may be changed: a refresh reads it again.
        const known = this.#isForced ? undefined : plan.known.get(id)?.votes?.[account];
        const reply = known?.length ? undefined : await node.vote(id, account, signal);
        const vote = reply ? toVote(reply) : known;
        if (vote) votes.set(id, vote);
      }
    result.votes.set(account, votes);
  }

  async #readTally({ node, plan, result, signal }: Reading, id: bigint): Promise<void> {
    const row = result.rows.get(id);
    const proposal = row?.kind === 'proposal' ? row : plan.known.get(id);
    if (proposal?.status !== 'voting') return;
    const tally = toTally(await node.tally(id, signal));
    const vote = { expedited: proposal.expedited === true, emergency: false, endorsed: false, contents: [] };
    const { rules } = toRules(vote, tally, await this.#readGov(node, signal));
    const reached = rules.find(({ name }) => name === 'quorum')?.result;
    const quorum = reached === 'met' || (reached === 'missed' ? false : undefined);
    const part = tally && shares(tally)?.yes;
    const yes = part === undefined ? undefined : Number((part * 100n) / whole);
    const { kind } = openOutcome(rules);
    const verdict = kind === 'wouldPass' || kind === 'wouldFail' ? kind : undefined;
    result.tallies.set(id, { yes, quorum, verdict });
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

  /** Leaves something alone for a while that the node answers without a usable reply; that is no fault of the endpoint. */
  async #tolerate(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isEntryFault(error)) throw error;
      this.#pause(what);
    }
  }

  #pause(what: string): void {
    this.#pausedUntil.set(what, this.nodeClock.now() + faultPause);
  }
}

function missingIn({ plan, result: { rows, missing } }: Reading): readonly bigint[] {
  return plan.proposals.filter((id) => !rows.has(id) && !missing.has(id));
}

function isEntryFault(error: unknown): boolean {
  if (isAbort(error) || !isApiError(error)) return false;
  if (isHttpError(error)) return error.status !== 429 && (error.status < 502 || error.status > 504);
  return error.kind === 'reply' || error.kind === 'input';
}

/** Hands what was read to the stores of the source, which views show. */
function shareRead({ proposals, supply }: Session, { rows, supplies }: PollResult): void {
  // Every row that a store learns makes views redraw, so only changed ones are handed over.
  const changed = [...rows.values()].filter((row) => {
    const known = proposals.known(row.id);
    if (known?.kind !== 'proposal' || row.kind !== 'proposal') return known === undefined;
    return JSON.stringify(known.raw) !== JSON.stringify(row.raw);
  });
  if (changed.length > 0) proposals.update(changed);
  for (const [denom, amount] of supplies) supply.pager.replace({ denom, amount });
  // How denoms are shown: read once for a session; without an answer the base units are shown.
  if (supplies.size > 0) void supply.loadUnits().catch(() => undefined);
}
