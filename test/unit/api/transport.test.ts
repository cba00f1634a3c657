import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { isApiError, isHttpError } from '../../../src/api/errors.ts';
import { HttpTransport } from '../../../src/api/transport/transport.ts';
import type { RequestLine, Transport, TransportOptions } from '../../../src/api/transport/transportTypes.ts';
import { startFullListener } from '../../fixtures/faults/faultServer.ts';
import { startEchoServer } from '../../support/servers.ts';
import { timeWithoutStalls } from '../growth.ts';

/** Longer than a busy machine stands still. */
const limits = { connect: 20_000, headers: 20_000, body: 20_000, request: 20_000 };
type Answer = Parameters<typeof startEchoServer>[0];

describe('the transport', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function start(answer?: Answer, options: Partial<TransportOptions> = {}) {
    const server = await startEchoServer(answer);
    const lines: RequestLine[] = [];
    const onRequest = (line: RequestLine) => lines.push(line);
    const transport = new HttpTransport({ baseUrl: parseBaseUrl(server.origin), limits, onRequest, ...options });
    ends.push(
      () => server.dispose(),
      () => transport.dispose(),
    );
    return { server, transport, lines, url: (path: string) => server.origin + path };
  }

  it('asks for JSON and gives back status, headers and text', async () => {
    const { transport, url, lines } = await start();
    const reply = await transport.get('/a?b=c', { headers: { 'x-cosmos-block-height': '7' } });
    const echo = JSON.parse(reply.text);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json');
    assert.equal(echo.url, '/a?b=c');
    assert.equal(echo.headers.accept, 'application/json');
    assert.equal(echo.headers['x-cosmos-block-height'], '7');
    assert.equal(lines.length, 1);
    const { ms, ...line } = lines[0] ?? { ms: -1 };
    const answered = { status: 200, bytes: reply.text.length, attempt: 1, error: undefined, code: undefined };
    assert.deepEqual(line, { url: url('/a?b=c'), ...answered });
    assert.ok(ms >= 0);
  });

  it('keeps its connection, and opens at most four', async () => {
    let together = 0;
    let most = 0;
    const { server, transport } = await start((_request, response) => {
      most = Math.max(most, ++together);
      setTimeout(() => {
        together--;
        response.end('{}');
      }, 20);
    });
    for (let page = 0; page < 5; page++) await transport.get(`/${page}`);
    assert.equal(server.connections(), 1);
    await Promise.all(Array.from({ length: 25 }, (_, page) => transport.get(`/b${page}`)));
    assert.equal(most, 4);
    assert.equal(server.connections(), 4);
  });

  it('does not count the queue against any limit', async () => {
    // All of them take longer than one may; one alone is far from its limit, on a busy machine, too.
    const tight = { connect: 2000, headers: 2000, body: 2000, request: 2000 };
    const { transport } = await start((_request, response) => void setTimeout(() => response.end('{}'), 170), {
      limits: tight,
    });
    const started = performance.now();
    const replies = await Promise.all(Array.from({ length: 48 }, (_, page) => transport.get(`/${page}`)));
    assert.equal(replies.length, 48);
    assert.ok(performance.now() - started > tight.request);
  });

  it('sends a request once for all who ask, until the last of them leaves', async () => {
    const { server, transport } = await start((request, response) => {
      if (request.url !== '/slow') response.end('{}');
    });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = transport.get('/slow', { signal: one.signal });
    const second = transport.get('/slow', { signal: two.signal });
    await until(() => server.seen.length === 1);
    const [request] = server.seen;
    assert.ok(request);
    one.abort();
    await assert.rejects(first, { name: 'AbortError' });
    assert.equal(request.socket.destroyed, false);
    const closed = once(request.socket, 'close');
    two.abort();
    await assert.rejects(second, { name: 'AbortError' });
    await closed;
    assert.equal(server.seen.length, 1);
    const headers = { 'x-cosmos-block-height': '1' };
    await Promise.all([transport.get('/a'), transport.get('/a'), transport.get('/a', { headers })]);
    assert.equal(server.seen.length, 3);
  });

  it('asks again after a flight has ended', async () => {
    const { server, transport } = await start();
    const gone = new AbortController();
    const left = transport.get('/a', { signal: gone.signal });
    gone.abort();
    const again = transport.get('/a');
    await assert.rejects(left, { name: 'AbortError' });
    assert.equal((await again).status, 200);
    await transport.get('/a');
    assert.ok(server.seen.length >= 2);
  });

  it('ends at once when it is cancelled: before, queued, in headers, in the body, between tries', async () => {
    const { server, transport } = await start((request, response) => {
      if (request.url === '/body') response.writeHead(200, { 'content-length': 100 }).write('{');
      if (request.url === '/busy') response.writeHead(503, { 'retry-after': '9' }).end();
    });
    await assert.rejects(transport.get('/never', { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.equal(server.seen.length, 0);

    await cancelAfter(transport, '/busy', () => server.seen.some((request) => request.url === '/busy'), 100);
    await cancelAfter(transport, '/body', () => server.seen.some((request) => request.url === '/body'), 100);
    await cancelAfter(transport, '/headers', () => server.seen.some((request) => request.url === '/headers'));

    const stop = new AbortController();
    const busy = [1, 2, 3, 4].map((n) => transport.get(`/${n}`, { signal: stop.signal }).catch(() => undefined));
    await until(() => server.seen.some((request) => request.url === '/4'));
    await cancelAfter(transport, '/queued', () => true);
    assert.ok(!server.seen.some((request) => request.url === '/queued'));
    stop.abort();
    await Promise.all(busy);
    await until(() => server.sockets() === 0);
  });

  it('ends a connection that is being opened when nobody waits for it', async () => {
    const hole = await startFullListener(Buffer.alloc(0));
    const transport = new HttpTransport({ baseUrl: parseBaseUrl(hole.base), limits });
    const before = connecting();
    await cancelAfter(transport, '/a', () => connecting() > before);
    await until(() => connecting() <= before);
    await transport.dispose();
    await hole.dispose();
  });

  it('tries again what passes, and no more than three times', async () => {
    let failures = 2;
    const { server, transport, lines } = await start((_request, response) => {
      response.statusCode = failures-- > 0 ? 503 : 200;
      response.end('{"ok":true}');
    });
    assert.equal((await transport.get('/a')).text, '{"ok":true}');
    assert.deepEqual(
      lines.map((line) => [line.attempt, line.status]),
      [
        [1, 503],
        [2, 503],
        [3, 200],
      ],
    );
    failures = 9;
    await assert.rejects(transport.get('/b'), (error: unknown) => isHttpError(error) && error.status === 503);
    assert.equal(server.seen.length, 6);
  });

  it('does not mind that the server has dropped a kept connection', async () => {
    const { server, transport } = await start((request, response) => {
      response.end('{}');
      if (request.url === '/last') response.once('finish', () => request.socket.destroy());
    });
    for (let round = 0; round < 5; round++) {
      await transport.get('/last');
      assert.equal((await transport.get('/next')).status, 200);
    }
    assert.ok(server.connections() >= 5);
  });

  it('waits as long as it is asked to, but not beyond the deadline', async () => {
    let asked = 1;
    const { server, transport } = await start((request, response) => {
      if (request.url === '/long') response.writeHead(429, { 'retry-after': '61' }).end();
      else response.writeHead(asked-- > 0 ? 429 : 200, { 'retry-after': '1' }).end('{}');
    });
    const start1 = performance.now();
    await transport.get('/short');
    assert.ok(performance.now() - start1 >= 990);
    const isLong = (error: unknown) => isHttpError(error) && error.retryAfter === 61_000;
    assert.ok((await timeWithoutStalls(() => assert.rejects(transport.get('/long'), isLong))) < 500);
    assert.equal(server.seen.length, 3);
  });

  it('asks an endpoint that is down once for each request, until it answers', async () => {
    let down = true;
    const { server, transport } = await start((_request, response) => {
      response.statusCode = down ? 503 : 200;
      response.end('{}');
    });
    await assert.rejects(transport.get('/a'), /HTTP 503/);
    assert.equal(server.seen.length, 3);
    await assert.rejects(transport.get('/b'), /HTTP 503/);
    await assert.rejects(transport.get('/c'), /HTTP 503/);
    assert.equal(server.seen.length, 5);
    down = false;
    assert.equal((await transport.get('/a')).status, 200);
    down = true;
    await assert.rejects(transport.get('/a'), /HTTP 503/);
    assert.equal(server.seen.length, 9, 'three tries again after an answer');
  });

  it('refuses what is no path below its base URL before anything is sent', async () => {
    const { server, transport } = await start();
    const other = `${server.origin.replace('http://', 'http://a:secret@')}/x?token=secret`;
    for (const address of ['http://127.0.0.1:1/a', other, '@evil.example/', 'a', '']) {
      await assert.rejects(transport.get(address), (error: unknown) => {
        return isApiError(error) && error.kind === 'input' && !error.message.includes('secret');
      });
    }
    await assert.rejects(transport.get('/with space'), (error: unknown) => isApiError(error) && error.kind === 'input');
    assert.equal(server.seen.length, 0);
    assert.throws(() => new HttpTransport({ baseUrl: parseBaseUrl('ftp://x') }), /must start with/);
  });

  it('ends everything when it is disposed', async () => {
    const { server, transport } = await start((request, response) => {
      if (request.url === '/quick') response.end('{}');
    });
    await transport.get('/quick');
    const pending = [1, 2, 3, 4, 5, 6].map((n) => transport.get(`/${n}`));
    const results = Promise.allSettled(pending);
    await until(() => server.seen.length === 5);
    await transport.dispose();
    for (const result of await results) {
      assert.ok(result.status === 'rejected' && result.reason.name === 'AbortError');
    }
    await until(() => server.sockets() === 0);
    await assert.rejects(transport.get('/quick'), { name: 'AbortError' });
    await transport.dispose();
    assert.equal(server.seen.length, 5);
  });

  it('leaves no socket, timer or listener behind, however often it is opened and closed', async () => {
    const { server } = await start((request, response) => {
      if (request.url !== '/never') response.end('{}');
    });
    const before = resources();
    for (let round = 0; round < 50; round++) {
      const transport = new HttpTransport({ baseUrl: parseBaseUrl(server.origin), limits });
      await transport.get('/a');
      const pending = transport.get('/never');
      pending.catch(() => undefined);
      await transport.dispose();
      await assert.rejects(pending, { name: 'AbortError' });
    }
    await until(() => server.sockets() === 0);
    await until(() => resources() === before);
  });

  it('holds no more than the limit of a reply that never ends', async () => {
    const piece = Buffer.alloc(1 << 20, 32);
    let sent = 0;
    const { transport } = await start((_request, response) => {
      const more = () => {
        while (!response.destroyed && sent < 1024) {
          sent++;
          if (!response.write(piece)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const before = process.memoryUsage().rss;
    await assert.rejects(transport.get('/1gb'), /the reply is larger than 32 MiB/);
    const grown = (process.memoryUsage().rss - before) / (1 << 20);
    assert.ok(sent < 100, `${sent} MiB were sent`);
    assert.ok(grown < 200, `${grown} MiB`);
  });
});

/** Starts a request, cancels it once `ready`, and expects it to end within 100 ms. */
async function cancelAfter(transport: Transport, path: string, ready: () => boolean, more = 0): Promise<void> {
  const control = new AbortController();
  const result = transport.get(path, { signal: control.signal });
  result.catch(() => undefined);
  await until(ready);
  if (more > 0) await new Promise((resolve) => setTimeout(resolve, more));
  const time = await timeWithoutStalls(() => {
    control.abort(new Error('a reason of its own'));
    return assert.rejects(result, { name: 'AbortError' });
  });
  assert.ok(time < 100, `${time} ms`);
}

/** Sockets, timers and the like that keep this process alive. */
function resources(): string {
  const names = process.getActiveResourcesInfo().filter((name) => name !== 'Immediate');
  return names.sort().join();
}

function connecting(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap' || name === 'TCPConnectWrap')
    .length;
}

/** Asks until something is so that only the other side of a socket can tell. */
async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`never: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
