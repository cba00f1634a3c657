import { countMembers, jsonShape, type Span } from './jsonSpan.ts';
import { MisfitError, StateFileError, shortName } from './stateErrors.ts';

declare global {
  interface JSON {
    /** A value that `JSON.stringify` prints as this very text (ECMAScript 2026; V8 since 11.4). */
    rawJSON(text: string): object;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** A number that a double may not hold: long, with a fraction or with an exponent. May also be found inside a string. */
const inexact = /[[:,]\s*-?\d+(?:[.eE]|\d{15})/;

/** Parses a kept value; numbers that a double cannot hold keep their text, so that nothing is ever rounded. */
export function parseKept(bytes: Buffer, start: number, end: number): unknown {
  return parseExactly(bytes.toString('utf8', start, end));
}

/** `parseKept` of a text. */
export function parseExactly(text: string): unknown {
  if (!inexact.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, ...context: { source?: string }[]) => {
    const source = context[0]?.source;
    return typeof value === 'number' && source && String(value) !== source ? JSON.rawJSON(source) : value;
  });
}

/**
 * Like `parseKept`, and refuses repeated members and nesting deeper than `JSON.stringify` can take. What has as many members
 * after parsing as before repeats none; only where that does not tell, the text is walked.
 */
export function parseStrictly(bytes: Buffer, start: number, end: number): Fields {
  const { members, depth, isExact } = jsonShape(bytes, start, end);
  if (isExact && depth <= 500) {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, end));
    if (countMembers(value) === members) return toFields(value, '');
  }
  const place = walkJson(bytes, start, end, undefined, 500);
  if (place.fault?.startsWith('Not')) JSON.parse(bytes.toString('utf8', start, end));
  if (place.fault) throw new MisfitError(place.fault, place.path);
  return toFields(parseKept(bytes, start, end), '');
}

/** Refuses what is not an object; `path` says where it stands in the kept value. */
export function toFields(value: unknown, path: string): Fields {
  if (isFields(value)) return value;
  throw new MisfitError(`Expected an object, found ${kindOf(value)}`, path);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list, with null and absence as an empty one. */
export function toList(value: unknown, path: string): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new MisfitError(`Expected a list, found ${kindOf(value)}`, path);
}

/** A string. `path` and `field` together say where it stands: millions of coins are read, and few are misfits. */
export function toText(value: unknown, path: string, field = ''): string {
  if (typeof value === 'string') return value;
  throw new MisfitError(`Expected a string, found ${kindOf(value)}`, path + field);
}

/** A string of decimal digits; how every quantity is written. */
export function toDigits(value: unknown, path: string, field = ''): string {
  const text = toText(value, path, field);
  if (/^\d+$/.test(text)) return text;
  throw new MisfitError(`Expected a string of digits, found ${JSON.stringify(text.slice(0, 40))}`, path + field);
}

/** `{denom, amount}` and nothing else; leading zeros of the amount are dropped. */
export function toCoin(value: unknown, path: string): { readonly denom: string; readonly amount: string } {
  const coin = toFields(value, path);
  const amount = toDigits(coin.amount, path, '.amount');
  const isPadded = amount.startsWith('0') && amount !== '0';
  return {
    denom: toText(coin.denom, path, '.denom'),
    amount: isPadded ? amount.replace(/^0+(?=\d)/, '') : amount,
  };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A place in a JSON text: byte index, path from its root (`.status`, `[3].denom`), and what is wrong there, if anything. */
export interface Place {
  readonly offset: number;
  readonly path: string;
  readonly fault?: string | undefined;
}

/**
 * Walks `bytes[start, end)` strictly: finds the value at `target` (a relative path), or else the first fault: a byte that
 * JSON does not allow, a repeated member, nesting deeper than `deepest`. Slow and exact; for kept values and for errors.
 */
export function walkJson(
  bytes: Buffer,
  start: number,
  end: number,
  target: string | undefined,
  deepest: number,
): Place {
  const walk = new Walk(bytes, start, end, target, deepest);
  return walk.run();
}

class Found extends Error {
  readonly place: Place;

  constructor(place: Place) {
    super(place.fault);
    this.place = place;
  }
}

class Walk {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #target: string | undefined;
  readonly #deepest: number;
  #at: number;

  constructor(bytes: Buffer, start: number, end: number, target: string | undefined, deepest: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#target = target;
    this.#deepest = deepest;
    this.#at = start;
  }

  run(): Place {
    try {
      this.#value('', 0);
      this.#space();
      if (this.#at < this.#end) this.#fail('', 'Not valid JSON: something follows the value');
    } catch (error) {
      if (error instanceof Found) return error.place;
      throw error;
    }
    return { offset: this.#start, path: '' };
  }

  #fail(path: string, fault: string, offset = this.#at): never {
    throw new Found({ offset, path, fault });
  }

  #space(): number | undefined {
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    }
    return undefined;
  }

  #value(path: string, depth: number): void {
    const byte = this.#space();
    if (path === this.#target) throw new Found({ offset: this.#at, path });
    if (depth > this.#deepest) this.#fail(path, `Nested deeper than ${this.#deepest}`);
    if (byte === 0x7b) this.#object(path, depth);
    else if (byte === 0x5b) this.#list(path, depth);
    else if (byte === 0x22) this.#string(path);
    else this.#scalar(path);
  }

  #object(path: string, depth: number): void {
    const keys = new Set<string>();
    this.#at++;
    if (this.#closed(0x7d)) return;
    do {
      if (this.#space() !== 0x22) this.#fail(path, 'Not valid JSON: a member name in quotes belongs here');
      const at = this.#at;
      const key = this.#string(path);
      if (keys.has(key)) this.#fail(`${path}.${key}`, `The member "${shortName(key)}" is there twice`, at);
      keys.add(key);
      if (this.#space() !== 0x3a) this.#fail(path, 'Not valid JSON: ":" belongs here');
      this.#at++;
      this.#value(`${path}.${key}`, depth + 1);
    } while (this.#more(path, 0x7d));
  }

  #list(path: string, depth: number): void {
    this.#at++;
    if (this.#closed(0x5d)) return;
    let index = 0;
    do this.#value(`${path}[${index++}]`, depth + 1);
    while (this.#more(path, 0x5d));
  }

  #closed(close: number): boolean {
    if (this.#space() !== close) return false;
    this.#at++;
    return true;
  }

  #more(path: string, close: number): boolean {
    const byte = this.#space();
    if (byte !== close && byte !== 0x2c) this.#fail(path, 'Not valid JSON: "," or a closing bracket belongs here');
    this.#at++;
    return byte === 0x2c;
  }

  #string(path: string): string {
    const start = this.#at++;
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === 0x5c) this.#at++;
      else if (byte === 0x22) {
        this.#at++;
        return this.#parsed(path, start);
      }
    }
    return this.#fail(path, 'Not valid JSON: a string is not closed', start);
  }

  #scalar(path: string): void {
    const start = this.#at;
    while (this.#at < this.#end && !isDelimiter(this.#bytes[this.#at] ?? 0)) this.#at++;
    this.#parsed(path, start);
  }

  #parsed(path: string, start: number): string {
    try {
      return String(JSON.parse(this.#bytes.toString('utf8', start, this.#at)));
    } catch {
      return this.#fail(path, 'Not valid JSON', start);
    }
  }
}

function isDelimiter(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d || byte === 0x3a;
}

/** `JSON.stringify` and every later reader of a kept value recurse. */
const deepestKept = 500;

/**
 * What a kept value was refused for, with its place in the file. `isFatal`: the bytes are no JSON, so that nothing after
 * them can be trusted. Undefined for an error that says nothing of the value.
 */
export function toKeptFault(
  error: unknown,
  { bytes, start, end }: Span,
  offset: number,
  path: string,
): { readonly error: StateFileError; readonly isFatal: boolean } | undefined {
  if (error instanceof MisfitError) {
    const place = walkJson(bytes, start, end, error.path, deepestKept);
    const fault = new StateFileError(error.message, offset + place.offset - start, path + error.path);
    return { error: fault, isFatal: false };
  }
  if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) return undefined;
  const place = walkJson(bytes, start, end, undefined, deepestKept);
  const reason = place.fault ?? 'The value is not valid JSON';
  return { error: new StateFileError(reason, offset + place.offset - start, path + place.path), isFatal: true };
}
