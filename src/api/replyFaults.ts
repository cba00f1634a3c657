/**
 * What the error answers of nodes mean for the way to ask. All sentences of nodes that the code depends on stand here, each
 * with its source; docs/nodes.md#errors has the codes.
 */
import { isApiError, isHttpError, isReplyError } from './errors.ts';

function says(error: unknown, sentence: RegExp): boolean {
  return isHttpError(error) && sentence.test(error.nodeMessage ?? '');
}

/** The operation or its path does not exist here. A missing proposal (404, code 5) is an answer, not this. */
export function isNotOffered(error: unknown): boolean {
  if (!isHttpError(error)) return false;
  if (error.status === 501 || error.status === 405 || error.grpcCode === 12) return true;
  if (error.status === 404) return error.grpcCode !== 5;
  // Gateways that reach the application by ABCI: baseapp/abci.go ("unknown query path"), google.golang.org/grpc server.go.
  return error.status === 500 && says(error, /unknown query path|unknown service|not implemented/i);
}

/** There is no such proposal, denom trace or plan. */
export function isMissing(error: unknown): boolean {
  return isHttpError(error) && error.status === 404 && error.grpcCode === 5;
}

/** Not voted, voting over or no such proposal: one answer of all versions (docs/nodes.md#votes: x/gov/keeper/grpc_query.go). */
export function isVoteMissing(error: unknown): boolean {
  return isMissing(error) || says(error, /not found for proposal/);
}

/** The error of an application behind this path, in the form of a gateway; not of a proxy before it. */
export function isNodeAnswer(error: unknown): boolean {
  return isHttpError(error) && error.grpcCode !== undefined && !isNotOffered(error);
}

/**
 * One row fails the whole page (docs/nodes.md#v1-to-v1beta1): x/gov/migrations/v3/convert.go; codec/types/interface_registry.go;
 * google.golang.org/protobuf and gogoproto decoding.
 */
export function isFailedRow(error: unknown): boolean {
  const sentence =
    /can't convert a gov\/v1 Proposal|no concrete type registered|unable to resolve type URL|proto: (illegal|cannot parse)|wrong wireType/i;
  return isHttpError(error) && error.status === 500 && says(error, sentence);
}

/** An error of the application on this very request: 500 with code 2 or 13, or a reply that is too large. */
export function isNodeFault(error: unknown): boolean {
  if (isTooLarge(error)) return true;
  if (heightRefusal(error) !== undefined) return false;
  return isHttpError(error) && error.status === 500 && (error.grpcCode === 2 || error.grpcCode === 13);
}

/** Too large for us, or for the node (docs/nodes.md#message-size: grpc rpc_util.go; gas limit: baseapp/grpcserver.go). */
export function isTooLarge(error: unknown): boolean {
  if (isReplyError(error)) return error.code === 'tooLarge';
  return says(error, /received message larger than max|query gas limit exceeded/i);
}

/**
 * The node does not have the state of the height that was asked for (docs/nodes.md#heights: baseapp/abci.go; store/rootmulti;
 * iavl; cometbft rpc/core/blocks.go). Its words, or undefined.
 */
export function heightRefusal(error: unknown): string | undefined {
  const sentence =
    /height in the future|failed to load state at height|invalid height|version (mismatch|does not exist)|height \d{1,20} (is not available|not found)|lowest height/i;
  return isHttpError(error) && says(error, sentence) ? error.nodeMessage : undefined;
}

/** The first block that the node keeps, where the error states it (docs/nodes.md#blocks: cometbft rpc/core/blocks.go). */
export function lowestHeight(error: unknown): bigint | undefined {
  const digits = isHttpError(error) ? /lowest height is (\d{1,20})/.exec(error.nodeMessage ?? '')?.[1] : undefined;
  return digits === undefined ? undefined : BigInt(digits);
}

/** The chain has no legacy parameters of this subspace (docs/nodes.md#module-params: x/params/keeper/grpc_query.go). */
export function isUnknownSubspace(error: unknown): boolean {
  return says(error, /unknown subspace|holds no params of/i);
}

/** Up to 0.47: a keyed page in reverse from the greatest key of all (docs/nodes.md#reverse: types/query/pagination.go). */
export function isReversePanic(error: unknown): boolean {
  return isHttpError(error) && error.status === 500 && says(error, /iterator|panic/i);
}

/** Whether another path may still answer: there is a server, but not with what was asked for. */
export function mayBeElsewhere(error: unknown): boolean {
  if (isHttpError(error)) return error.status !== 429 && error.status !== 401;
  return isApiError(error) && error.kind === 'reply';
}
