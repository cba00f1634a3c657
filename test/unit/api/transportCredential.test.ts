import { strict as assert } from 'node:assert';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { Client } from '../../../src/api/client.ts';
import { isApiError } from '../../../src/api/errors.ts';
import { DialectMemory } from '../../../src/api/rest/dialect.ts';
import { readSupply } from '../../../src/api/rest/supplyRequests.ts';
import { HttpTransport } from '../../../src/api/transport/transport.ts';
import type { Credential, RequestLine } from '../../../src/api/transport/transportTypes.ts';
import { type EchoServer, startEchoServer } from '../../support/servers.ts';

const secret = 'very-secret-value';

/** The beginning of each form that stands for ten characters of the secret. */
function beginningsOf(forms: readonly string[], value: string): readonly string[] {
  const parts = forms.map((form) => form.slice(0, (10 * form.length) / value.length));
  return parts.filter((part) => part !== 'x'.repeat(part.length));
}

describe('credentials and redirects', () => {
  let server: EchoServer;
  let other: EchoServer;
  const lines: RequestLine[] = [];
  let stored: Credential | undefined = { name: 'X-Api-Key', value: secret };

  before(async () => {
    other = await startEchoServer();
    server = await startEchoServer((request, response) => {
      const hops = Number(/hop=(\d)/.exec(request.url ?? '')?.[1] ?? 0);
      if (request.url === '/away') response.writeHead(307, { location: `${other.origin}/here?apikey=1` }).end();
      else if (request.url === '/denied')
        response.writeHead(403).end(`{"code":7,"message":"bad key ${secret}","details":[]}`);
      else if (request.url === '/page') response.writeHead(500).end(`<title>no ${secret}</title>`);
      else if (hops > 0) response.writeHead(302, { location: `/next?hop=${hops - 1}` }).end();
      else response.end(JSON.stringify({ url: request.url, headers: request.headers }));
    });
  });
  beforeEach(() => {
    stored = { name: 'X-Api-Key', value: secret };
    lines.length = 0;
  });
  after(() => Promise.all([server.dispose(), other.dispose()]));

  async function get(path: string, network = {}) {
    const transport = new HttpTransport({
      baseUrl: parseBaseUrl(server.origin),
      network,
      credential: async () => stored,
      onRequest: (line) => lines.push(line),
    });
    try {
      return JSON.parse((await transport.get(path)).text);
    } finally {
      await transport.dispose();
    }
  }

  for (const [route, network] of [
    ['pool', {}],
    ['fetch', { fetch }],
  ] as const) {
    it(`sends the header to its own origin, also after three redirects (${route})`, async () => {
      const echo = await get('/a?hop=3', network);
      assert.equal(echo.url, '/next?hop=0');
      assert.equal(echo.headers['x-api-key'], secret);
      assert.deepEqual(
        lines.map((line) => line.status),
        [302, 302, 302, 200],
      );
      await assert.rejects(get('/a?hop=4', network), /redirects more than 3 times/);
    });

    it(`sends it to no other origin (${route})`, async () => {
      const echo = await get('/away', network);
      assert.equal(echo.url, '/here?apikey=1');
      assert.equal(echo.headers['x-api-key'], undefined);
      assert.doesNotMatch(JSON.stringify(echo), new RegExp(secret));
      assert.match(lines[1]?.url ?? '', /\/here\?apikey=\*\*\*$/);
    });
  }

  it('reads it anew for each request', async () => {
    const transport = new HttpTransport({ baseUrl: parseBaseUrl(server.origin), credential: async () => stored });
    const seen = async (n: number) => JSON.parse((await transport.get(`/${n}`)).text).headers['x-api-key'];
    assert.equal(await seen(1), secret);
    stored = undefined;
    assert.equal(await seen(2), undefined);
    await transport.dispose();
  });

  it('never shows it, even where the server repeats it', async () => {
    const errors = [await get('/denied').catch(String), await get('/page').catch(String)];
    assert.match(errors[0], /HTTP 403: bad key \*\*\*/);
    assert.match(errors[1], /"no \*\*\*"/);
    assert.doesNotMatch(JSON.stringify(lines) + errors, new RegExp(secret));
  });

  it('hides it in every form in which the server repeats it', async () => {
    const value = 'k/"y&é+very-secret_value=1';
    const forms = formsOf(value);
    // Nothing speaks TLS there, which is an error with the address in it.
    const places = placesOf(`https://127.0.0.1:${other.port}`);
    const shown: string[] = [];
    let answer: (response: ServerResponse) => void = (response) => response.end();
    const echo = await startEchoServer((_request, response) => answer(response));
    for (const place of places) {
      for (const form of forms) {
        try {
          answer = place(form);
          const transport = new HttpTransport({
            baseUrl: parseBaseUrl(echo.origin),
            credential: async () => ({ name: 'authorization', value: `Bearer ${value}` }),
            onRequest: (line) => shown.push(JSON.stringify(line)),
          });
          const client = new Client(transport, new DialectMemory(), { href: echo.origin });
          client.memory.remember({ segment: 'cosmos' });
          const said: unknown = await readSupply(client, {}).catch((thrown: unknown) => thrown);
          const faults = said instanceof Error ? said.message : Object(said).info.faults[0].reason;
          assert.equal(typeof faults, 'string');
          shown.push(inspect(said, { depth: 9, showHidden: true }), faults);
          await transport.dispose();
        } catch (error) {
          // Headers cannot carry every form.
          assert.equal(Reflect.get(Object(error), 'code'), 'ERR_INVALID_CHAR');
        }
      }
    }
    await echo.dispose();
    assert.ok(shown.length > places.length * forms.length);
    for (const part of [...beginningsOf(forms, value), 'very-secret', 'very%2dsecret']) {
      const leak = shown.find((text) => text.toLowerCase().includes(part.toLowerCase()));
      assert.equal(leak, undefined, `${part} in ${leak}`);
    }
  });

  it('refuses a header that HTTP cannot carry, without repeating it', async () => {
    const bad: readonly Credential[] = [
      { name: 'X-Api-Key', value: `${secret}\r\nHost: evil` },
      { name: 'X-Api-Key', value: `${secret}→` },
      { name: 'bad name', value: secret },
      { name: 'Host', value: secret },
      { name: '', value: secret },
    ];
    const before = server.seen.length;
    for (const credential of bad) {
      stored = credential;
      await assert.rejects(
        get('/a'),
        (error: unknown) => isApiError(error) && error.kind === 'input' && !error.message.includes(secret),
      );
    }
    assert.equal(server.seen.length, before);
  });
});

/** The forms in which a server may write a secret. */
function formsOf(value: string): readonly string[] {
  const character = (format: (code: number) => string) =>
    [...Buffer.from(value, 'latin1')].map((code) => format(code)).join('');
  const hex = (code: number) => code.toString(16).padStart(2, '0');
  return [
    value,
    value.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    encodeURIComponent(value),
    encodeURIComponent(encodeURIComponent(value)),
    character((code) => `%${hex(code)}`),
    JSON.stringify(value).slice(1, -1),
    character((code) => `\\u00${hex(code)}`),
    character((code) => `&#${code};`),
    character((code) => `&#x${hex(code)};`),
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    Buffer.from(value).toString('base64'),
    Buffer.from(value, 'latin1').toString('base64url'),
    Buffer.from(`me:${value}`).toString('base64'),
    Buffer.from(`key ${value} end`).toString('base64'),
    // Cut by the server, or by us.
    value.slice(0, 20),
    `${'x'.repeat(180)}${value}`,
  ];
}

/** Answers with a text in each of their parts; `secureEcho` is where redirects lead. */
function placesOf(secureEcho: string): readonly ((form: string) => (response: ServerResponse) => void)[] {
  return [
    (form) => (response) => response.writeHead(403).end(`{"code":7,"message":${JSON.stringify(form)}}`),
    (form) => (response) => response.writeHead(403).end(`{"code":7,"message":"${form.replaceAll('"', '\\"')}"}`),
    (form) => (response) => response.writeHead(500).end(`<title>${form}</title>`),
    (form) => (response) => response.writeHead(500).end(form),
    (form) => (response) => response.writeHead(302, { location: `${secureEcho}/${form}` }).end(),
    (form) => (response) => response.writeHead(302, { location: `${secureEcho}/?a=${form}` }).end(),
    (form) => (response) => response.writeHead(302, { location: `gopher://${form}` }).end(),
    (form) => (response) => response.writeHead(301, { location: `/loop?${form}` }).end(),
    (form) => (response) => response.writeHead(200, { 'content-encoding': form.slice(0, 30) }).end('x'),
    (form) => (response) => response.writeHead(200).end(form),
    (form) => (response) => response.writeHead(200).end(JSON.stringify({ supply: form })),
    (form) => (response) => response.writeHead(200).end(JSON.stringify({ supply: [{ denom: 'a', amount: form }] })),
  ];
}
