import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mock } from 'node:test';
import { serve } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

describe('a question to a node that is silent', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('ends with an error 40 s after it was asked, though further requests are under way', async () => {
    const server = createServer(() => undefined);
    const { port, dispose: stop } = await serve(server);
    const [first, second] = [once(server, 'request'), Promise.withResolvers<void>()];
    const { ask, dispose } = startToolHost([`http://127.0.0.1:${port}`], undefined, 300);
    const answer = ask('get_supply', {}).then(String, String);
    await first;
    server.on('request', () => second.resolve());
    // The first one had no answer in its time.
    await second.promise;
    mock.timers.tick(35_000);
    mock.timers.tick(5000);
    assert.match(
      await answer,
      /127\.0\.0\.1:\d+ did not respond within 40 s\. Ask again later\. No other source is configured\./,
    );
    await Promise.all([dispose(), stop()]);
  });
});

describe('the advice of an error', () => {
  for (const [status, advice] of [
    [503, 'Ask again later.'],
    [401, 'The user must set an API key for this source.'],
    [500, 'Asking again will not help.'],
  ] as const)
    it(`is "${advice}" of a node that answers ${status}`, async () => {
      const { port, dispose: stop } = await serve(createServer((_request, reply) => reply.writeHead(status).end('{}')));
      const { ask, dispose } = startToolHost([`http://127.0.0.1:${port}`]);
      const said = await ask('get_supply', {}).then(String, String);
      assert.ok(said.includes(`${advice} No other source is configured.`), said);
      await Promise.all([dispose(), stop()]);
    });
});
