import { contentTypes, enums, moduleMessages, moduleTypes, nestedTypes } from './tables.ts';

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

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const loose = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of UTF-8 bytes, or undefined where they are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of bytes that may be broken: U+FFFD stands for what cannot be read. */
export function fromBrokenUtf8(bytes: Uint8Array): string {
  return loose.decode(bytes);
}

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

const maxDepth = 16;

/**
 * Fields of a message told by number, as JSON: `#3 varint`, `#4 text`, `#4 message`, `#4 bytes` (base64), `#5 fixed32`,
 * `#5 fixed64`, `#6 group`; numbers unsigned, those of 64 bits as strings; a list where a key comes more than once.
 */
export class UnknownFields {
  readonly #wire: WireReader;
  readonly #values = new Map<string, unknown>();
  readonly #lists = new Map<string, unknown[]>();
  #count = 0;

  constructor(wire: WireReader) {
    this.#wire = wire;
  }

  /** How many fields were added, those inside nested messages included. */
  get count(): number {
    return this.#count;
  }

  get fields(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#values].map(([key, value]) => [key, this.#lists.get(key) ?? value]));
  }

  /** Adds a field with the reading that fits best; `depth` is how deep its message stands. */
  add(field: WireField, depth: number): void {
    this.#count++;
    if (field.type === 'varint' || field.type === 'fixed64' || field.type === 'fixed32') {
      this.put(`#${field.number} ${field.type}`, field.type === 'fixed32' ? field.value : String(field.value));
    } else if (field.type === 'group') {
      this.#addMessage(`#${field.number} group`, this.#wire.read(field.start, field.end), depth);
    } else this.#addBytes(field, depth);
  }

  /** Adds raw bytes as base64. */
  addRaw(field: WireField): void {
    this.put(`#${field.number} bytes`, toBase64(this.#wire.slice(field.start, field.end)));
  }

  put(key: string, value: unknown): void {
    const list = this.#lists.get(key);
    if (list) list.push(value);
    else if (this.#values.has(key)) this.#lists.set(key, [this.#values.get(key), value]);
    else this.#values.set(key, value);
  }

  /**
   * A length-delimited field does not say what it holds. Text without control characters is text, unless it starts like
   * a message does (a line feed is the tag of field 1) and reads as one. Other bytes are a message where one of these
   * fields would be written as just these bytes.
   */
  #addBytes(field: WireField, depth: number): void {
    const bytes = this.#wire.slice(field.start, field.end);
    const text = plainText(bytes);
    const mayBeMessage = bytes.length > 1 && depth < maxDepth && (text === undefined || bytes[0] === 10);
    const message = mayBeMessage ? this.#wire.read(field.start, field.end) : undefined;
    if (message && !message.broken && isCanonical(message.fields, bytes.length))
      this.#addMessage(`#${field.number} message`, message, depth);
    else if (text !== undefined) this.put(`#${field.number} text`, text);
    else this.addRaw(field);
  }

  #addMessage(key: string, message: WireMessage, depth: number): void {
    const inner = new UnknownFields(this.#wire);
    for (const field of message.fields) inner.add(field, depth + 1);
    this.#count += inner.count;
    this.put(key, inner.fields);
  }
}

/** UTF-8 text without control characters but tab, line feed and carriage return. */
function plainText(bytes: Uint8Array): string | undefined {
  for (const byte of bytes)
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127) return undefined;
  return fromUtf8(bytes);
}

/** Whether fields stand in the order and the size in which encoders write them; other bytes only look like a message. */
function isCanonical(fields: readonly WireField[], length: number): boolean {
  let size = 0;
  let last = 0;
  for (const { number, type, value, start, end } of fields) {
    if (number < last || type === 'group') return false;
    last = number;
    size += varintSize(number * 8);
    if (type === 'varint') size += varintSize(value);
    else size += end - start + (type === 'bytes' ? varintSize(end - start) : 0);
  }
  return size === length;
}

function varintSize(value: number | bigint): number {
  let size = 1;
  for (let rest = BigInt(value); rest >= 128n; rest >>= 7n) size++;
  return size;
}

/** How one field reads; `type` is a scalar word (`u64`, `json`, …), the name of a nested type or of an enum. */
export interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly optional: boolean;
}

/** The fields of a content or message by its full name without a leading slash; undefined where it is not known. */
export function fieldsOf(typeName: string): readonly Field[] | undefined {
  const dot = typeName.lastIndexOf('.');
  const [inside, name] = [typeName.slice(0, dot), typeName.slice(dot + 1)];
  const line = own(own(contentTypes, inside), name) ?? own(own(moduleMessages, inside), name);
  if (line === undefined) return undefined;
  return toFields(name.startsWith('Msg') ? line : ['title', 'description', line].filter(Boolean).join(','));
}

/** The fields of a nested type by its short name. */
export function nestedFields(name: string): readonly Field[] | undefined {
  const line = own(nestedTypes, name) ?? own(moduleTypes, name);
  return line === undefined ? undefined : toFields(line);
}

/** The names of an enum, or undefined where `type` is no enum. */
export function enumNames(type: string): readonly string[] | undefined {
  return own(enums, type);
}

function toFields(line: string): Field[] {
  const fields: Field[] = [];
  for (const [, jump, name = '', optional, repeated, type = 'string'] of line.matchAll(
    /(?:(\d+)=)?(\w+)(\?)?(?::(\*)?(\w+))?/g,
  )) {
    const number = jump ? Number(jump) : (fields.at(-1)?.number ?? 0) + 1;
    fields.push({ number, name, type, repeated: repeated === '*', optional: optional === '?' });
  }
  return fields;
}

function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}
