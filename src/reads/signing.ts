import { isApiError } from '../api/errors.ts';
import { sha256 } from '../api/hashes.ts';
import type { ChainNode, SigningInfo } from '../api/node.ts';
import { OptionalPages, readPages } from '../api/readPages.ts';
import { accountBeside, withPrefix } from '../chain/address.ts';
import { fromBase64 } from '../chain/bytes.ts';
import type { Validator } from '../chain/validator.ts';

/** The limit for the signing infos that are read. Validators of the past have one, too. */
const maxInfos = 20_000;

/**
 * Reads the signing infos of validators, by operator. Undefined if the source does not list them, or beyond a limit.
 * Rejects once `signal` fires.
 */
export async function readSigningInfos(
  node: ChainNode,
  validators: readonly Validator[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SigningInfo> | undefined> {
  const pages = new OptionalPages<SigningInfo>((request, own) => node.signingInfos(request, own));
  const byBody = new Map<string | undefined, SigningInfo>();
  const options = { idOf: ({ address }: SigningInfo): string => address, limit: 1000, enough: maxInfos, signal };
  try {
    for await (const { rows } of readPages(pages.load, options))
      for (const row of rows) byBody.set(bodyOf(row.address), row);
  } catch (error) {
    if (!isApiError(error)) throw error;
    return undefined;
  }
  if (!pages.isOffered || byBody.size >= maxInfos) return undefined;
  return new Map(
    validators.flatMap((validator) => {
      const own = byBody.get(consensusBody(validator) ?? '');
      return own ? [[validator.operator, own] as const] : [];
    }),
  );
}

/** Gives what is the same in all addresses of the same bytes; undefined if the text is no address. */
function bodyOf(address: string): string | undefined {
  return withPrefix(address, 'x');
}

/** Gives the body of the consensus address: the first 20 bytes of the SHA-256 of the key (crypto/ed25519 of CometBFT). */
function consensusBody({ operator, consensusKey }: Validator): string | undefined {
  if (consensusKey === undefined) return undefined;
  const { bytes, rest } = fromBase64(consensusKey);
  if (rest !== '' || bytes.length !== 32) return undefined;
  const address = accountBeside(operator, sha256(bytes).subarray(0, 20));
  return address === undefined ? undefined : bodyOf(address);
}
