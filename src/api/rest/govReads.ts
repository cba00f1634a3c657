import type { Deposit } from '../../chain/coin.ts';
import { forks } from '../../chain/gov/forks.ts';
import type { GovForm } from '../../chain/gov/proposal.ts';
import type { PowerModule } from '../../chain/gov/rules.ts';
import type { Tally, Vote } from '../../chain/gov/tally.ts';
import type { Client } from '../client.ts';
import { withValues } from '../decode/govParams.ts';
import { rowKinds, valuePage, wirePage } from '../decode/rowKinds.ts';
import { toTally, toVote } from '../decode/voteRows.ts';
import { isReplyError, isVoteMissing } from '../errors.ts';
import type { StatedGovParams, VotingPower } from '../node.ts';
import { powerModules } from '../operations.ts';
import { type ListRequest, type Page, pageQuery } from '../pages.ts';
import type { Reply, WireVote } from '../replySchemas.ts';
import { SharedWork } from '../sharing.ts';
import type { NodeTraits } from './dialect.ts';
import type { Gov } from './gov.ts';

/** The forms to try on a node of this form. An older form may offer reads that the newer one does not. */
const formsFrom: Readonly<Record<GovForm, readonly GovForm[]>> = { v1: ['v1', 'v1beta1'], v1beta1: ['v1beta1'] };

/** Votes, deposits, parameters and voting power of one node, for `ChainNode`. All methods reject like `Client.get`. */
export class GovReads {
  readonly #client: Client;
  readonly #gov: Gov;
  readonly #powerReads = new SharedWork<VotingPower | undefined>();

  constructor(client: Client, gov: Gov) {
    this.#client = client;
    this.#gov = gov;
  }

  async tally(id: bigint, signal: AbortSignal | undefined): Promise<Tally | undefined> {
    if ((await this.#gov.form(signal)) === undefined) return undefined;
    const proposalId = String(id);
    try {
      const segment = await this.#forkSegment(signal);
      const own =
        segment && (await this.#client.optional('tallyWithPower', { params: { proposalId }, segment, signal }));
      const stated = own ? own.reply.tally_result : undefined;
      if (stated) return toTally({ ...stated.v1_tally_result, power: sumOfPowers(stated) });
      const answer = await this.#inForm(
        (form) => this.#client.optional('tally', { params: { form, proposalId }, signal }),
        signal,
      );
      return toTally(answer?.reply.tally);
    } catch (error) {
      if (isReplyError(error) && error.code === 'shape') return undefined;
      throw error;
    }
  }

  async vote(id: bigint, voter: string, signal: AbortSignal | undefined): Promise<Vote | undefined> {
    const params = { proposalId: String(id), voter };
    try {
      const answer = await this.#inForm(
        (form) => this.#client.optional('vote', { params: { ...params, form }, signal }),
        signal,
      );
      return answer && toVote(answer.reply.vote);
    } catch (error) {
      if (isVoteMissing(error)) return undefined;
      throw error;
    }
  }

  /** Reads the votes unchanged. */
  async votes(id: bigint, request: ListRequest, signal: AbortSignal | undefined): Promise<Page<WireVote> | undefined> {
    const ask = { query: pageQuery(request), height: request.height, signal };
    const answer = await this.#inForm(
      (form) => this.#client.optional('votes', { ...ask, params: { proposalId: String(id), form } }),
      signal,
    );
    return answer && wirePage(answer, answer.reply.votes, rowKinds.vote, request);
  }

  async deposits(
    id: bigint,
    request: ListRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<Deposit> | undefined> {
    const ask = { query: pageQuery(request), height: request.height, signal };
    const answer = await this.#inForm(
      (form) => this.#client.optional('deposits', { ...ask, params: { proposalId: String(id), form } }),
      signal,
    );
    return answer && valuePage(answer, answer.reply.deposits, rowKinds.deposit, request);
  }

  /**
   * Reads the parameters. Gov v1 gives all of them at once since 0.47; earlier versions give one kind at a time
   * (docs/nodes.md#gov-params).
   */
  async params(signal: AbortSignal | undefined): Promise<StatedGovParams | undefined> {
    if ((await this.#gov.form(signal)) === undefined) return undefined;
    const { params: v1, tally_params: tally } = (await this.#paramsOf('tallying', signal)) ?? {};
    if (v1 && 'quorum_range' in v1)
      return withValues({ v1, quorums: (await this.#client.optional('govQuorums', { signal }))?.reply });
    if (v1) {
      const segment = await this.#forkSegment(signal);
      const own = segment && (await this.#client.optional('forkParams', { segment, signal }))?.reply.params;
      return withValues({ v1: { ...v1, ...own } });
    }
    if (!tally) return undefined;
    const [voting, deposit] = await Promise.all([this.#paramsOf('voting', signal), this.#paramsOf('deposit', signal)]);
    return withValues({
      tally,
      voting: voting?.voting_params ?? undefined,
      deposit: deposit?.deposit_params ?? undefined,
    });
  }

  /** Reads the voting power. Tallies that are asked for together share one request for its kind. */
  votingPower(signal: AbortSignal | undefined): Promise<VotingPower | undefined> {
    return this.#powerReads.join('', signal, (own) => this.#readPower(own));
  }

  async #inForm<T>(
    read: (form: GovForm) => Promise<T | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    for (const form of formsFrom[(await this.#gov.form(signal)) ?? 'v1beta1']) {
      const found = await read(form);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #paramsOf(kind: string, signal: AbortSignal | undefined): Promise<Reply<'govParams'> | undefined> {
    const answer = await this.#inForm(
      (form) => this.#client.optional('govParams', { params: { form, kind }, signal }),
      signal,
    );
    return answer?.reply;
  }

  async #readPower(signal: AbortSignal): Promise<VotingPower | undefined> {
    const { memory } = this.#client;
    const known = memory.traits.power;
    if (known === 'none') return undefined;
    for (const module of known ? [known] : powerModules) {
      const total = await powerOf[module](this.#client, signal);
      if (total === undefined) continue;
      memory.remember({ power: module });
      return { module, total: total === '' ? undefined : BigInt(total) };
    }
    // The refusals expire by themselves. This trait only follows from them.
    memory.suppose({ power: 'none' });
    return undefined;
  }

  /** Gives the segment of the fork that the source of the voting power shows. */
  async #forkSegment(signal: AbortSignal | undefined): Promise<string | undefined> {
    const { memory } = this.#client;
    if (memory.traits.power === undefined) await this.votingPower(signal);
    return ownSegment(memory.traits.power);
  }
}

/**
 * Reads the total power as each module states it: "" if the module has no single number, undefined if it is not
 * offered.
 */
const powerOf: Readonly<Record<PowerModule, (client: Client, signal: AbortSignal) => Promise<string | undefined>>> = {
  staking: async (client, signal) => (await client.optional('stakingPool', { signal }))?.reply.pool.bonded_tokens,
  mstaking: async (client, signal) => {
    const answer = await client.optional('mstakingPool', { segment: ownSegment('mstaking'), signal });
    const coins = answer?.reply.pool.bonded_tokens;
    return coins && (coins.length === 1 ? coins[0]?.amount : '');
  },
  poa: async (client, signal) => (await client.optional('totalPower', { signal }))?.reply.total_power,
};

/** Gives the segment below which a fork with this voting power has its own operations. */
function ownSegment(module: NodeTraits['power']): string | undefined {
  return forks.find(({ powerModule }) => powerModule !== undefined && powerModule === module)?.ownSegment;
}

/**
 * Sums the power of bonded validators and the unclaimed vesting of the voters. Undefined if these are not whole
 * numbers.
 */
function sumOfPowers(tally: Reply<'tallyWithPower'>['tally_result']): string | undefined {
  const wholeOf = (text: string): string | undefined => /^(\d{1,100})(\.\d{1,18})?$/.exec(text)?.[1];
  const [staked, vesting] = [wholeOf(tally.total_staking_power), wholeOf(tally.total_vesting_power || '0')];
  return staked === undefined || vesting === undefined ? undefined : String(BigInt(staked) + BigInt(vesting));
}
