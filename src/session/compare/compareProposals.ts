import type { ProposalDifference, ProposalFacts } from './comparison.ts';

/**
 * The proposals that are new, gone, or of another status, newest first. An id with another title on each side is another
 * proposal: two chains count alike. A side that knows no title says nothing about that.
 */
export function compareProposals(
  left: readonly ProposalFacts[],
  right: readonly ProposalFacts[],
): ProposalDifference[] {
  const known = new Map(left.map((proposal) => [proposal.id, proposal]));
  const differences: ProposalDifference[] = [];
  for (const after of right) {
    const { id } = after;
    const before = known.get(id);
    known.delete(id);
    if (!before) differences.push({ change: 'added', id, right: after });
    else if (isOther(before, after)) differences.push({ change: 'replaced', id, left: before, right: after });
    else if (before.status !== after.status) differences.push({ change: 'changed', id, left: before, right: after });
  }
  for (const [id, before] of known) differences.push({ change: 'gone', id, left: before });
  return differences.sort((a, b) => (a.id < b.id ? 1 : -1));
}

function isOther(left: ProposalFacts, right: ProposalFacts): boolean {
  return left.title !== undefined && right.title !== undefined && left.title.trim() !== right.title.trim();
}
