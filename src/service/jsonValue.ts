import { isUtf8 } from 'node:buffer';
import { maxMembers } from '../api/wireValues.ts';
import { type ListVisitor, largestValue, type ObjectVisitor, type ValueVisitor, type Visitor } from './jsonScanner.ts';
import { ValueError } from './serviceErrors.ts';

declare global {
  interface JSON {
    /** A value that `JSON.stringify` prints as this very text (ECMAScript 2026; V8 since 11.4). */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** Parses a value that the scanner handed over. Throws `ValueError` where it is not UTF-8, `SyntaxError` where it is no JSON. */
export function parseValue(bytes: Buffer, start: number, end: number): unknown {
  const text = bytes.toString('utf8', start, end);
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) throw new ValueError('Not valid UTF-8');
  return parseExactly(text);
}

/** A number that a double may not hold: long, with a fraction or with an exponent. May also be found in a string, but not in a time. */
const inexact = /(?:^|"\s*:|[[,])\s*-?\d+(?:[.eE]|\d{15})/;

/** Parses JSON; numbers that a double cannot hold keep their text, so that nothing is ever rounded. */
export function parseExactly(text: string): unknown {
  if (!inexact.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, ...context: { source?: string }[]) => {
    const source = context[0]?.source;
    return typeof value === 'number' && source && String(value) !== source ? JSON.rawJSON(source) : value;
  });
}

/** Hands the parsed value to `use`. */
export function valueVisitor(use: (value: unknown) => void): ValueVisitor {
  return { kind: 'value', value: (bytes, start, end) => use(parseValue(bytes, start, end)) };
}

/** Visits the members that are named here. */
export function objectVisitor(members: Readonly<Record<string, Visitor>>, end?: () => void): ObjectVisitor {
  return { kind: 'object', member: (name) => (Object.hasOwn(members, name) ? members[name] : undefined), end };
}

/** Hands each parsed element to `use`; `refused` hears of those that cannot be used. */
export function rowsVisitor(use: (row: unknown) => void, refused?: () => void): ListVisitor {
  const visitor: ValueVisitor = { ...valueVisitor(use), refused };
  return { kind: 'list', element: () => visitor };
}

const smallValue = 64 * 1024;
/** Of one row, in which a value of three characters takes fifty bytes of memory. */
const maxValues = 1_000_000;

/** Room for the fields of a row, of which each takes its part before it is parsed. */
export class RowSpace {
  /** There are more bytes than `fieldsVisitor` was given: the fields from there on are not parsed. */
  isUsed = false;
  #all: number;
  #left = largestValue;
  #smallValues = 100;
  #values = maxValues;

  /** `all`: bytes of the whole row, whatever becomes of its fields. */
  constructor(all: number) {
    this.#all = all;
  }

  /** false: there is no place for the row. Throws `ValueError` where there is none for this field; `limits` its members. */
  take(name: string, bytes: Buffer, [start, end]: readonly [number, number], limits: boolean): boolean {
    const size = end - start + name.length;
    this.#all -= size;
    this.isUsed ||= this.#all < 0;
    if (this.isUsed) return false;
    // What comes after a large content, the status for example, is still read.
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

/** Upper bounds: commas and opening brackets outside strings, and the first value; of its members, the same in its own list. */
function countValues(bytes: Buffer, start: number, end: number): { readonly members: number; readonly values: number } {
  let [values, members, depth] = [1, 1, 0];
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    const bracket = byte | 0x20;
    if (byte === 0x22) at = stringEnd(bytes, at);
    else if (byte === 0x2c) {
      values++;
      if (depth === 1) members++;
    } else if (bracket === 0x7b) {
      values++;
      depth++;
    } else if (bracket === 0x7d) depth--;
  }
  return { members, values };
}

/** Index of the quote that closes the string whose first quote is at `start`. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(0x22, start + 1); end >= 0; end = bytes.indexOf(0x22, end + 1)) {
    let first = end;
    while (bytes[first - 1] === 0x5c) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return bytes.length;
}

/**
 * Reads an object member by member, so that one that cannot be read (too large, with too many values, nested too deeply, not
 * UTF-8) costs only itself: it has the reason in its place, as a string. Members named in `entered` are read in the same way.
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

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Refuses what is not an object; `path` is its place in the value. */
export function toFields(value: unknown, path = ''): Fields {
  if (isFields(value)) return value;
  throw new ValueError(`Expected an object, found ${kindOf(value)}`, path);
}

/** A list, with null and absence as an empty one. */
export function toList(value: unknown, path: string): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new ValueError(`Expected a list, found ${kindOf(value)}`, path);
}

/** A text, or a number with every digit of it; "" for anything else. A number that is not exact has no text of its own. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || JSON.isRawJSON(value) ? JSON.stringify(value) : '';
}

/** A string. `path` and `field` together are its place: millions of coins are read, and few are refused. */
export function toText(value: unknown, path: string, field = ''): string {
  if (typeof value === 'string') return value;
  throw new ValueError(`Expected a string, found ${kindOf(value)}`, path + field);
}

/** Amounts have up to 78 digits (docs/nodes.md#supply). */
export const maxDigits = 100;

/** A name of before SDK 0.40 (`VotingPeriod`) as one of `names`, which begin with `prefix`; any other value as it is. */
export function toEnumName(value: unknown, prefix: string, names: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  const name = prefix + value.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  return names.includes(name) ? name : value;
}

/** A coin whose amount may be a number, as the first states of 2018 write those of accounts. */
export function withAmountText(coin: unknown): unknown {
  return isFields(coin) ? { ...coin, amount: scalarText(coin.amount) || coin.amount } : coin;
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
export function toCoin(value: unknown, path: string): { readonly denom: string; readonly amount: string } {
  if (typeof value === 'string') {
    const [, amount, denom] = textCoin.exec(value) ?? [];
    if (amount !== undefined && denom !== undefined) return { denom, amount: toAmount(amount, path) };
    throw new ValueError(`Expected a whole amount and a denom, found ${JSON.stringify(value.slice(0, 40))}`, path);
  }
  const coin = toFields(value, path);
  return { denom: toText(coin.denom, path, '.denom'), amount: toAmount(coin.amount, path) };
}

/** The whole units of a decimal number (`100.5000000000`) or a fraction (`63/2`), in which SDK 0.2x counts tokens. */
export function toWholeUnits(value: unknown, path: string): string {
  const text = toText(value, path);
  const [, whole] = /^(\d{1,100})(?:\.\d{1,18})?$/.exec(text) ?? [];
  const { dividend, divisor } = toFraction(text) ?? {};
  return whole ?? toDigits(dividend !== undefined && divisor ? String(dividend / divisor) : value, path);
}

/** `63/2`, as SDK before 0.25 writes what is not whole: it does not round, so that numbers grow to thousands of digits. */
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
