/** An amount as a state file says it. */
export interface SampleCoin {
  readonly denom: string;
  readonly amount: string;
}

/** x/bank Metadata as SDK 0.45 exports it. */
export interface SampleMetadata {
  readonly description: string;
  readonly denom_units: readonly { readonly denom: string; readonly exponent: number; readonly aliases: string[] }[];
  readonly base: string;
  readonly display: string;
  readonly name: string;
  readonly symbol: string;
}

/** Content as an export says it. */
export interface SampleContent {
  readonly '@type': string;
  readonly title: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/**
 * How an ended vote came out: turnout in thousandths of the bonded tokens, then yes, abstain, no and veto in thousandths of
 * the turnout. `exact` leaves the numbers as they are, so that a limit is met to the unit.
 */
export interface SampleVote {
  readonly turnout: number;
  readonly shares: readonly [number, number, number, number];
  readonly exact?: boolean;
}

export interface EndedDraft {
  readonly status: 'PASSED' | 'REJECTED' | 'FAILED';
  readonly content: SampleContent;
  readonly vote: SampleVote;
}

/** A live proposal; the hours count from the moment T0 at which the sample chain is served. */
export interface LiveDraft {
  readonly status: 'VOTING_PERIOD' | 'DEPOSIT_PERIOD';
  readonly content: SampleContent;
  readonly endsInHours: number;
}
