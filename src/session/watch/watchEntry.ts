import type { WatchRules } from './watchRules.ts';

/** What is watched. `sourceId` is the normalised address of the source (see `Source.id`). */
export type WatchTarget =
  | { readonly kind: 'proposal'; readonly sourceId: string; readonly id: bigint }
  | { readonly kind: 'denom'; readonly sourceId: string; readonly denom: string };

/** How an entry came to be on the list: somebody put it there, or "Watch everything in voting" did. */
export type WatchOrigin = 'user' | 'everything';

/** One line of the stored list. */
export interface WatchEntry {
  readonly target: WatchTarget;
  readonly rules: WatchRules;
  readonly origin: WatchOrigin;
}

/** Until when an entry is silent: milliseconds since 1970, or for good. */
export type Mute = number | 'forGood';

/** The identity of an entry: the same on every machine, in every window. */
export function entryKey(target: WatchTarget): string {
  return target.kind === 'proposal'
    ? `proposal ${target.id} of ${target.sourceId}`
    : `denom ${target.denom} of ${target.sourceId}`;
}
