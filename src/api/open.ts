import type { GovForm } from '../chain/gov/proposal.ts';
import type { BaseUrl } from './baseUrl.ts';
import { Client } from './client.ts';
import type { BlockHeader, ChainNode } from './node.ts';
import { DialectMemory, type StoredTraits } from './rest/dialect.ts';
import { Gov } from './rest/gov.ts';
import { RestNode } from './rest/restNode.ts';
import type { Transport, TransportOptions } from './transport/transportTypes.ts';

export interface NodeOptions {
  /** The address; absent if a transport answers in process. */
  readonly baseUrl?: BaseUrl | undefined;
  /**
   * The first path segment if the endpoint's setting names it. If absent, it is taken from the base URL or found by
   * requests.
   */
  readonly segment?: string | undefined;
  /** The form in which proposals are asked for first, if it is not gov v1. */
  readonly preferredForm?: (() => Promise<GovForm>) | undefined;
  /** The value that an earlier `onTraits` received for this endpoint. Anything else is ignored. */
  readonly remembered?: unknown;
  /** The height that all state is read at; the latest if absent. */
  readonly height?: bigint | undefined;
  /** Receives the traits of the node at every change: plain JSON, to be kept between runs. */
  readonly onTraits?: ((traits: StoredTraits) => void) | undefined;
  /** Receives the latest height that a reply states, and the date of that reply. */
  readonly onHeight?: ((height: bigint, date: Date | undefined) => void) | undefined;
  /** Receives each block that is read. */
  readonly onBlock?: ((block: BlockHeader) => void) | undefined;
}

/** Opens the chain behind a base URL. Sends nothing yet. Loads zod. */
export function openNode(options: NodeOptions & TransportOptions): ChainNode {
  return openNodeOver(lazyTransport(options), options);
}

/** Loads undici with the first request, so that sources that are answered in process never load it. */
function lazyTransport(options: TransportOptions): Transport {
  let loaded: Promise<Transport> | undefined;
  const transport = (): Promise<Transport> => {
    loaded ??= import('./transport/transport.ts').then(({ HttpTransport }) => new HttpTransport(options));
    return loaded;
  };
  return {
    get: async (path, request) => (await transport()).get(path, request),
    post: async (path, body, signal) => (await transport()).post(path, body, signal),
    dispose: async () => (await transport()).dispose(),
  };
}

/** Opens the node behind a transport. The transport is disposed with the node. */
export function openNodeOver(transport: Transport, options: NodeOptions): ChainNode {
  const { href = '', segment } = options.baseUrl ?? {};
  const named = options.segment?.replaceAll('/', '') || segment;
  const memory = new DialectMemory(options.remembered, options.onTraits, named);
  return nodeOver(transport, memory, { ...options, href, dispose: () => transport.dispose() });
}

/** The parts of a node that it shares with the same node at another height. */
interface SharedParts
  extends Pick<NodeOptions, 'height' | 'preferredForm' | 'onHeight' | 'onBlock'>,
    Pick<ChainNode, 'dispose'> {
  readonly href: string;
}

/** Makes a node of its parts. A node at a height is made of the same parts again. */
function nodeOver(transport: Transport, memory: DialectMemory, options: SharedParts): ChainNode {
  const { href: baseUrl, preferredForm, onBlock, dispose } = options;
  const client = new Client(transport, memory, options);
  const at = (height: bigint): ChainNode =>
    nodeOver(transport, memory, { ...options, height, dispose: async () => undefined });
  return new RestNode(client, { baseUrl, gov: new Gov(client, preferredForm), onBlock, at, dispose });
}
