import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createMask, maskUrl } from '../../../src/api/masks.ts';
import { proxyFor } from '../../../src/api/transport/proxy.ts';
import { decodeBody, readRetryAfter, toHttpError } from '../../../src/api/transport/reply.ts';
import type { NetworkOptions } from '../../../src/api/transport/transportTypes.ts';
import { growth } from '../growth.ts';

const setProxy: NetworkOptions = { proxy: 'http://proxy:3128' };
const proxyEnv = {
  HTTPS_PROXY: 'http://secure:1',
  http_proxy: 'plain:2',
  NO_PROXY: '.inner.example, 10.0.0.0/8 ,[::5]',
};
/** Origin, settings of the editor, environment, and the proxy that is asked. */
const proxyCases: readonly (readonly [string, NetworkOptions, NodeJS.ProcessEnv, string | undefined])[] = [
  ['https://x.org', {}, {}, undefined],
  ['https://x.org', setProxy, proxyEnv, 'proxy:3128'],
  ['https://x.org', { proxy: '' }, proxyEnv, 'secure:1'],
  ['http://x.org', {}, proxyEnv, 'plain:2'],
  ['http://x.org', {}, { HTTPS_PROXY: 'http://secure:1' }, 'secure:1'],
  ['https://x.org', { proxy: 'proxy' }, {}, 'proxy:80'],
  ['https://x.org', { proxy: 'https://proxy' }, {}, 'proxy:443'],
  ['https://x.org', { ...setProxy, proxySupport: 'off' }, proxyEnv, undefined],
  ['http://localhost:1317', setProxy, {}, undefined],
  ['http://a.localhost', setProxy, {}, undefined],
  ['http://127.9.9.9', setProxy, {}, undefined],
  ['http://[::1]:80', setProxy, {}, undefined],
  ['http://[::ffff:127.0.0.1]', setProxy, {}, undefined],
  ['http://128.0.0.1', setProxy, {}, 'proxy:3128'],
  ['https://a.inner.example', setProxy, proxyEnv, undefined],
  ['https://inner.example', setProxy, proxyEnv, undefined],
  ['https://notinner.example', setProxy, proxyEnv, 'proxy:3128'],
  ['https://10.1.2.3', setProxy, proxyEnv, undefined],
  ['https://11.1.2.3', setProxy, proxyEnv, 'proxy:3128'],
  ['https://a.inner.example', { ...setProxy, noProxy: ['x.org'] }, proxyEnv, 'proxy:3128'],
  ['https://x.org', { ...setProxy, noProxy: ['X.org'] }, proxyEnv, undefined],
  ['https://x.org:8443', { ...setProxy, noProxy: ['x.org:443'] }, proxyEnv, 'proxy:3128'],
  ['https://x.org', { ...setProxy, noProxy: ['x.org:443'] }, proxyEnv, undefined],
  ['https://a.x.org', { ...setProxy, noProxy: ['*.x.org'] }, proxyEnv, undefined],
  ['https://x.org', { ...setProxy, noProxy: ['*'] }, proxyEnv, undefined],
  ['https://1.2.3.4', { ...setProxy, noProxy: ['1.2.3.4'] }, proxyEnv, undefined],
  ['https://[fd00::1]', { ...setProxy, noProxy: ['fd00::/8'] }, proxyEnv, undefined],
];

describe('parts of the transport', () => {
  it('are those that the entry of undici exports, under the paths that one file names', async () => {
    const { buildConnect, Pool } = await import('../../../src/api/transport/undiciParts.ts');
    const entry = await import('undici');
    assert.equal(Pool, entry.Pool);
    assert.equal(buildConnect, entry.buildConnector);
  });

  it('leave the global dispatcher of the process alone, unlike the entry of undici', async () => {
    // In a process of its own: other tests load undici whole.
    const program = `
      const dispatchers = () => Object.getOwnPropertySymbols(globalThis).filter(({ description }) => /undici/.test(description));
      await import(${JSON.stringify(new URL('../../../src/api/transport/routes.ts', import.meta.url).href)});
      const ours = dispatchers().length;
      await import('undici');
      console.log(ours, dispatchers().length);`;
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
    assert.match(stdout, /^0 [1-9]/);
  });

  it('hides what is secret in an address, and nothing else', () => {
    const cases: readonly (readonly [string, string])[] = [
      [
        'https://x.org/a?pagination.key=QUJD&pagination.limit=5',
        'https://x.org/a?pagination.key=QUJD&pagination.limit=5',
      ],
      ['https://me:pw@x.org/a', 'https://***@x.org/a'],
      ['https://x.org/a?api_key=1&b=2&TOKEN=3', 'https://x.org/a?api_key=***&b=2&TOKEN=***'],
      [
        'https://x.org/a?key=1&x-api-key=2&access_token=3&apikey=4',
        'https://x.org/a?key=***&x-api-key=***&access_token=***&apikey=***',
      ],
      ['https://x.org/a?%6bey=1&password=2&secret=a=b&auth', 'https://x.org/a?%6bey=***&password=***&secret=***&auth'],
      ['https://x.org/a@b?denom=factory/a/key', 'https://x.org/a@b?denom=factory/a/key'],
      ['https://x.org/a?%zz=1&monkey=2', 'https://x.org/a?%zz=1&monkey=2'],
    ];
    for (const [url, shown] of cases) assert.equal(maskUrl(url), shown);
  });

  it('reads both forms of Retry-After', () => {
    const now = Date.parse('Wed, 21 Oct 2015 07:28:00 GMT');
    const cases: readonly (readonly [string | undefined, number | undefined])[] = [
      [undefined, undefined],
      ['', undefined],
      ['120', 120_000],
      ['0', 0],
      ['1.5', 1500],
      ['-1', undefined],
      ['soon', undefined],
      ['Wed, 21 Oct 2015 07:28:30 GMT', 30_000],
      ['Wed, 21 Oct 2015 07:27:00 GMT', 0],
      ['7, 8', 7000],
      ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
      ['Sun Nov  6 08:49:37 1994', 0],
      ['may be 2099', undefined],
      ['Sunday', undefined],
      ['0x10', undefined],
      ['9'.repeat(400), 31_536_000_000],
      ['Wed, 21 Oct 9999 07:28:30 GMT', 31_536_000_000],
      [`${'9'.repeat(30_000)}x`, undefined],
    ];
    for (const [value, wait] of cases) assert.equal(readRetryAfter(value, now), wait, value);
  });

  it('undoes every compression that it asks for', async () => {
    const text = JSON.stringify({ supply: 'x'.repeat(5000), title: 'Größe 🙂' });
    const bytes = Buffer.from(`\ufeff${text}`);
    const cases: readonly (readonly [string | undefined, Buffer])[] = [
      [undefined, bytes],
      ['identity', bytes],
      ['gzip', gzipSync(bytes)],
      ['GZIP', gzipSync(bytes)],
      ['deflate', deflateSync(bytes)],
      ['deflate', deflateRawSync(bytes)],
      ['br', brotliCompressSync(bytes)],
      ['gzip, br', brotliCompressSync(gzipSync(bytes))],
    ];
    for (const [encoding, body] of cases) {
      const headers: Record<string, string> = encoding ? { 'content-encoding': encoding } : {};
      assert.equal(await decodeBody({ status: 200, headers, body, bytes: body.length }, 10_000), text, encoding);
    }
    const large = { status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync(bytes), bytes: 1 };
    await assert.rejects(decodeBody(large, 5000), /larger than/);
    const empty = { status: 200, headers: { 'content-encoding': 'gzip' }, body: Buffer.alloc(0), bytes: 0 };
    assert.equal(await decodeBody(empty, 5000), '');
  });

  it('finds the proxy as the editor does', () => {
    for (const [origin, network, environment, expected] of proxyCases) {
      const proxy = proxyFor(origin, network, environment);
      assert.equal(proxy?.peer.name.replace('the proxy ', ''), expected, `${origin} ${JSON.stringify(network)}`);
    }
  });

  it('takes the credential of a proxy, and refuses a proxy that it cannot ask', () => {
    assert.equal(proxyFor('https://x.org', { proxy: 'http://a:b%40@p' }, {})?.authorization, `Basic ${btoa('a:b@')}`);
    assert.throws(() => proxyFor('https://x.org', { proxy: 'socks5://p:1' }, {}), /socks5 proxy.*useEditorFetch/);
    assert.throws(() => proxyFor('https://x.org', { proxy: 'http://' }, {}), /not an address/);
  });

  it('say what a status without words means, and how long to wait, in full', () => {
    const textOf = (status: number, headers: Record<string, string> = {}, body = '') =>
      toHttpError('http://x.org/a', { status, headers, body: Buffer.alloc(0), bytes: 0 }, body).message;
    const cases: readonly (readonly [string, string])[] = [
      [textOf(503), 'HTTP 503. Service Unavailable'],
      [textOf(304), 'HTTP 304. Not Modified'],
      [textOf(520), 'HTTP 520. This is not a standard HTTP status. A proxy in front of the node may have sent it'],
      [textOf(999, {}, '<h1>Request denied</h1>'), 'HTTP 999. The response is not from the node: "Request denied"'],
      [
        textOf(503, { 'retry-after': '1' }, 'busy'),
        'HTTP 503. The response is not from the node: "busy". Retry after 1 second',
      ],
      [textOf(503, { 'retry-after': '90' }), 'HTTP 503. Service Unavailable. Retry after 90 seconds'],
      [textOf(503, { 'retry-after': '600' }), 'HTTP 503. Service Unavailable. Retry after 10 minutes'],
      [textOf(503, { 'retry-after': '5400' }), 'HTTP 503. Service Unavailable. Retry after 2 hours'],
      [textOf(503, { 'retry-after': '9'.repeat(99) }), 'HTTP 503. Service Unavailable. Retry after more than two days'],
      [textOf(503, { 'retry-after': '0' }), 'HTTP 503. Service Unavailable'],
      [textOf(500, {}, '{"code":2,"message":"","details":[]}'), 'HTTP 500'],
      [
        textOf(500, {}, `{"code":2,"message":"${'panic '.repeat(50_000)}"}`),
        `HTTP 500: ${'panic '.repeat(400).slice(0, 2000)}…`,
      ],
    ];
    for (const [text, expected] of cases) assert.equal(text.replace('GET http://x.org/a: ', ''), expected);
  });

  it('quote what a node says without the calls of Go that it prints between', () => {
    const calls = 'github.com/x/y.(*Z).Do\n\t/home/someone/go/pkg/mod/y.go:12\n'.repeat(60);
    const message = `failed to run handler, \n${calls}key: MaxValidators, err: 3.5 is no number`;
    const body = JSON.stringify({ code: 2, message, details: [] });
    const { nodeMessage } = toHttpError(
      'http://x.org/a',
      { status: 500, headers: {}, body: Buffer.alloc(0), bytes: 0 },
      body,
    );
    assert.equal(nodeMessage, 'failed to run handler, key: MaxValidators, err: 3.5 is no number');
  });

  it('take linear time for any page of an error', () => {
    const pieces = [
      '<title',
      '<title>',
      '<script',
      '<script>',
      '<',
      '<!--',
      '&',
      '&amp;',
      '\\u00',
      '%25',
      ' ',
      '\u200b',
    ];
    for (const piece of pieces) {
      const read = (size: number) => {
        const text = piece.repeat(Math.ceil(size / piece.length));
        const reply = { status: 500, headers: { 'retry-after': text }, body: Buffer.alloc(0), bytes: 0 };
        toHttpError('http://x.org', reply, createMask('a secret of some length')(text));
      };
      const factor = growth(read, 128 * 1024);
      assert.ok(factor < 3, `${JSON.stringify(piece)}: ${factor} times the time of eight texts of an eighth`);
    }
  });
});
