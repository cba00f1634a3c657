import { loadPresets, proposalUrl } from '../../session/presets.ts';

/** What the registry adds to a proposal of a public chain. */
export interface RegistryChain {
  /** The denom that votes are counted in; undefined where the registry names several, or none. */
  readonly stakingDenom: string | undefined;
  /** The page of the proposal in an explorer of the chain. */
  readonly proposalPage: string | undefined;
}

/** Looks a chain up by its id; undefined where the registry does not know it. `dir` holds the presets. */
export async function registryChain(dir: string, chainId: string, id: bigint): Promise<RegistryChain | undefined> {
  const { chains } = await loadPresets(dir);
  const chain = chains.find((known) => known.chainId === chainId);
  if (!chain) return undefined;
  const [token, ...others] = chain.stakingTokens;
  return { stakingDenom: others.length === 0 ? token?.denom : undefined, proposalPage: proposalUrl(chain, id) };
}
