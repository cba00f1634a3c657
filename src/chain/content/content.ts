import { fromBase64 } from './base64.ts';
import { readMessage } from './message.ts';
import type { Break } from './wire.ts';

/** What a proposal would do, as its chain said it: a legacy gov content, or a message. */
export interface Content {
  /** `/cosmos.gov.v1beta1.TextProposal`, or the amino name (`cosmos-sdk/TextProposal`); "" where the chain did not say. */
  readonly typeUrl: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /**
   * The fields as REST shows them (snake_case, numbers of 64 bits as strings), without `@type`. Protobuf fields whose
   * names are not known stand as `#number reading` (see `UnknownFields`), unreadable rests as `#rest` (base64), text that
   * is no base64 as `#base64`.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The form in which it came. */
  readonly source: 'json' | 'protobuf' | 'amino';
  /** How many protobuf fields could be told by number only. */
  readonly unnamed: number;
  /** Where protobuf bytes stopped making sense. */
  readonly broken: Break | undefined;
  /** The message that carried a legacy content (`MsgExecLegacyContent`), without that content. */
  readonly carrier: { readonly typeUrl: string; readonly fields: Readonly<Record<string, unknown>> } | undefined;
}

type Raw = Readonly<Record<string, unknown>>;

/**
 * Reads `{type_url, value}` (also `typeUrl`; base64 protobuf), `{"@type", …}` or amino `{type, value}`, the content
 * inside a MsgExecLegacyContent instead of it; never throws, drops nothing. contract-facts sections 3, 5 and 6.
 */
export function readContent(raw: unknown): Content {
  const outer = readOne(isRaw(raw) ? raw : {});
  const { content, ...rest } = outer.fields;
  if (shortName(outer.typeUrl) !== 'MsgExecLegacyContent' || !isRaw(content)) return outer;
  const inner = readOne(content);
  return {
    ...inner,
    source: outer.source,
    unnamed: outer.unnamed + inner.unnamed,
    broken: outer.broken ?? inner.broken,
    carrier: { typeUrl: outer.typeUrl, fields: rest },
  };
}

/** The last word of a type: `/a.b.v1.MsgSend` → `MsgSend`, amino `cosmos-sdk/MsgSend` → `MsgSend`. */
export function shortName(typeUrl: string): string {
  return typeUrl.slice(Math.max(typeUrl.lastIndexOf('.'), typeUrl.lastIndexOf('/')) + 1);
}

/** Whether a value is a JSON object. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readOne(raw: Raw): Content {
  const { '@type': typeUrl, ...fields } = raw;
  if (typeof typeUrl === 'string') return toContent(typeUrl, fields, 'json');
  const anyUrl = raw.type_url ?? raw.typeUrl;
  if (typeof anyUrl === 'string' && (typeof raw.value === 'string' || raw.value == null)) return readAny(anyUrl, raw);
  if (typeof raw.type === 'string' && isRaw(raw.value) && Object.keys(raw).length === 2) {
    return toContent(raw.type, raw.value, 'amino');
  }
  return toContent(typeof anyUrl === 'string' ? anyUrl : '', raw, 'json');
}

function readAny(typeUrl: string, raw: Raw): Content {
  const { type_url, typeUrl: camelUrl, value, ...others } = raw;
  const { bytes, rest } = fromBase64(typeof value === 'string' ? value : '');
  const { fields, unnamed, broken } = readMessage(typeUrl, bytes);
  const lost = rest ? { '#base64': rest } : {};
  const content = toContent(typeUrl, { ...fields, ...lost, ...others }, 'protobuf');
  return { ...content, unnamed, broken: rest ? { offset: bytes.length, reason: 'base64' } : broken };
}

function toContent(typeUrl: string, fields: Raw, source: Content['source']): Content {
  const isMsg = shortName(typeUrl).startsWith('Msg');
  const text = (value: unknown) => (typeof value === 'string' && !isMsg ? value : undefined);
  return {
    typeUrl,
    title: text(fields.title),
    description: text(fields.description),
    fields,
    source,
    unnamed: 0,
    broken: undefined,
    carrier: undefined,
  };
}
