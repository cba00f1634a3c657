import * as vscode from 'vscode';
import { isHttpError } from '../../api/errors.ts';
import { concurrently } from '../../chain/concurrently.ts';
import { type Proposal, toTally } from '../../chain/proposal.ts';
import { whole } from '../../chain/ratio.ts';
import { toVoteFacts, type VoteFacts } from '../../chain/rules.ts';
import { toVerdict, type Verdict } from '../../chain/verdict.ts';
import type { Session } from '../../session/session.ts';
import { ruleWords, verdictWords } from '../panel/verdictWords.ts';
import { amountText } from '../words.ts';

/** Proposals whose votes are read without a question: those that end soonest. */
const mostRead = 20;
/** Milliseconds for which votes, parameters and stake are kept. */
const keptFor = 600_000;

interface Kept<T> {
  readonly value: T;
  readonly at: number;
}

/** How the votes of a session stand, for the rows of Proposals. Entry of a lazily loaded part: brings the rules of votes. */
export class OpenVotes implements vscode.Disposable {
  readonly #session: Session;
  readonly #onRead: () => void;
  readonly #abort = new AbortController();
  readonly #verdicts = new Map<bigint, Kept<Verdict>>();
  #facts: Kept<Promise<VoteFacts>> | undefined;
  #reading: Promise<void> | undefined;
  /** Until when a node that limits requests is left alone. */
  #pausedUntil = 0;

  /** `onRead` is called after each count that was read. */
  constructor(session: Session, onRead: () => void) {
    this.#session = session;
    this.#onRead = onRead;
  }

  /** Reads the counts of the open votes that end soonest, two at a time. Never rejects; ends at the first refusal (HTTP 429). */
  async load(now: Date): Promise<void> {
    this.#reading ??= this.#loadAll(now).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Of an open vote: `16 % · quorum`, the turnout and what is missing to pass. Undefined where the votes were not read. */
  brief(proposal: Proposal): { readonly text: string; readonly icon: string } | undefined {
    const verdict = this.#verdicts.get(proposal.id)?.value;
    if (verdict === undefined || proposal.status !== 'voting') return undefined;
    const turnout = verdict.turnout === undefined ? [] : [`${(verdict.turnout * 100n) / whole} %`];
    const { outcome } = verdict;
    const shown = (icon: string, ...missing: readonly string[]) => ({
      icon,
      text: [...turnout, ...missing].join(' · '),
    });
    if (outcome.kind === 'wouldPass') return shown('pass', vscode.l10n.t('passes'));
    if (outcome.kind === 'wouldFail')
      return shown('circle-slash', ruleWords(outcome.rule, vscode.l10n.t).name.toLowerCase());
    return shown('circle-outline', ...(outcome.kind === 'tooClose' ? [vscode.l10n.t('too close')] : []));
  }

  /** The verdict in a sentence; reads what it needs. Undefined while there is none. */
  async sentence(proposal: Proposal, now: Date): Promise<string | undefined> {
    if (proposal.status === 'deposit') return undefined;
    const verdict = await this.#verdict(proposal).catch(() => undefined);
    if (verdict === undefined) return undefined;
    const { supply } = this.#session;
    const denom = supply.staking?.denom ?? '';
    const power = (amount: bigint) => amountText({ denom, amount }, supply.unit(denom));
    const { lead, text } = verdictWords({ proposal, verdict, now, power, t: vscode.l10n.t });
    return `${lead} ${text}`.trim();
  }

  dispose(): void {
    this.#abort.abort();
  }

  async #loadAll(now: Date): Promise<void> {
    const rows = this.#session.proposals.rows('voting').filter((row) => row.kind === 'proposal');
    const running = rows.filter(({ votingEndTime }) => votingEndTime === undefined || votingEndTime > now);
    const wanted = running.slice(0, mostRead).filter(({ id }) => !this.#isKept(id));
    await concurrently(wanted, 2, async (row) => {
      if (Date.now() < this.#pausedUntil || this.#abort.signal.aborted) return;
      const found = await this.#verdict(row).catch((error: unknown) => {
        if (isLimit(error)) this.#pausedUntil = Date.now() + keptFor;
      });
      if (found) this.#onRead();
    });
  }

  /** Votes of before the list was last read are read again: the user has refreshed it. */
  #isKept(id: bigint): boolean {
    const at = this.#verdicts.get(id)?.at ?? 0;
    const asOf = this.#session.proposals.pager('voting').asOf?.getTime() ?? 0;
    return at >= asOf && Date.now() - at < keptFor;
  }

  /** Rejects as `ChainNode.tally` does. */
  async #verdict(proposal: Proposal): Promise<Verdict> {
    const kept = this.#verdicts.get(proposal.id);
    const isOpen = proposal.status === 'voting';
    if (kept && isOpen && this.#isKept(proposal.id)) return kept.value;
    const node = await this.#session.node();
    const facts = await this.#loadFacts();
    const liveTally = isOpen ? toTally(await node.tally(proposal.id, this.#abort.signal)) : undefined;
    const value = toVerdict(proposal, { ...facts, liveTally });
    if (isOpen) this.#verdicts.set(proposal.id, { value, at: Date.now() });
    return value;
  }

  /** What votes are counted with, asked for once in a while; a failure is not kept. */
  #loadFacts(): Promise<VoteFacts> {
    if (this.#facts && Date.now() - this.#facts.at < keptFor) return this.#facts.value;
    const value = this.#readFacts();
    this.#facts = { value, at: Date.now() };
    value.catch(() => {
      this.#facts = undefined;
    });
    return value;
  }

  async #readFacts(): Promise<VoteFacts> {
    const node = await this.#session.node();
    const { signal } = this.#abort;
    const optional = (error: unknown) => {
      if (isLimit(error)) throw error;
      return undefined;
    };
    const reads = [node.govParams(signal).catch(optional), node.votingPower(signal).catch(optional)] as const;
    const [params, power] = await Promise.all(reads);
    return toVoteFacts(params, power, node.dialect.sdkVersion);
  }
}

/** Whether the node refuses further requests for now. */
function isLimit(error: unknown): boolean {
  return isHttpError(error) && error.status === 429;
}
