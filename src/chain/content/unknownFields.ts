import { toBase64 } from './base64.ts';
import { fromUtf8 } from './utf8.ts';
import type { WireField, WireMessage, WireReader } from './wire.ts';

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
