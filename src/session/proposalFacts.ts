import type { ChainNode } from '../api/node.ts';
import { type ContentKind, contentKind } from '../chain/content/content.ts';
import { type ParamEntry, paramEntries } from '../chain/params.ts';
import type { Proposal } from '../chain/proposal.ts';
import type { Source } from './source.ts';

/** What a page shows beside proposal and verdict; undefined where the source does not offer it. */
export interface PageFacts {
  readonly bondDenom: string | undefined;
  /** As `readCurrentParams`. */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The time of a state file, which stands still. */
  readonly now: Date | undefined;
  /** Where an upgrade is planned for a height. */
  readonly chainTime: ChainTime | undefined;
}

/**
 * Where a chain is, and how fast it goes: seconds for a block, measured over the last `blocks`; undefined where those are not kept,
 * and the pace is the one that the chain's parameters of mint assume.
 */
export interface ChainTime {
  readonly height: bigint;
  readonly time: Date;
  readonly blockTime: number;
  readonly blocks: number | undefined;
}

/** Asks for what this proposal needs. A read that fails leaves its fact undefined; rejects only when `signal` fires. */
export async function readPageFacts(
  node: ChainNode,
  proposal: Proposal,
  sourceKind: Source['kind'],
  signal: AbortSignal,
): Promise<PageFacts> {
  const optional = <T>(read: Promise<T>): Promise<T | undefined> => read.catch((): undefined => undefined);
  const kinds = proposal.contents.map(contentKind);
  const plansHeight = kinds.some((kind) => kind.kind === 'upgrade' && kind.plan.height !== undefined);
  const [bondDenom, currentParams, page, last] = await Promise.all([
    proposal.status === 'deposit' ? undefined : optional(node.param('staking', 'BondDenom', signal)),
    readCurrentParams(node, proposal, signal),
    sourceKind === 'file' ? optional(node.proposals({}, { limit: 1 }, signal)) : undefined,
    plansHeight ? optional(node.block('latest', signal)) : undefined,
  ]);
  const at = last ?? (proposal.height && { height: proposal.height, time: page?.info.date ?? new Date() });
  const chainTime = plansHeight && at ? await optional(readChainTime(node, at, signal)) : undefined;
  signal.throwIfAborted();
  return {
    // The value of staking's `BondDenom` is a JSON text.
    bondDenom: /^"([^"\\]+)"$/.exec(bondDenom ?? '')?.[1],
    currentParams,
    now: page?.info.date,
    chainTime,
  };
}

/** The seconds of a year as x/mint counts it (`BlocksPerYear` in x/mint/types/params.go: 60 * 60 * 8766 / 5). */
const mintYear = 60 * 60 * 8766;

/** Undefined where neither blocks of the past nor parameters of mint are offered. Rejects as `ChainNode.param` does. */
async function readChainTime(
  node: ChainNode,
  { height, time }: Pick<ChainTime, 'height' | 'time'>,
  signal: AbortSignal,
): Promise<ChainTime | undefined> {
  // Over fewer blocks where the node does not keep so many.
  for (const blocks of [10_000, 100]) {
    if (height <= blocks || !node.offers('block')) continue;
    const first = await node.block(height - BigInt(blocks), signal).catch(() => undefined);
    const blockTime = (Number(time) - Number(first?.time)) / 1000 / blocks;
    if (blockTime > 0) return { height, time, blockTime, blocks };
  }
  const [perYear] = /\d+/.exec((await node.param('mint', 'BlocksPerYear', signal)) ?? '') ?? [];
  const blockTime = mintYear / Number(perYear);
  return Number.isFinite(blockTime) ? { height, time, blockTime, blocks: undefined } : undefined;
}

/** When a height is expected at the pace of `chainTime`; undefined where that is not known, and for what has passed. */
export function expectedTime(height: bigint | undefined, chainTime: ChainTime | undefined): Date | undefined {
  if (!chainTime || !height || height <= chainTime.height) return undefined;
  const time = new Date(chainTime.time.getTime() + Number(height - chainTime.height) * chainTime.blockTime * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

const maxParams = 50;

/** JSON texts of at least the parameters that it changes, by `subspace/key`. Rejects only when `signal` fires. */
export async function readCurrentParams(
  node: ChainNode,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  const readModule = async (module: string): Promise<void> => {
    const params = (await node.moduleParams(module, signal)) ?? {};
    for (const [name, value] of Object.entries(params)) known.set(`${module}/${name}`, JSON.stringify(value));
  };
  const readParam = async (subspace: string, key: string): Promise<void> => {
    const value = await node.param(subspace, key, signal);
    if (value) known.set(`${subspace}/${key}`, value);
  };
  const reads: (() => Promise<void>)[] = [];
  for (const kind of proposal.contents.map(contentKind)) {
    if (kind.kind === 'moduleParams') reads.push(() => readModule(kind.module));
    if (kind.kind !== 'parameterChange') continue;
    for (const { subspace, key } of kind.changes) reads.push(() => readParam(subspace, key));
  }
  await Promise.allSettled(reads.slice(0, maxParams).map((read) => read()));
  signal.throwIfAborted();
  return known;
}

/** A value that a proposal sets: a parameter, or a field of one. `now` is in effect, undefined where that is not known. */
export interface ProposedValue {
  readonly name: string;
  readonly now: ParamEntry | undefined;
  readonly proposed: ParamEntry;
}

/** Characters of the proposed and the present values that are compared. */
const maxCompared = 1024 * 1024;

/**
 * The values that a content sets, at most so many: of `moduleParams` all of a module, which the message repeats whole. `left`:
 * changes, or values in one, beyond that. `current`: as `readCurrentParams`.
 */
export function proposedValues(
  kind: Extract<ContentKind, { kind: 'parameterChange' | 'moduleParams' }>,
  current: ReadonlyMap<string, string>,
  most: number,
): { readonly values: readonly ProposedValue[]; readonly left: number } {
  const changes =
    kind.kind === 'parameterChange'
      ? kind.changes.map(({ subspace, key, value }) => [subspace, key, value, `${subspace}/${key}`] as const)
      : Object.entries(kind.params).map(([key, value]) => [kind.module, key, JSON.stringify(value), key] as const);
  const values: ProposedValue[] = [];
  let left = 0;
  let space = maxCompared;
  for (const [module, key, json, name] of changes) {
    const stated = current.get(`${module}/${key}`);
    space -= json.length + (stated?.length ?? 0);
    if (values.length >= most || (space < 0 && values.length > 0)) {
      left++;
      continue;
    }
    const known = new Map(stated === undefined ? [] : paramEntries(module, key, stated).map((one) => [one.path, one]));
    // A field that is absent stays as it is (x/params types/subspace.go, Update).
    const entries = paramEntries(module, key, json);
    const shown = entries.slice(0, most - values.length);
    left += entries.length - shown.length;
    for (const proposed of shown) {
      const path = proposed.path === key ? name : `${name}.${proposed.path}`;
      values.push({ name: path, now: known.get(proposed.path), proposed });
    }
  }
  return { values, left };
}
