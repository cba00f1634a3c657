import type { WatchTarget } from '../../session/watch/watchEntry.ts';

/** A row of the Watch List: a source, and under it what is watched there. */
export type WatchNode =
  | { readonly kind: 'watchSource'; readonly sourceId: string }
  | { readonly kind: 'watchEntry'; readonly key: string; readonly target: WatchTarget };
