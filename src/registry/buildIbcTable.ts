import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { encodeIbcTable, type IbcHead, ibcTableFile, isShort } from '../code/ibcTable.ts';
import { ibcDenomOf } from '../code/trace.ts';

const text = z.string();
const sideSchema = z.object({ chainName: text });
const endSchema = z.object({ channelId: text, portId: text });
const traceSchema = z.object({ chain: z.optional(z.object({ path: z.optional(text) })) });

/** The parts of the registry that the table needs. */
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

/** Limits that keep the table small. A chain with more denoms than `denoms` has only those with short names. */
const bounds = { denoms: 40, numbered: 500 };

/** Writes the table of `ibc/` denoms into the folder of the bundle. Run by the build. */
export function writeIbcTable(outdir: string): void {
  const load = createRequire(import.meta.url);
  writeFileSync(join(outdir, ibcTableFile), encodeIbcTable(toIbcHead(linksSchema.parse(load('chain-registry')))));
}

/** The channels and denoms of the registry. */
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
    const bases = native.length > bounds.denoms ? native.filter(isShort) : native;
    return {
      id: chainId,
      name: prettyName?.trim() || name,
      channels: [...(channels.get(name) ?? [])].flat(),
      bases: [...new Set([...staked, ...bases])],
      paths: assets.flatMap(({ base, traces = [] }) => {
        const path = traces.at(-1)?.chain?.path;
        // A path whose hash is not its denom is a mistake in the list.
        return path !== undefined && ibcDenomOf(path) === base ? [path] : [];
      }),
    };
  });
  return { chains: head, numbered: bounds.numbered };
}
