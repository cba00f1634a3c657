import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { toProposalRow } from '../../../src/chain/toProposal.ts';
import { toVerdict } from '../../../src/chain/verdict.ts';
import { Sessions } from '../../../src/session/session.ts';
import { toSource } from '../../../src/session/source.ts';
import { loadInputs } from '../../../src/ui/panel/proposalModel.ts';
import { systemClock } from '../../../src/watch/clock.ts';
import { PolledEndpoint } from '../../../src/watch/endpoint.ts';
import { readItem } from '../../../src/watch/list.ts';
import { Poll } from '../../../src/watch/poll.ts';
import { emptyState } from '../../../src/watch/storedState.ts';
import { versions } from '../../node/build.ts';
import { readRecording } from '../../node/recording.ts';
import { startReplay } from '../../node/replay.ts';
import { startReplies } from '../../support/servers.ts';

/** What is said of an open vote: `wouldPass` or `wouldFail` where that is sure, whether quorum is reached, percent of Yes. */
interface Said {
  readonly verdict: string | undefined;
  readonly quorum: boolean | undefined;
  readonly yes: number | undefined;
}

async function panelSays(node: ChainNode, id: bigint): Promise<Said> {
  const row = toProposalRow(await node.proposal(id));
  assert.ok(row.kind === 'proposal');
  const { outcome, rules, tally } = toVerdict(row, await loadInputs(node, row, 'http', new AbortController().signal));
  const reached = rules.find(({ name }) => name === 'quorum')?.result;
  const total = tally && tally.yes + tally.abstain + tally.no + tally.noWithVeto;
  return {
    verdict: outcome.kind === 'wouldPass' || outcome.kind === 'wouldFail' ? outcome.kind : undefined,
    quorum: reached === 'met' ? true : reached === 'missed' ? false : undefined,
    yes: tally && total ? Number((tally.yes * 100n) / total) : undefined,
  };
}

/** By two polls of one entry: the first reads the proposal, the second its votes. */
async function watchListSays(node: ChainNode, id: bigint): Promise<Said> {
  const url = 'http://127.0.0.1:1';
  const sessions = new Sessions({
    open: async () => ({ node, notices: [], dispose: async () => {} }),
    pageSize: () => 50,
    knownUnits: async () => new Map(),
  });
  const endpoint = new PolledEndpoint(systemClock, sessions.hold(toSource(url, [], 'Sample chain')));
  const entry = readItem({ source: url, proposal: `${id}`, rules: { quorum: true, verdict: true } });
  assert.ok(entry);
  const source = { sourceId: url, entries: [entry], everything: undefined, voters: [], isVisible: true };
  let state = emptyState;
  for (let turn = 0; turn < 2; turn++) {
    endpoint.isForced = true;
    const poll = new Poll(source, endpoint, state, 300_000);
    await endpoint.run((session, signal) => poll.read(session, signal), false, new AbortController().signal);
    assert.equal(endpoint.outage, undefined);
    state = poll.apply(state);
  }
  await endpoint.dispose();
  const snapshot = state.snapshots.get(entry.key);
  assert.ok(snapshot?.kind === 'proposal' && snapshot.tally, 'its votes were read');
  return { verdict: snapshot.verdict, quorum: snapshot.quorum, yes: snapshot.tally.yes };
}

describe('panel and watch list say the same of an open vote', () => {
  for (const version of versions) {
    it(`on a node of SDK ${version}, before each end of its votes`, async () => {
      const recording = readRecording(version);
      const votes = recording.decisions.filter(({ result }) => /^(proposal_(passed|rejected|failed)|exp)/.test(result));
      const seen = new Set<string>();
      for (const height of new Set(votes.map((decision) => decision.height))) {
        // A clock that is cut to seconds may stand behind the end of a vote in the block before it.
        const replay = await startReplay(recording, { latest: height - 1, behind: 2 });
        const node = openNode({ baseUrl: parseBaseUrl(replay.url), segment: 'cosmos' });
        try {
          for (const { id } of votes.filter((vote) => vote.height === height)) {
            const panel = await panelSays(node, BigInt(id));
            assert.deepEqual(await watchListSays(node, BigInt(id)), panel, `proposal ${id}`);
            seen.add(panel.verdict ?? 'neither');
          }
          assert.deepEqual(replay.missing, []);
        } finally {
          await node.dispose();
          await replay.stop();
        }
      }
      assert.deepEqual([...seen].sort(), ['neither', 'wouldFail', 'wouldPass']);
    });
  }

  const move = { '@type': '/initia.move.v1.MsgExecute', module_address: '0x1', module_name: 'vip', function_name: 'x' };
  const law = { '@type': '/atomone.gov.v1.MsgProposeLaw' };
  const amendment = { '@type': '/atomone.gov.v1.MsgProposeConstitutionAmendment', amendment: '' };
  // Under the limits of any other message, each of these would pass.
  const cases: readonly (readonly [string, 'atomone' | 'initia', object, string])[] = [
    ['a law of AtomOne', 'atomone', { messages: [law] }, 'wouldFail'],
    ['an endorsed law of AtomOne', 'atomone', { messages: [law], endorsed: true }, 'wouldPass'],
    ['an amendment of the constitution of AtomOne', 'atomone', { messages: [amendment] }, 'wouldFail'],
    ['another proposal of AtomOne', 'atomone', { messages: [] }, 'wouldPass'],
    ['an expedited proposal of Initia', 'initia', { messages: [move], expedited: true }, 'wouldFail'],
    ['an emergency of Initia', 'initia', { messages: [move], emergency: true }, 'wouldFail'],
    [
      'an expedited call with a low threshold of Initia',
      'initia',
      { messages: [{ ...move, function_name: 'refund' }], expedited: true },
      'wouldPass',
    ],
  ];
  for (const [what, chain, changes, verdict] of cases) {
    it(`of ${what}`, async () => {
      const service = await startReplies(({ pathname }) => {
        const reply = chainReplies(chain, changes)[pathname];
        return reply
          ? { body: JSON.stringify(reply) }
          : { status: 501, body: '{"code":12,"message":"Not Implemented"}' };
      });
      const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
      try {
        const panel = await panelSays(node, 7n);
        assert.deepEqual(panel, { verdict, quorum: true, yes: chain === 'atomone' ? 80 : 60 });
        assert.deepEqual(await watchListSays(node, 7n), panel);
      } finally {
        await node.dispose();
        await service.stop();
      }
    });
  }
});

/** A chain as docs/governance.md describes it, with proposal 7 in voting; no node was held against it. */
function chainReplies(chain: 'atomone' | 'initia', changes: object): Readonly<Record<string, object>> {
  const proposal = {
    id: '7',
    status: 'PROPOSAL_STATUS_VOTING_PERIOD',
    submit_time: '2026-01-01T00:00:00Z',
    voting_end_time: '2199-01-01T00:00:00Z',
    ...changes,
  };
  const gov = `/${chain === 'atomone' ? 'atomone' : 'cosmos'}/gov/v1`;
  const common = {
    '/cosmos/bank/v1beta1/supply': { supply: [], pagination: null },
    [`${gov}/proposals`]: { proposals: [proposal], pagination: { next_key: null } },
    [`${gov}/proposals/7`]: { proposal },
  };
  if (chain === 'atomone') {
    const params = {
      quorum: '0.25',
      threshold: '0.667',
      law_quorum: '0.3',
      law_threshold: '0.9',
      constitution_amendment_quorum: '0.4',
      constitution_amendment_threshold: '0.95',
    };
    return {
      ...common,
      '/cosmos/staking/v1beta1/pool': { pool: { bonded_tokens: '1000', not_bonded_tokens: '1' } },
      [`${gov}/params/tallying`]: { params },
      [`${gov}/proposals/7/tally`]: { tally: { yes_count: '400', abstain_count: '0', no_count: '100' } },
    };
  }
  const tally = { yes_count: '480', abstain_count: '0', no_count: '320', no_with_veto_count: '0' };
  const params = { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334', expedited_threshold: '0.667' };
  const powers = { tally_height: '9', total_staking_power: '1000', total_vesting_power: '0' };
  return {
    ...common,
    '/initia/mstaking/v1/pool': { pool: { bonded_tokens: [{ denom: 'ui', amount: '1000' }] } },
    [`${gov}/params/tallying`]: { params },
    '/initia/gov/v1/params': { params: { low_threshold_functions: ['0x1::vip::refund'] } },
    [`${gov}/proposals/7/tally`]: { tally },
    '/initia/gov/v1/proposals/7/tally': { tally_result: { ...powers, v1_tally_result: tally } },
  };
}
