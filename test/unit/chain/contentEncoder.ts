/** A protobuf writer for tests: `field(3, 'text')`, `field(4, 5n)`, `field(5, field(1, 'x'), field(2, 'y'))`. */
export type Part = string | number | bigint | boolean | Uint8Array;

/** One field: numbers are varints, text and bytes are length-delimited, several parts make one nested message. */
export function field(number: number, ...parts: readonly Part[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && (typeof first === 'number' || typeof first === 'bigint' || typeof first === 'boolean')) {
    return concat(varint(number * 8), varint(BigInt(first)));
  }
  const payload = concat(...parts.map((part) => (part instanceof Uint8Array ? part : Buffer.from(String(part)))));
  return concat(varint(number * 8 + 2), varint(payload.length), payload);
}

/** A varint; negative numbers take ten bytes, as int64 does. */
export function varint(value: number | bigint): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** `{type_url, value}` as service.md has it. */
export function any(typeUrl: string, ...parts: readonly Uint8Array[]): { type_url: string; value: string } {
  return { type_url: typeUrl, value: Buffer.from(concat(...parts)).toString('base64') };
}
