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
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(61);
  for (let from = 0, to = 0; from < bytes.length; from += 3) {
    const left = bytes.length - from;
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    out[to++] = letter(group >> 18);
    out[to++] = letter((group >> 12) & 63);
    if (left > 1) out[to++] = letter((group >> 6) & 63);
    if (left > 2) out[to++] = letter(group & 63);
  }
  return new TextDecoder().decode(out);
}

/** The character code of six bits: A–Z, a–z, 0–9, + and /. */
function letter(bits: number): number {
  if (bits < 26) return bits + 65;
  if (bits < 52) return bits + 71;
  if (bits < 62) return bits - 4;
  return bits === 62 ? 43 : 47;
}
