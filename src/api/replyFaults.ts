import { isApiError, isHttpError } from './errors.ts';

/** What the answers of nodes mean for the way to ask: contract-facts sections 1 to 4. */

/** The operation or its path does not exist here. A missing proposal (404, code 5) is an answer, not this. */
export function isNotOffered(error: unknown): boolean {
  if (!isHttpError(error)) return false;
  if (error.status === 501 || error.status === 405 || error.grpcCode === 12) return true;
  if (error.status === 404) return error.grpcCode !== 5;
  return error.status === 500 && /unknown query path|unknown service|not implemented/i.test(error.nodeMessage ?? '');
}

/** There is no proposal of this id: deleted, or not made yet (section 3). */
export function isMissing(error: unknown): boolean {
  return isHttpError(error) && error.status === 404 && error.grpcCode === 5;
}

/** The words and numbers of a gateway: whoever says this is the application behind the path, not a proxy before it. */
export function isNodeAnswer(error: unknown): boolean {
  return isHttpError(error) && error.grpcCode !== undefined && !isNotOffered(error);
}

/** The gateway does not know the status by its name and reads numbers only (section 3). */
export function isStatusNameRefused(error: unknown): boolean {
  if (!isHttpError(error) || error.status !== 400) return false;
  return /ParseInt: parsing "PROPOSAL_STATUS_|is not a valid [\w.]*ProposalStatus/.test(error.nodeMessage ?? '');
}

/** One proposal that has no v1beta1 form, or a type that the node no longer knows, spoils the whole answer (section 3). */
export function isPoisoned(error: unknown): boolean {
  if (!isHttpError(error) || error.status !== 500) return false;
  return /can't convert a gov\/v1 Proposal|no concrete type registered|unable to resolve type URL|proto: (wrong wireType|illegal|cannot parse)|wrong wireType/i.test(
    error.nodeMessage ?? '',
  );
}

/** An error of the application itself on this very request (500 with code 2 or 13, or a page too large), not of what stands before it. */
export function isNodeFault(error: unknown): boolean {
  if (isTooLarge(error)) return true;
  return isHttpError(error) && error.status === 500 && (error.grpcCode === 2 || error.grpcCode === 13);
}

/** The page is too large for the node (10 MiB between gateway and application: 429, code 8; or its gas limit) or for us. */
export function isTooLarge(error: unknown): boolean {
  if (isHttpError(error)) {
    return /received message larger than max|query gas limit exceeded/i.test(error.nodeMessage ?? '');
  }
  return isApiError(error) && error.kind === 'reply' && /larger than|too large/i.test(error.message);
}

/** The node does not have the state of the height that was asked for (section 4); its words, or undefined. */
export function heightRefusal(error: unknown): string | undefined {
  if (!isHttpError(error)) return undefined;
  const said = error.nodeMessage ?? '';
  const refused =
    /height in the future|failed to load state at height|invalid height|version (mismatch|does not exist)|height \d+ (is not available|not found)|lowest height/i;
  return refused.test(said) ? said : undefined;
}

/** ≤0.47: a keyed page in reverse whose key is the greatest that is stored (section 1). */
export function isReversePanic(error: unknown): boolean {
  return isHttpError(error) && error.status === 500 && /iterator|panic/i.test(error.nodeMessage ?? '');
}
