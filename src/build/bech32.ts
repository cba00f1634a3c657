const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Bytes → a bech32 text with its checksum (BIP 173): `toBech32('sample', twentyBytes)` → `sample1…`. */
export function toBech32(prefix: string, bytes: Uint8Array): string {
  const words = toWords(bytes);
  const head = [...prefix].map((letter) => letter.charCodeAt(0));
  const expanded = [...head.map((code) => code >> 5), 0, ...head.map((code) => code & 31)];
  const sum = checksum([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const tail = [25, 20, 15, 10, 5, 0].map((shift) => (sum >> shift) & 31);
  return `${prefix}1${[...words, ...tail].map((word) => alphabet.charAt(word)).join('')}`;
}

/** Groups of 8 bits → groups of 5 bits, the last one filled up with zeros. */
function toWords(bytes: Uint8Array): number[] {
  const words: number[] = [];
  let rest = 0;
  let bits = 0;
  for (const byte of bytes) {
    rest = ((rest << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      words.push((rest >> bits) & 31);
    }
  }
  if (bits > 0) words.push((rest << (5 - bits)) & 31);
  return words;
}

function checksum(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [bit, generator] of generators.entries()) {
      if ((top >> bit) & 1) sum ^= generator;
    }
  }
  return sum;
}
