import type { ChainNode, GovParamsReply } from '../../api/node.ts';
import { contentKind } from '../../chain/content/content.ts';
import { type GovParams, toGovParams } from '../../chain/params.ts';
import type { Proposal, Tally } from '../../chain/proposal.ts';
import type { Source } from '../../session/source.ts';

/** What a page shows beside the proposal itself. All of it is optional on nodes: undefined where the source does not offer it. */
export interface ProposalInputs {
  /** The running count of an open vote. */
  readonly liveTally: Tally | undefined;
  /** The gov parameters of today. */
  readonly params: GovParams;
  /** Bonded tokens of today, in base units; read only while the vote is open. */
  readonly bonded: bigint | undefined;
  /** The denom that votes are counted in. */
  readonly bondDenom: string | undefined;
  /**
   * Present values (JSON texts) of the parameters that the proposal changes, by `subspace/key` for the params module and
   * by `cosmos.staking.v1beta1/max_validators` for `MsgUpdateParams`.
   */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The source's own clock; read only from a state file, whose time stands still. */
  readonly now: Date | undefined;
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
  const govParams = optional(node.govParams(signal));
  const isState = sourceKind !== 'http';
  const [tally, params, power, bondDenom, currentParams, page] = await Promise.all([
    isOpen ? optional(node.tally(proposal.id, signal)) : undefined,
    govParams,
    isOpen ? optional(node.votingPower(signal)) : undefined,
    hasVotes ? optional(node.param('staking', 'BondDenom', signal)) : undefined,
    govParams.then((gov) => loadCurrentParams(node, proposal, { gov, isState }, signal)),
    sourceKind === 'file' ? optional(node.proposals({}, { limit: 1 }, signal)) : undefined,
  ]);
  signal.throwIfAborted();
  const total = tally?.power ?? power?.total;
  return {
    liveTally: tally && {
      yes: BigInt(tally.yes),
      abstain: BigInt(tally.abstain),
      no: BigInt(tally.no),
      noWithVeto: BigInt(tally.no_with_veto),
    },
    params: toGovParams(params),
    bonded: total === undefined ? undefined : BigInt(total),
    // The value of staking's `BondDenom` is a JSON text.
    bondDenom: /^"([^"\\]+)"$/.exec(bondDenom ?? '')?.[1],
    currentParams,
    now: page?.info.date,
  };
}

/** Where present parameters can be read from beside the params module. */
interface ParamSources {
  readonly gov: GovParamsReply | undefined;
  /**
   * A state file answers for the params of every module. A node of SDK 0.47 and later answers with what the params module
   * held before the modules took their params over, which is not what is in force.
   */
  readonly isState: boolean;
}

const maxParams = 50;

/** As `ProposalInputs.currentParams`; what the source does not offer is absent. Rejects only when `signal` fires. */
export async function loadCurrentParams(
  node: ChainNode,
  proposal: Proposal,
  { gov, isState }: ParamSources,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  const missing: { readonly subspace: string; readonly key: string; readonly name: string }[] = [];
  for (const content of proposal.contents) {
    const kind = contentKind(content);
    if (kind.kind === 'parameterChange') {
      for (const { subspace, key } of kind.changes) missing.push({ subspace, key, name: `${subspace}/${key}` });
    }
    if (kind.kind !== 'moduleParams') continue;
    const present =
      kind.module === 'cosmos.gov.v1' ? gov?.v1 : await node.moduleParams(kind.module, signal).catch(() => undefined);
    for (const key of Object.keys(kind.params)) {
      const name = `${kind.module}/${key}`;
      if (present?.[key] !== undefined) known.set(name, JSON.stringify(present[key]));
      else if (isState && !present) missing.push({ subspace: subspaceOf(kind.module), key, name });
    }
  }
  await Promise.all(
    missing.slice(0, maxParams).map(async ({ subspace, key, name }) => {
      const value = await node.param(subspace, key, signal).catch(() => undefined);
      if (value !== undefined && value !== '') known.set(name, value);
    }),
  );
  signal.throwIfAborted();
  return known;
}

/** The name of a module in a state: `cosmos.staking.v1beta1` → `staking`. Consensus params are those of `baseapp`. */
function subspaceOf(module: string): string {
  const name = module
    .split('.')
    .filter((part) => !/^v\d/.test(part))
    .pop();
  return name === 'consensus' ? 'baseapp' : (name ?? module);
}
