import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { notImplemented } from '../../support/chainReplies.ts';
import { type Served, serveText } from './serveText.ts';
import { smallState } from './smallState.ts';

/** Sends bytes as they are and returns all that comes back until the connection ends. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

describe('the server', () => {
  let served: Served;
  before(async () => {
    served = await serveText(smallState());
  });
  after(() => served.stop());

  /** A request with any method and headers. */
  async function ask(options: { method?: string; path?: string; headers?: Record<string, string>; body?: string }) {
    const { method = 'GET', path = '/chain/bank/v1beta1/supply/uatom', headers, body } = options;
    const sent = request({ host: '127.0.0.1', port: served.service.port, method, path, headers, agent: false });
    sent.end(body);
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, body: await text(response) };
  }

  it('answers under /chain and under /cosmos, nowhere else', async () => {
    const chain = await ask({});
    assert.equal(chain.status, 200);
    assert.deepEqual(await ask({ path: '/cosmos/bank/v1beta1/supply/uatom' }), chain);
    for (const path of [
      '/bank/v1beta1/supply',
      '/',
      '/Chain/bank/v1beta1/supply',
      '//chain/bank/v1beta1/supply',
      '/chains',
      '/chain//',
      '*',
    ])
      assert.deepEqual(await ask({ path }), notImplemented);
  });

  it('reads only: 501, code 12, for every other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const { status, body } = await ask({ method, ...(method.startsWith('P') ? { body: '{"x":1}' } : {}) });
      assert.deepEqual({ status, code: JSON.parse(body).code }, { status: 501, code: 12 }, method);
    }
    assert.deepEqual(await ask({ method: 'HEAD' }), { status: 501, body: '' });
  });

  it('refuses a foreign Host, and takes each of its own', async () => {
    const { port } = served.service;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      assert.equal((await ask({ headers: { host } })).status, 200, host);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `localhost.evil.example:${port}`,
    ]) {
      const { status, body } = await ask({ headers: { host } });
      assert.deepEqual({ status, code: JSON.parse(body).code }, { status: 403, code: 7 }, host);
    }
  });

  it('refuses an empty Host and none', async () => {
    for (const head of ['HTTP/1.1\r\nHost:\r\nConnection: close', 'HTTP/1.0'])
      assert.match(
        await sendRaw(served.service.port, `GET /chain/bank/v1beta1/supply ${head}\r\n\r\n`),
        /^HTTP\/1\.1 403 /,
      );
  });

  it('refuses any Origin but its own', async () => {
    const { port } = served.service;
    assert.equal((await ask({ headers: { origin: `http://127.0.0.1:${port}` } })).status, 200);
    for (const origin of [
      'null',
      'http://evil.example',
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      '',
      'vscode-webview://x',
    ])
      assert.equal((await ask({ headers: { origin } })).status, 403, origin);
  });

  it('lives on after requests that are no HTTP, too long or cut off', async () => {
    const { port } = served.service;
    const host = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`;
    assert.match(await sendRaw(port, 'hello\r\n\r\n'), /^HTTP\/1\.1 400 /);
    assert.match(await sendRaw(port, 'GET / HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /);
    assert.match(await sendRaw(port, `GET / HTTP/1.1\r\n${host}X: ${'y'.repeat(40_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
    assert.match(await sendRaw(port, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`), /^HTTP\/1\.1 431 /);
    assert.match(await sendRaw(port, `GET /chain/\x00 HTTP/1.1\r\n${host}\r\n`), /^HTTP\/1\.1 400 /);
    assert.match(
      await sendRaw(port, `GET /chain/bank/v1beta1/supply/%FF%FE HTTP/1.1\r\n${host}\r\n`),
      /^HTTP\/1\.1 400 [\s\S]*"code":3/,
    );
    const cut = connect(port, '127.0.0.1');
    cut.end('GET /chain/bank');
    await once(cut.resume(), 'close');
    assert.equal((await ask({})).status, 200);
  });

  it('answers the same URL the same again', async () => {
    const first = await served.ask('gov/v1beta1/proposals?pagination.limit=2');
    const second = await served.ask('gov/v1beta1/proposals?pagination.limit=2');
    assert.deepEqual(second.body, first.body);
  });

  it('closes at once, open connections included, and frees its port', async () => {
    const other = await serveText(smallState());
    const { port } = other.service;
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const closed = once(idle.resume(), 'close');
    await other.stop();
    await closed;
    const again = await serveText(smallState(), { port });
    assert.equal(again.service.port, port);
    await assert.rejects(serveText(smallState(), { port }), /Port \d+ is in use/);
    await again.stop();
  });
});
