import type { EnginePage } from './pagingEngines.ts';

/** An error as the REST gateway answers it: gRPC code to HTTP status as in contract-facts section 4. */
export class GatewayError extends Error {
  readonly code: number;
  readonly status: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
    this.status = statusOf(code);
  }
}

function statusOf(code: number): number {
  const known = new Map([
    [3, 400],
    [5, 404],
    [8, 429],
    [12, 501],
  ]);
  return known.get(code) ?? 500;
}

export const notImplemented = () => new GatewayError(12, 'Not Implemented');

/** `pagination.*` as the gateway reads it. */
export function readPage(query: URLSearchParams, knowsReverse: boolean): EnginePage {
  const limit = readUint(query.get('pagination.limit') ?? '0');
  const key = query.get('pagination.key');
  const page = {
    key: key ? readBase64(key) : undefined,
    offset: readUint(query.get('pagination.offset') ?? '0'),
    limit: limit === 0n ? 100n : limit,
    countTotal: limit === 0n || readBool(query.get('pagination.count_total') ?? 'false'),
    reverse: knowsReverse && readBool(query.get('pagination.reverse') ?? 'false'),
  };
  if (page.key && page.offset > 0n) {
    throw new GatewayError(13, 'invalid request, either offset or key is expected, got both');
  }
  return page;
}

function readUint(text: string): bigint {
  if (!/^\d+$/.test(text)) throw new GatewayError(3, `strconv.ParseUint: parsing "${text}": invalid syntax`);
  if (BigInt(text) >= 2n ** 64n) throw new GatewayError(3, `strconv.ParseUint: parsing "${text}": value out of range`);
  return BigInt(text);
}

function readBool(text: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw new GatewayError(3, `strconv.ParseBool: parsing "${text}": invalid syntax`);
}

function readBase64(text: string): Buffer {
  const wrong = text.search(/[^A-Za-z0-9+/=_-]/);
  if (wrong >= 0 || text.length % 4 !== 0) {
    throw new GatewayError(3, `illegal base64 data at input byte ${wrong < 0 ? text.length : wrong}`);
  }
  return Buffer.from(text, 'base64');
}
