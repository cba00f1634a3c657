import { enumNames } from './fields.ts';

/** Whether a type stands on the wire as a varint. */
export function isNumeric(type: string): boolean {
  return ['u64', 'i64', 'u32', 'bool'].includes(type) || enumNames(type) !== undefined;
}

/** A varint as REST shows it: 64-bit integers as strings, enums by name where it is known. */
export function toNumeric(type: string, value: number | bigint): string | number | boolean {
  if (type === 'u64') return String(value);
  if (type === 'i64') return String(BigInt.asIntN(64, BigInt(value)));
  if (type === 'bool') return BigInt(value) !== 0n;
  if (type === 'u32') return Number(BigInt.asUintN(32, BigInt(value)));
  const number = Number(BigInt.asIntN(32, BigInt(value)));
  return enumNames(type)?.[number] ?? number;
}

/** What REST shows for a field that the bytes do not hold. */
export function zeroOf(type: string): unknown {
  if (isNumeric(type)) return toNumeric(type, 0);
  return type === 'string' ? '' : type === 'dec' ? toDec('0') : null;
}

/** The RFC 3339 text of a protobuf Timestamp as REST shows it (0, 3, 6 or 9 digits); undefined outside years 1–9999. */
export function toTimestamp(seconds: bigint, nanos: number): string | undefined {
  if (seconds < -62135596800n || seconds > 253402300799n || nanos < 0 || nanos > 999_999_999) return undefined;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction(nanos)}Z`;
}

/** A protobuf Duration as REST shows it: `172800s`, `0.500s`; undefined where seconds and nanos contradict each other. */
export function toDuration(seconds: bigint, nanos: number): string | undefined {
  if (Math.abs(nanos) > 999_999_999 || (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0)) return undefined;
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  return `${sign}${seconds < 0n ? -seconds : seconds}${fraction(Math.abs(nanos))}s`;
}

/** A Dec as JSON has it: the raw integer text shifted by 18 digits; any other text stays. contract-facts section 6. */
export function toDec(raw: string): string {
  const digits = /^(-?)(\d+)$/.exec(raw);
  if (!digits) return raw;
  const padded = (digits[2] ?? '').padStart(19, '0');
  return `${digits[1]}${padded.slice(0, -18)}.${padded.slice(-18)}`;
}

function fraction(nanos: number): string {
  return nanos === 0
    ? ''
    : `.${String(nanos)
        .padStart(9, '0')
        .replace(/(000){1,2}$/, '')}`;
}
