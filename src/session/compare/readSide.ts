import type { ChainNode, GovParamsReply, ReplyInfo } from '../../api/node.ts';
import { type Coin, toCoin } from '../../chain/coin.ts';
import { Pager } from '../../chain/pager.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import type { ProposalFacts } from './comparison.ts';

/** Rows of one page; a node that finds them too many is asked for fewer. */
const supplyPage = 5000;
const proposalPage = 100;
/** More than any chain has; a stop for nodes that never end a list. */
const mostCoins = 1_000_000;
const mostProposals = 100_000;

/** How far the reading of one side is. `total` is the node's count of denoms. */
export interface SideProgress {
  readonly coins: number;
  readonly total: bigint | undefined;
  readonly proposals: number;
}

/** All that is compared of a chain, each part as it ended. */
export interface SideReading {
  readonly supply: PromiseSettledResult<readonly Coin[]>;
  readonly proposals: PromiseSettledResult<readonly ProposalFacts[]>;
  readonly params: PromiseSettledResult<GovParamsReply | undefined>;
  readonly height: bigint | undefined;
  readonly heightDropped: string | undefined;
}

/**
 * Reads the whole supply, the proposals of all statuses, and the gov parameters. The lists are of the height at which the
 * first page was answered, until a node cannot (decision 12). Rejects with an `AbortError` once `signal` fires, and not
 * otherwise.
 */
export async function readSide(
  node: ChainNode,
  signal: AbortSignal,
  onProgress: (progress: SideProgress) => void,
): Promise<SideReading> {
  const pin = new HeightPin();
  const tell = () => onProgress({ coins: supply.rows.length, total: supply.total, proposals: proposals.rows.length });
  const supply = supplyPager(node, pin);
  const proposals = proposalPager(node, pin);
  const [coins, facts, params] = await Promise.allSettled([
    readAll(supply, mostCoins, signal, tell).finally(() => pin.release()),
    pin.known.then(() => readAll(proposals, mostProposals, signal, tell)),
    node.govParams(signal),
  ]);
  signal.throwIfAborted();
  return { supply: coins, proposals: facts, params, height: pin.first, heightDropped: pin.dropped };
}

/** The height that all pages are asked for at: the one of the first page. */
class HeightPin {
  readonly #known = Promise.withResolvers<void>();
  first: bigint | undefined;
  dropped: string | undefined;

  /** Resolves when the first page has come, or will not come. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  get wanted(): bigint | undefined {
    return this.dropped === undefined ? this.first : undefined;
  }

  take({ height, heightDropped }: ReplyInfo): bigint | undefined {
    if (height !== undefined && height > 0n) this.first ??= height;
    this.dropped ??= heightDropped;
    this.release();
    return height;
  }

  release(): void {
    this.#known.resolve();
  }
}

function supplyPager(node: ChainNode, pin: HeightPin): Pager<Coin> {
  const load = async (key: string | undefined, signal: AbortSignal) => {
    const request = { key, limit: supplyPage, height: pin.wanted, countTotal: key === undefined };
    const { coins, page, info } = await node.supply(request, signal);
    return {
      rows: coins.map(toCoin),
      nextKey: page?.next_key || undefined,
      total: page?.total ? BigInt(page.total) : undefined,
      height: pin.take(info),
    };
  };
  return new Pager(load, ({ denom }) => denom);
}

function proposalPager(node: ChainNode, pin: HeightPin): Pager<ProposalFacts> {
  const load = async (key: string | undefined, signal: AbortSignal) => {
    const { toProposalRow } = await import('../../chain/toProposal.ts');
    const { rows, page, info } = await node.proposals({}, { key, limit: proposalPage, height: pin.wanted }, signal);
    return {
      rows: rows.map((row) => toFacts(toProposalRow(row))),
      nextKey: page?.next_key || undefined,
      total: undefined,
      height: pin.take(info),
    };
  };
  return new Pager(load, ({ id }) => `${id}`);
}

function toFacts(row: ProposalRow): ProposalFacts {
  if (row.kind === 'unreadable') return { id: row.id, status: 'unreadable', title: undefined };
  return { id: row.id, status: row.wireStatus, title: row.title || undefined };
}

async function readAll<Row>(
  pager: Pager<Row>,
  limit: number,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<readonly Row[]> {
  try {
    await pager.loadAll({ signal, limit, onProgress });
    signal.throwIfAborted();
    if (pager.hasMore) throw new Error(`the list has more than ${limit} rows, which are too many to compare`);
    return pager.rows;
  } finally {
    pager.dispose();
  }
}
