import { stat } from 'node:fs/promises';
import { commitRead } from './commitRead.ts';
import { EndpointHealth } from './endpointHealth.ts';
import { toFileJob } from './endpointJob.ts';
import { emptyResult, readEndpoint } from './endpointRead.ts';
import { MeteredNode } from './meteredNode.ts';
import { NodeClock } from './nodeClock.ts';
import { type SourceContext, type SourceWatch, shareRead } from './sourceWatch.ts';
import type { WatchedSource } from './watchedSource.ts';

/** Watches a state file: nothing in it comes by itself, so it is read again only when it is newer than what is known. */
export class StateFileWatch implements SourceWatch {
  readonly #sourceId: string;
  readonly #source: Extract<WatchedSource, { kind: 'file' }>;
  readonly #context: SourceContext;
  readonly #health: EndpointHealth;
  readonly #abort = new AbortController();
  readonly #tried = new Map<string, number>();
  #flight: Promise<void> | undefined;
  #lookedAt: number | undefined;

  constructor(sourceId: string, source: Extract<WatchedSource, { kind: 'file' }>, context: SourceContext) {
    this.#sourceId = sourceId;
    this.#source = source;
    this.#context = context;
    this.#health = new EndpointHealth(context.clock);
  }

  get state() {
    return this.#health.state;
  }

  get now(): number {
    return this.#context.clock.now();
  }

  get flight(): Promise<void> | undefined {
    return this.#flight;
  }

  replan(): void {
    if (this.#context.entries().some(({ key }) => this.#readAt(key) === 0)) this.#lookedAt = undefined;
  }

  catchUp(): void {
    this.#health.retryNow();
    this.#lookedAt = undefined;
  }

  focus(): void {
    this.#lookedAt = undefined;
  }

  doubtClock(): void {}

  dueIn(): number {
    if (this.#flight) return Number.POSITIVE_INFINITY;
    const { interval, focused, clock } = this.#context;
    if (this.#lookedAt === undefined) return Math.max(0, this.#health.retryAt - clock.monotonic());
    if (interval() <= 0 || !focused()) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#lookedAt + interval() - clock.monotonic());
  }

  refresh(): Promise<void> {
    this.#flight ??= this.#run().finally(() => {
      this.#flight = undefined;
      this.#context.onDidChange();
    });
    return this.#flight;
  }

  async dispose(): Promise<void> {
    this.#abort.abort();
    await this.#flight;
  }

  async #run(): Promise<void> {
    const { clock, entries } = this.#context;
    this.#lookedAt = clock.monotonic();
    try {
      const { mtimeMs } = await stat(this.#source.path);
      if (!entries().some(({ key }) => this.#readAt(key) < mtimeMs)) return;
      // An entry that the file has nothing to say of is not asked again either.
      for (const { key } of entries()) this.#tried.set(key, clock.now());
      await this.#read();
    } catch (error) {
      this.#tried.clear();
      if (!this.#abort.signal.aborted) this.#health.failed(error, false);
    }
  }

  /** When an entry was last read or tried, by this machine's clock; 0 for never. */
  #readAt(key: string): number {
    return Math.max(this.#context.store.log.readings.get(key)?.at ?? 0, this.#tried.get(key) ?? 0);
  }

  /** Opened for this one reading: the service that answers from the file holds it in memory. */
  async #read(): Promise<void> {
    const { clock, entries, meter, store } = this.#context;
    const chain = this.#source.open();
    try {
      const job = toFileJob(entries(), store.log.readings);
      const result = emptyResult(job);
      const node = new MeteredNode(await chain.node(), meter, new NodeClock(clock), this.#abort.signal);
      await readEndpoint(node, job, result);
      if (this.#abort.signal.aborted) return;
      this.#health.succeeded();
      const { proposals, supplies, voting } = result;
      const now = clock.now();
      const brought = { sourceId: this.#sourceId, entries: entries(), proposals, supplies, voting };
      await store.update((data) => commitRead(data, { ...brought, marks: new Set(), nodeNow: now, wallNow: now }));
      shareRead(chain, entries(), result);
    } finally {
      await chain.release();
    }
  }
}
