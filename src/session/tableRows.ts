import { isApiError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { Cursor, emptyPage, faultName, type Page, type PageRequest, readPages } from '../api/pages.ts';
import { toTableProposal } from '../chain/fromWire.ts';

/** The tables of docs/tables.md that an endpoint can fill. */
export const tablesOfNode = ['supply', 'denom_metadata', 'proposals', 'proposal_messages', 'votes'] as const;

/** A page of rows as the contract has them, for one or two tables. */
export interface TableRows {
  readonly tables: readonly (typeof tablesOfNode)[number][];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** One sentence for each row, and each field of a row, that cannot be read. */
  readonly faults: readonly string[];
}

/** Where and when the rows were read. */
interface TablesRead {
  readonly chainId: string | undefined;
  readonly height: bigint | undefined;
  readonly time: Date | undefined;
  readonly notices: readonly string[];
}

/** Reads whole lists, at one height where the node keeps it, else `height` is undefined. Rejects as `readPages`. */
export async function readTables(
  node: ChainNode,
  signal: AbortSignal,
  add: (page: TableRows) => Promise<void>,
): Promise<TablesRead> {
  const notices: string[] = [];
  let cursor = new Cursor();
  /** One list after the other, each at the height of the first page of the first one, until the node cannot. */
  async function* read<Row>(
    name: string,
    load: (request: PageRequest) => Promise<Page<Row> | undefined>,
    idOf: (row: Row) => string,
    limit = 1000,
  ): AsyncGenerator<Page<Row>, void> {
    const { height, heightDropped } = cursor;
    cursor = Object.assign(new Cursor(), { height, heightDropped });
    const loadPage = async (request: PageRequest): Promise<Page<Row>> => {
      const page = await load(request);
      if (!page) notices.push(`The node does not offer ${name}`);
      return page ?? emptyPage;
    };
    yield* readPages(loadPage, { cursor, idOf, limit, pinned: true, signal });
    if (cursor.heightDropped !== heightDropped)
      notices.push(`The rows may be of several heights: ${cursor.heightDropped}`);
  }
  for await (const page of read(
    'supply',
    (request) => node.supply(request, signal),
    ({ denom }) => denom,
  ))
    await add({ tables: ['supply'], rows: page.rows, faults: faultsOf(page) });

  for await (const page of read(
    'denom metadata',
    (request) => node.denomsMetadata(request, signal),
    ({ base }) => base,
  ))
    await add({ tables: ['denom_metadata'], rows: page.rows, faults: faultsOf(page) });

  const voting: bigint[] = [];
  for await (const page of read(
    'proposals',
    (request) => node.proposals({}, request, signal),
    ({ id }) => `${id}`,
    100,
  )) {
    const read = page.rows.map(toTableProposal);
    for (const { id, status } of read) if (status === 'voting') voting.push(id);
    const rows = read.map(({ row }) => row).filter((row) => row !== undefined);
    const faults = [...faultsOf(page), ...read.flatMap((row) => row.faults)];
    await add({ tables: ['proposals', 'proposal_messages'], rows, faults });
  }

  for (const id of voting) {
    for await (const page of read(
      `votes on proposal ${id}`,
      (request) => node.votes(id, request, signal),
      ({ voter }) => voter,
    )) {
      const rows = page.rows.map((vote) => ({ ...vote, proposal_id: `${id}` }));
      await add({ tables: ['votes'], rows, faults: faultsOf(page) });
    }
  }
  const { pinnedHeight: height } = cursor;
  return { ...(await readHeader(node, height, signal)), height, notices };
}

function faultsOf({ info }: Page<unknown>): string[] {
  return (info.faults ?? []).map((fault) => `${faultName(fault)}: ${fault.reason}`);
}

/** Chain id, and the time of the block of a height; undefined where the node does not offer them. Rejects once `signal` fires. */
export async function readHeader(
  node: ChainNode,
  height: bigint | undefined,
  signal: AbortSignal,
): Promise<{ readonly chainId: string | undefined; readonly time: Date | undefined }> {
  const soft = <T>(read: Promise<T>): Promise<T | undefined> =>
    read.catch((error: unknown) => {
      if (!isApiError(error)) throw error;
      return undefined;
    });
  const block = await soft(node.block(height ?? 'latest', signal));
  const known = block?.chainId ?? node.dialect.chainId;
  const chainId = known ?? (await soft(node.nodeInfo(signal)))?.default_node_info?.network ?? undefined;
  return { chainId, time: height === undefined ? undefined : block?.time };
}
