import type { DenomUnit } from '../../chain/coin.ts';
import type { GovParams } from '../../chain/govParams.ts';
import type { ProposalRow, Tally } from '../../chain/proposal.ts';
import type { PhishingSigns } from '../../chain/text/phishingSigns.ts';

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
