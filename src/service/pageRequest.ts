import { badParameter, GatewayError } from './gatewayError.ts';

/** A page as it was asked for (service.md section 2), checked. */
export interface PageRequest {
  /** Where to start, inclusive. */
  readonly key: Uint8Array | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

const defaultLimit = 100;

/**
 * Reads `pagination.*`, by the names of service.md or in camelCase; of a repeated parameter the first counts. An empty
 * value is an absent one. Without a limit, or with limit 0, the page has 100 rows and the total is counted
 * (contract-facts section 1). Throws `GatewayError` 400, code 3, saying which parameter.
 */
export function readPageRequest(query: URLSearchParams): PageRequest {
  const key = readKey(query.get('pagination.key') ?? '');
  const offset = readNumber(query, 'pagination.offset');
  const limit = readNumber(query, 'pagination.limit');
  const countTotal = readBoolean(query, 'pagination.count_total', 'pagination.countTotal');
  if (key && offset > 0) throw new GatewayError(3, 'invalid request, either offset or key is expected, got both');
  return {
    key,
    offset,
    limit: limit || defaultLimit,
    countTotal: !key && (countTotal || limit === 0),
    reverse: readBoolean(query, 'pagination.reverse'),
  };
}

/** Decimal digits up to 64 bits; beyond 2^53 nothing is ever counted, so the nearest number will do. */
function readNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  return Number(readUint64(text, name));
}

/** Throws `GatewayError` 400 where `text` is no decimal number of 64 bits. */
export function readUint64(text: string, name: string): bigint {
  const shown = JSON.stringify(text.slice(0, 80));
  if (!/^\d+$/.test(text)) throw badParameter(name, `strconv.ParseUint: parsing ${shown}: invalid syntax`);
  const value = text.length > 40 ? 2n ** 64n : BigInt(text);
  if (value >= 2n ** 64n) throw badParameter(name, `strconv.ParseUint: parsing ${shown}: value out of range`);
  return value;
}

/** The words of Go's `strconv.ParseBool`. */
function readBoolean(query: URLSearchParams, name: string, alias = name): boolean {
  const text = query.get(name) ?? query.get(alias) ?? '';
  if (text === '' || /^(0|f|F|false|False|FALSE)$/.test(text)) return false;
  if (/^(1|t|T|true|True|TRUE)$/.test(text)) return true;
  throw badParameter(name, `strconv.ParseBool: parsing ${JSON.stringify(text.slice(0, 80))}: invalid syntax`);
}

/** Base64, the standard alphabet or the URL one, padded. */
function readKey(text: string): Uint8Array | undefined {
  if (text === '') return undefined;
  const standard = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  const url = /^(?:[\w-]{4})*(?:[\w-]{2}==|[\w-]{3}=)?$/;
  if (standard.test(text) || url.test(text)) return Buffer.from(text, 'base64');
  const at = /[^A-Za-z0-9+/_-]/.exec(text)?.index ?? text.length;
  throw badParameter('pagination.key', `illegal base64 data at input byte ${at}`);
}
