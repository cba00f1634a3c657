import type { ChainNode } from '../../api/node.ts';
import { mapRows, type PageRequest, readPages } from '../../api/pages.ts';
import { statusNames } from '../../api/statusNames.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { toProposalRow } from '../../chain/toProposal.ts';
import type { NodeClock } from './nodeClock.ts';
import type { RequestMeter } from './requestMeter.ts';

/** Rows of one page; a status rarely has more. */
const pageLimit = 100;
const mostRows = 500;

/** Statuses that are listed as a whole. */
export type ListedStatus = 'deposit' | 'voting' | 'passed' | 'rejected' | 'failed';

const wireStatus: Readonly<Record<ListedStatus, string>> = {
  deposit: statusNames[1],
  voting: statusNames[2],
  passed: statusNames[3],
  rejected: statusNames[4],
  failed: statusNames[5],
};

/** The node as the watch list asks it: each request is counted, and each page tells the node's time. */
export class MeteredNode {
  readonly #node: ChainNode;
  readonly #meter: RequestMeter;
  readonly #clock: NodeClock;
  readonly #signal: AbortSignal;

  constructor(node: ChainNode, meter: RequestMeter, clock: NodeClock, signal: AbortSignal) {
    this.#node = node;
    this.#meter = meter;
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * The proposals of a status, newest first; further pages only while `wanted` says that some are missing. Rejects as
   * `ChainNode.proposals` does.
   */
  async list(status: ListedStatus, wanted: (rows: readonly ProposalRow[]) => boolean): Promise<readonly ProposalRow[]> {
    const rows: ProposalRow[] = [];
    const load = async (request: PageRequest, signal: AbortSignal) => {
      this.#meter.count();
      const page = await this.#node.proposals({ status: wireStatus[status] }, { ...request, reverse: true }, signal);
      this.#clock.learn(page.info.date);
      return mapRows(page, toProposalRow);
    };
    const idOf = ({ id }: ProposalRow) => `${id}`;
    for await (const page of readPages(load, { idOf, limit: pageLimit, enough: mostRows, signal: this.#signal })) {
      rows.push(...page.rows);
      if (!wanted(rows)) break;
    }
    return rows;
  }

  async proposal(id: bigint): Promise<ProposalRow> {
    this.#meter.count();
    return toProposalRow(await this.#node.proposal(id, this.#signal));
  }

  async supplyOf(denom: string): Promise<bigint> {
    this.#meter.count();
    return BigInt((await this.#node.supplyOf(denom, this.#signal)).amount);
  }

  /** The whole supply by denom, if it fits on one page. */
  async wholeSupply(): Promise<ReadonlyMap<string, bigint> | undefined> {
    this.#meter.count();
    const answer = await this.#node.supply({ limit: 1000 }, this.#signal);
    this.#clock.learn(answer.info.date);
    if (answer.nextKey !== undefined) return undefined;
    return new Map(answer.rows.map(({ denom, amount }) => [denom, BigInt(amount)]));
  }

  async tally(id: bigint) {
    this.#meter.count();
    return this.#node.tally(id, this.#signal);
  }

  async bondedTokens(): Promise<bigint | undefined> {
    this.#meter.count();
    const power = await this.#node.votingPower(this.#signal);
    return power?.total === undefined ? undefined : BigInt(power.total);
  }

  async govParams() {
    this.#meter.count();
    return this.#node.govParams(this.#signal);
  }
}
