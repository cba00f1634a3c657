import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseBaseUrl } from '../../../../src/api/baseUrl.ts';
import { openNode } from '../../../../src/api/open.ts';
import { Searches } from '../../../../src/reads/search.ts';
import { Session } from '../../../../src/session/session.ts';
import { toSource } from '../../../../src/session/source.ts';
import { notImplemented } from '../../../support/chainReplies.ts';
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
    const chain = { proposals: 250, title: 'Number', denoms: ['uatom'], monikers: ['Anna'], status: 200, counts: true };
    const { url, requests, stop } = await startReplies(({ pathname, searchParams }) => {
      const { proposals, denoms, monikers, status, counts } = chain;
      const pageOf = <Row>(all: readonly Row[]) => {
        const from = Number(atob(searchParams.get('pagination.key') ?? '') || 0);
        const to = from + Number(searchParams.get('pagination.limit') ?? 100);
        const next_key = to < all.length ? btoa(`${to}`) : null;
        return { rows: all.slice(from, to), pagination: { next_key, total: counts ? `${all.length}` : '0' } };
      };
      if (pathname.endsWith('/bank/v1beta1/supply')) {
        const { rows, pagination } = pageOf(denoms.map((denom) => ({ denom, amount: '1' })));
        return { status, body: JSON.stringify({ supply: rows, pagination }) };
      }
      if (pathname.endsWith('/denoms_metadata')) {
        const metadatas = denoms.map((base) => ({
          base,
          display: base.slice(1),
          symbol: `${base.slice(1)}coin`,
          denom_units: [
            { denom: base, exponent: 0 },
            { denom: base.slice(1), exponent: 6 },
          ],
        }));
        return { body: JSON.stringify({ metadatas, pagination: { next_key: null } }) };
      }
      if (pathname.endsWith('/staking/v1beta1/validators')) {
        const { rows, pagination } = pageOf(
          monikers.map((moniker, at) => ({
            operator_address: `valoper${at}`,
            description: { moniker },
            status: 'BOND_STATUS_BONDED',
            tokens: '1',
          })),
        );
        return { body: JSON.stringify({ validators: rows, pagination }) };
      }
      if (!pathname.endsWith('/gov/v1/proposals')) return notImplemented;
      const wanted = searchParams.get('proposal_status');
      const isNone = wanted && !['2', 'PROPOSAL_STATUS_VOTING_PERIOD'].includes(wanted);
      const ids = Array.from({ length: isNone ? 0 : proposals }, (_, at) => at + 1);
      if (searchParams.get('pagination.reverse') === 'true') ids.reverse();
      const { rows, pagination } = pageOf(ids);
      const listed = rows.map((id) => {
        return { id: `${id}`, title: `${chain.title} ${id}`, messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD' };
      });
      return { body: JSON.stringify({ proposals: listed, pagination }) };
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
    const ofProposals = asked.filter((address) => address.includes('/proposals'));
    assert.deepEqual([found, failures, ofProposals.length], [['252'], 0, 1]);
    assert.match(ofProposals[0] ?? '', /reverse=true/);
    assert.deepEqual((await search('number')).found.length, 252);
  });

  it('asks for as many pages as have newer ones', async () => {
    const { chain, search } = await openSearch();
    await search('number');
    chain.proposals = 500;
    const { found, asked } = await search('number');
    const pages = asked.filter((address) => address.includes('/proposals'));
    assert.deepEqual([found.length, new Set(found).size, pages.length], [500, 500, 3]);
  });

  for (const counts of [true, false])
    it(`finds new denoms and validators at once, wherever they stand in their lists (counted: ${counts})`, async () => {
      const { chain, search } = await openSearch();
      chain.counts = counts;
      chain.denoms = Array.from({ length: 2500 }, (_, at) => `udenom${at}`);
      await search('uosmo');
      chain.denoms.splice(2100, 0, 'uosmo');
      chain.monikers.push('Berta');
      const { found, asked } = await search('uosmo');
      assert.deepEqual([found, (await search('berta')).found], [['uosmo'], ['valoper1']]);
      assert.equal(asked.filter((address) => address.includes('/bank/v1beta1/supply')).length, 3);
    });

  it('asks for one page of each list where nothing is new', async () => {
    const { chain, search } = await openSearch();
    chain.denoms = Array.from({ length: 2500 }, (_, at) => `udenom${at}`);
    await search('number');
    assert.equal((await search('number')).asked.length, 3);
  });

  it('finds a new denom by the symbol that the chain gives it', async () => {
    const { chain, session, search } = await openSearch();
    await session.lists.supply.loadUnits({ maxAge: wholeAge });
    assert.deepEqual((await search('osmocoin')).found, []);
    chain.denoms.push('uosmo');
    assert.deepEqual((await search('osmocoin')).found, ['uosmo']);
  });

  it('reads everything anew after ten minutes', async () => {
    const { chain, search } = await openSearch();
    await search('changed 7');
    chain.title = 'Changed';
    assert.deepEqual((await search('changed 7', wholeAge - 1)).found, []);
    assert.deepEqual((await search('changed 77')).found, ['77']);
  });

  it('reads everything anew once a list was read again', async () => {
    const { chain, session, search } = await openSearch();
    await search('changed 77');
    const { pager } = session.lists.supply;
    await pager.loadMore();
    chain.title = 'Changed';
    assert.deepEqual((await search('changed 77')).found, []);
    await pager.refresh();
    assert.deepEqual((await search('changed 77')).found, ['77']);
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
