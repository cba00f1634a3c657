/** Why bytes stopped making sense: they end too early, or say what protobuf cannot say. */
export type BreakReason = 'base64' | 'truncated' | 'varint' | 'fieldNumber' | 'wireType';

/** Where reading stopped: byte offset into the value, of the field that cannot be read. */
export interface Break {
  readonly offset: number;
  readonly reason: BreakReason;
}

/** One field as it stands on the wire: a number (varint, fixed), or the byte range of a payload. */
export interface WireField {
  readonly number: number;
  readonly type: 'varint' | 'fixed64' | 'fixed32' | 'bytes' | 'group';
  /** Unsigned; a bigint only where a number would not be exact. */
  readonly value: number | bigint;
  readonly start: number;
  readonly end: number;
}

export interface WireMessage {
  readonly fields: readonly WireField[];
  readonly broken: Break | undefined;
  /** Where reading stopped: the end, a break, or behind the end mark of a group. */
  readonly at: number;
  /** Where the last field ends. */
  readonly end: number;
}

const maxFieldNumber = 2 ** 29 - 1;
const maxGroups = 16;

/**
 * Reads the fields of a protobuf message in `bytes[start, end)`, in their order, one level deep; never throws. A payload
 * that is longer than what is there is given as far as it goes, with the break.
 */
export function readWire(bytes: Uint8Array, start: number, end: number, group = 0, depth = 0): WireMessage {
  const fields: WireField[] = [];
  let tagAt = start;
  let at = start;
  const stop = (reason: BreakReason): WireMessage => ({
    fields,
    broken: { offset: tagAt, reason },
    at: tagAt,
    end: tagAt,
  });
  while (at < end) {
    tagAt = at;
    const tag = readVarint(bytes, at, end);
    if (typeof tag === 'string') return stop(tag);
    at = tag.end;
    const number = Number(tag.value) >>> 3;
    if (number === 0 || Number(tag.value) / 8 >= maxFieldNumber + 1) return stop('fieldNumber');
    const type = Number(tag.value) & 7;
    if (type === 0) {
      const varint = readVarint(bytes, at, end);
      if (typeof varint === 'string') return stop(varint);
      fields.push({ number, type: 'varint', value: varint.value, start: at, end: varint.end });
      at = varint.end;
    } else if (type === 1 || type === 5) {
      const size = type === 1 ? 8 : 4;
      if (at + size > end) return stop('truncated');
      const value = readFixed(bytes, at, size);
      fields.push({ number, type: type === 1 ? 'fixed64' : 'fixed32', value, start: at, end: at + size });
      at += size;
    } else if (type === 2) {
      const length = readVarint(bytes, at, end);
      if (typeof length === 'string') return stop(length);
      const payloadEnd = length.end + Number(length.value);
      fields.push({ number, type: 'bytes', value: 0, start: length.end, end: Math.min(payloadEnd, end) });
      if (payloadEnd > end) return { ...stop('truncated'), at: end };
      at = payloadEnd;
    } else if (type === 3 && depth < maxGroups) {
      const inner = readWire(bytes, at, end, number, depth + 1);
      if (inner.broken) return stop(inner.broken.reason);
      fields.push({ number, type: 'group', value: 0, start: at, end: inner.end });
      at = inner.at;
    } else if (type === 4 && number === group) {
      return { fields, broken: undefined, at, end: tagAt };
    } else return stop('wireType');
  }
  return group === 0 ? { fields, broken: undefined, at, end: at } : stop('truncated');
}

/** The unsigned value of a varint and where it ends; bits above the 64th are dropped, as the chain's decoder does. */
export function readVarint(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly value: number | bigint; readonly end: number } | 'truncated' | 'varint' {
  let low = 0;
  let scale = 1;
  for (let at = start; at < end && at < start + 10; at++) {
    const byte = bytes[at] ?? 0;
    if (at < start + 7) {
      low += (byte & 127) * scale;
      scale *= 128;
    }
    if (byte < 128) return { value: at < start + 7 ? low : wide(bytes, start, at), end: at + 1 };
  }
  return end - start < 10 ? 'truncated' : 'varint';
}

function wide(bytes: Uint8Array, start: number, last: number): bigint {
  let value = 0n;
  for (let at = last; at >= start; at--) value = (value << 7n) | BigInt((bytes[at] ?? 0) & 127);
  return BigInt.asUintN(64, value);
}

function readFixed(bytes: Uint8Array, at: number, size: number): number | bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, size);
  return size === 8 ? view.getBigUint64(0, true) : view.getUint32(0, true);
}
