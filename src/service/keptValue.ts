import { countMembers, jsonShape } from './jsonShape.ts';
import { walkJson } from './jsonWalk.ts';
import { MisfitError } from './stateFileError.ts';

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
