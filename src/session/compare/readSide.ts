import type { ChainNode, GovParamsReply } from '../../api/node.ts';
import {
  Cursor,
  type LoadPage,
  mapRows,
  type PageRequest,
  PagingError,
  type ReadOptions,
  readPages,
} from '../../api/pages.ts';
import type { Coin } from '../../chain/coin.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { readSupplyPage } from '../../chain/supplyStore.ts';
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
  const supply = new Cursor();
  const proposals = new Cursor();
  const tell = () => onProgress({ coins: supply.ids.size, total: supply.total, proposals: proposals.ids.size });
  const firstPage = Promise.withResolvers<void>();
  const loadCoins = (request: PageRequest, abort: AbortSignal) => readSupplyPage(node, request, abort);
  const loadFacts = async (request: PageRequest, abort: AbortSignal) => {
    const { toProposalRow } = await import('../../chain/toProposal.ts');
    return mapRows(await node.proposals({}, request, abort), (row) => toFacts(toProposalRow(row)));
  };
  const readCoins = async () => {
    const options = { idOf: ({ denom }: Coin) => denom, cursor: supply, limit: supplyPage, most: mostCoins, signal };
    return readAll(loadCoins, options, () => {
      firstPage.resolve();
      tell();
    });
  };
  const readFacts = async () => {
    await firstPage.promise;
    proposals.height = supply.pinnedHeight;
    const idOf = ({ id }: ProposalFacts) => `${id}`;
    return readAll(loadFacts, { idOf, cursor: proposals, limit: proposalPage, most: mostProposals, signal }, tell);
  };
  const [coins, facts, params] = await Promise.allSettled([
    readCoins().finally(() => firstPage.resolve()),
    readFacts(),
    node.govParams(signal),
  ]);
  signal.throwIfAborted();
  const heightDropped = supply.heightDropped ?? proposals.heightDropped;
  return { supply: coins, proposals: facts, params, height: supply.height || proposals.height, heightDropped };
}

function toFacts(row: ProposalRow): ProposalFacts {
  if (row.kind === 'unreadable') return { id: row.id, status: 'unreadable', title: undefined };
  return { id: row.id, status: row.wireStatus, title: row.title || undefined };
}

async function readAll<Row>(
  load: LoadPage<Row>,
  options: Omit<ReadOptions<Row>, 'pinned'> & { readonly most: number },
  onProgress: () => void,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const { rows } of readPages(load, { ...options, pinned: true })) {
    all.push(...rows);
    onProgress();
    if (all.length > options.most) {
      throw new PagingError(
        'tooManyRows',
        `The list has more than ${options.most} rows, which are too many to compare`,
      );
    }
  }
  return all;
}
