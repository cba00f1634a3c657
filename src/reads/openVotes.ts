import { isHttpError } from '../api/errors.ts';
import { concurrently } from '../api/sharing.ts';
import type { Disposable } from '../chain/emitter.ts';
import type { Proposal } from '../chain/gov/proposal.ts';
import type { Verdict } from '../chain/gov/verdict.ts';
import { screenAge } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import { type InputFault, Judge } from './judge.ts';

/** The number of proposals whose votes are read without a question. They are those that end soonest. */
const maxRead = 20;
/** The time in milliseconds for which a node that limits requests is not asked. */
const pause = 600_000;
/**
 * The time in milliseconds before votes are too old, in which they are read again. Rows that are drawn every minute
 * thus keep them.
 */
const renewal = 90_000;

/** The verdicts on open votes of a session, for lists that show many of them. */
export class OpenVotes implements Disposable {
  readonly #session: Session;
  readonly #onRead: () => void;
  readonly #abort = new AbortController();
  /** The time at which each vote was asked for, with any result. */
  readonly #asked = new Map<bigint, number>();
  #judge: Judge | undefined;
  #reading: Promise<void> | undefined;
  /** The time until which a node that limits requests is not asked. */
  #pausedUntil = 0;

  /** `onRead` is called after each vote that was read. */
  constructor(session: Session, onRead: () => void) {
    this.#session = session;
    this.#onRead = onRead;
  }

  /**
   * Reads the open votes that end soonest, two at a time. Skips those that were read since the list was, unless they
   * will soon be too old. Never rejects. Ends at the first refusal (HTTP 429).
   */
  async load(now: Date): Promise<void> {
    this.#reading ??= this.#loadAll(now).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /**
   * Gives the known verdict on an open vote. Undefined if it was not read, or more than ten minutes ago
   * (`screenAge`).
   */
  known({ id, status }: Proposal): Verdict | undefined {
    return status === 'voting'
      ? this.#session.kept.verdicts.young(`${id}`, screenAge(this.#session))?.value
      : undefined;
  }

  /**
   * Gives the verdict on any vote, and reads it if it is not known. Undefined if the count cannot be read. Never
   * rejects.
   */
  async verdict(proposal: Proposal): Promise<Verdict | undefined> {
    const known = this.#isOfList(this.#session.kept.verdicts.get(`${proposal.id}`)?.readAt.getTime());
    return (known ? this.known(proposal) : undefined) ?? this.#read(proposal);
  }

  dispose(): void {
    this.#abort.abort();
  }

  async #loadAll(now: Date): Promise<void> {
    const rows = this.#session.lists.proposals.rows('voting').filter((row) => row.kind === 'proposal');
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
    return !this.#isOfList(at) || Date.now() - at >= screenAge(this.#session) - renewal;
  }

  /** True if the vote was read after the list. Older votes are read again, because the user has refreshed the list. */
  #isOfList(at: number | undefined): at is number {
    return at !== undefined && at >= (this.#session.lists.proposals.pager('voting').asOf?.getTime() ?? 0);
  }

  async #read(proposal: Proposal): Promise<Verdict | undefined> {
    this.#asked.set(proposal.id, Date.now());
    if (proposal.status !== 'voting') return this.#judged(proposal).catch(() => undefined);
    const question = { maxAge: 0, signal: this.#abort.signal };
    const load = async (): Promise<{ value: Verdict }> => ({ value: await this.#judged(proposal) });
    const kept = await this.#session.kept.verdicts.read(`${proposal.id}`, question, load).catch(() => undefined);
    return kept?.value;
  }

  /** Reads a verdict. Rejects if the votes cannot be counted, the source cannot be opened, or this is disposed. */
  async #judged(proposal: Proposal): Promise<Verdict> {
    const node = await this.#session.node();
    // A file that changed was opened anew.
    if (this.#judge?.node !== node)
      this.#judge = new Judge(node, this.#session.kept, { maxAge: 0, signal: this.#abort.signal });
    const judgement = await this.#judge.judge(proposal, new Date());
    const { verdict, faults } = judgement;
    if (judgement.proposal !== proposal) this.#session.lists.proposals.update([judgement.proposal]);
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
