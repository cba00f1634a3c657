import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DenomUnit } from '../chain/coin.ts';

/** A base URL, and who runs it where the registry says so. */
export interface RestAddress {
  readonly url: string;
  readonly provider?: string | undefined;
}

/** A public chain as the registry describes it. */
export interface ChainPreset {
  readonly name: string;
  readonly chainId: string;
  readonly network: 'mainnet' | 'testnet' | 'devnet';
  readonly bech32Prefix?: string | undefined;
  /** `0.50.9`; many chains do not say. */
  readonly sdkVersion?: string | undefined;
  /** At least one; https first. */
  readonly rest: readonly RestAddress[];
  /** A web page with `{id}` in the place of the proposal's id. */
  readonly proposalPage?: string | undefined;
  readonly stakingTokens: readonly { readonly denom: string; readonly symbol?: string | undefined }[];
}

export interface Presets {
  /** Whose data this is, under which licence, and of when; shown where a chain is picked. */
  readonly attribution: string;
  readonly chains: readonly ChainPreset[];
}

/**
 * Reads `presets.json` beside the bundle; about 130 kB, so only once a picker opens (decision 22).
 * Throws where the file is missing or is not what the build writes.
 */
export async function loadPresets(dir: string): Promise<Presets> {
  const path = join(dir, 'presets.json');
  const presets: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isPresets(presets))
    throw new Error(`The list of public chains is damaged: ${path}. Install the extension again.`);
  return presets;
}

const networks = ['mainnet', 'testnet', 'devnet'];

/**
 * The chains whose name, chain id, staking denom or symbol is the text, begins with it or holds it, in this order; among equals
 * mainnets come first, then by name. Upper and lower case are the same; an empty text finds all.
 */
export function findChains(presets: Presets, text: string): ChainPreset[] {
  const wanted = text.trim().toLowerCase();
  return presets.chains
    .map((chain) => ({ chain, rank: rankOf(chain, wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        networks.indexOf(a.chain.network) - networks.indexOf(b.chain.network) ||
        a.chain.name.localeCompare(b.chain.name, 'en'),
    )
    .map(({ chain }) => chain);
}

const noMatch = 3;

function rankOf(chain: ChainPreset, wanted: string): number {
  if (wanted === '') return 0;
  const words = [
    chain.name,
    chain.chainId,
    ...chain.stakingTokens.flatMap(({ denom, symbol }) => [denom, symbol ?? '']),
  ];
  return Math.min(
    ...words.map((word) => {
      const at = word.toLowerCase().indexOf(wanted);
      return at < 0 ? noMatch : at > 0 ? 2 : word.length === wanted.length ? 0 : 1;
    }),
  );
}

/** The page of one proposal, where the chain has an explorer that is known to show proposals. */
export const proposalUrl = (chain: ChainPreset, id: bigint) => chain.proposalPage?.replace('{id}', String(id));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';
const isListOf = (value: unknown, isItem: (item: unknown) => boolean) => Array.isArray(value) && value.every(isItem);

const isPresets = (value: unknown): value is Presets =>
  isRecord(value) && isText(value.attribution) && isListOf(value.chains, isChain);

const isChain = (value: unknown) =>
  isRecord(value) &&
  isText(value.name) &&
  isText(value.chainId) &&
  networks.some((network) => network === value.network) &&
  [value.bech32Prefix, value.sdkVersion, value.proposalPage].every(isTextOrAbsent) &&
  isListOf(value.rest, (one) => isRecord(one) && isText(one.url) && isTextOrAbsent(one.provider)) &&
  isListOf(value.stakingTokens, (one) => isRecord(one) && isText(one.denom) && isTextOrAbsent(one.symbol));

/**
 * What the registry says of the denoms of one chain; empty where it does not know the chain. Reads `denoms.json` beside the
 * bundle, so only when the supply of a known chain is first shown (decision 22). Throws where the file cannot be read.
 */
export async function loadDenomUnits(dir: string, chainId: string): Promise<Map<string, DenomUnit>> {
  const path = join(dir, 'denoms.json');
  const table: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isRecord(table)) throw new Error(`The list of known denoms is damaged: ${path}. Install the extension again.`);
  const units = Object.hasOwn(table, chainId) ? table[chainId] : undefined;
  return new Map(isRecord(units) ? Object.entries(units).flatMap(toEntry) : []);
}

function toEntry([denom, unit]: [string, unknown]): [string, DenomUnit][] {
  if (!Array.isArray(unit)) return [];
  const [symbol, exponent]: unknown[] = unit;
  return typeof symbol === 'string' && typeof exponent === 'number' && Number.isInteger(exponent) && exponent >= 0
    ? [[denom, { symbol, exponent, source: 'registry' }]]
    : [];
}
