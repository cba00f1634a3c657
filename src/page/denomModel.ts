import { isHttpError, messageOf } from '../api/errors.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import type { Holder } from '../chain/supplySplit.ts';
import { validatorsByAccount } from '../reads/proposalReads.ts';
import { maxAges } from '../session/kept.ts';
import { chainIdOf } from '../session/registry.ts';
import type { AcquiredSession, Session } from '../session/session.ts';
import type { DenomFacts, NamedHolder } from './denomView.ts';

/** The number of holders on the page. */
const shownHolders = 10;

/** A denom of a source. `sourceId` is the normalized value of `chainInspector.baseUrl`. */
export interface DenomKey {
  readonly sourceId: string;
  readonly denom: string;
}

/** The facts that `DenomModel` reads. */
type ReadDenomFacts = Pick<
  DenomFacts,
  'coin' | 'split' | 'progress' | 'holders' | 'readAt' | 'failure' | 'isReading' | 'chainId'
>;

const nothing: ReadDenomFacts = {
  coin: undefined,
  split: undefined,
  progress: undefined,
  holders: undefined,
  readAt: undefined,
  failure: undefined,
  isReading: true,
  chainId: undefined,
};

/** A denom of an open source: its loaded row, and its split and holders once they are read. */
export class DenomModel implements Disposable {
  readonly key: DenomKey;
  readonly session: Session;
  readonly #acquired: AcquiredSession;
  readonly #changed = new Emitter<void>();
  readonly #listeners: readonly Disposable[];
  #facts = nothing;
  #abort = new AbortController();
  #stop = new AbortController();

  /** Releases `acquired` when disposed. */
  constructor(key: DenomKey, acquired: AcquiredSession) {
    const { session } = acquired;
    this.key = key;
    this.session = session;
    this.#acquired = acquired;
    this.#listeners = [
      session.lists.supply.onDidChange(() => this.#changed.fire()),
      session.onDidForget(() => {
        this.#facts = nothing;
        void this.read(true);
      }),
    ];
  }

  readonly onDidChange = this.#changed.on;

  get facts(): DenomFacts {
    const { denom } = this.key;
    const { source, lists } = this.session;
    const { supply } = lists;
    return {
      ...this.#facts,
      denom,
      sourceName: source.name,
      isPast: source.kind === 'http' && source.at !== undefined,
      unit: supply.unit(denom),
      metadata: supply.metadata(denom),
      origin: supply.origin(denom),
      isStaking: supply.staking?.denom === denom,
      height: supply.pager.height,
      stateTime: this.session.stateTime,
    };
  }

  /** Reads the denom. Never rejects; see `failure`. If two reads overlap, the later one counts. */
  async read(isFresh: boolean): Promise<void> {
    const { denom } = this.key;
    const { supply } = this.session.lists;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#stop = new AbortController();
    const { signal } = this.#abort;
    const add = (news: Partial<ReadDenomFacts>): void => this.#add(signal, news);
    add({ isReading: true, failure: undefined, progress: undefined });
    try {
      const known = isFresh ? undefined : supply.find(denom);
      add({ coin: known ?? (await supply.load(denom, signal)) });
      const maxAge = isFresh ? 0 : maxAges.screen;
      void supply.loadUnits({ maxAge });
      void supply.loadOrigin(denom, { maxAge });
      // The split reuses answers that the rows of the tree asked for.
      const { readSplit } = await import('../reads/readSplit.ts');
      const node = await this.session.node();
      void chainIdOf(node, signal).then(
        (chainId) => add({ chainId }),
        () => undefined,
      );
      const onProgress = (done: number, of: number): void => add({ progress: { done, of } });
      const options = { maxAge, signal, stop: this.#stop.signal, onProgress };
      const split = await readSplit(this.session, denom, options).catch(unlessMissing);
      add({ split, readAt: new Date(), isReading: false });
      const holders = split?.origin === 'state' ? await node.largestHolders(denom, shownHolders, signal) : undefined;
      add({ holders });
      if (holders) add({ holders: await withMonikers(this.session, holders, signal) });
    } catch (error) {
      add({ isReading: false, failure: messageOf(error) });
    }
  }

  /** Stops reading the split. The part that was read stays. */
  stop(): void {
    this.#stop.abort();
  }

  dispose(): void {
    for (const owned of [...this.#listeners, this.#changed]) owned.dispose();
    this.#abort.abort();
    void this.#acquired.release();
  }

  #add(signal: AbortSignal, news: Partial<ReadDenomFacts>): void {
    if (signal.aborted) return;
    this.#facts = { ...this.#facts, ...news };
    this.#changed.fire();
  }
}

/** Accepts the error of a state that has no such denom. */
function unlessMissing(error: unknown): undefined {
  if (!isHttpError(error) || error.status !== 404) throw error;
}

/** Adds names of validators to their operators' accounts. Without validators no account gets a name. */
async function withMonikers(
  { lists }: Session,
  holders: readonly Holder[],
  signal: AbortSignal,
): Promise<readonly NamedHolder[]> {
  const { pager } = lists.validators;
  await pager.loadAll({ signal, limit: Number.POSITIVE_INFINITY }).catch(() => undefined);
  const validators = validatorsByAccount(pager.rows);
  return holders.map((holder) => {
    const validator = validators.get(holder.address);
    return { ...holder, moniker: validator?.moniker || validator?.operator };
  });
}
