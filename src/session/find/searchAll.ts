import { isAbort } from '../../api/errors.ts';
import type { Coin } from '../../chain/coin.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { readProposals } from '../export/readProposals.ts';
import { readSupply } from '../export/readSupply.ts';
import type { Session } from '../session.ts';
import { toMatcher } from './matcher.ts';

/** How far a search has come, and what it found with the last page. */
export interface SearchStep {
  /** Rows looked at so far. */
  readonly proposals: number;
  readonly denoms: number;
  readonly foundProposals: readonly ProposalRow[];
  readonly foundCoins: readonly Coin[];
}

/** How a search ended. `failures` say which list could not be read to its end, and why. */
export interface SearchEnd {
  readonly proposals: number;
  readonly denoms: number;
  readonly failures: readonly unknown[];
}

/**
 * Looks for a text in every proposal and denom of a chain, loaded rows first; what is read is not kept, and nothing that is
 * loaded is read again. One list that fails does not end the other. Rejects only where the chain cannot be opened;
 * a `signal` ends it with what was searched so far.
 */
export async function searchAll(
  session: Session,
  text: string,
  signal: AbortSignal,
  onStep: (step: SearchStep) => void,
): Promise<SearchEnd> {
  const matcher = toMatcher(text);
  const { proposals, supply } = session;
  const node = await session.node();
  const unitOf = (denom: string) => supply.unit(denom);
  const searched = { proposals: 0, denoms: 0 };
  const inProposals = async () => {
    for await (const { rows } of readProposals(proposals, node, {}, signal)) {
      searched.proposals += rows.length;
      onStep({ ...searched, foundProposals: rows.filter((row) => matcher.proposal(row)), foundCoins: [] });
    }
  };
  const inSupply = async () => {
    await supply.loadUnits().catch(() => undefined);
    for await (const { rows } of readSupply(supply, node, signal)) {
      searched.denoms += rows.length;
      onStep({ ...searched, foundProposals: [], foundCoins: rows.filter((coin) => matcher.coin(coin, unitOf)) });
    }
  };
  const ends = await Promise.allSettled([inProposals(), inSupply()]);
  const failures = ends.flatMap((end) => (end.status === 'rejected' && !isAbort(end.reason) ? [end.reason] : []));
  return { ...searched, failures };
}
