import { type GovParams, toGovParams } from '../../chain/params.ts';
import { openOutcome, toRules } from '../../chain/verdict.ts';
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
    const vote = { expedited, emergency: false, endorsed: false, contents: [] };
    const { rules } = toRules({ vote, tally, known: { bonded, params } });
    const quorum = rules.find(({ name }) => name === 'quorum')?.result;
    const { kind } = openOutcome(rules);
    const verdict = kind === 'wouldPass' || kind === 'wouldFail' ? kind : undefined;
    return { tally, quorum: quorum === 'met' || (quorum === 'missed' ? false : undefined), verdict };
  }

  async #known(node: MeteredNode, now: number) {
    if (this.#rules && now - this.#rules.at < keepFor) return this.#rules;
    const [reply, bonded] = [await node.govParams(), await node.bondedTokens()];
    this.#rules = { params: toGovParams(reply), bonded, at: now };
    return this.#rules;
  }
}
