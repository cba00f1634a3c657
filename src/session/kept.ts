import type { NodeInfo, StatedGovParams, VotingPower } from '../api/node.ts';
import { SharedWork } from '../api/sharing.ts';
import type { Coin, DenomMetadata, DenomTrace, DenomUnit } from '../chain/coin.ts';
import { Emitter } from '../chain/emitter.ts';
import type { ProposalRow } from '../chain/gov/proposal.ts';
import type { Verdict } from '../chain/gov/verdict.ts';
import type { SupplySplit } from '../chain/supplySplit.ts';

/**
 * The ages that an answer may have, in milliseconds. The caller states one. 0 reads anew; the old answer stands until
 * then.
 */
export const maxAges = {
  /** For a person at the screen: parameters, metadata, the split, the bonded total, open votes and searches. */
  screen: 600_000,
  /** For answers to agents and scripts. */
  tool: 10_000,
  /** For a state that stands still: a file, a block of the past. */
  still: Number.POSITIVE_INFINITY,
} as const;

/** A question for an answer that may be kept. */
export interface KeptQuestion {
  /** The limit for the age of the answer, in milliseconds (`maxAges`). 0 reads anew. */
  readonly maxAge: number;
  /**
   * The time at which the question began, in milliseconds since 1970. An answer that was young enough then, or is
   * newer, may be used.
   */
  readonly since?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer with its height, if it is of one height. */
export interface Answered<T> {
  readonly value: T;
  readonly height?: bigint | undefined;
}

/** A kept answer. `readAt` is the time at which it was asked for, so its real age is never greater than that. */
interface KeptValue<T> extends Answered<T> {
  readonly readAt: Date;
}

/** The age that an answer may have for a person at the screen. */
export function screenAge({ isStill }: { readonly isStill: boolean }): number {
  return isStill ? maxAges.still : maxAges.screen;
}

/** Makes a question of agents and scripts. */
export function toolQuestion({ isStill }: { readonly isStill: boolean }, signal: AbortSignal): KeptQuestion {
  return { maxAge: isStill ? maxAges.still : maxAges.tool, signal };
}

/** The limit for the answers of one kind. The oldest goes first. */
const maxKeys = 1000;

/** Keeps the answers of one kind by key, for all readers. */
export class KeptValues<T> {
  readonly #now: () => number;
  readonly #changed = new Emitter<void>();
  #values = new Map<string, KeptValue<T>>();
  #flights = new SharedWork<KeptValue<T>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Fires when a new answer is kept, or none is kept any more. */
  readonly onDidChange = this.#changed.on;

  /** Gives the kept answer of any age. */
  get(key = ''): KeptValue<T> | undefined {
    return this.#values.get(key);
  }

  /**
   * Gives the kept answer if it is young enough, otherwise a new one. Callers at the same time share one answer.
   * Rejects like `load`, and the old answer stays. Rejects with an `AbortError` on `signal`; when the last caller
   * leaves, the load ends.
   */
  async read(
    key: string,
    { maxAge, since, signal }: KeptQuestion,
    load: (own: AbortSignal) => Promise<Answered<T>>,
  ): Promise<KeptValue<T>> {
    // `forget` sets another map, so an answer that comes after it is not kept.
    const values = this.#values;
    const kept = this.young(key, maxAge, since);
    if (kept) return kept;
    return this.#flights.join(key, signal, async (own) => {
      const readAt = new Date(this.#now());
      const value = { ...(await load(own)), readAt };
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > maxKeys && oldest !== undefined) values.delete(oldest);
      if (values === this.#values) this.#changed.fire();
      return value;
    });
  }

  /** Gives the kept answer if it is young enough. */
  young(key: string, maxAge: number, since?: number): KeptValue<T> | undefined {
    const kept = this.#values.get(key);
    const now = this.#now();
    const readAt = kept?.readAt.getTime() ?? 0;
    const isYoung = (since ?? now) - readAt < maxAge || (since !== undefined && readAt >= since);
    return readAt <= now && isYoung ? kept : undefined;
  }

  /** Forgets all answers, including those that are being read. */
  forget(): void {
    const hadAny = this.#values.size > 0;
    this.#values = new Map();
    this.#flights = new SharedWork();
    if (hadAny) this.#changed.fire();
  }
}

/** The holders of any denom's supply. Their accounts are asked for once (`readSplit.ts`). */
export interface SplitReading {
  split(denom: string, options: SplitOptions): Promise<SupplySplit>;
}

export interface SplitOptions extends KeptQuestion {
  /** Ends the requests for accounts. The known part is given, and a gap says at which account it ended. */
  readonly stop?: AbortSignal | undefined;
  /** Receives the number of a node's accounts that were asked for, and the number of all. */
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/**
 * The answers of a source that outlive their request, in one place. Each has its age. All are forgotten together when
 * the source is opened anew, its file has changed, or another chain answers at its address.
 */
export class Kept {
  /** The clock for ages: milliseconds since 1970. */
  readonly now: () => number;
  readonly #all: { forget(): void }[] = [];
  readonly #ofLists: { forget(): void }[] = [];
  /** One reading for all denoms. */
  readonly split = this.add<SplitReading>();
  /** Units and names by denom, from the chain. */
  readonly metadata = this.add<ReadonlyMap<string, DenomMetadata>>();
  /** Units by denom, from the chain registry. */
  readonly registryUnits = this.add<ReadonlyMap<string, DenomUnit>>();
  /** The supply of the denom that is staked; undefined if the source does not state that denom. */
  readonly staking = this.add<Coin | undefined>();
  /** The origins of denoms, by denom; undefined if not known. */
  readonly origins = this.add<DenomTrace | undefined>();
  /** Supplies that were asked for one by one, by denom. */
  readonly coins = this.add<Coin>();
  /** The names of modules by the addresses of their accounts, from the source. */
  readonly modules = this.add<ReadonlyMap<string, string>>();
  /** All bonded tokens; undefined if the source does not state them. */
  readonly bonded = this.add<bigint | undefined>();
  /** The verdicts on open votes, by the ids of their proposals. */
  readonly verdicts = this.add<Verdict>();
  /**
   * The inputs of verdicts: parameters of gov, the version of the node, and the voting power by height, "" for the
   * latest one.
   */
  readonly govParams = this.add<StatedGovParams | undefined>();
  readonly nodeInfo = this.add<NodeInfo | undefined>();
  readonly votingPower = this.add<VotingPower | undefined>();
  /** A proposal that was read to learn the height at which open votes are judged. */
  readonly moment = this.add<ProposalRow>();

  /** `now` gives milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Adds another kind of answers (`KeptKind`). `isOfLists` is true if they are made of rows of lists. */
  add<T>(isOfLists = false): KeptValues<T> {
    const values = new KeptValues<T>(() => this.now());
    this.#all.push(values);
    if (isOfLists) this.#ofLists.push(values);
    return values;
  }

  /** Forgets answers made of rows of lists, since a list was read again. */
  forgetOfLists(): void {
    for (const values of this.#ofLists) values.forget();
  }

  forget(): void {
    for (const values of this.#all) values.forget();
  }
}

/** A kind of answers of a higher folder. It is kept with all other answers of a source, and forgotten with them. */
export class KeptKind<T> {
  readonly #values = new WeakMap<Kept, KeptValues<T>>();
  readonly #isOfLists: boolean;

  /** `isOfLists` is true if they are made of rows of lists. They are then also forgotten when a list is read again. */
  constructor({ isOfLists }: { readonly isOfLists: boolean } = { isOfLists: false }) {
    this.#isOfLists = isOfLists;
  }

  /** Gives the answers of a source. */
  of(kept: Kept): KeptValues<T> {
    const values = this.#values.get(kept) ?? kept.add<T>(this.#isOfLists);
    this.#values.set(kept, values);
    return values;
  }
}
