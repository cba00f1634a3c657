const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const loose = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of UTF-8 bytes, or undefined where they are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of bytes that may be broken: U+FFFD stands for what cannot be read. */
export function fromBrokenUtf8(bytes: Uint8Array): string {
  return loose.decode(bytes);
}
