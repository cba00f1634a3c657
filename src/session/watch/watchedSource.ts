import type { ChainNode } from '../../api/node.ts';
import type { Coin } from '../../chain/coin.ts';
import type { ProposalRow } from '../../chain/proposal.ts';

/** A source held open for the watch list, which shares what it reads with whoever shows the same source. */
export interface WatchedChain {
  node(): Promise<ChainNode>;
  learn(rows: readonly ProposalRow[]): void;
  learnSupply(coin: Coin): void;
  release(): Promise<void>;
}

/** Where a watched entry is read from. Nothing is asked of a source that is gone; `reason` is a sentence for a person. */
export type WatchedSource =
  /** A chain whose time runs: deadlines come by themselves. */
  | { readonly kind: 'live'; readonly name: string; open(): WatchedChain }
  /** A state file: it says something new only when it changes. */
  | { readonly kind: 'file'; readonly name: string; readonly path: string; open(): WatchedChain }
  | { readonly kind: 'gone'; readonly name: string; readonly reason: string };
