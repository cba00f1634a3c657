import { loadPresets } from '../../session/presets.ts';

/**
 * The denom that a public chain counts its votes in, as the chain registry has it; undefined where it does not know the
 * chain, or names several. `dir` holds the presets; read only where the chain itself does not say.
 */
export async function stakingDenom(dir: string, chainId: string): Promise<string | undefined> {
  const { chains } = await loadPresets(dir);
  const tokens = chains.find((chain) => chain.chainId === chainId)?.stakingTokens ?? [];
  return tokens.length === 1 ? tokens[0]?.denom : undefined;
}
