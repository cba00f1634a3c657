import { createHash } from 'node:crypto';

/** Gives the size of byte code in bytes, and its SHA-256 in hexadecimal. */
export function readByteCode(base64: string): { readonly size: number; readonly sha256: string } {
  const bytes = Buffer.from(base64, 'base64');
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
