import type { ChainNode } from '../api/node.ts';
import { toTally, toVote, toVoteFacts } from '../chain/fromWire.ts';
import { type Proposal, type Tally, type Vote, type VoteOption, voteOptions } from '../chain/proposal.ts';
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

/** Judges several proposals of a node: parameters, voting power and version are read once for all of them. */
export class Judge {
  readonly node: ChainNode;
  readonly #signal: AbortSignal | undefined;
  readonly #params: SharedRead<Awaited<ReturnType<ChainNode['govParams']>>>;
  readonly #power: SharedRead<Awaited<ReturnType<ChainNode['votingPower']>>>;
  readonly #version: SharedRead<unknown>;

  constructor(node: ChainNode, signal?: AbortSignal) {
    this.node = node;
    this.#signal = signal;
    this.#params = shared('params', () => node.govParams(signal));
    this.#power = shared('power', () => node.votingPower(signal));
    // The dialect keeps the chain id and the version that come with it.
    this.#version = shared('version', async () => node.dialect.chainId ?? node.nodeInfo(signal));
  }

  /** As the function `judge`. */
  async judge(proposal: Proposal, at: Date): Promise<Judgement> {
    const { node } = this;
    const isOpen = proposal.status === 'voting';
    const reads = [isOpen ? this.#power(at) : notRead, this.#version(at)] as const;
    // The form of tally and parameters depends on it: until it is known, each would ask for itself.
    if (node.dialect.power === undefined) await reads[0];
    const [power, version, tally, params] = await Promise.all([
      ...reads,
      isOpen ? attempt('tally', node.tally(proposal.id, this.#signal)) : notRead,
      this.#params(at),
    ]);
    this.#signal?.throwIfAborted();
    const facts = toVoteFacts(params.value, power.value, node.dialect.sdkVersion);
    const inputs = { ...facts, liveTally: toTally(tally.value), readAt: at };
    const votes = isOpenByZeros(proposal, inputs) ? await this.#votes(proposal.id) : notRead;
    this.#signal?.throwIfAborted();
    const settled = { ...inputs, liveTally: settle(inputs.liveTally, votes.value) };
    const verdict = verdictWith(proposal, settled);
    const faults = [tally, params, power, version, votes].flatMap(({ fault }) => fault ?? []);
    return { verdict, inputs: settled, faults, assumptions: verdict.assumptions };
  }

  /** One page of single votes, undefined where it is not all of them. */
  async #votes(id: bigint): Promise<Attempt<readonly Vote[]>> {
    const { value, fault } = await attempt('votes', this.node.votes(id, {}, this.#signal));
    const isWhole = value && value.nextKey === undefined && !value.info.faults?.length;
    return { value: isWhole ? value.rows.map(toVote) : undefined, fault };
  }
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
  const outcomeWith = (voted: Tally['voted']) => {
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
