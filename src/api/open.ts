import { parseBaseUrl } from './baseUrl.ts';
import { Client } from './client.ts';
import { type DialectFacts, DialectMemory, type GovForm } from './dialect.ts';
import { Gov } from './gov.ts';
import type { ChainNode } from './node.ts';
import { OptionalReads } from './optionalReads.ts';
import { Proposals } from './proposals.ts';
import { readSupply, readSupplyOf } from './supply.ts';
import type { Transport, TransportOptions } from './transportTypes.ts';

export interface NodeOptions extends TransportOptions {
  /** First path segment, where the endpoint's setting names it; else what the base URL was pasted with, else found out. */
  readonly segment?: string | undefined;
  /** The form in which proposals are asked for first, where another one than gov v1 is better. */
  readonly preferredForm?: (() => Promise<GovForm>) | undefined;
  /** What an earlier `onLearned` was given for this endpoint; anything else is ignored. */
  readonly remembered?: unknown;
  /** All state is read at this height; the latest where absent. */
  readonly height?: bigint | undefined;
  /** Called at every change of what is known of the node: plain JSON, to be kept between runs. */
  readonly onLearned?: ((facts: DialectFacts) => void) | undefined;
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
  options: Pick<NodeOptions, 'baseUrl' | 'segment' | 'preferredForm' | 'remembered' | 'onLearned' | 'height'>,
): ChainNode {
  const memory = new DialectMemory(options.remembered, options.onLearned);
  const client = new Client(transport, options.baseUrl, memory, options.segment || undefined, options.height);
  const gov = new Gov(client, options.preferredForm);
  const reads = new OptionalReads(client, gov);
  const proposals = new Proposals(client, gov, (signal) => reads.version(signal));
  return {
    baseUrl: options.baseUrl,
    get dialect() {
      return memory.facts;
    },
    get countsFiltered() {
      return proposals.countsFiltered;
    },
    supply: (request, signal) => readSupply(client, request, signal),
    supplyOf: (denom, signal) => readSupplyOf(client, memory.version, denom, signal),
    proposals: (filter, request, signal) => proposals.read(filter, request, signal),
    proposal: (id, signal) => gov.proposal(id, signal),
    tally: (id, signal) => reads.tally(id, signal),
    vote: (id, voter, signal) => reads.vote(id, voter, signal),
    votes: (id, request, signal) => reads.votes(id, request, signal),
    validators: (request, signal) => reads.validators(request, signal),
    govParams: (signal) => reads.govParams(signal),
    votingPower: (signal) => reads.votingPower(signal),
    denomsMetadata: (request, signal) => reads.denomsMetadata(request, signal),
    moduleParams: (protoPackage, signal) => reads.moduleParams(protoPackage, signal),
    param: (subspace, key, signal) => reads.param(subspace, key, signal),
    ibcDenom: (hash, signal) => reads.ibcDenom(hash, signal),
    nodeInfo: (signal) => reads.nodeInfo(signal),
    optional: (read, ask, signal) => reads.optional(read, ask, signal),
    urlOf: (what) => urlOf(client, what),
    dispose: () => client.dispose(),
  };
}

function urlOf(client: Client, what: Parameters<ChainNode['urlOf']>[0]): string {
  const { facts } = client.memory;
  const isV1 = facts.gov === 'v1';
  if (what === 'supply') return client.urlOf('supply', {});
  if (what === 'proposals') return client.urlOf(isV1 ? 'proposalsV1' : 'proposals', {});
  if ('proposal' in what) {
    return client.urlOf(isV1 ? 'proposalV1' : 'proposal', { params: { proposalId: String(what.proposal) } });
  }
  const { denom } = what;
  return facts.supplyOf === 'byDenom'
    ? client.urlOf('supplyByDenom', { query: { denom } })
    : client.urlOf('supplyOf', { params: { denom } });
}
