import type { ChainPreset } from '../presets.ts';

/** The chain whose explorer page an address is, by the registry's pattern of such pages; undefined where none fits. */
export function chainOfPage(chains: readonly ChainPreset[], address: string): ChainPreset | undefined {
  return chains.find(({ proposalPage }) => {
    const [before = '', after = ''] = proposalPage?.split('{id}') ?? [];
    if (before === '' || !address.startsWith(before)) return false;
    const rest = /^\d+(.*)$/.exec(address.slice(before.length))?.[1];
    return rest !== undefined && (after === '' ? /^([/?#-].*)?$/.test(rest) : rest.startsWith(after));
  });
}
