import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseBaseUrl } from '../../../../src/api/baseUrl.ts';
import { openNode } from '../../../../src/api/open.ts';
import { Searches } from '../../../../src/session/search.ts';
import { Session } from '../../../../src/session/session.ts';
import { toSource } from '../../../../src/session/source.ts';
import { startReplies } from '../../../support/servers.ts';

const wholeAge = 600_000;

describe('a search of all pages that is asked again', () => {
  const ends: (() => Promise<void>)[] = [];
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
  afterEach(async () => {
    mock.timers.reset();
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A node whose proposals are all in voting, the newest first where that is asked for, and the denoms that it has. */
  async function start() {
    const chain = { proposals: 250, denoms: ['uatom'], status: 200 };
    const { url, requests, stop } = await startReplies(({ pathname, searchParams }) => {
      const { proposals, denoms, status } = chain;
      if (pathname.endsWith('/bank/v1beta1/supply')) {
        const supply = denoms.map((denom) => ({ denom, amount: '1' }));
        return { status, body: JSON.stringify({ supply, pagination: { next_key: null } }) };
      }
      if (!pathname.endsWith('/gov/v1/proposals')) return { status: 501, body: '{"code":12,"message":"none"}' };
      const wanted = searchParams.get('proposal_status');
      const isNone = wanted && !['2', 'PROPOSAL_STATUS_VOTING_PERIOD'].includes(wanted);
      const ids = Array.from({ length: isNone ? 0 : proposals }, (_, at) => at + 1);
      if (searchParams.get('pagination.reverse') === 'true') ids.reverse();
      const from = Number(atob(searchParams.get('pagination.key') ?? '') || 0);
      const to = from + Number(searchParams.get('pagination.limit') ?? 100);
      const rows = ids.slice(from, to).map((id) => {
        return { id: `${id}`, title: `Number ${id}`, messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD' };
      });
      const pagination = { next_key: to < ids.length ? btoa(`${to}`) : null, total: `${ids.length}` };
      return { body: JSON.stringify({ proposals: rows, pagination }) };
    });
    ends.push(stop);
    const node = openNode({ baseUrl: parseBaseUrl(url), segment: 'cosmos' });
    ends.push(() => node.dispose());
    return { chain, requests, url, open: async () => ({ node, notices: [], dispose: async () => {} }) };
  }

  /** `search` opens the box a while later, searches all pages, and gives what it found, failures and new requests. */
  async function openSearch(height?: string) {
    const { chain, requests, url, open } = await start();
    const source = toSource(url, new Map(), 'Test chain');
    assert.ok(source.kind === 'http');
    const session = new Session(height === undefined ? source : { ...source, at: { height } }, {
      open,
      pageSize: () => 50,
      knownUnits: async () => new Map(),
    });
    ends.push(() => session.dispose());
    const searches = new Searches((_, list, row) => list.keyOf(row));
    const search = async (text: string, later = 1) => {
      mock.timers.tick(later);
      const before = requests.length;
      const opened = new Date();
      const crawl = await searches.crawl(session, opened);
      await crawl.read(new AbortController().signal, () => undefined, opened);
      return { found: crawl.find(text), failures: crawl.failures.length, asked: requests.slice(before) };
    };
    return { chain, session, search };
  }

  it('asks for one page of the newest proposals, and finds them', async () => {
    const { chain, search } = await openSearch();
    assert.deepEqual((await search('number 252')).found, []);
    chain.proposals = 252;
    const { found, failures, asked } = await search('number 252');
    assert.deepEqual([found, failures, asked.length], [['252'], 0, 1]);
    assert.match(asked[0] ?? '', /\/proposals\?.*reverse=true/);
    assert.deepEqual((await search('number')).found.length, 252);
  });

  it('asks for as many pages as have newer ones', async () => {
    const { chain, search } = await openSearch();
    await search('number');
    chain.proposals = 500;
    const { found, asked } = await search('number');
    assert.deepEqual([found.length, new Set(found).size, asked.length], [500, 500, 3]);
  });

  it('reads everything anew after ten minutes', async () => {
    const { chain, search } = await openSearch();
    await search('uosmo');
    chain.denoms.push('uosmo');
    assert.deepEqual((await search('uosmo', wholeAge - 1)).found, []);
    assert.deepEqual((await search('uosmo')).found, ['uosmo']);
  });

  it('reads everything anew once a list was read again', async () => {
    const { chain, session, search } = await openSearch();
    await search('uosmo');
    const { pager } = session.stores.supply;
    await pager.loadMore();
    chain.denoms.push('uosmo');
    assert.deepEqual((await search('uosmo')).found, []);
    await pager.refresh();
    assert.deepEqual((await search('uosmo')).found, ['uosmo']);
  });

  it('reads everything anew where a list could not be read', async () => {
    const { chain, search } = await openSearch();
    chain.status = 403;
    const { found, failures } = await search('uatom');
    assert.deepEqual([found, failures > 0], [[], true]);
    chain.status = 200;
    assert.deepEqual((await search('uatom')).found, ['uatom']);
  });

  it('asks nothing of a block of the past', async () => {
    const { search } = await openSearch('7');
    await search('number');
    const { found, asked } = await search('number', 10 * wholeAge);
    assert.deepEqual([found.length, asked], [250, []]);
  });
});
