import { messageOf } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import type { DenomUnit } from '../chain/coin.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import { ownWords, type Proposal, periodEnd } from '../chain/proposal.ts';
import { phishingSigns } from '../chain/text.ts';
import { Judge } from '../session/judge.ts';
import { maxAges } from '../session/kept.ts';
import { readDeposits, readPageFacts, WhoVoted } from '../session/proposalReads.ts';
import type { RegistryChain } from '../session/registry.ts';
import { findNeighbour, type Side } from '../session/search.ts';
import type { AcquiredSession, Session } from '../session/session.ts';
import type { Clock } from '../watch/clock.ts';
import { EndCheck } from './endCheck.ts';
import type { ProposalFacts, ProposalKey, ReadProposalFacts } from './proposalFacts.ts';

interface ModelOptions {
  readonly clock: Clock;
  readonly registryChain: (chainId: string) => Promise<RegistryChain | undefined>;
}

/** One proposal of an open source: what the stores know, the rest on `start`, and all again after a period's end. */
export class ProposalModel implements Disposable {
  readonly key: ProposalKey;
  readonly session: Session;
  /** The votes one by one; read only when they are asked for. */
  readonly whoVoted: WhoVoted;
  readonly #acquired: AcquiredSession;
  readonly #options: ModelOptions;
  readonly #changed = new Emitter<void>();
  readonly #abort = new AbortController();
  readonly #listeners: readonly Disposable[];
  readonly #end: EndCheck;
  /** Another one when other units are known: what is drawn is kept as long as it is the same. */
  #unitOf = this.#newUnitOf();
  #facts: ReadProposalFacts;
  #node: ChainNode | undefined;
  #reads = 0;

  /** Releases `acquired` when it is disposed. */
  constructor(key: ProposalKey, acquired: AcquiredSession, options: ModelOptions) {
    const { session } = acquired;
    this.key = key;
    this.session = session;
    this.#acquired = acquired;
    this.#options = options;
    this.#end = new EndCheck(options.clock, () => this.refresh());
    this.whoVoted = new WhoVoted(() => session.node(), key.id);
    this.whoVoted.onDidChange(() => this.#changed.fire());
    this.#facts = { row: undefined, readAt: this.#now() };
    this.#followStore();
    this.#listeners = [
      session.stores.proposals.onDidChange(() => this.#followStore()),
      session.onDidForget(() => this.#startAnew()),
    ];
  }

  readonly onDidChange = this.#changed.on;

  /** Undefined until the proposal was read. */
  get facts(): ProposalFacts | undefined {
    const { row, inputs } = this.#facts;
    if (row === undefined) return undefined;
    const { source } = this.session;
    return {
      ...this.#facts,
      row,
      sourceName: source.name,
      isPast: source.kind === 'http' && source.at !== undefined,
      hasPast: source.kind === 'http' && source.at === undefined,
      chainId: this.#node?.dialect.chainId,
      now: this.session.pastTime ?? inputs?.now ?? this.#now(),
      clockRuns: !this.session.isStill,
      unitOf: this.#unitOf,
      whoVoted: this.whoVoted,
    };
  }

  /** As in `facts`, before there are any too. */
  get failure(): string | undefined {
    return this.#facts.failure;
  }

  get explorerUrl(): string | undefined {
    return this.#facts.registry?.proposalPage;
  }

  /** Opens the source and reads what is not known yet. Never rejects: see `failure`. */
  async start(): Promise<void> {
    const read = this.#load(this.#facts.row === undefined);
    // How amounts are shown: read once for the whole source, and optional.
    const show = (): void => {
      this.#unitOf = this.#newUnitOf();
      this.#changed.fire();
    };
    void this.session.stores.supply.loadUnits({ maxAge: maxAges.screen }).then(show);
    await read;
    const { source } = this.session;
    const chainId = source.kind === 'http' ? (source.setting.chain ?? this.#node?.dialect.chainId) : undefined;
    const registry = chainId && (await this.#options.registryChain(chainId).catch(() => undefined));
    if (registry) this.#update({ registry });
  }

  /** Reads the proposal again. Never rejects: see `failure`. */
  async refresh(): Promise<void> {
    await this.#load(true);
  }

  /** Reads the votes of the validators at the height of the tally; both again where they were read. Never rejects. */
  async readValidators(): Promise<void> {
    if (this.whoVoted.validators.kind === 'read') await this.refresh();
    await this.whoVoted.readValidators(this.#facts.inputs?.height);
  }

  /** Nothing is read by itself for a page that is hidden. */
  setVisible(visible: boolean): void {
    this.#end.pause(!visible);
  }

  /** The id of the proposal before or after this one in the order of the lists; undefined at an end. */
  async neighbour(side: Side): Promise<bigint | undefined> {
    return findNeighbour(this.session, this.key.id, side, this.#abort.signal);
  }

  dispose(): void {
    this.#abort.abort();
    for (const owned of [this.#end, this.whoVoted, ...this.#listeners, this.#changed]) owned.dispose();
    void this.#acquired.release();
  }

  /** The file changed, or another chain answers: nothing that was shown is of it. */
  #startAnew(): void {
    this.#reads += 1;
    this.#node = undefined;
    this.#end.set(undefined);
    this.#facts = { row: undefined, readAt: this.#now() };
    this.whoVoted.forget();
    this.#changed.fire();
    void this.start();
  }

  #newUnitOf(): ProposalFacts['unitOf'] {
    return (denom): DenomUnit | undefined => this.session.stores.supply.unit(denom);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  #update(news: Partial<ReadProposalFacts>): void {
    if (this.#abort.signal.aborted) return;
    this.#facts = { ...this.#facts, ...news };
    this.#changed.fire();
  }

  /** Reads the proposal, where what is known of it is stale, and then its inputs. Of two at a time the later one counts. */
  async #load(isStale: boolean): Promise<void> {
    const { signal } = this.#abort;
    const request = ++this.#reads;
    try {
      // The store fires with the row that it read.
      if (isStale) await this.session.stores.proposals.load(this.key.id, signal);
      // Each time: a file that changed was opened anew.
      this.#node = await this.session.node();
      const { row } = this.#facts;
      if (row?.kind !== 'proposal' || request !== this.#reads) return this.#update({ failure: undefined });
      const isOpen = row.status === 'deposit' || row.status === 'voting';
      const [judgement, page, deposits] = await Promise.all([
        new Judge(this.#node, signal).judge(row, this.#now(), isStale ? row.height : undefined),
        readPageFacts(this.#node, row, this.session.source.kind, signal),
        isOpen ? readDeposits(this.#node, row.id, signal).catch(() => undefined) : undefined,
      ]);
      // The votes were decided since it was read.
      const { proposal, height, heightDropped } = judgement;
      if (proposal !== row) this.session.stores.proposals.update([proposal]);
      const inputs = { ...judgement.inputs, height, heightDropped, ...page, deposits };
      if (request === this.#reads) this.#update({ failure: undefined, inputs });
    } catch (error) {
      if (request === this.#reads) this.#update({ failure: messageOf(error) });
    }
  }

  /** The store may have a newer row: from this model, a list or the watch list. A new status needs other inputs. */
  #followStore(): void {
    const before = this.#facts.row;
    const row = this.session.stores.proposals.known(this.key.id);
    if (row === undefined || row === before) return;
    const proposal = row.kind === 'proposal' ? row : undefined;
    // Once for each row: it takes a while in a long text.
    const phishing = proposal && phishingSigns(allWords(proposal));
    this.#update({ row, phishing, readAt: this.#now() });
    // Where the time stands still nothing ends.
    this.#end.set(proposal && !this.session.isStill ? periodEnd(proposal)?.getTime() : undefined);
    if (before?.kind === 'proposal' && proposal && before.status !== proposal.status) void this.#load(false);
  }
}

function allWords(proposal: Proposal): string {
  const own = proposal.contents.map((content) => ownWords(proposal, content));
  return [proposal, ...own].map(({ title = '', description = '' }) => `${title}\n${description}`).join('\n');
}
