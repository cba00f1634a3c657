import { createServer, type IncomingMessage } from 'node:http';
import { serve } from '../servers.ts';
import { type Era, type EraRules, eraRules } from './eras.ts';
import { answerBank, answerGov } from './modules.ts';
import type { EnginePage } from './pagingEngines.ts';
import type { SimulatorState } from './simulatorState.ts';

/** Departures from what a node of the era usually does. */
export interface Quirks extends Partial<EraRules> {
  /** First path segment; `cosmos` where it is not said. */
  readonly segment?: string;
  /** Heights are ignored and not echoed, as behind some proxies. */
  readonly noHeights?: boolean;
  /** `node_info` is not offered. */
  readonly noNodeInfo?: boolean;
  /** Most bytes between gateway and application; larger answers are 429, code 8. */
  readonly maxMessage?: number;
  /** Every list gives this next key for ever. */
  readonly repeatedKey?: string;
}

/** Heights that a node keeps. */
const keptHeights = 100n;

export type SimulatedNode = Awaited<ReturnType<typeof startNode>>;

/**
 * A node of one SDK era on a free port of this machine (docs/nodes.md). `state` may be replaced; `requests` are
 * `GET /path?query`, in the order in which they came.
 */
export async function startNode(options: { era: Era; state: SimulatorState; quirks?: Quirks }) {
  const quirks = options.quirks ?? {};
  const rules: EraRules = { ...eraRules[options.era], ...quirks };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const reply = answer(rules, quirks, node.state, request);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.text);
  });
  const { port, sockets, dispose } = await serve(server);
  const url = `http://127.0.0.1:${port}`;
  const node = { url, requests, state: options.state, sockets, stop: dispose };
  return node;
}

function answer(rules: EraRules, quirks: Quirks, state: SimulatorState, request: IncomingMessage) {
  try {
    const height = readHeight(quirks, state, request.headers['x-cosmos-block-height']);
    const body = route(rules, quirks, state, request);
    const text = JSON.stringify(body, undefined, rules.indent);
    const bytes = Buffer.byteLength(text);
    if (quirks.maxMessage !== undefined && bytes > quirks.maxMessage) {
      throw new GatewayError(8, `grpc: received message larger than max (${bytes} vs. ${quirks.maxMessage})`);
    }
    const headers = quirks.noHeights ? {} : { 'grpc-metadata-x-cosmos-block-height': String(height) };
    return { status: 200, headers, text };
  } catch (error) {
    const known =
      error instanceof GatewayError ? error : new GatewayError(13, error instanceof Error ? error.message : '');
    const body = { code: known.code, message: known.message, details: [] };
    return { status: known.status, headers: {}, text: JSON.stringify(body) };
  }
}

function readHeight(quirks: Quirks, state: SimulatorState, header: string | string[] | undefined): bigint {
  if (quirks.noHeights || typeof header !== 'string') return state.height;
  const height = BigInt(header);
  if (height > state.height) {
    throw new GatewayError(
      2,
      'codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height',
    );
  }
  if (height < state.height - keptHeights) {
    throw new GatewayError(
      2,
      `codespace sdk code 18: invalid request: failed to load state at height ${height}; version does not exist (latest height: ${state.height})`,
    );
  }
  return height;
}

function route(rules: EraRules, quirks: Quirks, state: SimulatorState, request: IncomingMessage): unknown {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://node');
  // The gateway decodes before it splits: an escaped slash is a slash.
  const [, segment, module, ...rest] = decodeURIComponent(pathname).split('/');
  if (request.method !== 'GET' || segment !== (quirks.segment ?? 'cosmos')) throw notImplemented();
  const read = (): Record<string, unknown> => {
    if (module === 'bank' && rest[0] === 'v1beta1') return answerBank(rules, state, rest.slice(1), searchParams);
    if (module === 'gov') return answerGov(rules, state, rest, searchParams);
    const isNodeInfo = module === 'base' && rest.join('/') === 'tendermint/v1beta1/node_info';
    if (!isNodeInfo || quirks.noNodeInfo) throw notImplemented();
    return {
      default_node_info: { network: state.chainId },
      application_version: { app_name: 'simd', cosmos_sdk_version: rules.sdkVersion },
    };
  };
  const body = read();
  if (quirks.repeatedKey === undefined) return body;
  return { ...body, pagination: { next_key: quirks.repeatedKey, total: '0' } };
}

/** HTTP statuses of gRPC codes (docs/nodes.md#errors); 500 for all others. */
const statuses: Readonly<Partial<Record<number, number>>> = { 3: 400, 5: 404, 8: 429, 12: 501 };

/** An error as the REST gateway answers it. */
export class GatewayError extends Error {
  readonly code: number;
  readonly status: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
    this.status = statuses[code] ?? 500;
  }
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
