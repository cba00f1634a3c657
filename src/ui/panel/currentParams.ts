import type { ChainNode, GovParamsReply } from '../../api/node.ts';
import { contentKind } from '../../chain/content/contentKind.ts';
import { decodeContent } from '../../chain/content/decodeContent.ts';
import type { Proposal } from '../../chain/proposal.ts';

/** What present parameters can be read from beside the params module. */
export interface ParamSources {
  readonly gov: GovParamsReply | undefined;
  /**
   * A state file, whose params are answered for every module. A node of SDK 0.47 and later answers with what the params
   * module held before the modules took their params over, which is not what is in force.
   */
  readonly isState: boolean;
}

const mostParams = 50;

/**
 * The present values (JSON texts) of the parameters that a proposal changes, by `subspace/key` for those of the params
 * module and by `cosmos.staking.v1beta1/max_validators` for `MsgUpdateParams`. What the source does not tell is absent;
 * rejects only when `signal` fires.
 */
export async function loadCurrentParams(
  node: ChainNode,
  proposal: Proposal,
  { gov, isState }: ParamSources,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  const asked: { readonly subspace: string; readonly key: string; readonly name: string }[] = [];
  for (const content of proposal.contents) {
    const kind = contentKind(decodeContent(content));
    if (kind.kind === 'parameterChange') {
      for (const { subspace, key } of kind.changes) asked.push({ subspace, key, name: `${subspace}/${key}` });
    }
    if (kind.kind !== 'moduleParams') continue;
    for (const key of Object.keys(kind.params)) {
      const name = `${kind.module}/${key}`;
      if (kind.module !== 'cosmos.gov.v1') {
        if (isState) asked.push({ subspace: subspaceOf(kind.module), key, name });
      } else if (gov?.v1?.[key] !== undefined) known.set(name, JSON.stringify(gov.v1[key]));
    }
  }
  await Promise.all(
    asked.slice(0, mostParams).map(async ({ subspace, key, name }) => {
      const value = await node.param(subspace, key, signal).catch(() => undefined);
      if (value !== undefined && value !== '') known.set(name, value);
    }),
  );
  signal.throwIfAborted();
  return known;
}

/** The name of a module in a state: `cosmos.staking.v1beta1` → `staking`; consensus params stand outside of the modules. */
function subspaceOf(module: string): string {
  const name = module
    .split('.')
    .filter((part) => !/^v\d/.test(part))
    .pop();
  return name === 'consensus' ? 'baseapp' : (name ?? module);
}
