import { createRequire } from 'node:module';
import * as z from 'zod/mini';

/** What is used of a `chain.json` of the registry. */
const chainSchema = z.object({
  chainName: z.string(),
  chainType: z.string(),
  chainId: z.optional(z.string()),
  prettyName: z.optional(z.string()),
  status: z.optional(z.string()),
  networkType: z.optional(z.string()),
  bech32Prefix: z.optional(z.string()),
  staking: z.optional(z.object({ stakingTokens: z.array(z.object({ denom: z.string() })) })),
  codebase: z.optional(z.object({ sdk: z.optional(z.object({ version: z.optional(z.string()) })) })),
  apis: z.optional(
    z.object({ rest: z.optional(z.array(z.object({ address: z.string(), provider: z.optional(z.string()) }))) }),
  ),
  explorers: z.optional(
    z.array(
      z.object({
        url: z.optional(z.string()),
        txPage: z.optional(z.string()),
        proposalPage: z.optional(z.string()),
      }),
    ),
  ),
});

/** What is used of an `assetlist.json` of the registry. */
const assetListSchema = z.object({
  chainName: z.string(),
  assets: z.array(
    z.object({
      base: z.string(),
      display: z.string(),
      symbol: z.string(),
      denomUnits: z.array(z.object({ denom: z.string(), exponent: z.number() })),
    }),
  ),
});

const registrySchema = z.object({ chains: z.array(chainSchema), assetLists: z.array(assetListSchema) });

export type Registry = z.infer<typeof registrySchema>;
export type RegistryChain = Registry['chains'][number];

/** The release that the presets are made of; npm does not keep the date in the package. */
export const registryRelease = { version: '2.0.251', date: '2026-09-13' };

/** The data of the npm package `chain-registry`; throws where it is missing, or is another release than the attribution says. */
export function readRegistry(): Registry {
  const load = createRequire(import.meta.url);
  const { version } = z.object({ version: z.string() }).parse(load('chain-registry/package.json'));
  if (version !== registryRelease.version) {
    throw new Error(
      `chain-registry ${version} is installed, src/registry/chainRegistry.ts names ${registryRelease.version}: bring version and date up to date there and in media/THIRD-PARTY-NOTICES.txt`,
    );
  }
  return registrySchema.parse(load('chain-registry'));
}
