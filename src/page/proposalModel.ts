import { messageOf } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import type { DenomUnit } from '../chain/coin.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import { ownWords, type Proposal, periodEnd } from '../chain/gov/proposal.ts';
import { phishingSigns } from '../chain/phishing.ts';
import { Judge } from '../reads/judge.ts';
import { readDeposits, readPageFacts, WhoVoted } from '../reads/proposalReads.ts';
import { type Direction, findNeighbour } from '../reads/search.ts';
import { maxAges } from '../session/kept.ts';
import type { RegistryChain } from '../session/registry.ts';
import type { AcquiredSession, Session } from '../session/session.ts';
import type { Clock } from '../watch/clock.ts';
import { EndCheck } from './endCheck.ts';
import type { ProposalFacts, ProposalKey, ReadProposalFacts } from './proposalFacts.ts';

interface ModelOptions {
  readonly clock: Clock;
  readonly registryChain: (chainId: string) => Promise<RegistryChain | undefined>;
}

/**
 * A proposal of an open source. Begins with the loaded row. `start` reads the rest, and the end of a period reads
 * everything again.
 */
export class ProposalModel implements Disposable {
  readonly key: ProposalKey;
  readonly session: Session;
  /** The single votes. They are read only on demand. */
  readonly whoVoted: WhoVoted;
  readonly #acquired: AcquiredSession;
  readonly #options: ModelOptions;
  readonly #changed = new Emitter<void>();
  readonly #abort = new AbortController();
  readonly #listeners: readonly Disposable[];
  readonly #end: EndCheck;
  /** Replaced when other units are known. The same function means that drawn contents can be kept. */
  #unitOf = this.#newUnitOf();
  #facts: ReadProposalFacts;
  #node: ChainNode | undefined;
  #reads = 0;

  /** Releases `acquired` when disposed. */
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
      session.lists.proposals.onDidChange(() => this.#followStore()),
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
      stateTime: this.session.stateTime,
      unitOf: this.#unitOf,
      whoVoted: this.whoVoted,
    };
  }

  /** The failure of the last read, also before there are facts. */
  get failure(): string | undefined {
    return this.#facts.failure;
  }

  get explorerUrl(): string | undefined {
    return this.#facts.registry?.proposalPage;
  }

  /** Opens the source and reads facts that are not known yet. Never rejects; see `failure`. */
  async start(): Promise<void> {
    const read = this.#load(this.#facts.row === undefined);
    // Units are optional, and read once for the whole source.
    const show = (): void => {
      this.#unitOf = this.#newUnitOf();
      this.#changed.fire();
    };
    void this.session.lists.supply.loadUnits({ maxAge: maxAges.screen }).then(show);
    await read;
    const { source } = this.session;
    const chainId = source.kind === 'http' ? (source.setting.chain ?? this.#node?.dialect.chainId) : undefined;
    const registry = chainId && (await this.#options.registryChain(chainId).catch(() => undefined));
    if (registry) this.#update({ registry });
  }

  /** Reads the proposal again. Never rejects; see `failure`. */
  async refresh(): Promise<void> {
    await this.#load(true);
  }

  /** Reads the votes of the validators at the height of the tally. A second call reads both again. Never rejects. */
  async readValidators(): Promise<void> {
    if (this.whoVoted.validators.kind === 'read') await this.refresh();
    await this.whoVoted.readValidators(this.#facts.inputs?.height);
  }

  /** Pauses timed reads while the page is hidden. */
  setVisible(visible: boolean): void {
    this.#end.pause(!visible);
  }

  /** The proposal before or after this one in the order of the lists. Undefined at an end. */
  async neighbour(side: Direction): Promise<bigint | undefined> {
    return findNeighbour(this.session, this.key.id, side, this.#abort.signal);
  }

  dispose(): void {
    this.#abort.abort();
    for (const owned of [this.#end, this.whoVoted, ...this.#listeners, this.#changed]) owned.dispose();
    void this.#acquired.release();
  }

  /** Drops all facts, since the file changed or another chain answers. */
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
    return (denom): DenomUnit | undefined => this.session.lists.supply.unit(denom);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  #update(news: Partial<ReadProposalFacts>): void {
    if (this.#abort.signal.aborted) return;
    this.#facts = { ...this.#facts, ...news };
    this.#changed.fire();
  }

  /** Reads the proposal if it is stale, and then its inputs. If two reads overlap, the later one counts. */
  async #load(isStale: boolean): Promise<void> {
    const { signal } = this.#abort;
    const request = ++this.#reads;
    try {
      // The list fires an event with the row.
      if (isStale) await this.session.lists.proposals.load(this.key.id, signal);
      // A changed file is opened anew, so the node may be another one.
      this.#node = await this.session.node();
      const { row } = this.#facts;
      if (row?.kind !== 'proposal' || request !== this.#reads) return this.#update({ failure: undefined });
      const isOpen = row.status === 'deposit' || row.status === 'voting';
      const [judgement, page, deposits] = await Promise.all([
        this.#judge(this.#node, isStale ? 0 : maxAges.screen).judge(row, this.#now(), isStale ? row.height : undefined),
        readPageFacts(this.#node, row, this.session.source.kind, signal),
        isOpen ? readDeposits(this.#node, row.id, signal).catch(() => undefined) : undefined,
      ]);
      // The vote may have ended since the row was read.
      const { proposal, height, unpinnedReason } = judgement;
      if (proposal !== row) this.session.lists.proposals.update([proposal]);
      const inputs = { ...judgement.inputs, height, unpinnedReason, ...page, deposits };
      if (request === this.#reads) this.#update({ failure: undefined, inputs });
    } catch (error) {
      if (request === this.#reads) this.#update({ failure: messageOf(error) });
    }
  }

  #judge(node: ChainNode, maxAge: number): Judge {
    return new Judge(node, this.session.kept, { maxAge, signal: this.#abort.signal });
  }

  /**
   * Follows the row of the list. This page, a list or the watch list may have read a newer one. A new status needs
   * other inputs.
   */
  #followStore(): void {
    const before = this.#facts.row;
    const row = this.session.lists.proposals.find(this.key.id);
    if (row === undefined || row === before) return;
    const proposal = row.kind === 'proposal' ? row : undefined;
    // Only once for each row, since this takes a while for a long text.
    const phishing = proposal && phishingSigns(allWords(proposal));
    this.#update({ row, phishing, readAt: this.#now() });
    // A state file stands still, so nothing ends in it.
    this.#end.set(proposal && !this.session.isStill ? periodEnd(proposal)?.getTime() : undefined);
    if (before?.kind === 'proposal' && proposal && before.status !== proposal.status) void this.#load(false);
  }
}

function allWords(proposal: Proposal): string {
  const own = proposal.contents.map((content) => ownWords(proposal, content));
  return [proposal, ...own].map(({ title = '', description = '' }) => `${title}\n${description}`).join('\n');
}
