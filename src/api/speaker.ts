import { type Answer, type Ask, type Client, PinnedHeight } from './client.ts';
import type { Operation } from './contract.ts';
import type { LearnedDialect } from './dialect.ts';
import { HttpError, isApiError, isHttpError, ReplyError } from './errors.ts';
import { isNodeAnswer, isNotOffered } from './replyFaults.ts';

/** A request without its segment, which the speaker knows or finds out. */
export type Question<O extends Operation> = Omit<Ask<O>, 'segment'>;

/** Asks one node in the path segment that it understands, at the height that is wanted where the node can. */
export class Speaker {
  readonly client: Client;
  readonly learned: LearnedDialect;
  readonly #height: PinnedHeight;
  #finding: Promise<unknown> | undefined;
  /** Whether the segment is certain: it was named, or has answered since this speaker was made. */
  #certain: boolean;

  /** `segment` names the path segment, where somebody knows it. */
  constructor(client: Client, learned: LearnedDialect, segment: string | undefined) {
    this.client = client;
    this.learned = learned;
    this.#certain = segment !== undefined;
    if (segment !== undefined) learned.learn({ segment });
    this.#height = new PinnedHeight(learned);
  }

  /** Rejects as `Client.get` does. On first contact the segments `chain` and `cosmos` are tried in that order. */
  async get<O extends Operation>(operation: O, question: Question<O>): Promise<Answer<O>> {
    while (this.learned.segment === undefined) {
      if (this.#finding === undefined) return this.#firstContact(operation, question);
      await abortable(
        this.#finding.catch(() => undefined),
        question.signal,
      );
    }
    try {
      return await this.#send(operation, question, this.learned.segment);
    } catch (error) {
      if (!this.#isOutdated(operation, error)) throw error;
      this.learned.learn({ segment: undefined });
      return this.get(operation, question);
    }
  }

  /**
   * Finds the segment by the smallest question of a list, where it is not known: how to ask on depends on it.
   * Rejects when nothing answers, or `signal` fires; a node that has no answer is left to the question proper.
   */
  async contact(list: 'supply' | 'proposals', signal: AbortSignal | undefined): Promise<void> {
    if (this.learned.segment !== undefined) return;
    try {
      await this.get(list, { query: { limit: '1' }, signal });
    } catch (error) {
      if (!isHttpError(error) && !(isApiError(error) && error.kind === 'reply')) throw error;
    }
  }

  /** Like `get`, but undefined where the node does not offer the operation; that is remembered. */
  async getOptional<O extends Operation>(operation: O, question: Question<O>): Promise<Answer<O> | undefined> {
    if (this.learned.notOffered.includes(operation)) return undefined;
    try {
      return await this.get(operation, question);
    } catch (error) {
      if (!isNotOffered(error)) throw error;
      if (this.learned.segment !== undefined) this.learned.learnNotOffered(operation);
      return undefined;
    }
  }

  /** The address of an operation as far as the dialect is known. */
  urlOf<O extends Operation>(operation: O, question: Question<O>): string {
    return this.client.urlOf(operation, { ...question, segment: this.learned.segment ?? 'chain' });
  }

  async #send<O extends Operation>(operation: O, question: Question<O>, segment: string): Promise<Answer<O>> {
    const answer = await this.#height.ask(question.height, (height) =>
      this.client.get(operation, { ...question, segment, height }),
    );
    this.#certain = true;
    return answer;
  }

  /** Whether the remembered segment has gone: the node no longer knows an operation that every node has. */
  #isOutdated(operation: Operation, error: unknown): boolean {
    return !this.#certain && (operation === 'supply' || operation === 'proposals') && isNotOffered(error);
  }

  async #firstContact<O extends Operation>(operation: O, question: Question<O>): Promise<Answer<O>> {
    const found = this.#find(operation, question);
    this.#finding = found;
    try {
      return await found;
    } finally {
      this.#finding = undefined;
    }
  }

  async #find<O extends Operation>(operation: O, question: Question<O>): Promise<Answer<O>> {
    try {
      return await this.#try(operation, question, 'chain');
    } catch (error) {
      if (this.learned.segment !== undefined || !mayBeElsewhere(error)) throw error;
      try {
        return await this.#try(operation, question, 'cosmos');
      } catch (second) {
        if (this.learned.segment !== undefined || !mayBeElsewhere(second)) throw second;
        throw isNotOffered(error) && isNotOffered(second) ? nowhere(second) : isNotOffered(error) ? second : error;
      }
    }
  }

  async #try<O extends Operation>(operation: O, question: Question<O>, segment: string): Promise<Answer<O>> {
    try {
      const answer = await this.#send(operation, question, segment);
      this.learned.learn({ segment });
      return answer;
    } catch (error) {
      if (isNodeAnswer(error) || isNearMiss(error)) this.learned.learn({ segment });
      throw error;
    }
  }
}

/** Whether the other segment may still answer: somebody is there, but not with what was asked for. */
function mayBeElsewhere(error: unknown): boolean {
  if (isHttpError(error)) return error.status !== 429 && error.status !== 401;
  return isApiError(error) && error.kind === 'reply';
}

/** The reply of a 200 is what was asked for, but for a fault deep in it. */
function isNearMiss(error: unknown): boolean {
  return error instanceof ReplyError && /[.[]/.test(error.path ?? '');
}

/** Both segments are unknown here. */
function nowhere(error: unknown): unknown {
  if (!isHttpError(error)) return error;
  const hint =
    'Neither /chain nor /cosmos is answered here: check that this is the REST address of a node (often port 1317), not its RPC address';
  return new HttpError(error.url, error.status, error.grpcCode, error.nodeMessage, hint);
}

/** The outcome of `promise`, or a rejection with the signal's reason as soon as it fires; the promise itself goes on. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
