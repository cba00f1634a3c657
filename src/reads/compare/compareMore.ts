import { heightFault, orUndefined } from '../../api/errors.ts';
import type { ChainNode } from '../../api/node.ts';
import { Cursor, OptionalPages, readPages } from '../../api/readPages.ts';
import { coinsText, decimalAmount } from '../../chain/coin.ts';
import { paramEntries } from '../../chain/gov/params.ts';
import type { Validator } from '../../chain/validator.ts';
import { readSourceParams } from '../sourceParams.ts';
import {
  type Comparable,
  type ComparedSection,
  compareRows,
  emptyText,
  govParamRows,
  type Side,
  type SideEntry,
  type SideRows,
} from './compare.ts';

/** The validators of a side, its community pool and the parameters of its modules. */
interface MoreOfSide {
  /** The height that both are read at; undefined if it is not known. */
  readonly height: bigint | undefined;
  /** Operator addresses with status and tokens; undefined if the side does not offer them. */
  readonly validators: SideRows | undefined;
  /** The whole base units of its community pool; undefined if the side does not offer it. */
  readonly pool: SideRows | undefined;
  /** The parameters of each module by their paths. */
  readonly params: ReadonlyMap<string, SideRows>;
}

export const moreNames = ['validators', 'community_pool', 'params'] as const;
type MoreName = (typeof moreNames)[number];

/** The facts to compare. Parameters are those of `modules`, or of all if it is undefined. */
interface MoreWanted {
  readonly names: readonly MoreName[];
  readonly modules?: readonly string[] | undefined;
}

/** The validators, the community pools, and the parameters of the modules that both sides have. */
export interface MoreCompared {
  readonly validators: ComparedSection<'validators'>;
  readonly community_pool: ComparedSection<'community_pool'>;
  readonly params: ComparedSection<'params'>;
  /** The modules that only one side states, or was asked for. */
  readonly notCompared: Readonly<Record<Side, readonly string[]>>;
  readonly heights: Readonly<Record<Side, bigint | undefined>>;
}

/**
 * Compares the facts that supplies and proposals do not show. `heights` are those to read the sides at, the latest ones
 * if undefined. Facts that one side does not give are missing. Rejects only when `signal` fires.
 */
export async function compareMore(
  sources: Readonly<Record<Side, Comparable>>,
  heights: Readonly<Record<Side, bigint | undefined>>,
  wanted: MoreWanted,
  signal: AbortSignal,
): Promise<MoreCompared> {
  const read = (side: Side): Promise<MoreOfSide> => readMore(sources[side], heights[side], wanted, signal);
  const [left, right] = await Promise.allSettled([read('left'), read('right')]);
  signal.throwIfAborted();
  const heightOf = (one: PromiseSettledResult<MoreOfSide>): bigint | undefined =>
    one.status === 'fulfilled' ? one.value.height : undefined;
  const heightsRead = { left: heightOf(left), right: heightOf(right) };
  if (left.status === 'rejected') return { ...withoutSide('left', left.reason), heights: heightsRead };
  if (right.status === 'rejected') return { ...withoutSide('right', right.reason), heights: heightsRead };
  const [before, after] = [left.value, right.value];
  const both = [...before.params.keys()].filter((name) => after.params.has(name));
  const rowsOf = ({ params }: MoreOfSide): SideRows => both.flatMap((name) => params.get(name) ?? []);
  const othersOf = ({ params }: MoreOfSide): readonly string[] =>
    [...params.keys()].filter((name) => !both.includes(name));
  return {
    validators: toOptionalSection('validators', before.validators, after.validators),
    community_pool: toOptionalSection('community_pool', before.pool, after.pool),
    params: { kind: 'compared', differences: compareRows('params', rowsOf(before), rowsOf(after)) },
    notCompared: { left: othersOf(before), right: othersOf(after) },
    heights: heightsRead,
  };
}

/** Gives the comparison with a side that could not be read. */
function withoutSide(side: Side, error: unknown): Omit<MoreCompared, 'heights'> {
  const missing = { kind: 'missing', side, error } as const;
  return { validators: missing, community_pool: missing, params: missing, notCompared: { left: [], right: [] } };
}

function toOptionalSection<Name extends MoreName>(
  name: Name,
  left: SideRows | undefined,
  right: SideRows | undefined,
): ComparedSection<Name> {
  if (!left || !right) return { kind: 'missing', side: left ? 'right' : 'left' };
  return { kind: 'compared', differences: compareRows(name, left, right) };
}

async function readMore(
  compared: Comparable,
  given: bigint | undefined,
  { names, modules }: MoreWanted,
  signal: AbortSignal,
): Promise<MoreOfSide> {
  const node = await compared.node();
  const isNode = compared.source.kind === 'http';
  const latest = isNode && given === undefined ? await orUndefined(node.block('latest', signal)) : undefined;
  const height = isNode ? (given ?? latest?.height) : undefined;
  const all = async (at: bigint | undefined): Promise<MoreOfSide> => ({
    height: at,
    validators: names.includes('validators') ? await readValidators(node, at, signal) : [],
    pool: names.includes('community_pool') ? await readPool(at === undefined ? node : node.at(at), signal) : [],
    params: names.includes('params') ? await readParams(node, at, modules, signal) : new Map(),
  });
  return all(height).catch((error: unknown) => {
    if (height === undefined || heightFault(error) === undefined) throw error;
    return all(undefined);
  });
}

async function readValidators(
  node: ChainNode,
  height: bigint | undefined,
  signal: AbortSignal,
): Promise<SideRows | undefined> {
  const pages = new OptionalPages<Validator>((request, own) => node.validators(request, own));
  const cursor = new Cursor();
  cursor.height = height;
  const found: SideEntry[] = [];
  const options = { idOf: ({ operator }: Validator): string => operator, limit: 1000, cursor, pinned: true, signal };
  for await (const { rows } of readPages(pages.load, options)) for (const row of rows) found.push(toEntry(row));
  return pages.isOffered ? found : undefined;
}

function toEntry({ operator, moniker, status, jailed, tokens, commission }: Validator): SideEntry {
  const rate = commission === undefined ? '' : `, commission ${decimalAmount(commission, 18)}`;
  const value = `${status}${jailed ? ', jailed' : ''}, ${tokens}${rate}`;
  return [operator, { value, title: moniker || undefined, amount: tokens }];
}

async function readPool(node: ChainNode, signal: AbortSignal): Promise<SideRows | undefined> {
  const coins = await node.communityPool(signal);
  return coins?.map(({ denom, amount }): SideEntry => [denom, { value: `${amount}` }]);
}

/** Reads the parameters, each in one form for all versions of the chain. */
async function readParams(
  node: ChainNode,
  height: bigint | undefined,
  wanted: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SideRows>> {
  const { modules: all } = await readSourceParams(node, undefined, signal, height);
  const modules = wanted ? all.filter(([name]) => wanted.includes(name.toLowerCase())) : all;
  const gov = await orUndefined((height === undefined ? node : node.at(height)).govParams(signal));
  const rows = new Map<string, SideRows>();
  for (const [module, params] of modules) {
    const own =
      module === 'gov' && gov
        ? govParamRows(gov)
        : Object.entries(params).flatMap(([name, value]) => paramTexts(module, name, value));
    rows.set(
      module,
      own.map(([name, row]): SideEntry => [`${module}.${name}`, row]),
    );
  }
  return rows;
}

function paramTexts(module: string, name: string, stated: unknown): readonly SideEntry[] {
  return paramEntries(module, name, JSON.stringify(stated) ?? 'null').map(({ path, raw, value }): SideEntry => {
    const key = path === name ? name : `${name}.${path}`;
    if (value?.kind === 'duration') return [key, { value: `${value.seconds}s` }];
    if (value?.kind === 'ratio') return [key, { value: decimalAmount(value.ratio, 18) }];
    return [key, { value: value?.coins.length ? coinsText(value.coins, 'sorted') : raw || emptyText }];
  });
}
