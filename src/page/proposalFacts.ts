import type { Page } from '../api/pages.ts';
import type { DenomUnit } from '../chain/coin.ts';
import type { ProposalRow } from '../chain/proposal.ts';
import type { PhishingSigns } from '../chain/text.ts';
import type { JudgeInputs } from '../session/judge.ts';
import type { Deposit, PageFacts, WhoVoted } from '../session/proposalReads.ts';
import type { RegistryChain } from '../session/registry.ts';
import type { OwnVote } from '../words/proposalWords.ts';
import type { VerdictContext } from '../words/verdictWords.ts';

/** Which proposal of which source; a source's id is the normalised value of `chainInspector.baseUrl`. */
export interface ProposalKey {
  readonly sourceId: string;
  readonly id: bigint;
}

/** What a page shows beside the proposal itself. */
export interface ProposalInputs extends JudgeInputs, PageFacts {
  /** Those of the judgement: of proposal, tally and voting power. */
  readonly height?: bigint | undefined;
  readonly heightDropped?: string | undefined;
  /** While they lie with the chain, and where the source offers them. */
  readonly deposits: Page<Deposit> | undefined;
}

/** The facts that `ProposalModel` reads. */
export interface ReadProposalFacts {
  readonly row: ProposalRow | undefined;
  readonly readAt: Date;
  readonly phishing?: PhishingSigns | undefined;
  /** Why the last read failed; what was read before is older than it should be. */
  readonly failure?: string | undefined;
  /** They come a moment after the proposal. */
  readonly inputs?: ProposalInputs | undefined;
  readonly registry?: RegistryChain | undefined;
}

/** Everything known of one proposal at one moment: what a view is made from. What is not known is undefined. */
export interface ProposalFacts extends ReadProposalFacts {
  readonly row: ProposalRow;
  /** The name of the source in the interface: an endpoint's name, a file, "Sample chain". */
  readonly sourceName: string;
  /** Whether it is of a block of the past, and whether that can be asked for. */
  readonly isPast: boolean;
  readonly hasPast: boolean;
  readonly chainId: string | undefined;
  /** The source's clock, and whether it runs: that of a state file stands still. */
  readonly now: Date;
  readonly clockRuns: boolean;
  readonly unitOf: (denom: string) => DenomUnit | undefined;
  readonly whoVoted: Pick<WhoVoted, 'validators' | 'votes' | 'found' | 'monikers'> | undefined;
  readonly myVotes?: readonly OwnVote[];
  /** Of a draft: `package/name` of the parameters that it leaves out, and that become zero. */
  readonly zeroed?: ReadonlySet<string>;
}

/** What a view is worded from. */
export interface ViewContext extends VerdictContext, ProposalFacts {
  /** The denom that votes are counted in, as the chain or else the registry states it. */
  readonly bondDenom: string | undefined;
}
