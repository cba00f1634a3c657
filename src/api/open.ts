import { parseBaseUrl } from './baseUrl.ts';
import { createClient } from './client.ts';
import { LearnedDialect, type RememberedDialect } from './dialect.ts';
import type { ChainNode } from './node.ts';
import { NodeVersion, readDenomsMetadata, readGovParams, readNodeInfo } from './optionalReads.ts';
import { readProposal } from './proposalRows.ts';
import { Proposals } from './proposals.ts';
import { Speaker } from './speaker.ts';
import { readSupplyOf, SupplyList } from './supply.ts';
import { createTransport } from './transport.ts';
import type { Transport, TransportOptions } from './transportTypes.ts';

export interface NodeOptions extends TransportOptions {
  /** First path segment, where the endpoint's setting names it; else what the base URL was pasted with, else found out. */
  readonly segment?: string | undefined;
  /** What an earlier `onLearned` was given for this endpoint; anything else is ignored. */
  readonly remembered?: unknown;
  /** Told at every change of what is known of the node: plain JSON, to be kept between runs. */
  readonly onLearned?: ((facts: RememberedDialect) => void) | undefined;
}

/**
 * Opens the chain behind a base URL; nothing is sent yet. Entry of the lazily loaded client: brings undici and zod.
 *
 * @throws InputError when the base URL is unusable.
 */
export function openNode(options: NodeOptions): ChainNode {
  return openNodeOver(createTransport(options), options);
}

/** The same over a transport that somebody else made; it is disposed with the node. */
export function openNodeOver(transport: Transport, options: NodeOptions): ChainNode {
  const base = parseBaseUrl(options.baseUrl);
  const learned = new LearnedDialect(options.remembered, options.onLearned);
  const segment = options.segment?.replaceAll('/', '') || base.segment;
  const speaker = new Speaker(createClient(transport, base.href), learned, segment || undefined);
  const version = new NodeVersion(speaker);
  const supply = new SupplyList(speaker, version);
  const proposals = new Proposals(speaker, version);
  return {
    baseUrl: base.href,
    dialect: learned,
    supply: (page, signal) => supply.read(page, signal),
    supplyOf: (denom, signal) => readSupplyOf(speaker, denom, signal),
    proposals: (filter, page, signal) => proposals.read(filter, page, signal),
    proposal: (id, signal) => readProposal(speaker, id, signal),
    tally: async (id, signal) =>
      (await speaker.getOptional('tally', { params: { proposalId: String(id) }, signal }))?.reply.tally,
    govParams: (signal) => readGovParams(speaker, signal),
    bondedTokens: async (signal) => (await speaker.getOptional('stakingPool', { signal }))?.reply.pool.bonded_tokens,
    denomsMetadata: (signal) => readDenomsMetadata(speaker, signal),
    param: async (subspace, key, signal) =>
      (await speaker.getOptional('param', { query: { subspace, key }, signal }))?.reply.param.value,
    nodeInfo: (signal) => readNodeInfo(speaker, signal),
    urlOf: (what) => urlOf(speaker, what),
    dispose: () => speaker.client.dispose(),
  };
}

function urlOf(speaker: Speaker, what: Parameters<ChainNode['urlOf']>[0]): string {
  if (what === 'supply' || what === 'proposals') return speaker.urlOf(what, {});
  if ('proposal' in what) return speaker.urlOf('proposal', { params: { proposalId: String(what.proposal) } });
  const { denom } = what;
  return speaker.learned.supplyOf === 'byDenom'
    ? speaker.urlOf('supplyByDenom', { query: { denom } })
    : speaker.urlOf('supplyOf', { params: { denom } });
}
