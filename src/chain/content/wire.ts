/** Why bytes stopped making sense: they end too early, or say what protobuf cannot say. */
export type BreakReason = 'base64' | 'truncated' | 'varint' | 'fieldNumber' | 'wireType' | 'tooMany';

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
  /** Where reading stopped: the end, or a break. */
  readonly at: number;
}

const maxFieldNumber = 2 ** 29 - 1;
const maxGroups = 16;
/** No real content comes near; bytes that hold more are kept as bytes. */
const maxFields = 20_000;

/** Reads the messages inside some bytes, one level at a time; bounds the work over all of them. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #left = maxFields;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * The fields of a protobuf message in `bytes[start, end)`, in their order; never throws. A payload that is longer
   * than what is there is given as far as it goes, with the break.
   */
  read(start: number, end: number): WireMessage {
    const cursor = new WireCursor(this.#bytes, start, end);
    const fields: WireField[] = [];
    while (cursor.at < end) {
      const offset = cursor.at;
      const field = this.#left-- > 0 ? cursor.field(0) : 'tooMany';
      if (typeof field === 'string') return { fields, broken: { offset, reason: field }, at: offset };
      if (field === undefined) return { fields, broken: { offset, reason: 'wireType' }, at: offset };
      fields.push(field);
      if (cursor.at > end) return { fields, broken: { offset, reason: 'truncated' }, at: end };
    }
    return { fields, broken: undefined, at: end };
  }

  /** The varints that fill `bytes[start, end)` to its end, as packed lists hold them; undefined where they do not. */
  packed(start: number, end: number): (number | bigint)[] | undefined {
    const cursor = new WireCursor(this.#bytes, start, end);
    const values: (number | bigint)[] = [];
    while (cursor.at < end) {
      const value = this.#left-- > 0 ? cursor.varint() : 'tooMany';
      if (typeof value === 'string') return undefined;
      values.push(value);
    }
    return values;
  }

  /** The bytes `[start, end)`. */
  slice(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }
}

class WireCursor {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.at = start;
    this.#end = end;
  }

  /** The next field; undefined for the end mark of a group. A payload that is too long leaves `at` behind the end. */
  field(depth: number): WireField | BreakReason | undefined {
    const tag = this.varint();
    if (typeof tag === 'string') return tag;
    const number = Math.floor(Number(tag) / 8);
    if (number === 0 || number > maxFieldNumber) return 'fieldNumber';
    switch (Number(tag) % 8) {
      case 0:
        return this.#varintField(number);
      case 1:
        return this.#fixed(number, 'fixed64', 8);
      case 2:
        return this.#payload(number);
      case 3:
        return depth < maxGroups ? this.#group(number, depth + 1) : 'wireType';
      case 4:
        return undefined;
      case 5:
        return this.#fixed(number, 'fixed32', 4);
      default:
        return 'wireType';
    }
  }

  /** Unsigned; bits above the 64th are dropped, as the chain's decoder does. */
  varint(): number | bigint | 'truncated' | 'varint' {
    const start = this.at;
    let low = 0;
    let scale = 1;
    while (this.at < this.#end && this.at < start + 10) {
      const byte = this.#bytes[this.at++] ?? 0;
      low += (byte & 127) * scale;
      scale *= 128;
      if (byte < 128) return this.at - start <= 7 ? low : this.#wide(start);
    }
    return this.at < start + 10 ? 'truncated' : 'varint';
  }

  #wide(start: number): bigint {
    let value = 0n;
    for (let at = this.at - 1; at >= start; at--) value = (value << 7n) | BigInt((this.#bytes[at] ?? 0) & 127);
    return BigInt.asUintN(64, value);
  }

  #varintField(number: number): WireField | BreakReason {
    const start = this.at;
    const value = this.varint();
    return typeof value === 'string' ? value : { number, type: 'varint', value, start, end: this.at };
  }

  #fixed(number: number, type: 'fixed64' | 'fixed32', size: 8 | 4): WireField | BreakReason {
    const start = this.at;
    if (start + size > this.#end) return 'truncated';
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start, size);
    this.at += size;
    const value = size === 8 ? view.getBigUint64(0, true) : view.getUint32(0, true);
    return { number, type, value, start, end: this.at };
  }

  #payload(number: number): WireField | BreakReason {
    const length = this.varint();
    if (typeof length === 'string') return length;
    const start = this.at;
    this.at = start + Number(length);
    return { number, type: 'bytes', value: 0, start, end: Math.min(this.at, this.#end) };
  }

  /** A group ends with a mark of its own number. */
  #group(number: number, depth: number): WireField | BreakReason {
    const start = this.at;
    while (this.at < this.#end) {
      const end = this.at;
      const field = this.field(depth);
      if (typeof field === 'string') return field;
      if (this.at > this.#end) break;
      if (field) continue;
      const closes = this.#bytes[end] === ((number * 8 + 4) & 127) + (number > 15 ? 128 : 0);
      return closes ? { number, type: 'group', value: 0, start, end } : 'wireType';
    }
    return 'truncated';
  }
}
