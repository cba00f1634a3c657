import { heightFault } from '../api/errors.ts';
import type { ChainNode, NodeInfo, VotingPower } from '../api/node.ts';
import type { Proposal, ProposalRow } from '../chain/gov/proposal.ts';
import type { VoteInputs } from '../chain/gov/rules.ts';
import { type Tally, totalVotes, type Vote, type VoteOption, voteOptions } from '../chain/gov/tally.ts';
import { type Assumption, toVerdict, type Verdict, type VerdictInputs } from '../chain/gov/verdict.ts';
import { type Answered, type Kept, type KeptQuestion, type KeptValues, maxAges } from '../session/kept.ts';

/** The inputs of a verdict beside its proposal. */
export interface JudgeInputs extends VerdictInputs {
  readonly readAt: Date;
}

/** The reads for a verdict. `votes` is read only if zeros of the tally leave the verdict open. */
export type JudgeRead = 'tally' | 'params' | 'power' | 'version' | 'votes';

/** A read that failed, with the error of `ChainNode`. Its input is not known. */
export interface InputFault {
  readonly read: JudgeRead;
  readonly error: unknown;
}

/** The verdict on a proposal, and all of its inputs. */
export interface Judgement {
  /** The proposal as given, or as read since if its status, its end or its kind of vote has changed. */
  readonly proposal: Proposal;
  /** The height of proposal, tally and voting power of an open vote; undefined if these are of several heights. */
  readonly height: bigint | undefined;
  /** The reason why an open vote has no height. */
  readonly unpinnedReason: string | undefined;
  readonly verdict: Verdict;
  readonly inputs: JudgeInputs;
  /** The reads that failed. An input that a source does not offer is no failure; `verdict.missing` names it. */
  readonly faults: readonly InputFault[];
  /** The assumptions of `verdict`, about facts that the source does not state. */
  readonly assumptions: readonly Assumption[];
}

/** The time in milliseconds for which open votes are judged at one height. */
const heldFor = 10_000;
/**
 * The time in milliseconds before the end of a vote from which it may have ended. Clocks and times of blocks differ.
 */
const endMargin = 60_000;

/** The source of open votes: a node at a height, or the node itself at its latest one. */
interface Moment {
  readonly node: ChainNode;
  readonly height: bigint | undefined;
  /** The reason why it is the latest height. */
  readonly dropped: string | undefined;
  /** The proposal that told the height. */
  readonly row: ProposalRow | undefined;
}

/**
 * Judges several proposals of a node. The inputs that they share are kept with all other answers of the source. A
 * failed read of these is not tried again. Tally and voting power are of one height if the node keeps to it.
 */
export class Judge {
  readonly node: ChainNode;
  readonly #kept: Kept;
  readonly #asked: KeptQuestion;
  readonly #began: number;
  readonly #signal: AbortSignal | undefined;
  /** The shared inputs that could not be read. */
  readonly #failed = new Map<string, InputFault>();
  /** Set once the node did not keep to a height. */
  #latest: Moment | undefined;

  /** `question` is the age limit for the shared inputs; 0 for no older than this judge. */
  constructor(node: ChainNode, kept: Kept, question: KeptQuestion) {
    this.node = node;
    this.#kept = kept;
    this.#asked = question;
    this.#began = kept.now();
    this.#signal = question.signal;
  }

  /** The question for shared inputs. An input that this judge has read holds for ten minutes, under any question. */
  get #question(): KeptQuestion {
    const since = Math.max(this.#began, this.#kept.now() - maxAges.screen);
    return this.#asked.maxAge >= maxAges.screen ? this.#asked : { ...this.#asked, since };
  }

  /**
   * Judges a proposal with the inputs that its node gives at `at`. `height` is the one at which the proposal was just
   * read. A read that fails leaves its input unknown and is named in `faults`. Rejects only when the signal of the
   * question fires.
   */
  async judge(proposal: Proposal, at: Date, height?: bigint): Promise<Judgement> {
    if (proposal.status !== 'voting') return this.#read(proposal, at, undefined);
    let moment = this.#latest ?? (await this.#momentOf(proposal.id, height));
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
    const reads = [moment ? this.#power(moment) : notRead, this.#version()] as const;
    // The form of tally and parameters depends on it. Until it is known, each would ask for itself.
    if (node.dialect.power === undefined) await reads[0];
    const [power, version, tally, params] = await Promise.all([
      ...reads,
      moment ? attempt('tally', node.tally(proposal.id, this.#signal)) : notRead,
      this.#shared('params', this.#kept.govParams, (own) => this.node.govParams(own)),
    ]);
    this.#signal?.throwIfAborted();
    const { total, module } = power.value ?? {};
    const { sdkVersion } = node.dialect;
    const facts: VoteInputs = {
      params: params.value?.values ?? {},
      votingPower: total,
      powerSource: module,
      sdkVersion,
    };
    const inputs = { ...facts, liveTally: tally.value, readAt: at };
    const votes = isOpenByZeros(proposal, inputs) ? await this.#votes(node, proposal.id) : notRead;
    this.#signal?.throwIfAborted();
    const settled = { ...inputs, liveTally: settle(inputs.liveTally, votes.value) };
    const verdict = verdictWith(proposal, settled);
    const faults = [tally, params, power, version, votes].flatMap(({ fault }) => fault ?? []);
    const { height, dropped: unpinnedReason } = moment ?? {};
    return { proposal, height, unpinnedReason, verdict, inputs: settled, faults, assumptions: verdict.assumptions };
  }

  /**
   * Gives the moment to read at: the given height, else that of the last ten seconds, else the one that the proposal
   * tells.
   */
  async #momentOf(id: bigint, height: bigint | undefined): Promise<Moment> {
    if (height !== undefined) return this.#pinned(height, undefined);
    const question = { ...this.#question, maxAge: Math.min(heldFor, this.#question.maxAge) };
    const load = async (own: AbortSignal): Promise<Answered<ProposalRow>> => {
      const row = await this.node.proposal(id, own);
      return { value: row, height: row.height };
    };
    const told = await this.#kept.moment.read('', question, load).catch(() => undefined);
    if (told?.height !== undefined) return this.#pinned(told.height, told.value);
    // A node that does not answer now may tell the next time.
    const latest = this.#unpinned('the node does not report the height of its responses');
    if (told) this.#latest = latest;
    return latest;
  }

  #pinned(height: bigint, row: ProposalRow | undefined): Moment {
    return { node: this.node.at(height), height, dropped: undefined, row };
  }

  #unpinned(dropped: string): Moment {
    return { node: this.node, height: undefined, dropped, row: undefined };
  }

  /** Reads the voting power. The power at a height never changes. */
  #power({ node, height }: Moment): Promise<Attempt<VotingPower | undefined>> {
    const key = height === undefined ? '' : `${height}`;
    const maxAge = height === undefined ? this.#question.maxAge : maxAges.still;
    return this.#shared('power', this.#kept.votingPower, (own) => node.votingPower(own), { key, maxAge });
  }

  /** Reads the version. The dialect keeps it, together with the chain id. */
  async #version(): Promise<Attempt<NodeInfo | undefined>> {
    if (this.node.dialect.chainId !== undefined) return notRead;
    return this.#shared('version', this.#kept.nodeInfo, (own) => this.node.nodeInfo(own));
  }

  /** Reads a shared input. Never rejects. */
  async #shared<T>(
    read: JudgeRead,
    kept: KeptValues<T>,
    load: (signal: AbortSignal) => Promise<T>,
    { key, maxAge } = { key: '', maxAge: this.#question.maxAge },
  ): Promise<Attempt<T>> {
    const known = this.#failed.get(read + key);
    if (known) return { value: undefined, fault: known };
    const answer = kept.read(key, { ...this.#question, maxAge }, async (own) => ({ value: await load(own) }));
    const { value, fault } = await attempt(read, answer);
    if (fault) this.#failed.set(read + key, fault);
    return { value: value?.value, fault };
  }

  /** Reads one page of single votes. Undefined if the page does not hold all of them. */
  async #votes(node: ChainNode, id: bigint): Promise<Attempt<readonly Vote[]>> {
    const { value, fault } = await attempt('votes', node.votes(id, {}, this.#signal));
    const isWhole = value && value.nextKey === undefined && !value.info.faults?.length;
    return { value: isWhole ? value.rows.map(({ vote }) => vote) : undefined, fault };
  }
}

/** Reads the proposal. Undefined if it cannot be read now. */
async function readRow(node: ChainNode, id: bigint, signal: AbortSignal | undefined): Promise<ProposalRow | undefined> {
  return node.proposal(id, signal).catch(() => undefined);
}

/** Gives the proposal as it is now, if another rule or another moment decides it than before. */
function changed(before: Proposal, row: ProposalRow | undefined): Proposal | undefined {
  if (row?.kind !== 'proposal') return undefined;
  const isSame =
    row.status === before.status &&
    row.expedited === before.expedited &&
    row.votingEndTime?.getTime() === before.votingEndTime?.getTime();
  return isSame ? undefined : row;
}

/** True if the vote may have been decided since the proposal was read. Votes of an expedited vote are deleted then. */
function mayHaveEnded({ proposal, inputs: { liveTally } }: Judgement, at: Date): boolean {
  const { expedited, votingEndTime } = proposal;
  const isDeleted = expedited && liveTally !== undefined && totalVotes(liveTally) === 0n;
  return isDeleted || (votingEndTime !== undefined && at.getTime() >= votingEndTime.getTime() - endMargin);
}

/** Gives the verdict by known inputs, or without them by the values of the proposal itself. Sends no request. */
export function verdictWith(proposal: Proposal, known: VerdictInputs | undefined): Verdict {
  return toVerdict(proposal, known ?? { params: {}, votingPower: undefined, liveTally: undefined });
}

/** Gives the verdict if all voting power that has not voted votes for `option`. Undefined if that is not known. */
export function verdictIfAllVote(proposal: Proposal, known: VerdictInputs, option: 'yes' | 'no'): Verdict | undefined {
  const { tally, unvoted } = verdictWith(proposal, known);
  if (!tally || unvoted === undefined) return undefined;
  return verdictWith(proposal, { ...known, liveTally: { ...tally, [option]: tally[option] + unvoted } });
}

/** True if a zero of the tally decides. A zero may be a part of a unit (docs/governance.md#whole-units). */
function isOpenByZeros(proposal: Proposal, known: VerdictInputs): boolean {
  const { liveTally: tally } = known;
  // A source that states the decimals makes every zero exact, and a tally without zeros has none to settle.
  if (!tally || tally.fractions || voteOptions.every((option) => tally[option] > 0n)) return false;
  const outcomeWith = (voted: Tally['voted']): Verdict['outcome']['kind'] => {
    return verdictWith(proposal, { ...known, liveTally: { ...tally, voted } }).outcome.kind;
  };
  return outcomeWith(undefined) !== outcomeWith(votedOptions(tally));
}

/**
 * Corrects the tally by the options that all single votes name. Leaves it unchanged if the votes are not known, or are
 * not the counted ones.
 */
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

/** Waits for a read. Never rejects. */
async function attempt<T>(read: JudgeRead, answer: Promise<T>): Promise<Attempt<T>> {
  return answer.then(
    (value) => ({ value, fault: undefined }),
    (error: unknown) => ({ value: undefined, fault: { read, error } }),
  );
}
