import { isHttpError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { concurrently } from '../api/sharing.ts';
import type { Disposable } from '../chain/emitter.ts';
import { toTally, toVote, toVoteFacts } from '../chain/fromWire.ts';
import { type Proposal, type Tally, type Vote, type VoteOption, voteOptions } from '../chain/proposal.ts';
import { type Assumption, type Known, toVerdict, type Verdict } from '../chain/verdict.ts';
import { maxAges } from './kept.ts';
import type { Session } from './session.ts';

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

/** Proposals whose votes are read without a question: those that end soonest. */
const maxRead = 20;
/** Milliseconds for which a node that limits requests is left alone. */
const pause = 600_000;
/** Milliseconds before votes are too old, in which they are read again: rows that are drawn every minute do not lose them meanwhile. */
const renewal = 90_000;

/** How the open votes of a session stand, for lists that show many of them. */
export class OpenVotes implements Disposable {
  readonly #session: Session;
  readonly #onRead: () => void;
  readonly #abort = new AbortController();
  /** When each vote was asked for, whatever came of it. */
  readonly #asked = new Map<bigint, number>();
  #judge: Judge | undefined;
  #reading: Promise<void> | undefined;
  /** Until when a node that limits requests is left alone. */
  #pausedUntil = 0;

  /** `onRead` is called after each vote that was read. */
  constructor(session: Session, onRead: () => void) {
    this.#session = session;
    this.#onRead = onRead;
  }

  /**
   * Reads the open votes that end soonest, two at a time, where they were not read since the list was, or will soon be too old.
   * Never rejects; ends at the first refusal (HTTP 429).
   */
  async load(now: Date): Promise<void> {
    this.#reading ??= this.#loadAll(now).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Of an open vote; undefined where it was not read, or more than ten minutes ago (`maxAges.screen`). */
  known({ id, status }: Proposal): Verdict | undefined {
    return status === 'voting' ? this.#session.kept.verdicts.young(`${id}`, this.#maxAge)?.value : undefined;
  }

  /** Of any vote, read where it is not known; undefined where the count cannot be read. Never rejects. */
  async verdict(proposal: Proposal): Promise<Verdict | undefined> {
    const known = this.#isOfList(this.#session.kept.verdicts.get(`${proposal.id}`)?.readAt.getTime());
    return (known ? this.known(proposal) : undefined) ?? this.#read(proposal);
  }

  dispose(): void {
    this.#abort.abort();
  }

  get #maxAge(): number {
    return this.#session.isStill ? maxAges.still : maxAges.screen;
  }

  async #loadAll(now: Date): Promise<void> {
    const rows = this.#session.stores.proposals.rows('voting').filter((row) => row.kind === 'proposal');
    const running = rows.filter(({ votingEndTime }) => votingEndTime === undefined || votingEndTime > now);
    const wanted = running.slice(0, maxRead).filter(({ id }) => this.#isDue(id));
    if (wanted.length > 0) this.#judge = undefined;
    await concurrently(wanted, 2, async (row) => {
      if (Date.now() < this.#pausedUntil || this.#abort.signal.aborted) return;
      if (await this.#read(row)) this.#onRead();
    });
  }

  #isDue(id: bigint): boolean {
    const at = this.#asked.get(id);
    return !this.#isOfList(at) || Date.now() - at >= this.#maxAge - renewal;
  }

  /** Votes of before the list was last read are read again: the user has refreshed it. */
  #isOfList(at: number | undefined): at is number {
    return at !== undefined && at >= (this.#session.stores.proposals.pager('voting').asOf?.getTime() ?? 0);
  }

  async #read(proposal: Proposal): Promise<Verdict | undefined> {
    this.#asked.set(proposal.id, Date.now());
    if (proposal.status !== 'voting') return this.#judged(proposal).catch(() => undefined);
    const question = { maxAge: 0, signal: this.#abort.signal };
    const load = async (): Promise<{ value: Verdict }> => ({ value: await this.#judged(proposal) });
    const kept = await this.#session.kept.verdicts.read(`${proposal.id}`, question, load).catch(() => undefined);
    return kept?.value;
  }

  /** Rejects where the votes cannot be counted, the source cannot be opened, and once this is disposed. */
  async #judged(proposal: Proposal): Promise<Verdict> {
    const node = await this.#session.node();
    // A file that changed was opened anew.
    if (this.#judge?.node !== node) this.#judge = new Judge(node, this.#abort.signal);
    const { verdict, faults } = await this.#judge.judge(proposal, new Date());
    if (faults.some(isLimit)) {
      this.#pausedUntil = Date.now() + pause;
      this.#judge = undefined;
    }
    const fault = faults.find((one) => isLimit(one) || one.read === 'tally');
    if (fault) throw fault.error;
    return verdict;
  }
}

function isLimit({ error }: InputFault): boolean {
  return isHttpError(error) && error.status === 429;
}
