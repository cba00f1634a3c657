import type { Node } from 'jsonc-parser';
import { enumNames, type Field } from '../chain/content/messageFields.ts';

/** The form that a value needs. */
export type WantedForm =
  | 'text'
  | 'number'
  | 'whole number'
  | 'list'
  | 'object'
  | 'true or false'
  | 'duration'
  /** A duration as legacy parameters have it. */
  | 'nanoseconds'
  | 'decimal'
  | 'time'
  | 'base64'
  | 'u32'
  | 'u64'
  | 'i64'
  /** A whole number of base units. */
  | 'amount'
  | 'positive amount'
  | 'coins';

const ranges: Readonly<Record<'u32' | 'u64' | 'i64', readonly [min: bigint, max: bigint]>> = {
  u32: [0n, 2n ** 32n - 1n],
  u64: [0n, 2n ** 64n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
};

const durationForm = /^-?([\d.]+(ns|us|µs|ms|s|m|h))+$/;
/** How many nanoseconds each unit of a duration has (time.ParseDuration of Go). */
export const nanosecondsOf: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Whether Go reads a text as a duration (time.ParseDuration): it has 63 bits of nanoseconds, which are 292 years. */
export function isDuration(text: string): boolean {
  if (text.length > 100 || !durationForm.test(text)) return false;
  const parts = text.matchAll(/(\d{1,20})(?:\.\d{0,20})?(ns|us|µs|ms|s|m|h)/g);
  let sum = 0n;
  for (const [, digits = '0', unit = 's'] of parts) sum += BigInt(digits) * (nanosecondsOf[unit] ?? 0n);
  return sum < 2n ** 63n;
}

/**
 * The form that a value should have had, if the chain cannot read it. Undefined if the chain can. `node` is the value in
 * the JSON, or one element of a list. `raw` is its text in the file. Source: jsonpb/jsonpb.go of cosmos/gogoproto.
 */
export function wantedForm(node: Node, { type, repeated }: Field, raw: string): WantedForm | undefined {
  // The chain leaves a null field as it is.
  if (node.type === 'null' || type === 'json') return undefined;
  const text = typeof node.value === 'string' ? node.value : undefined;
  const isGood = (is: boolean, wanted: WantedForm): WantedForm | undefined => (is ? undefined : wanted);
  switch (type) {
    case 'string':
      return isGood(text !== undefined, 'text');
    case 'bool':
      return isGood(node.type === 'boolean', 'true or false');
    case 'u32':
    case 'u64':
    case 'i64':
      return isGood(isInRange(text ?? raw, type), type);
    case 'bytes':
      return isGood(text !== undefined && isBase64(text), 'base64');
    case 'dec':
      return isGood(/^-?\d+(\.\d{1,18})?$/.test(text ?? ''), 'decimal');
    case 'dur':
      return isGood(isDuration(text ?? ''), 'duration');
    case 'time':
      return isGood(text === '' || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text ?? ''), 'time');
    // Go also reads digits with underscores between them.
    case 'amount':
      return isGood(/^-?\d[\d_]*$/.test(text ?? ''), 'amount');
    case 'positive amount':
      return isGood(/^\d[\d_]*$/.test(text ?? '') && /[1-9]/.test(text ?? ''), 'positive amount');
    default:
      return messageForm(node, type, repeated);
  }
}

/**
 * The value in the form that the chain reads. Converts digits with separators or without quotes, shares in percent or
 * with a comma, and durations in days or bare seconds. Undefined if more than one value can be meant.
 */
export function convertedValue(wanted: WantedForm, node: Node, raw: string): unknown {
  const text = (typeof node.value === 'string' ? node.value : raw).trim();
  const isScalar = node.type === 'string' || node.type === 'number';
  switch (wanted) {
    case 'text':
      return node.type === 'number' ? raw : undefined;
    case 'amount':
    case 'positive amount':
    case 'number':
      return isScalar ? wholeText(text, wanted !== 'positive amount') : undefined;
    case 'u32':
    case 'whole number': {
      const digits = isScalar ? wholeText(text, false) : undefined;
      return digits !== undefined && Number(digits) < 2 ** 32 ? Number(digits) : undefined;
    }
    case 'u64':
    case 'i64': {
      const digits = isScalar ? wholeText(text, wanted === 'i64') : undefined;
      return digits !== undefined && BigInt(digits) < 2n ** (wanted === 'i64' ? 63n : 64n) ? digits : undefined;
    }
    case 'true or false':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    case 'decimal':
      return isScalar ? decimalText(text) : undefined;
    case 'duration':
      return isScalar ? durationIn(text) : undefined;
    case 'coins':
      return coinList(node, text);
    default:
      return undefined;
  }
}

/**
 * Writes `1,000,000`, `1_000` and `2.5e8` as digits. Undefined if it is no whole number, or is 0 while `mayBeZero` is
 * false.
 */
function wholeText(text: string, mayBeZero: boolean): string | undefined {
  const [, head = '', fraction = '', exponent = '0'] = /^(\d{1,80})(?:\.(\d{1,40}))?[eE]\+?(\d{1,2})$/.exec(text) ?? [];
  const places = Number(exponent);
  const scientific = head !== '' && fraction.length <= places ? head + fraction.padEnd(places, '0') : undefined;
  const isGrouped = /^\d{1,3}(?:([,_ '])\d{3})(?:\1\d{3})*$/.test(text);
  const digits = (scientific ?? (isGrouped ? text.replace(/\D/g, '') : text)).replace(/^0+(?=\d)/, '');
  return /^\d{1,100}$/.test(digits) && (mayBeZero || /[1-9]/.test(digits)) ? digits : undefined;
}

/** Drops the zeros at the end of decimals. A regular expression would take quadratic time for many zeros. */
function withoutZerosBehind(decimals: string): string {
  let end = decimals.length;
  while (decimals[end - 1] === '0') end--;
  return decimals.slice(0, end);
}

/** Writes `5%` and `0,05` as `0.05`. */
function decimalText(text: string): string | undefined {
  const [, whole = '', places = '', unit] = /^(\d{1,20})(?:[.,](\d{1,18}))?\s*(%?)$/.exec(text) ?? [];
  if (whole === '' || (unit === '%' && places.length > 16)) return undefined;
  if (unit !== '%') return places === '' ? whole : `${whole}.${places}`;
  const digits = whole.padStart(3, '0');
  const decimals = withoutZerosBehind(digits.slice(-2) + places);
  const head = digits.slice(0, -2).replace(/^0+(?=\d)/, '');
  return decimals === '' ? head : `${head}.${decimals}`;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Writes `2d`, `10 days`, `1 week` and bare seconds as `172800s`. */
function durationIn(text: string): string | undefined {
  const [, count = '', word = 's'] =
    /^(\d{1,9})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?|w|weeks?)?$/i.exec(text) ?? [];
  const unit = secondsOf[word.slice(0, 1).toLowerCase()] ?? 0;
  return count === '' || unit === 0 ? undefined : `${Number(count) * unit}s`;
}

/** Reads one coin without its list, or `5stake,7uatom`. */
function coinList(node: Node, text: string): readonly unknown[] | undefined {
  if (node.type === 'object') {
    const [denom, amount] = ['denom', 'amount'].map(
      (name) => node.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1]?.value,
    );
    return typeof denom === 'string' && (typeof amount === 'string' || Number.isSafeInteger(amount))
      ? [{ denom, amount: String(amount) }]
      : undefined;
  }
  if (node.type !== 'string') return undefined;
  const coins = text.split(',').map((part) => /^\s*(\d{1,100})\s*([a-zA-Z][a-zA-Z0-9/:._-]{2,127})\s*$/.exec(part));
  return coins.some((one) => one === null)
    ? undefined
    : coins
        .map((one) => ({ denom: one?.[2] ?? '', amount: one?.[1] ?? '' }))
        .toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
}

/** Checks types with fields, which are objects, and enums, which are texts or numbers. */
function messageForm(node: Node, type: string, repeated: boolean): WantedForm | undefined {
  if (enumNames(type)) return node.type === 'string' || node.type === 'number' ? undefined : 'text';
  if (node.type === 'object') return undefined;
  return type === 'Coin' && repeated ? 'coins' : 'object';
}

function isInRange(text: string, type: 'u32' | 'u64' | 'i64'): boolean {
  const [min, max] = ranges[type];
  if (!/^-?\d{1,20}$/.test(text)) return false;
  const value = BigInt(text);
  return value >= min && value <= max;
}

/** Whether Go reads the text as base64. Padding is required, line ends are skipped. */
function isBase64(text: string): boolean {
  const bare = text.replace(/[\r\n]/g, '');
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
}
