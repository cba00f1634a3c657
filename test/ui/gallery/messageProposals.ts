import type { GalleryCase } from './galleryState.ts';

const authority = 'sample10d07y265gmmuvt4z0w9aw880jnsr700jd6p7nf';
const spend = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority,
  recipient: 'sample1cwjsz349mhhlnernv4hxu3w0kxhgy9hzvgkrp2',
  amount: [{ denom: 'usample', amount: '2500000' }],
};
const upgrade = {
  '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  authority,
  plan: { name: 'v9', height: '123456', info: '', time: '0001-01-01T00:00:00Z', upgraded_client_state: null },
};
const legacy = {
  '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
  authority,
  content: {
    '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
    title: 'A legacy title',
    description: 'A legacy description.',
    changes: [{ subspace: 'staking', key: 'MaxValidators', value: '120' }],
  },
};

const slashing = {
  signed_blocks_window: '20000',
  min_signed_per_window: '0.050000000000000000',
  downtime_jail_duration: '600s',
  slash_fraction_double_sign: '0.050000000000000000',
  slash_fraction_downtime: '0.010000000000000000',
};

const base = {
  messages: [spend],
  status: 'PROPOSAL_STATUS_PASSED',
  final_tally_result: { yes_count: '800', abstain_count: '100', no_count: '90', no_with_veto_count: '10' },
  submit_time: '2025-11-14T09:12:00Z',
  deposit_end_time: '2025-11-28T09:12:00Z',
  total_deposit: [{ denom: 'usample', amount: '512000000' }],
  voting_start_time: '2025-11-14T09:12:00Z',
  voting_end_time: '2025-11-28T09:12:00Z',
  metadata: '',
  title: 'A title',
  summary: 'A *summary*.',
  proposer: authority,
  expedited: false,
  failed_reason: '',
};

/** Proposals of gov v1: any number of messages, and what only this form says. */
export function messageProposals(): readonly GalleryCase[] {
  const cases: Readonly<Record<string, object>> = {
    'one message': {},
    'no messages': { messages: [] },
    'no messages at all': { messages: null },
    'many messages': {
      messages: [spend, upgrade, legacy, { '@type': '/some.chain.v1.MsgUnknown', signer: authority, on: true }],
    },
    'a legacy content in a message': { messages: [legacy], title: '', summary: '' },
    'metadata that is JSON': { metadata: '{"title":"Elsewhere","authors":["a"],"details":"d"}' },
    'metadata that is an address': { metadata: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi' },
    'failed, with its reason': {
      status: 'PROPOSAL_STATUS_FAILED',
      failed_reason: 'insufficient funds: 1usample < 2500000usample',
    },
    'expedited, and rejected by its own threshold': {
      status: 'PROPOSAL_STATUS_REJECTED',
      expedited: true,
      final_tally_result: { yes_count: '600', abstain_count: '0', no_count: '400', no_with_veto_count: '0' },
    },
    'no title, no summary': { title: '', summary: '', proposer: '' },
    'an expedited vote that goes on as a regular one': {
      status: 'PROPOSAL_STATUS_VOTING_PERIOD',
      final_tally_result: { yes_count: '600', abstain_count: '0', no_count: '400', no_with_veto_count: '0' },
      voting_end_time: '2026-01-08T09:12:00Z',
    },
    'params of modules, most as they are': {
      messages: [
        { '@type': '/cosmos.slashing.v1beta1.MsgUpdateParams', authority, params: slashing },
        { '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority, params: { max_validators: 100 } },
        { '@type': '/some.chain.v1.MsgUpdateParams', authority, params: { limits: { most: '7', least: '1' } } },
      ],
    },
  };
  return Object.entries(cases).map(([name, changes]) => ({
    name: `v1: ${name}`,
    form: 'v1',
    proposal: { ...base, ...changes },
  }));
}
