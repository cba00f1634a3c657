import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ChainPreset, DenomTable, Presets } from '../session/stored.ts';

const text = z.optional(z.string());

/** What is used of a `chain.json` of the registry. */
const chainSchema = z.object({
  chainName: z.string(),
  chainType: z.string(),
  chainId: text,
  prettyName: text,
  status: text,
  networkType: text,
  bech32Prefix: text,
  staking: z.optional(z.object({ stakingTokens: z.array(z.object({ denom: z.string() })) })),
  codebase: z.optional(z.object({ sdk: z.optional(z.object({ version: text })) })),
  apis: z.optional(z.object({ rest: z.optional(z.array(z.object({ address: z.string(), provider: text }))) })),
  explorers: z.optional(z.array(z.object({ url: text, txPage: text, proposalPage: text }))),
});

/** What is used of an asset in an `assetlist.json` of the registry. */
const assetSchema = z.object({
  base: z.string(),
  display: z.string(),
  symbol: z.string(),
  denomUnits: z.array(z.object({ denom: z.string(), exponent: z.number() })),
});

const registrySchema = z.object({
  chains: z.array(chainSchema),
  assetLists: z.array(z.object({ chainName: z.string(), assets: z.array(assetSchema) })),
});

export type Registry = z.infer<typeof registrySchema>;
export type RegistryChain = z.infer<typeof chainSchema>;

/** The release that the presets are made of; npm does not keep the date in the package. */
export const registryRelease = { version: '2.0.251', date: '2026-09-13' };

/** The data of the npm package `chain-registry`; throws where it is missing, or is another release than the attribution says. */
function readRegistry(): Registry {
  const load = createRequire(import.meta.url);
  const { version } = z.object({ version: z.string() }).parse(load('chain-registry/package.json'));
  if (version !== registryRelease.version) {
    throw new Error(
      `chain-registry ${version} is installed, src/registry/buildPresets.ts names ${registryRelease.version}: bring version and date up to date there and in media/THIRD-PARTY-NOTICES.txt`,
    );
  }
  return registrySchema.parse(load('chain-registry'));
}

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

function toChain(chain: RegistryChain, assets: readonly z.infer<typeof assetSchema>[]): ChainPreset | undefined {
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

/** SDK 0.46+ types/coin.go: only what can stand in the bank module; tokens of contracts are not supply. */
const bankDenom = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** What the registry says of the denoms of these chains. A denom whose display unit has no exponent is left out. */
export function toDenomTable({ chains, assetLists }: Registry, chainIds: ReadonlySet<string>): DenomTable {
  const lists = new Map(assetLists.map((list) => [list.chainName, list.assets]));
  const table = new Map<string, Map<string, [string, number]>>();
  for (const { chainId, chainName } of chains) {
    if (!chainId || !chainIds.has(chainId)) continue;
    const units = table.get(chainId) ?? new Map<string, [string, number]>();
    for (const { base, symbol, display, denomUnits } of lists.get(chainName) ?? []) {
      const exponent = denomUnits.find((unit) => unit.denom === display)?.exponent;
      if (exponent === undefined || !isExponent(exponent) || !symbol.trim() || units.has(base)) continue;
      if (bankDenom.test(base) && !/^(cw20|0x)/.test(base)) units.set(base, [symbol.trim(), exponent]);
    }
    if (units.size > 0) table.set(chainId, units);
  }
  return Object.fromEntries([...table].map(([chainId, units]) => [chainId, Object.fromEntries(units)]));
}

const isExponent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 77;

// biome-ignore lint/suspicious/noTemplateCurlyInString: the registry marks the places like this.
const idMark = '${proposalId}';
// biome-ignore lint/suspicious/noTemplateCurlyInString: the same.
const hashMark = '${txHash}';

/** With `{id}` for the id: the first page that the registry states, else ping.pub's, where its `txPage` agrees. */
export function toProposalPage(explorers: RegistryChain['explorers'] = []): string | undefined {
  const stated = explorers.map((one) => one.proposalPage).find((page) => page?.includes(idMark) && isHttps(page));
  if (stated) return stated.replace(idMark, '{id}');
  const pingPub = explorers.find(({ url = '', txPage }) => {
    const path = url.replace(/(?<!\/)\/+$/, '');
    return /^https:\/\/(testnet\.)?ping\.pub\/[^/]+$/.test(path) && txPage === `${path}/tx/${hashMark}`;
  });
  return pingPub?.url && `${pingPub.url.replace(/(?<!\/)\/+$/, '')}/gov/{id}`;
}

const isHttps = (page: string): boolean => URL.parse(page)?.protocol === 'https:';

/** As base URLs: http(s) without credentials, query or trailing slash, none twice, https before http; no RPC. */
export function toRestAddresses(
  listed: readonly { readonly address: string; readonly provider?: string | undefined }[],
): ChainPreset['rest'] {
  const found = new Map<string, ChainPreset['rest'][number]>();
  for (const { address, provider } of listed) {
    const url = toBaseUrl(address);
    if (!url || found.has(url)) continue;
    const name = provider?.trim();
    found.set(url, name ? { url, provider: name } : { url });
  }
  const isSecure = (url: string): boolean => url.startsWith('https:');
  return [...found.values()]
    .filter(({ url }) => isSecure(url) || !found.has(url.replace(/^http:/, 'https:')))
    .sort((a, b) => Number(isSecure(b.url)) - Number(isSecure(a.url)));
}

function toBaseUrl(address: string): string | undefined {
  const url = URL.parse(address.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username || url.password || url.search || url.hash || looksLikeRpc(url)) return undefined;
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** `rpc.example.org`, `x-rpc2.example.org`, port 26657; but not `rest-rpc.example.org`, nor port 1317, which is that of REST. */
function looksLikeRpc(url: URL): boolean {
  if (url.port === '26657') return true;
  const words = `${url.hostname}${url.pathname}`.split(/[./-]/);
  const saysRest = url.port === '1317' || words.some((word) => /^(rest|lcd|api)\d*$/.test(word));
  return !saysRest && url.hostname.split(/[.-]/).some((word) => /^rpc\d*$/.test(word));
}
