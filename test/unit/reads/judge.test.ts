import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Proposal } from '../../../src/chain/gov/proposal.ts';
import { Judge } from '../../../src/reads/judge.ts';
import { OpenVotes } from '../../../src/reads/openVotes.ts';
import { Kept, maxAges } from '../../../src/session/kept.ts';
import { Session } from '../../../src/session/session.ts';
import { toSource } from '../../../src/session/source.ts';
import { chainReplies, refusal } from '../../support/chainReplies.ts';
import { judge } from '../../support/judge.ts';
import { startReplies } from '../../support/servers.ts';

const counts = { yes_count: '400', abstain_count: '0', no_count: '100', no_with_veto_count: '0' };

function wire(id: number): Readonly<Record<string, unknown>> {
  return { id: `${id}`, messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD' };
}

function voting(id: number): Proposal {
  const row = toProposalRow(readProposalRow('v1', wire(id)));
  assert.ok(row.kind === 'proposal');
  return row;
}

describe('judge', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A node with 30 proposals in voting; `broken` maps the end of a path to the status that it is answered with. */
  async function start(broken: Readonly<Record<string, number>> = {}) {
    const reply = chainReplies({
      chainId: 'test-1',
      sdkVersion: 'v0.50.13',
      supply: [],
      proposals: Array.from({ length: 30 }, (_, at) => wire(at + 1)),
      tally: counts,
      govParams: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' },
      pool: { bonded_tokens: '1000', not_bonded_tokens: '0' },
    });
    const service = await startReplies((url) => {
      const status = Object.entries(broken).find(([end]) => url.pathname.endsWith(end))?.[1];
      return status === undefined ? reply(url) : refusal(status, 2, 'no');
    });
    ends.push(() => service.stop());
    const open = (): ChainNode => {
      const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
      ends.push(() => node.dispose());
      return node;
    };
    const asked = (end: string) => service.requests.filter((path) => path.split('?')[0]?.endsWith(end)).length;
    const tallies = () => [...new Set(service.requests.filter((path) => path.endsWith('/tally')))];
    return { url: service.url, open, asked, tallies };
  }

  const openSession = ({ url, open }: Awaited<ReturnType<typeof start>>): Session => {
    const session = new Session(toSource(url, new Map(), 'Sample chain'), {
      open: async () => ({ node: open(), notices: [], dispose: async () => {} }),
      pageSize: () => 50,
      knownUnits: async () => new Map(),
    });
    ends.push(() => session.dispose());
    return session;
  };

  it('reads what proposals share once, and again after ten minutes', async () => {
    const chain = await start();
    const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
    let now = at(0);
    const kept = new Kept(() => now.getTime());
    const node = chain.open();
    const many = new Judge(node, kept, { maxAge: maxAges.screen });
    const both = await Promise.all([many.judge(voting(1), at(0)), many.judge(voting(2), at(0))]);
    assert.deepEqual(
      both.map(({ verdict, faults, inputs }) => [verdict.outcome.kind, faults.length, inputs.sdkVersion]),
      [
        ['wouldPass', 0, 'v0.50.13'],
        ['wouldPass', 0, 'v0.50.13'],
      ],
    );
    now = at(9.9);
    await new Judge(node, kept, { maxAge: maxAges.screen }).judge(voting(3), now);
    assert.deepEqual(['/tally', '/params/tallying', '/pool', '/node_info'].map(chain.asked), [3, 1, 1, 1]);
    now = at(10);
    const { inputs } = await many.judge(voting(3), now);
    assert.deepEqual(['/tally', '/params/tallying', '/pool', '/node_info'].map(chain.asked), [4, 2, 2, 1]);
    assert.deepEqual(inputs.readAt, at(10));
  });

  it('reads what proposals share anew where that is asked for, once for all of them', async () => {
    const chain = await start();
    let now = Date.now();
    const [node, kept] = [chain.open(), new Kept(() => now)];
    await new Judge(node, kept, { maxAge: maxAges.screen }).judge(voting(1), new Date());
    // An answer of the same millisecond counts as one that came after the question.
    now += 1;
    const fresh = new Judge(node, kept, { maxAge: 0 });
    await fresh.judge(voting(1), new Date());
    await fresh.judge(voting(2), new Date());
    assert.deepEqual(['/tally', '/params/tallying', '/pool'].map(chain.asked), [3, 2, 2]);
  });

  it('names what could not be read, and leaves it unknown', async () => {
    const chain = await start({ '/node_info': 403, '/tally': 400 });
    const { verdict, inputs, faults } = await judge(chain.open(), voting(1), new Date());
    assert.deepEqual(
      faults.map(({ read, error }) => [read, error instanceof Error && /HTTP 40[03]/.test(error.message)]),
      [
        ['tally', true],
        ['version', true],
      ],
    );
    assert.deepEqual([inputs.liveTally, inputs.sdkVersion], [undefined, undefined]);
    assert.deepEqual(verdict.missing, ['tally']);
  });

  it('rejects when it is ended', async () => {
    const chain = await start();
    const ended = AbortSignal.abort();
    await assert.rejects(judge(chain.open(), voting(1), new Date(), ended), { name: 'AbortError' });
  });

  for (const refused of ['/tally', '/params/tallying']) {
    it(`stops rows at the first refusal (HTTP 429) of ${refused}`, async () => {
      const chain = await start({ [refused]: 429 });
      const session = openSession(chain);
      await session.lists.proposals.pager('voting').loadMore();
      assert.equal(session.lists.proposals.rows('voting').length, 30);
      const votes = new OpenVotes(session, () => {});
      for (let turn = 0; turn < 2; turn++) {
        await votes.load(new Date());
        assert.equal(chain.tallies().length, 2, 'two at a time, and then it is left alone for a while');
      }
      votes.dispose();
    });
  }

  /** The votes of a list that was read, with a clock that stands until it is set. */
  async function startVotes(broken: Readonly<Record<string, number>> = {}) {
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    ends.push(async () => mock.timers.reset());
    const chain = await start(broken);
    const session = openSession(chain);
    await session.lists.proposals.pager('voting').loadMore();
    let redraws = 0;
    const votes = new OpenVotes(session, () => redraws++);
    ends.push(async () => votes.dispose());
    const load = async (later = 0): Promise<number> => {
      mock.timers.tick(later);
      const before = chain.asked('/tally');
      await votes.load(new Date());
      return chain.asked('/tally') - before;
    };
    return { session, votes, load, redraws: () => redraws };
  }

  it('shows no open vote that was read more than ten minutes ago', async () => {
    const { votes, load, redraws } = await startVotes();
    assert.equal(await load(), 20);
    assert.equal(redraws(), 20);
    mock.timers.tick(599_999);
    assert.equal(votes.known(voting(30))?.outcome.kind, 'wouldPass');
    mock.timers.tick(1);
    assert.equal(votes.known(voting(30)), undefined);
    assert.ok(await votes.verdict(voting(30)));
    assert.ok(votes.known(voting(30)));
  });

  it('reads open votes again before they are too old, and at once after a refresh', async () => {
    const { session, votes, load } = await startVotes();
    assert.deepEqual([await load(), await load(509_999), await load(1)], [20, 0, 20]);
    mock.timers.tick(599_999);
    assert.ok(votes.known(voting(30)));
    await session.lists.proposals.pager('voting').refresh();
    assert.ok(votes.known(voting(30)), 'the old one stands until there is a new one');
    assert.equal(await load(), 20);
  });

  it('asks for votes that cannot be counted no sooner than for others', async () => {
    const { votes, load, redraws } = await startVotes({ '/tally': 400 });
    const first = await load();
    assert.ok(first >= 20);
    assert.equal(await load(60_000), 0);
    assert.equal(await load(450_000), first);
    assert.deepEqual([votes.known(voting(30)), redraws()], [undefined, 0]);
  });

  it('forgets how open votes stand with all that is kept of the source', async () => {
    const { session, votes, load } = await startVotes();
    await load();
    session.kept.forget();
    assert.equal(votes.known(voting(30)), undefined);
  });
});
