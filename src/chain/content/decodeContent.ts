import { type Content, type Fields, isFields, readContent, shortName, toForm, without } from './content.ts';
import { readMessage } from './message.ts';
import { type Break, fromBase64 } from './protobuf.ts';

/**
 * A content with all its fields as REST shows them: snake_case, 64-bit integers as strings, bytes as base64, contract
 * messages as JSON, `Any` with `@type`. Protobuf fields whose names are not known stand as `#number reading` (see
 * `UnknownFields`), bytes that make no sense as `#rest` (base64), text that is no base64 as `#base64`.
 */
export interface DecodedContent extends Content {
  /** How many protobuf fields could be told by number only. */
  readonly unnamed: number;
  /** Where protobuf bytes stopped making sense; the rest of them is in `fields`. */
  readonly broken: Break | undefined;
}

type Decoded = Pick<DecodedContent, 'fields' | 'unnamed' | 'broken'>;

/** Decodes what `readContent` left encoded; never throws, drops nothing. Loaded with the panel, not at activation. */
export function decodeContent(content: Content): DecodedContent {
  if (content.source !== 'protobuf') return decodeInside(content);
  const decoded = decode(content.raw);
  const { content: inner } = decoded.fields;
  if (content.carrier && isFields(inner)) {
    const carrier = { ...content.carrier, fields: without(decoded.fields, 'content') };
    return { ...content, ...decoded, fields: without(inner, '@type'), carrier };
  }
  // What the carrier holds is broken or too deep: it is shown as the message that it is.
  const typeUrl = content.carrier?.typeUrl ?? content.typeUrl;
  const isMsg = shortName(typeUrl).startsWith('Msg');
  return {
    ...content,
    ...decoded,
    typeUrl,
    carrier: undefined,
    ...(isMsg && { title: undefined, description: undefined }),
  };
}

/** JSON that carries a content in protobuf form. */
function decodeInside(content: Content): DecodedContent {
  const { content: inner } = toForm(content.raw).fields;
  const isEncoded = content.carrier && isFields(inner) && toForm(inner).source === 'protobuf';
  if (!isEncoded) return { ...content, unnamed: 0, broken: undefined };
  return { ...decodeContent(readContent(inner)), source: content.source, carrier: content.carrier, raw: content.raw };
}

function decode(raw: Fields): Decoded {
  const typeUrl = raw.type_url ?? raw.typeUrl;
  const others = without(raw, 'type_url', 'typeUrl', 'value');
  const { bytes, rest } = fromBase64(typeof raw.value === 'string' ? raw.value : '');
  const { fields, unnamed, broken } = readMessage(typeof typeUrl === 'string' ? typeUrl : '', bytes);
  if (!rest) return { fields: { ...fields, ...others }, unnamed, broken };
  return {
    fields: { ...fields, '#base64': rest, ...others },
    unnamed,
    broken: { offset: bytes.length, reason: 'base64' },
  };
}
