import { isHttpError } from '../api/errors.ts';
import { concurrently } from '../chain/concurrently.ts';
import type { Disposable } from '../chain/emitter.ts';
import type { Proposal } from '../chain/proposal.ts';
import type { Verdict } from '../chain/verdict.ts';
import { type InputFault, Judge, type Judgement } from './judge.ts';
import type { Session } from './session.ts';

/** Proposals whose votes are read without a question: those that end soonest. */
const mostRead = 20;
/** Milliseconds for which votes are kept, and for which a node that limits requests is left alone. */
const keptFor = 600_000;

/** How the open votes of a session stand, for lists that show many of them. */
export class OpenVotes implements Disposable {
  readonly #session: Session;
  readonly #onRead: () => void;
  readonly #abort = new AbortController();
  readonly #verdicts = new Map<bigint, { readonly value: Verdict; readonly at: number }>();
  #judge: Judge | undefined;
  #reading: Promise<void> | undefined;
  /** Until when a node that limits requests is left alone. */
  #pausedUntil = 0;

  /** `onRead` is called after each vote that was read. */
  constructor(session: Session, onRead: () => void) {
    this.#session = session;
    this.#onRead = onRead;
  }

  /** Reads the open votes that end soonest, two at a time. Never rejects; ends at the first refusal (HTTP 429). */
  async load(now: Date): Promise<void> {
    this.#reading ??= this.#loadAll(now).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Of an open vote; undefined where it was not read. */
  known({ id, status }: Proposal): Verdict | undefined {
    return status === 'voting' ? this.#verdicts.get(id)?.value : undefined;
  }

  /** Of any vote, read where it is not known; undefined where the count cannot be read. Never rejects. */
  async verdict(proposal: Proposal): Promise<Verdict | undefined> {
    const known = this.#isKept(proposal.id) ? this.known(proposal) : undefined;
    return known ?? this.#read(proposal);
  }

  dispose(): void {
    this.#abort.abort();
  }

  async #loadAll(now: Date): Promise<void> {
    this.#judge = undefined;
    const rows = this.#session.proposals.rows('voting').filter((row) => row.kind === 'proposal');
    const running = rows.filter(({ votingEndTime }) => votingEndTime === undefined || votingEndTime > now);
    const wanted = running.slice(0, mostRead).filter(({ id }) => !this.#isKept(id));
    await concurrently(wanted, 2, async (row) => {
      if (Date.now() < this.#pausedUntil || this.#abort.signal.aborted) return;
      if (await this.#read(row)) this.#onRead();
    });
  }

  /** Votes of before the list was last read are read again: the user has refreshed it. */
  #isKept(id: bigint): boolean {
    const at = this.#verdicts.get(id)?.at ?? 0;
    const asOf = this.#session.proposals.pager('voting').asOf?.getTime() ?? 0;
    return at >= asOf && Date.now() - at < keptFor;
  }

  async #read(proposal: Proposal): Promise<Verdict | undefined> {
    const at = new Date();
    const judgement = await this.#judged(proposal, at).catch(() => undefined);
    const isLimited = judgement?.faults.some(isLimit) ?? false;
    if (isLimited) this.#pausedUntil = Date.now() + keptFor;
    if (isLimited) this.#judge = undefined;
    if (judgement === undefined || isLimited || judgement.faults.some(({ read }) => read === 'tally')) return undefined;
    if (proposal.status === 'voting') this.#verdicts.set(proposal.id, { value: judgement.verdict, at: at.getTime() });
    return judgement.verdict;
  }

  /** Rejects where the source cannot be opened, and once this is disposed. */
  async #judged(proposal: Proposal, at: Date): Promise<Judgement> {
    const node = await this.#session.node();
    // A file that changed was opened anew.
    if (this.#judge?.node !== node) this.#judge = new Judge(node, this.#abort.signal);
    return this.#judge.judge(proposal, at);
  }
}

function isLimit({ error }: InputFault): boolean {
  return isHttpError(error) && error.status === 429;
}
