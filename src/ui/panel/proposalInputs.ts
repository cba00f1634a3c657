import type { ChainNode } from '../../api/open.ts';
import { contentKind } from '../../chain/content/content.ts';
import { type Proposal, type Tally, toTally } from '../../chain/proposal.ts';
import { toVoteFacts, type VoteFacts } from '../../chain/rules.ts';
import type { Source } from '../../session/source.ts';

/** What a page shows beside the proposal itself. All of it is optional on nodes: undefined where the source does not offer it. */
export interface ProposalInputs extends VoteFacts {
  /** The running count of an open vote; its voting power is read only then, too. */
  readonly liveTally: Tally | undefined;
  /** The denom that votes are counted in. */
  readonly bondDenom: string | undefined;
  /**
   * Present values (JSON texts) of the parameters that the proposal changes, by `subspace/key` for the params module and
   * by `cosmos.staking.v1beta1/max_validators` for `MsgUpdateParams`.
   */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The source's own clock; read only from a state file, whose time stands still. */
  readonly now: Date | undefined;
  /** Read only where the proposal plans an upgrade at a height. */
  readonly chainTime: ChainTime | undefined;
}

/** Where a chain is, and how fast it goes: seconds for a block, measured over the last `blocks`. */
export interface ChainTime {
  readonly height: bigint;
  readonly time: Date;
  readonly blockTime: number;
  readonly blocks: number;
}

/** Asks the node for the inputs that this proposal needs. A read that fails leaves its input undefined; rejects only when `signal` fires. */
export async function loadInputs(
  node: ChainNode,
  proposal: Proposal,
  sourceKind: Source['kind'],
  signal: AbortSignal,
): Promise<ProposalInputs> {
  const optional = <T>(read: Promise<T>) => read.catch(() => undefined);
  const isOpen = proposal.status === 'voting';
  const hasVotes = proposal.status !== 'deposit';
  const plansHeight = proposal.contents.some((content) => {
    const kind = contentKind(content);
    return kind.kind === 'upgrade' && kind.plan.height !== undefined;
  });
  const [tally, params, power, bondDenom, currentParams, page, chainTime] = await Promise.all([
    isOpen ? optional(node.tally(proposal.id, signal)) : undefined,
    optional(node.govParams(signal)),
    isOpen ? optional(node.votingPower(signal)) : undefined,
    hasVotes ? optional(node.param('staking', 'BondDenom', signal)) : undefined,
    loadCurrentParams(node, proposal, signal),
    sourceKind === 'file' ? optional(node.proposals({}, { limit: 1 }, signal)) : undefined,
    plansHeight ? optional(loadChainTime(node, signal)) : undefined,
    // The dialect keeps the chain id and the version that come with it.
    node.dialect.chainId === undefined ? optional(node.nodeInfo(signal)) : undefined,
  ]);
  signal.throwIfAborted();
  return {
    ...toVoteFacts(params, power, node.dialect.sdkVersion),
    liveTally: toTally(tally),
    // The value of staking's `BondDenom` is a JSON text.
    bondDenom: /^"([^"\\]+)"$/.exec(bondDenom ?? '')?.[1],
    currentParams,
    now: page?.info.date,
    chainTime,
  };
}

/** Over so many blocks, or where the node does not keep so many, over the next number of them. */
const measuredBlocks = [10_000, 100] as const;

/** Undefined where the node offers no blocks. Rejects as `ChainNode.block` does. */
async function loadChainTime(node: ChainNode, signal: AbortSignal): Promise<ChainTime | undefined> {
  const last = await node.block('latest', signal);
  if (!last) return undefined;
  const { height, time } = last;
  for (const blocks of measuredBlocks) {
    if (height <= blocks) continue;
    const first = await node.block(height - BigInt(blocks), signal).catch(() => undefined);
    const blockTime = (Number(time) - Number(first?.time)) / 1000 / blocks;
    if (blockTime > 0) return { height, time, blockTime, blocks };
  }
  return undefined;
}

const maxParams = 50;

/** As `ProposalInputs.currentParams`; what the source does not offer is absent. Rejects only when `signal` fires. */
export async function loadCurrentParams(
  node: ChainNode,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  const reads = proposal.contents.map(contentKind).flatMap((kind): (() => Promise<void>)[] => {
    if (kind.kind === 'moduleParams') {
      return [
        async () => {
          const params = (await node.moduleParams(kind.module, signal)) ?? {};
          for (const name of Object.keys(kind.params)) {
            if (params[name] !== undefined) known.set(`${kind.module}/${name}`, JSON.stringify(params[name]));
          }
        },
      ];
    }
    if (kind.kind !== 'parameterChange') return [];
    return kind.changes.map(({ subspace, key }) => async () => {
      const value = await node.param(subspace, key, signal);
      if (value) known.set(`${subspace}/${key}`, value);
    });
  });
  await Promise.allSettled(reads.slice(0, maxParams).map((read) => read()));
  signal.throwIfAborted();
  return known;
}
