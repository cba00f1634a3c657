import { type GovParams, toGovParams } from '../../chain/params.ts';
import { toWorking } from '../../chain/verdict.ts';
import type { MeteredNode } from './meteredNode.ts';
import type { SeenTally } from './takeIn.ts';

/** Parameters and stake move slowly; once in so many milliseconds is enough. */
const keepFor = 3_600_000;

/** Counts live votes of one source, and what they would mean if voting ended now. */
export class VoteCounter {
  #rules: { readonly params: GovParams; readonly bonded: bigint | undefined; readonly at: number } | undefined;

  /** Undefined where the source does not tell votes before the end. `now` in milliseconds. Rejects as `ChainNode.tally`. */
  async count(node: MeteredNode, id: bigint, expedited: boolean, now: number): Promise<SeenTally | undefined> {
    const reply = await node.tally(id);
    if (!reply) return undefined;
    const tally = {
      yes: BigInt(reply.yes),
      abstain: BigInt(reply.abstain),
      no: BigInt(reply.no),
      noWithVeto: BigInt(reply.no_with_veto),
    };
    const { params, bonded } = await this.#known(node, now);
    const working = toWorking({ tally, bonded, expedited, params });
    const quorum = working.find((step) => step.rule === 'quorum')?.met;
    if (working.some((step) => step.met === false)) return { tally, quorum, verdict: 'wouldFail' };
    return { tally, quorum, verdict: working.every((step) => step.met) ? 'wouldPass' : undefined };
  }

  async #known(node: MeteredNode, now: number) {
    if (this.#rules && now - this.#rules.at < keepFor) return this.#rules;
    const [reply, bonded] = [await node.govParams(), await node.bondedTokens()];
    this.#rules = { params: toGovParams(reply), bonded, at: now };
    return this.#rules;
  }
}
