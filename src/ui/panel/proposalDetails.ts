import type { Disposable } from '../../chain/emitter.ts';
import type { ProposalFacts } from './proposalFacts.ts';

/** Which proposal of which source; a source's id is the normalised value of `chainInspector.baseUrl`. */
export interface ProposalKey {
  readonly sourceId: string;
  readonly id: bigint;
}

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
  /** The id before or after this one, as far as the source is known; undefined at an end. */
  neighbour(side: 'previous' | 'next'): bigint | undefined;
  /** The address that the proposal is read from, for cURL; undefined before the source is open. */
  readonly address: string | undefined;
  /** The proposal's page in the chain's explorer. */
  readonly explorerUrl: string | undefined;
  /** Undefined where there is no watch list. */
  readonly watch: { readonly on: boolean; toggle(): Promise<void> } | undefined;
}

/** Opens proposals for panels; the panel disposes what it opened. */
export interface ProposalDetailsProvider {
  open(key: ProposalKey): ProposalDetails;
}
