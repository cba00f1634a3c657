/**
 * Decodes base64 (standard or URL alphabet, padded or not, white space allowed) as far as the text is base64. Node's
 * own decoder drops characters that it cannot read. `rest` is the remaining text without white space; "" if all of it
 * was read.
 */
export function fromBase64(text: string): { readonly bytes: Uint8Array; readonly rest: string } {
  const clean = text.replace(/\s/g, '');
  const good = /^[A-Za-z0-9+/_-]*/.exec(clean)?.[0].length ?? 0;
  // One character alone holds 6 bits, which are no byte.
  const usable = good % 4 === 1 ? good - 1 : good;
  const isWhole = usable === good && /^={0,2}$/.test(clean.slice(good, good + 3));
  return { bytes: Buffer.from(clean.slice(0, usable), 'base64'), rest: isWhole ? '' : clean.slice(usable) };
}

/** Encodes standard base64 with padding, as REST shows bytes. */
export function toBase64(bytes: Uint8Array): string {
  return buffer(bytes).toString('base64');
}

/** Decodes UTF-8; undefined if the bytes are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes bytes that may not be UTF-8. U+FFFD stands for bytes that cannot be read. */
export function fromBrokenUtf8(bytes: Uint8Array): string {
  return buffer(bytes).toString('utf8');
}

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
