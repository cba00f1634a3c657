import type { ChainNode } from '../../api/node.ts';
import { contentKind } from '../../chain/content/contentKind.ts';
import { decodeContent } from '../../chain/content/decodeContent.ts';
import { type GovParams, toGovParams } from '../../chain/govParams.ts';
import type { Proposal, Tally } from '../../chain/proposal.ts';

/** What a page needs beside the proposal; all of it optional on nodes, undefined where the source does not tell it. */
export interface ProposalInputs {
  readonly liveTally: Tally | undefined;
  readonly params: GovParams;
  readonly bonded: bigint | undefined;
  readonly bondDenom: string | undefined;
  /** JSON texts of present parameters by `subspace/key`. */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The source's own clock, where it was asked. */
  readonly now: Date | undefined;
}

/**
 * Asks the node for the inputs that this proposal needs: the running count and the stake only while it is voted on,
 * present parameters only where it changes them,
 * the time (of a state file) with `askClock`. What fails is unknown; rejects only when `signal` fires.
 */
export async function loadInputs(
  node: ChainNode,
  proposal: Proposal,
  askClock: boolean,
  signal: AbortSignal,
): Promise<ProposalInputs> {
  const unlessUnknown = <T>(asked: Promise<T>) => asked.catch(() => undefined);
  const voting = proposal.status === 'voting';
  const voted = proposal.status !== 'deposit';
  const [tally, params, bonded, bondDenom, currentParams, page] = await Promise.all([
    voting ? unlessUnknown(node.tally(proposal.id, signal)) : undefined,
    unlessUnknown(node.govParams(signal)),
    voting ? unlessUnknown(node.bondedTokens(signal)) : undefined,
    voted ? unlessUnknown(node.param('staking', 'BondDenom', signal)) : undefined,
    loadCurrentParams(node, proposal, signal),
    askClock ? unlessUnknown(node.proposals({}, { limit: 1 }, signal)) : undefined,
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

const mostParams = 50;

async function loadCurrentParams(
  node: ChainNode,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const changes = proposal.contents.flatMap((content) => {
    const kind = contentKind(decodeContent(content));
    return kind.kind === 'parameterChange' ? kind.changes : [];
  });
  const known = new Map<string, string>();
  await Promise.all(
    changes.slice(0, mostParams).map(async ({ subspace, key }) => {
      const value = await node.param(subspace, key, signal).catch(() => undefined);
      if (value !== undefined && value !== '') known.set(`${subspace}/${key}`, value);
    }),
  );
  return known;
}

/** The value of staking's `BondDenom` is a JSON text. */
function denomOf(value: string): string | undefined {
  return /^"([^"\\]+)"$/.exec(value)?.[1];
}
