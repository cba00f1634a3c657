import { strict as assert } from 'node:assert';
import { requestText } from '../../src/ui/report.ts';
import { activateExtension, type HostApi, settled, showSource, treeText } from '../support/hostApi.ts';
import { startEchoServer } from '../support/servers.ts';

describe('the log of requests', () => {
  let api: HostApi;
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    await showSource(api, undefined);
  });

  it('has one line for each request, with secrets masked', async () => {
    let calls = 0;
    const server = await startEchoServer((request, response) => {
      calls++;
      const { pathname } = new URL(request.url ?? '/', 'http://node');
      response.setHeader('content-type', 'application/json');
      if (calls === 1) {
        response.writeHead(503);
        response.end();
      } else if (!pathname.startsWith('/moved')) {
        response.writeHead(302, { location: `/moved${pathname}?api_key=S3CRET-77&limit=50` });
        response.end();
      } else response.end(JSON.stringify({ supply: [{ denom: 'stake', amount: '1' }], pagination: null }));
    });
    try {
      const { lists } = await showSource(api, server.origin);
      const { supply } = lists;
      await treeText(api.trees.supply);
      await settled(supply.pager);
      assert.equal(await treeText(api.trees.supply), 'stake | 1');
      // Requests behind the rows are answered later.
      const isOfSupply = (url = '') => url.includes('/bank/v1beta1/supply?');
      const lines = api.requests.lines
        .filter(({ url }) => url.startsWith(server.origin) && isOfSupply(url))
        .map((line) => requestText(line).replace(/\d+ ms/, 'n ms'));
      assert.equal(lines.length, server.seen.filter(({ url }) => isOfSupply(url)).length, lines.join('\n'));
      const first = `GET ${server.origin}/chain/bank/v1beta1/supply?pagination.limit=50&pagination.count_total=true`;
      assert.equal(lines[0], `${first} 503, 0 B, n ms`);
      assert.equal(lines[1], `${first} 302, 0 B, n ms, try 2`);
      assert.match(
        lines[2] ?? '',
        /^GET http:\S+\/moved\/chain\/bank\/v1beta1\/supply\?api_key=\*\*\*&limit=50 200, \d+ B, n ms, try 2$/,
      );
      assert.doesNotMatch(lines.join(), /S3CRET/);
    } finally {
      await server.dispose();
    }
  });
});
