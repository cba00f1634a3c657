import type { Credential } from '../../api/transport/transportTypes.ts';
import { type EndpointSetting, sourceId } from '../../session/source.ts';
import type { Credentials, Storage } from '../storage.ts';

/** The API key header of an address. Undefined if there is none. Throws `InputError` if the stored value is damaged. */
export async function getCredential(credentials: Credentials, url: string): Promise<Credential | undefined> {
  const kept = await credentials.get(secretKey(url));
  if (kept === undefined) return undefined;
  const { readCredential } = await import('../../session/stored.ts');
  return readCredential(kept);
}

export async function setCredential(credentials: Credentials, url: string, credential: Credential): Promise<void> {
  await credentials.store(secretKey(url), JSON.stringify(credential));
}

export async function forgetCredential(credentials: Credentials, url: string): Promise<void> {
  await credentials.delete(secretKey(url));
}

/**
 * Forgets a removed endpoint, and returns its API key header. The header belongs to an origin, and stays if another
 * endpoint has the same origin.
 */
export async function forgetEndpoint(
  { credentials, dialects, answers }: Storage,
  url: string,
  others: readonly EndpointSetting[],
): Promise<Credential | undefined> {
  if (!/^https?:/i.test(url)) return undefined;
  await dialects.set(sourceId(url), undefined);
  await answers.forget(sourceId(url));
  const origin = URL.parse(url)?.origin;
  if (others.some((other) => URL.parse(other.url)?.origin === origin)) return undefined;
  // A damaged header is ignored, since it is of no use.
  const credential = await getCredential(credentials, url).catch(() => undefined);
  await forgetCredential(credentials, url);
  return credential;
}

function secretKey(url: string): string {
  return `header:${new URL(url).origin}`;
}
