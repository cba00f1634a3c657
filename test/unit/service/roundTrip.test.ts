import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { toCoin } from '../../../src/api/decode/coinRows.ts';
import { openNode } from '../../../src/api/open.ts';
import { proposalV1Schema } from '../../../src/api/replySchemas.ts';
import type { ProposalRow } from '../../../src/chain/gov/proposal.ts';
import { Random, runs, seed } from '../../support/random.ts';
import { serveText } from './serveText.ts';

const zeroTime = '0001-01-01T00:00:00Z';
const statuses = ['UNSPECIFIED', 'DEPOSIT_PERIOD', 'VOTING_PERIOD', 'PASSED', 'REJECTED', 'FAILED'] as const;
const letters = 'aBcZ09 "\\/\u0000\n<&>\u2028äé提🚀{}[],:';

function amount(random: Random): string {
  return random.pick(['0', '1', String(2n ** 53n + 1n), String(2n ** 64n), '9'.repeat(78), String(random.below(1e9))]);
}

function coins(random: Random) {
  return Array.from({ length: random.below(3) }, (_, index) => ({ denom: `coin${index}`, amount: amount(random) }));
}

function time(random: Random, zero: string | null): string | null {
  return random.chance(40)
    ? zero
    : `20${10 + random.below(80)}-0${1 + random.below(9)}-11T12:13:14${random.pick(['', '.5', '.123456789'])}Z`;
}

/** A content of any kind: known and unknown types, with fields of every JSON type. */
function content(random: Random): Record<string, unknown> {
  const words = () => random.text(letters, random.below(40));
  const base = { title: words(), description: words() };
  return random.pick<Record<string, unknown>>([
    { '@type': '/cosmos.gov.v1beta1.TextProposal', ...base },
    {
      '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
      ...base,
      changes: [{ subspace: 'mint', key: words(), value: words() }],
    },
    {
      '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
      ...base,
      recipient: 'r',
      amount: coins(random),
    },
    {
      '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
      ...base,
      plan: { name: 'v2', time: zeroTime, height: '123', info: words(), upgraded_client_state: null },
    },
    {
      '@type': '/cosmwasm.wasm.v1.MigrateContractProposal',
      ...base,
      code_id: '7',
      msg: { a: [1, true, null, { b: words() }] },
    },
    { '@type': '/unknown.v9.Proposal', [words() || 'x']: words(), deep: { list: [[[]], {}, -1.5, 1e21] } },
    { type_url: '/cosmos.gov.v1beta1.TextProposal', value: 'CgFU' },
  ]);
}

function generate(random: Random) {
  const ids = new Set<bigint>();
  while (ids.size < random.below(40))
    ids.add(random.chance(20) ? 2n ** 64n - 1n - BigInt(random.below(2000)) : 1n + BigInt(random.below(2000)));
  const proposals = [...ids].map((id) => ({
    proposal_id: String(id),
    content: random.chance(10) ? null : content(random),
    status: `PROPOSAL_STATUS_${random.pick(statuses)}`,
    final_tally_result: {
      yes: amount(random),
      abstain: amount(random),
      no: amount(random),
      no_with_veto: amount(random),
    },
    submit_time: time(random, zeroTime),
    deposit_end_time: time(random, zeroTime),
    total_deposit: coins(random),
    voting_start_time: time(random, zeroTime),
    voting_end_time: time(random, zeroTime),
  }));
  const denoms = new Set(
    Array.from(
      { length: random.below(60) },
      () => `${random.pick(['a', 'ibc/', 'Z', 'factory/x/'])}${random.text('abXY01/:._-', 3 + random.below(9))}`,
    ),
  );
  const supply = [...denoms].map((denom) => ({ denom, amount: amount(random) }));
  return { chain_id: 'made-1', app_state: { bank: { supply }, gov: { proposals } } };
}

/** As a v1 state would hold them: none, one or several messages. */
function generateV1(random: Random) {
  const proposals = Array.from({ length: 1 + random.below(20) }, (_, index) => ({
    id: String(index * 5 + 5 - random.below(5)),
    messages: Array.from({ length: random.below(4) }, () => content(random)),
    status: `PROPOSAL_STATUS_${random.pick(statuses)}`,
    final_tally_result: random.chance(30)
      ? null
      : { yes_count: amount(random), abstain_count: '0', no_count: '0', no_with_veto_count: '0' },
    submit_time: time(random, null),
    deposit_end_time: time(random, null),
    total_deposit: coins(random),
    voting_start_time: time(random, null),
    voting_end_time: time(random, null),
    metadata: random.text(letters, 5),
    title: random.text(letters, 9),
    summary: random.text(letters, 9),
    proposer: '',
    expedited: random.chance(50),
    failed_reason: '',
  }));
  return { chain_id: 'made-1', app_state: { gov: { proposals } } };
}

/** The client asks gov v1 for the page where a content has no title; this is the same proposal, told the old way. */
function asV1beta1(row: ProposalRow): unknown {
  if (row.kind === 'unreadable') return row;
  if (row.form === 'v1beta1') return row.raw;
  const proposal = proposalV1Schema.parse(row.raw);
  const tally = proposal.final_tally_result;
  return {
    proposal_id: proposal.id,
    content: proposal.messages?.[0]?.content ?? null,
    status: proposal.status,
    final_tally_result: {
      yes: tally?.yes_count,
      abstain: tally?.abstain_count,
      no: tally?.no_count,
      no_with_veto: tally?.no_with_veto_count,
    },
    submit_time: proposal.submit_time ?? zeroTime,
    deposit_end_time: proposal.deposit_end_time ?? zeroTime,
    total_deposit: proposal.total_deposit,
    voting_start_time: proposal.voting_start_time ?? zeroTime,
    voting_end_time: proposal.voting_end_time ?? zeroTime,
  };
}

describe(`generated states, served and read back (seed ${seed})`, function () {
  this.timeout(600_000);

  it('are equal, field by field, through our client', async () => {
    for (let run = 0; run < runs(15, 400); run++) {
      const random = new Random(seed + run);
      const state = generate(random);
      const served = await serveText(JSON.stringify(state, null, random.below(3)));
      const preferredForm = async () => 'v1beta1' as const;
      const node = openNode({ baseUrl: parseBaseUrl(`${served.service.baseUrl}/chain`), preferredForm });
      const limit = 1 + random.below(30);
      const { supply } = state.app_state.bank;
      const { proposals } = state.app_state.gov;
      const found = [];
      for (let key: string | undefined, more = true; more; ) {
        const page = await node.supply({ key, limit });
        found.push(...page.rows);
        key = page.nextKey;
        more = key !== undefined;
      }
      const byDenom = supply.toSorted((a, b) => Buffer.compare(Buffer.from(a.denom), Buffer.from(b.denom)));
      assert.deepEqual(found, byDenom.map(toCoin), `seed ${seed + run}`);
      for (const coin of supply.slice(0, 3)) assert.deepEqual(await node.supplyOf(coin.denom), toCoin(coin));

      const rows = [];
      for (let key: string | undefined, more = true; more; ) {
        const page = await node.proposals({}, { key, limit });
        rows.push(...page.rows);
        key = page.nextKey;
        more = key !== undefined;
      }
      const byId = proposals.toSorted((a, b) => (BigInt(a.proposal_id) < BigInt(b.proposal_id) ? -1 : 1));
      assert.deepEqual(rows.map(asV1beta1), byId, `seed ${seed + run}`);
      for (const proposal of proposals.slice(0, 3))
        assert.deepEqual(asV1beta1(await node.proposal(BigInt(proposal.proposal_id))), proposal);
      await node.dispose();
      await served.stop();
    }
  });

  it('of the v1 form are equal, field by field, over gov/v1', async () => {
    for (let run = 0; run < runs(15, 400); run++) {
      const state = generateV1(new Random(seed + run));
      const served = await serveText(state);
      const body = Object(await served.get('gov/v1/proposals?pagination.limit=1000'));
      const byId = state.app_state.gov.proposals.toSorted((a, b) => Number(a.id) - Number(b.id));
      assert.deepEqual(body.proposals, byId, `seed ${seed + run}`);
      for (const proposal of state.app_state.gov.proposals) {
        assert.deepEqual(await served.get(`gov/v1/proposals/${proposal.id}`), { proposal });
        assert.equal(
          (await served.ask(`gov/v1beta1/proposals/${proposal.id}`)).status,
          proposal.messages.length === 1 ? 200 : 500,
        );
      }
      await served.stop();
    }
  });
});
