// What a node is asked for, as the model has it. Entry of a lazily loaded part: brings the decoders of contents.
import type { ChainNode, ProposalFilter, ProposalsRequest, ValidatorsRequest } from '../api/node.ts';
import { emptyPage, type LoadPage, mapRows, type Page, type PageRequest, readPages } from '../api/pages.ts';
import { concurrently } from '../api/sharing.ts';
import type { Coin, DenomMetadata } from './coin.ts';
import { toCoin, toDenomMetadata, toProposalRow, toValidator } from './fromWire.ts';
import { type ListFilter, type ProposalRow, type StatusGroup, wireStatus } from './proposal.ts';
import type { Validator } from './validator.ts';

/** A page of a group, newest first; others' rows too where the node does not filter. Rejects as `proposals`. */
export async function readGroup(
  node: ChainNode,
  group: StatusGroup,
  { voter, depositor }: ListFilter,
  request: PageRequest,
  signal: AbortSignal | undefined,
): Promise<Page<ProposalRow>> {
  const filter = { voter, depositor, status: wireStatus[group] };
  const page = { ...request, reverse: true, countTotal: request.key === undefined };
  return readProposalPage(node, filter, page, signal);
}

/** One page of proposals, each with the height of its page. Rejects as `ChainNode.proposals` does. */
export async function readProposalPage(
  node: ChainNode,
  filter: ProposalFilter,
  request: ProposalsRequest,
  signal: AbortSignal | undefined,
): Promise<Page<ProposalRow>> {
  const page = await node.proposals(filter, request, signal);
  return mapRows(page, (row) => toProposalRow(row, page.info.height));
}

/** Reads one proposal. Rejects as `ChainNode.proposal` does. */
export async function readProposal(node: ChainNode, id: bigint, signal: AbortSignal | undefined): Promise<ProposalRow> {
  const reply = await node.proposal(id, signal);
  return toProposalRow(reply, reply.info?.height);
}

/** The proposals not in the lists by status (`listed`), if a count shows that there are any. Rejects as `proposals`. */
export async function* readUnlisted(
  node: ChainNode,
  listed: { readonly size: number; has(id: bigint): boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<Page<ProposalRow>> {
  const known = listed.size;
  const { total } = await node.proposals({}, { limit: 1, countTotal: true }, signal);
  let missing = Number(total ?? 0) - known;
  if (missing <= 0) return;
  const load = (request: PageRequest, abort: AbortSignal | undefined): Promise<Page<ProposalRow>> =>
    readProposalPage(node, {}, { ...request, reverse: true }, abort);
  for await (const page of readPages(load, { idOf: ({ id }) => `${id}`, limit: 100, enough: 2000, signal })) {
    const rows = page.rows.filter(({ id }) => !listed.has(id));
    missing -= rows.length;
    if (rows.length > 0) yield { ...page, rows };
    if (missing <= 0) return;
  }
}

/** One page of the supply; the first one asks for a count. Rejects as `ChainNode.supply` does. */
export async function readSupplyPage(
  node: ChainNode,
  request: PageRequest,
  signal: AbortSignal | undefined,
): Promise<Page<Coin>> {
  return mapRows(await node.supply({ ...request, countTotal: request.key === undefined }, signal), toCoin);
}

/** The supply of one denom. Rejects as `ChainNode.supplyOf` does. */
export async function readSupplyOf(node: ChainNode, denom: string, signal: AbortSignal | undefined): Promise<Coin> {
  return toCoin(await node.supplyOf(denom, signal));
}

/** The metadata of up to 10,000 denoms; none where they are not offered. Rejects as `ChainNode.denomsMetadata` does. */
export async function* readMetadata(node: ChainNode, signal: AbortSignal): AsyncGenerator<DenomMetadata> {
  const load: LoadPage<DenomMetadata> = async (request, abort) =>
    mapRows((await node.denomsMetadata(request, abort)) ?? emptyPage, toDenomMetadata);
  for await (const { rows } of readPages(load, { idOf: ({ base }) => base, limit: 500, enough: 10_000, signal }))
    yield* rows;
}

/** The supply of the denom that is staked, as `find` has it or read; undefined where the node does not state it. */
export async function readStaking(
  node: ChainNode,
  find: (denom: string) => Coin | undefined,
  signal: AbortSignal,
): Promise<Coin | undefined> {
  const json = await node.param('staking', 'BondDenom', signal);
  const [, denom] = /^"([^"\\]+)"$/.exec(json ?? '') ?? [];
  return denom === undefined ? undefined : (find(denom) ?? readSupplyOf(node, denom, signal));
}

/** How many proposals some groups have, where the node counts filtered lists right. Rejects as `ChainNode.proposals`. */
export async function readCounts(
  node: ChainNode,
  groups: readonly StatusGroup[],
  { voter, depositor }: ListFilter,
  signal: AbortSignal,
): Promise<ReadonlyMap<StatusGroup, bigint>> {
  const counts = new Map<StatusGroup, bigint>();
  if (!node.countsFiltered) return counts;
  await concurrently(groups, 2, async (group) => {
    const filter = { voter, depositor, status: wireStatus[group] };
    const { total } = await node.proposals(filter, { limit: 1, countTotal: true }, signal);
    if (total !== undefined) counts.set(group, total);
  }).catch(() => undefined);
  return counts;
}

/** One page of validators; undefined where they are not offered. Rejects as `ChainNode.validators`. */
export async function readValidators(
  node: ChainNode,
  request: ValidatorsRequest,
  signal?: AbortSignal,
): Promise<Page<Validator> | undefined> {
  const page = await node.validators(request, signal);
  return page && mapRows(page, toValidator);
}
