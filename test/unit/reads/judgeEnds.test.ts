import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Proposal } from '../../../src/chain/gov/proposal.ts';
import { Judge } from '../../../src/reads/judge.ts';
import { Kept, maxAges } from '../../../src/session/kept.ts';
import { chainReplies, json, refusal } from '../../support/chainReplies.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';

type Json = Readonly<Record<string, unknown>>;

const end = '2026-03-02T00:00:00Z';
const beforeEnd = (milliseconds: number) => new Date(new Date(end).getTime() - milliseconds);

const wire = (more: Json = {}): Json => ({
  id: '7',
  messages: [],
  status: 'PROPOSAL_STATUS_VOTING_PERIOD',
  voting_end_time: end,
  ...more,
});

function voting(more: Json = {}): Proposal {
  const row = toProposalRow(readProposalRow('v1', wire(more)));
  assert.ok(row.kind === 'proposal');
  return row;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of ends.splice(0).reverse()) await stop();
});

/** A node that can be changed: its own proposals, refusals by the ends of their paths, and the height of its answers. */
async function start() {
  const chain: { wire: Json; height: string; refused: string; yes: string; onAsked: (path: string) => void } = {
    wire: wire(),
    height: '',
    refused: 'none',
    yes: '400',
    onAsked: () => undefined,
  };
  const service = await startReplies((url, asked): FixedReply => {
    chain.onAsked(url.pathname);
    if (url.pathname.endsWith(chain.refused)) return refusal(403, 7, 'no');
    const replies = chainReplies({
      chainId: 'test-1',
      sdkVersion: 'v0.50.13',
      supply: [],
      tally: { yes_count: chain.yes, abstain_count: '0', no_count: '0', no_with_veto_count: '0' },
      proposals: [chain.wire, wire({ id: '8' })],
      govParams: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334', expedited_threshold: '0.667' },
      pool: { bonded_tokens: '1000', not_bonded_tokens: '0' },
      paths: { '/cosmos/gov/v1/proposals/7': json({ proposal: chain.wire }) },
    });
    const height = String(asked['x-cosmos-block-height'] ?? chain.height);
    return { ...replies(url), headers: chain.height ? { 'grpc-metadata-x-cosmos-block-height': height } : {} };
  });
  const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
  ends.push(
    () => service.stop(),
    () => node.dispose(),
  );
  const asked = (part: string) => service.requests.filter((path) => path.split('?')[0]?.endsWith(part)).length;
  const judge = (maxAge: number = maxAges.screen, kept = new Kept()) => new Judge(node, kept, { maxAge });
  return Object.assign(chain, { node, asked, judge });
}

describe('a vote that may have ended since its proposal was read', () => {
  it('is looked at again in the last minute, and judged as what it became', async () => {
    const chain = await start();
    const ended = wire({ status: 'PROPOSAL_STATUS_REJECTED' });
    chain.onAsked = (path) => {
      if (path.endsWith('/tally')) chain.wire = ended;
    };
    const early = await chain.judge().judge(voting(), beforeEnd(60_001));
    assert.deepEqual([early.proposal.status, early.verdict.outcome.kind], ['voting', 'wouldPass']);
    chain.wire = wire();
    const late = await chain.judge().judge(voting(), beforeEnd(60_000));
    assert.equal(late.proposal.status, 'rejected');
    assert.notEqual(late.verdict.outcome.kind, 'wouldPass');
    assert.deepEqual([late.height, late.unpinnedReason, late.inputs.liveTally], [undefined, undefined, undefined]);
  });

  it('is counted once where it goes on', async () => {
    const chain = await start();
    const { verdict } = await chain.judge().judge(voting(), beforeEnd(0));
    assert.deepEqual([verdict.outcome.kind, chain.asked('/tally'), chain.asked('/7')], ['wouldPass', 1, 2]);
  });

  it('is judged by what was read where the proposal cannot be read again', async () => {
    const chain = await start();
    for (const failing of ['/proposals/7', 'none']) {
      chain.refused = failing;
      chain.wire = { id: '7' };
      const { proposal, verdict } = await chain.judge().judge(voting(), beforeEnd(0));
      assert.deepEqual([proposal.status, verdict.outcome.kind], ['voting', 'wouldPass'], failing);
    }
  });

  it('without a known end is looked at again only where its votes may be deleted', async () => {
    for (const [expedited, yes, times] of [
      [true, '0', 2],
      [true, '1', 1],
      [false, '0', 1],
    ] as const) {
      const chain = await start();
      chain.wire = wire({ voting_end_time: null, expedited });
      chain.yes = yes;
      await chain.judge().judge(voting({ voting_end_time: null, expedited }), new Date(end));
      assert.equal(chain.asked('/7'), times, `${expedited} ${yes}`);
    }
  });

  it('is judged without its tally where that cannot be read', async () => {
    const chain = await start();
    chain.refused = '/tally';
    const expedited = { voting_end_time: null, expedited: true };
    const { faults, verdict } = await chain.judge().judge(voting(expedited), new Date(end));
    assert.deepEqual([faults.map(({ read }) => read), verdict.missing, chain.asked('/7')], [['tally'], ['tally'], 1]);
  });

  it('is not looked at again where it was read at the height of its tally', async () => {
    const chain = await start();
    chain.height = '900';
    const judgement = await chain.judge().judge(voting(), beforeEnd(0), 900n);
    assert.deepEqual([judgement.height, chain.asked('/7')], [900n, 0]);
    await chain.judge().judge(voting(), beforeEnd(0));
    assert.equal(chain.asked('/7'), 1, 'its own answer tells the height');
  });
});

describe('the proposal that tells the height', () => {
  for (const [what, more] of [
    ['status', { status: 'PROPOSAL_STATUS_PASSED' }],
    ['kind of vote', { expedited: true }],
    ['end', { voting_end_time: '2027-01-01T00:00:00Z' }],
  ] as const) {
    it(`is the judged one where another ${what} is read`, async () => {
      const chain = await start();
      Object.assign(chain, { height: '900', wire: wire({ ...more, title: 'now' }) });
      const { proposal } = await chain.judge().judge(voting(), beforeEnd(90_000));
      assert.equal(proposal.title, 'now');
    });
  }

  it('is judged alone, and not in place of another one', async () => {
    const chain = await start();
    chain.height = '900';
    const judge = chain.judge();
    await judge.judge(voting(), beforeEnd(90_000));
    const { proposal, height } = await judge.judge(voting({ id: '8', voting_end_time: null }), beforeEnd(90_000));
    assert.deepEqual([proposal.id, height, chain.asked('/8')], [8n, 900n, 0]);
  });

  it('leaves the known one where nothing that decides has changed', async () => {
    const chain = await start();
    Object.assign(chain, { height: '900', wire: wire({ title: 'now' }) });
    const known = voting();
    const judgement = await chain.judge().judge(known, beforeEnd(90_000));
    assert.deepEqual([judgement.proposal, judgement.height], [known, 900n]);
  });
});

describe('the height of several judgements', () => {
  it('is asked for once of a node that does not state it, and the reason is told', async () => {
    const chain = await start();
    const judge = chain.judge(0);
    for (let turn = 0; turn < 2; turn++) {
      const { height, unpinnedReason } = await judge.judge(voting(), beforeEnd(90_000));
      assert.deepEqual([height, unpinnedReason], [undefined, 'the node does not report the height of its responses']);
    }
    assert.equal(chain.asked('/7'), 1);
  });

  it('is asked for again of a node that did not answer', async () => {
    const chain = await start();
    Object.assign(chain, { height: '900', refused: '/7' });
    const judge = chain.judge();
    assert.equal((await judge.judge(voting(), beforeEnd(90_000))).height, undefined);
    chain.refused = 'none';
    assert.equal((await judge.judge(voting(), beforeEnd(90_000))).height, 900n);
  });

  it('is a new one where answers are to be anew', async () => {
    const chain = await start();
    const kept = new Kept(() => now);
    let now = 0;
    chain.height = '900';
    assert.equal((await chain.judge(maxAges.screen, kept).judge(voting(), beforeEnd(90_000))).height, 900n);
    [chain.height, now] = ['901', 1];
    assert.equal((await chain.judge(maxAges.screen, kept).judge(voting(), beforeEnd(90_000))).height, 900n);
    assert.equal((await chain.judge(0, kept).judge(voting(), beforeEnd(90_000))).height, 901n);
  });
});

describe('what judgements share', () => {
  it('is read again after ten minutes, also by one that reads anew', async () => {
    const chain = await start();
    let now = 0;
    const judge = chain.judge(0, new Kept(() => now));
    for (const [at, times] of [
      [0, 1],
      [599_999, 1],
      [1_200_000, 2],
    ] as const) {
      now = at;
      await judge.judge(voting(), beforeEnd(90_000));
      assert.deepEqual([chain.asked('/tallying'), chain.asked('/pool')], [times, times], `${at}`);
    }
  });

  it('keeps the voting power of a height, which never changes', async () => {
    const chain = await start();
    let now = 0;
    const kept = new Kept(() => now);
    for (const [at, height, times] of [
      [0, '900', 1],
      [1_200_000, '900', 1],
      [1_300_000, '901', 2],
    ] as const) {
      now = at;
      chain.height = height;
      await chain.judge(maxAges.screen, kept).judge(voting(), beforeEnd(90_000));
      assert.equal(chain.asked('/pool'), times, `${at}`);
    }
  });

  it('is not tried again by the same judge where it failed, and every judgement says so', async () => {
    for (const [refused, read] of [
      ['/tallying', 'params'],
      ['/node_info', 'version'],
    ] as const) {
      const chain = await start();
      chain.refused = refused;
      const judge = chain.judge();
      const faults = [];
      for (let turn = 0; turn < 2; turn++) {
        const judgement = await judge.judge(voting(), beforeEnd(90_000));
        faults.push(judgement.faults.map(({ read }) => read));
      }
      assert.deepEqual([...faults, chain.asked(refused)], [[read], [read], 1]);
    }
  });
});

describe('a judgement that is ended', () => {
  for (const [part, yes] of [
    ['/tally', '400'],
    ['/votes', '332'],
  ] as const) {
    it(`rejects, while it reads ${part}`, async () => {
      const chain = await start();
      const controller = new AbortController();
      chain.yes = yes;
      chain.onAsked = (path) => {
        if (path.endsWith(part)) controller.abort();
      };
      const judge = new Judge(chain.node, new Kept(), { maxAge: maxAges.screen, signal: controller.signal });
      await assert.rejects(judge.judge(voting(), beforeEnd(90_000)), { name: 'AbortError' });
    });
  }
});
