import * as vscode from 'vscode';
import { type ChainPreset, findChains, loadPresets, type Presets } from '../../session/presets.ts';
import type { EndpointSetting } from '../../session/source.ts';
import { type PickItem, pickOne, pickTyped } from '../ask.ts';
import { plain } from '../plain.ts';

/** Picks a chain of the registry and one of its addresses; undefined when the user leaves. `dir` holds the presets. */
export async function pickPublicChain(dir: string): Promise<EndpointSetting | undefined> {
  const presets = await loadPresets(dir);
  const chain = await pickChain(presets);
  return chain && pickAddress(chain);
}

interface ChainItem extends PickItem {
  readonly chain: ChainPreset;
}

/** Searches by name, chain id, denom and symbol; the order of the search is kept. */
async function pickChain(presets: Presets): Promise<ChainPreset | undefined> {
  // The title stays while something is typed: whose data this is must stay, too.
  const title = vscode.l10n.t('Pick a public chain ({0})', presets.attribution);
  const placeHolder = vscode.l10n.t('Name, chain ID or denom');
  return (await pickTyped({ title, placeHolder }, (typed) => findChains(presets, typed).map(toItem)))?.chain;
}

function toItem(chain: ChainPreset): ChainItem {
  const tokens = chain.stakingTokens.map(({ denom, symbol }) => symbol ?? denom);
  const addresses =
    chain.rest.length === 1 ? vscode.l10n.t('1 address') : vscode.l10n.t('{0} addresses', chain.rest.length);
  return {
    label: chain.name,
    description: chain.network === 'mainnet' ? chain.chainId : `${chain.chainId} · ${chain.network}`,
    detail: [...tokens, addresses].join(' · '),
    alwaysShow: true,
    chain,
  };
}

async function pickAddress(chain: ChainPreset): Promise<EndpointSetting | undefined> {
  const items = chain.rest.map(({ url, provider }) => ({
    label: provider || new URL(url).host,
    description: url,
    url,
  }));
  const choice =
    items.length === 1
      ? items[0]
      : await pickOne(items, { title: vscode.l10n.t('Pick an address of {0}', plain(chain.name)) });
  if (!choice) return undefined;
  return { name: `${chain.name} (${choice.label})`, url: choice.url, segment: 'cosmos', chain: chain.chainId };
}
