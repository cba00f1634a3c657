import { orUndefined } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { basePrefix, readBech32 } from '../chain/address.ts';
import type { DenomUnit } from '../chain/coin.ts';
import type { ProposalRow } from '../chain/gov/proposal.ts';
import type { Session } from './session.ts';
import type { Source } from './source.ts';
import type { ChainPreset, Presets } from './stored.ts';

const networks = ['mainnet', 'testnet', 'devnet'];

/**
 * Finds chains whose name, id, staking denom or symbol equals, begins with or holds the text, in this order; all mainnets, then
 * testnets, then devnets, then deprecated chains.
 */
export function findChains(presets: Presets, text: string): ChainPreset[] {
  const wanted = text.trim().toLowerCase();
  return presets.chains
    .map((chain) => ({ chain, rank: rankOf(chain, wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => networkOrder(a.chain) - networkOrder(b.chain) || a.rank - b.rank)
    .map(({ chain }) => chain);
}

function networkOrder({ network, isDeprecated }: ChainPreset): number {
  return isDeprecated ? networks.length : networks.indexOf(network);
}

const noMatch = 3;

function rankOf(chain: ChainPreset, wanted: string): number {
  if (wanted === '') return 0;
  const tokens = chain.stakingTokens.flatMap(({ denom, symbol = '' }) => [denom, symbol]);
  const ranks = [chain.name, chain.chainId, ...tokens].map((word) => {
    const at = word.toLowerCase().indexOf(wanted);
    return at < 0 ? noMatch : at > 0 ? 2 : word.length === wanted.length ? 0 : 1;
  });
  return Math.min(...ranks);
}

/** Gives the page of one proposal, if the chain has an explorer that is known to show proposals. */
export function proposalUrl({ proposalPage }: ChainPreset, id: bigint): string | undefined {
  return proposalPage?.replace('{id}', `${id}`);
}

/**
 * Gives the bech32 prefix of a source's accounts. It comes from the registry if that lists the chain that the setting
 * names or the node stated (`stated`). Otherwise it comes from the proposals that were read. Undefined if neither shows
 * it.
 */
export function accountPrefix(
  { chains }: Presets,
  source: Source,
  { stated, proposals }: { readonly stated: string | undefined; readonly proposals: Iterable<ProposalRow> },
): string | undefined {
  const named = source.kind === 'http' ? source.setting.chain : undefined;
  const chain = named ?? stated;
  return chains.find(({ chainId }) => chainId === chain)?.bech32Prefix ?? ownPrefix(proposals);
}

/** Finds the account prefix in the first 50 proposals. Free text does not count, since it may name any chain. */
export function ownPrefix(rows: Iterable<ProposalRow>): string | undefined {
  let seen = 0;
  for (const row of rows) {
    if (row.kind !== 'proposal') continue;
    if (seen++ >= 50) return undefined;
    for (const address of [row.proposer, ...row.contents.map(({ fields }) => fields.authority)]) {
      const read = typeof address === 'string' ? readBech32(address) : undefined;
      if (read && 'prefix' in read) return basePrefix(read.prefix);
    }
  }
  return undefined;
}

/**
 * Finds the chain whose explorer has the page at an address, by the registry's pattern of such pages. Undefined if none
 * fits.
 */
export function chainOfPage(chains: readonly ChainPreset[], address: string): ChainPreset | undefined {
  return chains.find(({ proposalPage }) => {
    const [before = '', after = ''] = proposalPage?.split('{id}') ?? [];
    if (before === '' || !address.startsWith(before)) return false;
    const [id] = /^\d+/.exec(address.slice(before.length)) ?? [];
    if (id === undefined) return false;
    const rest = address.slice(before.length + id.length);
    return after === '' ? /^([/?#-].*)?$/.test(rest) : rest.startsWith(after);
  });
}

/** The facts that the chain registry adds to a proposal of a public chain. */
export interface RegistryChain {
  /** The denom that votes are counted in; undefined if the registry names several, or none. */
  readonly stakingDenom: string | undefined;
  /** The proposal in an explorer; undefined if the registry names none. */
  readonly proposalPage: string | undefined;
}

/** Looks a chain up by its id. Undefined if the registry does not list it. `dir` holds the presets. */
export async function registryChain(dir: string, chainId: string, id: bigint): Promise<RegistryChain | undefined> {
  const { loadPresets } = await import('./stored.ts');
  const chain = (await loadPresets(dir)).chains.find((known) => known.chainId === chainId);
  if (!chain) return undefined;
  const [token, ...others] = chain.stakingTokens;
  return {
    stakingDenom: others.length === 0 ? token?.denom : undefined,
    proposalPage: proposalUrl(chain, id),
  };
}

/**
 * Gives the units that the chain registry states for a source. Empty if its chain is not known. Throws like
 * `loadDenomUnits`, and once `signal` fires.
 */
export async function registryUnits(
  dir: string,
  source: Source,
  node: ChainNode,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DenomUnit>> {
  const chain = source.kind === 'http' ? (source.setting.chain ?? (await chainIdOf(node, signal))) : undefined;
  if (chain === undefined) return new Map();
  const { loadDenomUnits } = await import('./stored.ts');
  return loadDenomUnits(dir, chain);
}

/**
 * Gives the id of a node's chain, and asks for it if it is not known yet. Undefined if the node does not say. Rejects
 * once `signal` fires.
 */
export async function chainIdOf(node: ChainNode, signal: AbortSignal): Promise<string | undefined> {
  return node.dialect.chainId ?? (await orUndefined(node.nodeInfo(signal)))?.chainId;
}

/**
 * Gives the page of a proposal in an explorer. Undefined if the chain registry names none, or the chain is not known
 * yet.
 */
export async function explorerPage({ source, opened }: Session, dir: string, id: bigint): Promise<string | undefined> {
  if (source.kind !== 'http') return undefined;
  const chainId = source.setting.chain ?? opened?.dialect.chainId;
  return chainId === undefined ? undefined : (await registryChain(dir, chainId, id))?.proposalPage;
}
