import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ChainPreset, DenomTable, Presets } from '../session/stored.ts';

const text = z.optional(z.string());

/** The fields of `chain.json` that are used. */
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

/** The fields of an asset in `assetlist.json` that are used. */
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
export type ChainFile = z.infer<typeof chainSchema>;

/** The release behind the presets. The npm package does not state its date. */
export const registryRelease = { version: '2.0.251', date: '2026-09-13' };

/**
 * Reads the npm package `chain-registry`. Throws if it is missing, or if it is another release than the attribution
 * states.
 */
function readRegistry(): Registry {
  const load = createRequire(import.meta.url);
  const { version } = z.object({ version: z.string() }).parse(load('chain-registry/package.json'));
  if (version !== registryRelease.version) {
    throw new Error(
      `chain-registry ${version} is installed, src/registry/buildPresets.ts names ${registryRelease.version}: bring version and date up to date there and in packaging/notices.txt`,
    );
  }
  return registrySchema.parse(load('chain-registry'));
}

/** Writes `presets.json` and `denoms.json` into the folder of the bundle. Run by the build. */
export function writePresets(outdir: string): void {
  const registry = readRegistry();
  const presets = toPresets(registry);
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, 'presets.json'), JSON.stringify(presets));
  const chainIds = new Set(presets.chains.map((chain) => chain.chainId));
  writeFileSync(join(outdir, 'denoms.json'), JSON.stringify(toDenomTable(registry, chainIds)));
}

/** The live chains with a REST address, by name. */
export function toPresets({ chains, assetLists }: Registry): Presets {
  const lists = new Map(assetLists.map((list) => [list.chainName, list.assets]));
  return {
    attribution: `CC-BY-4.0, chain-registry ${registryRelease.version}, ${registryRelease.date}`,
    chains: chains
      .filter((chain) => chain.chainType === 'cosmos' && chain.status !== 'killed')
      .flatMap((chain) => toChain(chain, lists.get(chain.chainName) ?? []) ?? [])
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.chainId < b.chainId ? -1 : 1)),
  };
}

/** The registry's statuses are `live`, `upcoming` and `killed`; a chain that is about to end has this in its name. */
const deprecatedMark = /^\[deprecated\]\s*/i;

function toChain(chain: ChainFile, assets: readonly z.infer<typeof assetSchema>[]): ChainPreset | undefined {
  const rest = toRestAddresses(chain.apis?.rest ?? []);
  const network = toNetwork(chain.networkType);
  if (!chain.chainId || !network || rest.length === 0) return undefined;
  const name = chain.prettyName?.trim() || chain.chainName;
  const isDeprecated = deprecatedMark.test(name);
  return {
    name: name.replace(deprecatedMark, ''),
    chainId: chain.chainId,
    network,
    ...(isDeprecated ? { isDeprecated } : {}),
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

/** A denom of the bank module (SDK 0.46+ types/coin.go). Tokens of contracts are not supply. */
const bankDenom = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** The denoms of these chains in the registry. A denom whose display unit has no exponent is left out. */
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

/**
 * The address of proposal pages, with `{id}` for the id. The first page that the registry states, otherwise that of
 * ping.pub if its `txPage` matches.
 */
export function toProposalPage(explorers: ChainFile['explorers'] = []): string | undefined {
  const stated = explorers.map((one) => one.proposalPage).find((page) => page?.includes(idMark) && isHttps(page));
  if (stated) return stated.replace(idMark, '{id}');
  const pingPub = explorers.find(({ url = '', txPage }) => {
    const path = url.replace(/(?<!\/)\/+$/, '');
    return /^https:\/\/(testnet\.)?ping\.pub\/[^/]+$/.test(path) && txPage === `${path}/tx/${hashMark}`;
  });
  return pingPub?.url && `${pingPub.url.replace(/(?<!\/)\/+$/, '')}/gov/{id}`;
}

const isHttps = (page: string): boolean => URL.parse(page)?.protocol === 'https:';

/**
 * REST addresses as base URLs: http(s) without credentials, query or trailing slash. Each stands once, https first.
 * Addresses of RPC are left out.
 */
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

/**
 * Whether an address is one of RPC: `rpc.example.org`, `x-rpc2.example.org`, port 26657. `rest-rpc.example.org` and
 * port 1317 are REST.
 */
function looksLikeRpc(url: URL): boolean {
  if (url.port === '26657') return true;
  const words = `${url.hostname}${url.pathname}`.split(/[./-]/);
  const saysRest = url.port === '1317' || words.some((word) => /^(rest|lcd|api)\d*$/.test(word));
  return !saysRest && url.hostname.split(/[.-]/).some((word) => /^rpc\d*$/.test(word));
}
