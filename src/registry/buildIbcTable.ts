import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { encodeIbcTable, type IbcHead, ibcTableFile } from '../code/ibcTable.ts';
import { ibcDenomOf } from '../code/trace.ts';

const text = z.string();
const sideSchema = z.object({ chainName: text });
const endSchema = z.object({ channelId: text, portId: text });
const traceSchema = z.object({ chain: z.optional(z.object({ path: z.optional(text) })) });

/** What is used of the registry for denoms of other chains. */
const linksSchema = z.object({
  chains: z.array(
    z.object({
      chainName: text,
      chainId: z.optional(text),
      prettyName: z.optional(text),
      staking: z.optional(z.object({ stakingTokens: z.array(z.object({ denom: text })) })),
    }),
  ),
  assetLists: z.array(
    z.object({
      chainName: text,
      assets: z.array(z.object({ base: text, traces: z.optional(z.array(traceSchema)) })),
    }),
  ),
  ibcData: z.array(
    z.object({
      chain1: sideSchema,
      chain2: sideSchema,
      channels: z.array(z.object({ chain1: endSchema, chain2: endSchema })),
    }),
  ),
});

type Links = z.infer<typeof linksSchema>;

/** Bounds that keep the table small: a chain with more denoms than `denoms` has those that are staked alone. */
const bounds = { denoms: 40, numbered: 250, tokens: 120 };

/** Writes the table of `ibc/` denoms into the folder of the bundle; run by the build. */
export function writeIbcTable(outdir: string): void {
  const load = createRequire(import.meta.url);
  writeFileSync(join(outdir, ibcTableFile), encodeIbcTable(toIbcHead(linksSchema.parse(load('chain-registry')))));
}

/** The channels and denoms of the registry. The denoms that most chains can reach are tried behind unlisted channels, too. */
export function toIbcHead({ chains, assetLists, ibcData }: Links): IbcHead {
  const names = [...new Set(ibcData.flatMap(({ chain1, chain2 }) => [chain1.chainName, chain2.chainName]))].sort();
  const places = new Map(names.map((name, place) => [name, place]));
  const channels = new Map(names.map((name) => [name, new Map<number, number>()]));
  for (const { chain1, chain2, channels: listed } of ibcData)
    for (const { chain1: one, chain2: two } of listed)
      for (const [here, end, there] of [
        [chain1, one, chain2],
        [chain2, two, chain1],
      ] as const) {
        const number = /^channel-(\d{1,6})$/.exec(end.channelId)?.[1];
        if (number === undefined || end.portId !== 'transfer') continue;
        channels.get(here.chainName)?.set(Number(number), places.get(there.chainName) ?? 0);
      }
  const known = new Map(chains.map((chain) => [chain.chainName, chain]));
  const lists = new Map(assetLists.map(({ chainName, assets }) => [chainName, assets]));
  const head = names.map((name) => {
    const { chainId = '', prettyName, staking } = known.get(name) ?? {};
    const assets = lists.get(name) ?? [];
    const own = assets.map(({ base }) => base).filter((base) => /^[a-zA-Z][\w/:.-]{2,127}$/.test(base));
    const native = own.filter((base) => !base.startsWith('ibc/'));
    const staked = (staking?.stakingTokens ?? []).map(({ denom }) => denom);
    return {
      id: chainId,
      name: prettyName?.trim() || name,
      channels: [...(channels.get(name) ?? [])].flat(),
      bases: native.length > bounds.denoms ? staked : native,
      paths: assets.flatMap(({ base, traces = [] }) => {
        const path = traces.at(-1)?.chain?.path;
        // A path that does not hash to its denom is a mistake of the list.
        return path !== undefined && ibcDenomOf(path) === base ? [path] : [];
      }),
    };
  });
  const reach = (chain: string): number => channels.get(chain)?.size ?? 0;
  const byReach = chains.toSorted((a, b) => reach(b.chainName) - reach(a.chainName));
  const tokens = byReach.flatMap(({ staking }) => (staking?.stakingTokens ?? []).map(({ denom }) => denom));
  return {
    chains: head,
    // The denom of the SDK's own examples, which many chains have kept.
    tokens: [...new Set(['stake', ...tokens])].slice(0, bounds.tokens),
    numbered: bounds.numbered,
  };
}
