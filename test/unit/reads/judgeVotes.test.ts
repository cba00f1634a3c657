import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Proposal } from '../../../src/chain/gov/proposal.ts';
import { verdictIfAllVote, verdictWith } from '../../../src/reads/judge.ts';
import { chainReplies, refusal } from '../../support/chainReplies.ts';
import { judge } from '../../support/judge.ts';
import { startReplies } from '../../support/servers.ts';

type Json = Readonly<Record<string, unknown>>;

function proposal(status: string): Proposal {
  const row = toProposalRow(readProposalRow('v1', { id: '7', messages: [], status: `PROPOSAL_STATUS_${status}` }));
  assert.ok(row.kind === 'proposal');
  return row;
}

const voteOf = (option: string, at = 0) => ({
  voter: `cosmos1voter${at}`,
  options: [{ option: `VOTE_OPTION_${option}`, weight: '1.000000000000000000' }],
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A node where any veto rejects, with this reply for single votes. All but a part of a unit voted Yes. */
async function start(votes?: Json | ReturnType<typeof refusal>, yes = '1000', no = '0') {
  const service = await startReplies(
    chainReplies({
      chainId: 'test-1',
      supply: [],
      proposals: [{ id: '7', messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD' }],
      tally: { yes_count: yes, abstain_count: '0', no_count: no, no_with_veto_count: '0' },
      govParams: { quorum: '0.334', threshold: '0.5', veto_threshold: '0' },
      pool: { bonded_tokens: '1001', not_bonded_tokens: '0' },
      paths: votes ? { '/cosmos/gov/v1/proposals/7/votes': votes } : {},
    }),
  );
  const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
  ends.push(
    () => service.stop(),
    () => node.dispose(),
  );
  const asked = (part: string) => service.requests.filter((path) => path.split('?')[0]?.endsWith(part)).length;
  return { node, asked };
}

const page = (...votes: readonly object[]) => ({ votes, pagination: { next_key: null, total: `${votes.length}` } });

describe('zeros of a running tally that decide the outcome', () => {
  const outcomeWith = async (votes: Json) => {
    const { node } = await start(votes);
    const { verdict, inputs, faults } = await judge(node, proposal('VOTING_PERIOD'), new Date());
    assert.deepEqual(faults, []);
    return { outcome: verdict.outcome.kind, voted: inputs.liveTally?.voted };
  };

  it('are exact where no single vote names the option', async () => {
    assert.deepEqual(await outcomeWith(page(voteOf('YES'))), { outcome: 'wouldPass', voted: ['yes'] });
  });

  it('may hide less than a unit where a single vote names the option', async () => {
    const { outcome, voted } = await outcomeWith(page(voteOf('NO_WITH_VETO', 1), voteOf('YES')));
    assert.deepEqual([outcome, voted], ['tooClose', ['yes', 'noWithVeto']]);
  });

  for (const [what, votes] of [
    ['go on', { ...page(voteOf('YES')), pagination: { next_key: btoa('2'), total: '2' } }],
    ['name an unknown option', page(voteOf('YES'), voteOf('MAYBE', 1))],
    ['cannot all be read', page(voteOf('YES'), { voter: 7 })],
    ['are not the counted ones', page(voteOf('ABSTAIN'))],
    ['are none', page()],
  ] as const) {
    it(`stay open where the single votes ${what}`, async () => {
      assert.deepEqual(await outcomeWith(votes), { outcome: 'tooClose', voted: undefined });
    });
  }

  it('stay open where the single votes name only a part of the counted options', async () => {
    const { node } = await start(page(voteOf('YES')), '999', '1');
    const { verdict, inputs } = await judge(node, proposal('VOTING_PERIOD'), new Date());
    assert.deepEqual([verdict.outcome.kind, inputs.liveTally?.voted], ['tooClose', undefined]);
  });

  it('stay open where single votes are refused, which is told', async () => {
    const { node } = await start(refusal(403, 7, 'no'));
    const { verdict, faults } = await judge(node, proposal('VOTING_PERIOD'), new Date());
    assert.equal(verdict.outcome.kind, 'tooClose');
    assert.deepEqual(
      faults.map(({ read }) => read),
      ['votes'],
    );
  });

  it('cost no request where they decide nothing', async () => {
    const { node, asked } = await start(page(), '100');
    const { verdict } = await judge(node, proposal('VOTING_PERIOD'), new Date());
    assert.deepEqual([verdict.outcome.kind, asked('/votes')], ['wouldFail', 0]);
  });
});

describe('a proposal that is not open for votes', () => {
  for (const status of ['DEPOSIT_PERIOD', 'PASSED', 'REJECTED']) {
    it(`is judged without running tally, power and height (${status})`, async () => {
      const { node, asked } = await start();
      const judgement = await judge(node, proposal(status), new Date());
      const { height, unpinnedReason, faults, inputs } = judgement;
      assert.deepEqual([asked('/tally'), asked('/votes'), asked('/7'), inputs.votingPower], [0, 0, 0, undefined]);
      assert.deepEqual([height, unpinnedReason, faults, inputs.liveTally], [undefined, undefined, [], undefined]);
      assert.notEqual(inputs.params.quorum, undefined);
    });
  }
});

describe('the verdict without inputs', () => {
  it('is that of the proposal, and names what is missing for an open vote', () => {
    assert.equal(verdictWith(proposal('PASSED'), undefined).outcome.kind, 'passed');
    const { missing } = verdictWith(proposal('VOTING_PERIOD'), undefined);
    assert.deepEqual(missing, ['bonded', 'tally', 'quorum', 'vetoThreshold', 'threshold']);
  });
});

describe('the verdict if all others vote', () => {
  it('adds them to the votes for the option', async () => {
    const { node } = await start(page(), '400');
    const { proposal: judged, inputs } = await judge(node, proposal('VOTING_PERIOD'), new Date());
    const [yes, no] = (['yes', 'no'] as const).map((option) => verdictIfAllVote(judged, inputs, option));
    assert.deepEqual([yes?.tally?.yes, yes?.tally?.no], [1001n, 0n]);
    assert.deepEqual([no?.tally?.yes, no?.tally?.no, no?.outcome.kind], [400n, 601n, 'wouldFail']);
  });

  it('is not known without tally or voting power', async () => {
    const { node } = await start();
    const { inputs } = await judge(node, proposal('VOTING_PERIOD'), new Date());
    const voting = proposal('VOTING_PERIOD');
    assert.equal(verdictIfAllVote(voting, { ...inputs, liveTally: undefined }, 'yes'), undefined);
    assert.equal(verdictIfAllVote(voting, { ...inputs, votingPower: undefined }, 'yes'), undefined);
  });
});
