import { exactJson, type Fields } from './content.ts';
import {
  type Break,
  type Field,
  fieldsOf,
  fromBrokenUtf8,
  fromUtf8,
  isNumeric,
  nestedFields,
  toBase64,
  toDec,
  toDuration,
  toNumeric,
  toTimestamp,
  UnknownFields,
  type WireField,
  WireReader,
  zeroOf,
} from './protobuf.ts';

/** What was read of a message: fields as REST shows them, unknown ones as `#number reading`. */
export interface Message {
  readonly fields: Fields;
  /** How many fields could be told by number only, nested ones included. */
  readonly unnamed: number;
  /** The first break, nested ones included; what follows it stands in the field `#rest` (base64) of its message. */
  readonly broken: Break | undefined;
}

const maxDepth = 16;

/** Reads the protobuf bytes of the type `typeUrl`; never throws, drops nothing. Unknown types are read by number. */
export function readMessage(typeUrl: string, bytes: Uint8Array): Message {
  const reader = new MessageReader(bytes);
  const fields = reader.typed(typeUrl, 0, bytes.length, 0) ?? {};
  return { fields, unnamed: reader.unnamed, broken: reader.broken };
}

class MessageReader {
  broken: Break | undefined;
  unnamed = 0;
  readonly #wire: WireReader;

  constructor(bytes: Uint8Array) {
    this.#wire = new WireReader(bytes);
  }

  /** A content or message by its full type; inside another, one of unknown type must read to its end. */
  typed(typeUrl: string, start: number, end: number, depth: number): Fields | undefined {
    const typeName = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
    const shape = fieldsOf(this.#hasHeader(typeName, start, end) ? `${typeName}(header)` : typeName);
    if (!shape && depth > 0 && this.#wire.read(start, end).broken) return undefined;
    return this.#message(shape ?? titleFields(typeName, depth), start, end, depth);
  }

  /** SDK 0.40–0.42 put an Any where ibc-go puts a client id; an Any starts with the tag 0x0a, an id never does. */
  #hasHeader(typeName: string, start: number, end: number): boolean {
    if (typeName !== 'ibc.core.client.v1.ClientUpdateProposal') return false;
    return this.#wire
      .read(start, end)
      .fields.some((f) => f.number === 4 && this.#wire.slice(f.start, f.end)[0] === 0x0a);
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
      if (field.type === 'string' && !this.#isText(item, values[0])) unknown.addRaw(item);
      const before = known.get(field.name);
      if (field.repeated && Array.isArray(before)) for (const value of values) before.push(value);
      else if (field.repeated) known.set(field.name, values);
      else {
        // The chain's decoder keeps the last one; the earlier ones are shown beside it.
        if (before !== undefined) unknown.put(`#${field.number} earlier`, before);
        known.set(field.name, values[0]);
      }
    }
    this.broken ??= wire.broken;
    if (wire.at < end) unknown.put('#rest', toBase64(this.#wire.slice(wire.at, end)));
    this.unnamed += unknown.count;
    return { ...inOrder(shape, known), ...unknown.fields };
  }

  #isText(item: WireField, text: unknown): boolean {
    if (typeof text !== 'string' || !text.includes('\ufffd')) return true;
    return fromUtf8(this.#wire.slice(item.start, item.end)) !== undefined;
  }

  /** The values of one wire field (many where packed), or undefined where it does not fit the type. */
  #values(field: Field, item: WireField, depth: number): unknown[] | undefined {
    const numeric = isNumeric(field.type);
    if (item.type === 'varint') return numeric ? [toNumeric(field.type, item.value)] : undefined;
    if (item.type !== 'bytes') return undefined;
    if (numeric && field.repeated) {
      return this.#wire.packed(item.start, item.end)?.map((value) => toNumeric(field.type, value));
    }
    if (numeric) return undefined;
    const value = this.#payload(field.type, item.start, item.end, depth);
    return value === undefined ? undefined : [value];
  }

  #payload(type: string, start: number, end: number, depth: number): unknown {
    const bytes = this.#wire.slice(start, end);
    if (type === 'bytes') return toBase64(bytes);
    if (type === 'time' || type === 'dur') return this.#moment(type, start, end);
    if (type === 'any') return this.#any(start, end, depth + 1);
    const shape = nestedFields(type);
    if (shape) return this.#message(shape, start, end, depth + 1);
    const text = fromUtf8(bytes);
    if (text === undefined) return type === 'string' ? fromBrokenUtf8(bytes) : undefined;
    if (type === 'dec') return toDec(text);
    return type === 'json' ? (exactJson(text) ?? text) : text;
  }

  #moment(type: 'time' | 'dur', start: number, end: number): string | undefined {
    let seconds = 0n;
    let nanos = 0;
    const wire = this.#wire.read(start, end);
    for (const { number, type: wireType, value } of wire.fields) {
      if (wireType !== 'varint' || number > 2) return undefined;
      if (number === 1) seconds = BigInt.asIntN(64, BigInt(value));
      else nanos = Number(BigInt.asIntN(32, BigInt(value)));
    }
    if (wire.broken) return undefined;
    return type === 'time' ? toTimestamp(seconds, nanos) : toDuration(seconds, nanos);
  }

  /** `{"@type": …, fields}`; undefined (then told by number) where the bytes are no plain Any or stand too deep. */
  #any(start: number, end: number, depth: number): Fields | undefined {
    const wire = this.#wire.read(start, end);
    const [url, value] = wire.fields;
    if (wire.broken || depth > maxDepth || wire.fields.length > 2) return undefined;
    if (url?.number !== 1 || url.type !== 'bytes') return undefined;
    if (value && (value.number !== 2 || value.type !== 'bytes')) return undefined;
    const typeUrl = fromUtf8(this.#wire.slice(url.start, url.end));
    if (typeUrl === undefined) return undefined;
    const at = value ?? { start: end, end };
    const fields = this.typed(typeUrl, at.start, at.end, depth);
    return { '@type': typeUrl, ...(fields ?? { value: toBase64(this.#wire.slice(at.start, at.end)) }) };
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

/** contract-facts section 6: every content has title 1 and description 2; a type named `Msg…` has not. */
function titleFields(typeName: string, depth: number): readonly Field[] {
  const name = typeName.slice(typeName.lastIndexOf('.') + 1);
  if (name.startsWith('Msg') || (depth > 0 && !name.endsWith('Proposal'))) return [];
  return ['title', 'description'].map((title, index) => ({
    number: index + 1,
    name: title,
    type: 'string',
    repeated: false,
    optional: true,
  }));
}
