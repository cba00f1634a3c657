import type { BaseUrl } from './baseUrl.ts';
import { Client } from './client.ts';
import { DialectMemory, type NodeFacts, type StoredFacts } from './dialect.ts';
import { filterQuery, Gov } from './gov.ts';
import type { BlockHeader, ChainNode, Readable } from './node.ts';
import type { GovForm } from './operations.ts';
import { createOptionalReads } from './optionalReads.ts';
import { ProposalLists } from './proposals.ts';
import { nameOfQuery, readSupply, readSupplyOf } from './supply.ts';
import type { Transport, TransportOptions } from './transportTypes.ts';

export interface NodeOptions {
  /** Absent where a transport answers in process. */
  readonly baseUrl?: BaseUrl | undefined;
  /** First path segment, where the endpoint's setting names it; else what the base URL was given with, else found out. */
  readonly segment?: string | undefined;
  /** The form in which proposals are asked for first, where another one than gov v1 is better. */
  readonly preferredForm?: (() => Promise<GovForm>) | undefined;
  /** What an earlier `onFacts` was given for this endpoint; anything else is ignored. */
  readonly remembered?: unknown;
  /** All state is read at this height; the latest where absent. */
  readonly height?: bigint | undefined;
  /** Called at every change of what the node has stated: plain JSON, to be kept between runs. */
  readonly onFacts?: ((facts: StoredFacts) => void) | undefined;
  /** Called with the latest height as a reply states it, and the date of that reply. */
  readonly onHeight?: ((height: bigint, date: Date | undefined) => void) | undefined;
  /** Called with each block that is read. */
  readonly onBlock?: ((block: BlockHeader) => void) | undefined;
}

/** Opens the chain behind a base URL; nothing is sent yet. Brings zod. */
export function openNode(options: NodeOptions & TransportOptions): ChainNode {
  return openNodeOver(lazyTransport(options), options);
}

/** Loads undici with the first request, so that sources that are answered in process never do. */
function lazyTransport(options: TransportOptions): Transport {
  let loaded: Promise<Transport> | undefined;
  const transport = (): Promise<Transport> => {
    loaded ??= import('./transport.ts').then(({ HttpTransport }) => new HttpTransport(options));
    return loaded;
  };
  return {
    get: async (path, request) => (await transport()).get(path, request),
    post: async (path, body, signal) => (await transport()).post(path, body, signal),
    dispose: async () => (await transport()).dispose(),
  };
}

/** The node behind a transport, which is disposed with it. */
export function openNodeOver(transport: Transport, options: NodeOptions): ChainNode {
  const { href = '', segment } = options.baseUrl ?? {};
  const named = options.segment?.replaceAll('/', '') || segment;
  const memory = new DialectMemory(options.remembered, options.onFacts, named);
  return nodeOver(transport, memory, { ...options, href, dispose: () => transport.dispose() });
}

interface Bound
  extends Pick<NodeOptions, 'height' | 'preferredForm' | 'onHeight' | 'onBlock'>,
    Pick<ChainNode, 'dispose'> {
  readonly href: string;
}

function nodeOver(transport: Transport, memory: DialectMemory, options: Bound): ChainNode {
  const { href } = options;
  const client = new Client(transport, memory, options);
  const gov = new Gov(client, options.preferredForm);
  const reads = createOptionalReads(client, gov);
  const lists = new ProposalLists(client, gov, reads.version);
  return {
    ...reads,
    baseUrl: href,
    get dialect(): Readonly<NodeFacts> {
      return memory.facts;
    },
    get countsFiltered(): boolean {
      return lists.countsFiltered;
    },
    offers: (operation) => !memory.facts.unsupported.includes(operation),
    supply: (request, signal) => readSupply(client, request, signal),
    supplyOf: (denom, signal) => readSupplyOf(client, denom, signal),
    proposals: (filter, request, signal) => lists.read(filter, request, signal),
    proposal: (id, signal) => gov.proposal(id, signal),
    urlOf: (what) => urlOf(client, what),
    block: async (height, signal): Promise<BlockHeader | undefined> => {
      const block = await reads.block(height, signal);
      if (block) options.onBlock?.(block);
      return block;
    },
    forgetFacts(): void {
      client.forget();
      lists.forget();
    },
    at: (height) => nodeOver(transport, memory, { ...options, height, dispose: async () => undefined }),
    dispose: options.dispose,
  };
}

function urlOf(client: Client, what: Readable): string {
  const { facts } = client.memory;
  const form = facts.gov === undefined || facts.gov === 'none' ? 'v1beta1' : facts.gov;
  if (what === 'supply' || what === 'validators') return client.urlOf(what, {});
  if ('proposals' in what) {
    const query = { reverse: 'true', ...filterQuery(what.proposals, false) };
    return client.urlOf('proposals', { params: { form }, query });
  }
  if ('proposal' in what) return client.urlOf('proposal', { params: { form, proposalId: String(what.proposal) } });
  return facts.supplyOf === 'byDenom' || what.denom === nameOfQuery
    ? client.urlOf('supplyByDenom', { query: what })
    : client.urlOf('supplyOf', { params: what });
}
