import type { Coin } from '../coin.ts';
import { fromBase64, fromBrokenUtf8, WireReader } from './protobuf.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a proposal would do, as its chain said it: a legacy gov content, or a message. */
export interface Content {
  /** `/cosmos.gov.v1beta1.TextProposal`, or the amino name (`cosmos-sdk/TextProposal`); "" where the chain did not say. */
  readonly typeUrl: string;
  /** Absent where the content has none, and for messages (`Msg…`), whose first fields are something else. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The fields as they came, without the type; of protobuf only `value` (base64): `decodeContent` names what is in it. */
  readonly fields: Fields;
  /** The form in which it came. */
  readonly source: 'json' | 'protobuf' | 'amino';
  /** The message that carried a legacy content (`MsgExecLegacyContent`), without that content. */
  readonly carrier: { readonly typeUrl: string; readonly fields: Fields } | undefined;
  /** As it came. */
  readonly raw: Fields;
}

/**
 * Reads `{type_url, value}` (also `typeUrl`; base64 protobuf), `{"@type", …}` or amino `{type, value}`, the content
 * inside a MsgExecLegacyContent instead of it; never throws. contract-facts sections 3, 5 and 6.
 */
export function readContent(raw: unknown): Content {
  const given = isFields(raw) ? raw : {};
  const outer = toForm(given);
  const inner = carriedBy(outer);
  const { typeUrl, bytes, fields } = inner ?? outer;
  const isMsg = shortName(typeUrl).startsWith('Msg');
  const { title, description } = isMsg ? {} : bytes ? readTitles(bytes) : fields;
  return {
    typeUrl,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : undefined,
    fields,
    source: outer.source,
    carrier: inner ? { typeUrl: outer.typeUrl, fields: without(outer.fields, 'content') } : undefined,
    raw: given,
  };
}

/** The last word of a type: `/a.b.v1.MsgSend` → `MsgSend`, amino `cosmos-sdk/MsgSend` → `MsgSend`. */
export function shortName(typeUrl: string): string {
  return typeUrl.slice(Math.max(typeUrl.lastIndexOf('.'), typeUrl.lastIndexOf('/')) + 1);
}

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields but those of these names. */
export function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Which of the forms a content has; `bytes` for protobuf, as far as `value` is base64. */
export interface ContentForm {
  readonly typeUrl: string;
  readonly source: Content['source'];
  readonly fields: Fields;
  readonly bytes?: Uint8Array;
}

/** Tells the forms of contract-facts section 3 apart. */
export function toForm(raw: Fields): ContentForm {
  const { '@type': typeUrl, ...fields } = raw;
  if (typeof typeUrl === 'string') return { typeUrl, source: 'json', fields };
  const { type_url: snake, typeUrl: camel, ...rest } = raw;
  const anyUrl = snake ?? camel;
  if (typeof anyUrl === 'string' && (typeof rest.value === 'string' || rest.value == null)) {
    return { typeUrl: anyUrl, source: 'protobuf', fields: rest, bytes: fromBase64(rest.value ?? '').bytes };
  }
  if (typeof raw.type === 'string' && isFields(raw.value) && Object.keys(raw).length === 2) {
    return { typeUrl: raw.type, source: 'amino', fields: raw.value };
  }
  return { typeUrl: typeof anyUrl === 'string' ? anyUrl : '', source: 'json', fields: raw };
}

function carriedBy({ typeUrl, fields, bytes }: ContentForm): ContentForm | undefined {
  if (shortName(typeUrl) !== 'MsgExecLegacyContent') return undefined;
  if (!bytes) return isFields(fields.content) ? toForm(fields.content) : undefined;
  const any = readParts(bytes).get(1);
  const parts = any && readParts(any);
  const url = parts?.get(1);
  return url && { typeUrl: fromBrokenUtf8(url), source: 'protobuf', fields, bytes: parts?.get(2) ?? new Uint8Array() };
}

function readTitles(bytes: Uint8Array): { title?: string; description?: string } {
  const parts = readParts(bytes);
  const text = (number: number) => fromBrokenUtf8(parts.get(number) ?? new Uint8Array());
  return { ...(parts.has(1) && { title: text(1) }), ...(parts.has(2) && { description: text(2) }) };
}

/** The payloads of a message by field number; of a number that comes twice, the last. */
function readParts(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const { fields } = new WireReader(bytes).read(0, bytes.length);
  const payloads = fields.filter((field) => field.type === 'bytes');
  return new Map(payloads.map(({ number, start, end }) => [number, bytes.subarray(start, end)]));
}

/** Longer texts are left as they are, so that no content takes long. */
const maxLength = 128 * 1024;
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * A JSON text laid out with two spaces, token by token, so that every digit and every repeated key stays; undefined
 * where the text is not JSON, or longer than 128 KiB.
 */
export function formatJson(text: string): string | undefined {
  if (parse(text) === undefined) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let open = false;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [part] of text.matchAll(token)) {
    if (part === '}' || part === ']') {
      depth--;
      parts.push(open ? part : line() + part);
      open = false;
      continue;
    }
    if (open) parts.push(line());
    open = part === '{' || part === '[';
    if (open) depth++;
    if (part === ',') parts.push(`,${line()}`);
    else if (part === ':') parts.push(': ');
    else parts.push(part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : part);
  }
  return parts.join('');
}

/** The value of a JSON text where a JavaScript value holds it exactly (no digit, no repeated key lost); else undefined. */
export function exactJson(text: string): unknown {
  const value = parse(text);
  return value !== undefined && JSON.stringify(value, null, 2) === formatJson(text) ? value : undefined;
}

function parse(text: string): unknown {
  if (text.length > maxLength) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A short readable name of a type, in its own words: `/a.v1.MsgCommunityPoolSpend` → `Community pool spend`. */
export function plainType(typeUrl: string): string {
  const name = shortName(typeUrl);
  const bare = name.replace(/^Msg(?=[A-Z])/, '').replace(/(?<=.)Proposal$/, '');
  const words = bare.replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4').split(/[\s_]+/);
  return words.map((word, index) => (index === 0 || isAcronym(word) ? word : word.toLowerCase())).join(' ');
}

/** Two capitals or more, with digits: `IBC`, `ERC20`. */
function isAcronym(word: string): boolean {
  return /^[A-Z0-9]{2,}$/.test(word);
}

/** Coins as a list of `{denom, amount}`, or as the text of the command line. */
export function readCoins(value: unknown): readonly Coin[] | undefined {
  const parts: unknown = typeof value === 'string' ? value.split(',').map(readCoinText) : value;
  if (!Array.isArray(parts)) return undefined;
  const coins = parts.map(readCoin).filter((coin) => coin !== undefined);
  return coins.length === parts.length ? coins : undefined;
}

/** `{denom, amount}` with an amount of digits and nothing else. */
function readCoin(value: unknown): Coin | undefined {
  if (!isFields(value) || typeof value.denom !== 'string' || typeof value.amount !== 'string') return undefined;
  return /^\d+$/.test(value.amount) && Object.keys(value).length === 2
    ? { denom: value.denom, amount: BigInt(value.amount) }
    : undefined;
}

function readCoinText(text: string): unknown {
  const [, amount, denom] = /^\s*(\d+)\s*([a-zA-Z][\w/:.-]*)\s*$/.exec(text) ?? [];
  return { denom, amount };
}
