import type { ChainNode } from '../../api/node.ts';
import { type GovParams, toGovParams } from '../../chain/govParams.ts';
import type { Proposal, Tally } from '../../chain/proposal.ts';
import type { Source } from '../../session/source.ts';
import { loadCurrentParams } from './currentParams.ts';

/** What a page needs beside the proposal; all of it optional on nodes, undefined where the source does not tell it. */
export interface ProposalInputs {
  readonly liveTally: Tally | undefined;
  readonly params: GovParams;
  readonly bonded: bigint | undefined;
  readonly bondDenom: string | undefined;
  /** As `loadCurrentParams` gives them. */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The source's own clock, where it was asked. */
  readonly now: Date | undefined;
}

/**
 * Asks the node for the inputs that this proposal needs: the running count and the stake only while it is voted on,
 * present parameters only where it changes them, the time only of a state file. What fails is unknown; rejects only when
 * `signal` fires.
 */
export async function loadInputs(
  node: ChainNode,
  proposal: Proposal,
  sourceKind: Source['kind'],
  signal: AbortSignal,
): Promise<ProposalInputs> {
  const unlessUnknown = <T>(asked: Promise<T>) => asked.catch(() => undefined);
  const voting = proposal.status === 'voting';
  const voted = proposal.status !== 'deposit';
  const govParams = unlessUnknown(node.govParams(signal));
  const isState = sourceKind !== 'http';
  const [tally, params, bonded, bondDenom, currentParams, page] = await Promise.all([
    voting ? unlessUnknown(node.tally(proposal.id, signal)) : undefined,
    govParams,
    voting ? unlessUnknown(node.bondedTokens(signal)) : undefined,
    voted ? unlessUnknown(node.param('staking', 'BondDenom', signal)) : undefined,
    govParams.then((gov) => loadCurrentParams(node, proposal, { gov, isState }, signal)),
    sourceKind === 'file' ? unlessUnknown(node.proposals({}, { limit: 1 }, signal)) : undefined,
  ]);
  signal.throwIfAborted();
  return {
    liveTally: tally && {
      yes: BigInt(tally.yes),
      abstain: BigInt(tally.abstain),
      no: BigInt(tally.no),
      noWithVeto: BigInt(tally.no_with_veto),
    },
    params: toGovParams(params),
    bonded: bonded === undefined ? undefined : BigInt(bonded),
    bondDenom: bondDenom === undefined ? undefined : denomOf(bondDenom),
    currentParams,
    now: page?.info.date,
  };
}

/** The value of staking's `BondDenom` is a JSON text. */
function denomOf(value: string): string | undefined {
  return /^"([^"\\]+)"$/.exec(value)?.[1];
}
