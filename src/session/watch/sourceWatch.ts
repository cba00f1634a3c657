import type { Clock } from './clock.ts';
import type { EndpointState } from './endpointHealth.ts';
import type { ReadResult } from './endpointRead.ts';
import type { WatchedEntry } from './mergeEntries.ts';
import type { RequestMeter } from './requestMeter.ts';
import type { WatchedChain } from './watchedSource.ts';
import type { WatchStore } from './watchStore.ts';

/** Keeps what is watched of one source current. */
export interface SourceWatch {
  readonly state: EndpointState;
  /** The time at the source, milliseconds since 1970. */
  readonly now: number;
  /** The refresh under way, if any: at most one. */
  readonly flight: Promise<void> | undefined;
  /** Something changed that plans depend on: the list, rules, focus, what is visible. */
  replan(): void;
  /** Everything is to be looked at now, also where the source was down. */
  catchUp(): void;
  /** Somebody came to the keyboard: look, unless that was done a moment ago. */
  focus(): void;
  /** The machine slept or its clock was set. */
  doubtClock(): void;
  /** Milliseconds until something is due, 0 for now; infinite while a refresh is under way or nothing ever is. */
  dueIn(): number;
  /** Starts the refresh that is due; never rejects. */
  refresh(): Promise<void>;
  dispose(): Promise<void>;
}

/** What a source's watch works with. */
export interface SourceContext {
  readonly clock: Clock;
  readonly meter: RequestMeter;
  readonly store: WatchStore;
  /** What is watched of this source now. */
  readonly entries: () => readonly WatchedEntry[];
  /** Milliseconds between slow looks; 0 for none. */
  readonly interval: () => number;
  readonly focused: () => boolean;
  readonly visible: () => ReadonlySet<string>;
  readonly onDidChange: () => void;
}

/** Gives what was read to who shows the same source. */
export function shareRead(chain: WatchedChain, entries: readonly WatchedEntry[], result: ReadResult): void {
  chain.learn(result.rows);
  for (const { key, target } of entries) {
    const amount = result.supplies.get(key);
    if (amount !== undefined && target.kind === 'denom') chain.learnSupply({ denom: target.denom, amount });
  }
}
