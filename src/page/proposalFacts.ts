import type { Page } from '../api/pages.ts';
import type { DenomUnit, Deposit } from '../chain/coin.ts';
import type { ProposalRow } from '../chain/gov/proposal.ts';
import type { PhishingSigns } from '../chain/phishing.ts';
import type { JudgeInputs } from '../reads/judge.ts';
import type { PageExtras, WhoVoted } from '../reads/proposalReads.ts';
import type { RegistryChain } from '../session/registry.ts';
import type { StateTime } from '../session/source.ts';
import type { OwnVote } from '../words/proposalWords.ts';
import type { VerdictContext } from '../words/verdictWords.ts';

/** A proposal of a source. `sourceId` is the normalized value of `chainInspector.baseUrl`. */
export interface ProposalKey {
  readonly sourceId: string;
  readonly id: bigint;
}

/** The facts that a page shows beside the proposal itself. */
export interface ProposalInputs extends JudgeInputs, PageExtras {
  /** The height of the judgement: of proposal, tally and voting power. */
  readonly height?: bigint | undefined;
  readonly unpinnedReason?: string | undefined;
  /** Read only while the chain holds the deposits, if the source offers them. */
  readonly deposits: Page<Deposit> | undefined;
}

/** The facts that `ProposalModel` reads. */
export interface ReadProposalFacts {
  readonly row: ProposalRow | undefined;
  readonly readAt: Date;
  readonly phishing?: PhishingSigns | undefined;
  /** The reason for which the last read failed. Earlier facts stay, and are out of date. */
  readonly failure?: string | undefined;
  /** The inputs arrive a moment after the proposal. */
  readonly inputs?: ProposalInputs | undefined;
  readonly registry?: RegistryChain | undefined;
}

/** The facts about a proposal at one moment. Unknown ones are undefined. */
export interface ProposalFacts extends ReadProposalFacts {
  readonly row: ProposalRow;
  /** The name of the source on the screen: an endpoint's name, a file, or "Sample chain". */
  readonly sourceName: string;
  /** Whether this is a past block, and whether past blocks can be read. */
  readonly isPast: boolean;
  readonly hasPast: boolean;
  readonly chainId: string | undefined;
  /** The time of the source, and whether its clock runs. The clock of a state file stands still. */
  readonly now: Date;
  readonly clockRuns: boolean;
  /** The time of a state file. */
  readonly stateTime?: StateTime | undefined;
  /** In which days and times are written; English if absent. */
  readonly locale?: string;
  readonly unitOf: (denom: string) => DenomUnit | undefined;
  readonly whoVoted: Pick<WhoVoted, 'validators' | 'votes' | 'found' | 'monikers'> | undefined;
  readonly myVotes?: readonly OwnVote[];
  /** For a draft: the parameters that it leaves out, and that become zero. Each is `package/name`. */
  readonly zeroed?: ReadonlySet<string>;
}

/** The inputs of the words on a page. */
export interface ViewContext extends VerdictContext, ProposalFacts {
  /** The denom that votes are counted in. The chain states it, otherwise the registry. */
  readonly bondDenom: string | undefined;
}
