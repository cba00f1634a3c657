import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import type { ProposalRow } from '../../../src/chain/gov/proposal.ts';
import { phishingSigns } from '../../../src/chain/phishing.ts';
import type { ProposalFacts, ProposalInputs } from '../../../src/page/proposalFacts.ts';

const wire = {
  proposal_id: '848',
  content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'A title', description: 'A description' },
  status: 'PROPOSAL_STATUS_VOTING_PERIOD',
  final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
  submit_time: '2026-11-14T09:12:00Z',
  deposit_end_time: '2026-11-28T09:12:00Z',
  total_deposit: [{ denom: 'uatom', amount: '512000000' }],
  voting_start_time: '2026-11-14T09:12:00Z',
  voting_end_time: '2026-11-28T09:12:00Z',
};

const now = new Date('2026-11-26T02:08:00Z');

const defaultInputs: ProposalInputs = {
  readAt: now,
  liveTally: undefined,
  params: toGovParams({
    voting: { voting_period: '1209600s' },
    deposit: { min_deposit: [{ denom: 'uatom', amount: '512000000' }], max_deposit_period: '1209600s' },
    tally: {
      quorum: '0.334000000000000000',
      threshold: '0.500000000000000000',
      veto_threshold: '0.334000000000000000',
    },
  }),
  votingPower: 241_560_000_000_000n,
  powerSource: 'staking',
  bondDenom: 'uatom',
  currentParams: new Map(),
  now: undefined,
  communityPool: undefined,
  chainTime: undefined,
  deposits: undefined,
};

/** The differences from an ordinary proposal. `inputs` is null while they are not read yet. */
export type FactChanges = Partial<Omit<ProposalFacts, 'inputs'>> & {
  readonly inputs?: Partial<ProposalInputs> | null;
};

/** Everything known about a proposal of a chain with the default rules; `changes` are fields of the wire in v1beta1 form. */
export function factsOf(changes: object = {}, more: FactChanges = {}): ProposalFacts {
  return factsOfRow(toProposalRow(readProposalRow('v1beta1', { ...wire, ...changes })), more);
}

/** The same for a proposal in any form. */
export function factsOfRow(row: ProposalRow, { inputs, ...more }: FactChanges = {}): ProposalFacts {
  const text = row.kind === 'proposal' ? `${row.title ?? ''}\n${row.description ?? ''}` : '';
  return {
    row: { ...row, height: 21930112n },
    phishing: phishingSigns(text),
    sourceName: 'Test chain',
    isPast: false,
    hasPast: false,
    chainId: 'test-1',
    readAt: now,
    failure: undefined,
    now,
    clockRuns: true,
    unitOf: (denom) => (denom === 'uatom' ? { symbol: 'ATOM', exponent: 6, source: 'chain' } : undefined),
    registry: undefined,
    inputs: inputs === null ? undefined : { ...defaultInputs, readAt: more.readAt ?? now, ...inputs },
    whoVoted: undefined,
    ...more,
  };
}
