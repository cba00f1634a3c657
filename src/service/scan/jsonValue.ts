import { isUtf8 } from 'node:buffer';
import { maxMembers } from '../../api/wireValues.ts';
import type { Fields } from '../../chain/fields.ts';
import { ValueError } from '../serviceErrors.ts';
import { backslashByte, commaByte, quoteByte } from './jsonBytes.ts';
import { type ListVisitor, largestValue, type ObjectVisitor, type ValueVisitor, type Visitor } from './jsonScanner.ts';

declare global {
  interface JSON {
    /** A value that `JSON.stringify` prints as this very text (ECMAScript 2026, V8 since 11.4). */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Parses a value of the scanner. Throws `ValueError` if it is not UTF-8, and `SyntaxError` if it is no JSON. */
export function parseValue(bytes: Buffer, start: number, end: number): unknown {
  const text = bytes.toString('utf8', start, end);
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) throw new ValueError('Not valid UTF-8');
  return parseExactly(text);
}

/**
 * Finds numbers that a double may not hold: long ones, fractions and exponents. It may also match inside a string, but
 * never a time.
 */
const inexact = /(?:^|"\s*:|[[,])\s*-?\d+(?:[.eE]|\d{15})/;

/** Parses JSON. Numbers that a double cannot hold keep their text, so that nothing is ever rounded. */
export function parseExactly(text: string): unknown {
  if (!inexact.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, ...context: { source?: string }[]) => {
    const source = context[0]?.source;
    return typeof value === 'number' && source && String(value) !== source ? JSON.rawJSON(source) : value;
  });
}

/** Gives a visitor that hands the parsed value to `use`. */
export function valueVisitor(use: (value: unknown) => void): ValueVisitor {
  return { kind: 'value', value: (bytes, start, end) => use(parseValue(bytes, start, end)) };
}

/** Gives a visitor of the named members. */
export function objectVisitor(members: Readonly<Record<string, Visitor>>, end?: () => void): ObjectVisitor {
  return { kind: 'object', member: (name) => (Object.hasOwn(members, name) ? members[name] : undefined), end };
}

/** Gives a visitor that hands each parsed element to `use`. `refused` is called for elements that cannot be used. */
export function rowsVisitor(use: (row: unknown) => void, refused?: () => void): ListVisitor {
  const visitor: ValueVisitor = { ...valueVisitor(use), refused };
  return { kind: 'list', element: () => visitor };
}

const smallValue = 64 * 1024;
/** The limit for values in one row. A value of three characters takes fifty bytes of memory. */
const maxValues = 1_000_000;

/** The space for the fields of a row. Each field takes its part before it is parsed. */
export class RowSpace {
  /** True if the bytes that `fieldsVisitor` was given are used up. Further fields are not parsed. */
  isUsed = false;
  #all: number;
  #left = largestValue;
  #smallValues = 100;
  #values = maxValues;

  /** `all` is the size of the whole row in bytes, whatever becomes of its fields. */
  constructor(all: number) {
    this.#all = all;
  }

  /**
   * Takes space for a field; false if the row has no space. Throws `ValueError` if this field has none. With `limits`,
   * its members are limited too.
   */
  take(name: string, bytes: Buffer, [start, end]: readonly [number, number], limits: boolean): boolean {
    const size = end - start + name.length;
    this.#all -= size;
    this.isUsed ||= this.#all < 0;
    if (this.isUsed) return false;
    // Small fields after a large content are still read, such as the status.
    if (size > this.#left && (size > smallValue || --this.#smallValues < 0)) throw new ValueError('Larger than 8 MiB');
    this.#left -= size;
    if (size < 2 * maxMembers) return true;
    const { members, values } = countValues(bytes, start, end);
    if (limits && members > maxMembers) throw new ValueError(`More than ${maxMembers} members`);
    this.#values -= values;
    if (this.#values < 0) throw new ValueError(`More than ${maxValues} values`);
    return true;
  }
}

/**
 * Counts values in a way that is never too low: commas and opening brackets outside strings, and the first value.
 * Members are counted the same way in their own list.
 */
function countValues(bytes: Buffer, start: number, end: number): { readonly members: number; readonly values: number } {
  let [values, members, depth] = [1, 1, 0];
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    const bracket = byte | 0x20;
    if (byte === quoteByte) at = stringEnd(bytes, at);
    else if (byte === commaByte) {
      values++;
      if (depth === 1) members++;
    } else if (bracket === 0x7b) {
      values++;
      depth++;
    } else if (bracket === 0x7d) depth--;
  }
  return { members, values };
}

/** Gives the index of the quote that closes the string whose first quote is at `start`. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quoteByte, start + 1); end >= 0; end = bytes.indexOf(quoteByte, end + 1)) {
    let first = end;
    while (bytes[first - 1] === backslashByte) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return bytes.length;
}

/**
 * Reads an object member by member. A member that cannot be read (too large, too many values, too deep, not UTF-8) has
 * the reason in its place, as a string; the others stay. Members named in `entered` are read in the same way.
 */
export function fieldsVisitor(
  use: (fields: unknown) => void,
  space: RowSpace,
  entered: readonly string[] = [],
  isInside = false,
): ObjectVisitor {
  const fields = new Map<string, unknown>();
  const field = (name: string): ValueVisitor => ({
    kind: 'value',
    value: (bytes, start, end): void => {
      if (space.take(name, bytes, [start, end], !isInside)) fields.set(name, parseValue(bytes, start, end));
    },
    refused: ({ message }) => fields.set(name, message),
  });
  return {
    kind: 'object',
    member: (name) =>
      entered.includes(name) ? fieldsVisitor((inner) => fields.set(name, inner), space, [], true) : field(name),
    otherwise: valueVisitor(use),
    end: () => use(Object.fromEntries(fields)),
  };
}

export function isParsedObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Returns an object and refuses anything else. `path` is its place in the value. */
export function toFields(value: unknown, path = ''): Fields {
  if (isParsedObject(value)) return value;
  throw new ValueError(`Expected an object, found ${kindOf(value)}`, path);
}

/** Returns a list. A null and an absent value are an empty list. */
export function toList(value: unknown, path: string): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new ValueError(`Expected a list, found ${kindOf(value)}`, path);
}

/** Returns a text, or a number with every digit; "" for anything else. An inexact number has no text of its own. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || JSON.isRawJSON(value) ? JSON.stringify(value) : '';
}

/**
 * Returns a string. `path` and `field` together are its place: joining them costs time, and of millions of coins few
 * are refused.
 */
export function toText(value: unknown, path: string, field = ''): string {
  if (typeof value === 'string') return value;
  throw new ValueError(`Expected a string, found ${kindOf(value)}`, path + field);
}

/** The limit for the digits of an amount. Real amounts have up to 78 (docs/nodes.md#supply). */
export const maxDigits = 100;

/**
 * Converts a name of SDK 0.39 and earlier (`VotingPeriod`) to one of `names`, which begin with `prefix`. Returns any
 * other value as it is.
 */
export function toEnumName(value: unknown, prefix: string, names: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  const name = prefix + value.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  return names.includes(name) ? name : value;
}

/** Reads a coin whose amount may be a number, as in accounts of the first states of 2018. */
export function withAmountText(coin: unknown): unknown {
  return isParsedObject(coin) ? { ...coin, amount: scalarText(coin.amount) || coin.amount } : coin;
}

/** A string of decimal digits, at most 100; how every quantity is written. */
export function toDigits(value: unknown, path: string, field = ''): string {
  const text = toText(value, path, field);
  if (text.length > maxDigits) throw new ValueError(`Longer than ${maxDigits} digits`, path + field);
  if (/^\d+$/.test(text)) return text;
  throw new ValueError(`Expected a string of digits, found ${JSON.stringify(text.slice(0, 40))}`, path + field);
}

/** A coin as text, `200iris`, of which forks of SDK 0.2x write the accounts of a genesis. */
const textCoin = /^(\d+)\s*([a-zA-Z][a-zA-Z0-9/:._-]{1,127})$/;

/** `{denom, amount}`, or text; leading zeros of the amount are dropped. */
export function readCoin(value: unknown, path: string): { readonly denom: string; readonly amount: string } {
  if (typeof value === 'string') {
    const [, amount, denom] = textCoin.exec(value) ?? [];
    if (amount !== undefined && denom !== undefined) return { denom, amount: toAmount(amount, path) };
    throw new ValueError(`Expected a whole number and a denom, found ${JSON.stringify(value.slice(0, 40))}`, path);
  }
  const coin = toFields(value, path);
  return { denom: toText(coin.denom, path, '.denom'), amount: toAmount(coin.amount, path) };
}

/**
 * Gives the whole units of a decimal number (`100.5000000000`) or a fraction (`63/2`), in which SDK 0.2x counts tokens.
 */
export function toWholeUnits(value: unknown, path: string): string {
  const text = toText(value, path);
  const [, whole] = /^(\d{1,100})(?:\.\d{1,18})?$/.exec(text) ?? [];
  const { dividend, divisor } = toFraction(text) ?? {};
  return whole ?? toDigits(dividend !== undefined && divisor ? String(dividend / divisor) : value, path);
}

/**
 * Reads a fraction such as `63/2`. SDK 0.24 and earlier write one for numbers that are not whole. They are never
 * rounded, so their numbers grow to thousands of digits.
 */
export function toFraction(text: string): { readonly dividend: bigint; readonly divisor: bigint } | undefined {
  const [, dividend, divisor] = /^(\d{1,5000})\/(\d{1,5000})$/.exec(text) ?? [];
  if (dividend === undefined || divisor === undefined || /^0+$/.test(divisor)) return undefined;
  return { dividend: BigInt(dividend), divisor: BigInt(divisor) };
}

export function toAmount(value: unknown, path: string): string {
  const digits = toDigits(value, path, '.amount');
  return digits.length > 1 && digits.startsWith('0') ? digits.replace(/^0+(?=\d)/, '') : digits;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (JSON.isRawJSON(value)) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
