/** Bytes of base64 text (std or url alphabet, padded or not), as far as it is base64; `rest` is the text after that. */
export function fromBase64(text: string): { bytes: Uint8Array<ArrayBuffer>; rest: string } {
  const clean = text.replaceAll('-', '+').replaceAll('_', '/').replace(/\s+/g, '');
  const good = /^[A-Za-z0-9+/]*/.exec(clean)?.[0] ?? '';
  const tail = clean.slice(good.length);
  // One lone character holds 6 bits, which is no byte.
  const usable = good.length % 4 === 1 ? good.slice(0, -1) : good;
  const binary = atob(usable);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  const whole = usable.length === good.length && /^={0,2}$/.test(tail);
  return { bytes, rest: whole ? '' : clean.slice(usable.length) };
}

/** Standard base64 with padding, as REST shows bytes. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000) parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(''));
}
