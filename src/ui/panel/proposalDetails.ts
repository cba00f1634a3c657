import type { Disposable } from '../../chain/emitter.ts';
import type { ProposalFacts } from './proposalFacts.ts';

/** Which proposal of which source; a source's id is the normalised value of `chainInspector.baseUrl`. */
export interface ProposalKey {
  readonly sourceId: string;
  readonly id: bigint;
}

export type Side = 'previous' | 'next';

/** `failed` only while nothing is known; afterwards `facts.staleReason` says why they are old. */
export type DetailsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'loaded'; readonly facts: ProposalFacts };

/**
 * One proposal that somebody looks at. It keeps its source open until it is disposed, starts to load when it is made,
 * and says so whenever something new is learned (`state`, neighbours, watch).
 */
export interface ProposalDetails extends Disposable {
  readonly state: DetailsState;
  readonly onDidChange: (listener: () => void) => Disposable;
  /** Asks the source again. Never rejects: a failure stands in `state`. */
  refresh(): Promise<void>;
  /** Whether the page is on screen: nothing is polled for a hidden one. */
  setVisible(visible: boolean): void;
  /** Whether there may be a proposal before or after this one: false only where it is known that there is none. */
  mayHave(side: Side): boolean;
  /** The id of the proposal before or after this one; undefined at an end. Ids have gaps, so the source is asked. */
  neighbour(side: Side): Promise<bigint | undefined>;
  /** The address that the proposal is read from, for cURL; undefined before the source is open. */
  readonly address: string | undefined;
  /** The proposal's page in the chain's explorer. */
  readonly explorerUrl: string | undefined;
  /** Undefined where there is no watch list. */
  readonly watch: { readonly on: boolean; toggle(): Promise<void> } | undefined;
}
