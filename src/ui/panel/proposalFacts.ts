import type { DenomUnit } from '../../chain/coin.ts';
import type { Disposable } from '../../chain/emitter.ts';
import type { GovParams } from '../../chain/params.ts';
import type { ProposalRow, Tally } from '../../chain/proposal.ts';
import type { PhishingSigns } from '../../chain/text.ts';

/** Words a text in the reader's language: `vscode.l10n.t`, or its plain English in tests. `{0}` stands for a value. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** All that is known of one proposal at one moment; what nobody knows is undefined, never guessed. */
export interface ProposalFacts {
  readonly row: ProposalRow;
  /** What in title and description looks like airdrop phishing. */
  readonly phishing: PhishingSigns | undefined;
  /** The source as a person knows it: an endpoint's name, a file, "Sample chain". */
  readonly sourceName: string;
  readonly chainId: string | undefined;
  /** Height at which the proposal was read. */
  readonly height: bigint | undefined;
  readonly readAt: Date;
  /** Why what is shown is older than it should be: the last refresh failed. */
  readonly staleReason: string | undefined;
  /** The source's clock, and whether it runs: that of a state file stands still. */
  readonly now: Date;
  readonly clockRuns: boolean;
  /** How a denom is shown, where metadata says so. */
  readonly unitOf: (denom: string) => DenomUnit | undefined;
  /** The denom that votes are counted in. */
  readonly bondDenom: string | undefined;
  /** Whether only the chain registry says so, and not the chain. */
  readonly isRegistryDenom: boolean;
  /** The running count of an open vote, where the node offers it. */
  readonly liveTally: Tally | undefined;
  /** The gov parameters of today. */
  readonly params: GovParams | undefined;
  /** Bonded tokens of today, in base units. */
  readonly bonded: bigint | undefined;
  /** When the running count, the parameters and the bonded tokens were read. */
  readonly inputsReadAt: Date | undefined;
  /** The present value (a JSON text) of a module parameter, where the source tells it. */
  readonly currentParam: ((subspace: string, key: string) => string | undefined) | undefined;
}

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
  /** The address that the proposal is read from, for cURL; undefined before the source is open, and where it is read in process. */
  readonly address: string | undefined;
  /** The proposal's page in the chain's explorer. */
  readonly explorerUrl: string | undefined;
  /** Undefined where there is no watch list. */
  readonly watch: { readonly on: boolean; toggle(): Promise<void> } | undefined;
}
