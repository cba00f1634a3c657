const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, bit) => {
      if ((top >>> bit) & 1) sum ^= generator;
    });
  }
  return sum >>> 0;
}

/** Why `text` is no bech32 address (BIP 173, checksum included; 1 to 255 bytes as the SDK allows), or undefined where it is one. */
export function bech32Fault(text: string): string | undefined {
  if (text.length < 8) return `decoding bech32 failed: invalid bech32 string length ${text.length}`;
  if (text.length > 1023) return 'decoding bech32 failed: string is too long';
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase())
    return 'decoding bech32 failed: string not all lowercase or all uppercase';
  const separator = lower.lastIndexOf('1');
  if (separator < 1 || separator + 7 > lower.length) return 'decoding bech32 failed: invalid separator index';
  const prefix = lower.slice(0, separator);
  if (!/^[!-~]+$/.test(prefix)) return 'decoding bech32 failed: invalid character in prefix';
  const data = [...lower.slice(separator + 1)].map((letter) => letters.indexOf(letter));
  if (data.includes(-1)) return 'decoding bech32 failed: invalid character in data';
  if (polymod([...expandedPrefix(prefix), ...data]) !== 1) return 'decoding bech32 failed: invalid checksum';
  return data.length > 6 ? undefined : 'decoding bech32 failed: empty address';
}

/** What stands before the address itself in `text`: `cosmos`. Undefined where it is no address. */
export function bech32Prefix(text: string): string | undefined {
  return bech32Fault(text) ? undefined : text.toLowerCase().slice(0, text.lastIndexOf('1'));
}

/** The address that `data` (its letters, without the checksum) is on the chain of `prefix`. */
export function bech32Text(prefix: string, data: string): string {
  const values = [...data].map((letter) => letters.indexOf(letter));
  const sum = polymod([...expandedPrefix(prefix), ...values, 0, 0, 0, 0, 0, 0]) ^ 1;
  const checksum = [25, 20, 15, 10, 5, 0].map((shift) => letters[(sum >>> shift) & 31]);
  return `${prefix}1${data}${checksum.join('')}`;
}

function expandedPrefix(prefix: string): number[] {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}
