import { type Fields, isFields } from './keptValue.ts';

const statuses: Readonly<Record<string, string>> = {
  '': 'PROPOSAL_STATUS_UNSPECIFIED',
  DepositPeriod: 'PROPOSAL_STATUS_DEPOSIT_PERIOD',
  VotingPeriod: 'PROPOSAL_STATUS_VOTING_PERIOD',
  Passed: 'PROPOSAL_STATUS_PASSED',
  Rejected: 'PROPOSAL_STATUS_REJECTED',
  Failed: 'PROPOSAL_STATUS_FAILED',
};

const contents: Readonly<Record<string, string>> = {
  'gov/TextProposal': '/cosmos.gov.v1beta1.TextProposal',
  'gov/SoftwareUpgradeProposal': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
  'cosmos-sdk/TextProposal': '/cosmos.gov.v1beta1.TextProposal',
  'cosmos-sdk/ParameterChangeProposal': '/cosmos.params.v1beta1.ParameterChangeProposal',
  'cosmos-sdk/CommunityPoolSpendProposal': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
  'cosmos-sdk/SoftwareUpgradeProposal': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
  'cosmos-sdk/CancelSoftwareUpgradeProposal': '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
};

/**
 * A proposal as written before SDK 0.40 → the v1beta1 form; anything else is handed back as it is.
 * Three ages: `{content: {type, value}, id, proposal_status}` (0.36–0.39), `{proposal_content: {…}, proposal_id}` (0.34),
 * and `{type, value: {title, description, proposal_id, …}}` with the content among the other fields (until 0.33).
 */
export function fromAmino(wire: Fields): Fields {
  const proposal = typeof wire.type === 'string' && isFields(wire.value) ? wire.value : wire;
  if (!('proposal_status' in proposal)) return wire;
  const { id, proposal_status, content, proposal_content, title, description, proposal_type, ...rest } = proposal;
  const inner = content ?? proposal_content;
  const amino = inner ?? { type: wire.type, value: { title, description } };
  return {
    ...rest,
    proposal_id: proposal.proposal_id ?? id,
    content: toContent(amino),
    status: typeof proposal_status === 'string' ? (statuses[proposal_status] ?? proposal_status) : proposal_status,
  };
}

/** `{type, value}` → `{"@type", …}`; a name that nobody knows stays as it is. */
function toContent(amino: unknown): unknown {
  if (!isFields(amino) || typeof amino.type !== 'string' || !isFields(amino.value)) return amino;
  const { proposal_type: _, ...value } = amino.value;
  return { '@type': contents[amino.type] ?? amino.type, ...value };
}
