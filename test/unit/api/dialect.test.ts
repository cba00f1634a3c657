import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { HttpError, isAbort, UnreachableError } from '../../../src/api/errors.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { type NodeOptions, openNode, openNodeOver } from '../../../src/api/open.ts';
import { readSdkVersion, reversesExactly, type StoredTraits } from '../../../src/api/rest/dialect.ts';
import type { TransportOptions, TransportReply } from '../../../src/api/transport/transportTypes.ts';
import type { Era } from '../../fixtures/nodeSimulator/eras.ts';
import { type Quirks, type SimulatedNode, startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal } from '../../fixtures/nodeSimulator/simulatorState.ts';
import { chainReplies, json, notImplemented, refusal } from '../../support/chainReplies.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';
import { idsOf, readAllProposals } from './allRows.ts';

const passed = 'passed' as const;

function stateWith(ids: number) {
  const proposals = Array.from({ length: ids }, (_, at) => textProposal(BigInt(at + 1), 3 + (at % 3)));
  return { chainId: 'sim-1', height: 900n, coins: sampleCoins(40), proposals };
}

/** As a node's facts are kept between runs. */
function factsOf(segment: string, foundAt = Date.now()): StoredTraits {
  return { segment: { value: segment, foundAt } };
}

describe('the dialect of a node', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  function open(options: NodeOptions & TransportOptions): ChainNode {
    const node = openNode(options);
    ends.push(() => node.dispose());
    return node;
  }

  async function simulate(era: Era, quirks: Quirks = {}, ids = 30): Promise<SimulatedNode> {
    const simulated = await startNode({ era, state: stateWith(ids), quirks });
    ends.push(() => simulated.stop());
    return simulated;
  }

  async function serve(reply: (url: URL) => FixedReply) {
    const service = await startReplies(reply);
    ends.push(() => service.stop());
    return service;
  }

  describe('path segment', () => {
    it('is chain, else cosmos, and is found once, however many ask at once', async () => {
      const simulated = await simulate('0.53');
      const node = open({ baseUrl: parseBaseUrl(simulated.url) });
      await Promise.all([node.supply({ limit: 1 }), node.supply({ limit: 2 }), node.supply({ limit: 3 })]);
      const chain = simulated.requests.filter((request) => request.startsWith('GET /chain/'));
      assert.equal(chain.length, 1);
      assert.equal(simulated.requests.length, 4);
      assert.equal(node.dialect.segment, 'cosmos');
    });

    it('chain costs no second request', async () => {
      const simulated = await simulate('0.53', { segment: 'chain' });
      const node = open({ baseUrl: parseBaseUrl(simulated.url) });
      await node.supply({ limit: 1 });
      assert.deepEqual(simulated.requests, ['GET /chain/bank/v1beta1/supply?pagination.limit=1']);
    });

    it('is what the setting names, or the base URL was pasted with', async () => {
      const simulated = await simulate('0.53');
      await open({ baseUrl: parseBaseUrl(simulated.url), segment: 'cosmos' }).supply({ limit: 1 });
      await open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos/`) }).supply({ limit: 1 });
      await open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos/bank/v1beta1/supply?pagination.limit=5`) }).supply({
        limit: 1,
      });
      assert.deepEqual(new Set(simulated.requests), new Set(['GET /cosmos/bank/v1beta1/supply?pagination.limit=1']));
    });

    it('is found behind a site that answers everything with a web page', async () => {
      const service = await serve((url) =>
        url.pathname.startsWith('/cosmos/')
          ? { body: '{"supply":[],"pagination":null}' }
          : { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Hello</title>' },
      );
      const node = open({ baseUrl: parseBaseUrl(service.url) });
      assert.deepEqual((await node.supply({})).rows, []);
      assert.equal(node.dialect.segment, 'cosmos');
    });

    it('says in one sentence that neither is there', async () => {
      const service = await serve(() => ({
        status: 404,
        headers: { 'content-type': 'text/plain' },
        body: '404 page not found',
      }));
      const node = open({ baseUrl: parseBaseUrl(service.url) });
      await assert.rejects(node.supply({}), { status: 404, message: /Neither \/chain nor \/cosmos responds here/ });
    });

    it('is known from the refusal of a node, too', async () => {
      const simulated = await simulate('0.53');
      const node = open({ baseUrl: parseBaseUrl(simulated.url) });
      await assert.rejects(node.proposal(999n), { status: 404, grpcCode: 5 });
      assert.equal(node.dialect.segment, 'cosmos');
    });

    it('is found by others when the first who asked is cancelled, and each can cancel', async () => {
      const simulated = await simulate('0.53');
      const node = open({ baseUrl: parseBaseUrl(simulated.url) });
      const first = new AbortController();
      const second = new AbortController();
      const asked = [
        node.supply({ limit: 1 }, first.signal),
        node.supply({ limit: 2 }, second.signal),
        node.supply({ limit: 3 }),
      ];
      first.abort();
      second.abort();
      const [one, two, three] = await Promise.allSettled(asked);
      assert.ok(one?.status === 'rejected' && isAbort(one.reason));
      assert.ok(two?.status === 'rejected' && isAbort(two.reason));
      assert.ok(three?.status === 'fulfilled' && three.value.rows.length === 3);
    });

    it('is not looked for elsewhere when nobody answers', async () => {
      const service = await startReplies(() => notImplemented);
      await service.stop();
      await assert.rejects(open({ baseUrl: parseBaseUrl(service.url) }).supply({}), {
        kind: 'unreachable',
        code: 'ECONNREFUSED',
      });
    });
  });

  describe('supply of one denom', () => {
    it('is asked for in the known form from the second time on', async () => {
      for (const [era, form] of [
        ['0.45', 'path'],
        ['0.47', 'byDenom'],
      ] as const) {
        const simulated = await simulate(era);
        const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
        await node.supplyOf('utoken0');
        simulated.requests.length = 0;
        await node.supplyOf('utoken4');
        assert.equal(simulated.requests.length, 1);
        assert.equal(node.dialect.supplyOf, form);
      }
    });

    it('goes to the list for slashes on nodes that split the path', async () => {
      const simulated = await simulate('0.45');
      const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
      const [, ibc] = simulated.state.coins;
      assert.equal((await node.supplyOf(ibc?.denom ?? '')).amount, ibc?.amount);
      await node.supplyOf('utoken0');
      simulated.requests.length = 0;
      await node.supplyOf(ibc?.denom ?? '');
      assert.equal(simulated.requests.length, 1);
      assert.match(simulated.requests[0] ?? '', /supply\?pagination.key=/);
    });

    it('is asked for in the other form where a node that is not known yet refuses one, and is refused where it refuses both', async () => {
      const service = await serve(({ pathname, searchParams }) => {
        if (pathname.endsWith('/supply/by_denom') && searchParams.get('denom') === 'ua')
          return json({ amount: { denom: 'ua', amount: '7' } });
        return pathname.includes('/supply/') ? refusal(400, 3, 'invalid denom') : notImplemented;
      });
      const node = open({ baseUrl: parseBaseUrl(`${service.url}/cosmos`) });
      await assert.rejects(node.supplyOf('ub'), { status: 400, message: /invalid denom/ });
      assert.deepEqual(
        service.requests.splice(0).map((path) => path.replace(/.*\/supply/, '')),
        ['/ub', '/by_denom?denom=ub'],
      );
      assert.equal((await node.supplyOf('ua')).amount, 7n);
      assert.equal(node.dialect.supplyOf, 'byDenom');
    });

    it('goes to the list alone where neither other form is there', async () => {
      const service = await serve((url) =>
        url.pathname.endsWith('/supply')
          ? { body: '{"supply":[{"denom":"ua","amount":"1"}],"pagination":{"next_key":null,"total":"0"}}' }
          : notImplemented,
      );
      const node = open({ baseUrl: parseBaseUrl(`${service.url}/cosmos`) });
      for (const count of [3, 4, 5]) {
        assert.equal((await node.supplyOf('ua')).amount, 1n);
        assert.equal(service.requests.length, count);
      }
      assert.equal(node.dialect.supplyOf, 'list');
    });

    it('is never the amount of another denom', async () => {
      const simulated = await simulate('0.45', { denoms: /^[a-z_/]/ });
      simulated.state = {
        ...simulated.state,
        coins: [
          { denom: 'by_denom', amount: 9n },
          { denom: 'ibc/A', amount: 4n },
        ],
      };
      const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
      assert.deepEqual({ ...(await node.supplyOf('ibc/A')) }, { denom: 'ibc/A', amount: 4n });
      assert.deepEqual({ ...(await node.supplyOf('ibc/B')) }, { denom: 'ibc/B', amount: 0n });
    });

    it('is no 0 when it could not be asked', async () => {
      const deaf = await serve((url) =>
        url.pathname.endsWith('/supply')
          ? { body: '{"supply":[{"denom":"ua","amount":"1"}],"pagination":{"next_key":"dWI=","total":"0"}}' }
          : notImplemented,
      );
      await assert.rejects(open({ baseUrl: parseBaseUrl(deaf.url) }).supplyOf('uz'), {
        kind: 'reply',
        message: /the node ignores the page key/,
      });
      const bare = await serve((url) =>
        url.pathname.includes('/gov/') ? { body: '{"proposals":[]}' } : notImplemented,
      );
      await assert.rejects(open({ baseUrl: parseBaseUrl(bare.url) }).supplyOf('uz'), { kind: 'http', status: 501 });
    });

    for (const [version, path] of [
      ['v0.45.16', '/supply/ua'],
      ['v0.46.0', '/supply/by_denom?denom=ua'],
    ] as const)
      it(`is asked for once in the form of a known version: ${version}`, async () => {
        const supply = [{ denom: 'ua', amount: '7' }];
        const paths = { '/cosmos/bank/v1beta1/supply/by_denom': { amount: supply[0] } };
        const service = await serve(chainReplies({ chainId: 'sim-1', sdkVersion: version, supply, paths }));
        const node = open({ baseUrl: parseBaseUrl(`${service.url}/cosmos`) });
        await node.nodeInfo();
        service.requests.length = 0;
        assert.equal((await node.supplyOf('ua')).amount, 7n);
        assert.deepEqual(service.requests, [`/cosmos/bank/v1beta1${path}`]);
      });

    it('is refused for an invalid denom in the words of the node', async () => {
      const simulated = await simulate('0.53');
      await assert.rejects(open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) }).supplyOf('x'), {
        status: 400,
        nodeMessage: 'invalid denom: x',
      });
    });
  });

  describe('form of gov', () => {
    const inForm = {
      v1: { id: '7', messages: [], status: 'PROPOSAL_STATUS_PASSED', title: 'T', summary: 'S' },
      v1beta1: { proposal_id: '7', content: null, status: 'PROPOSAL_STATUS_PASSED' },
    };

    for (const [known, other, later] of [
      ['v1beta1', 'v1', 'v1'],
      ['v1', 'v1beta1', 'v1'],
    ] as const)
      it(`${known} whose node fails at a proposal gives way to ${other}, and ${later} is asked for from then on`, async () => {
        const service = await serve(({ pathname }) => {
          if (pathname.endsWith(`/gov/${known}/proposals/7`)) return refusal(500, 13, "can't convert the proposal");
          return pathname.endsWith(`/gov/${other}/proposals/7`) ? json({ proposal: inForm[other] }) : notImplemented;
        });
        const remembered = { ...factsOf('cosmos'), gov: { value: known, foundAt: Date.now() } };
        const node = open({ baseUrl: parseBaseUrl(service.url), remembered });
        const row = await node.proposal(7n);
        assert.equal(row.kind === 'proposal' && row.form, other);
        assert.equal(node.dialect.gov, later);
      });
  });

  describe('statuses', () => {
    it('go by number where the node refuses names, and stay so', async () => {
      const simulated = await simulate('0.47');
      const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
      await node.proposals({ status: passed }, { limit: 5 });
      simulated.requests.length = 0;
      assert.equal((await node.proposals({ status: passed }, { limit: 5 })).rows.length, 5);
      assert.deepEqual(simulated.requests, ['GET /cosmos/gov/v1/proposals?pagination.limit=5&proposal_status=3']);
    });

    it('that nobody knows come through as they are', async () => {
      const simulated = await simulate('0.53');
      simulated.state = { ...simulated.state, proposals: [textProposal(4n, 7)] };
      const { rows } = await open({ baseUrl: parseBaseUrl(simulated.url) }).proposals({}, { limit: 5 });
      assert.equal(rows[0]?.kind === 'proposal' && rows[0].wireStatus, '7');
    });
  });

  describe('reverse', () => {
    it('is judged by the version', () => {
      const trust = ['0.42.9', '0.43.0', 'v0.47.5-v24-osmo-4', '0.50.0', '0.50.8', '0.50.9', '0.53.0-rc.2'].map(
        (text) => {
          const version = readSdkVersion(text);
          return version && reversesExactly(version);
        },
      );
      assert.deepEqual(trust, [false, true, true, false, false, true, true]);
      for (const other of ['1.2.3', 'v10.50.9', 'sdk 0.50.9', ''])
        assert.equal(readSdkVersion(other), undefined, other);
      assert.deepEqual(readSdkVersion('v0.50.13'), { minor: 50, patch: 13 });
    });

    for (const [era, trusted] of [
      ['0.40', false],
      ['0.45', true],
      ['0.47', true],
      ['0.50', false],
      ['0.53', true],
    ] as const) {
      it(`of ${era} is found out by trying where the node does not say its version`, async () => {
        const simulated = await simulate(era, { noNodeInfo: true });
        const node = open({ baseUrl: parseBaseUrl(simulated.url) });
        for (const filter of [{}, { status: passed }]) {
          const ids = simulated.state.proposals
            .filter((one) => !filter.status || one.status === 3)
            .map((one) => String(one.id));
          const rows = await readAllProposals(node, filter, { limit: 4, reverse: true });
          assert.deepEqual(idsOf(rows), ids.toReversed());
        }
        assert.equal(node.dialect.reverse, trusted);
      });
    }

    it('of 0.47 that panics at a key whose followers were deleted is no longer used', async () => {
      const simulated = await simulate('0.47');
      const node = open({ baseUrl: parseBaseUrl(simulated.url) });
      const first = await node.proposals({}, { limit: 4, reverse: true });
      simulated.state = { ...simulated.state, proposals: simulated.state.proposals.slice(0, 26) };
      const second = await node.proposals({}, { limit: 4, reverse: true, key: first.nextKey });
      assert.deepEqual(idsOf(second.rows), ['26', '25', '24', '23']);
      assert.equal(node.dialect.reverse, false);
    });
  });

  describe('memory', () => {
    it('is told at every change and taken up by the next run', async () => {
      const simulated = await simulate('0.47');
      let facts: StoredTraits | undefined;
      const first = open({
        baseUrl: parseBaseUrl(simulated.url),
        onTraits: (known) => {
          facts = known;
        },
      });
      await first.proposals({ status: passed }, { limit: 3, reverse: true });
      await first.supplyOf('utoken0');
      assert.equal(await first.tally(1n), undefined);
      simulated.requests.length = 0;

      const stored: unknown = JSON.parse(JSON.stringify(facts));
      const second = open({ baseUrl: parseBaseUrl(simulated.url), remembered: stored });
      await second.proposals({ status: passed }, { limit: 3, reverse: true });
      await second.supplyOf('utoken0');
      assert.equal(await second.tally(1n), undefined);
      assert.deepEqual(simulated.requests, [
        'GET /cosmos/gov/v1/proposals?pagination.limit=3&pagination.reverse=true&proposal_status=3',
        'GET /cosmos/bank/v1beta1/supply/by_denom?denom=utoken0',
      ]);
      assert.equal(second.dialect.sdkVersion, 'v0.47.5');
      assert.equal(second.dialect.chainId, 'sim-1');
    });

    it('of anything else, or of more than a week ago, is nothing', async () => {
      const simulated = await simulate('0.53');
      const day = 24 * 3600 * 1000;
      const ofDaysAgo = (days: number) => factsOf('chain', Date.now() - days * day);
      for (const remembered of [ofDaysAgo(8), 'x', null, { segment: 'chain' }, []]) {
        const node = open({ baseUrl: parseBaseUrl(simulated.url), remembered });
        assert.equal(node.dialect.segment, undefined);
      }
      const recent = open({ baseUrl: parseBaseUrl(simulated.url), remembered: ofDaysAgo(6) });
      assert.equal(recent.dialect.segment, 'chain');
    });

    for (const [asked, ask] of [
      ['of its latest state', (node: ChainNode) => node.supply({})],
      ['of a past height', (node: ChainNode) => node.at(5n).supply({})],
    ] as const) {
      it(`ends where nothing listens any more, asked ${asked}: the node that answers next may be another one`, async () => {
        let answers: 'old' | 'none' | 'new' = 'old';
        const get = async (path: string): Promise<TransportReply> => {
          const url = `http://127.0.0.1:1317${path}`;
          if (answers === 'none') throw new UnreachableError(url, 'ECONNREFUSED', 'nothing listens there');
          const has = answers === 'new' ? 'cosmos' : 'chain';
          const isKnown = answers === 'new' || !path.includes('metadata');
          if (!path.startsWith(`/${has}/`) || !isKnown) throw new HttpError(url, 501, 12);
          return { status: 200, headers: {}, text: '{"supply":[],"metadatas":[],"pagination":null}' };
        };
        const post = () => assert.fail();
        const node = openNodeOver({ get, post, dispose: async () => undefined }, {});
        await node.supply({});
        assert.equal(await node.denomsMetadata({}), undefined);
        assert.deepEqual([node.dialect.segment, node.offers('denomsMetadata')], ['chain', false]);
        answers = 'none';
        await assert.rejects(ask(node), { code: 'ECONNREFUSED' });
        answers = 'new';
        assert.deepEqual((await node.denomsMetadata({}))?.rows, []);
        assert.deepEqual([node.dialect.segment, node.offers('denomsMetadata')], ['cosmos', true]);
      });
    }

    it('of a segment that is gone gives way to the other', async () => {
      const simulated = await simulate('0.53');
      const node = open({ baseUrl: parseBaseUrl(simulated.url), remembered: factsOf('chain') });
      assert.equal(node.dialect.segment, 'chain');
      assert.equal((await node.supply({ limit: 2 })).rows.length, 2);
      assert.equal(node.dialect.segment, 'cosmos');
    });
  });

  it('is no longer than the node: sockets and timers end with it', async () => {
    const simulated = [
      await simulate('0.40'),
      await simulate('0.45'),
      await simulate('0.47'),
      await simulate('0.50'),
      await simulate('0.53'),
    ];
    const held = () =>
      process.getActiveResourcesInfo().filter((kind) => /TCPSocketWrap|Timeout|TCPWRAP/.test(kind)).length;
    const before = held();
    for (let turn = 0; turn < 50; turn++) {
      const node = openNode({ baseUrl: parseBaseUrl(simulated[turn % 5]?.url ?? '') });
      const cancelled = new AbortController();
      await node.proposals({ status: passed }, { limit: 5, reverse: true });
      const late = node.supply({ limit: 5 }, cancelled.signal).catch(() => undefined);
      if (turn % 2 === 0) cancelled.abort();
      await node.dispose();
      await late;
    }
    for (const { stop } of simulated) await stop();
    // undici keeps one clock for all pools, and mocha one for this test.
    assert.ok(held() <= before + 2, `${held()} held, ${before} before`);
  });

  describe('optional operations', () => {
    it('that are not offered are asked for once', async () => {
      const simulated = await simulate('0.53');
      const node = open({ baseUrl: parseBaseUrl(simulated.url), segment: 'cosmos' });
      for (let turn = 0; turn < 2; turn++) {
        assert.equal(await node.tally(1n), undefined);
        assert.equal(await node.govParams(), undefined);
        assert.equal(await node.votingPower(), undefined);
        assert.equal(await node.denomsMetadata({}), undefined);
        assert.equal(await node.param('staking', 'BondDenom'), undefined);
      }
      assert.equal(new Set(simulated.requests).size, simulated.requests.length);
      assert.equal(simulated.requests.length, 11);
    });
  });

  describe('heights', () => {
    it('that a proxy ignores are not sent again', async () => {
      const simulated = await simulate('0.53', { noHeights: true });
      const node = open({ baseUrl: parseBaseUrl(simulated.url), segment: 'cosmos' });
      const first = await node.supply({ limit: 2, height: 5n });
      assert.match(first.info.unpinnedReason ?? '', /does not confirm that it used the requested height/);
      assert.equal(node.dialect.height, false);
      assert.equal((await node.supply({ limit: 2, height: 5n })).rows.length, 2);
      assert.equal(simulated.requests.length, 2);
    });

    it('that are pruned cost one refusal, and the crawl goes on', async () => {
      const simulated = await simulate('0.45');
      const node = open({ baseUrl: parseBaseUrl(simulated.url), segment: 'cosmos' });
      for (let page = 0; page < 3; page++) {
        const { info } = await node.supply({ limit: 2, height: 5n });
        assert.match(info.unpinnedReason ?? '', /failed to load state at height 5/);
      }
      assert.equal(simulated.requests.length, 4);
    });
  });
});
