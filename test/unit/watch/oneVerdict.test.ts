import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Proposal } from '../../../src/chain/gov/proposal.ts';
import { totalVotes } from '../../../src/chain/gov/tally.ts';
import type { Assumption, Verdict } from '../../../src/chain/gov/verdict.ts';
import { ProposalModel } from '../../../src/page/proposalModel.ts';
import { verdictIfAllVote, verdictWith } from '../../../src/reads/judge.ts';
import { OpenVotes } from '../../../src/reads/openVotes.ts';
import { type AcquiredSession, type Session, Sessions } from '../../../src/session/session.ts';
import { toSource } from '../../../src/session/source.ts';
import { applyPoll } from '../../../src/watch/apply.ts';
import { systemClock } from '../../../src/watch/clock.ts';
import { PolledEndpoint } from '../../../src/watch/endpoint.ts';
import { planPoll } from '../../../src/watch/plan.ts';
import { Poll } from '../../../src/watch/poll.ts';
import { emptyState } from '../../../src/watch/storedState.ts';
import { readItem } from '../../../src/watch/watchList.ts';
import { versions } from '../../node/build.ts';
import { readRecording } from '../../node/recording.ts';
import { startReplay } from '../../node/replay.ts';
import { chainReplies } from '../../support/chainReplies.ts';
import { judge } from '../../support/judge.ts';
import { startReplies } from '../../support/servers.ts';

/** One caller of the judge. */
type Caller<T> = (session: Session, id: bigint, hold: () => AcquiredSession) => Promise<T>;

/** The verdicts of a caller on proposals, in a session of its own that has learned nothing of the node yet. */
async function said<T>(caller: Caller<T>, url: string, ids: readonly bigint[]): Promise<readonly T[]> {
  const sessions = new Sessions({
    open: async () => {
      const node = openNode({ baseUrl: parseBaseUrl(url), segment: 'cosmos' });
      return { node, notices: [], dispose: () => node.dispose() };
    },
    pageSize: () => 50,
    knownUnits: async () => new Map(),
  });
  const source = toSource(url, new Map(), 'Sample chain');
  try {
    return await sessions.use(source, async (session) => {
      const all: T[] = [];
      for (const id of ids) all.push(await caller(session, id, () => sessions.acquire(source)));
      return all;
    });
  } finally {
    await sessions.dispose();
  }
}

async function readProposal(session: Session, id: bigint): Promise<Proposal> {
  const row = await session.lists.proposals.load(id);
  assert.ok(row.kind === 'proposal');
  return row;
}

const coreSays: Caller<Verdict> = async (session, id) => {
  const proposal = await readProposal(session, id);
  const judgement = await judge(await session.node(), proposal, new Date());
  assert.deepEqual(judgement.faults, []);
  assert.deepEqual(judgement.assumptions, judgement.verdict.assumptions);
  const { tally, unvoted, assumptions } = judgement.verdict;
  const all = verdictIfAllVote(proposal, judgement.inputs, 'yes');
  if (all && tally && unvoted !== undefined) {
    assert.equal(all.tally?.yes, tally.yes + unvoted);
    assert.deepEqual(all.assumptions, assumptions);
  }
  return judgement.verdict;
};

const panelSays: Caller<Verdict> = async (session, id, hold) => {
  const options = { clock: systemClock, registryChain: async () => undefined };
  const model = new ProposalModel({ sourceId: session.source.id, id }, hold(), options);
  const isRead = Promise.withResolvers<void>();
  // Where the time of a vote is over, a later read may overtake the first.
  model.onDidChange(() => (model.facts?.inputs || model.failure ? isRead.resolve() : undefined));
  await model.refresh();
  await isRead.promise;
  assert.equal(model.failure, undefined);
  const { row, inputs } = model.facts ?? {};
  assert.ok(row?.kind === 'proposal' && inputs);
  model.dispose();
  return verdictWith(row, inputs);
};

const rowsSay: Caller<Verdict> = async (session, id) => {
  const proposal = await readProposal(session, id);
  const votes = new OpenVotes(session, () => {});
  const verdict = await votes.verdict(proposal);
  assert.ok(verdict);
  assert.equal(votes.known(proposal), verdict);
  votes.dispose();
  return verdict;
};

/** The data that the watch list keeps of an open vote: quorum, percent of Yes, and the outcome if it is sure. */
interface Kept {
  readonly verdict: string | undefined;
  readonly quorum: boolean | undefined;
  readonly yes: number | undefined;
}

/** By two polls of one entry: the first reads the proposal, the second its votes. */
const watchListKeeps: Caller<Kept> = async (session, id, hold) => {
  const endpoint = new PolledEndpoint(systemClock, hold());
  const { id: url } = session.source;
  const entry = readItem({ source: url, proposal: `${id}`, rules: { quorum: true, verdict: true } });
  assert.ok(entry);
  const source = { sourceId: url, entries: [entry], everything: undefined, voters: [], isVisible: true };
  let state = emptyState;
  for (let turn = 0; turn < 2; turn++) {
    endpoint.force();
    const plan = planPoll(source, endpoint, state, 300_000);
    assert.ok(plan);
    const poll = new Poll(plan, endpoint);
    await endpoint.run((opened, signal) => poll.read(opened, signal), false, new AbortController().signal);
    assert.equal(endpoint.outage, undefined);
    const time = { node: endpoint.now(), machine: Date.now() };
    state = applyPoll(state, source, poll.findings, time);
  }
  await endpoint.dispose();
  const snapshot = state.snapshots.get(entry.key);
  assert.ok(snapshot?.kind === 'proposal' && snapshot.tally, 'its votes were read');
  return { verdict: snapshot.verdict, quorum: snapshot.quorum, yes: snapshot.tally.yes };
};

function keptOf({ outcome, rules, tally }: Verdict): Kept {
  const reached = rules.find(({ name }) => name === 'quorum')?.result;
  const total = tally && totalVotes(tally);
  return {
    verdict: outcome.kind === 'wouldPass' || outcome.kind === 'wouldFail' ? outcome.kind : undefined,
    quorum: reached === 'met' ? true : reached === 'missed' ? false : undefined,
    yes: tally && total ? Number((tally.yes * 100n) / total) : undefined,
  };
}

/** The verdicts that every caller finds. */
async function oneVerdict(url: string, ids: readonly bigint[]): Promise<readonly Verdict[]> {
  const verdicts = await said(coreSays, url, ids);
  assert.deepEqual(await said(panelSays, url, ids), verdicts, 'the panel');
  assert.deepEqual(await said(rowsSay, url, ids), verdicts, 'the rows');
  assert.deepEqual(await said(watchListKeeps, url, ids), verdicts.map(keptOf), 'the watch list');
  return verdicts;
}

describe('panel, rows, watch list and the core find one verdict of an open vote', () => {
  for (const version of versions) {
    it(`on a node of SDK ${version}, before each end of its votes`, async () => {
      const recording = readRecording(version);
      const votes = recording.decisions.filter(({ result }) => /^(proposal_(passed|rejected|failed)|exp)/.test(result));
      const seen = new Set<string>();
      const assumed = new Set<Assumption>();
      for (const height of new Set(votes.map((decision) => decision.height))) {
        // A clock that is cut to seconds may stand behind the end of a vote in the block before it.
        const replay = await startReplay(recording, { latest: height - 1, behind: 2 });
        try {
          const ids = votes.filter((vote) => vote.height === height).map(({ id }) => BigInt(id));
          for (const { outcome, assumptions } of await oneVerdict(replay.url, ids)) {
            seen.add(outcome.kind);
            for (const assumption of assumptions) assumed.add(assumption);
          }
          // The panel shows depositors and the community pool too. They were not recorded, and do not decide.
          assert.deepEqual(
            replay.missing.filter((path) => !/\/deposits\?|\/community_pool$/.test(path)),
            [],
          );
        } finally {
          await replay.stop();
        }
      }
      assert.deepEqual([...seen].sort(), ['tooClose', 'wouldFail', 'wouldPass']);
      assert.deepEqual([...assumed], version.startsWith('0.53') ? ['stakingPool'] : []);
    });
  }

  const move = { '@type': '/initia.move.v1.MsgExecute', module_address: '0x1', module_name: 'vip', function_name: 'x' };
  const law = { '@type': '/atomone.gov.v1.MsgProposeLaw' };
  const amendment = { '@type': '/atomone.gov.v1.MsgProposeConstitutionAmendment', amendment: '' };
  // Under the limits of any other message, each of these would pass.
  const cases: readonly VariantCase[] = [
    { what: 'a law of AtomOne', chain: 'atomone', changes: { messages: [law] }, outcome: 'wouldFail' },
    {
      what: 'an endorsed law of AtomOne',
      chain: 'atomone',
      changes: { messages: [law], endorsed: true },
      outcome: 'wouldPass',
    },
    {
      what: 'an amendment of the constitution of AtomOne',
      chain: 'atomone',
      changes: { messages: [amendment] },
      outcome: 'wouldFail',
    },
    { what: 'another proposal of AtomOne', chain: 'atomone', changes: { messages: [] }, outcome: 'wouldPass' },
    {
      what: 'an expedited proposal of Initia',
      chain: 'initia',
      changes: { messages: [move], expedited: true },
      outcome: 'wouldFail',
    },
    {
      what: 'an emergency of Initia',
      chain: 'initia',
      changes: { messages: [move], emergency: true },
      outcome: 'wouldFail',
    },
    {
      what: 'an expedited call with a low threshold of Initia',
      chain: 'initia',
      changes: { messages: [{ ...move, function_name: 'refund' }], expedited: true },
      outcome: 'wouldPass',
    },
    { what: 'an expedited proposal of Sei', chain: 'sei', changes: { is_expedited: true }, outcome: 'wouldFail' },
    { what: 'another proposal of Sei', chain: 'sei', changes: { is_expedited: false }, outcome: 'wouldPass' },
    { what: 'a proposal under proof of authority', chain: 'poa', changes: { messages: [] }, outcome: 'wouldPass' },
  ];
  for (const { what, chain, changes, outcome } of cases) {
    it(`of ${what}`, async () => {
      const service = await startReplies(chainReplies({ paths: forkReplies(chain, changes) }));
      try {
        const [verdict] = await oneVerdict(service.url, [7n]);
        assert.ok(verdict);
        assert.equal(verdict.outcome.kind, outcome);
        assert.equal(verdict.variant.name, chain);
        assert.deepEqual(verdict.assumptions, ['variant']);
        assert.equal(verdict.turnout, chain === 'initia' ? 8n * 10n ** 17n : 5n * 10n ** 17n);
      } finally {
        await service.stop();
      }
    });
  }
});

type Chain = 'atomone' | 'initia' | 'sei' | 'poa';

interface VariantCase {
  readonly what: string;
  readonly chain: Chain;
  /** The differences from an ordinary proposal on the wire. */
  readonly changes: object;
  readonly outcome: Verdict['outcome']['kind'];
}

/** Chains as docs/governance.md describes them, with proposal 7 in voting; no node was held against them. */
function forkReplies(chain: Chain, changes: object): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const proposal = {
    status: 'PROPOSAL_STATUS_VOTING_PERIOD',
    submit_time: '2026-01-01T00:00:00Z',
    voting_end_time: '2199-01-01T00:00:00Z',
    ...(chain === 'sei' ? { proposal_id: '7', content: null } : { id: '7' }),
    ...changes,
  };
  const supply = { '/cosmos/bank/v1beta1/supply': { supply: [], pagination: null } };
  const version = { application_version: { cosmos_sdk_version: 'v0.50.13' }, default_node_info: { network: 'c-1' } };
  const info = { '/cosmos/base/tendermint/v1beta1/node_info': version };
  const listed = (gov: string): Readonly<Record<string, object>> => ({
    ...supply,
    ...info,
    [`${gov}/proposals`]: { proposals: [proposal], pagination: { next_key: null } },
    [`${gov}/proposals/7`]: { proposal },
  });
  const pool = {
    '/cosmos/staking/v1beta1/pool': { pool: { bonded_tokens: '1000', not_bonded_tokens: '1' } },
  };
  const limits = { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' };
  switch (chain) {
    case 'atomone': {
      const gov = '/atomone/gov/v1';
      const params = {
        quorum: '0.25',
        threshold: '0.667',
        law_quorum: '0.3',
        law_threshold: '0.9',
        constitution_amendment_quorum: '0.4',
        constitution_amendment_threshold: '0.95',
      };
      return {
        ...listed(gov),
        ...pool,
        [`${gov}/params/tallying`]: { params },
        [`${gov}/proposals/7/tally`]: { tally: { yes_count: '400', abstain_count: '0', no_count: '100' } },
      };
    }
    case 'initia': {
      const gov = '/cosmos/gov/v1';
      const tally = { yes_count: '480', abstain_count: '0', no_count: '320', no_with_veto_count: '0' };
      const powers = { tally_height: '9', total_staking_power: '1000', total_vesting_power: '0' };
      return {
        ...listed(gov),
        '/initia/mstaking/v1/pool': { pool: { bonded_tokens: [{ denom: 'ui', amount: '1000' }] } },
        [`${gov}/params/tallying`]: { params: { ...limits, expedited_threshold: '0.667' } },
        '/initia/gov/v1/params': { params: { low_threshold_functions: ['0x1::vip::refund'] } },
        [`${gov}/proposals/7/tally`]: { tally },
        '/initia/gov/v1/proposals/7/tally': { tally_result: { ...powers, v1_tally_result: tally } },
      };
    }
    case 'sei': {
      const gov = '/cosmos/gov/v1beta1';
      const expedited = { expedited_quorum: '0.667', expedited_threshold: '0.667' };
      return {
        ...listed(gov),
        ...pool,
        [`${gov}/params/tallying`]: { tally_params: { ...limits, ...expedited } },
        [`${gov}/proposals/7/tally`]: { tally: { yes: '400', abstain: '0', no: '100', no_with_veto: '0' } },
      };
    }
    case 'poa': {
      const gov = '/cosmos/gov/v1';
      const tally = { yes_count: '400', abstain_count: '0', no_count: '100', no_with_veto_count: '0' };
      return {
        ...listed(gov),
        '/cosmos/poa/v1/total_power': { total_power: '1000' },
        [`${gov}/params/tallying`]: { params: limits },
        [`${gov}/proposals/7/tally`]: { tally },
      };
    }
    default:
      return chain satisfies never;
  }
}
