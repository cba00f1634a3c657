import { isApiError, isHttpError } from '../api/errors.ts';
import type { ChainNode, ProposalFilter } from '../api/node.ts';
import { type LoadPage, mapRows, type Page, readPages } from '../api/pages.ts';
import { concurrently } from '../api/sharing.ts';
import { quotient, whole } from '../chain/coin.ts';
import { toProposalRow, toVote } from '../chain/fromWire.ts';
import { type Proposal, type ProposalRow, totalVotes, type Vote, wireStatus } from '../chain/proposal.ts';
import { Judge, type JudgeRead } from '../session/judge.ts';
import { maxAges } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import type { PolledEndpoint } from './endpoint.ts';
import type { Voter } from './list.ts';
import type { PollPlan, PollScope } from './plan.ts';
import { isSameProposal, type SeenProposal, toSeen } from './snapshot.ts';

/** From so many proposals on, one page is cheaper than a request for each. */
const pageWorth = 4;
const pageLimit = 100;
const maxListed = 500;
const atOnce = 4;
/** Without an answer to these, nothing is said of votes. */
const needed: readonly JudgeRead[] = ['tally', 'params', 'power'];

/** What a poll has read; one that failed half-way has a part of what was planned. */
export interface PollFindings {
  /** What was read: `due` after a failure, as what was to be read is still to be read then. */
  readonly scope: PollScope;
  readonly voters: readonly Voter[];
  readonly rows: ReadonlyMap<bigint, ProposalRow>;
  /** Proposals that the chain does not have. */
  readonly missing: ReadonlySet<bigint>;
  readonly live: ReadonlyMap<bigint, SeenProposal['live']>;
  /** By denom, in base units. */
  readonly supplies: ReadonlyMap<string, bigint>;
  /** By account: its votes on proposals in voting. */
  readonly votes: ReadonlyMap<string, ReadonlyMap<bigint, Vote>>;
  /** All proposals in voting; undefined where they were not listed. */
  readonly voting: readonly ProposalRow[] | undefined;
}

/** Reads what is planned of a source. */
export class Poll {
  readonly #plan: PollPlan;
  readonly #endpoint: PolledEndpoint;
  readonly #rows = new Map<bigint, ProposalRow>();
  readonly #missing = new Set<bigint>();
  readonly #live = new Map<bigint, SeenProposal['live']>();
  readonly #supplies = new Map<string, bigint>();
  readonly #votes = new Map<string, ReadonlyMap<bigint, Vote>>();
  #voting: readonly ProposalRow[] | undefined;
  #judge: Judge | undefined;
  #scope: PollScope = 'due';

  constructor(plan: PollPlan, endpoint: PolledEndpoint) {
    this.#plan = plan;
    this.#endpoint = endpoint;
  }

  get findings(): PollFindings {
    return {
      scope: this.#scope,
      voters: this.#plan.voters,
      rows: this.#rows,
      missing: this.#missing,
      live: this.#live,
      supplies: this.#supplies,
      votes: this.#votes,
      voting: this.#voting,
    };
  }

  /** Whether an id that is known stands for another proposal now: the chain behind the address began anew. */
  get showsNewChain(): boolean {
    return [...this.#rows.values()].some((row) => {
      const known = this.#plan.known.get(row.id);
      return known !== undefined && row.kind === 'proposal' && !isSameProposal(known, toSeen(row));
    });
  }

  /** Reads what is due and hands it to the stores of the source, also where the source fails half-way. Rejects as it does. */
  async read(session: Session, signal: AbortSignal): Promise<void> {
    try {
      const node = await session.node();
      signal.throwIfAborted();
      await this.#readAll(session, node, signal);
      this.#scope = this.#plan.scope;
      if (this.#plan.scope === 'all') this.#endpoint.endRefresh(this.#plan.refresh);
    } finally {
      if (!signal.aborted) this.#share(session);
    }
  }

  async #readAll(session: Session, node: ChainNode, signal: AbortSignal): Promise<void> {
    const endpoint = this.#endpoint;
    for (const group of ['deposit', 'voting'] as const) {
      const isWhole = group === 'voting' && this.#plan.listsVoting;
      const inGroup = this.#unread.filter((id) => (this.#plan.known.get(id)?.status ?? group) === group);
      // Proposals that are looked at in every poll are worth a page from two on.
      if (!isWhole && inGroup.length < (this.#plan.scope === 'due' ? pageWorth : 2)) continue;
      const rows = await this.#list(node, { status: wireStatus[group] }, isWhole, signal);
      if (group === 'voting') this.#voting = rows;
    }
    // Those that left a status together. Where `reverse` cannot be trusted, the whole list would have to be read.
    if (this.#unread.length >= pageWorth && node.dialect.reverse !== false) await this.#list(node, {}, false, signal);
    await concurrently(this.#unread, atOnce, (id) =>
      endpoint.tolerate(`proposal ${id}`, () => this.#readOne(node, id, signal)),
    );
    await concurrently(this.#plan.denoms, atOnce, (denom) =>
      endpoint.tolerate(`denom ${denom}`, async () => {
        const { amount } = await node.supplyOf(denom, signal);
        this.#supplies.set(denom, BigInt(amount));
      }),
    );
    for (const account of this.#plan.accounts)
      await endpoint.tolerate(`votes ${account}`, () => this.#readVotes(node, account, signal));
    for (const id of this.#plan.tallies)
      await endpoint.tolerate(`tally ${id}`, () => this.#readTally(session, node, id, signal));
  }

  get #unread(): readonly bigint[] {
    return this.#plan.ids.filter((id) => !this.#rows.has(id) && !this.#missing.has(id));
  }

  /** Lists proposals newest first: all (up to five pages), or as far as one of those that are missing may follow. */
  async #list(
    node: ChainNode,
    filter: ProposalFilter,
    isWhole: boolean,
    signal: AbortSignal,
  ): Promise<readonly ProposalRow[]> {
    const all: ProposalRow[] = [];
    try {
      for await (const { rows } of this.#pages(node, filter, { reverse: true }, signal)) {
        for (const row of rows) all.push(row);
        this.#keep(rows);
        const last = rows.at(-1)?.id ?? 0n;
        if (!isWhole && this.#unread.every((id) => id > last)) break;
      }
    } catch (error) {
      // What came before is valid; what did not come is read one by one.
      if (!isApiError(error) || error.kind !== 'paging') throw error;
    }
    return all;
  }

  #pages(
    node: ChainNode,
    filter: ProposalFilter,
    order: { readonly reverse?: true },
    signal: AbortSignal,
  ): AsyncGenerator<Page<ProposalRow>, void> {
    const load: LoadPage<ProposalRow> = async (request) => {
      const page = await node.proposals(filter, { ...request, ...order }, signal);
      this.#endpoint.setTime(page.info.date);
      return mapRows(page, toProposalRow);
    };
    return readPages(load, { idOf: ({ id }) => `${id}`, signal, limit: pageLimit, enough: maxListed });
  }

  #keep(rows: readonly ProposalRow[]): void {
    for (const row of rows) {
      this.#rows.set(row.id, row);
      if (row.kind === 'unreadable') this.#endpoint.pause(`proposal ${row.id}`);
    }
  }

  async #readOne(node: ChainNode, id: bigint, signal: AbortSignal): Promise<void> {
    try {
      const reply = await node.proposal(id, signal);
      this.#endpoint.setTime(reply.info?.date);
      this.#keep([toProposalRow(reply)]);
    } catch (error) {
      if (!isHttpError(error) || error.status !== 404) throw error;
      this.#missing.add(id);
    }
  }

  /** On what an account has voted, by one list, and how, by one more request for each vote that is new. */
  async #readVotes(node: ChainNode, account: string, signal: AbortSignal): Promise<void> {
    const votes = new Map<bigint, Vote>();
    const pages = this.#pages(node, { status: wireStatus.voting, voter: account }, {}, signal);
    for await (const { rows } of this.#voting?.length === 0 ? [] : pages)
      for (const { id } of rows) {
        // A vote may be changed: a refresh reads it again.
        const known = this.#plan.isForced ? undefined : this.#plan.known.get(id)?.votes?.[account];
        const reply = known?.length ? undefined : await node.vote(id, account, signal);
        const vote = reply ? toVote(reply) : known;
        if (vote) votes.set(id, vote);
      }
    this.#votes.set(account, votes);
  }

  async #readTally(session: Session, node: ChainNode, id: bigint, signal: AbortSignal): Promise<void> {
    const proposal = await this.#inVoting(session, node, id, signal);
    if (!proposal) return;
    this.#judge ??= new Judge(node, signal);
    const judgement = await this.#judge.judge(proposal, new Date(this.#endpoint.now()));
    const { verdict, faults } = judgement;
    const fault = faults.find(({ read }) => needed.includes(read));
    if (fault) throw fault.error;
    // It has ended since it was read: the next poll tells of its result.
    if (judgement.proposal.status !== 'voting') return;
    const { rules, outcome, tally } = verdict;
    const reached = rules.find(({ name }) => name === 'quorum')?.result;
    const part = tally && quotient(tally.yes, totalVotes(tally));
    const { kind } = outcome;
    this.#live.set(id, {
      yes: part === undefined ? undefined : Number((part * 100n) / whole),
      quorum: reached === 'met' || (reached === 'missed' ? false : undefined),
      verdict: kind === 'wouldPass' || kind === 'wouldFail' ? kind : undefined,
    });
  }

  /** A proposal in voting with its contents, on which its rules depend: read before, or read for it. */
  async #inVoting(session: Session, node: ChainNode, id: bigint, signal: AbortSignal): Promise<Proposal | undefined> {
    const snapshot = this.#plan.known.get(id);
    const stored = session.stores.proposals.known(id);
    const isSame = stored?.kind === 'proposal' && stored.expedited === (snapshot?.expedited ?? stored.expedited);
    const isKnown = isSame && stored.status === 'voting' && snapshot?.status === 'voting';
    if (!this.#rows.has(id) && !this.#missing.has(id) && !isKnown) await this.#readOne(node, id, signal);
    const row = this.#missing.has(id) ? undefined : (this.#rows.get(id) ?? stored);
    return row?.kind === 'proposal' && row.status === 'voting' ? row : undefined;
  }

  #share({ stores: { proposals, supply } }: Session): void {
    // Every row that is new to a store makes views redraw, so only changed ones are handed over.
    const changed = [...this.#rows.values()].filter((row) => {
      const known = proposals.known(row.id);
      if (known?.kind !== 'proposal' || row.kind !== 'proposal') return known === undefined;
      return JSON.stringify(known.raw) !== JSON.stringify(row.raw);
    });
    if (changed.length > 0) proposals.update(changed);
    for (const [denom, amount] of this.#supplies) supply.pager.replace({ denom, amount });
    // How denoms are shown: read once for a session; without an answer the base units are shown.
    if (this.#supplies.size > 0) void supply.loadUnits({ maxAge: maxAges.screen });
  }
}
