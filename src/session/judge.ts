import { heightFault } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { toProposalRow, toTally, toVote, toVoteFacts } from '../chain/fromWire.ts';
import {
  type Proposal,
  type ProposalRow,
  type Tally,
  totalVotes,
  type Vote,
  type VoteOption,
  voteOptions,
} from '../chain/proposal.ts';
import { type Assumption, type Known, toVerdict, type Verdict } from '../chain/verdict.ts';

/** What a verdict rests on beside its proposal. */
export interface JudgeInputs extends Known {
  readonly readAt: Date;
}

/** What is read for a verdict; `votes` only where zeros of the tally leave it open. */
export type JudgeRead = 'tally' | 'params' | 'power' | 'version' | 'votes';

/** A read that failed, as `ChainNode` rejects; what it would have brought is not known. */
export interface InputFault {
  readonly read: JudgeRead;
  readonly error: unknown;
}

/** What a proposal comes to, and all that this rests on. */
export interface Judgement {
  /** As given, or as it was read since, where its status, its end or its kind of vote has changed. */
  readonly proposal: Proposal;
  /** That of proposal, tally and voting power of an open vote; undefined where they are not of one height. */
  readonly height: bigint | undefined;
  /** Why an open vote is of no height. */
  readonly heightDropped: string | undefined;
  readonly verdict: Verdict;
  readonly inputs: JudgeInputs;
  /** Empty where a source does not offer an input: that is no failure, and `verdict.missing` names it. */
  readonly faults: readonly InputFault[];
  /** What `verdict` takes for granted because the source does not state it. */
  readonly assumptions: readonly Assumption[];
}

/**
 * What a proposal comes to, with the inputs that its node gives at `at`. A read that fails leaves its input unknown and is
 * named in `faults`; rejects only when `signal` fires.
 */
export function judge(node: ChainNode, proposal: Proposal, at: Date, signal?: AbortSignal): Promise<Judgement> {
  return new Judge(node, signal).judge(proposal, at);
}

/** Milliseconds for which a `Judge` keeps what proposals share. */
const sharedFor = 600_000;
/** Milliseconds for which open votes are judged as of one height. */
const heldFor = 10_000;
/** Milliseconds before the end of a vote from which on it may have ended: clocks and times of blocks differ. */
const endMargin = 60_000;

/** What open votes are read from: a node at a height, or the node itself at its latest one. */
interface Moment {
  readonly node: ChainNode;
  readonly height: bigint | undefined;
  /** Why it is the latest height. */
  readonly dropped: string | undefined;
  readonly power: SharedRead<Awaited<ReturnType<ChainNode['votingPower']>>>;
  /** The proposal that told the height. */
  readonly row: ProposalRow | undefined;
}

/**
 * Judges several proposals of a node. Parameters and version are read once for all of them, and so is the voting power of a
 * height. Tally and voting power are of one height where the node keeps to it.
 */
export class Judge {
  readonly node: ChainNode;
  readonly #signal: AbortSignal | undefined;
  readonly #params: SharedRead<Awaited<ReturnType<ChainNode['govParams']>>>;
  readonly #version: SharedRead<unknown>;
  #moment: { readonly at: number; readonly height: bigint | undefined; readonly value: Promise<Moment> } | undefined;
  /** Set once the node did not keep to a height. */
  #latest: Moment | undefined;

  constructor(node: ChainNode, signal?: AbortSignal) {
    this.node = node;
    this.#signal = signal;
    this.#params = shared('params', () => node.govParams(signal));
    // The dialect keeps the chain id and the version that come with it.
    this.#version = shared('version', async () => node.dialect.chainId ?? node.nodeInfo(signal));
  }

  /** As the function `judge`. `height`: the one at which the proposal was read, where that was just now. */
  async judge(proposal: Proposal, at: Date, height?: bigint): Promise<Judgement> {
    if (proposal.status !== 'voting') return this.#read(proposal, at, undefined);
    let moment = this.#latest ?? (await this.#momentOf(proposal.id, at, height));
    const told = moment.row?.id === proposal.id ? changed(proposal, moment.row) : undefined;
    let judgement = await this.#read(told ?? proposal, at, moment);
    const dropped = judgement.faults.flatMap(({ error }) => heightFault(error) ?? [])[0];
    if (moment.height !== undefined && dropped !== undefined) {
      this.#latest = this.#unpinned(dropped);
      moment = this.#latest;
      judgement = await this.#read(told ?? proposal, at, moment);
    }
    const isOfMoment = moment.height !== undefined && (moment.height === height || moment.row?.id === proposal.id);
    if (isOfMoment || !mayHaveEnded(judgement, at)) return judgement;
    const row = await readRow(moment.node, proposal.id, this.#signal);
    const since = changed(judgement.proposal, row);
    return since ? this.#read(since, at, moment) : judgement;
  }

  async #read(proposal: Proposal, at: Date, open: Moment | undefined): Promise<Judgement> {
    const node = open?.node ?? this.node;
    const moment = proposal.status === 'voting' ? open : undefined;
    const reads = [moment ? moment.power(at) : notRead, this.#version(at)] as const;
    // The form of tally and parameters depends on it: until it is known, each would ask for itself.
    if (node.dialect.power === undefined) await reads[0];
    const [power, version, tally, params] = await Promise.all([
      ...reads,
      moment ? attempt('tally', node.tally(proposal.id, this.#signal)) : notRead,
      this.#params(at),
    ]);
    this.#signal?.throwIfAborted();
    const facts = toVoteFacts(params.value, power.value, node.dialect.sdkVersion);
    const inputs = { ...facts, liveTally: toTally(tally.value), readAt: at };
    const votes = isOpenByZeros(proposal, inputs) ? await this.#votes(node, proposal.id) : notRead;
    this.#signal?.throwIfAborted();
    const settled = { ...inputs, liveTally: settle(inputs.liveTally, votes.value) };
    const verdict = verdictWith(proposal, settled);
    const faults = [tally, params, power, version, votes].flatMap(({ fault }) => fault ?? []);
    const { height, dropped: heightDropped } = moment ?? {};
    return { proposal, height, heightDropped, verdict, inputs: settled, faults, assumptions: verdict.assumptions };
  }

  /** At the height that is given, else at that of the last ten seconds, else at the one that the proposal tells. */
  #momentOf(id: bigint, at: Date, height: bigint | undefined): Promise<Moment> {
    const now = at.getTime();
    const kept = this.#moment;
    const isKept = kept && now >= kept.at && now - kept.at < heldFor;
    if (isKept && (height === undefined || height === kept.height)) return kept.value;
    const value = height === undefined ? this.#learn(id) : Promise.resolve(this.#pinned(height, undefined));
    this.#moment = { at: now, height, value };
    return value;
  }

  async #learn(id: bigint): Promise<Moment> {
    const row = await readRow(this.node, id, this.#signal);
    if (row?.height !== undefined) return this.#pinned(row.height, row);
    // A node that does not answer now may tell the next time.
    const latest = this.#unpinned('the node does not say at which height it answers');
    if (row) this.#latest = latest;
    return latest;
  }

  #pinned(height: bigint, row: ProposalRow | undefined): Moment {
    const node = this.node.at(height);
    return { node, height, dropped: undefined, power: powerOf(node, this.#signal), row };
  }

  #unpinned(dropped: string): Moment {
    const { node } = this;
    return { node, height: undefined, dropped, power: powerOf(node, this.#signal), row: undefined };
  }

  /** One page of single votes, undefined where it is not all of them. */
  async #votes(node: ChainNode, id: bigint): Promise<Attempt<readonly Vote[]>> {
    const { value, fault } = await attempt('votes', node.votes(id, {}, this.#signal));
    const isWhole = value && value.nextKey === undefined && !value.info.faults?.length;
    return { value: isWhole ? value.rows.map(toVote) : undefined, fault };
  }
}

function powerOf(node: ChainNode, signal: AbortSignal | undefined): Moment['power'] {
  return shared('power', () => node.votingPower(signal));
}

/** Undefined where it cannot be read now. */
async function readRow(node: ChainNode, id: bigint, signal: AbortSignal | undefined): Promise<ProposalRow | undefined> {
  const reply = await node.proposal(id, signal).catch(() => undefined);
  return reply && toProposalRow(reply, reply.info?.height);
}

/** The proposal as it is now, where another rule or another moment decides it than before. */
function changed(before: Proposal, row: ProposalRow | undefined): Proposal | undefined {
  if (row?.kind !== 'proposal') return undefined;
  const isSame =
    row.status === before.status &&
    row.expedited === before.expedited &&
    row.votingEndTime?.getTime() === before.votingEndTime?.getTime();
  return isSame ? undefined : row;
}

/** Whether the votes may have been decided since the proposal was read; those of an expedited vote are deleted then. */
function mayHaveEnded({ proposal, inputs: { liveTally } }: Judgement, at: Date): boolean {
  const { expedited, votingEndTime } = proposal;
  const isDeleted = expedited && liveTally !== undefined && totalVotes(liveTally) === 0n;
  return isDeleted || (votingEndTime !== undefined && at.getTime() >= votingEndTime.getTime() - endMargin);
}

/** The verdict by inputs that are known already; without them by what the proposal itself states. Asks nothing. */
export function verdictWith(proposal: Proposal, known: Known | undefined): Verdict {
  return toVerdict(proposal, known ?? { ...toVoteFacts(undefined, undefined, undefined), liveTally: undefined });
}

/** The verdict if all voting power that has not voted votes so; undefined where that is not known. */
export function verdictIfAllVote(proposal: Proposal, known: Known, option: 'yes' | 'no'): Verdict | undefined {
  const { tally, unvoted } = verdictWith(proposal, known);
  if (!tally || unvoted === undefined) return undefined;
  return verdictWith(proposal, { ...known, liveTally: { ...tally, [option]: tally[option] + unvoted } });
}

/** Whether a zero of the tally decides, which may be less than one unit (docs/governance.md#whole-units). */
function isOpenByZeros(proposal: Proposal, known: Known): boolean {
  const { liveTally: tally } = known;
  if (proposal.status !== 'voting' || !tally) return false;
  const outcomeWith = (voted: Tally['voted']): Verdict['outcome']['kind'] => {
    return verdictWith(proposal, { ...known, liveTally: { ...tally, voted } }).outcome.kind;
  };
  return outcomeWith(undefined) !== outcomeWith(votedOptions(tally));
}

/** The tally with the options that all single votes name; as it was where they are not known, or not those that were counted. */
function settle(tally: Tally | undefined, votes: readonly Vote[] | undefined): Tally | undefined {
  if (!tally || !votes) return tally;
  const cast = new Set(votes.flat().map(({ option }) => option));
  if (cast.has('unknown') || votedOptions(tally).some((option) => !cast.has(option))) return tally;
  return { ...tally, voted: voteOptions.filter((option) => cast.has(option)) };
}

function votedOptions(tally: Tally): readonly VoteOption[] {
  return voteOptions.filter((option) => tally[option] > 0n);
}

interface Attempt<T> {
  readonly value: T | undefined;
  readonly fault: InputFault | undefined;
}

const notRead = { value: undefined, fault: undefined } as const;

/** Never rejects. */
async function attempt<T>(read: JudgeRead, answer: Promise<T>): Promise<Attempt<T>> {
  return answer.then(
    (value) => ({ value, fault: undefined }),
    (error: unknown) => ({ value: undefined, fault: { read, error } }),
  );
}

type SharedRead<T> = (at: Date) => Promise<Attempt<T>>;

/** Reads once, and again where the answer is too old at `at`. */
function shared<T>(name: JudgeRead, read: () => Promise<T>): SharedRead<T> {
  let last: { readonly at: number; readonly answer: Promise<Attempt<T>> } | undefined;
  return (at) => {
    const now = at.getTime();
    if (!last || now - last.at >= sharedFor) last = { at: now, answer: attempt(name, read()) };
    return last.answer;
  };
}
