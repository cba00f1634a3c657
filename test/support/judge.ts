import type { ChainNode } from '../../src/api/node.ts';
import type { Proposal } from '../../src/chain/gov/proposal.ts';
import { Judge, type Judgement } from '../../src/reads/judge.ts';
import { Kept, maxAges } from '../../src/session/kept.ts';

/** Judges one proposal by a judge of its own. */
export function judge(node: ChainNode, proposal: Proposal, at: Date, signal?: AbortSignal): Promise<Judgement> {
  return new Judge(node, new Kept(), { maxAge: maxAges.screen, signal }).judge(proposal, at);
}
