import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { type NodeOptions, openNode } from '../../../src/api/open.ts';
import type { StoredTraits } from '../../../src/api/rest/dialect.ts';
import type { TransportOptions } from '../../../src/api/transport/transportTypes.ts';
import type { Era } from '../../fixtures/nodeSimulator/eras.ts';
import { type Quirks, type SimulatedNode, startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import {
  govAccount,
  type SimulatorProposal,
  textProposal,
  wordlessProposal,
} from '../../fixtures/nodeSimulator/simulatorState.ts';
import { startReplies } from '../../support/servers.ts';
import { formOf, idsOf, readAllProposals } from './allRows.ts';

const poisoned = [17n, 101n, 102n, 250n, 333n, 500n];
const filter = { status: 'passed' } as const;

/** 500 passed proposals, six of which v1beta1 cannot say. */
function spoiled(more: Partial<SimulatorProposal> = {}): SimulatorProposal[] {
  return Array.from({ length: 500 }, (_, at) => {
    const id = BigInt(at + 1);
    return poisoned.includes(id) ? { ...wordlessProposal(id, 3, 0), ...more } : textProposal(id, 3);
  });
}

describe('proposals that a node cannot say', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function simulate(era: Era, proposals: SimulatorProposal[], quirks: Quirks = {}): Promise<SimulatedNode> {
    const state = { chainId: 'sim-1', height: 900n, coins: [], proposals };
    const simulated = await startNode({ era, state, quirks });
    ends.push(() => simulated.stop());
    return simulated;
  }

  function open(options: NodeOptions & TransportOptions): ChainNode {
    const node = openNode(options);
    ends.push(() => node.dispose());
    return node;
  }

  it('are read as gov v1, with no more requests than others', async () => {
    const simulated = await simulate('0.53', spoiled());
    const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
    const rows = await readAllProposals(node, filter, { limit: 50, reverse: true });
    assert.equal(rows.length, 500);
    // node_info and ten pages of gov v1.
    assert.equal(simulated.requests.length, 11);
    assert.equal(simulated.requests.filter((request) => request.includes('/gov/v1beta1/')).length, 0);
    assert.ok(rows.every((row) => row.kind === 'proposal' && row.title === `Proposal ${row.id}`));
    assert.equal(node.dialect.gov, 'v1');
  });

  it('are isolated within a bounded number of requests where gov v1 is absent', async () => {
    const simulated = await simulate('0.53', spoiled(), { govV1: false });
    let facts: StoredTraits | undefined;
    const node = open({
      baseUrl: parseBaseUrl(`${simulated.url}/cosmos`),
      onTraits: (known) => {
        facts = known;
      },
    });
    const rows = await readAllProposals(node, filter, { limit: 50, reverse: true });
    assert.deepEqual(
      idsOf(rows),
      Array.from({ length: 500 }, (_, at) => `${500 - at}${poisoned.includes(BigInt(500 - at)) ? '!' : ''}`),
    );
    const lost = rows.find((row) => row.kind === 'unreadable');
    assert.match(lost?.kind === 'unreadable' ? lost.reason : '', /amount of proposal messages not exactly one/);
    assert.ok(simulated.requests.length <= 75, `${simulated.requests.length} requests`);

    simulated.requests.length = 0;
    const again = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`), remembered: facts });
    assert.equal((await readAllProposals(again, filter, { limit: 50, reverse: true })).length, 500);
    // Pages between the ids that are known to fail; none is asked for in vain.
    assert.ok(simulated.requests.length <= 12, simulated.requests.join('\n'));
  });

  it('that gov v1 cannot say in a list either are read one by one', async () => {
    const proposals = spoiled().map((one) => (one.id === 250n ? { ...one, unregistered: true } : one));
    const simulated = await simulate('0.50', proposals);
    const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
    const rows = await readAllProposals(node, {}, { limit: 100 });
    assert.equal(rows.length, 500);
    assert.deepEqual(idsOf(rows.filter((row) => row.kind === 'unreadable')), ['250!']);
    for (const row of rows) if (poisoned.includes(row.id) && row.id !== 250n) assert.equal(formOf(row), 'v1');
  });

  it('one by one: as gov v1, else with the reason of the node', async () => {
    const simulated = await simulate('0.53', spoiled());
    const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
    assert.equal(formOf(await node.proposal(17n)), 'v1');
    const without = await simulate('0.53', spoiled(), { govV1: false });
    const row = await open({ baseUrl: parseBaseUrl(`${without.url}/cosmos`) }).proposal(17n);
    assert.deepEqual(row.kind === 'unreadable' && [row.id, /not exactly one/.test(row.reason)], [17n, true]);
  });

  it('leave gaps in the ids where proposals were deleted, and nothing else', async () => {
    const proposals = spoiled().filter((one) => one.id % 7n !== 0n);
    const simulated = await simulate('0.53', proposals, { govV1: false });
    const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
    const rows = await readAllProposals(node, filter, { limit: 90, reverse: true });
    const expected = proposals.map((one) => `${one.id}${one.messages.length === 1 ? '' : '!'}`);
    assert.deepEqual(idsOf(rows), expected.toReversed());
  });

  it('are found at the beginning, behind wide gaps and at the end', async () => {
    const ids = [900n, 901n, 950n, 1500n, 1501n];
    const bad = [900n, 1500n, 1501n];
    const proposals = ids.map((id) => textProposal(id, 3, { unregistered: bad.includes(id) }));
    for (const era of ['0.40', '0.45', '0.53'] as const) {
      const simulated = await simulate(era, proposals, { govV1: false });
      const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
      const rows = await readAllProposals(node, filter, { limit: 2, reverse: true });
      assert.deepEqual(idsOf(rows), ['1501!', '1500!', '950', '901', '900!']);
      assert.ok(simulated.requests.length < 90, `${simulated.requests.length} requests`);
    }
  });

  it('get titles from gov v1 where v1beta1 hides them', async () => {
    const message = { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority: govAccount, plan: {} };
    const simulated = await simulate('0.47', [textProposal(1n, 3), textProposal(2n, 3, { messages: [message] })]);
    const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
    for (let turn = 0; turn < 2; turn++) {
      simulated.requests.length = 0;
      const { rows } = await node.proposals(filter, { limit: 5 });
      assert.deepEqual(
        rows.map((row) => row.kind === 'proposal' && row.title),
        ['Proposal 1', 'Proposal 2'],
      );
    }
    assert.equal(simulated.requests.length, 1);
    const one = await node.proposal(2n);
    assert.equal(one.kind === 'proposal' && one.title, 'Proposal 2');

    const silent = await simulate('0.46', [wordlessProposal(1n, 3, 2)], { hidesWordless: true, titles: true });
    const { rows } = await open({ baseUrl: parseBaseUrl(`${silent.url}/cosmos`) }).proposals(filter, { limit: 5 });
    assert.equal(formOf(rows[0]), 'v1');
  });

  it('because they are too large for the gateway make pages smaller, and never wait', async () => {
    const large = 'x'.repeat(40_000);
    const proposals = Array.from({ length: 60 }, (_, at) =>
      textProposal(
        BigInt(at + 1),
        3,
        at >= 20 && at < 26 ? { messages: [{ '@type': '/x.MsgStore', title: 't', code: large }] } : {},
      ),
    );
    const simulated = await simulate('0.53', proposals, { maxMessage: 100_000 });
    const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
    const rows = await readAllProposals(node, filter, { limit: 60 });
    assert.deepEqual(
      idsOf(rows),
      proposals.map((one) => String(one.id)),
    );
    assert.ok(simulated.requests.length <= 30, `${simulated.requests.length} requests`);
  });

  it('alone too large for the gateway hide no other', async () => {
    const proposals = spoiled({ messages: [{ '@type': '/x.MsgStore', title: 't', code: 'x'.repeat(200_000) }] });
    const simulated = await simulate('0.53', proposals, { maxMessage: 100_000, govV1: false });
    const node = open({ baseUrl: parseBaseUrl(`${simulated.url}/cosmos`) });
    const rows = await readAllProposals(node, filter, { limit: 50, reverse: true });
    assert.equal(rows.length, 500);
    const lost = rows.filter((row) => row.kind === 'unreadable');
    assert.deepEqual(
      lost.map((row) => row.id),
      poisoned.toReversed(),
    );
    assert.ok(simulated.requests.length < 250, `${simulated.requests.length} requests`);
  });

  it('are not looked for when the node fails for another reason', async () => {
    const service = await startReplies(() => ({
      status: 500,
      body: '{"code":13,"message":"database is closed","details":[]}',
    }));
    ends.push(() => service.stop());
    const node = open({ baseUrl: parseBaseUrl(`${service.url}/chain`) });
    await assert.rejects(node.proposals(filter, { limit: 5 }), { status: 500, nodeMessage: 'database is closed' });
    assert.equal(service.requests.length, 2);
    await assert.rejects(node.proposal(4n), { status: 500 });
  });
});
