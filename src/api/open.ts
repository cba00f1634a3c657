import { parseBaseUrl } from './baseUrl.ts';
import { createClient } from './client.ts';
import { LearnedDialect, type RememberedDialect } from './dialect.ts';
import type { ChainNode } from './node.ts';
import { NodeVersion, readDenomsMetadata, readGovParams, readNodeInfo } from './optionalReads.ts';
import { readProposal } from './proposalRows.ts';
import { Proposals } from './proposals.ts';
import { Speaker } from './speaker.ts';
import { readSupplyOf, SupplyList } from './supply.ts';
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
 * Opens the chain behind a base URL; nothing is sent yet. Entry of the lazily loaded client: brings zod.
 *
 * @throws InputError when the base URL is unusable.
 */
export function openNode(options: NodeOptions): ChainNode {
  const { href, segment } = parseBaseUrl(options.baseUrl);
  const named = options.segment?.replaceAll('/', '');
  return openNodeOver(lazyTransport(options), { ...options, baseUrl: href, segment: named || segment });
}

/** Loads undici with the first request, so that sources that are answered in process never do. */
function lazyTransport(options: TransportOptions): Transport {
  let loaded: Promise<Transport> | undefined;
  const load = async () => (await import('./transport.ts')).createTransport(options);
  return {
    get: async (url, request) => {
      loaded ??= load();
      return (await loaded).get(url, request);
    },
    dispose: async () => {
      loaded ??= load();
      await (await loaded).dispose();
    },
  };
}

/** The node behind a transport, which is disposed with it; `baseUrl` is what the paths of requests are appended to. */
export function openNodeOver(
  transport: Transport,
  options: Pick<NodeOptions, 'baseUrl' | 'segment' | 'remembered' | 'onLearned'>,
): ChainNode {
  const learned = new LearnedDialect(options.remembered, options.onLearned);
  const speaker = new Speaker(createClient(transport, options.baseUrl), learned, options.segment || undefined);
  const version = new NodeVersion(speaker);
  const supply = new SupplyList(speaker);
  const proposals = new Proposals(speaker, version);
  return {
    baseUrl: options.baseUrl,
    dialect: learned,
    supply: (page, signal) => supply.read(page, signal),
    supplyOf: (denom, signal) => readSupplyOf(speaker, denom, signal),
    proposals: (filter, page, signal) => proposals.read(filter, page, signal),
    proposal: (id, signal) => readProposal(speaker, id, signal),
    tally: async (id, signal) =>
      (await speaker.getOptional('tally', { params: { proposalId: String(id) }, signal }))?.reply.tally,
    govParams: (signal) => readGovParams(speaker, signal),
    bondedTokens: async (signal) => (await speaker.getOptional('stakingPool', { signal }))?.reply.pool.bonded_tokens,
    denomsMetadata: (request, signal) => readDenomsMetadata(speaker, request, signal),
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
