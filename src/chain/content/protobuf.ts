import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type Fields, fromBrokenUtf8, fromUtf8, toBase64 } from '../../api/wireValues.ts';
import { exactJson } from '../json.ts';
import {
  type Field,
  fieldsOf,
  isNumeric,
  nestedFields,
  toDec,
  toDuration,
  toNumeric,
  toTimestamp,
  zeroOf,
} from './messageFields.ts';

/** Why bytes cannot be read on: they are not base64, end too early, or are not protobuf. */
export type DecodeFaultReason = 'base64' | 'truncated' | 'varint' | 'fieldNumber' | 'wireType' | 'tooMany';

/** Where decoding stopped: byte offset into the value, of the field that cannot be read. */
export interface DecodeFault {
  readonly offset: number;
  readonly reason: DecodeFaultReason;
}

/** A decoded message: fields as REST shows them, those that are not in the tables as `#number reading`. */
export interface Message {
  readonly fields: Fields;
  /** How many fields are known by number only, nested ones included. */
  readonly unknownFields: number;
  /** The first fault, nested ones included; the bytes after it are the field `#rest` (base64) of their message. */
  readonly fault: DecodeFault | undefined;
}

const maxDepth = 16;
/** More fields than any real content has; bytes that hold more are kept as bytes. */
const maxFields = 20_000;

/** Decodes the protobuf bytes of the type `typeUrl`; never throws, drops nothing. Types not in the tables are read by number. */
export function readMessage(typeUrl: string, bytes: Uint8Array): Message {
  const reader = new MessageReader(bytes);
  const fields = reader.readTyped(typeUrl, 0, bytes.length, 0) ?? {};
  return { fields, unknownFields: reader.unknownFields, fault: reader.fault };
}

class MessageReader {
  fault: DecodeFault | undefined;
  unknownFields = 0;
  readonly #wire: WireReader;

  constructor(bytes: Uint8Array) {
    this.#wire = new WireReader(bytes);
  }

  /** A content or message by its full type; inside another, one of unknown type must read to its end. */
  readTyped(typeUrl: string, start: number, end: number, depth: number): Fields | undefined {
    const typeName = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
    const shape = fieldsOf(this.#hasHeader(typeName, start, end) ? `${typeName}(header)` : typeName);
    if (!shape && depth > 0 && this.#wire.read(start, end).fault) return undefined;
    return this.#message(shape ?? titleFields(typeName, depth), start, end, depth);
  }

  /** SDK 0.40–0.42 have an Any where ibc-go has a client id; an Any starts with the tag 0x0a, an id never does. */
  #hasHeader(typeName: string, start: number, end: number): boolean {
    if (typeName !== 'ibc.core.client.v1.ClientUpdateProposal') return false;
    const { fields } = this.#wire.read(start, end);
    return fields.some((field) => field.number === 4 && this.#wire.slice(field)[0] === 0x0a);
  }

  #message(shape: readonly Field[], start: number, end: number, depth: number): Fields {
    const wire = this.#wire.read(start, end);
    const byNumber = new Map(shape.map((field) => [field.number, field]));
    const known = new Map<string, unknown>();
    const unknown = new UnknownFields(this.#wire);
    for (const item of wire.fields) {
      const field = byNumber.get(item.number);
      const values = field && this.#values(field, item, depth);
      if (!field || !values) {
        unknown.add(item, depth);
        continue;
      }
      if (field.type === 'string' && fromUtf8(this.#wire.slice(item)) === undefined) unknown.addBytes(item);
      const before = known.get(field.name);
      if (field.repeated && Array.isArray(before)) for (const value of values) before.push(value);
      else if (field.repeated) known.set(field.name, values);
      else {
        // The chain's decoder keeps the last one; the earlier ones are shown beside it.
        if (before !== undefined) unknown.set(`#${field.number} earlier`, before);
        known.set(field.name, values[0]);
      }
    }
    this.fault ??= wire.fault;
    if (wire.end < end) unknown.set('#rest', toBase64(this.#wire.slice({ start: wire.end, end })));
    this.unknownFields += unknown.count;
    return { ...inOrder(shape, known), ...unknown.fields };
  }

  /** The values of one wire field (many where packed), or undefined where it does not fit the type. */
  #values(field: Field, item: WireField, depth: number): unknown[] | undefined {
    if (isNumeric(field.type)) {
      if (item.type === 'varint') return [toNumeric(field.type, item.value)];
      if (item.type !== 'bytes' || !field.repeated) return undefined;
      return this.#wire.readPacked(item)?.map((value) => toNumeric(field.type, value));
    }
    const value = item.type === 'bytes' ? this.#payload(field.type, item, depth) : undefined;
    return value === undefined ? undefined : [value];
  }

  #payload(type: string, { start, end }: Span, depth: number): unknown {
    const bytes = this.#wire.slice({ start, end });
    if (type === 'bytes') return toBase64(bytes);
    if (type === 'time' || type === 'dur') return this.#time(type, start, end);
    if (type === 'any') return this.#any(start, end, depth + 1);
    const shape = nestedFields(type);
    if (shape) return this.#message(shape, start, end, depth + 1);
    if (type === 'string') return fromBrokenUtf8(bytes);
    const text = fromUtf8(bytes);
    if (text === undefined) return undefined;
    if (type === 'dec') return toDec(text);
    return type === 'json' ? (exactJson(text) ?? text) : text;
  }

  #time(type: 'time' | 'dur', start: number, end: number): string | undefined {
    let seconds = 0n;
    let nanos = 0;
    const wire = this.#wire.read(start, end);
    for (const { number, type: wireType, value } of wire.fields) {
      if (wireType !== 'varint' || number > 2) return undefined;
      if (number === 1) seconds = BigInt.asIntN(64, value);
      else nanos = Number(BigInt.asIntN(32, value));
    }
    if (wire.fault) return undefined;
    return type === 'time' ? toTimestamp(seconds, nanos) : toDuration(seconds, nanos);
  }

  /** `{"@type": …, fields}`; undefined (then read by number) where the bytes are no plain Any or nested too deep. */
  #any(start: number, end: number, depth: number): Fields | undefined {
    const wire = this.#wire.read(start, end);
    const [url, value] = wire.fields;
    if (wire.fault || depth > maxDepth || wire.fields.length > 2) return undefined;
    if (url?.number !== 1 || url.type !== 'bytes') return undefined;
    if (value && (value.number !== 2 || value.type !== 'bytes')) return undefined;
    const typeUrl = fromUtf8(this.#wire.slice(url));
    if (typeUrl === undefined) return undefined;
    const span = value ?? { start: end, end };
    const fields = this.readTyped(typeUrl, span.start, span.end, depth);
    return { '@type': typeUrl, ...(fields ?? { value: toBase64(this.#wire.slice(span)) }) };
  }
}

/** Fields in the order of their type, with the defaults that REST shows for those that are absent. */
function inOrder(shape: readonly Field[], known: ReadonlyMap<string, unknown>): Fields {
  const fields: Record<string, unknown> = {};
  for (const field of shape) {
    if (known.has(field.name)) fields[field.name] = known.get(field.name);
    else if (!field.optional) fields[field.name] = field.repeated ? [] : zeroOf(field.type);
  }
  return fields;
}

/** Every content has title 1 and description 2 (docs/nodes.md#contents); a type named `Msg…` has not. */
function titleFields(typeName: string, depth: number): readonly Field[] {
  const name = typeName.slice(typeName.lastIndexOf('.') + 1);
  if (name.startsWith('Msg') || (depth > 0 && !name.endsWith('Proposal'))) return [];
  const field = { type: 'string', repeated: false, optional: true };
  return [
    { ...field, number: 1, name: 'title' },
    { ...field, number: 2, name: 'description' },
  ];
}

/**
 * Fields known by number only, as JSON: `#3 varint`, `#4 text`, `#4 message`, `#4 bytes` (base64), `#5 fixed32`,
 * `#5 fixed64`, `#6 group`; numbers unsigned, those of 64 bits as strings; a list where a key comes more than once.
 */
class UnknownFields {
  readonly #wire: WireReader;
  readonly #values = new Map<string, unknown[]>();
  /** How many fields were added, those inside nested messages included. */
  count = 0;

  constructor(wire: WireReader) {
    this.#wire = wire;
  }

  get fields(): Fields {
    return Object.fromEntries([...this.#values].map(([key, values]) => [key, values.length > 1 ? values : values[0]]));
  }

  /** Adds a field with the reading that fits best; `depth` is that of its message. */
  add(field: WireField, depth: number): void {
    this.count++;
    const key = `#${field.number} ${field.type}`;
    if (field.type === 'fixed32') this.set(key, Number(field.value));
    else if (field.type === 'varint' || field.type === 'fixed64') this.set(key, String(field.value));
    else if (field.type === 'group') this.#addMessage(key, this.#wire.read(field.start, field.end), depth);
    else this.#addPayload(field, depth);
  }

  /** Adds the payload as base64. */
  addBytes(field: WireField): void {
    this.set(`#${field.number} bytes`, toBase64(this.#wire.slice(field)));
  }

  set(key: string, value: unknown): void {
    const values = this.#values.get(key);
    if (values) values.push(value);
    else this.#values.set(key, [value]);
  }

  /**
   * A payload does not state its type. Text without control characters is text, unless it starts like a message (a line
   * feed is the tag of field 1) and reads as one. Other bytes are a message where its fields would be encoded as exactly
   * these bytes.
   */
  #addPayload(field: WireField, depth: number): void {
    const bytes = this.#wire.slice(field);
    const text = plainText(bytes);
    const mayBeMessage = bytes.length > 1 && depth < maxDepth && (text === undefined || bytes[0] === 10);
    const message = mayBeMessage ? this.#wire.read(field.start, field.end) : undefined;
    if (message && !message.fault && isCanonical(message.fields, bytes.length)) {
      this.#addMessage(`#${field.number} message`, message, depth);
    } else if (text !== undefined) this.set(`#${field.number} text`, text);
    else this.addBytes(field);
  }

  #addMessage(key: string, message: WireMessage, depth: number): void {
    const inner = new UnknownFields(this.#wire);
    for (const field of message.fields) inner.add(field, depth + 1);
    this.count += inner.count;
    this.set(key, inner.fields);
  }
}

/** UTF-8 text without control characters but tab, line feed and carriage return. */
function plainText(bytes: Uint8Array): string | undefined {
  const isControl = (byte: number) => (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127;
  return bytes.some(isControl) ? undefined : fromUtf8(bytes);
}

/** Whether fields have the order and the size in which encoders write them; other bytes only look like a message. */
function isCanonical(fields: readonly WireField[], length: number): boolean {
  let size = 0;
  let last = 0;
  for (const { number, type, value, start, end } of fields) {
    if (number < last || type === 'group') return false;
    last = number;
    size += varintSize(BigInt(number) << 3n);
    if (type === 'varint') size += varintSize(value);
    else size += end - start + (type === 'bytes' ? varintSize(BigInt(end - start)) : 0);
  }
  return size === length;
}

function varintSize(value: bigint): number {
  let size = 1;
  for (let rest = value; rest >= 128n; rest >>= 7n) size++;
  return size;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** One field on the wire: an unsigned number (varint, fixed), or the byte range of its payload. */
interface WireField extends Span {
  readonly number: number;
  readonly type: 'varint' | 'fixed64' | 'fixed32' | 'bytes' | 'group';
  readonly value: bigint;
}

interface WireMessage {
  readonly fields: readonly WireField[];
  readonly fault: DecodeFault | undefined;
  /** Where reading stopped. */
  readonly end: number;
}

/** Reads the messages inside some bytes, one level at a time, keeps what is before a fault, and bounds the work. */
class WireReader {
  readonly #bytes: Uint8Array;
  #left = maxFields;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The fields of the message in `bytes[start, end)`; never throws. A payload that is too long is given as far as it goes. */
  read(start: number, end: number): WireMessage {
    const reader = new BinaryReader(this.#bytes.subarray(0, end));
    reader.pos = start;
    const fields: WireField[] = [];
    while (reader.pos < end) {
      const offset = reader.pos;
      const field = this.#left-- > 0 ? readField(reader) : 'tooMany';
      if (typeof field === 'string') return { fields, fault: { offset, reason: field }, end: offset };
      fields.push(field);
      if (reader.pos > end) return { fields, fault: { offset, reason: 'truncated' }, end };
    }
    return { fields, fault: undefined, end };
  }

  /** The varints that fill a span, as packed lists hold them; undefined where they do not. */
  readPacked({ start, end }: Span): bigint[] | undefined {
    const reader = new BinaryReader(this.#bytes.subarray(start, end));
    const values: bigint[] = [];
    try {
      while (reader.pos < reader.len && this.#left-- > 0) values.push(BigInt(reader.uint64()));
    } catch {
      return undefined;
    }
    return reader.pos < reader.len ? undefined : values;
  }

  slice({ start, end }: Span): Uint8Array {
    return this.#bytes.subarray(start, end);
  }
}

function readField(reader: BinaryReader): WireField | DecodeFaultReason {
  let type = WireType.Varint;
  try {
    const tag = BigInt(reader.uint64());
    const number = Number(tag >> 3n);
    if (number === 0 || number >= 2 ** 29) return 'fieldNumber';
    type = Number(tag & 7n);
    const start = reader.pos;
    switch (type) {
      case WireType.Varint:
        return { number, type: 'varint', value: BigInt(reader.uint64()), start, end: reader.pos };
      case WireType.Bit64:
        return { number, type: 'fixed64', value: BigInt(reader.fixed64()), start, end: reader.pos };
      case WireType.Bit32:
        return { number, type: 'fixed32', value: BigInt(reader.fixed32()), start, end: reader.pos };
      case WireType.LengthDelimited: {
        const length = Number(reader.uint64());
        const from = reader.pos;
        reader.pos += length;
        return { number, type: 'bytes', value: 0n, start: from, end: Math.min(reader.pos, reader.len) };
      }
      case WireType.StartGroup:
        return readGroup(reader, number);
      default:
        return 'wireType';
    }
  } catch (error) {
    // The library has no error codes: past the end it throws a RangeError, else the number or group being read is at fault.
    return error instanceof RangeError ? 'truncated' : type === WireType.StartGroup ? 'wireType' : 'varint';
  }
}

/** A group ends with a tag of its own number. */
function readGroup(reader: BinaryReader, number: number): WireField | DecodeFaultReason {
  const start = reader.pos;
  for (;;) {
    const end = reader.pos;
    const [inner, type] = reader.tag();
    if (type === WireType.EndGroup)
      return inner === number ? { number, type: 'group', value: 0n, start, end } : 'wireType';
    reader.skip(type, inner, maxDepth);
  }
}
