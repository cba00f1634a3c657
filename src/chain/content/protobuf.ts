import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { fromBrokenUtf8, fromUtf8, toBase64 } from '../bytes.ts';
import type { Fields } from '../fields.ts';
import { exactJson } from '../json.ts';
import {
  type Field,
  fieldsOf,
  fieldsOfLine,
  isNumeric,
  nestedFields,
  toDec,
  toDuration,
  toNumeric,
  toTimestamp,
  zeroOf,
} from './messageFields.ts';

/** The place where decoding stopped: the byte offset of the field that cannot be read. */
export interface DecodeFault {
  readonly offset: number;
  readonly reason: 'base64' | 'truncated' | 'malformed' | 'tooMany';
}

const maxDepth = 16;
/** The limit for fields, more than real content has. Bytes with more fields stay bytes. */
const maxFields = 20_000;

/**
 * A decoded value: its fields as REST shows them, the number of fields that no table names, and the place where
 * decoding stopped.
 */
export interface DecodedMessage {
  readonly fields: Fields;
  readonly unknownFields: number;
  readonly fault: DecodeFault | undefined;
}

/**
 * Decodes protobuf as REST shows it. It never throws and drops nothing. Fields outside the tables are `#number
 * reading`.
 */
export function readMessage(typeUrl: string, bytes: Uint8Array): DecodedMessage {
  const decoder = new Decoder(bytes);
  const fields = decoder.readTyped(typeUrl, bytes, 0) ?? {};
  return { fields, unknownFields: decoder.unknownFields, fault: decoder.fault };
}

class Decoder {
  /** The first fault, including nested ones. The bytes after it are the field `#rest` (base64) of their message. */
  fault: DecodeFault | undefined;
  unknownFields = 0;
  readonly #start: number;
  /** The nested types that were met. Each may come thousands of times. */
  readonly #nested = new Map<string, readonly Field[] | undefined>();
  #left = maxFields;

  constructor(whole: Uint8Array) {
    this.#start = whole.byteOffset;
  }

  /** Reads a content or message by its full type. A nested one of unknown type must read to its end. */
  readTyped(typeUrl: string, bytes: Uint8Array, depth: number): Fields | undefined {
    const typeName = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
    const shape = fieldsOf(this.#hasHeader(typeName, bytes) ? `${typeName}(header)` : typeName);
    if (!shape && depth > 0 && this.#readFields(bytes).fault) return undefined;
    return this.#message(shape ?? titleFields(typeName, depth), bytes, depth);
  }

  /**
   * True for SDK 0.40 to 0.42, which have an Any where ibc-go has a client id. An Any starts with the tag 0x0a, an id
   * never does.
   */
  #hasHeader(typeName: string, bytes: Uint8Array): boolean {
    if (typeName !== 'ibc.core.client.v1.ClientUpdateProposal') return false;
    return this.#readFields(bytes).fields.some((field) => field.number === 4 && field.bytes[0] === 0x0a);
  }

  /** Reads fields in the order of their type, with the defaults that REST shows for absent ones. */
  #message(shape: readonly Field[], bytes: Uint8Array, depth: number): Fields {
    const { fields, fault, rest } = this.#readFields(bytes);
    const byNumber = new Map(shape.map((field) => [field.number, field]));
    const known = new Readings();
    const unknown = new Readings();
    for (const item of fields) {
      const field = byNumber.get(item.number);
      const values = field && this.#values(field, item, depth);
      if (!field || !values) {
        this.#addUnknown(unknown, item, depth);
        continue;
      }
      for (const value of values) known.add(field.name, value);
      if (field.type === 'string' && fromUtf8(item.bytes) === undefined)
        unknown.add(`#${item.number} bytes`, toBase64(item.bytes));
    }
    this.fault ??= fault;
    if (rest.length > 0) unknown.add('#rest', toBase64(rest));
    const message: Record<string, unknown> = {};
    for (const { name, number, type, repeated, optional } of shape) {
      const values = known.get(name);
      if (values.length > 0 || !optional) message[name] = repeated ? values : (values.at(-1) ?? zeroOf(type));
      // The chain's decoder keeps the last value. Earlier ones are shown beside it.
      if (!repeated) for (const earlier of values.slice(0, -1)) unknown.add(`#${number} earlier`, earlier);
    }
    return { ...message, ...unknown.fields };
  }

  /** Reads the values of one wire field, which are many if packed; undefined if they do not fit the type. */
  #values(field: Field, item: WireField, depth: number): unknown[] | undefined {
    if (isNumeric(field.type)) {
      if (item.type === 'varint') return [toNumeric(field.type, item.value)];
      if (item.type !== 'bytes' || !field.repeated) return undefined;
      return this.#readPacked(item.bytes)?.map((value) => toNumeric(field.type, value));
    }
    const value = item.type === 'bytes' ? this.#payload(field.type, item.bytes, depth) : undefined;
    return value === undefined ? undefined : [value];
  }

  #payload(type: string, bytes: Uint8Array, depth: number): unknown {
    if (type === 'bytes') return toBase64(bytes);
    if (type === 'time' || type === 'dur') return this.#time(type, bytes);
    if (type === 'any') return this.#any(bytes, depth + 1);
    const shape = this.#shapeOf(type);
    if (shape) return this.#message(shape, bytes, depth + 1);
    if (type === 'string') return fromBrokenUtf8(bytes);
    const text = fromUtf8(bytes);
    if (text === undefined) return undefined;
    if (type === 'dec') return toDec(text);
    return type === 'json' ? (exactJson(text) ?? text) : text;
  }

  #shapeOf(type: string): readonly Field[] | undefined {
    if (!this.#nested.has(type)) this.#nested.set(type, nestedFields(type));
    return this.#nested.get(type);
  }

  #time(type: 'time' | 'dur', bytes: Uint8Array): string | undefined {
    let seconds = 0n;
    let nanos = 0;
    const { fields, fault } = this.#readFields(bytes);
    for (const { number, type: wireType, value } of fields) {
      if (wireType !== 'varint' || number > 2) return undefined;
      if (number === 1) seconds = BigInt.asIntN(64, value);
      else nanos = Number(BigInt.asIntN(32, value));
    }
    if (fault) return undefined;
    return type === 'time' ? toTimestamp(seconds, nanos) : toDuration(seconds, nanos);
  }

  /**
   * Reads `{"@type": …, fields}`; undefined if the bytes are no plain Any or are nested too deeply. The field is then
   * read by number.
   */
  #any(bytes: Uint8Array, depth: number): Fields | undefined {
    const { fields, fault } = this.#readFields(bytes);
    const isPlain = fields.every(({ number, type }, at) => number === at + 1 && type === 'bytes');
    const [url, value] = fields;
    if (fault || depth > maxDepth || !url || fields.length > 2 || !isPlain) return undefined;
    const typeUrl = fromUtf8(url.bytes);
    if (typeUrl === undefined) return undefined;
    const payload = value?.bytes ?? new Uint8Array();
    return { '@type': typeUrl, ...(this.readTyped(typeUrl, payload, depth) ?? { value: toBase64(payload) }) };
  }

  /**
   * Adds the reading that fits best: `#3 varint`, `#4 text`, `#4 bytes` (base64), `#6 group`. Numbers of 64 bits are
   * strings.
   */
  #addUnknown(readings: Readings, { number, type, value, bytes }: WireField, depth: number): void {
    this.unknownFields++;
    if (type === 'fixed32') readings.add(`#${number} fixed32`, Number(value));
    else if (type === 'varint' || type === 'fixed64') readings.add(`#${number} ${type}`, String(value));
    else if (type === 'group') readings.add(`#${number} group`, this.#byNumber(this.#readFields(bytes), depth));
    else {
      const text = plainText(bytes);
      const message = this.#asMessage(bytes, text, depth);
      if (message) readings.add(`#${number} message`, this.#byNumber(message, depth));
      else if (text !== undefined) readings.add(`#${number} text`, text);
      else readings.add(`#${number} bytes`, toBase64(bytes));
    }
  }

  /**
   * Reads a payload as a message if it looks like one, since it does not state its type. Text without control
   * characters is text, unless it starts like a message (a line feed is the tag of field 1) and reads as one. Other
   * bytes are a message if its fields would be encoded as exactly these bytes.
   */
  #asMessage(bytes: Uint8Array, text: string | undefined, depth: number): WireMessage | undefined {
    if (depth >= maxDepth || (text !== undefined && bytes[0] !== 10)) return undefined;
    const message = this.#readFields(bytes);
    return !message.fault && isCanonical(message.fields, bytes.length) ? message : undefined;
  }

  #byNumber({ fields, rest }: WireMessage, depth: number): Fields {
    const readings = new Readings();
    for (const field of fields) this.#addUnknown(readings, field, depth + 1);
    if (rest.length > 0) readings.add('#rest', toBase64(rest));
    return readings.fields;
  }

  /**
   * Reads the fields of a message and the bytes after a fault. It never throws. A payload that is too long is read as
   * far as it goes.
   */
  #readFields(bytes: Uint8Array): WireMessage {
    const reader = new BinaryReader(bytes);
    const fields: WireField[] = [];
    let fault: DecodeFault | undefined;
    while (reader.pos < reader.len && !fault) {
      const from = reader.pos;
      let reason: DecodeFault['reason'] | undefined;
      try {
        if (this.#left-- <= 0) reason = 'tooMany';
        else fields.push(readField(reader, bytes));
        if (reader.pos > reader.len) reason = 'truncated';
      } catch (error) {
        // The library has no error codes. It throws a RangeError past the end.
        reason = error instanceof RangeError ? 'truncated' : 'malformed';
        reader.pos = from;
      }
      if (reason) fault = { offset: bytes.byteOffset - this.#start + from, reason };
    }
    return { fields, fault, rest: bytes.subarray(reader.pos) };
  }

  /** Reads the varints that fill a payload, as in packed lists; undefined if they do not fill it. */
  #readPacked(bytes: Uint8Array): bigint[] | undefined {
    const reader = new BinaryReader(bytes);
    const values: bigint[] = [];
    try {
      while (reader.pos < reader.len && this.#left-- > 0) values.push(BigInt(reader.uint64()));
    } catch {
      return undefined;
    }
    return reader.pos < reader.len ? undefined : values;
  }
}

/**
 * Gives the fields that every content begins with, title 1 and description 2 (docs/nodes.md#contents). Types named
 * `Msg…` have none.
 */
function titleFields(typeName: string, depth: number): readonly Field[] {
  const name = typeName.slice(typeName.lastIndexOf('.') + 1);
  return name.startsWith('Msg') || (depth > 0 && !name.endsWith('Proposal')) ? [] : fieldsOfLine('title?,description?');
}

/** Values by key; a list if a key comes more than once. */
class Readings {
  readonly #values = new Map<string, unknown[]>();

  add(key: string, value: unknown): void {
    const values = this.#values.get(key);
    if (values) values.push(value);
    else this.#values.set(key, [value]);
  }

  get(key: string): readonly unknown[] {
    return this.#values.get(key) ?? [];
  }

  get fields(): Fields {
    return Object.fromEntries([...this.#values].map(([key, values]) => [key, values.length > 1 ? values : values[0]]));
  }
}

function plainText(bytes: Uint8Array): string | undefined {
  const isControl = (byte: number): boolean => (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127;
  return bytes.some(isControl) ? undefined : fromUtf8(bytes);
}

/** True if fields have the order and the size that encoders give them. Other bytes only look like a message. */
function isCanonical(fields: readonly WireField[], length: number): boolean {
  let size = 0;
  let last = 0;
  for (const { number, type, value, bytes } of fields) {
    if (number < last || type === 'group') return false;
    last = number;
    size += varintSize(BigInt(number) << 3n) + (type === 'varint' ? varintSize(value) : bytes.length);
    if (type === 'bytes') size += varintSize(BigInt(bytes.length));
  }
  return size === length;
}

function varintSize(value: bigint): number {
  let size = 1;
  for (let rest = value; rest >= 128n; rest >>= 7n) size++;
  return size;
}

/** One field on the wire: its bytes (a payload without its length), and its unsigned number, or 0. */
interface WireField {
  readonly number: number;
  readonly type: 'varint' | 'fixed64' | 'fixed32' | 'bytes' | 'group';
  readonly value: bigint;
  readonly bytes: Uint8Array;
}

interface WireMessage {
  readonly fields: readonly WireField[];
  readonly fault: DecodeFault | undefined;
  readonly rest: Uint8Array;
}

/** Reads the next field. Throws as the library does. */
function readField(reader: BinaryReader, all: Uint8Array): WireField {
  const [number, wireType] = reader.tag();
  const start = reader.pos;
  const field = (type: WireField['type'], value = 0n, from = start, end = reader.pos): WireField => {
    return { number, type, value, bytes: all.subarray(from, end) };
  };
  switch (wireType) {
    case WireType.Varint:
      return field('varint', BigInt(reader.uint64()));
    case WireType.Bit64:
      return field('fixed64', BigInt(reader.fixed64()));
    case WireType.Bit32:
      return field('fixed32', BigInt(reader.fixed32()));
    case WireType.LengthDelimited: {
      const length = Number(reader.uint64());
      const from = reader.pos;
      reader.pos += length;
      return field('bytes', 0n, from);
    }
    default:
      // Skips a group without its end tag. The library refuses the end of a group that was not begun.
      reader.skip(wireType, number, maxDepth);
      return field('group', 0n, start, reader.pos - varintSize(BigInt(number) << 3n));
  }
}
