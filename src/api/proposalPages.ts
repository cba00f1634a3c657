import { isAbort, isApiError, isHttpError } from './errors.ts';
import { FittingPages } from './fittingPages.ts';
import type { PageRequest, ProposalFilter, ProposalsPage } from './node.ts';
import { hidesTitle, readProposalPage } from './proposalPage.ts';
import { isNodeFault, isNotOffered, isPoisoned, isTooLarge } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';

/** Pages of proposals in the form that the node can say them in: gov v1beta1, or gov v1 where that fails or hides titles. */
export class ProposalPages {
  readonly #speaker: Speaker;
  readonly #fitting = new FittingPages();
  /** Lists on which gov v1 failed while v1beta1 answered: not asked only for titles again. */
  readonly #withoutV1 = new Set<string>();

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /**
   * One page. Undefined where neither form can say it, and single proposals must be isolated; that is remembered for
   * the status. Rejects as `Speaker.get` does.
   */
  async read(
    filter: ProposalFilter,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<ProposalsPage | undefined> {
    const { learned } = this.#speaker;
    const form = learned.listForm(filter.status);
    if (form === 'isolated') return undefined;
    if (form === 'v1') {
      const answer = await this.#readV1(filter, page, signal);
      if (answer) return answer;
      learned.learnListForm(filter.status, undefined);
    }
    try {
      const answer = await this.#read('v1beta1', filter, page, signal);
      return (await this.#withTitles(answer, filter, page, signal)) ?? answer;
    } catch (error) {
      if (!isNodeFault(error)) throw error;
      const answer = form === 'v1' ? undefined : await this.#readV1(filter, page, signal);
      if (answer) {
        learned.learnListForm(filter.status, 'v1');
        return answer;
      }
      if (!isPoisoned(error) && !isTooLarge(error)) throw error;
      learned.learnListForm(filter.status, 'isolated');
      return undefined;
    }
  }

  #read(form: 'v1beta1' | 'v1', filter: ProposalFilter, page: PageRequest, signal: AbortSignal | undefined) {
    return this.#fitting.ask(page, (fitted) => readProposalPage(this.#speaker, form, filter, fitted, signal));
  }

  /** The same page as gov v1 says it; undefined where the node has no gov v1 (remembered), or fails in it, too. */
  async #readV1(
    filter: ProposalFilter,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<ProposalsPage | undefined> {
    const { learned } = this.#speaker;
    if (learned.govV1 === false) return undefined;
    try {
      const answer = await this.#read('v1', filter, page, signal);
      learned.learn({ govV1: true });
      return answer;
    } catch (error) {
      if (isAbort(error) || !isApiError(error) || error.kind === 'unreachable' || isRefusal(error)) throw error;
      if (isNotOffered(error)) learned.learn({ govV1: false });
      else this.#withoutV1.add(filter.status ?? '');
      return undefined;
    }
  }

  async #withTitles(
    answer: ProposalsPage,
    filter: ProposalFilter,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<ProposalsPage | undefined> {
    if (this.#withoutV1.has(filter.status ?? '') || !answer.rows.some(hidesTitle)) return undefined;
    const titled = await this.#readV1(filter, page, signal);
    if (titled) this.#speaker.learned.learnListForm(filter.status, 'v1');
    return titled;
  }
}

/** Too many requests, or none without a credential: asking in another form would only be one more. */
function isRefusal(error: unknown): boolean {
  return isHttpError(error) && !isTooLarge(error) && [401, 403, 429].includes(error.status);
}
