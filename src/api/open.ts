import { parseBaseUrl } from './baseUrl.ts';
import { createClient } from './client.ts';
import { type DialectFacts, DialectMemory, type GovForm } from './dialect.ts';
import { createGov, filterQuery, type ProposalFilter } from './gov.ts';
import { createOptionalReads } from './optionalReads.ts';
import type { ListRequest } from './pages.ts';
import { createProposalLists } from './proposals.ts';
import { readSupply, readSupplyOf } from './supply.ts';
import type { Transport, TransportOptions } from './transportTypes.ts';

export interface NodeOptions {
  readonly baseUrl: string;
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

/** Opens the chain behind a base URL; nothing is sent yet. Brings zod. Throws `InputError` when the URL is unusable. */
export function openNode(options: TransportOptions & NodeOptions): ChainNode {
  const { href, segment } = parseBaseUrl(options.baseUrl);
  const named = options.segment?.replaceAll('/', '');
  return openNodeOver(lazyTransport(options), { ...options, baseUrl: href, segment: named || segment });
}

/** Loads undici with the first request, so that sources that are answered in process never do. */
function lazyTransport(options: TransportOptions): Transport {
  let loaded: Promise<Transport> | undefined;
  const transport = () => {
    loaded ??= import('./transport.ts').then(({ createTransport }) => createTransport(options));
    return loaded;
  };
  return {
    get: async (url, request) => (await transport()).get(url, request),
    dispose: async () => (await transport()).dispose(),
  };
}

/**
 * A chain behind some address. Every method rejects with an error of `errors.ts`, or with an `AbortError` when `signal`
 * fires. Reads that may resolve to undefined are optional on nodes: undefined means "not offered", which is remembered.
 */
export type ChainNode = ReturnType<typeof openNodeOver>;

/** The node behind a transport, which is disposed with it. */
export function openNodeOver(transport: Transport, options: NodeOptions) {
  const { baseUrl } = options;
  const memory = new DialectMemory(options.remembered, options.onLearned);
  const client = createClient(transport, baseUrl, memory, options.segment || undefined, options.height);
  const gov = createGov(client, options.preferredForm);
  const { version, ...reads } = createOptionalReads(client, gov);
  const lists = createProposalLists(client, gov, version);
  return {
    ...reads,
    baseUrl,
    /** What was learned of the node; each fact is undefined until it was needed. */
    get dialect(): Readonly<DialectFacts> {
      return memory.facts;
    },
    /** Whether `countTotal` is right for lists of one status (docs/nodes.md#filtered-lists); known once a list was read. */
    get countsFiltered(): boolean {
      return lists.countsFiltered();
    },
    /** In byte order of the denoms. Coins that cannot be read are named in `info.faults`. */
    supply: (request: ListRequest, signal?: AbortSignal) => readSupply(client, request, signal),
    /** The supply of one denom; amount "0" means that the chain holds none of it. */
    supplyOf: (denom: string, signal?: AbortSignal) => readSupplyOf(client, denom, signal),
    /** Empty, and `dialect.gov` is `none`, where the chain has no gov module. */
    proposals: lists.read,
    /** One proposal by id; rejects with `HttpError` 404 where there is none, with `ModuleError` where there is no gov module. */
    proposal: gov.proposal,
    /** The GET address of an operation as this node takes it, for "Copy as cURL"; no secrets in it. */
    urlOf(what: 'supply' | { denom: string } | { proposal: bigint } | { proposals: ProposalFilter }): string {
      const form = memory.facts.gov === 'v1' ? 'v1' : 'v1beta1';
      if (what === 'supply') return client.urlOf('supply', {});
      if ('proposals' in what) {
        const query = { reverse: 'true', ...filterQuery(what.proposals, false) };
        return client.urlOf('proposals', { params: { form }, query });
      }
      if ('proposal' in what) return client.urlOf('proposal', { params: { form, proposalId: String(what.proposal) } });
      return memory.facts.supplyOf === 'byDenom'
        ? client.urlOf('supplyByDenom', { query: what })
        : client.urlOf('supplyOf', { params: what });
    },
    dispose: () => transport.dispose(),
  };
}
