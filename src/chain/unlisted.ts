import type { ChainNode, PageRequest } from '../api/node.ts';
import type { ProposalRow } from './proposal.ts';

const pageRows = 100;
/** What is missing is looked for among the newest proposals only: 2,000 of them. */
const mostPages = 20;

/** Proposals that lists by status do not hold, as one page of the list of all brought them. */
export interface UnlistedPage {
  readonly rows: readonly ProposalRow[];
  readonly height: bigint | undefined;
}

/**
 * The proposals of a chain that its lists by status do not give: those of a status that the contract does not name, which no
 * list can be asked for, and those that the node left out. `listed` are the ids that the lists gave. One count tells whether
 * there are any; only then is the list of all read, newest first, until as many were found. Nothing where the node does not
 * count. Rejects as `ChainNode.proposals` does.
 */
export async function* readUnlisted(
  node: ChainNode,
  listed: { readonly size: number; has(id: bigint): boolean },
  signal: AbortSignal,
): AsyncGenerator<UnlistedPage> {
  const known = listed.size;
  const { page: counted } = await node.proposals({}, { limit: 1, countTotal: true }, signal);
  let missing = Number(counted?.total ?? 0) - known;
  if (missing <= 0) return;
  const { toProposalRow } = await import('./toProposal.ts');
  const found = new Set<bigint>();
  let key: string | undefined;
  for (let pages = 0; missing > 0 && pages < mostPages; pages++) {
    const request: PageRequest = { key, limit: pageRows, reverse: true };
    const { rows, page, info } = await node.proposals({}, request, signal);
    const fresh = rows.map(toProposalRow).filter(({ id }) => !found.has(id) && !listed.has(id));
    for (const { id } of fresh) found.add(id);
    missing -= fresh.length;
    if (fresh.length > 0) yield { rows: fresh, height: info.height };
    if (!page?.next_key || page.next_key === key) return;
    key = page.next_key;
  }
}
