import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import type { StoredTraits } from '../../../src/api/rest/dialect.ts';
import { chainReplies, notImplemented } from '../../support/chainReplies.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const plain: FixedReply = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404 Not Found</h1>' };
/** As gateways of proxies write it: a status of HTTP where a node has a code of gRPC. */
const imitated: FixedReply = { status: 404, body: '{"code":404,"message":"no route"}' };
const open = { id: '7', messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD', title: 'T', summary: 'S' };
const replies = chainReplies({
  supply: [{ denom: 'ua', amount: '1' }],
  metadatas: [],
  proposals: [open],
  tally: { yes_count: '3', abstain_count: '0', no_count: '2' },
  govParams: { quorum: '0.334' },
  pool: { bonded_tokens: '900', not_bonded_tokens: '1' },
  paths: { '/cosmos/gov/v1beta1/proposals': { proposals: [], pagination: null } },
});

describe('how long a trait of a node is kept', () => {
  const ends: (() => Promise<void>)[] = [];
  let refused: ReadonlyMap<RegExp, FixedReply> = new Map();
  let service: Awaited<ReturnType<typeof startReplies>>;
  let traits: StoredTraits | undefined;

  beforeEach(async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    refused = new Map();
    traits = undefined;
    service = await startReplies((url) => {
      const [, refusal] = [...refused].find(([path]) => path.test(url.pathname)) ?? [];
      return refusal ?? replies(url);
    });
    ends.push(() => service.stop());
  });

  afterEach(async () => {
    mock.timers.reset();
    for (const end of ends.splice(0).reverse()) await end();
  });

  function connect(remembered?: unknown): ChainNode {
    const onTraits = (found: StoredTraits): void => {
      traits = found;
    };
    const node = openNode({ baseUrl: parseBaseUrl(service.url), remembered, onTraits });
    ends.push(() => node.dispose());
    return node;
  }

  /** As the next run of the editor has it. */
  const restarted = (): ChainNode => connect(JSON.parse(JSON.stringify(traits)));

  for (const [kind, reply] of [
    ['a page', plain],
    ['an imitation of a gateway', imitated],
  ] as const) {
    it(`a 404 of a proxy (${kind}) turns tally and parameters off for five minutes, and not in the next run`, async () => {
      const node = connect();
      await node.proposals({}, { limit: 1 });
      refused = new Map([[/tally|params/, reply]]);
      assert.deepEqual([await node.tally(7n), await node.govParams()], [undefined, undefined]);
      refused = new Map();
      assert.deepEqual([await node.tally(7n), await node.govParams()], [undefined, undefined]);
      const next = restarted();
      assert.equal((await next.tally(7n))?.yes, 3n);
      assert.deepEqual((await next.govParams())?.v1, { quorum: '0.334' });
      mock.timers.tick(5 * minute);
      assert.equal((await node.tally(7n))?.yes, 3n);
      assert.deepEqual((await node.govParams())?.v1, { quorum: '0.334' });
    });
  }

  it('what the node itself refuses is not asked again for a week, also in the next run', async () => {
    refused = new Map([[/denoms_metadata/, notImplemented]]);
    const node = connect();
    await node.supply({});
    assert.equal(await node.denomsMetadata({}), undefined);
    refused = new Map();
    mock.timers.tick(6 * day);
    assert.equal(await node.denomsMetadata({}), undefined);
    assert.equal(await restarted().denomsMetadata({}), undefined);
    mock.timers.tick(1 * day);
    assert.deepEqual((await node.denomsMetadata({}))?.rows, []);
    assert.deepEqual((await restarted().denomsMetadata({}))?.rows, []);
  });

  it('a later trait does not renew the others', async () => {
    refused = new Map([[/denoms_metadata/, notImplemented]]);
    const node = connect();
    await node.supply({});
    assert.equal(await node.denomsMetadata({}), undefined);
    refused = new Map();
    mock.timers.tick(4 * day);
    assert.equal(await node.communityPool(), undefined);
    mock.timers.tick(4 * day);
    for (const one of [node, restarted()]) {
      assert.deepEqual((await one.denomsMetadata({}))?.rows, []);
      assert.equal(one.offers('communityPool'), false);
    }
  });

  it('gov v1 behind a 404 of a proxy comes back after minutes, and is not stored as v1beta1', async () => {
    refused = new Map([[/gov.v1\//, plain]]);
    const node = connect();
    assert.deepEqual((await node.proposals({}, {})).rows, []);
    assert.equal(node.dialect.gov, 'v1beta1');
    refused = new Map();
    assert.equal((await restarted().proposals({}, {})).rows.length, 1);
    // The form that is known by chance only is no more certain for having answered again.
    await node.proposals({}, {});
    mock.timers.tick(5 * minute);
    assert.equal((await node.proposals({}, {})).rows.length, 1);
    assert.equal(node.dialect.gov, 'v1');
  });

  it('a known gov v1 stays known through a 404 of a proxy', async () => {
    const node = connect();
    await node.proposals({}, {});
    refused = new Map([[/gov.v1\//, plain]]);
    assert.deepEqual((await node.proposals({}, {})).rows, []);
    refused = new Map();
    mock.timers.tick(5 * minute);
    assert.equal((await node.proposals({}, {})).rows.length, 1);
    assert.equal((await restarted().proposals({}, {})).rows.length, 1);
  });

  it('a chain that a proxy hid the gov module of has it again after minutes', async () => {
    refused = new Map([[/gov/, plain]]);
    const node = connect();
    assert.deepEqual((await node.proposals({}, {})).rows, []);
    assert.equal(node.dialect.gov, 'none');
    refused = new Map();
    mock.timers.tick(5 * minute);
    assert.equal((await node.proposals({}, {})).rows.length, 1);
  });

  it('a list that alone answered through a proxy is not the only form of the supply of a denom for long', async () => {
    refused = new Map([[/supply\/./, plain]]);
    const node = connect();
    assert.equal((await node.supplyOf('ua')).amount, 1n);
    assert.equal(node.dialect.supplyOf, 'list');
    assert.equal(restarted().dialect.supplyOf, undefined);
    mock.timers.tick(5 * minute);
    assert.equal(node.dialect.supplyOf, undefined);
  });

  it('is none of a missing gov module where one proposal alone is refused', async () => {
    const node = openNode({ baseUrl: parseBaseUrl(service.url) });
    ends.push(() => node.dispose());
    assert.equal((await node.proposals({}, {})).rows.length, 1);
    await assert.rejects(node.proposal(9n), { kind: 'http' });
    assert.equal((await node.proposals({}, {})).rows.length, 1);
  });
});
