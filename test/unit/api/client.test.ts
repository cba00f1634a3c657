import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { Client } from '../../../src/api/client.ts';
import { checkReply } from '../../../src/api/decode/readReply.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Reply } from '../../../src/api/replySchemas.ts';
import { DialectMemory } from '../../../src/api/rest/dialect.ts';
import { HttpTransport } from '../../../src/api/transport/transport.ts';
import type { Transport } from '../../../src/api/transport/transportTypes.ts';
import { startReplies } from '../../support/servers.ts';

describe('the client', () => {
  let service: Awaited<ReturnType<typeof startReplies>>;
  let client: Client;
  let transport: Transport;

  before(async () => {
    service = await startReplies((url, headers) => {
      const height = headers['x-cosmos-block-height'];
      const echo: Record<string, string> =
        typeof height === 'string' ? { 'grpc-metadata-x-cosmos-block-height': height } : {};
      const body = url.pathname.endsWith('/supply')
        ? {
            supply: [{ denom: 'ua', amount: '1' }],
            pagination: { next_key: 'dQ==', total: '0' },
            accept: headers.accept,
          }
        : { amount: { denom: 'ua', amount: '1' } };
      return { headers: echo, body: JSON.stringify(body) };
    });
    transport = new HttpTransport({ baseUrl: parseBaseUrl(`${service.url}/base/path`) });
    client = new Client(transport, new DialectMemory(), { href: `${service.url}/base/path` });
  });
  after(async () => {
    await transport.dispose();
    await service.stop();
  });

  it('escapes half a character of two, which a hostile node may name', async () => {
    await client.get('supplyOf', { segment: 'chain', params: { denom: 'a\ud800' } });
    assert.equal(service.requests.at(-1), '/base/path/chain/bank/v1beta1/supply/a%EF%BF%BD');
    await client.get('supply', { segment: 'chain', query: { key: 'a\ud800' } });
    assert.equal(service.requests.at(-1), '/base/path/chain/bank/v1beta1/supply?pagination.key=a%EF%BF%BD');
  });

  it('escapes path parts and query values', async () => {
    await client.get('supplyOf', { segment: 'chain', params: { denom: 'ibc/A+B%?#' } });
    assert.equal(service.requests.at(-1), '/base/path/chain/bank/v1beta1/supply/ibc%2FA%2BB%25%3F%23');
    await client.get('supply', { segment: 'cosmos', query: { key: 'AAAAAAAAA+A=', limit: '5' } });
    assert.equal(
      service.requests.at(-1),
      '/base/path/cosmos/bank/v1beta1/supply?pagination.key=AAAAAAAAA%2BA%3D&pagination.limit=5',
    );
  });

  it('names every query parameter of the contract as the wire does', () => {
    const query = {
      offset: '1',
      limit: '2',
      countTotal: 'true',
      reverse: 'true',
      status: 'PROPOSAL_STATUS_PASSED',
      voter: 'cosmos1v',
      depositor: 'cosmos1d',
    };
    const url = new URL(client.urlOf('proposals', { segment: 'chain', params: { form: 'v1beta1' }, query }));
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      'pagination.offset': '1',
      'pagination.limit': '2',
      'pagination.count_total': 'true',
      'pagination.reverse': 'true',
      proposal_status: 'PROPOSAL_STATUS_PASSED',
      voter: 'cosmos1v',
      depositor: 'cosmos1d',
    });
  });

  it('sends nothing that cannot be right', async () => {
    const before = service.requests.length;
    for (const denom of ['', '.', '..']) {
      await assert.rejects(client.get('supplyOf', { segment: 'chain', params: { denom } }), { kind: 'input' });
    }
    const both = { key: 'AA==', offset: '1' };
    await assert.rejects(client.get('supply', { segment: 'chain', query: both }), { kind: 'input' });
    assert.equal(service.requests.length, before);
  });

  it('keeps unknown fields, and gives height, time and size with the reply', async () => {
    const { reply, info } = await client.get('supply', { segment: 'chain', height: 77n });
    assert.equal(reply.accept, 'application/json');
    assert.equal(info.height, 77n);
    assert.ok(info.date instanceof Date);
    assert.equal(info.characters, JSON.stringify(reply).length);
  });
});

describe('a client with a height', () => {
  const height = 77n;
  const heights: (string | undefined)[] = [];
  /** The heights of requests for blocks and the version. */
  const others: (string | undefined)[] = [];
  let echo = '77';
  let refusal: { readonly status: number; readonly body: string } | undefined;
  let service: Awaited<ReturnType<typeof startReplies>>;
  let node: ChainNode;

  before(async () => {
    service = await startReplies(({ pathname }, headers) => {
      const isOfNode = pathname.includes('/base/');
      (isOfNode ? others : heights).push(headers['x-cosmos-block-height']?.toString());
      if (refusal) return refusal;
      const body = pathname.includes('/blocks/')
        ? { block: { header: { height: '900', time: '2026-03-01T00:00:00Z' } } }
        : { supply: [{ denom: 'ua', amount: '1' }], proposals: [], pagination: { next_key: null } };
      return { headers: { 'grpc-metadata-x-cosmos-block-height': echo }, body: JSON.stringify(body) };
    });
    node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos', height });
  });
  beforeEach(() => {
    heights.length = 0;
    others.length = 0;
    echo = '77';
    refusal = undefined;
  });
  after(async () => {
    await node.dispose();
    await service.stop();
  });

  it('reads all state at that height, whatever a walk over pages asks for, and blocks as they are', async () => {
    assert.equal((await node.supply({ limit: 5, height: 3n })).info.height, height);
    await node.proposals({}, { limit: 5 });
    await node.block('latest');
    assert.deepEqual([...new Set(heights)], ['77']);
    assert.deepEqual([...new Set(others)], [undefined]);
  });

  it('refuses an answer of another height, and one that does not tell its height', async () => {
    for (const other of ['78', '']) {
      echo = other;
      await assert.rejects(node.supply({ limit: 5 }), {
        kind: 'reply',
        code: 'height',
        message: /height 77.*archive node/,
      });
      await assert.rejects(node.proposals({}, { limit: 5 }), { kind: 'reply', code: 'height' });
    }
  });

  it('gives the words of a node that does not keep the height, and what to look for, after one request', async () => {
    for (const [status, code, message] of [
      [400, 3, 'failed to load state at height 77; no commit info found (latest height: 900): invalid request'],
      [500, 2, 'codespace sdk code 38: not found: failed to load state at height 77; version does not exist'],
    ] as const) {
      refusal = { status, body: JSON.stringify({ code, message, details: [] }) };
      heights.length = 0;
      await assert.rejects(node.supply({ limit: 5 }), (error: Error) => {
        assert.ok(error.message.includes(message) && /Use an archive node/.test(error.message), error.message);
        return true;
      });
      assert.deepEqual(heights, ['77']);
    }
  });
});

describe('a reply', () => {
  const url = 'http://node/cosmos/bank/v1beta1/supply';
  const coin = '{"denom":"ua","amount":"1"}';

  it('may hold its paging in any of the forms that nodes use', () => {
    for (const page of ['', ',"pagination":null', ',"pagination":{}', ',"pagination":{"next_key":"","total":null}']) {
      const reply: Reply<'supply'> = checkReply('supply', `{"supply":[${coin}]${page}}`, url);
      assert.equal(reply.supply.length, 1);
    }
  });

  const faults = [
    ['', 'the reply is empty'],
    ['  \n', 'the reply is empty'],
    ['<!DOCTYPE html><html></html>', 'the reply is a web page (HTML), not JSON'],
    ['{"supply":[{"denom":"ua"', 'the JSON in the reply is cut off'],
    ['upstream error', 'the reply is not JSON. It starts with "upstream error"'],
    ['null', 'unexpected reply: expected an object, got null'],
    ['[]', 'unexpected reply: expected an object, got an array'],
    ['{}', 'supply: expected an array, got nothing'],
    ['{"supply":null}', 'supply: expected an array, got null'],
    [`{"supply":[${coin}],"pagination":{"next_key":7}}`, 'pagination.next_key: expected a string, got a number'],
    [
      `{"supply":[${coin}],"pagination":{"next_key":"${'A'.repeat(4097)}"}}`,
      `pagination.next_key: expected a page key of at most 4096 characters, got "${'A'.repeat(40)}…"`,
    ],
    [`{"supply":[${coin}],"pagination":[]}`, 'pagination: expected an object, got an array'],
  ] as const;
  for (const [text, said] of faults) {
    it(`is refused: ${text.trim() || 'nothing'}`, () => {
      assert.throws(
        () => checkReply('supply', text, url),
        (error: Error) => {
          assert.ok(error.message.startsWith(`GET ${url}: ${said}`), error.message);
          return 'kind' in error && error.kind === 'reply';
        },
      );
    });
  }
});
