import { isApiError, isHttpError } from '../api/errors.ts';
import type { ChainNode, ProposalFilter } from '../api/node.ts';
import type { Page } from '../api/pages.ts';
import { type LoadPage, readPages } from '../api/readPages.ts';
import { concurrently } from '../api/sharing.ts';
import type { Proposal, ProposalRow } from '../chain/gov/proposal.ts';
import { totalVotes, type Vote } from '../chain/gov/tally.ts';
import { quotient, whole } from '../chain/ratio.ts';
import { Judge, type JudgeRead } from '../reads/judge.ts';
import { maxAges } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import type { PolledEndpoint } from './endpoint.ts';
import type { PollPlan, PollScope } from './plan.ts';
import { isSameProposal, type SeenProposal, toSeen } from './snapshot.ts';
import type { Voter } from './voters.ts';

/** From this number of proposals on, one page is cheaper than a request for each. */
const pageWorth = 4;
const pageLimit = 100;
const maxListed = 500;
const atOnce = 4;
/** Reads without which nothing is said of votes. */
const needed: readonly JudgeRead[] = ['tally', 'params', 'power'];

/** The results of a poll. One that failed half-way has a part of its plan. */
export interface PollFindings {
  /** The scope that was read; `due` after a failure, since the rest is still to be read. */
  readonly scope: PollScope;
  readonly voters: readonly Voter[];
  readonly rows: ReadonlyMap<bigint, ProposalRow>;
  /** Proposals that the chain does not have. */
  readonly missing: ReadonlySet<bigint>;
  readonly live: ReadonlyMap<bigint, SeenProposal['live']>;
  /** Supplies by denom, in base units. */
  readonly supplies: ReadonlyMap<string, bigint>;
  /** By account: its votes on proposals in voting. */
  readonly votes: ReadonlyMap<string, ReadonlyMap<bigint, Vote>>;
  /** All proposals in voting; undefined if they were not listed. */
  readonly voting: readonly ProposalRow[] | undefined;
}

/** Reads the plan of a poll. */
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

  /** True if a known id is now the id of another proposal, because the chain behind the address began anew. */
  get showsNewChain(): boolean {
    return [...this.#rows.values()].some((row) => {
      const known = this.#plan.known.get(row.id);
      return known !== undefined && row.kind === 'proposal' && !isSameProposal(known, toSeen(row));
    });
  }

  /**
   * Reads the plan and hands the results to the lists of the source, even if the source fails half-way. Rejects as the
   * source does.
   */
  async read(session: Session, signal: AbortSignal): Promise<void> {
    try {
      const node = await session.node();
      signal.throwIfAborted();
      await this.#readAll(session, node, signal);
      this.#scope = this.#plan.scope;
      if (this.#plan.scope === 'all') this.#endpoint.answerRefreshes(this.#plan.refreshes);
    } finally {
      if (!signal.aborted) this.#share(session);
    }
  }

  async #readAll(session: Session, node: ChainNode, signal: AbortSignal): Promise<void> {
    const endpoint = this.#endpoint;
    for (const group of ['deposit', 'voting'] as const) {
      const isWhole = group === 'voting' && this.#plan.listsVoting;
      const inGroup = this.#unread.filter((id) => (this.#plan.known.get(id)?.status ?? group) === group);
      // Proposals that every poll looks at are worth a page from two on.
      if (!isWhole && inGroup.length < (this.#plan.scope === 'due' ? pageWorth : 2)) continue;
      const rows = await this.#list(node, { status: group }, isWhole, signal);
      if (group === 'voting') this.#voting = rows;
    }
    // Reads proposals that left a status together. Where `reverse` cannot be trusted, the whole list would have to be
    // read.
    if (this.#unread.length >= pageWorth && node.dialect.reverse !== false) await this.#list(node, {}, false, signal);
    await concurrently(this.#unread, atOnce, (id) =>
      endpoint.tolerate(`proposal ${id}`, () => this.#readOne(node, id, signal)),
    );
    await concurrently(this.#plan.denoms, atOnce, (denom) =>
      endpoint.tolerate(`denom ${denom}`, async () => {
        const { amount } = await node.supplyOf(denom, signal);
        this.#supplies.set(denom, amount);
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

  /** Lists proposals newest first: up to five pages, or as far as a missing proposal may follow. */
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
      // Rows that came before the error are valid. Missing ones are read one by one.
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
      return page;
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
      const row = await node.proposal(id, signal);
      this.#endpoint.setTime(row.date);
      this.#keep([row]);
    } catch (error) {
      if (!isHttpError(error) || error.status !== 404) throw error;
      this.#missing.add(id);
    }
  }

  /** Reads the proposals on which an account has voted by one list, and each new vote by one more request. */
  async #readVotes(node: ChainNode, account: string, signal: AbortSignal): Promise<void> {
    const votes = new Map<bigint, Vote>();
    const pages = this.#pages(node, { status: 'voting', voter: account }, {}, signal);
    for await (const { rows } of this.#voting?.length === 0 ? [] : pages)
      for (const { id } of rows) {
        // A vote may be changed, so a refresh reads it again.
        const known = this.#plan.isForced ? undefined : this.#plan.known.get(id)?.votes?.[account];
        const vote = known?.length ? known : ((await node.vote(id, account, signal)) ?? known);
        if (vote) votes.set(id, vote);
      }
    this.#votes.set(account, votes);
  }

  async #readTally(session: Session, node: ChainNode, id: bigint, signal: AbortSignal): Promise<void> {
    const proposal = await this.#inVoting(session, node, id, signal);
    if (!proposal) return;
    this.#judge ??= new Judge(node, session.kept, { maxAge: 0, signal });
    const judgement = await this.#judge.judge(proposal, new Date(this.#endpoint.now()));
    const { verdict, faults } = judgement;
    const fault = faults.find(({ read }) => needed.includes(read));
    if (fault) throw fault.error;
    // The vote has ended since it was read. The next poll tells of its result.
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

  /** Gives a proposal in voting with its contents, on which its rules depend. It is read if it was not read before. */
  async #inVoting(session: Session, node: ChainNode, id: bigint, signal: AbortSignal): Promise<Proposal | undefined> {
    const snapshot = this.#plan.known.get(id);
    const stored = session.lists.proposals.find(id);
    const isSame = stored?.kind === 'proposal' && stored.expedited === (snapshot?.expedited ?? stored.expedited);
    const isKnown = isSame && stored.status === 'voting' && snapshot?.status === 'voting';
    if (!this.#rows.has(id) && !this.#missing.has(id) && !isKnown) await this.#readOne(node, id, signal);
    const row = this.#missing.has(id) ? undefined : (this.#rows.get(id) ?? stored);
    return row?.kind === 'proposal' && row.status === 'voting' ? row : undefined;
  }

  #share({ lists: { proposals, supply } }: Session): void {
    // Every new row makes the views redraw, so only changed rows are handed over.
    const changed = [...this.#rows.values()].filter((row) => {
      const known = proposals.find(row.id);
      if (known?.kind !== 'proposal' || row.kind !== 'proposal') return known === undefined;
      return JSON.stringify(known.raw) !== JSON.stringify(row.raw);
    });
    if (changed.length > 0) proposals.update(changed);
    for (const [denom, amount] of this.#supplies) supply.pager.replace({ denom, amount });
    // Units are read once for a session. Without an answer, base units are shown.
    if (this.#supplies.size > 0) void supply.loadUnits({ maxAge: maxAges.screen });
  }
}
