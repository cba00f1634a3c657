import { isUtf8 } from 'node:buffer';

/**
 * Bytes of base64 (standard or URL alphabet, padded or not, white space allowed) as far as the text is base64; Node's
 * decoder alone drops what it cannot read. `rest` is what follows, without white space; "" where all of it was read.
 */
export function fromBase64(text: string): { readonly bytes: Uint8Array; readonly rest: string } {
  const clean = /\s/.test(text) ? text.replace(/\s/g, '') : text;
  const good = /^[A-Za-z0-9+/_-]*/.exec(clean)?.[0].length ?? 0;
  // One character alone holds 6 bits, which is no byte.
  const usable = good % 4 === 1 ? good - 1 : good;
  const isWhole = usable === good && /^={0,2}$/.test(clean.slice(good, good + 3));
  return { bytes: Buffer.from(clean.slice(0, usable), 'base64'), rest: isWhole ? '' : clean.slice(usable) };
}

/** Members of one list inside a row (messages, coins, options of a vote, units), and of an object in a proposal. */
export const maxMembers = 10_000;

/** Standard base64 with padding, as REST shows bytes. */
export function toBase64(bytes: Uint8Array): string {
  return buffer(bytes).toString('base64');
}

/** The text of UTF-8 bytes, or undefined where they are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? buffer(bytes).toString('utf8') : undefined;
}

/** The text of bytes that may not be UTF-8: U+FFFD stands for what cannot be read. */
export function fromBrokenUtf8(bytes: Uint8Array): string {
  return buffer(bytes).toString('utf8');
}

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The SHA-256 of bytes, or of a text as UTF-8. Cryptography is loaded when it is needed: the first rows wait for none. */
export function sha256(data: string | Uint8Array): Buffer {
  return process.getBuiltinModule('node:crypto').hash('sha256', data, 'buffer');
}

/**
 * The address of the account that holds what went out over an IBC channel, or a client since IBC v2 (ibc-go
 * modules/apps/transfer/types/keys.go). `name`: `transfer/channel-0`.
 */
export function escrowAddressBytes(name: string): Uint8Array {
  return sha256(`ics20-1\0${name}`).subarray(0, 20);
}

/** The statuses of proposals, by their number on the wire (docs/nodes.md#status). */
export const statusNames = [
  'PROPOSAL_STATUS_UNSPECIFIED',
  'PROPOSAL_STATUS_DEPOSIT_PERIOD',
  'PROPOSAL_STATUS_VOTING_PERIOD',
  'PROPOSAL_STATUS_PASSED',
  'PROPOSAL_STATUS_REJECTED',
  'PROPOSAL_STATUS_FAILED',
] as const;

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A time of RFC 3339 in nanoseconds since 1970, of which a `Date` keeps the milliseconds; undefined for what is no time. */
export function toNanoseconds(text: string): bigint | undefined {
  const [, seconds = text, fraction = '', zone = ''] = /^(.+:\d\d)\.(\d+)(Z|[+-]\d\d:\d\d)$/i.exec(text.trim()) ?? [];
  const milliseconds = Date.parse(seconds + zone);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** The name of a field without case and underscores: `min_deposit` and `minDeposit` are one. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** The fields but those of these names. */
export function without(fields: Fields, names: Iterable<string>): Fields {
  const left = new Set(names);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name)));
}
