import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainPreset, Presets } from '../session/presets.ts';
import { toDenomTable } from './denomTable.ts';
import { toProposalPage } from './proposalPage.ts';
import { type Registry, type RegistryChain, readRegistry, registryRelease } from './registry.ts';
import { toRestAddresses } from './restAddresses.ts';

type Assets = Registry['assetLists'][number]['assets'];

/** Writes `presets.json` and `denoms.json` into the folder of the bundle; run by the build. */
export function writePresets(outdir: string): void {
  const registry = readRegistry();
  const presets = toPresets(registry);
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, 'presets.json'), JSON.stringify(presets));
  const chainIds = new Set(presets.chains.map((chain) => chain.chainId));
  writeFileSync(join(outdir, 'denoms.json'), JSON.stringify(toDenomTable(registry, chainIds)));
}

/** The chains that run and have a REST address, by name. */
export function toPresets({ chains, assetLists }: Registry): Presets {
  const lists = new Map(assetLists.map((list) => [list.chainName, list.assets]));
  return {
    attribution: `Chain data: Cosmos chain registry, CC-BY-4.0, npm chain-registry ${registryRelease.version} of ${registryRelease.date}`,
    chains: chains
      .filter((chain) => chain.chainType === 'cosmos' && chain.status !== 'killed')
      .flatMap((chain) => toChain(chain, lists.get(chain.chainName) ?? []) ?? [])
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.chainId < b.chainId ? -1 : 1)),
  };
}

function toChain(chain: RegistryChain, assets: Assets): ChainPreset | undefined {
  const rest = toRestAddresses(chain.apis?.rest ?? []);
  const network = toNetwork(chain.networkType);
  if (!chain.chainId || !network || rest.length === 0) return undefined;
  return {
    name: chain.prettyName?.trim() || chain.chainName,
    chainId: chain.chainId,
    network,
    bech32Prefix: chain.bech32Prefix,
    sdkVersion: chain.codebase?.sdk?.version?.replace(/^v/, ''),
    rest,
    proposalPage: toProposalPage(chain.explorers),
    stakingTokens: (chain.staking?.stakingTokens ?? []).map(({ denom }) => ({
      denom,
      symbol: assets.find(({ base }) => base === denom)?.symbol,
    })),
  };
}

function toNetwork(word: string | undefined): ChainPreset['network'] | undefined {
  return word === 'mainnet' || word === 'testnet' || word === 'devnet' ? word : undefined;
}
