import { commitRead } from './commitRead.ts';
import { EndpointHealth, type EndpointState } from './endpointHealth.ts';
import { asksSomething, type Look, toJob } from './endpointJob.ts';
import { entryNeeds, type Need } from './endpointPlan.ts';
import { emptyResult, type ReadJob, type ReadResult, readEndpoint } from './endpointRead.ts';
import { EntryMemory } from './entryMemory.ts';
import { LookSchedule } from './lookSchedule.ts';
import { MeteredNode } from './meteredNode.ts';
import { NodeClock } from './nodeClock.ts';
import { isLive, periodEnd } from './reading.ts';
import { type SourceContext, type SourceWatch, shareRead } from './sourceWatch.ts';
import { VoteCounter } from './voteCounter.ts';
import type { WatchedChain, WatchedSource } from './watchedSource.ts';

/** A source whose time runs. */
type LiveSource = Extract<WatchedSource, { kind: 'live' }>;

/** Keeps what is watched of one source current: knows when something is due, and has at most one refresh under way. */
export class EndpointWatch implements SourceWatch {
  readonly #sourceId: string;
  readonly #source: LiveSource;
  readonly #context: SourceContext;
  readonly #nodeClock: NodeClock;
  readonly #health: EndpointHealth;
  readonly #schedule: LookSchedule;
  readonly #votes = new VoteCounter();
  readonly #abort = new AbortController();
  readonly #memory = new EntryMemory();
  #chain: WatchedChain | undefined;
  #flight: Promise<void> | undefined;
  #longSupply = false;
  #due: { readonly at: number; readonly markAt: number } | undefined;

  constructor(sourceId: string, source: LiveSource, context: SourceContext) {
    this.#sourceId = sourceId;
    this.#source = source;
    this.#context = context;
    this.#nodeClock = new NodeClock(context.clock);
    this.#health = new EndpointHealth(context.clock);
    this.#schedule = new LookSchedule(context.clock, context.interval, context.focused);
  }

  get state(): EndpointState {
    return this.#health.state;
  }

  get now(): number {
    return this.#nodeClock.now();
  }

  get flight(): Promise<void> | undefined {
    return this.#flight;
  }

  replan(): void {
    this.#due = undefined;
  }

  catchUp(): void {
    this.#schedule.wantAll();
    this.#memory.forgive();
    this.#health.retryNow();
    this.replan();
  }

  focus(): void {
    if (this.#schedule.isMissed) this.catchUp();
    this.replan();
  }

  /** The machine slept or its clock was set: the node is to tell its time. */
  doubtClock(): void {
    this.#nodeClock.doubt();
    this.#memory.forgetLooks();
    this.catchUp();
  }

  dueIn(): number {
    if (this.#flight) return Number.POSITIVE_INFINITY;
    const now = this.#context.clock.monotonic();
    this.#due ??= this.#whenDue(now);
    // What is known already is said in time, also while the source is left alone.
    return Math.max(0, Math.min(this.#due.markAt, Math.max(this.#due.at, this.#health.retryAt)) - now);
  }

  refresh(): Promise<void> {
    this.#flight ??= this.#run().finally(() => {
      this.#flight = undefined;
      this.replan();
      this.#context.onDidChange();
    });
    return this.#flight;
  }

  async dispose(): Promise<void> {
    this.#abort.abort();
    await this.#flight;
    await this.#release();
  }

  #whenDue(monotonic: number): { at: number; markAt: number } {
    const due = { at: this.#schedule.dueAt, markAt: Number.POSITIVE_INFINITY };
    const { now } = this;
    for (const { at, why } of this.#needs()) {
      const time = monotonic + at - now;
      due.at = Math.min(due.at, time);
      if (why === 'mark') due.markAt = Math.min(due.markAt, time);
    }
    return due;
  }

  #needs(): readonly Need[] {
    const { store, entries, focused, visible } = this.#context;
    const { readings, found } = store.log;
    const { looks, put, tallied } = this.#memory;
    const input = { readings, found, now: this.now, looks, put, tallied };
    return entryNeeds({ ...input, entries: entries(), focused: focused(), visible: visible() });
  }

  async #run(): Promise<void> {
    try {
      if (this.#health.backsOff) await this.#commit(undefined, this.#dueNeeds());
      else await this.#readLive();
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#fail(error);
    }
  }

  #dueNeeds(): readonly Need[] {
    const { now } = this;
    return this.#needs().filter(({ at }) => at <= now);
  }

  async #readLive(): Promise<void> {
    const needs = this.#dueNeeds();
    const look = this.#takeLook();
    const job = toJob({
      entries: this.#context.entries(),
      readings: this.#context.store.log.readings,
      needs,
      look,
      now: this.now,
      tellTime: this.#nodeClock.isUnsure,
      longSupply: this.#longSupply,
    });
    const tallies = needs.filter(({ what }) => what === 'tally');
    const result = asksSomething(job) || tallies.length > 0 ? await this.#ask(job, tallies) : undefined;
    if (this.#abort.signal.aborted) return;
    // A failure is known before the events that do not need the source are said.
    if (result?.failure !== undefined) this.#fail(result.failure, look);
    else if (result) this.#health.succeeded();
    await this.#commit(result, needs);
  }

  #takeLook(): Look | undefined {
    const size = this.#schedule.take();
    if (size === undefined) return undefined;
    const everything = this.#context.store.list.everything.some(({ sourceId }) => sourceId === this.#sourceId);
    return { voting: size === 'all' || everything, everything };
  }

  async #ask(job: ReadJob, tallies: readonly Need[]): Promise<ReadResult> {
    const result = emptyResult(job);
    try {
      this.#chain ??= this.#source.open();
      const chainNode = await this.#chain.node();
      const node = new MeteredNode(chainNode, this.#context.meter, this.#nodeClock, this.#abort.signal);
      await readEndpoint(node, job, result);
      await this.#count(node, tallies, result);
    } catch (error) {
      result.failure = error;
    }
    return result;
  }

  /** The votes so far, of those whose rules or row want them. */
  async #count(node: MeteredNode, needs: readonly Need[], result: ReadResult): Promise<void> {
    for (const { entry } of needs) {
      const reading = this.#context.store.log.readings.get(entry.key);
      const seen = result.proposals.get(entry.key) ?? reading;
      if (entry.target.kind !== 'proposal' || reading?.kind !== 'proposal' || !seen || !('status' in seen)) continue;
      if (seen.status !== 'voting') continue;
      const { now } = this;
      this.#memory.tally(entry.key, now);
      const live = await this.#votes.count(node, entry.target.id, reading.expedited === true, now);
      if (live) result.proposals.set(entry.key, { ...seen, live });
    }
  }

  /** Stores what was learned, finds what is worth a word, and shares it with who shows the same source. */
  async #commit(result: ReadResult | undefined, needs: readonly Need[]): Promise<void> {
    const marks = new Set(needs.filter(({ why }) => why === 'mark').map(({ entry }) => entry.key));
    if (!result && marks.size === 0) return;
    const { store, clock, entries } = this.#context;
    if (result) {
      this.#memory.remember(needs, result, this.now);
      this.#longSupply = result.longSupply;
    }
    const [sourceId, nodeNow, wallNow] = [this.#sourceId, this.now, clock.now()];
    const { proposals = new Map(), supplies = new Map(), voting } = result ?? {};
    const brought = { sourceId, entries: entries(), proposals, supplies, voting, marks, nodeNow, wallNow };
    await store.update((data) => commitRead(data, brought));
    if (result && this.#chain) shareRead(this.#chain, entries(), result);
  }

  /** What was to be looked at stays to be looked at. */
  #fail(failure: unknown, look?: Look): void {
    if (look) this.#schedule.want(look.voting ? 'all' : 'some');
    this.#health.failed(failure, this.#nodeClock.doubted || this.#isOverdue());
  }

  #isOverdue(): boolean {
    const { now } = this;
    return this.#context.entries().some(({ key }) => {
      const reading = this.#context.store.log.readings.get(key);
      const end = reading && isLive(reading) ? periodEnd(reading) : undefined;
      return end !== undefined && now >= end;
    });
  }

  async #release(): Promise<void> {
    const chain = this.#chain;
    this.#chain = undefined;
    await chain?.release();
  }
}
