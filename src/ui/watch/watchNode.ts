import type { WatchTarget } from '../../session/watch/watchEntry.ts';

/** A row of the Watch List: a source, and under it what is watched there. */
export type WatchNode =
  | { readonly kind: 'watchSource'; readonly sourceId: string }
  | { readonly kind: 'watchEntry'; readonly key: string; readonly target: WatchTarget };

/** Whether what a menu or a key handed over is a row of the Watch List. */
export function isWatchNode(node: unknown): node is WatchNode {
  if (typeof node !== 'object' || node === null || !('kind' in node)) return false;
  return node.kind === 'watchSource' || node.kind === 'watchEntry';
}
