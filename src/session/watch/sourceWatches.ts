import { EndpointWatch } from './endpointWatch.ts';
import type { SourceContext, SourceWatch } from './sourceWatch.ts';
import { StateFileWatch } from './stateFileWatch.ts';
import type { WatchedSource } from './watchedSource.ts';

/** The sources that this window keeps current; made when first wanted, dropped with their sockets when wanted no more. */
export class SourceWatches {
  readonly #source: (sourceId: string) => WatchedSource;
  readonly #contextOf: (sourceId: string) => SourceContext;
  readonly #onError: (error: unknown) => void;
  readonly #watches = new Map<string, SourceWatch>();

  constructor(
    source: (sourceId: string) => WatchedSource,
    contextOf: (sourceId: string) => SourceContext,
    onError: (error: unknown) => void,
  ) {
    this.#source = source;
    this.#contextOf = contextOf;
    this.#onError = onError;
  }

  /** Those that there are. */
  get all(): readonly SourceWatch[] {
    return [...this.#watches.values()];
  }

  find(sourceId: string): SourceWatch | undefined {
    return this.#watches.get(sourceId);
  }

  /** Exactly the wanted ones, but for sources that are gone. */
  keep(wanted: ReadonlySet<string>): readonly SourceWatch[] {
    if ([...this.#watches.keys()].some((sourceId) => !wanted.has(sourceId)))
      void this.#drop((sourceId) => !wanted.has(sourceId));
    return [...wanted].flatMap((sourceId) => this.#open(sourceId) ?? []);
  }

  /** Ends all; a failure goes to `onError`. */
  async dropAll(): Promise<void> {
    await this.#drop(() => true);
  }

  #open(sourceId: string): SourceWatch | undefined {
    const there = this.#watches.get(sourceId);
    if (there) return there;
    const source = this.#source(sourceId);
    if (source.kind === 'gone') return undefined;
    const context = this.#contextOf(sourceId);
    const made =
      source.kind === 'file'
        ? new StateFileWatch(sourceId, source, context)
        : new EndpointWatch(sourceId, source, context);
    this.#watches.set(sourceId, made);
    return made;
  }

  async #drop(isGone: (sourceId: string) => boolean): Promise<void> {
    const gone = [...this.#watches].filter(([sourceId]) => isGone(sourceId));
    for (const [sourceId] of gone) this.#watches.delete(sourceId);
    await Promise.all(gone.map(([, watch]) => watch.dispose())).catch(this.#onError);
  }
}
