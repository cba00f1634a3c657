/** Page keys as nodes make them (contract-facts section 1): inclusive, the key of the first row of the page. */

/** The page key (base64) at which a supply list begins with `denom`, or with the next one where there is none. */
export function denomKey(denom: string): string {
  return Buffer.from(denom, 'utf8').toString('base64');
}

/** The page key (base64) at which a proposal list begins with `id`: 8 bytes, big-endian. */
export function idKey(id: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, id));
  return bytes.toString('base64');
}

/** The id in a page key of a proposal list; undefined where the key is of another make. */
export function idOfKey(key: string): bigint | undefined {
  const bytes = Buffer.from(key, 'base64');
  return bytes.length === 8 ? bytes.readBigUInt64BE() : undefined;
}

/** Byte order of UTF-8, in which nodes list denoms; negative where `a` comes first. */
export function compareDenoms(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
