import type { FixedReply } from './servers.ts';

type Json = Readonly<Record<string, unknown>>;

/** A refusal as grpc-gateway writes it. */
export function refusal(status: number, code: number, message: string): FixedReply {
  return { status, body: JSON.stringify({ code, message, details: [] }) };
}

/** A node's reply to an operation that it does not offer. */
export const notImplemented = refusal(501, 12, 'Not Implemented');

/** A value as the body of a reply. */
export function json(value: unknown): FixedReply {
  return { body: JSON.stringify(value) };
}

/** The data of a test's chain, as SDK 0.50 writes it. The node does not offer parts that are absent. */
export interface ChainParts {
  readonly chainId?: string;
  readonly sdkVersion?: string;
  readonly supply?: readonly { readonly denom: string; readonly amount: string }[];
  readonly metadatas?: readonly Json[];
  /**
   * Proposals of gov v1, with `id`, or of v1beta1, with `proposal_id`. The node offers the version of the first one,
   * and v1 if there is none.
   */
  readonly proposals?: readonly Json[];
  /** The votes so far on each proposal. */
  readonly tally?: Json | ((id: string) => Json);
  /** `quorum`, `threshold` and the other values of `gov/v1/params/…`. */
  readonly govParams?: Json;
  readonly pool?: Json;
  readonly validators?: readonly Json[];
  /** Other replies by their paths: `/cosmos/mint/v1beta1/params`. They take precedence. */
  readonly paths?: Readonly<Record<string, Json | FixedReply>>;
}

/** The replies of such a node for `startReplies`. Every list is one page. */
export function chainReplies(parts: ChainParts): (url: URL) => FixedReply {
  return ({ pathname, searchParams }) => {
    const own = parts.paths?.[pathname];
    if (own !== undefined) return isReply(own) ? own : json(own);
    const path = pathname.replace(/^\/cosmos\//, '');
    if (path === pathname) return notImplemented;
    return govReply(parts, path, searchParams) ?? moduleReply(parts, path, searchParams) ?? notImplemented;
  };
}

/** Whether a value is a reply. Its body is a text, which no message of a node has. */
function isReply(value: Json | FixedReply): value is FixedReply {
  return typeof Reflect.get(value, 'body') === 'string';
}

function listOf(name: string, rows: readonly unknown[] | undefined): FixedReply | undefined {
  return rows && json({ [name]: rows, pagination: { next_key: null, total: `${rows.length}` } });
}

function moduleReply(parts: ChainParts, path: string, query: URLSearchParams): FixedReply | undefined {
  const { chainId, sdkVersion, supply, metadatas, pool, validators } = parts;
  const denom = /^bank\/v1beta1\/supply\/(.+)$/.exec(path)?.[1] ?? query.get('denom');
  switch (path) {
    case 'base/tendermint/v1beta1/node_info':
      if (chainId === undefined) return undefined;
      return json({
        default_node_info: { network: chainId },
        ...(sdkVersion && { application_version: { cosmos_sdk_version: sdkVersion } }),
      });
    case 'bank/v1beta1/supply':
      return listOf('supply', supply);
    case 'bank/v1beta1/denoms_metadata':
      return listOf('metadatas', metadatas);
    case 'staking/v1beta1/pool':
      return pool && json({ pool });
    case 'staking/v1beta1/validators':
      return listOf('validators', validators);
    default:
      if (!supply || denom === null || !path.startsWith('bank/v1beta1/supply/')) return undefined;
      // The bank module answers zero for an unknown denom.
      return json({ amount: supply.find((coin) => coin.denom === denom) ?? { denom, amount: '0' } });
  }
}

const statuses = ['UNSPECIFIED', 'DEPOSIT_PERIOD', 'VOTING_PERIOD', 'PASSED', 'REJECTED', 'FAILED'];

function govReply(
  { proposals, tally, govParams }: ChainParts,
  path: string,
  query: URLSearchParams,
): FixedReply | undefined {
  if (govParams && path.startsWith('gov/v1/params/')) return json({ params: govParams });
  const form = proposals?.[0] && 'proposal_id' in proposals[0] ? 'v1beta1' : 'v1';
  const [, rest, id = '', more] = new RegExp(`^gov/${form}/proposals(/(\\d+)(/tally)?)?$`).exec(path) ?? [];
  if (!proposals || !path.startsWith(`gov/${form}/proposals`)) return undefined;
  if (rest === undefined) {
    const asked = query.get('proposal_status') ?? '';
    const status = `PROPOSAL_STATUS_${statuses[Number(asked)] ?? ''}`;
    const isAny = ['', '0', 'PROPOSAL_STATUS_UNSPECIFIED'].includes(asked);
    const found = proposals.filter((row) => isAny || row.status === asked || row.status === status);
    return path === `gov/${form}/proposals` ? listOf('proposals', found) : undefined;
  }
  const proposal = proposals.find((row) => (row.id ?? row.proposal_id) === id);
  if (!proposal) return refusal(404, 5, `proposal ${id} doesn't exist`);
  if (more === undefined) return json({ proposal });
  return tally && json({ tally: typeof tally === 'function' ? tally(id) : tally });
}
