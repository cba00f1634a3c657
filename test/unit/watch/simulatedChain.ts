import { withValues } from '../../../src/api/decode/govParams.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import { HttpError, UnreachableError } from '../../../src/api/errors.ts';
import type { ChainNode, ProposalFilter, ProposalsRequest } from '../../../src/api/node.ts';
import type { WireProposal } from '../../../src/api/replySchemas.ts';
import { statusNames } from '../../../src/api/wireValues.ts';
import type { ProposalRow } from '../../../src/chain/gov/proposal.ts';
import type { CastOption } from '../../../src/chain/gov/tally.ts';
import type { World } from './fakeClock.ts';

const blockTime = 6000;

/** A proposal and what becomes of it. Times are milliseconds since 1970 of the true time. */
export interface Course {
  readonly id: bigint;
  readonly submitted: number;
  readonly depositEnd: number;
  /** When its deposit is reached; undefined: never, it is removed after `depositEnd`. */
  readonly voteStart: number | undefined;
  readonly voteEnd: number;
  readonly result: 'passed' | 'rejected' | 'failed';
  /** Votes by then, in millionths of the bonded tokens. */
  readonly votes?: (time: number) => { yes: bigint; no: bigint };
}

export type SimStatus = 'absent' | 'deposit' | 'voting' | 'passed' | 'rejected' | 'failed';

/** Something that the node says for a while instead of the truth. */
export interface Lie {
  readonly id: bigint;
  readonly from: number;
  readonly to: number;
  readonly status: SimStatus;
}

/** A chain of which only the node can be seen. */
export class SimulatedChain implements ChainNode {
  readonly baseUrl: string;
  readonly dialect: ChainNode['dialect'] = {
    segment: 'chain',
    supplyOf: 'path',
    gov: 'v1beta1',
    reverse: true,
    height: false,
    sdkVersion: undefined,
    chainId: undefined,
    unsupported: [],
    failing: [],
    failingIds: [],
  };
  readonly countsFiltered = true;
  readonly courses: Course[] = [];
  readonly lies: Lie[] = [];
  /** Votes on open proposals, and from when on the chain has them. */
  readonly cast: { id: bigint; voter: string; from: number; option: CastOption }[] = [];
  readonly outages: { from: number; to: number }[] = [];
  supplyAmount = (_time: number) => 1_000_000n;
  /** Times of all requests, and of those that were answered. */
  readonly asked: number[] = [];
  readonly answered: number[] = [];
  /** How often a session was opened over it, and ended. */
  opened = 0;
  disposed = 0;
  underWay = 0;
  maxUnderWay = 0;
  readonly #world: World;
  #held: Promise<void> = Promise.resolve();
  #arrived = Promise.withResolvers<void>();

  constructor(world: World, baseUrl: string) {
    this.#world = world;
    this.baseUrl = baseUrl;
  }

  offers(): boolean {
    return true;
  }

  /** The time of the block that closes what ended at `time`. */
  closing(time: number): number {
    return Math.ceil(time / blockTime) * blockTime;
  }

  statusAt(course: Course, time: number): SimStatus {
    if (time < course.submitted) return 'absent';
    if (course.voteStart === undefined) return time < this.closing(course.depositEnd) ? 'deposit' : 'absent';
    if (time < course.voteStart) return 'deposit';
    return time < this.closing(course.voteEnd) ? 'voting' : course.result;
  }

  isDown(time: number): boolean {
    return this.outages.some(({ from, to }) => time >= from && time < to);
  }

  async proposals(filter: ProposalFilter, page: ProposalsRequest) {
    await this.#answer();
    const rows = this.courses
      .filter((course) => filter.status === undefined || this.#told(course) === filter.status)
      .filter((course) => this.#told(course) !== 'absent')
      .filter(({ id }) => filter.voter === undefined || this.#hasVoted(id, filter.voter) !== undefined)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const from = Number(page.key ?? 0);
    const limit = page.limit ?? 100;
    const shown = rows.slice(from, from + limit);
    const next = from + limit < rows.length ? String(from + limit) : undefined;
    return {
      rows: shown.map((course) => this.#row(course)),
      nextKey: next,
      total: undefined,
      info: this.#info,
    };
  }

  async proposal(id: bigint) {
    await this.#answer();
    const course = this.courses.find((one) => one.id === id);
    if (!course || this.#told(course) === 'absent')
      throw new HttpError(this.baseUrl, 404, 5, `proposal ${id} doesn't exist`);
    return this.#row(course);
  }

  async tally(id: bigint) {
    await this.#answer();
    const course = this.courses.find((one) => one.id === id);
    const { yes, no } = course?.votes?.(this.#world.time) ?? { yes: 0n, no: 0n };
    return { yes, abstain: 0n, no, noWithVeto: 0n };
  }

  async vote(id: bigint, voter: string) {
    await this.#answer();
    const option = this.#hasVoted(id, voter);
    return option === undefined ? undefined : [{ option, weight: '1.000000000000000000' }];
  }

  #hasVoted(id: bigint, voter: string): CastOption | undefined {
    const vote = this.cast.find((one) => one.id === id && one.voter === voter && one.from <= this.#world.time);
    return vote?.option;
  }

  async votes() {
    await this.#answer();
    return undefined;
  }

  async rawRows() {
    return undefined;
  }

  async deposits() {
    await this.#answer();
    return undefined;
  }

  async validators() {
    await this.#answer();
    return undefined;
  }

  async govParams() {
    await this.#answer();
    return withValues({ tally: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' } });
  }

  async votingPower() {
    await this.#answer();
    return { total: 1_000_000n, module: 'staking' } as const;
  }

  async supplyOf(denom: string) {
    await this.#answer();
    return { denom, amount: this.supplyAmount(this.#world.time) };
  }

  async supply() {
    await this.#answer();
    return { rows: [], nextKey: 'more', total: undefined, info: {} };
  }

  async moduleParams() {
    return undefined;
  }

  async ibcDenom() {
    return undefined;
  }

  async block() {
    return undefined;
  }

  async appliedHeight() {
    return undefined;
  }

  async denomsMetadata() {
    return undefined;
  }

  async param() {
    return undefined;
  }

  async legacyParam() {
    return undefined;
  }

  async communityPool() {
    return undefined;
  }

  async genesisValidators() {
    return undefined;
  }
  async voters() {
    return undefined;
  }
  async stake() {
    return undefined;
  }

  async schedule() {
    return undefined;
  }

  async signingInfos() {
    return undefined;
  }

  async sendEnabled() {
    return undefined;
  }

  async currentPlan() {
    return undefined;
  }

  async minting() {
    return { inflation: undefined, annualProvisions: undefined };
  }

  async moduleAccounts() {
    return undefined;
  }

  async bondDenom() {
    return undefined;
  }

  async stakingPool() {
    return undefined;
  }

  async balances() {
    return undefined;
  }

  async balance() {
    return undefined;
  }

  async channels() {
    return undefined;
  }

  async ibcClient() {
    return undefined;
  }

  async messageTypes() {
    return undefined;
  }

  async escrowAddress() {
    return undefined;
  }

  async simulate(): Promise<never> {
    throw new Error('The watch list submits nothing');
  }

  async supplySplit() {
    return undefined;
  }

  async largestHolders() {
    return undefined;
  }

  async stateParams() {
    return undefined;
  }

  async hasAccount() {
    return undefined;
  }

  async stateModules() {
    return undefined;
  }

  async holding() {
    return undefined;
  }

  async denomOwners() {
    return undefined;
  }

  forgetTraits() {}

  at() {
    return this;
  }

  async nodeInfo() {
    return undefined;
  }

  urlOf() {
    return this.baseUrl;
  }

  async dispose() {
    this.disposed += 1;
  }

  get #info() {
    return { date: new Date(Math.floor(this.#world.time / 1000) * 1000) };
  }

  /** Holds answers back until the result is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    this.#arrived = Promise.withResolvers<void>();
    return resolve;
  }

  async waitForRequest(): Promise<void> {
    await this.#arrived.promise;
  }

  async #answer(): Promise<void> {
    const { time } = this.#world;
    this.asked.push(time);
    this.underWay += 1;
    this.maxUnderWay = Math.max(this.maxUnderWay, this.underWay);
    this.#arrived.resolve();
    await this.#held;
    this.underWay -= 1;
    if (this.isDown(time)) throw new UnreachableError(this.baseUrl, 'ECONNREFUSED', 'connection refused');
    this.answered.push(time);
  }

  #told(course: Course): SimStatus {
    const { time } = this.#world;
    const lie = this.lies.find((one) => one.id === course.id && time >= one.from && time < one.to);
    return lie?.status ?? this.statusAt(course, time);
  }

  #row(course: Course): ProposalRow {
    return toProposalRow(readProposalRow('v1beta1', this.#wire(course)), this.#info);
  }

  #wire(course: Course): WireProposal {
    const told = this.#told(course);
    const zero = '0001-01-01T00:00:00Z';
    const time = (milliseconds: number | undefined) =>
      milliseconds === undefined ? zero : new Date(milliseconds).toISOString();
    return {
      proposal_id: String(course.id),
      content: { type_url: '/cosmos.gov.v1beta1.TextProposal', value: 'CgVUaXRsZRIEVGV4dA==' },
      status: wire[told],
      final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
      submit_time: time(course.submitted),
      deposit_end_time: time(course.depositEnd),
      total_deposit: [],
      voting_start_time: told === 'deposit' ? zero : time(course.voteStart),
      voting_end_time: told === 'deposit' ? zero : time(course.voteEnd),
    };
  }
}

const wire: Readonly<Record<SimStatus, string>> = {
  absent: '',
  deposit: statusNames[1],
  voting: statusNames[2],
  passed: statusNames[3],
  rejected: statusNames[4],
  failed: statusNames[5],
};
