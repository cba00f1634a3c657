import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { isLocalAddress, lookupUnless } from '../../../src/api/transport/addresses.ts';
import { HttpTransport } from '../../../src/api/transport/transport.ts';
import type { NetworkOptions, RequestLine } from '../../../src/api/transport/transportTypes.ts';
import { caFile as authorityFile, certificate, type EchoServer, startEchoServer } from '../../support/servers.ts';
import { type ForwardProxyServer, startForwardProxy, startTinyproxy } from './proxies.ts';

// The name is the proxy's to resolve; 0.0.0.0 is this machine too, but not a loopback address.
const name = 'node.test';
const limits = { connect: 3000, headers: 3000, body: 3000, request: 6000 };

describe('proxies and certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const caFile = join(folder, 'ca.pem');
  let plain: EchoServer;
  let secure: EchoServer;
  let proxy: ForwardProxyServer;

  before(async () => {
    writeFileSync(caFile, `# a comment\n${readFileSync(authorityFile, 'utf8')}`);
    [plain, secure] = await Promise.all([startEchoServer(answer), startEchoServer(answer, certificate('node'))]);
  });
  beforeEach(async () => {
    proxy = await startForwardProxy();
  });
  afterEach(() => proxy.dispose());
  after(async () => {
    await Promise.all([plain.dispose(), secure.dispose()]);
    rmSync(folder, { recursive: true });
  });

  const settings = (more: NetworkOptions = {}): NetworkOptions => ({
    proxy: `http://127.0.0.1:${proxy.port}`,
    systemCertificates: false,
    caFile,
    ...more,
  });

  it('sends plain requests to the proxy with their whole address', async () => {
    const { text } = await get(`http://${name}:${plain.port}`, settings());
    assert.equal(JSON.parse(text).headers.host, `${name}:${plain.port}`);
    assert.match(proxy.heads[0] ?? '', new RegExp(`^GET http://${name}:${plain.port}/supply\\?a=b HTTP/1.1`));
  });

  it('tunnels requests over TLS', async () => {
    await get(`https://${name}:${secure.port}`, settings());
    assert.match(proxy.heads[0] ?? '', new RegExp(`^CONNECT ${name}:${secure.port} HTTP/1.1\r\nhost: ${name}`, 'i'));
  });

  it('speaks TLS to a proxy that wants it', async () => {
    const secureProxy = await startForwardProxy({ certificate: certificate('localhost') });
    const network = settings({ proxy: `https://localhost:${secureProxy.port}` });
    await get(`https://${name}:${secure.port}`, network);
    await get(`http://${name}:${plain.port}`, network);
    assert.equal(secureProxy.heads.length, 2);
    const wrong = settings({ proxy: `https://127.0.0.1:${secureProxy.port}` });
    await assert.rejects(
      get(`https://${name}:${secure.port}`, wrong),
      /the proxy 127\.0\.0\.1:\d+: its certificate is not for 127/,
    );
    await secureProxy.dispose();
  });

  it('gives user and password to the proxy and to nobody else', async () => {
    const closed = await startForwardProxy({ auth: 'me:p@ss' });
    const lines: RequestLine[] = [];
    const network = settings({ proxy: `http://me:p%40ss@127.0.0.1:${closed.port}` });
    for (const base of [`http://${name}:${plain.port}`, `https://${name}:${secure.port}`]) {
      const { text } = await get(base, network, lines);
      assert.doesNotMatch(text, /proxy-auth|cDpAc3M|p@ss/i);
    }
    const wrong = settings({ proxy: `http://me:wrong@127.0.0.1:${closed.port}` });
    const errors = await Promise.all([
      get(`http://${name}:${plain.port}`, wrong, lines).catch(String),
      get(`https://${name}:${secure.port}`, wrong, lines).catch(String),
    ]);
    assert.match(String(errors[0]), /HTTP 407.*The proxy requires a user name and password/);
    assert.match(String(errors[1]), /the proxy 127\.0\.0\.1:\d+ requires a user name and password \(HTTP 407\)/);
    assert.doesNotMatch(JSON.stringify([errors, lines]), /wrong|p@ss|p%40ss/);
    await closed.dispose();
  });

  it('says what a proxy refuses', async () => {
    const words: [number, RegExp][] = [
      [403, /does not allow connections to node\.test:\d+ \(HTTP 403\)/],
      [502, /could not reach node\.test:\d+ \(HTTP 502\)/],
    ];
    for (const [status, says] of words) {
      const refusing = await startForwardProxy({ status });
      const network = settings({ proxy: `http://127.0.0.1:${refusing.port}` });
      await assert.rejects(get(`https://${name}:${secure.port}`, network), says);
      assert.equal(refusing.heads.length, status === 502 ? 3 : 1);
      await refusing.dispose();
    }
    const dead = settings({ proxy: 'http://127.0.0.1:1' });
    await assert.rejects(get(`https://${name}:${secure.port}`, dead), /the proxy 127\.0\.0\.1:1 refuses connections/);
    const socks = settings({ proxy: 'socks5://127.0.0.1:1080' });
    await assert.rejects(get(`https://${name}:${secure.port}`, socks), /http\.proxy specifies a socks5 proxy/);
  });

  it('goes round the proxy for loopback, for exceptions, and where proxies are off', async () => {
    await get(plain.origin, settings());
    await get(secure.origin, settings());
    await get(`http://0.0.0.0:${plain.port}`, settings({ noProxy: ['0.0.0.0'] }));
    await get(`http://0.0.0.0:${plain.port}`, settings({ proxySupport: 'off' }));
    assert.equal(proxy.heads.length, 0);
    await get(`http://0.0.0.0:${plain.port}`, settings({ noProxy: ['example.com'] }));
    assert.equal(proxy.heads.length, 1);
  });

  it('trusts the CA file of the endpoint, and nobody it does not know', async () => {
    await get(secure.origin, { caFile });
    await assert.rejects(
      get(secure.origin, { systemCertificates: false }),
      /signed by an unknown authority \(Test CA\)/,
    );
    await get(secure.origin, { proxyStrictSSL: false });
    await assert.rejects(
      get(secure.origin, { caFile: join(folder, 'none.pem') }),
      /The CA file .*none\.pem.*cannot be read \(ENOENT\)/,
    );
    writeFileSync(join(folder, 'text.pem'), 'hello');
    await assert.rejects(get(secure.origin, { caFile: join(folder, 'text.pem') }), /contains no PEM certificate/);
    writeFileSync(join(folder, 'broken.pem'), readFileSync(authorityFile, 'utf8').replace(/\n.{20}/, '\n'));
    await assert.rejects(get(secure.origin, { caFile: join(folder, 'broken.pem') }), /contains an invalid certificate/);
  });

  it('trusts the authorities of the system', async function () {
    // Where OpenSSL's variables name the system's store; it is read once in a process, so another one must read it.
    if (process.platform !== 'linux') {
      this.skip();
      return;
    }
    const asked = async (certificates: string) => {
      const source = new URL('../../../src/api/transport/transport.ts', import.meta.url).href;
      const program = `const { HttpTransport } = await import(${JSON.stringify(source)});
        const transport = new HttpTransport({ baseUrl: { origin: '${secure.origin}', href: '${secure.origin}' } });
        const said = await transport.get('/a').then((reply) => String(reply.status), String);
        await transport.dispose();
        console.log(said);`;
      const env = { ...process.env, SSL_CERT_FILE: certificates, SSL_CERT_DIR: join(folder, 'none') };
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
      return stdout.trim();
    };
    assert.equal(await asked(caFile), '200');
    assert.match(await asked(join(folder, 'none.pem')), /signed by an unknown authority/);
  });

  describe('redirects into a private network', () => {
    const targets = [
      'http://127.0.0.1:PORT/x',
      'http://localhost:PORT/x',
      'http://a.localhost.:PORT/x',
      'http://[::1]:PORT/x',
      'http://[::ffff:127.0.0.1]:PORT/x',
      'http://0x7f000001:PORT/x',
      'http://0.0.0.0:PORT/x',
      'http://10.1.2.3/x',
      'http://172.31.0.1/x',
      'http://192.168.0.1/x',
      'http://100.64.0.1/x',
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00::1]/x',
      'http://[fe80::1]/x',
    ];
    let redirecting: EchoServer;
    before(async () => {
      redirecting = await startEchoServer((request, response) => {
        const to = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '';
        response.writeHead(302, { location: to }).end();
      });
    });
    after(() => redirecting.dispose());

    const follow = async (base: string, to: string, network: NetworkOptions) => {
      const transport = new HttpTransport({ baseUrl: parseBaseUrl(base), limits, network });
      try {
        return await transport.get(`/?to=${encodeURIComponent(to.replace('PORT', String(plain.port)))}`);
      } finally {
        await transport.dispose();
      }
    };

    it('are refused where they come from a public address', async () => {
      const before = plain.seen.length;
      for (const to of targets) {
        await assert.rejects(
          follow(`http://${name}:${redirecting.port}`, to, settings()),
          /HTTP 302\. It redirects to a private network address \(http:.*\)\. This redirect is not followed$/,
          to,
        );
      }
      assert.equal(plain.seen.length, before);
      const { text } = await follow(
        `http://${name}:${redirecting.port}`,
        `http://other.test:${plain.port}/x`,
        settings(),
      );
      assert.equal(JSON.parse(text).headers.host, `other.test:${plain.port}`);
    });

    it('are followed within one', async () => {
      for (const network of [{}, { fetch }]) {
        for (const to of ['http://127.0.0.1:PORT/x', 'http://localhost:PORT/x']) {
          assert.equal((await follow(redirecting.origin, to, network)).status, 200);
        }
      }
    });

    it('are refused to a link-local address from anywhere', async () => {
      const addresses = [
        '169.254.169.254',
        '2852039166',
        '[::ffff:169.254.169.254]',
        '[64:ff9b::a9fe:a9fe]',
        '[fe80::1]',
      ];
      for (const network of [{}, { fetch }])
        for (const address of addresses) {
          const to = `http://${address}/latest/meta-data/`;
          const refused =
            /HTTP 302\. It redirects to a link-local address \(http:.*\)\. This redirect is not followed$/;
          await assert.rejects(follow(redirecting.origin, to, network), refused, to);
        }
    });

    it('are refused to a name that resolves to a link-local address', async () => {
      const resolve = (host: string) => promisify(lookupUnless('linkLocal'))(host, {});
      for (const host of ['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254'])
        await assert.rejects(resolve(host), / resolves to a link-local address\. Connections to it are not allowed/);
      assert.match(String(await resolve('localhost')), /^(127\.0\.0\.1|::1)$/);
    });

    it('are refused for a name that resolves there', async function () {
      const local = hostname();
      const addresses = await lookup(local, { all: true }).catch(() => []);
      if (!addresses.some(({ address }) => isLocalAddress(address))) {
        console.log(`skipped: the name of this machine, ${local}, resolves to no private address`);
        this.skip();
        return;
      }
      // The proxy is asked for one name, the other one is resolved here.
      const network = settings({ noProxy: [local] });
      await assert.rejects(
        follow(`http://${name}:${redirecting.port}`, `http://${local}:${plain.port}/x`, network),
        new RegExp(`${local} resolves to a private network address\\. Connections to it are not allowed`),
      );
      const secondTry = follow(`http://${name}:${redirecting.port}`, `https://${local}:${secure.port}/x`, network);
      await assert.rejects(secondTry, / resolves to a private network address/);
    });
  });

  it('leaves no socket, timer or listener behind after 50 endpoints, whatever the route', async () => {
    const fetchAndClose: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...init?.headers, connection: 'close' } });
    const routes: readonly (readonly [string, NetworkOptions])[] = [
      [`http://${name}:${plain.port}`, settings()],
      [`https://${name}:${secure.port}`, settings()],
      [plain.origin, { fetch: fetchAndClose }],
      [secure.origin, { caFile, systemCertificates: false }],
    ];
    const sockets = () => plain.sockets() + secure.sockets() + proxy.sockets();
    const isQuiet = () => sockets() === 0;
    // Those of the tests before; and from here on Mocha's own timer runs.
    await until(isQuiet, () => `${sockets()} sockets of the tests before`);
    const before = resources();
    for (let round = 0; round < 50; round++) {
      const [base, network] = routes[round % routes.length] ?? ['', {}];
      const transport = new HttpTransport({ baseUrl: parseBaseUrl(base), network });
      const { signal } = new AbortController();
      await transport.get(`/a`, { signal });
      const pending = [transport.get(`/silent`, { signal }), transport.get(`/b`)];
      const results = Promise.allSettled(pending);
      await transport.dispose();
      for (const result of await results) {
        assert.ok(result.status === 'rejected' && result.reason.name === 'AbortError', base);
      }
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    }
    await until(
      () => isQuiet() && isWithin(before, resources()),
      () => `${sockets()} sockets, ${before} became ${resources()}`,
    );
  });

  it('reads the CA file again after it has been mended', async () => {
    const file = join(folder, 'later.pem');
    const transport = new HttpTransport({ baseUrl: parseBaseUrl(secure.origin), limits, network: { caFile: file } });
    await assert.rejects(transport.get('/a'), /cannot be read/);
    writeFileSync(file, readFileSync(authorityFile, 'utf8'));
    await transport.get('/a');
    await transport.dispose();
  });

  for (const auth of [undefined, { user: 'me', password: 'secret' }]) {
    it(`goes through tinyproxy${auth ? ' with a password' : ''}`, async function () {
      const tinyproxy = await startTinyproxy(auth);
      if (!tinyproxy) {
        this.skip();
        return;
      }
      const who = auth ? `${auth.user}:${auth.password}@` : '';
      const network = settings({ proxy: `http://${who}127.0.0.1:${tinyproxy.port}` });
      const { text } = await get(`http://0.0.0.0:${plain.port}`, network);
      assert.match(String(JSON.parse(text).headers.via), /tinyproxy/);
      await get(`https://0.0.0.0:${secure.port}`, network);
      await assert.rejects(
        get('https://0.0.0.0:1', network),
        /the proxy 127\.0\.0\.1:\d+ could not reach 0\.0\.0\.0:1 \(HTTP 5\d\d\)/,
      );
      await assert.rejects(get('http://0.0.0.0:1', network), /HTTP 5\d\d/);
      if (auth) {
        const without = settings({ proxy: `http://127.0.0.1:${tinyproxy.port}` });
        await assert.rejects(
          get(`https://0.0.0.0:${secure.port}`, without),
          /requires a user name and password \(HTTP 407\)/,
        );
      }
      await tinyproxy.dispose();
    });
  }
});

async function get(base: string, network: NetworkOptions, lines: RequestLine[] = []) {
  const transport = new HttpTransport({
    baseUrl: parseBaseUrl(base),
    limits,
    network,
    onRequest: (line) => lines.push(line),
  });
  try {
    return await transport.get(`/supply?a=b`);
  } finally {
    await transport.dispose();
  }
}

/** Echoes the headers, as the server does by itself, but never answers at `/silent`. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url !== '/silent') response.end(JSON.stringify({ url: request.url, headers: request.headers }));
}

/** Sockets, timers and the like that keep this process alive. */
function resources(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== 'Immediate');
}

/** Whether there are no more of any kind than before. */
function isWithin(before: readonly string[], now: readonly string[]): boolean {
  const count = (all: readonly string[], name: string) => all.filter((one) => one === name).length;
  return now.every((name) => count(now, name) <= count(before, name));
}

/** Waits for what only the other side of a socket knows. */
async function until(condition: () => boolean, state: () => string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(state());
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
