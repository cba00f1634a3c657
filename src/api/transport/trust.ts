import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { codeOf, InputError } from '../errors.ts';
import type { NetworkOptions } from './transportTypes.ts';

/**
 * Reads the authorities that TLS trusts: Node's own list (undefined), the endpoint's CA file, and with `withSystem` the
 * system's authorities. Rejects with `InputError` if the CA file cannot be read or holds no certificate.
 */
export async function readTrust(network: NetworkOptions, withSystem: boolean): Promise<SecureContext | undefined> {
  const own = network.caFile ? await readCaFile(network.caFile) : [];
  const system = withSystem && network.systemCertificates !== false ? systemCertificates() : [];
  if (own.length + system.length === 0) return undefined;
  return createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...system, ...own])] });
}

/**
 * Reads the system's certificates. Gives none if the platform's store cannot be read; the editor's own list still
 * counts.
 */
function systemCertificates(): string[] {
  try {
    return getCACertificates('system');
  } catch {
    return [];
  }
}

async function readCaFile(path: string): Promise<string[]> {
  const text = await readFile(path, 'latin1').catch((error: unknown) => {
    throw new InputError(`The CA file ${path} for this endpoint cannot be read (${codeOf(error)})`, { cause: error });
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (found.length > 0) return found.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    throw new InputError(`The CA file ${path} for this endpoint contains an invalid certificate`, { cause: error });
  }
  throw new InputError(`The CA file ${path} for this endpoint contains no PEM certificate`);
}
